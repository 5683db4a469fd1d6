//! Batches in turn, with trials that take the lanes of those that have ended.
//!
//! What a trial is does not depend on the lanes beside it: its draws and its waits come from its
//! own generators.

use super::boards::Lane;
use super::follow::Follower;
use super::kernel::{Kernel, Loop};
use super::layout::BitLayout;
use super::trial::Batch;
use super::vector::{Instructions, LANES};
use crate::local::configuration::Configuration;
use crate::local::sites::LocalRule as _;
use crate::local::{self, own_start};
use crate::rng::Generator;
use crate::{Control, Course, Dynamics, Interrupted, LANES_PER_THREAD, Point, TrialSource};

/// Steps between two polls of the stop flag: some milliseconds.
pub const STEPS_PER_POLL: u32 = 1 << 14;

/// Trials of one point side by side.
pub struct Team<'a, K: Kernel<W>, const W: usize> {
    kernel: K,
    point: Point,
    cutoff: u64,
    steps: Loop<K, W>,
    /// The batches, all in one loop: while one waits for its results, the other computes.
    batches: Vec<Batch<K, W>>,
    /// The updates of the trial in each lane that have been reported, one batch after the other;
    /// `None` in an idle lane.
    reported: Vec<Option<u64>>,
    /// The board of a lane without a trial.
    empty_board: Lane<W>,
    /// The follower of a trial that is followed, in the first lane, none beside it.
    follower: Option<Follower<'a, K::Rule>>,
}

impl<'a, K: Kernel<W>, const W: usize> Team<'a, K, W> {
    /// A team for trials of one point, run by these instructions, which the processor has.
    pub fn new(point: &Point, cutoff: u64, instructions: Instructions) -> Self {
        let board = local::board(point);
        let n_trials = match instructions {
            Instructions::OneLane => 1,
            _ => LANES_PER_THREAD,
        };
        Self {
            kernel: K::new(K::Rule::at(point, board), BitLayout::on(board)),
            point: point.clone(),
            cutoff,
            steps: Loop::by(instructions),
            batches: (0..n_trials.div_ceil(LANES))
                .map(|_| Batch::idle(cutoff))
                .collect(),
            reported: vec![None; n_trials],
            empty_board: Lane::of(&Configuration::empty(board), Generator([0; 4])),
            follower: None,
        }
    }

    /// Runs trials until there are no more; another start than its own, and what is recorded, are
    /// the first one's.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop, or the source does.
    pub fn run(
        &mut self,
        source: &mut dyn TrialSource,
        mut start: Option<Configuration>,
        control: &Control<'a>,
    ) -> Result<(), Interrupted> {
        self.fill(source, &mut start, control)?;
        while self.reported.iter().any(Option::is_some) {
            match &mut self.follower {
                Some(follower) => follower.follow(&self.kernel, &self.steps, &mut self.batches),
                None => self
                    .steps
                    .run(&self.kernel, &mut self.batches, STEPS_PER_POLL),
            }
            let mut has_ended = false;
            for number in 0..self.reported.len() {
                has_ended |= self.report(number, source, control)?;
            }
            if has_ended {
                self.fill(source, &mut start, control)?;
            }
        }
        Ok(())
    }

    /// Gives a trial to each idle lane, while there are any.
    fn fill(
        &mut self,
        source: &mut dyn TrialSource,
        start: &mut Option<Configuration>,
        control: &Control<'a>,
    ) -> Result<(), Interrupted> {
        for number in 0..self.reported.len() {
            if self.reported[number].is_some() {
                continue;
            }
            control.poll(0)?;
            let Some(key) = source.next(number) else {
                break;
            };
            let (own, stream) = own_start(&self.point, Dynamics::Lanes, key);
            let start = start.take().unwrap_or(own);
            self.batches[number / LANES].begin(number % LANES, &start, stream);
            self.reported[number] = Some(0);
            if control.is_recording() {
                let rule = K::Rule::at(&self.point, start.board());
                self.follower = Some(Follower::new(rule, start, control));
            }
        }
        Ok(())
    }

    /// Reports the updates of the trial in a lane, and its outcome if it has ended. Returns whether
    /// it has.
    fn report(
        &mut self,
        number: usize,
        source: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<bool, Interrupted> {
        let (batch, lane) = (&mut self.batches[number / LANES], number % LANES);
        let Some(reported) = &mut self.reported[number] else {
            return Ok(false);
        };
        if batch.ended >> lane & 1 == 0 {
            let time = batch.drawn.clocks.time(lane);
            control.poll(time - *reported)?;
            *reported = time;
            return Ok(false);
        }
        let outcome = batch.end(lane, &self.empty_board, self.kernel.layout(), self.cutoff);
        control.poll(outcome.updates.map_or(0, |updates| updates - *reported))?;
        self.reported[number] = None;
        let course = match self.follower.take() {
            Some(follower) => follower.ended(&outcome, self.cutoff),
            None => Course::default(),
        };
        source.ended(number, (outcome, course))?;
        Ok(true)
    }
}
