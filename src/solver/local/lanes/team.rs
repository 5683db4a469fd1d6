//! Batches in turn, with trials that take the places of those that have ended.
//!
//! What a trial is does not depend on the lanes beside it: its draws come from its own generator,
//! its waits from a stream of its own, and *checkpoints*, at which the waits since the last one are
//! drawn together, come after so many steps of the trial itself, at its first solution and at its
//! end, whatever its cutoff.

use super::batch::{ALL, Batch};
use super::boards::Lane;
use super::follower::Trials;
use super::kernel::Kernel;
use super::layout::Layout;
use super::loops::{Loop, Phase};
use super::retrace::{Draws, Entry, Retrace, write_down};
use super::seat::Seat;
use super::vector::{Instructions, LANES};
use super::waits::failures;
use crate::solver::local::rule::{self, LocalRule};
use crate::solver::{Control, Interrupted, Outcome, Point, SEATS};

/// Batches in turn: while one waits for its results, the other computes.
const BATCHES: usize = SEATS / LANES;

/// Steps of a trial before its first two checkpoints, and between all others.
const CHECKPOINTS: [u64; 3] = [1 << 10, 1 << 13, 1 << 14];

/// Trials of one point side by side.
pub struct Team<'a, K: Kernel<W>, const W: usize> {
    kernel: K,
    point: &'a Point,
    cutoff: u64,
    steps: Loop<K, W>,
    /// For one trial.
    alone: Loop<K, W>,
    batches: Vec<Batch<K, W>>,
    seats: Vec<Seat<W>>,
    /// The board of a lane without a trial.
    nobody: Lane<W>,
    /// Steps so far.
    step: u64,
    /// By number of open sites: probability that an update is a draw.
    probabilities: Box<[f64]>,
    /// Of a trial that is followed: its draws since the last checkpoint.
    log: Vec<Entry>,
}

impl<'a, K: Kernel<W>, const W: usize> Team<'a, K, W> {
    /// For trials of one point, by these instructions, which the processor has.
    pub fn new(point: &'a Point, cutoff: u64, instructions: Instructions) -> Self {
        let board = rule::board(point);
        let kernel = K::new(K::Rule::at(point, board), Layout::on(board));
        let n_sites = kernel.slots().n_sites();
        let nobody = Seat::<W>::nobody(point);
        let batch = || Batch::idle(&kernel, &nobody.tally);
        let n_seats = match instructions {
            Instructions::OneLane => 1,
            _ => BATCHES * LANES,
        };
        Self {
            batches: (0..n_seats.div_ceil(LANES)).map(|_| batch()).collect(),
            seats: (0..n_seats).map(|_| Seat::nobody(point)).collect(),
            nobody: nobody.board,
            probabilities: (0..=n_sites)
                .map(|open| kernel.slots().probability(open))
                .collect(),
            kernel,
            point,
            cutoff,
            steps: Loop::by(instructions),
            alone: Loop::by(Instructions::OneLane),
            step: 0,
            log: Vec::new(),
        }
    }

    /// Runs trials until there are no more.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop, or the source does.
    pub fn run(&mut self, mut trials: Trials, control: &Control) -> Result<(), Interrupted> {
        self.fill(&mut trials, control)?;
        while self.batches.iter().any(|batch| batch.idle != ALL) {
            let most = self.until_checkpoint();
            let batches = &mut self.batches;
            self.step += if trials.follower.is_some() {
                write_down(&self.kernel, &self.alone, batches, most, &mut self.log)
            } else {
                self.steps.run(&self.kernel, batches, most, Phase::Both)
            };
            let mut has_ended = false;
            for number in 0..self.seats.len() {
                if self.is_due(number) {
                    has_ended |= self.checkpoint(number, &mut trials, control)?;
                }
            }
            control.poll(0)?;
            if has_ended {
                self.fill(&mut trials, control)?;
            }
        }
        Ok(())
    }

