//! How a trial is run, and what it reports on its way: the states at chosen moments and the moves.
//! A dynamics is generic over the recorder, so that a trial without one pays nothing.

use super::configuration::{Configuration, Move};
use super::observables::Observables;
use super::observation::Observer;
use crate::solver::board::{Board, Cell};
use crate::solver::counters::Kinds;
use crate::solver::course::{Course, QueenMove, Recording};

/// How a trial is run, apart from what it is.
#[derive(Default)]
pub struct Run<'a> {
    /// The trial begins here, and its random numbers go on where those of the trial's own start
    /// end: from its own start it is the trial itself.
    pub start: Option<Configuration>,
    /// Follows the trial.
    pub recorder: Option<&'a mut dyn Recorder>,
}

/// Follows a trial. It draws nothing, so that the stream is the same with every recorder.
pub trait Recorder {
    /// The trial begins in this configuration.
    fn started(&mut self, x: &Configuration);

    /// The state has stood still since the last update that changed it, up to and including the
    /// state after `update` updates.
    fn stood_until(&mut self, update: u64, x: &Configuration, observables: &Observables);

    /// A queen has moved in this update, and `x` is the configuration after all of it.
    fn moved(&mut self, update: u64, queen: Move, kinds: Kinds, x: &Configuration);

    /// Whether [`Recorder::updated`] is of any use; the same for all of a trial.
    fn sees_updates(&self) -> bool;

    /// A site has been updated, and `x` is the configuration afterwards. The signals of no other
    /// cells than these can have changed, and a queen's move was reported before.
    fn updated(&mut self, update: u64, cells: &[Cell], x: &Configuration);
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy)]
pub struct Unrecorded;

impl Recorder for Unrecorded {
    fn started(&mut self, _: &Configuration) {}

    #[inline(always)]
    fn sees_updates(&self) -> bool {
        false
    }

    #[inline(always)]
    fn stood_until(&mut self, _: u64, _: &Configuration, _: &Observables) {}

    #[inline(always)]
    fn moved(&mut self, _: u64, _: Move, _: Kinds, _: &Configuration) {}

    #[inline(always)]
    fn updated(&mut self, _: u64, _: &[Cell], _: &Configuration) {}
}

/// Keeps what a [`Recording`] asks for.
#[derive(Debug)]
pub struct CourseRecorder<'a> {
    /// The moments to come.
    ahead: &'a [u64],
    keeps_moves: bool,
    observer: Observer,
    /// The queens' cells, as often as there are queens; kept up if moves are.
    queens: Vec<Cell>,
    course: Course,
}

impl<'a> CourseRecorder<'a> {
    /// Of a trial on this board.
    pub fn new(recording: Recording<'a>, board: Board) -> Self {
        Self {
            ahead: recording.moments,
            keeps_moves: recording.moves,
            observer: Observer::on(board),
            queens: Vec::new(),
            course: Course::default(),
        }
    }

    /// What was kept.
    pub fn into_course(self) -> Course {
        self.course
    }

    #[cold]
    fn observe(&mut self, last: u64, x: &Configuration, observables: &Observables) {
        let state = self.observer.observe(x, observables);
        while let Some((&update, ahead)) = self.ahead.split_first().filter(|it| *it.0 <= last) {
            self.course.series.push(state.at(update));
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

    fn sees_updates(&self) -> bool {
        false
    }

    fn updated(&mut self, _: u64, _: &[Cell], _: &Configuration) {}
}

/// Row · n + column.
pub(super) fn number(board: Board, cell: Cell) -> u32 {
    let (x, y) = board.coordinates(cell);
    (y * board.n() + x) as u32
}
