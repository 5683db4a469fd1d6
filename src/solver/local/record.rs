//! The course of a trial: the states at chosen moments and the moves (docs/rules.md).

use std::sync::atomic::{AtomicU64, Ordering};

use super::configuration::{CellState, Configuration, Move};
use super::observe::{Observables, Recorder};
use crate::board::{Board, Cell, Direction};
use crate::course::{Course, Observation, QueenMove, Recording};
use crate::outcome::Kinds;

/// Moves that are counted at once.
const MANY: usize = 1 << 12;

/// Keeps what a [`Recording`] asks for.
#[derive(Debug)]
pub struct CourseRecorder<'a> {
    /// The moments to come.
    ahead: &'a [u64],
    keeps_moves: bool,
    written: Option<&'a AtomicU64>,
    /// The queens' cells, as often as there are queens; kept up if moves are.
    queens: Vec<Cell>,
    /// What was kept.
    pub course: Course,
}

impl<'a> CourseRecorder<'a> {
    /// A recorder for one trial.
    ///
    /// # Panics
    /// When the moments do not ascend.
    pub fn new(recording: Recording<'a>) -> Self {
        assert!(
            recording.moments.is_sorted_by(|a, b| a < b),
            "moments ascend"
        );
        Self {
            ahead: recording.moments,
            keeps_moves: recording.moves,
            written: recording.written,
            queens: Vec::new(),
            course: Course::default(),
        }
    }

    #[cold]
    fn observe(&mut self, last: u64, x: &Configuration, observables: &Observables) {
        let state = observe(x, observables);
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
        let index = self.queens.iter().position(|&cell| cell == queen.from);
        self.queens[index.expect("a queen moves from where it is")] = queen.to;
        self.course.moves.push(QueenMove {
            threatened: self.threatened(x),
            ..written(update, queen, kinds, x.board())
        });
        let is_many = self.course.moves.len().is_multiple_of(MANY);
        if let Some(written) = self.written.filter(|_| is_many) {
            written.fetch_add(MANY as u64, Ordering::Relaxed);
        }
    }
}

/// A move as it is written down, but for the number of threatened queens.
pub(super) fn written(update: u64, queen: Move, kinds: Kinds, board: Board) -> QueenMove {
    QueenMove {
        update,
        from: number(board, queen.from),
        to: number(board, queen.to),
        dangerous: kinds.dangerous,
        needless: kinds.needless,
        deceived: kinds.deceived,
        threatened: 0,
    }
}

/// Row · n + column.
pub(super) fn number(board: Board, cell: Cell) -> u32 {
    let (x, y) = board.coordinates(cell);
    (y * board.n() + x) as u32
}

/// What there is to be seen of a trial in this configuration, as if it were the start: cell by
/// cell, as docs/rules.md defines it.
fn observe(x: &Configuration, observables: &Observables) -> Observation {
    let (board, truth) = (x.board(), x.true_signals());
    let mut state = Observation {
        conflicts: observables.conflicts(),
        moves: observables.moves(),
        ..Observation::default()
    };
    for cell in board.cells() {
        let (stored, neighbours) = (x[cell], board.directions(cell));
        let truly = CellState {
            signals: truth[cell.index()],
            ..stored
        };
        state.signals += neighbours.len();
        state.true_signals += neighbours.len() - stored.signals.difference(truly.signals).len();
        let queens = u32::from(stored.queens);
        if stored.threatened() {
            let is_safe = |&d: &Direction| x[board.neighbour(cell, d)].safe_go(d.opposite());
            state.safe_moves += neighbours.iter().filter(is_safe).count() as u32;
            state.threatened += queens;
        }
        state.attacked += queens * u32::from(truly.threatened());
        let is_safe = |cell: CellState| cell.queens == 0 && cell.signals.is_empty();
        state.safe_cells += u32::from(is_safe(stored));
        state.truly_safe_cells += u32::from(is_safe(truly));
    }
    state
}
