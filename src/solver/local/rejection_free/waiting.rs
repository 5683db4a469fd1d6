//! How long the next event is in coming, and where it falls: laws that depend on the numbers of
//! sites in the classes alone. Here is decided how many updates pass without a change, and whether
//! the event is at an open, a dangerous or a contested site.

use crate::local::sites::Class;
use crate::rng::{Chance, Geometric, RandomSource};

/// The laws at one ε on one number of sites.
///
/// An event falls on each open site with probability 1 / sites. What dangerous and contested sites
/// add, `W = dangerous·ε + contested·2ε(1 − ε)` changes in units of 1 / sites, is rounded up to the
/// next whole number of *slots*, and an event that falls on a slot comes to nothing with
/// probability `1 − W / slots`. So the waiting time depends on a whole number, and its laws are
/// in a table. Only where no site is open, and such events would be most of all, the law is made
/// for W itself.
///
/// Lanes (`lanes/draw.rs`) thin out in the same way, but by a number of slots that never changes:
/// they keep no numbers of sites, by which the slots here are as few as they can be.
#[derive(Debug)]
pub(super) struct Waiting {
    n_sites: u32,
    /// Probability of a change at a dangerous and at a contested site.
    dangerous: f64,
    contested: f64,
    /// The laws of the waiting time by the number of open sites and slots.
    laws: Box<[Geometric]>,
    /// The greatest dangerous + 2·contested at which W is at most 1 for certain. Not to compute W
    /// there saves 15 to 24 % of the time.
    one_slot_burden: u32,
}

/// Numbers of sites in the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ClassCounts {
    pub open: u32,
    pub dangerous: u32,
    pub contested: u32,
}

/// What is to be expected at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outlook {
    /// The law of the number of updates that change nothing before the next event.
    pub law: Geometric,
    /// The number of open sites and slots, each as likely to be drawn; 0 without open sites.
    targets: u32,
}

impl Outlook {
    /// One of the open sites and slots, drawn uniformly, for [`Waiting::fall`].
    #[inline]
    pub fn target(self, random: &mut impl RandomSource) -> u32 {
        if self.targets == 0 {
            0
        } else {
            random.below(u64::from(self.targets)) as u32
        }
    }
}

/// The site or class of sites on which an event falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Landing {
    /// An open site, given by its position in the list of open sites.
    Open(u32),
    /// Some site of a class that is not open.
    NotOpen(Class),
    /// No site: nothing changes.
    Nothing,
}

impl Waiting {
    pub fn new(epsilon: Chance, n_sites: u64) -> Self {
        let epsilon = epsilon.probability();
        let probability = |sites: u64| {
            if sites == 0 {
                0.0
            } else {
                sites as f64 / n_sites as f64
            }
        };
        Self {
            n_sites: n_sites.max(1) as u32,
            dangerous: epsilon,
            contested: 2.0 * epsilon * (1.0 - epsilon),
            laws: (0..=n_sites)
                .map(|sites| Geometric::new(probability(sites)))
                .collect(),
            // 1 % away from 1, where no rounding can matter; 0 if ε = 0, since W is 0 then.
            one_slot_burden: if epsilon > 0.0 {
                (0.99 / epsilon) as u32
            } else {
                0
            },
        }
    }

    /// What is to be expected with these numbers of sites in the classes.
    #[inline(always)]
    pub fn outlook(&self, counts: ClassCounts) -> Outlook {
        if counts.open == 0 {
            return Outlook {
                law: self.law_of_slots(counts.dangerous, counts.contested),
                targets: 0,
            };
        }
        let targets = counts.open + self.n_slots(counts.dangerous, counts.contested);
        Outlook {
            law: self.laws[targets as usize],
            targets,
        }
    }

    /// The site or class on which the event falls whose waiting time had the law of this outlook,
    /// if `target` was drawn among its targets.
    #[inline]
    pub fn fall(
        &self,
        target: u32,
        counts: ClassCounts,
        random: &mut impl RandomSource,
    ) -> Landing {
        if target < counts.open {
            Landing::Open(target)
        } else if counts.open == 0 {
            Landing::NotOpen(self.not_open(counts.dangerous, counts.contested, random))
        } else {
            self.fall_on_slot(counts.dangerous, counts.contested, random)
        }
    }

    /// An event on a slot is one with probability W / slots.
    #[cold]
    fn fall_on_slot(
        &self,
        dangerous: u32,
        contested: u32,
        random: &mut impl RandomSource,
    ) -> Landing {
        let is_real = Chance::new(
            self.w(dangerous, contested) / f64::from(self.n_slots(dangerous, contested)),
        );
        if random.flip(is_real) {
            Landing::NotOpen(self.not_open(dangerous, contested, random))
        } else {
            Landing::Nothing
        }
    }

    #[cold]
    fn law_of_slots(&self, dangerous: u32, contested: u32) -> Geometric {
        Geometric::new(self.w(dangerous, contested) / f64::from(self.n_sites))
    }

    /// W rounded up. There are no more slots than sites that are not open: none of those adds more
    /// than 1 to W.
    #[inline]
    fn n_slots(&self, dangerous: u32, contested: u32) -> u32 {
        let burden = dangerous + 2 * contested;
        if burden <= self.one_slot_burden {
            u32::from(burden > 0)
        } else {
            self.count_slots(dangerous, contested)
        }
    }

    #[cold]
    fn count_slots(&self, dangerous: u32, contested: u32) -> u32 {
        let w = self.w(dangerous, contested);
        let whole = w as u32;
        whole + u32::from(w > f64::from(whole))
    }

    /// The class of a change at a site that is not open.
    #[cold]
    fn not_open(&self, dangerous: u32, contested: u32, random: &mut impl RandomSource) -> Class {
        let share = self.share_of_contested(contested) / self.w(dangerous, contested);
        let is_contested = contested > 0 && random.flip(Chance::new(share));
        if is_contested {
            Class::Contested
        } else {
            Class::Dangerous
        }
    }

    /// What a site of a class adds to the expected number of changes in units of 1 / sites.
    pub fn weight(&self, class: Class) -> f64 {
        match class {
            Class::Idle => 0.0,
            Class::Open => 1.0,
            Class::Dangerous => self.w(1, 0),
            Class::Contested => self.w(0, 1),
        }
    }

    /// W.
    fn w(&self, dangerous: u32, contested: u32) -> f64 {
        f64::from(dangerous) * self.dangerous + self.share_of_contested(contested)
    }

    fn share_of_contested(&self, contested: u32) -> f64 {
        f64::from(contested) * self.contested
    }
}
