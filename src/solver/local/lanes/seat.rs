//! What is known of a trial under way, apart from what its lane holds.

use super::batch::Tally;
use super::boards::{Generator, Lane};
use super::layout::Layout;
use crate::solver::local::configuration::Configuration;
use crate::solver::local::counters::Counters;
use crate::solver::local::rule;
use crate::solver::rng::TrialStream;
use crate::solver::{Ending, Outcome, Point};

/// Domain tags of a trial's streams: of its start and its draws, and of the waits.
const TAGS: [&str; 2] = ["reines/local/lanes/1", "reines/local/lanes/waits/1"];

/// Domain tag, but for the number of updates before them, of the single waits after a checkpoint.
const SINGLES: &str = "reines/local/lanes/single-waits/2";

/// A trial's place: a lane of a batch.
pub struct Seat<const W: usize> {
    pub seed: u64,
    pub trial: u32,
    /// Step of the team before the trial's first.
    pub began: u64,
    pub hitting_time: Option<u64>,
    /// At the last checkpoint: updates, the board, and what was counted.
    pub time: u64,
    pub board: Lane<W>,
    pub tally: Tally,
}

impl<const W: usize> Seat<W> {
    /// A trial before its first update, in its own random start or in another one that is given;
    /// its random numbers are the same.
    pub fn start(
        (seed, trial): (u64, u32),
        point: &Point,
        step: u64,
        given: Option<Configuration>,
    ) -> Self {
        let mut stream = TrialStream::new(TAGS[0], seed, point, trial);
        let own = Configuration::random_start(rule::board(point), &mut stream);
        let start = given.unwrap_or(own);
        let generator = Generator(std::array::from_fn(|_| stream.word()));
        Self {
            seed,
            trial,
            began: step,
            hitting_time: None,
            time: 0,
            board: Lane::of(&start, generator),
            tally: Tally {
                counters: Counters::default(),
                moves_at_hit: None,
                waited: 0,
                waits: TrialStream::new(TAGS[1], seed, point, trial),
                is_still: false,
                moved: None,
            },
        }
    }

    /// No trial.
    pub fn nobody(point: &Point) -> Self {
        let nothing = Configuration::empty(rule::board(point));
        let mut seat = Self::start((0, 0), point, 0, Some(nothing));
        seat.board.generator = Generator([0; 4]);
        seat
    }

    /// The stream of the single waits between the last checkpoint and the next.
    pub fn singles(&self, point: &Point) -> TrialStream {
        let tag = format!("{SINGLES}/{}", self.time);
        TrialStream::new(&tag, self.seed, point, self.trial)
    }

    /// The facts of the trial when it ends as it is: absorbed, or at its cutoff.
    pub fn outcome(&self, layout: &Layout<W>, is_absorbed: bool, cutoff: u64) -> Outcome {
        let ending = if is_absorbed {
            Ending::Absorbed
        } else {
            Ending::Censored
        };
        let mut outcome = Outcome {
            absorption_time: is_absorbed.then_some(self.time),
            hitting_time: self.hitting_time,
            moves_at_hit: self.hitting_time.and(self.tally.moves_at_hit),
            updates: Some(if is_absorbed { self.time } else { cutoff }),
            solution: self.board.solution(layout),
            ..Outcome::ended(ending)
        };
        self.tally.counters.write(&mut outcome);
        outcome
    }
}
