//! The course of a trial: the states at chosen moments and the moves (docs/rules.md).
//!
//! What is seen of a state is found from scratch, eight cells of a row at a time: signals are words
//! with a byte for each direction, in which bit i is of the cell i places to the east of the first.

use super::configuration::{CellState, Configuration, Move};
use super::observe::{Observables, Recorder};
use crate::solver::board::{Board, Cell, Direction};
use crate::solver::course::{Course, Observation, QueenMove, Recording};
use crate::solver::outcome::Kinds;

/// Keeps what a [`Recording`] asks for.
#[derive(Debug)]
pub struct CourseRecorder<'a> {
    /// The moments to come.
    ahead: &'a [u64],
    keeps_moves: bool,
    observer: Scanner,
    /// The queens' cells, as often as there are queens; kept up if moves are.
    queens: Vec<Cell>,
    /// What was kept.
    pub course: Course,
}

impl<'a> CourseRecorder<'a> {
    /// Of a trial on this board.
    pub fn new(recording: Recording<'a>, board: Board) -> Self {
        Self {
            ahead: recording.moments,
            keeps_moves: recording.moves,
            observer: Scanner::on(board),
            queens: Vec::new(),
            course: Course::default(),
        }
    }

    #[cold]
    fn observe(&mut self, last: u64, x: &Configuration, observables: &Observables) {
        let state = self.observer.observe(x, observables);
        while let Some((&update, ahead)) = self.ahead.split_first().filter(|it| *it.0 <= last) {
            self.course.series.push(Observation { update, ..state });
            self.ahead = ahead;
        }
    }

    /// Queens on cells that are not SAFESTAY.
    fn threatened(&self, x: &Configuration) -> u32 {
        let threatened = |cell: &&Cell| x[**cell].threatened();
        self.queens.iter().filter(threatened).count() as u32
    }
}

impl Recorder for CourseRecorder<'_> {
    fn started(&mut self, x: &Configuration) {
        let queens = |cell| std::iter::repeat_n(cell, usize::from(x[cell].queens));
        self.queens = x.board().cells().flat_map(queens).collect();
    }

    fn stood_until(&mut self, update: u64, x: &Configuration, observables: &Observables) {
        if self.ahead.first().is_some_and(|&moment| moment <= update) {
            self.observe(update, x, observables);
        }
    }

    fn moved(&mut self, update: u64, queen: Move, kinds: Kinds, x: &Configuration) {
        if !self.keeps_moves {
            return;
        }
        let place = self.queens.iter().position(|&cell| cell == queen.from);
        self.queens[place.expect("a queen moves from where it is")] = queen.to;
        self.course.moves.push(QueenMove {
            update,
            from: number(x.board(), queen.from),
            to: number(x.board(), queen.to),
            dangerous: kinds.dangerous,
            needless: kinds.needless,
            deceived: kinds.deceived,
            threatened: self.threatened(x),
        });
    }
}

/// Row · n + column.
pub(super) fn number(board: Board, cell: Cell) -> u32 {
    let (x, y) = board.coordinates(cell);
    (y * board.n() + x) as u32
}

/// Cells in a word.
const CELLS: usize = 8;

/// Observes states of one board.
#[derive(Debug)]
struct Scanner {
    /// Pairs of a cell and a direction in which it has a neighbour.
    signals: u32,
    /// The cells of a row: bit x is set for x < n.
    row: u64,
    /// Of each row, the cells with queens, by x.
    queens: Box<[u64]>,
    /// Of each row, for each direction the cells that have a queen in it, by x.
    truth: Box<[[u64; 8]]>,
}

impl Scanner {
    /// For this board.
    fn on(board: Board) -> Self {
        let n = board.n();
        Self {
            signals: 2 * board.n_pairs() as u32,
            row: u64::MAX >> (64 - n),
            queens: vec![0; n].into(),
            truth: vec![[0; 8]; n].into(),
        }
    }

    /// What there is to be seen of a trial in this configuration, as if it were the start.
    fn observe(&mut self, x: &Configuration, observables: &Observables) -> Observation {
        self.find_queens(x);
        self.find_truth();
        let mut state = Observation {
            signals: self.signals,
            true_signals: self.signals,
            conflicts: observables.conflicts(),
            moves: observables.moves(),
            ..Observation::default()
        };
        for y in 0..self.queens.len() {
            self.observe_signals(y, x, &mut state);
            self.observe_queens(y, x, &mut state);
        }
        state
    }

    fn find_queens(&mut self, x: &Configuration) {
        for (y, queens) in self.queens.iter_mut().enumerate() {
            let cells = x.row(y).iter().enumerate();
            *queens = cells.fold(0, |queens, (x, cell)| {
                queens | u64::from(cell.queens > 0) << x
            });
        }
    }

    /// A queen in a direction is one on the next cell in it, or in that direction from there.
    fn find_truth(&mut self) {
        let Self {
            row, queens, truth, ..
        } = self;
        let [mut nw, mut n, mut ne, mut sw, mut s, mut se] = [0; 6];
        for (&queens, truth) in queens.iter().zip(truth.iter_mut()) {
            truth[Direction::NW as usize] = nw;
            truth[Direction::N as usize] = n;
            truth[Direction::NE as usize] = ne;
            nw = (nw | queens) << 1 & *row;
            n |= queens;
            ne = (ne | queens) >> 1;
            // All but those up to the queen that is farthest west; none without a queen.
            truth[Direction::W as usize] = *row & !(queens ^ queens.wrapping_sub(1));
            truth[Direction::E as usize] = match queens {
                0 => 0,
                _ => (1 << queens.ilog2()) - 1,
            };
        }
        for (&queens, truth) in queens.iter().zip(truth.iter_mut()).rev() {
            truth[Direction::SW as usize] = sw;
            truth[Direction::S as usize] = s;
            truth[Direction::SE as usize] = se;
            sw = (sw | queens) << 1 & *row;
            s |= queens;
            se = (se | queens) >> 1;
        }
    }

