//! The rejection-free dynamics: updates that change nothing are skipped, not simulated (n-fold way:
//! Bortz, Kalos and Lebowitz, J. Comput. Phys. 17, 1975). Times, moves and solutions have exactly
//! the distribution that [`super::stepwise`] gives them.
//!
//! Every site belongs to a [`Class`], which says how likely its update is to change the
//! configuration. An update changes it with probability `p = (open + dangerous·ε + contested·2ε(1 −
//! ε)) / sites`, from the numbers of sites in the classes; the number of updates before the next
//! change is geometric; the change is the update of a site drawn uniformly from a class drawn by
//! its share of p, with random answers under the condition that something changes. Sites of the
//! class [`Class::Open`] are simply updated: where that may change nothing after all, the class has
//! counted too much, and an event without effect makes it good (thinning, exact too).

mod assumed;
mod classes;
mod dependencies;
mod partition;
mod waiting;

#[cfg(test)]
mod tests;

pub(super) use self::assumed::{AssumedWithoutRejections, wrong_waits};
use self::classes::SiteClasses;
use self::dependencies::Dependencies;
use self::waiting::{Landing, Waiting};
use super::configuration::{CellState, Cells, Configuration, Move};
use super::observe::Observables;
use super::sites::{Class, LocalRule, SIGNAL_CELLS_MAX};
use crate::board::Board;
use crate::process::{Next, Process};
use crate::rng::{Chance, RandomSource, TrialStream, Words as _};
use crate::{Control, Course, Outcome};

/// A rule on a board, prepared for trials: what all of them share, made once for a point.
pub struct PreparedRule<R> {
    rule: R,
    /// The rule at ε = 1: its update is the rule's own under the condition that the dangerous move
    /// succeeds.
    rule_at_epsilon_one: R,
    dependencies: Dependencies,
    waiting: Waiting,
}

impl<R: LocalRule> PreparedRule<R> {
    /// Makes the tables of a rule, which is one on the sites of this board.
    pub fn new(rule: R, board: Board) -> Self {
        let mut rule_at_epsilon_one = rule.clone();
        rule_at_epsilon_one.set_epsilon(Chance::new(1.0));
        Self {
            dependencies: Dependencies::new(&rule, board),
            waiting: Waiting::new(rule.epsilon(), rule.n_sites()),
            rule_at_epsilon_one,
            rule,
        }
    }

    /// True if one coin of ε decides on a move at a site of this class whose moves have that one:
    /// a queen with one dangerous move.
    #[inline(always)]
    fn has_one_coin(&self, class: Class, moves: Class) -> bool {
        !R::SIGNALS_FIRST && class == Class::Open && moves == Class::Dangerous
    }

    /// What the one coin shows.
    #[inline(always)]
    fn flips_one_coin(&self, random: &mut impl RandomSource) -> bool {
        random.flip(self.rule.epsilon())
    }

    /// The ordinary update, under the condition that it changes something.
    #[inline(always)]
    fn update(
        &self,
        x: &mut impl Cells,
        site: R::Site,
        class: Class,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        match class {
            Class::Open | Class::Idle => self.rule.update(x, site, random),
            Class::Dangerous => self.rule_at_epsilon_one.update(x, site, random),
            Class::Contested => self.rule.update(
                x,
                site,
                &mut OneOfTwo {
                    next: random.below(2) == 0,
                },
            ),
        }
    }

    /// A trial from `start`, with what the control asks to record.
    pub fn begin<'a>(
        &'a self,
        start: Configuration,
        control: &Control<'a>,
    ) -> RejectionFree<'a, R> {
        RejectionFree {
            observables: Observables::at_start(&start, control),
            events: Events::new(self, start),
        }
    }
}

/// A trial under way.
pub struct RejectionFree<'a, R> {
    events: Events<'a, R>,
    observables: Observables<'a>,
}

impl<R: LocalRule> Process for RejectionFree<'_, R> {
    /// A waiting time that passes a moment of the recording is not drawn anew: the state stands
    /// still all along.
    #[inline(always)]
    fn next(&mut self, time: u64, cutoff: u64, stream: &mut TrialStream) -> Next {
        let waiting = &self.events.prepared.waiting;
        let counts = self.events.classes.counts();
        let outlook = waiting.outlook(counts);
        // Drawn before the test of the cutoff, to hide its latency; this order is a part of the
        // stream.
        let exponential = stream.exponential();
        let target = outlook.target(stream);
        let skipped = outlook.law.failures(exponential);
        let Some(before) = time.checked_add(skipped).filter(|&before| before < cutoff) else {
            return Next::Beyond;
        };
        self.observables
            .stood_until(before, &self.events.configuration);
        let fall = waiting.fall(target, counts, stream);
        if let Some((number, moved)) = self.events.happen(fall, stream) {
            let events = &self.events;
            let observables = &mut self.observables;
            let cells = || events.signal_cells(number);
            if observables.updated(before + 1, moved, cells, &events.configuration) {
                return Next::Absorption(before + 1);
            }
        }
        Next::Update(before + 1)
    }

    #[inline(always)]
    fn is_absorbed(&self) -> bool {
        self.observables.is_absorbed()
    }

    fn end(self, time: u64, cutoff: u64) -> (Outcome, Course) {
        self.observables
            .end(&self.events.configuration, time, cutoff)
    }
}

