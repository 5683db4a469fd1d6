//! How long the events of a trial were in coming, drawn for many of them at once.
//!
//! The number of updates before an event is geometric; it depends on the number of places on which
//! the event may fall and on nothing else. So the sum of the waits of c events with one number of
//! places is negative binomial, and given that sum, the single waits are a uniform composition of
//! it.

mod gamma;

mod poisson;

#[cfg(test)]
mod tests;

use crate::solver::rng::{RandomSource as _, TrialStream};

/// The number of failures before the success number `successes` (at least 1) in independent trials
/// that succeed with probability `p`, which is above 0: a Poisson number whose mean is a gamma
/// number times (1 − p) / p. Numbers above 2⁵³ are rounded as doubles are.
pub fn failures(successes: u32, p: f64, stream: &mut TrialStream) -> u64 {
    if p >= 1.0 {
        return 0;
    }
    poisson::poisson(
        gamma::gamma(f64::from(successes), stream) * (1.0 - p) / p,
        stream,
    )
}

/// A uniform composition of `total` into so many parts, each at least 0: a uniform choice of bars
/// among as many places as there are units and bars (Floyd's sampling), and the gaps between them.
pub fn composition(total: u64, parts: u32, stream: &mut TrialStream) -> Vec<u64> {
    let bars = u64::from(parts) - 1;
    let places = total + bars;
    let mut chosen = Bars::at_most(bars as usize);
    for place in places - bars..places {
        let drawn = stream.below(place + 1);
        if !chosen.insert(drawn) {
            chosen.insert(place);
        }
    }
    let mut from = 0;
    let ends = chosen.sorted().into_iter().chain([places]);
    ends.map(|bar| {
        let part = bar - from;
        from = bar + 1;
        part
    })
    .collect()
}

/// A set of numbers below 2⁶⁴ − 1: a table in which each has its place or one of the next, at least
/// half of it empty.
struct Bars {
    table: Vec<u64>,
}

impl Bars {
    const EMPTY: u64 = u64::MAX;

    fn at_most(members: usize) -> Self {
        Self {
            table: vec![Self::EMPTY; (2 * members).next_power_of_two().max(2)],
        }
    }

    /// Returns whether it was not in the set.
    fn insert(&mut self, number: u64) -> bool {
        // Fibonacci hashing: the upper bits of a product.
        let bits = self.table.len().trailing_zeros();
        let mut at = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
        while self.table[at] != Self::EMPTY {
            if self.table[at] == number {
                return false;
            }
            at = (at + 1) % self.table.len();
        }
        self.table[at] = number;
        true
    }

    fn sorted(mut self) -> Vec<u64> {
        self.table.retain(|&number| number != Self::EMPTY);
        self.table.sort_unstable();
        self.table
    }
}
