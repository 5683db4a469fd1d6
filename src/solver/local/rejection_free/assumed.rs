//! What the rejection-free dynamics takes the update of a site for, so that it can be held against
//! the update itself ([`crate::local::law`]): its class and that of its moves, the updates under
//! the condition that something changes, and the waiting times.

use super::partition::ListedSite;
use super::waiting::{ClassCounts, Landing, Waiting};
use super::{PreparedRule, WithoutCoin};
use crate::board::{Board, Directions};
use crate::local::configuration::{Cells as _, Move};
use crate::local::law::{Script, Sheet, StateLaw, Trier};
use crate::local::sites::{self, Class, LocalRule};
use crate::rng::Chance;

/// A rule in the rejection-free dynamics on a small board.
pub struct AssumedWithoutRejections<R>(PreparedRule<R>);

impl<R: LocalRule> AssumedWithoutRejections<R> {
    /// The rule on this board.
    pub fn new(rule: R, board: Board) -> Self {
        Self(PreparedRule::new(rule, board))
    }

    /// Adds to a law the changes that an event at a site of `sheet` makes, with their probabilities
    /// in one update of that site. Where the law of the update is known, an event that is nothing
    /// but the update is not tried again.
    #[inline(always)]
    pub fn changes(
        &self,
        sheet: &Sheet,
        site: R::Site,
        trier: &mut Trier<f64>,
        known: Option<&StateLaw<f64>>,
        law: &mut StateLaw<f64>,
    ) {
        let prepared = &self.0;
        let rule = &prepared.rule;
        let listed = self.listed(sheet, site);
        let class = listed.class();
        let weight = prepared.waiting.weight(class);
        if weight == 0.0 {
            return;
        }
        let flips = |x: &mut Sheet| -> Option<Move> {
            for (bit, (cell, direction)) in rule.dependencies(site).into_iter().enumerate() {
                if listed.stale >> bit & 1 == 1 {
                    let signals = x.state(cell).signals;
                    x.set_signals(cell, signals.difference(Directions::only(direction)));
                }
            }
            None
        };
        if !listed.may_move::<R>() {
            return trier.try_all(sheet, weight, |x, _| flips(x), law);
        }
        // The ordinary update, but that signals are written otherwise where no queen moves.
        let is_update = class == Class::Open && !prepared.has_one_coin(class, listed.moves);
        if let Some(known) = known.filter(|_| is_update && weight == 1.0) {
            let still = trier.outcome_of(sheet, |x| {
                flips(x);
            });
            return law.take_moves(known, still);
        }
        let update = |x: &mut Sheet, random: &mut Script<f64>| {
            let moved = self.moved(x, site, listed, random);
            if moved.is_some() {
                return moved;
            }
            for &cell in rule.signal_cells(site).as_ref() {
                x.set_signals(cell, sheet.state(cell).signals);
            }
            flips(x)
        };
        trier.try_all(sheet, weight, update, law);
    }

    /// A site of `sheet` as the dynamics lists it.
    fn listed(&self, sheet: &Sheet, site: R::Site) -> ListedSite {
        let rule = &self.0.rule;
        let cells = rule.signal_cells(site);
        let mut cells = cells.as_ref().iter();
        let has_queen = cells.any(|&cell| sheet.state(cell).queens >= 1);
        let moves = if R::SIGNALS_FIRST && !has_queen {
            Class::Idle
        } else {
            rule.class_of_moves(sheet, site)
        };
        let stale = sites::stale(rule, sheet, site);
        ListedSite::new(stale, moves, R::SIGNALS_FIRST && has_queen)
    }

    /// The update of a site, as an event has it.
    fn moved(
        &self,
        x: &mut Sheet,
        site: R::Site,
        listed: ListedSite,
        random: &mut Script<f64>,
    ) -> Option<Move> {
        let prepared = &self.0;
        let class = listed.class();
        if !prepared.has_one_coin(class, listed.moves) {
            return prepared.update(x, site, class, random);
        }
        if !prepared.flips_one_coin(random) {
            return None;
        }
        prepared.update(x, site, Class::Dangerous, &mut WithoutCoin(random))
    }
}

/// What is wrong with the waiting times and with the classes of events at this ε, if anything is:
/// some numbers of sites in each class, on so many sites.
pub fn wrong_waits(epsilon: Chance, n_sites: u32) -> Option<String> {
    let waiting = Waiting::new(epsilon, n_sites.into());
    wrong_in(&waiting, epsilon.probability(), n_sites)
}

/// [`wrong_waits`] of waiting times at ε = `p`.
fn wrong_in(waiting: &Waiting, p: f64, n_sites: u32) -> Option<String> {
    let expected = [1.0, p, 2.0 * p * (1.0 - p)];
    for (open, dangerous, contested) in some_counts() {
        let counts = ClassCounts {
            open,
            dangerous,
            contested,
        };
        let found = landings(waiting, counts);
        let numbers = [open, dangerous, contested].map(f64::from);
        for (class, found) in found.into_iter().enumerate() {
            let probability = numbers[class] * expected[class] / f64::from(n_sites);
            if (found - probability).abs() > 1e-9 {
                return Some(format!(
                    "the waiting time with {open} open, {dangerous} dangerous and {contested} \
                     contested sites at ε = {p}"
                ));
            }
        }
    }
    None
}

/// Some numbers of sites: open, dangerous and contested.
fn some_counts() -> impl Iterator<Item = (u32, u32, u32)> {
    (0..36).map(|number| {
        (
            [0, 1, 3][number % 3],
            [0, 1, 2, 9][number / 3 % 4],
            [0, 1, 4][number / 12],
        )
    })
}

/// The probabilities that an event falls on an open, a dangerous and a contested site in one
/// update.
fn landings(waiting: &Waiting, counts: ClassCounts) -> [f64; 3] {
    let outlook = waiting.outlook(counts);
    let p_of_event = -libm::expm1(-1.0 / outlook.law.scale());
    let mut found = [0.0; 3];
    if p_of_event == 0.0 {
        return found;
    }
    let fall = |random: &mut Script<f64>| waiting.fall(outlook.target(random), counts, random);
    Script::new().answer_all(fall, |probability, landing| {
        let class = match landing {
            Landing::Open(_) | Landing::NotOpen(Class::Open) => 0,
            Landing::NotOpen(Class::Dangerous) => 1,
            Landing::NotOpen(Class::Contested) => 2,
            Landing::NotOpen(Class::Idle) | Landing::Nothing => return,
        };
        found[class] += p_of_event * probability;
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_in_waiting_times_are_seen() {
        for p in [0.0, 0.003, 0.3, 1.0] {
            let waiting = |p, n_sites| Waiting::new(Chance::new(p), n_sites);
            assert_eq!(wrong_in(&waiting(p, 42), p, 42), None);
            assert!(wrong_in(&waiting(p, 41), p, 42).is_some());
            assert!(wrong_in(&waiting(0.999 * p + 1e-4, 42), p, 42).is_some());
        }
    }
}
