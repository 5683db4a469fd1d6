//! What a simulation reports on its way: the states at chosen moments and the moves. A dynamics is
//! generic over it, so that a trial without a recording pays nothing.

use super::configuration::{Configuration, Move};
use super::counters::MoveKinds;
use super::geometry::Geometry;
use super::observables::Observables;
use super::observation::Observer;
use crate::solver::board::{Board, Cell};
use crate::solver::course::{Course, QueenMove, Recording};

/// Follows a trial. It draws nothing, so that the stream is the same with every recorder.
pub trait Recorder {
    /// Whether it wants to know anything.
    const SEES: bool = true;

    /// The state has stood still since the last update that changed it, up to and including the
    /// state after `update` updates.
    fn stood_until(&mut self, update: u64, x: &Configuration, observables: &Observables);

    /// A queen has moved in this update, and `x` is the configuration after all of it.
    fn moved(&mut self, update: u64, queen: Move, kinds: MoveKinds, x: &Configuration);

    /// The site of this number has been updated, and `x` is the configuration afterwards. The
    /// signals of no other cells can have changed, and a queen's move was reported before.
    fn updated<G: Geometry>(&mut self, update: u64, sites: &G, number: u64, x: &Configuration);
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy)]
pub struct Unrecorded;

impl Recorder for Unrecorded {
    const SEES: bool = false;

    #[inline(always)]
    fn stood_until(&mut self, _: u64, _: &Configuration, _: &Observables) {}

    #[inline(always)]
    fn moved(&mut self, _: u64, _: Move, _: MoveKinds, _: &Configuration) {}

    #[inline(always)]
    fn updated<G: Geometry>(&mut self, _: u64, _: &G, _: u64, _: &Configuration) {}
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
    /// Of a trial that starts in this configuration.
    pub fn new(recording: Recording<'a>, start: &Configuration) -> Self {
        let board = start.board();
        let queens = board
            .cells()
            .flat_map(|cell| std::iter::repeat_n(cell, usize::from(start[cell].queens)));
        Self {
            ahead: recording.moments,
            keeps_moves: recording.moves,
            observer: Observer::on(board),
            queens: queens.collect(),
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
    #[inline]
    fn stood_until(&mut self, update: u64, x: &Configuration, observables: &Observables) {
        if self.ahead.first().is_some_and(|&moment| moment <= update) {
            self.observe(update, x, observables);
        }
    }

    fn moved(&mut self, update: u64, queen: Move, kinds: MoveKinds, x: &Configuration) {
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

    #[inline(always)]
    fn updated<G: Geometry>(&mut self, _: u64, _: &G, _: u64, _: &Configuration) {}
}

/// Row · n + column.
pub(super) fn number(board: Board, cell: Cell) -> u32 {
    let (x, y) = board.coordinates(cell);
    (y * board.n() + x) as u32
}
