//! A trial under way in a lane.

use super::boards::{Generator, Lane};
use super::layout::Layout;
use super::step::LaneMove;
use crate::solver::counters::Counters;
use crate::solver::local::configuration::Configuration;
use crate::solver::rng::TrialStream;
use crate::solver::{Outcome, Point};

/// Domain tag of the stream of all waits.
const WAITS: &str = "reines/local/lanes/waits/1";

/// Domain tag, but for the number of updates before them, of the single waits after a checkpoint.
const SINGLES: &str = "reines/local/lanes/single-waits/2";

/// A trial under way.
pub struct Trial<const W: usize> {
    /// Seed and index.
    pub key: (u64, u32),
    /// Step of the team before the trial's first.
    pub began: u64,
    pub last: Snapshot<W>,
}

/// A trial as it was at its last checkpoint.
#[derive(Clone)]
pub struct Snapshot<const W: usize> {
    /// Updates so far.
    pub time: u64,
    pub board: Lane<W>,
    pub tally: Tally,
}

/// What is counted of a trial, apart from its draws.
#[derive(Clone)]
pub struct Tally {
    pub counters: Counters,
    /// Updates of the draws without an open site since the last checkpoint, whose waits are drawn
    /// one by one.
    pub waited: u64,
    /// Of all waits.
    pub waits: TrialStream,
    /// Nothing can change any more.
    pub is_still: bool,
    /// The last move, of whatever step.
    pub moved: Option<LaneMove>,
}

impl Tally {
    /// Of a trial before its first update.
    pub fn of((seed, trial): (u64, u32), point: &Point) -> Self {
        Self {
            counters: Counters::default(),
            waited: 0,
            waits: TrialStream::new(WAITS, seed, point, trial),
            is_still: false,
            moved: None,
        }
    }
}

impl<const W: usize> Trial<W> {
    /// A trial before its first update, after so many steps of the team.
    pub fn new(
        key: (u64, u32),
        point: &Point,
        began: u64,
        start: &Configuration,
        mut stream: TrialStream,
    ) -> Self {
        let generator = Generator(std::array::from_fn(|_| stream.word()));
        let mut tally = Tally::of(key, point);
        tally.counters = Counters::at_start(start.placement().is_solution());
        let last = Snapshot {
            time: 0,
            board: Lane::of(start, generator),
            tally,
        };
        Self { key, began, last }
    }

    /// The stream of the single waits between the last checkpoint and the next.
    pub fn singles(&self, point: &Point) -> TrialStream {
        let tag = format!("{SINGLES}/{}", self.last.time);
        TrialStream::new(&tag, self.key.0, point, self.key.1)
    }
}

impl<const W: usize> Snapshot<W> {
    /// The facts of the trial when it ends as it is, absorbed or at its cutoff.
    pub fn outcome(&self, layout: &Layout<W>, is_absorbed: bool, cutoff: u64) -> Outcome {
        let time = if is_absorbed { self.time } else { cutoff };
        Outcome {
            solution: self.board.solution(layout),
            ..self.tally.counters.outcome(is_absorbed, time)
        }
    }
}
