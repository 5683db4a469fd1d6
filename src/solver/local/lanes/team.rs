//! Batches in turn, with trials that take the places of those that have ended.
//!
//! What a trial is does not depend on the lanes beside it: its draws come from its own generator,
//! its waits from a stream of its own, and *checkpoints*, at which the waits since the last one are
//! drawn together, come after so many steps of the trial itself, at its first solution and at its
//! end, whatever its cutoff.

use super::batch::{ALL, Batch, Tally, wait_alone};
use super::boards::{Generator, Lane};
use super::kernel::Kernel;
use super::layout::Layout;
use super::loops::{Loop, Phase};
use super::vector::{Instructions, LANES};
use super::waits::{composition, failures};
use crate::solver::local::configuration::Configuration;
use crate::solver::local::counters::Counters;
use crate::solver::local::rule::{self, LocalRule};
use crate::solver::rng::TrialStream;
use crate::solver::{Control, Ending, Interrupted, Outcome, Point, SEATS, TrialSource};

/// Batches in turn: while one waits for its results, the other computes.
const BATCHES: usize = SEATS / LANES;

/// Steps of a trial before its first two checkpoints, and between all others.
const CHECKPOINTS: [u64; 3] = [1 << 10, 1 << 13, 1 << 14];

/// Domain tags of a trial's streams: of its start and its draws, of the waits, and of the single
/// waits when their sum is known.
const TAGS: [&str; 3] = [
    "reines/local/lanes/1",
    "reines/local/lanes/waits/1",
    "reines/local/lanes/single-waits/1",
];

/// Trials of one point side by side.
pub struct Team<'a, K: Kernel<W>, const W: usize> {
    kernel: K,
    point: &'a Point,
    cutoff: u64,
    steps: Loop<K, W>,
    batches: Vec<Batch<K, W>>,
    seats: Vec<Seat<W>>,
    /// Steps so far.
    step: u64,
    /// By number of open sites: probability that an update is a draw.
    probabilities: Box<[f64]>,
}

/// A trial's place: a lane of a batch.
struct Seat<const W: usize> {
    seed: u64,
    trial: u32,
    /// Step of the team before the trial's first.
    began: u64,
    hitting_time: Option<u64>,
    /// At the last checkpoint: updates, the board, and what was counted.
    time: u64,
    board: Lane<W>,
    tally: Tally,
}

/// The draws with one number of open sites since the last checkpoint.
struct Draws {
    open: usize,
    number: u32,
    /// Updates that changed nothing before them.
    failures: u64,
}

impl<'a, K: Kernel<W>, const W: usize> Team<'a, K, W> {
    /// For trials of one point, by these instructions, which the processor has.
    pub fn new(point: &'a Point, cutoff: u64, instructions: Instructions) -> Self {
        let board = rule::board(point);
        let kernel = K::new(K::Rule::at(point, board), Layout::on(board));
        let n_sites = kernel.slots().n_sites();
        let nobody = Seat::<W>::nobody(board, point);
        let batch = || Batch::idle(&kernel, &nobody.tally);
        Self {
            batches: (0..BATCHES).map(|_| batch()).collect(),
            seats: (0..BATCHES * LANES)
                .map(|_| Seat::nobody(board, point))
                .collect(),
            probabilities: (0..=n_sites)
                .map(|open| kernel.slots().probability(open))
                .collect(),
            kernel,
            point,
            cutoff,
            steps: Loop::by(instructions),
            step: 0,
        }
    }

