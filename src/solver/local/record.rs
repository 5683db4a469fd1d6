//! What is recorded of a trial (docs/rules.md): the states at chosen moments, and every update that
//! changes something, of which a replay is made. Decided here: at which moment a state is taken,
//! what stands in `series.parquet` after an absorption, and which cells count as threatened, free
//! or true.

use super::configuration::{CellState, Configuration, Move};
use super::tally::{Judged, RunningTally, safe_moves_from};
use crate::Control;
use crate::algorithm::Watch;
use crate::board::{Board, Cell, Directions};
use crate::course::{Change, Course, Observation, QueenMove, Signal};
use crate::outcome::Kinds;
use crate::solution::Placement;

/// Records what a control asks for.
#[derive(Clone)]
pub struct Recorder<'a> {
    /// The moments to come.
    ahead: &'a [u64],
    watch: Option<Watch<'a>>,
    /// The signals before the present update, by [`Cell::index`], and its move; kept up if changes
    /// are watched.
    signals: Box<[Directions]>,
    moved: Option<QueenMove>,
    /// The tally, while there are moments to come, and its part of the present update's move.
    tally: Option<RunningTally>,
    judged: Option<Judged>,
    /// What was kept.
    pub course: Course,
}

impl<'a> Recorder<'a> {
    /// A recorder for a trial that starts in `x`.
    ///
    /// # Panics
    /// When the moments do not ascend.
    pub fn at_start(x: &Configuration, control: &Control<'a>) -> Self {
        let (moments, watch) = control.asked();
        assert!(moments.is_sorted_by(|a, b| a < b), "moments ascend");
        let mut signals: Box<[Directions]> = Box::default();
        if watch.is_some() {
            signals = vec![Directions::NONE; x.board().n_indices()].into();
            for cell in x.board().cells() {
                signals[cell.index()] = x[cell].signals;
            }
        }
        Self {
            ahead: moments,
            watch,
            signals,
            moved: None,
            tally: (!moments.is_empty()).then(|| RunningTally::at_start(x)),
            judged: None,
            course: Course::default(),
        }
    }

    /// The next moment at which the state is observed; `u64::MAX` also where there is none.
    pub fn next_moment(&self) -> u64 {
        self.ahead.first().copied().unwrap_or(u64::MAX)
    }

    /// True if updates without a move matter.
    pub fn sees_changes(&self) -> bool {
        self.watch.is_some() || self.tally.is_some()
    }

    /// True if one move of one queen would make a solution of these positions, which are none;
    /// false also where nothing is counted.
    pub fn is_near_solution(&self, placement: &mut Placement, board: Board) -> bool {
        let running = self.tally.as_ref();
        running.is_some_and(|running| running.is_near_solution(placement, board))
    }

    /// Observes the state at the moments up to `last`; the conflicts and moves of `known` are known
    /// already.
    pub fn observe(&mut self, last: u64, x: &Configuration, known: Observation, is_absorbed: bool) {
        let state = Observation {
            conflicts: known.conflicts,
            moves: known.moves,
            ..observation(x)
        };
        while let Some((&update, ahead)) = self.ahead.split_first()
            && update <= last
        {
            let running = self.tally.as_ref();
            let tally = running.map(|running| running.tally_at(update, is_absorbed));
            self.course.series.push(Observation {
                update,
                tally,
                ..state
            });
            self.ahead = ahead;
        }
        if self.ahead.is_empty() {
            self.tally = None;
        }
    }

    /// A queen has moved in this update; the configuration is that after all of it.
    pub fn moved(
        &mut self,
        update: u64,
        (queen, kinds): (Move, Kinds),
        (was_near, is_hit): (bool, bool),
        x: &Configuration,
    ) {
        self.judged = Some(Judged {
            from: queen.from,
            to: queen.to,
            is_dangerous: kinds.dangerous,
            was_near,
            is_hit,
        });
        if self.watch.is_none() {
            return;
        }
        let states = x.board().cells().map(|cell| x[cell]);
        let threatened = states.filter(|state| state.threatened());
        self.moved = Some(QueenMove {
            update,
            from: number(x.board(), queen.from),
            to: number(x.board(), queen.to),
            dangerous: kinds.dangerous,
            needless: kinds.needless,
            deceived: kinds.deceived,
            threatened: threatened.map(|state| u32::from(state.queens)).sum(),
        });
    }

    /// A site has been updated; the configuration is that afterwards. The signals of no other cells
    /// than these can have changed, and a queen's move was reported before.
    pub fn updated(&mut self, update: u64, cells: &[Cell], x: &Configuration) {
        let judged = self.judged.take();
        if let Some(running) = &mut self.tally {
            running.updated(update, judged, cells, x);
        }
        let Some(watch) = self.watch else { return };
        let mut toggled = Vec::new();
        for &cell in cells {
            let CellState { signals, .. } = x[cell];
            let before = std::mem::replace(&mut self.signals[cell.index()], signals);
            let cell = number(x.board(), cell);
            let changed = signals.difference(before).iter();
            toggled.extend(changed.map(|direction| Signal { cell, direction }));
        }
        toggled.sort_unstable();
        let moved = self.moved.take();
        if moved.is_some() || !toggled.is_empty() {
            watch(Change {
                update,
                moved,
                toggled,
            });
        }
    }
}

/// Row · n + column.
fn number(board: Board, cell: Cell) -> u32 {
    let (x, y) = board.coordinates(cell);
    (y * board.n() + x) as u32
}

/// What a configuration shows, as if it were the start, without conflicts: cell by cell, as
/// docs/rules.md defines it.
fn observation(x: &Configuration) -> Observation {
    let board = x.board();
    let truth = x.true_signals();
    let mut state = Observation::default();
    for cell in board.cells() {
        let stored = x[cell];
        let neighbours = board.directions(cell);
        let truly = CellState {
            signals: truth[cell.index()],
            ..stored
        };
        state.signals += neighbours.len();
        state.true_signals += neighbours.len() - stored.signals.difference(truly.signals).len();
        let queens = u32::from(stored.queens);
        state.safe_moves += safe_moves_from(cell, x);
        if stored.threatened() {
            state.threatened += queens;
        }
        state.attacked += queens * u32::from(truly.threatened());
        let is_safe = |cell: CellState| cell.queens == 0 && cell.signals.is_empty();
        state.safe_cells += u32::from(is_safe(stored));
        state.truly_safe_cells += u32::from(is_safe(truly));
    }
    state
}