    /// Adds what row y shows without its queens.
    fn observe_signals(&self, y: usize, x: &Configuration, state: &mut Observation) {
        for (word, cells) in x.row(y).chunks(CELLS).enumerate() {
            let stored = cells.iter().enumerate().fold(0, |signals, (i, cell)| {
                signals | u64::from(cell.signals.bits()) << (8 * i)
            });
            let stored = transposed(stored);
            let part = |row: u64| row >> (CELLS * word) & 0xFF;
            let directions = self.truth[y].iter().enumerate();
            let truth = directions.fold(0, |word, (d, &row)| word | part(row) << (8 * d));
            state.true_signals -= (stored ^ truth).count_ones();
            let empty = part(self.row & !self.queens[y]);
            state.safe_cells += (empty & !any(stored)).count_ones();
            state.truly_safe_cells += (empty & !any(truth)).count_ones();
        }
    }

    /// Adds what the queens of row y show.
    fn observe_queens(&self, y: usize, x: &Configuration, state: &mut Observation) {
        let attacked = self.truth[y].iter().fold(0, |any, row| any | row);
        let mut rest = self.queens[y];
        while rest != 0 {
            let column = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let stored = x.row(y)[column];
            let queens = u32::from(stored.queens);
            state.attacked += queens * u32::from(queens > 1 || attacked >> column & 1 == 1);
            if stored.threatened() {
                state.threatened += queens;
                state.safe_moves += safe_moves(x, x.board().cell(column, y));
            }
        }
    }
}

/// Adjacent cells b with SAFEGO(b, δ(a, b)).
fn safe_moves(x: &Configuration, a: Cell) -> u32 {
    let is_safe = |&towards: &Direction| {
        let b: CellState = x[x.board().neighbour(a, towards)];
        b.safe_go(towards.opposite())
    };
    x.board().directions(a).iter().filter(is_safe).count() as u32
}

/// Bit j of byte i becomes bit i of byte j (Warren, Hacker's Delight, 2nd edition, section 7-3).
fn transposed(word: u64) -> u64 {
    let exchange = |word: u64, distance: u32, mask: u64| {
        let differing = (word ^ word >> distance) & mask;
        word ^ differing ^ differing << distance
    };
    let word = exchange(word, 7, 0x00AA_00AA_00AA_00AA);
    let word = exchange(word, 14, 0x0000_CCCC_0000_CCCC);
    exchange(word, 28, 0x0000_0000_F0F0_F0F0)
}

/// The union of the eight bytes.
fn any(word: u64) -> u64 {
    let word = word | word >> 32;
    let word = word | word >> 16;
    (word | word >> 8) & 0xFF
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::local::samples;

    /// The definitions, cell by cell.
    fn observed_plainly(x: &Configuration) -> Observation {
        let (board, truth) = (x.board(), x.true_signals());
        let mut state = Observation {
            conflicts: x.placement().attacks(),
            ..Observation::default()
        };
        for cell in board.cells() {
            let (stored, truth) = (x[cell], truth[cell.index()]);
            let truly = CellState {
                signals: truth,
                ..stored
            };
            for direction in board.directions(cell).iter() {
                let is_true = stored.signals.contains(direction) == truth.contains(direction);
                state.signals += 1;
                state.true_signals += u32::from(is_true);
                let to = x[board.neighbour(cell, direction)];
                let is_safe = stored.threatened() && to.safe_go(direction.opposite());
                state.safe_moves += u32::from(is_safe);
            }
            let queens = u32::from(stored.queens);
            state.threatened += queens * u32::from(stored.threatened());
            state.attacked += queens * u32::from(truly.threatened());
            let is_safe = |cell: CellState| cell.queens == 0 && cell.signals.is_empty();
            state.safe_cells += u32::from(is_safe(stored));
            state.truly_safe_cells += u32::from(is_safe(truly));
        }
        state
    }

    /// On sides around whole words, and configurations that no trial would meet; one observer for
    /// all, so that nothing of a state is left in the next.
    #[test]
    fn words_show_what_the_definitions_say() {
        let mut stream = samples::stream("words_show_what_the_definitions_say", 1);
        for (n, times) in [
            (1, 5),
            (2, 50),
            (3, 50),
            (7, 50),
            (8, 100),
            (9, 50),
            (16, 20),
            (17, 20),
            (63, 3),
            (64, 3),
        ] {
            let board = Board::new(n);
            let mut observer = Scanner::on(board);
            for _ in 0..times {
                let unreached = samples::unreached(board, &mut stream);
                for x in [unreached.clone(), samples::with_true_signals(unreached)] {
                    let seen = observer.observe(&x, &Observables::at_start(&x));
                    assert_eq!(seen, observed_plainly(&x), "n = {n}");
                }
            }
        }
    }
}
