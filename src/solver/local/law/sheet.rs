//! A small board on which an update is tried again and again, and what becomes of it. How far two
//! probabilities may be apart and count as the same (10⁻⁸) is here, and the words of a difference
//! of probabilities.

use super::answers::{Polynomial, Script, Weight};
use crate::bits;
use crate::board::{Board, Cell, Directions};
use crate::local::configuration::{CellState, Cells, Configuration, Move};

/// The greatest side of a sheet's board.
pub const SIDE_MAX: usize = 4;

/// The indices of a board with its border.
pub const INDICES: usize = (SIDE_MAX + 2) * (SIDE_MAX + 2);

/// The states of all cells of a small board.
#[derive(Debug, Clone, Copy)]
pub struct Sheet {
    board: Board,
    states: [CellState; INDICES],
    /// The indices of the cells that were written, as bits.
    written: u64,
    /// The indices of the cells that were put into a state other than the empty one, as bits.
    put: u64,
}

impl Sheet {
    /// A board without queens and signals.
    ///
    /// # Panics
    /// When its side is above [`SIDE_MAX`].
    pub fn empty(board: Board) -> Self {
        assert!(board.n() <= SIDE_MAX, "a sheet is a small board");
        Self {
            board,
            states: [CellState::default(); INDICES],
            written: 0,
            put: 0,
        }
    }

    /// The states of the cells that are not empty, each with the cell's index.
    #[inline(always)]
    pub fn states(&self) -> impl Iterator<Item = (usize, CellState)> {
        bits::ones(self.put).map(|index| (index, self.states[index]))
    }

    /// The same board in the form in which a trial has it.
    pub fn configuration(&self) -> Configuration {
        let cells = self.board.cells();
        let queens = cells.flat_map(|cell| {
            let queens = self.state(cell).queens;
            std::iter::repeat_n(cell, usize::from(queens))
        });
        let mut x = Configuration::with_queens(self.board, queens);
        for cell in self.board.cells() {
            x.set_signals(cell, self.state(cell).signals);
        }
        x
    }

    /// Gives a cell this state, without the signals from beyond the edge.
    pub fn put(&mut self, cell: Cell, state: CellState) {
        let signals = state.signals.intersection(self.board.directions(cell));
        self.put_inside(cell, CellState { signals, ..state });
    }

    /// Gives a cell that has all neighbours this state.
    #[inline(always)]
    pub fn put_inside(&mut self, cell: Cell, state: CellState) {
        let bit = 1 << cell.index();
        self.states[cell.index()] = state;
        if state == CellState::default() {
            self.put &= !bit;
        } else {
            self.put |= bit;
        }
    }
}

impl Cells for Sheet {
    #[inline(always)]
    fn board(&self) -> Board {
        self.board
    }

    #[inline(always)]
    fn state(&self, cell: Cell) -> CellState {
        self.states[cell.index()]
    }

    #[inline(always)]
    fn set_signals(&mut self, cell: Cell, signals: Directions) {
        self.states[cell.index()].signals = signals;
        self.written |= 1 << cell.index();
    }

    /// A rule that moves a queen from a cell without one has a law, too: the number wraps.
    #[inline(always)]
    fn move_queen(&mut self, from: Cell, to: Cell) {
        let queens = &mut self.states[from.index()].queens;
        *queens = queens.wrapping_sub(1);
        let queens = &mut self.states[to.index()].queens;
        *queens = queens.wrapping_add(1);
        self.written |= 1 << from.index() | 1 << to.index();
    }
}

/// A function whose values look random (Steele, Lea and Flood 2014: the finalizer of SplitMix).
pub fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// What an update has done, in a number that says which: the cells that are in another state and
/// these states, and the queen's move with what is said of it. 0 if nothing has changed.
pub type Outcome = u64;

/// The bit of an outcome in which a queen has moved.
const MOVED: Outcome = 1;

