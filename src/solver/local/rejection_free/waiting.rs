//! How long the next change is in coming, and of which class it is: laws that depend on the numbers of sites in the classes alone.

use super::classes::Counts;
use crate::solver::local::rule::Class;
use crate::solver::rng::{Chance, Coins, Geometric};

/// Places in the table of laws.
const N_LAWS: usize = 512;

/// The laws at one ε on one number of sites; those met lately are kept, for they need a logarithm.
#[derive(Debug, Clone)]
pub(super) struct Laws {
    n_sites: f64,
    /// Probability of a change at a dangerous and at a contested site.
    dangerous: f64,
    contested: f64,
    table: Box<[Law]>,
}

/// What the numbers of sites in the classes decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Law {
    counts: Counts,
    /// Updates that change nothing before the next one that does.
    pub skipped: Geometric,
    /// That the change is of another class than [`Class::Open`].
    pub not_open: Chance,
}

impl Laws {
    pub fn new(epsilon: Chance, n_sites: u64) -> Self {
        let epsilon = epsilon.probability();
        let contested = 2.0 * epsilon * (1.0 - epsilon);
        let mut laws = Self { n_sites: n_sites.max(1) as f64, dangerous: epsilon, contested, table: Box::default() };
        laws.table = vec![laws.law(Counts::default()); N_LAWS].into();
        laws
    }

    /// The law for these numbers of sites.
    #[inline]
    pub fn of(&mut self, counts: Counts) -> Law {
        let place = counts.hash() as usize % N_LAWS;
        if self.table[place].counts != counts {
            self.table[place] = self.law(counts);
        }
        self.table[place]
    }

    /// The class of a change that is not of class [`Class::Open`].
    pub fn not_open(&self, counts: Counts, coins: &mut impl Coins) -> Class {
        if counts.contested == 0 {
            return Class::Dangerous;
        }
        let (dangerous, contested) = self.weights(counts);
        if coins.flip(Chance::new(contested / (dangerous + contested))) { Class::Contested } else { Class::Dangerous }
    }

    /// The expected number of changes, if each site of the class had one update.
    fn weights(&self, counts: Counts) -> (f64, f64) {
        (f64::from(counts.dangerous) * self.dangerous, f64::from(counts.contested) * self.contested)
    }

    #[cold]
    fn law(&self, counts: Counts) -> Law {
        let (dangerous, contested) = self.weights(counts);
        let not_open = dangerous + contested;
        let all = f64::from(counts.open) + not_open;
        // Without a possible change nothing is drawn after the waiting time, which is infinite.
        let share = if all == 0.0 { 0.0 } else { not_open / all };
        Law { counts, skipped: Geometric::new(all / self.n_sites), not_open: Chance::new(share) }
    }
}
