//! Trials on a device, and their host: it seats them, has launches made, and sees to each trial
//! after each, on all threads of the present Rayon pool.

use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, IntoParallelRefMutIterator as _,
    ParallelIterator as _,
};
use rayon::slice::ParallelSliceMut as _;

use super::board::{board, words};
use super::program::{FLAGS_BITS, FORGET, ORDERS, Program, WAS_HIT};
use super::report::{End, Report};
use crate::solver::gpu::{Memory, Words};
use crate::solver::local::lanes::batch::{Tally, wait_alone};
use crate::solver::local::lanes::checkpoint::{draw_waits, go_on};
use crate::solver::local::lanes::kernel::Kernel;
use crate::solver::local::lanes::layout::Layout;
use crate::solver::local::lanes::loops::Loop;
use crate::solver::local::lanes::retrace::Retrace;
use crate::solver::local::lanes::seat::Seat;
use crate::solver::local::lanes::team::next_checkpoint;
use crate::solver::local::lanes::vector::Instructions;
use crate::solver::local::rule::{self, LocalRule as _};
use crate::solver::{Control, Gpu, Interrupted, Outcome, Point, TrialSource};

/// Trials of one point on a device.
pub struct Crowd<'a, K: Kernel<W>, const W: usize> {
    device: &'a Gpu,
    host: Host<'a, K, W>,
    places: Vec<Place<W>>,
    /// What the device has of the boards.
    boards: Vec<u32>,
    /// It has not what it should have: trials were seated.
    has_new: bool,
    launches: u32,
}

/// What the host knows of all trials.
struct Host<'a, K: Kernel<W>, const W: usize> {
    kernel: K,
    program: Program,
    /// For one lane.
    alone: Loop<K, W>,
    point: &'a Point,
    cutoff: u64,
    /// By number of open sites: probability that an update is a draw.
    probabilities: Box<[f64]>,
}

/// A place for one trial on the device.
struct Place<const W: usize> {
    is_idle: bool,
    seat: Seat<W>,
    /// As it is after the last launch.
    tally: Tally,
    /// Steps of the trial, those since its last checkpoint, and those of them in which nothing was
    /// drawn.
    made: u64,
    since: u64,
    skipped: u64,
    /// Its draws on the device are not of this stretch.
    is_to_forget: bool,
    /// The orders of the present launch.
    most: u32,
    flags: u32,
}

/// What has become of a trial in a launch.
enum Became {
    /// It goes on.
    Nothing,
    /// It has come to a checkpoint, so many updates after the last.
    Further(u64),
    /// It has ended, so many updates after the last checkpoint.
    Ended(u64, Box<Outcome>),
}

impl<'a, K: Kernel<W>, const W: usize> Crowd<'a, K, W> {
    /// For trials of one point.
    pub fn new(device: &'a Gpu, point: &'a Point, cutoff: u64) -> Self {
        let board = rule::board(point);
        let kernel = K::new(K::Rule::at(point, board), Layout::on(board));
        let slots = *kernel.slots();
        Self {
            device,
            host: Host {
                program: kernel.program(),
                alone: Loop::by(Instructions::OneLane),
                probabilities: (0..=slots.n_sites())
                    .map(|open| slots.probability(open))
                    .collect(),
                kernel,
                point,
                cutoff,
            },
            places: Vec::new(),
            boards: Vec::new(),
            has_new: false,
            launches: 0,
        }
    }

