//! Batches in turn, with trials that take the lanes of those that have ended.
//!
//! What a trial is does not depend on the lanes beside it: its draws come from its own generator,
//! its waits from a stream of its own, and *checkpoints*, at which the waits since the last one are
//! drawn together, come after so many steps of the trial itself, at its first solution and at its
//! end, whatever its cutoff.

use super::boards::Lane;
use super::follow::{DrawCount, Follower, LoggedDraw, write_down};
use super::kernel::{Kernel, Loop, Phase};
use super::layout::BitLayout;
use super::trial::{Batch, LaneTally, NOT_YET_KNOWN, Trial};
use super::vector::{Instructions, LANES};
use super::waits::failures;
use crate::local::configuration::Configuration;
use crate::local::sites::LocalRule as _;
use crate::local::{self, own_start};
use crate::rng::Generator;
use crate::{
    Control, Course, Dynamics, Interrupted, Key, LANES_PER_THREAD, Outcome, Point, TrialSource,
};

/// Steps of a trial before its first two checkpoints, and between all others.
const CHECKPOINTS: [u64; 3] = [1 << 10, 1 << 13, 1 << 14];

/// Trials of one point side by side.
pub struct Team<'a, K: Kernel<W>, const W: usize> {
    pub kernel: K,
    pub point: Point,
    cutoff: u64,
    steps: Loop<K, W>,
    /// The loop for one trial alone.
    pub alone: Loop<K, W>,
    /// The batches, all in one loop: while one waits for its results, the other computes.
    batches: Vec<Batch<K, W>>,
    /// The trials in the lanes, one batch after the other; `None` in an idle lane.
    trials: Vec<Option<Trial<W>>>,
    /// The board of a lane without a trial.
    empty_board: Lane<W>,
    /// Steps so far.
    step: u64,
    /// The probability that an update is a draw, by the number of open sites.
    probabilities: Box<[f64]>,
    /// The follower of a trial that is followed.
    follower: Option<Follower<'a, K::Rule>>,
    pub log: Vec<LoggedDraw>,
}