/// The most by which two probabilities that are the same may differ, by rounding.
const MOST_ERROR: f64 = 1e-8;

/// The law of one update in one state: its outcomes, each once, with their probabilities.
#[derive(Debug, Clone)]
pub struct StateLaw<W>(pub Vec<(Outcome, W)>);

impl<W> Default for StateLaw<W> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<W: Weight> StateLaw<W> {
    /// Takes over an update in which only what happens without a move is another: all moves of
    /// `update`, and with the rest of the probability `still`.
    #[inline(always)]
    pub fn take_moves(&mut self, update: &Self, still: Outcome) {
        for &(outcome, probability) in &update.0 {
            let is_move = outcome & MOVED != 0;
            self.add(if is_move { outcome } else { still }, probability);
        }
    }

    /// Adds an outcome to those that are known.
    #[inline(always)]
    pub fn add(&mut self, outcome: Outcome, probability: W) {
        match self.0.iter_mut().find(|known| known.0 == outcome) {
            Some(known) => known.1 = known.1 + probability,
            None => self.0.push((outcome, probability)),
        }
    }
}

impl StateLaw<f64> {
    /// The first change whose probability is another one in `found`, if there is one, in words.
    #[inline(always)]
    pub fn difference_of_changes(&self, found: &Self) -> Option<String> {
        // Most often the changes come in the same order.
        let mut others = found.changes();
        let mut changes = self.changes();
        let has_same = changes.all(|(outcome, probability)| {
            let other = others.next();
            other.is_some_and(|(other, found)| {
                outcome == other && (probability - found).abs() <= MOST_ERROR
            })
        });
        if has_same && others.next().is_none() {
            return None;
        }
        self.difference_in_any_order(found)
    }

    /// The outcomes in which something has changed.
    #[inline(always)]
    fn changes(&self) -> impl Iterator<Item = (Outcome, f64)> {
        let known = self.0.iter().copied();
        known.filter(|(outcome, _)| *outcome != 0)
    }

    fn difference_in_any_order(&self, found: &Self) -> Option<String> {
        let of = |law: &Self, outcome: Outcome| {
            let known = law.0.iter().find(|known| known.0 == outcome);
            known.map_or(0.0, |known| known.1)
        };
        let outcomes = self.0.iter().chain(&found.0).map(|known| known.0);
        outcomes
            .filter(|outcome| *outcome != 0)
            .find_map(|outcome| {
                let expected = of(self, outcome);
                let found = of(found, outcome);
                let is_other = (expected - found).abs() > MOST_ERROR;
                is_other.then(|| format!("a change of probability {found}; expected {expected}"))
            })
    }
}

impl StateLaw<Polynomial> {
    /// A number that says which law it is: made of the sorted outcomes and their probabilities.
    pub fn fingerprint(&mut self) -> u64 {
        self.0.sort_unstable_by_key(|(outcome, _)| *outcome);
        let outcomes = self.0.iter();
        outcomes.fold(0, |number, (outcome, probability)| {
            mixed(mixed(number ^ outcome) ^ probability.0)
        })
    }
}

/// The outcomes of an update by what two coins of ε show, which are all that it draws.
#[derive(Debug, Clone, Copy, Default)]
struct ByCoins {
    /// By the bits of [`Script::coins`].
    outcomes: [Outcome; 4],
    /// True if something else is drawn.
    has_other_draws: bool,
}

/// The law of one update in one state, and its outcomes by the coins of ε.
#[derive(Debug, Default)]
pub struct UpdateLaw {
    /// Its outcomes with their probabilities.
    pub law: StateLaw<f64>,
    by_coins: ByCoins,
}

impl UpdateLaw {
    /// The outcome where the coins of ε show this; `None` where something else is drawn.
    #[inline(always)]
    pub fn outcome(&self, [first, second]: [bool; 2]) -> Option<Outcome> {
        let ByCoins {
            outcomes,
            has_other_draws,
        } = &self.by_coins;
        let number = usize::from(first) << 1 | usize::from(second);
        (!has_other_draws).then(|| outcomes[number])
    }