/// The configuration and what can happen to it.
#[derive(Clone)]
struct Events<'a, R> {
    prepared: &'a PreparedRule<R>,
    configuration: Configuration,
    classes: SiteClasses,
}

impl<'a, R: LocalRule> Events<'a, R> {
    fn new(prepared: &'a PreparedRule<R>, configuration: Configuration) -> Self {
        Self {
            prepared,
            classes: SiteClasses::new(&prepared.rule, &configuration),
            configuration,
        }
    }

    fn signal_cells(&self, number: u16) -> R::SignalCells {
        let rule = &self.prepared.rule;
        rule.signal_cells(rule.site(u64::from(number)))
    }

    /// Updates a site where `event` falls. Returns its number and the queen's move, if one took
    /// place.
    // With `happen_at` the loop's one large body: a call costs a tenth of the time.
    #[inline(always)]
    fn happen(
        &mut self,
        event: Landing,
        random: &mut impl RandomSource,
    ) -> Option<(u16, Option<Move>)> {
        let (class, position) = match event {
            Landing::Open(position) => (Class::Open, position),
            Landing::NotOpen(class) => (
                class,
                random.below(u64::from(self.classes.partition.len(class))) as u32,
            ),
            Landing::Nothing => return None,
        };
        let number = self.classes.partition.member(class, position);
        Some((number, self.happen_at(number, class, random)))
    }

    #[inline(always)]
    fn happen_at(
        &mut self,
        number: u16,
        class: Class,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        if self.classes.may_move::<R>(number) {
            let moved = self.try_to_move(number, class, random);
            if moved.is_some() {
                return moved;
            }
        }
        self.classes
            .flip_stale(number, self.prepared, &mut self.configuration);
        None
    }

    /// Updates a site if that moves a queen; else nothing has changed afterwards.
    #[inline(always)]
    fn try_to_move(
        &mut self,
        number: u16,
        class: Class,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let moves = self.classes.moves(number);
        if !self.prepared.has_one_coin(class, moves) {
            return self.update_if_moving(number, class, random);
        }
        if self.prepared.flips_one_coin(random) {
            self.update_if_moving(number, Class::Dangerous, &mut WithoutCoin(random))
        } else {
            None
        }
    }

    fn update_if_moving(
        &mut self,
        number: u16,
        class: Class,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let site = self.prepared.rule.site(u64::from(number));
        let mut before = [CellState::default(); SIGNAL_CELLS_MAX];
        for (index, cell) in self.signal_cells(number).into_iter().enumerate() {
            before[index] = self.configuration[cell];
        }
        let moved = self.update(site, class, random);
        if let Some(queen) = moved {
            self.classes
                .queen_moved(number, before, queen, self.prepared, &self.configuration);
        } else {
            for (index, cell) in self.signal_cells(number).into_iter().enumerate() {
                self.configuration.set_signals(cell, before[index].signals);
            }
        }
        moved
    }

    /// [`PreparedRule::update`].
    // Rare. The stepwise loop has the rule's update in its body; here it is one function.
    #[inline(never)]
    fn update(
        &mut self,
        site: R::Site,
        class: Class,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let x = &mut self.configuration;
        self.prepared.update(x, site, class, random)
    }
}

/// A random source that draws nothing for what is certain: the coin of a dangerous move that takes
/// place has been flipped before.
struct WithoutCoin<'a, S>(&'a mut S);

impl<S: RandomSource> RandomSource for WithoutCoin<'_, S> {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn flip(&mut self, chance: Chance) -> bool {
        chance.is_certain() || self.0.flip(chance)
    }
}

/// The coins of a contested site: two are flipped, and exactly one of them shows heads.
struct OneOfTwo {
    next: bool,
}

impl RandomSource for OneOfTwo {
    fn below(&mut self, _: u64) -> u64 {
        unreachable!("a contested site decides by ε alone")
    }

    fn flip(&mut self, _: Chance) -> bool {
        self.next = !self.next;
        !self.next
    }
}