impl<'a, K: Kernel<W>, const W: usize> Team<'a, K, W> {
    /// A team for trials of one point, run by these instructions, which the processor has.
    pub fn new(point: &Point, cutoff: u64, instructions: Instructions) -> Self {
        let board = local::board(point);
        let kernel = K::new(K::Rule::at(point, board), BitLayout::on(board));
        let n_sites = kernel.slots().n_sites();
        let tally = LaneTally::of(Key { seed: 0, trial: 0 }, point);
        let n_trials = match instructions {
            Instructions::OneLane => 1,
            _ => LANES_PER_THREAD,
        };
        Self {
            batches: (0..n_trials.div_ceil(LANES))
                .map(|_| Batch::idle(&kernel, &tally))
                .collect(),
            trials: (0..n_trials).map(|_| None).collect(),
            empty_board: Lane::of(&Configuration::empty(board), Generator([0; 4])),
            probabilities: (0..=n_sites)
                .map(|open| kernel.slots().probability(open))
                .collect(),
            kernel,
            point: point.clone(),
            cutoff,
            steps: Loop::by(instructions),
            alone: Loop::by(Instructions::OneLane),
            step: 0,
            follower: None,
            log: Vec::new(),
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
        while self.trials.iter().any(Option::is_some) {
            let most = self.until_checkpoint();
            let batches = &mut self.batches;
            self.step += if self.follower.is_some() {
                write_down(&self.kernel, &self.alone, batches, most, &mut self.log)
            } else {
                self.steps.run(&self.kernel, batches, most, Phase::Both)
            };
            let mut has_ended = false;
            for number in 0..self.trials.len() {
                if self.is_due(number) {
                    has_ended |= self.checkpoint(number, source, control)?;
                }
            }
            control.poll(0)?;
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
        for number in 0..self.trials.len() {
            if self.trials[number].is_some() {
                continue;
            }
            control.poll(0)?;
            let Some(key) = source.next(number) else {
                break;
            };
            let (own, stream) = own_start(&self.point, Dynamics::Lanes, key);
            let start = start.take().unwrap_or(own);
            let trial = Trial::new(key, &self.point, self.step, &start, stream);
            self.batches[number / LANES].load(number % LANES, &trial);
            self.trials[number] = Some(trial);
            if control.is_recording() {
                let rule = K::Rule::at(&self.point, start.board());
                self.follower = Some(Follower::new(rule, start, control));
            }
        }
        Ok(())
    }

    /// Steps until the next checkpoint of any trial.
    fn until_checkpoint(&self) -> u64 {
        let left = self.trials.iter().flatten().map(|trial| {
            let made = self.step - trial.began;
            next_checkpoint(made) - made
        });
        left.min().unwrap_or(0)
    }

    fn is_due(&self, number: usize) -> bool {
        let stopped = self.batches[number / LANES].stopped >> (number % LANES) & 1 == 1;
        self.trials[number].as_ref().is_some_and(|trial| {
            let made = self.step - trial.began;
            stopped || next_checkpoint(made - 1) == made
        })
    }

    /// Draws the waits since the last checkpoint. Returns whether the trial has ended.
    fn checkpoint(
        &mut self,
        number: usize,
        source: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<bool, Interrupted> {
        let Some(mut trial) = self.trials[number].take() else {
            return Ok(false);
        };
        let (waited, draws) = self.draw_waits(number);
        let before = trial.time;
        let time = u128::from(before) + waited;
        let until = u64::try_from(time).unwrap_or(u64::MAX).min(self.cutoff);
        self.report_draws(&trial, &draws, until);
        let ended = if time > u128::from(until) {
            let at_cutoff = self.once_more(&trial, &draws, until);
            Some(at_cutoff.outcome(self.kernel.layout(), false, self.cutoff))
        } else {
            self.go_on(number, &mut trial, until)
        };
        control.poll(until - before)?;
        let Some(outcome) = ended else {
            self.trials[number] = Some(trial);
            return Ok(false);
        };
        // Where nothing can change any more, the updates up to the cutoff are the trial's too.
        control.poll(outcome.updates.map_or(0, |updates| updates - until))?;
        self.batches[number / LANES].clear(number % LANES, &self.empty_board);
        let course = self
            .follower
            .take()
            .map_or_else(Course::default, |it| it.ended(&outcome, self.cutoff));
        source.ended(number, (outcome, course))?;
        Ok(true)
    }

    /// Takes note of where a trial is at a checkpoint, after so many updates; its outcome if it
    /// ends there.
    fn go_on(&mut self, number: usize, trial: &mut Trial<W>, time: u64) -> Option<Outcome> {
        let (batch, lane) = (&mut self.batches[number / LANES], number % LANES);
        let tally = &mut batch.tallies[lane];
        if let Some((hitting_time, _)) = &mut tally.counters.hit
            && *hitting_time == NOT_YET_KNOWN
        {
            *hitting_time = time;
        }
        tally.waited = 0;
        trial.time = time;
        trial.tally = tally.clone();
        trial.board = batch.boards.take(lane);
        let (layout, is_still) = (self.kernel.layout(), trial.tally.is_still);
        // The step after the one that absorbs a trial finds that nothing can change; a checkpoint
        // at the cutoff may come between the two.
        (is_still || time == self.cutoff).then(|| {
            let is_absorbed = trial.board.is_absorbed(layout);
            trial.outcome(layout, is_absorbed, self.cutoff)
        })
    }

    /// Passes the draws to the follower, if there is one: those since the last checkpoint, up to so
    /// many updates.
    fn report_draws(&mut self, trial: &Trial<W>, draws: &[DrawCount], until: u64) {
        if let Some(mut follower) = self.follower.take() {
            for (update, site, moved) in self.timed(trial, draws, until) {
                follower.updated(update, site, moved);
            }
            self.follower = Some(follower);
            self.log.clear();
        }
    }

    /// Updates since the last checkpoint, those that changed nothing included.
    fn draw_waits(&mut self, number: usize) -> (u128, Vec<DrawCount>) {
        let (batch, lane) = (&mut self.batches[number / LANES], number % LANES);
        let tally = &mut batch.tallies[lane];
        // What was saturated lies beyond every cutoff.
        let waited = match tally.waited {
            u64::MAX => u128::from(u64::MAX) + 1,
            waited => u128::from(waited),
        };
        let (mut sum, mut draws) = (waited, Vec::new());
        for (open, counted) in batch.draws.iter_mut().enumerate() {
            let number = std::mem::take(&mut counted[lane]);
            if open > 0 && number > 0 {
                let failures = failures(number, self.probabilities[open], &mut tally.waits);
                sum += u128::from(number) + u128::from(failures);
                draws.push(DrawCount {
                    open,
                    number,
                    failures,
                });
            }
        }
        (sum, draws)
    }
}

/// The first checkpoint after so many steps of a trial.
pub(super) fn next_checkpoint(steps: u64) -> u64 {
    let [first, second, others] = CHECKPOINTS;
    if steps < first {
        first
    } else if steps < second {
        second
    } else {
        (steps / others + 1) * others
    }
}