    /// Gives a trial to each idle lane, while there are any.
    fn fill(&mut self, trials: &mut Trials, control: &Control) -> Result<(), Interrupted> {
        for number in 0..self.seats.len() {
            if self.batches[number / LANES].idle >> (number % LANES) & 1 == 0 {
                continue;
            }
            control.poll(0)?;
            let Some(next) = trials.source.next(number) else {
                break;
            };
            let seat = Seat::start(next, self.point, self.step, trials.start.take());
            let (batch, lane) = (&mut self.batches[number / LANES], number % LANES);
            batch.seat(lane, &seat.board, seat.tally.clone());
            if batch.boards.is_solution(lane, self.kernel.layout()) {
                batch.tallies[lane].counters.entries = 1;
                batch.tallies[lane].moves_at_hit = Some(0);
            }
            self.seats[number] = Seat {
                hitting_time: batch.tallies[lane].moves_at_hit,
                tally: batch.tallies[lane].clone(),
                ..seat
            };
        }
        Ok(())
    }

    /// Steps until the next checkpoint of any trial.
    fn until_checkpoint(&self) -> u64 {
        let active = (0..self.seats.len())
            .filter(|number| self.batches[number / LANES].idle >> (number % LANES) & 1 == 0);
        let left = active.map(|number| {
            let made = self.step - self.seats[number].began;
            next_checkpoint(made) - made
        });
        left.min().unwrap_or(0)
    }

    fn is_due(&self, number: usize) -> bool {
        let (batch, lane) = (&self.batches[number / LANES], number % LANES);
        let made = self.step - self.seats[number].began;
        batch.idle >> lane & 1 == 0
            && (batch.stopped >> lane & 1 == 1 || next_checkpoint(made - 1) == made)
    }

    /// Draws the waits since the last checkpoint. Returns whether the trial has ended.
    fn checkpoint(
        &mut self,
        number: usize,
        trials: &mut Trials,
        control: &Control,
    ) -> Result<bool, Interrupted> {
        let (waited, draws) = self.draw_waits(number);
        let time = u128::from(self.seats[number].time) + waited;
        let until = u64::try_from(time).unwrap_or(u64::MAX).min(self.cutoff);
        let retrace = Retrace {
            kernel: &self.kernel,
            alone: &self.alone,
            point: self.point,
            seat: &self.seats[number],
        };
        if let Some(follower) = &mut trials.follower {
            retrace.tell(*follower, &self.log, &draws, until);
            self.log.clear();
        }
        let is_beyond = time > u128::from(until);
        let at_cutoff = is_beyond.then(|| retrace.go(&draws, until));
        let before = self.seats[number].time;
        let ended = match at_cutoff {
            Some(seat) => Some(seat.outcome(self.kernel.layout(), false, self.cutoff)),
            None => self.go_on(number, until),
        };
        control.poll(until - before)?;
        let Some(outcome) = ended else {
            let (seat, layout) = (&self.seats[number], self.kernel.layout());
            let so_far = || seat.outcome(layout, false, seat.time);
            trials.source.note(number, &so_far);
            return Ok(false);
        };
        // Where nothing can change any more, the updates up to the cutoff are the trial's too.
        control.poll(outcome.updates.map_or(0, |updates| updates - until))?;
        self.batches[number / LANES].clear(number % LANES, &self.nobody);
        trials.source.ended(number, outcome)?;
        Ok(true)
    }

    /// Takes note of where a trial is at a checkpoint, after so many updates; its outcome if it
    /// ends there.
    fn go_on(&mut self, number: usize, time: u64) -> Option<Outcome> {
        let (batch, lane) = (&mut self.batches[number / LANES], number % LANES);
        let (seat, tally) = (&mut self.seats[number], &mut batch.tallies[lane]);
        if tally.moves_at_hit.is_some() && seat.hitting_time.is_none() {
            seat.hitting_time = Some(time);
        }
        (seat.time, tally.waited) = (time, 0);
        seat.tally = tally.clone();
        seat.board = batch.boards.take(lane);
        let layout = self.kernel.layout();
        let is_absorbed = tally.is_still && seat.board.solution(layout).is_some();
        (tally.is_still || time == self.cutoff)
            .then(|| seat.outcome(layout, is_absorbed, self.cutoff))
    }

    /// Updates since the last checkpoint, those that changed nothing included.
    fn draw_waits(&mut self, number: usize) -> (u128, Vec<Draws>) {
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
                draws.push(Draws {
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