    /// Runs trials until there are no more.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop, the source does, or the device has failed, and
    /// then knows why.
    pub fn run(
        mut self,
        source: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<(), Interrupted> {
        control.poll(0)?;
        let first = next_of(source, 0..self.device.most_trials(self.sizes()));
        if first.is_empty() {
            return Ok(());
        }
        self.boards = vec![0; self.host.program.board_words() * first.len()];
        self.seat(&first);
        let mut memory = self
            .device
            .memory(&self.host.program.text, self.sizes(), self.places.len())
            .map_err(|reason| self.device.fail(reason))?;
        while self.places.iter().any(|place| !place.is_idle) {
            control.poll(0)?;
            let became = self
                .launch(&mut memory)
                .map_err(|reason| self.device.fail(reason))?;
            for (number, became) in became.into_iter().enumerate() {
                self.tell(number, became, source, control)?;
            }
            self.fill(source);
        }
        Ok(())
    }

    /// Words of a trial in each part of the memory.
    fn sizes(&self) -> Words {
        let program = &self.host.program;
        Words {
            board: program.board_words(),
            draws: program.draw_words(),
            report: program.report_words(),
            orders: ORDERS,
        }
    }

    /// Gives trials to places, which are there or come next, in their order.
    fn seat(&mut self, trials: &[(usize, (u64, u32))]) {
        let host = &self.host;
        let seated = trials.par_iter().map(|&(_, next)| host.seated(next));
        let seated: Vec<Place<W>> = seated.collect();
        let numbers: Vec<usize> = trials.iter().map(|&(number, _)| number).collect();
        for (&number, place) in numbers.iter().zip(seated) {
            match self.places.get_mut(number) {
                Some(before) => *before = place,
                None => self.places.push(place),
            }
        }
        self.put_boards(&numbers);
    }

    /// Writes the boards of these places.
    fn put_boards(&mut self, numbers: &[usize]) {
        let (host, places) = (&self.host, &self.places);
        let boards = numbers.par_iter().map(|&number| {
            let board = &places[number].seat.board;
            words(board, host.kernel.layout(), &host.program).collect()
        });
        let boards: Vec<Vec<u32>> = boards.collect();
        let columns = self.boards.par_chunks_mut(places.len()).enumerate();
        columns.for_each(|(at, column)| {
            for (&number, board) in numbers.iter().zip(&boards) {
                column[number] = board[at];
            }
        });
        self.has_new |= !numbers.is_empty();
    }

    /// One launch for all trials, and what became of each.
    fn launch(&mut self, memory: &mut Memory) -> Result<Vec<Became>, String> {
        self.launches = self.launches.wrapping_add(1);
        let (number, most) = (self.launches, self.device.most_steps());
        let places = &mut self.places;
        let n_places = places.len();
        let mut orders = vec![0; ORDERS * n_places];
        for (trial, place) in places.iter_mut().enumerate() {
            place.order(number, most);
            (orders[trial], orders[n_places + trial]) = (place.most, place.flags);
        }
        let boards = std::mem::take(&mut self.has_new).then_some(self.boards.as_slice());
        let results = memory.launch(boards, &orders)?;
        let host = &self.host;
        let column = |words: &'_ [u32], trial: usize, at: usize| words[at * n_places + trial];
        let became = places.par_iter_mut().enumerate().map(|(trial, place)| {
            if place.is_idle {
                return Ok(Became::Nothing);
            }
            let known = (place.seat.trial, host.point);
            let became = host.see_to(
                place,
                |at| column(&results.reports, trial, at),
                |at| column(&results.draws, trial, at),
                |at| column(&results.boards, trial, at),
            );
            became.map_err(|reason| format!("{}, trial {}: {reason}", known.1, known.0))
        });
        let became = became.collect();
        self.boards = results.boards;
        became
    }

    /// Gives the places of trials that have ended to others, while there are any.
    fn fill(&mut self, source: &mut dyn TrialSource) {
        let idle = self.places.iter().enumerate().filter(|it| it.1.is_idle);
        let idle: Vec<usize> = idle.map(|(number, _)| number).collect();
        self.seat(&next_of(source, idle));
    }

    /// Tells the source what became of a trial.
    fn tell(
        &mut self,
        number: usize,
        became: Became,
        source: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<(), Interrupted> {
        match became {
            Became::Nothing => {}
            Became::Further(updates) => {
                control.poll(updates)?;
                let (seat, layout) = (&self.places[number].seat, self.host.kernel.layout());
                source.note(number, &|| seat.outcome(layout, false, seat.time));
            }
            Became::Ended(updates, outcome) => {
                control.poll(updates)?;
                self.places[number].is_idle = true;
                source.ended(number, *outcome)?;
            }
        }
        Ok(())
    }
}

/// The next trials of a source for these places, as far as there are any.
fn next_of(
    source: &mut dyn TrialSource,
    places: impl IntoIterator<Item = usize>,
) -> Vec<(usize, (u64, u32))> {
    let next = |number| source.next(number).map(|next| (number, next));
    places.into_iter().map_while(next).collect()
}

impl<const W: usize> Place<W> {
    /// What the launch of this number is to do.
    fn order(&mut self, number: u32, most: u32) {
        let left = next_checkpoint(self.made) - self.made;
        let left = u32::try_from(left).map_or(most, |left| left.min(most));
        self.most = if self.is_idle { 0 } else { left };
        self.flags = number << FLAGS_BITS;
        if std::mem::take(&mut self.is_to_forget) {
            self.flags |= FORGET;
        }
        if self.tally.moves_at_hit.is_some() {
            self.flags |= WAS_HIT;
        }
    }
}

impl<K: Kernel<W>, const W: usize> Host<'_, K, W> {
    /// A place with a trial before its first step.
    fn seated(&self, next: (u64, u32)) -> Place<W> {
        let mut seat = Seat::start(next, self.point, 0, None);
        if seat.board.solution(self.kernel.layout()).is_some() {
            seat.tally.counters.entries = 1;
            seat.tally.moves_at_hit = Some(0);
            seat.hitting_time = Some(0);
        }
        Place {
            is_idle: false,
            tally: seat.tally.clone(),
            seat,
            made: 0,
            since: 0,
            skipped: 0,
            is_to_forget: true,
            most: 0,
            flags: 0,
        }
    }

    /// Sees to a trial after a launch.
    ///
    /// # Errors
    /// What the device says cannot be.
    fn see_to(
        &self,
        place: &mut Place<W>,
        report: impl Fn(usize) -> u32,
        draws: impl Fn(usize) -> u32,
        words: impl Fn(usize) -> u32,
    ) -> Result<Became, String> {
        let report = Report::read(report, place.most, place.flags)?;
        self.count(place, &report);
        let is_due = report.end != End::GoesOn
            || next_checkpoint(place.made.saturating_sub(1)) == place.made;
        if !is_due {
            return Ok(Became::Nothing);
        }
        let counted = (0..self.program.draw_words()).map(&draws);
        let drawn: u64 = counted.map(u64::from).sum();
        if drawn + place.skipped != place.since {
            return Err(format!(
                "{drawn} draws, and none in {} steps, of {}",
                place.skipped, place.since
            ));
        }
        let board = board(words, &self.program)?;
        (place.since, place.skipped, place.is_to_forget) = (0, 0, true);
        let counted = (0..self.program.draw_words()).map(draws);
        let (waited, draws) = draw_waits(&mut place.tally, counted, &self.probabilities);
        let (before, layout) = (place.seat.time, self.kernel.layout());
        let time = u128::from(before) + waited;
        let until = u64::try_from(time).unwrap_or(u64::MAX).min(self.cutoff);
        let ended = if time > u128::from(until) {
            let retrace = Retrace {
                kernel: &self.kernel,
                alone: &self.alone,
                point: self.point,
                seat: &place.seat,
            };
            let last = retrace.go(&draws, until);
            Some(last.outcome(layout, false, self.cutoff))
        } else {
            let times = (until, self.cutoff);
            go_on(&mut place.seat, &mut place.tally, board, times, layout)
        };
        Ok(match ended {
            None => Became::Further(until - before),
            // Where nothing can change any more, the updates up to the cutoff are the trial's too.
            Some(outcome) => {
                Became::Ended(outcome.updates.unwrap_or(until) - before, Box::new(outcome))
            }
        })
    }

    /// Counts what a launch has brought.
    fn count(&self, place: &mut Place<W>, report: &Report) {
        let made = u64::from(report.made);
        place.made += made;
        place.since += made;
        place.skipped += u64::from(report.skipped);
        let (tally, slots) = (&mut place.tally, self.kernel.slots());
        let counters = &mut tally.counters;
        counters.count_many(report.moves.into(), report.kinds.map(u64::from));
        counters.entries += u64::from(report.entries);
        let [one, two] = slots.weights();
        for [dangerous, contested] in &report.waits {
            let weight = u128::from(*dangerous) * one + u128::from(*contested) * two;
            let wait = wait_alone(weight, slots, &mut tally.waits);
            tally.waited = tally.waited.saturating_add(wait);
        }
        if report.end == End::Hit {
            tally.moves_at_hit = Some(tally.counters.moves);
        }
        tally.is_still |= report.end == End::Still;
    }
}

#[cfg(test)]
mod tests;