    /// Makes it the law of an update of `before`, which was given to [`Trier::begin`].
    #[inline(always)]
    pub fn enumerate(
        &mut self,
        before: &Sheet,
        trier: &mut Trier<f64>,
        mut update: impl FnMut(&mut Sheet, &mut Script<f64>) -> Option<Move>,
    ) {
        let Self { law, by_coins } = self;
        law.0.clear();
        by_coins.has_other_draws = false;
        let Trier { script, sheet } = trier;
        debug_assert_eq!(sheet.states, before.states);
        let tried = |script: &mut Script<f64>| {
            let moved = update(sheet, script);
            (undone(sheet, before, moved), script.coins())
        };
        script.answer_all(tried, |probability, (outcome, coins)| {
            law.add(outcome, probability);
            by_coins.has_other_draws |= coins == 0;
            for (number, known) in by_coins.outcomes.iter_mut().enumerate() {
                if coins >> number & 1 == 1 {
                    *known = outcome;
                }
            }
        });
    }
}

/// What tries updates of a sheet, which is given to [`Trier::begin`] first.
#[derive(Debug)]
pub struct Trier<W> {
    script: Script<W>,
    /// The same states as those of the sheet that was given, but within an update.
    sheet: Sheet,
}

impl<W: Weight> Trier<W> {
    /// For sheets of this board.
    pub fn new(board: Board) -> Self {
        Self {
            script: Script::new(),
            sheet: Sheet::empty(board),
        }
    }

    /// Makes these the states before each update.
    #[inline(always)]
    pub fn begin(&mut self, before: &Sheet) {
        self.sheet.clone_from(before);
        self.sheet.written = 0;
    }

    /// What a change of `before` that draws nothing comes to.
    #[inline(always)]
    pub fn outcome_of(&mut self, before: &Sheet, change: impl FnOnce(&mut Sheet)) -> Outcome {
        debug_assert_eq!(self.sheet.states, before.states);
        change(&mut self.sheet);
        undone(&mut self.sheet, before, None)
    }

    /// Adds the outcomes of an update of `before` to a law, each with its probability times
    /// `factor`.
    #[inline(always)]
    pub fn try_all(
        &mut self,
        before: &Sheet,
        factor: W,
        mut update: impl FnMut(&mut Sheet, &mut Script<W>) -> Option<Move>,
        law: &mut StateLaw<W>,
    ) {
        let Self { script, sheet } = self;
        debug_assert_eq!(sheet.states, before.states);
        let tried = |script: &mut Script<W>| {
            let moved = update(sheet, script);
            undone(sheet, before, moved)
        };
        script.answer_all(tried, |probability, outcome| {
            law.add(outcome, factor * probability);
        });
    }
}

/// What an update has done to `before`; the sheet is then as it was.
#[inline(always)]
fn undone(sheet: &mut Sheet, before: &Sheet, moved: Option<Move>) -> Outcome {
    let with = |outcome: Outcome, word: u64| {
        (outcome.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    let mut outcome: Outcome = 0;
    for index in bits::ones(std::mem::take(&mut sheet.written)) {
        let after = std::mem::replace(&mut sheet.states[index], before.states[index]);
        if after != before.states[index] {
            let state = u64::from(after.queens) << 8 | u64::from(after.signals.bits());
            outcome = with(outcome, (index as u64 + 1) << 16 | state);
        }
    }
    let Some(queen) = moved else {
        return outcome & !MOVED;
    };
    let kinds = u64::from(queen.is_safe) << 1 | u64::from(queen.is_certain);
    let cells = (queen.from.index() as u64) << 16 | (queen.to.index() as u64) << 32;
    with(outcome, cells | (queen.side as u64) << 8 | kinds) | MOVED
}
