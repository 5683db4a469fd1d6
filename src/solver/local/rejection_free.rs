//! The rejection-free dynamics: updates that change nothing are skipped, not simulated (n-fold way:
//! Bortz, Kalos and Lebowitz, J. Comput. Phys. 17, 1975). Times, moves and solutions have exactly
//! the distribution that [`super::stepwise`] gives them.
//!
//! Every site belongs to a [`Class`], which says how likely its update is to change the
//! configuration. An update changes it with probability `p = (open + dangerous·ε + contested·2ε(1 −
//! ε)) / sites`, from the numbers of sites in the classes; the number of updates before the next
//! change is geometric; the change is the update of a site drawn uniformly from a class drawn by
//! its share of p, with coins under the condition that something changes. Sites of the class
//! [`Class::Open`] are simply updated: where that may change nothing after all, the class has
//! counted too much, and an event without effect makes it good (thinning, exact too).

mod classes;

mod looks;

mod partition;

mod waiting;

#[cfg(test)]
mod exactness;

#[cfg(test)]
mod short_cuts;

#[cfg(test)]
mod arithmetic;

use self::classes::Classes;
use self::waiting::{Event, Waiting};
use super::configuration::{Configuration, Move, State};
use super::observables::Observables;
use super::rule::{Class, LocalRule};
use crate::solver::rng::{Chance, Coins, TrialStream};
use crate::solver::{Control, Interrupted, Outcome};

/// Simulates one trial from `start` until it is absorbed or has had `cutoff` updates, those skipped
/// included.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop.
pub fn run<R: LocalRule>(
    rule: &R,
    start: Configuration,
    cutoff: u64,
    mut stream: TrialStream,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let mut trial = Trial::new(rule, start, cutoff);
    while trial.time < cutoff && !trial.observables.is_absorbed() {
        let before = trial.time;
        trial.advance(Control::POLL_INTERVAL, &mut stream);
        control.poll(trial.time - before)?;
        control.note(|| {
            trial
                .observables
                .outcome(&trial.events.configuration, trial.time)
        });
    }
    Ok(trial
        .observables
        .outcome(&trial.events.configuration, trial.time))
}

/// A trial under way.
struct Trial<'a, R> {
    events: Events<'a, R>,
    waiting: Waiting,
    observables: Observables,
    /// Updates so far.
    time: u64,
    cutoff: u64,
}

impl<'a, R: LocalRule> Trial<'a, R> {
    fn new(rule: &'a R, start: Configuration, cutoff: u64) -> Self {
        let observables = Observables::at_start(&start);
        Self {
            waiting: Waiting::new(rule.epsilon(), rule.n_sites()),
            events: Events::new(rule, start),
            observables,
            time: 0,
            cutoff,
        }
    }

    /// Goes on for so many events, or to the absorption or the cutoff if that comes first.
    #[inline]
    fn advance(&mut self, events: u64, stream: &mut TrialStream) {
        for _ in 0..events {
            let counts = self.events.classes.counts();
            let outlook = self.waiting.outlook(counts);
            // Drawn before it is known whether there is time for it: what comes next depends on it
            // most.
            let (exponential, place) = (stream.exponential(), outlook.place(stream));
            let skipped = outlook.law.failures(exponential);
            let Some(time) = self
                .time
                .checked_add(skipped)
                .filter(|&time| time < self.cutoff)
            else {
                self.time = self.cutoff;
                return;
            };
            self.time = time + 1;
            let Some((number, moved)) = self
                .events
                .happen(self.waiting.fall(place, counts, stream), stream)
            else {
                continue;
            };
            if let Some(queen) = moved {
                self.observables
                    .queen_moved(queen, &self.events.configuration, self.time);
            }
            if self.observables.in_solution() && self.absorbed_after(number) {
                return;
            }
        }
    }

    #[cold]
    fn absorbed_after(&mut self, number: u16) -> bool {
        let site = self.events.rule.site(u64::from(number));
        for cell in self.events.rule.signal_cells(site) {
            self.observables
                .signals_changed(cell, &self.events.configuration);
        }
        self.observables.is_absorbed()
    }
}

