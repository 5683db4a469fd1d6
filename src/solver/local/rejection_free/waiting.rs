//! How long the next event is in coming, and where it falls: laws that depend on the numbers of sites in the classes alone.

use super::classes::Counts;
use crate::solver::local::rule::Class;
use crate::solver::rng::{Chance, Coins, Geometric};

/// The laws at one ε on one number of sites.
///
/// An event falls on each open site with probability 1 / sites. What dangerous and contested sites add, `W = dangerous·ε + contested·2ε(1 − ε)`
/// changes in units of 1 / sites, is rounded up to the next whole number of *slots*, and an event that falls on a slot comes to nothing with
/// probability `1 − W / slots`. So the waiting time depends on a whole number, and its laws stand in a table. Only where no site is open,
/// and such events would be most of all, the law is made for W itself.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    n_sites: u16,
    /// Probability of a change at a dangerous and at a contested site.
    dangerous: f64,
    contested: f64,
    /// By the number of open sites and slots: the law of their probability.
    laws: Box<[Geometric]>,
    slots: Slots,
}

/// The part of sites that are not open in what can happen.
#[derive(Debug, Clone, Copy)]
struct Slots {
    /// Dangerous and contested sites for which it was computed.
    of: (u16, u16),
    number: u16,
    /// W.
    w: f64,
}

impl Slots {
    /// That an event that falls on a slot is one.
    fn real(self) -> Chance {
        Chance::new(self.w / f64::from(self.number))
    }
}

/// Where an event falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// On an open site, given by its place among them.
    Open(u16),
    /// On a site of a class that is not open.
    NotOpen(Class),
    /// On none: nothing changes.
    Nothing,
}

impl Waiting {
    pub fn new(epsilon: Chance, n_sites: u64) -> Self {
        let epsilon = epsilon.probability();
        let probability = |sites: u64| if sites == 0 { 0.0 } else { sites as f64 / n_sites as f64 };
        Self {
            n_sites: n_sites.max(1) as u16,
            dangerous: epsilon,
            contested: 2.0 * epsilon * (1.0 - epsilon),
            laws: (0..=n_sites).map(|sites| Geometric::new(probability(sites))).collect(),
            slots: Slots { of: (0, 0), number: 0, w: 0.0 },
        }
    }

    /// The law of the number of updates that change nothing before the next event.
    #[inline]
    pub fn law(&mut self, counts: Counts) -> Geometric {
        if counts.open == 0 {
            return self.law_of_slots(counts);
        }
        if self.slots.of != (counts.dangerous, counts.contested) {
            self.slots = self.slots_of(counts);
        }
        self.laws[usize::from(counts.open + self.slots.number)]
    }

    /// Where the event falls whose waiting time had the law for these `counts`.
    #[inline]
    pub fn fall(&self, counts: Counts, coins: &mut impl Coins) -> Event {
        if counts.open == 0 {
            return Event::NotOpen(self.not_open(counts, coins));
        }
        let place = coins.below(u64::from(counts.open + self.slots.number)) as u16;
        if place < counts.open {
            Event::Open(place)
        } else if coins.flip(self.slots.real()) {
            Event::NotOpen(self.not_open(counts, coins))
        } else {
            Event::Nothing
        }
    }

    /// The share of each class in W.
    fn shares(&self, counts: Counts) -> (f64, f64) {
        (f64::from(counts.dangerous) * self.dangerous, f64::from(counts.contested) * self.contested)
    }

    #[cold]
    fn law_of_slots(&self, counts: Counts) -> Geometric {
        let (dangerous, contested) = self.shares(counts);
        Geometric::new((dangerous + contested) / f64::from(self.n_sites))
    }

    /// There are no more slots than sites that are not open: none of those adds more than 1 to W.
    #[inline]
    fn slots_of(&self, counts: Counts) -> Slots {
        let (dangerous, contested) = self.shares(counts);
        let w = dangerous + contested;
        let whole = w as u16;
        let number = whole + u16::from(w > f64::from(whole));
        Slots { of: (counts.dangerous, counts.contested), number, w }
    }

    /// The class of a change at a site that is not open.
    #[cold]
    fn not_open(&self, counts: Counts, coins: &mut impl Coins) -> Class {
        let (dangerous, contested) = self.shares(counts);
        let is_contested = counts.contested > 0 && coins.flip(Chance::new(contested / (dangerous + contested)));
        if is_contested { Class::Contested } else { Class::Dangerous }
    }
}
