//! A small board on which an update is tried again and again, and what becomes of it.

use super::answers::{Probability, Script};
use crate::board::{Board, Cell, Directions};
use crate::local::configuration::{CellState, Cells, Configuration, Move};

/// The greatest side of a sheet's board.
pub const SIDE_MAX: usize = 4;

/// The indices of a board with its border.
const INDICES: usize = (SIDE_MAX + 2) * (SIDE_MAX + 2);

/// The states of all cells of a small board.
#[derive(Debug, Clone)]
pub struct Sheet {
    board: Board,
    states: [CellState; INDICES],
    /// The indices of the cells that were written, as bits.
    written: u64,
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
        }
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
        self.states[cell.index()] = CellState { signals, ..state };
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

/// The law of one update in one state: its outcomes, each once, with their probabilities.
#[derive(Debug, Clone, Default)]
pub struct StateLaw(pub Vec<(Outcome, Probability)>);

impl StateLaw {
    /// Takes over an update in which only what happens without a move is another: all moves of
    /// `update`, and with the rest of the probability `still`.
    pub fn take_moves(&mut self, update: &Self, still: Outcome) {
        for &(outcome, probability) in &update.0 {
            let is_move = outcome & MOVED != 0;
            self.add(if is_move { outcome } else { still }, probability);
        }
    }

    /// Adds an outcome to those that are known.
    pub fn add(&mut self, outcome: Outcome, probability: Probability) {
        match self.0.iter_mut().find(|known| known.0 == outcome) {
            Some(known) => known.1 = known.1 + probability,
            None => self.0.push((outcome, probability)),
        }
    }

    /// The first change whose probability is another one in `found`, if there is one, in words: at
    /// the place where probabilities are numbers.
    pub fn difference_of_changes(&self, found: &Self) -> Option<String> {
        let of = |law: &Self, outcome: Outcome| {
            let known = law.0.iter().find(|known| known.0 == outcome);
            known.map_or(0.0, |known| known.1.value)
        };
        let outcomes = self.0.iter().chain(&found.0).map(|known| known.0);
        outcomes
            .filter(|outcome| *outcome != 0)
            .find_map(|outcome| {
                let (expected, found) = (of(self, outcome), of(found, outcome));
                let is_other = (expected - found).abs() > 1e-8;
                is_other.then(|| format!("a change of probability {found}; expected {expected}"))
            })
    }

    /// A number that says which law it is: made of the sorted outcomes and their probabilities.
    pub fn fingerprint(&mut self) -> u64 {
        self.0.sort_unstable_by_key(|(outcome, _)| *outcome);
        let outcomes = self.0.iter();
        outcomes.fold(0, |number, (outcome, probability)| {
            mixed(mixed(number ^ outcome) ^ probability.residue)
        })
    }
}

/// What tries updates of a sheet.
#[derive(Debug)]
pub struct Trier {
    script: Script,
    sheet: Sheet,
}

impl Trier {
    /// For sheets of this board.
    pub fn new(board: Board) -> Self {
        Self {
            script: Script::new(),
            sheet: Sheet::empty(board),
        }
    }

    /// What a change of `before` that draws nothing comes to.
    #[inline(always)]
    pub fn outcome_of(&mut self, before: &Sheet, change: impl FnOnce(&mut Sheet)) -> Outcome {
        let sheet = &mut self.sheet;
        sheet.clone_from(before);
        sheet.written = 0;
        change(sheet);
        outcome(before, sheet, None)
    }

    /// Adds the outcomes of an update of `before` to a law, each with its probability times
    /// `factor`.
    #[inline(always)]
    pub fn try_all(
        &mut self,
        before: &Sheet,
        factor: Probability,
        mut update: impl FnMut(&mut Sheet, &mut Script) -> Option<Move>,
        law: &mut StateLaw,
    ) {
        let Self { script, sheet } = self;
        sheet.clone_from(before);
        sheet.written = 0;
        let tried = |script: &mut Script| {
            let moved = update(sheet, script);
            let outcome = outcome(before, sheet, moved);
            restore(sheet, before);
            outcome
        };
        script.answer_all(tried, |probability, outcome| {
            law.add(outcome, factor * probability);
        });
    }
}

#[inline(always)]
fn outcome(before: &Sheet, after: &Sheet, moved: Option<Move>) -> Outcome {
    let with = |outcome: Outcome, word: u64| {
        (outcome.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    let mut outcome: Outcome = 0;
    let mut written = after.written;
    while written != 0 {
        let index = written.trailing_zeros() as usize;
        written &= written - 1;
        let CellState { queens, signals } = after.states[index];
        if after.states[index] != before.states[index] {
            let state = u64::from(queens) << 8 | u64::from(signals.bits());
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

#[inline(always)]
fn restore(sheet: &mut Sheet, before: &Sheet) {
    while sheet.written != 0 {
        let index = sheet.written.trailing_zeros() as usize;
        sheet.written &= sheet.written - 1;
        sheet.states[index] = before.states[index];
    }
}