/// The configuration and what can happen to it.
#[derive(Clone)]
struct Events<'a, R> {
    rule: &'a R,
    /// The rule at ε = 1: its update is the rule's own under the condition that the dangerous move
    /// succeeds.
    bold: R,
    configuration: Configuration,
    classes: Classes,
}

impl<'a, R: LocalRule> Events<'a, R> {
    fn new(rule: &'a R, configuration: Configuration) -> Self {
        let classes = Classes::new(rule, &configuration);
        Self {
            rule,
            bold: rule.with_epsilon(Chance::new(1.0)),
            configuration,
            classes,
        }
    }

    /// Updates a site where `event` falls; tells its number and the queen move that took place, if
    /// one did.
    #[inline]
    fn happen(&mut self, event: Event, coins: &mut impl Coins) -> Option<(u16, Option<Move>)> {
        let (class, place) = match event {
            Event::Open(place) => (Class::Open, place),
            Event::NotOpen(class) => (
                class,
                coins.below(u64::from(self.classes.len(class))) as u32,
            ),
            Event::Nothing => return None,
        };
        let number = self.classes.member(class, place);
        Some((number, self.happen_at(number, class, coins)))
    }

    #[inline]
    fn happen_at(&mut self, number: u16, class: Class, coins: &mut impl Coins) -> Option<Move> {
        if self.classes.may_move::<R>(number) {
            let moved = self.try_to_move(number, class, coins);
            if moved.is_some() {
                return moved;
            }
        }
        self.classes
            .flip_stale(number, self.rule, &mut self.configuration);
        None
    }

    /// Updates a site if that moves a queen; else nothing has changed afterwards.
    fn try_to_move(&mut self, number: u16, class: Class, coins: &mut impl Coins) -> Option<Move> {
        if R::SIGNALS_FIRST
            || class != Class::Open
            || self.classes.moves(number) != Class::Dangerous
        {
            return self.update_if_moving(number, class, coins);
        }
        // One queen wants to make one dangerous move: one coin decides.
        if coins.flip(self.rule.epsilon()) {
            self.update_if_moving(number, class, &mut Heads)
        } else {
            None
        }
    }

    fn update_if_moving(
        &mut self,
        number: u16,
        class: Class,
        coins: &mut impl Coins,
    ) -> Option<Move> {
        let site = self.rule.site(u64::from(number));
        let mut before = [State::default(); 2];
        for (place, cell) in self.rule.signal_cells(site).into_iter().enumerate() {
            before[place] = self.configuration[cell];
        }
        let moved = self.update(site, class, coins);
        if let Some(queen) = moved {
            self.classes
                .queen_moved(number, before, queen, self.rule, &self.configuration);
        } else {
            for (place, cell) in self.rule.signal_cells(site).into_iter().enumerate() {
                self.configuration.set_signals(cell, before[place].signals);
            }
        }
        moved
    }

    /// The ordinary update, under the condition that it changes something.
    #[inline]
    fn update(&mut self, site: R::Site, class: Class, coins: &mut impl Coins) -> Option<Move> {
        let x = &mut self.configuration;
        match class {
            Class::Open | Class::Idle => self.rule.update(x, site, coins),
            Class::Dangerous => self.bold.update(x, site, coins),
            Class::Contested => self.rule.update(
                x,
                site,
                &mut OneOfTwo {
                    next: coins.below(2) == 0,
                },
            ),
        }
    }
}

/// The coin of a dangerous move that takes place.
struct Heads;

impl Coins for Heads {
    fn below(&mut self, _: u64) -> u64 {
        unreachable!("a pair of cells decides by ε alone")
    }

    fn flip(&mut self, _: Chance) -> bool {
        true
    }
}

/// The coins of a contested site: two are flipped, and exactly one of them shows heads.
struct OneOfTwo {
    next: bool,
}

impl Coins for OneOfTwo {
    fn below(&mut self, _: u64) -> u64 {
        unreachable!("a contested site decides by ε alone")
    }

    fn flip(&mut self, _: Chance) -> bool {
        self.next = !self.next;
        !self.next
    }
}