    /// Runs trials until there are no more.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop, or the source does.
    pub fn run(
        &mut self,
        source: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<(), Interrupted> {
        self.fill(source, control)?;
        while self.batches.iter().any(|batch| batch.idle != ALL) {
            let steps = self.until_checkpoint();
            self.step += self
                .steps
                .run(&self.kernel, &mut self.batches, steps, Phase::Both);
            let mut has_ended = false;
            for number in 0..self.seats.len() {
                if self.is_due(number) {
                    has_ended |= self.checkpoint(number, source, control)?;
                }
            }
            control.poll(0)?;
            if has_ended {
                self.fill(source, control)?;
            }
        }
        Ok(())
    }

    /// Gives a trial to each idle lane, while there are any.
    fn fill(&mut self, source: &mut dyn TrialSource, control: &Control) -> Result<(), Interrupted> {
        for number in 0..self.seats.len() {
            if self.batches[number / LANES].idle >> (number % LANES) & 1 == 0 {
                continue;
            }
            control.poll(0)?;
            let Some((seed, trial)) = source.next(number) else {
                break;
            };
            let seat = Seat::start(seed, trial, self.point, self.step);
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
        source: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<bool, Interrupted> {
        let (waited, draws) = self.draw_waits(number);
        let (batch, lane) = (&mut self.batches[number / LANES], number % LANES);
        let (seat, tally) = (&mut self.seats[number], &mut batch.tallies[lane]);
        let time = u128::from(seat.time) + waited;
        let ended = if time > u128::from(self.cutoff) {
            Some(self.cut_off(number, &draws))
        } else {
            let time = time as u64;
            if tally.moves_at_hit.is_some() && seat.hitting_time.is_none() {
                seat.hitting_time = Some(time);
            }
            let is_still = tally.is_still;
            control.poll(time - seat.time)?;
            (seat.time, tally.waited) = (time, 0);
            seat.tally = tally.clone();
            seat.board = batch.boards.take(lane);
            let is_absorbed = is_still && seat.board_is_solution(self.kernel.layout());
            (is_still || time == self.cutoff)
                .then(|| seat.outcome(self.kernel.layout(), is_absorbed, self.cutoff))
        };
        match ended {
            None => {
                let (seat, layout) = (&self.seats[number], self.kernel.layout());
                source.note(number, &|| seat.outcome(layout, false, seat.time));
                Ok(false)
            }
            Some(outcome) => {
                let simulated = outcome.updates.unwrap_or(0);
                control.poll(simulated.saturating_sub(self.seats[number].time))?;
                let nobody = Seat::nobody(self.kernel.layout().board, self.point);
                self.batches[number / LANES].clear(lane, &nobody.board);
                source.ended(number, outcome)?;
                Ok(true)
            }
        }
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

    /// The cutoff came after the last checkpoint: the trial goes on from there once more, with each
    /// wait on its own, to where it is then.
    #[cold]
    fn cut_off(&self, number: usize, draws: &[Draws]) -> Outcome {
        let seat = &self.seats[number];
        let layout = self.kernel.layout();
        let mut singles = TrialStream::new(TAGS[2], seat.seed, self.point, seat.trial);
        let mut waits: Vec<std::vec::IntoIter<u64>> = Vec::new();
        waits.resize_with(self.probabilities.len(), || Vec::new().into_iter());
        for draws in draws {
            let parts = composition(draws.failures, draws.number, &mut singles);
            waits[draws.open] = parts.into_iter();
        }
        let mut again = [Batch::idle(&self.kernel, &seat.tally)];
        again[0].seat(0, &seat.board, seat.tally.clone());
        let mut left = self.cutoff - seat.time;
        loop {
            self.steps.run(&self.kernel, &mut again, 1, Phase::Choice);
            let batch = &again[0];
            if (batch.drawn.on_open | batch.drawn.on_slot) & 1 == 1 {
                let open = batch.drawn.open[0] as usize;
                let wait = if open > 0 {
                    waits[open].next().unwrap_or(u64::MAX).saturating_add(1)
                } else {
                    let weight = self
                        .kernel
                        .rest(&batch.boards, 0)
                        .weight(self.kernel.slots());
                    wait_alone(
                        weight,
                        self.kernel.slots(),
                        &mut batch.tallies[0].waits.clone(),
                    )
                };
                if wait > left || wait == u64::MAX {
                    break;
                }
                left -= wait;
            }
            self.steps.run(&self.kernel, &mut again, 1, Phase::Update);
        }
        let at_cutoff = Seat {
            board: again[0].boards.take(0),
            tally: again[0].tallies[0].clone(),
            time: self.cutoff,
            ..*seat
        };
        at_cutoff.outcome(layout, false, self.cutoff)
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

impl<const W: usize> Seat<W> {
    /// A trial before its first update.
    fn start(seed: u64, trial: u32, point: &Point, step: u64) -> Self {
        let mut stream = TrialStream::new(TAGS[0], seed, point, trial);
        let start = Configuration::random_start(rule::board(point), &mut stream);
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
            },
        }
    }

    /// No trial.
    fn nobody(board: crate::solver::board::Board, point: &Point) -> Self {
        let mut seat = Self::start(0, 0, point, 0);
        seat.board = Lane::of(&Configuration::empty(board), Generator([0; 4]));
        seat
    }

    fn board_is_solution(&self, layout: &Layout<W>) -> bool {
        self.board.configuration(layout).solution().is_some()
    }

    /// The facts of the trial when it ends as it is: absorbed, or at its cutoff.
    fn outcome(&self, layout: &Layout<W>, is_absorbed: bool, cutoff: u64) -> Outcome {
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
            solution: self.board.configuration(layout).solution(),
            ..Outcome::ended(ending)
        };
        self.tally.counters.write(&mut outcome);
        outcome
    }
}
