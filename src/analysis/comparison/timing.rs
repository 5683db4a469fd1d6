//! Wall-clock times of two runs: a matter of speed, never of correctness.

use std::cmp::Ordering;

use super::end_point::ratio_of_pairs;
use crate::analysis::mean::Estimate;
use crate::experiment::store::timings::Timing;

/// Seconds of B divided by seconds of A, over the trials of one point, seed and index on both
/// sides, with the bootstrap interval over pairs; `None` where there are none. The interval
/// includes the scatter of trials, not that of machines: compare runs of one machine.
pub fn seconds_ratio(a: &[Timing], b: &[Timing]) -> Option<Estimate> {
    let order = |x: &Timing, y: &Timing| {
        x.point
            .order(&y.point)
            .then_with(|| (x.seed, x.trial).cmp(&(y.seed, y.trial)))
    };
    let sorted = |timings: &[Timing]| {
        let mut timings = timings.to_vec();
        timings.sort_by(order);
        timings
    };
    let (a, b) = (sorted(a), sorted(b));
    let mut partners = b.iter().peekable();
    let mut pairs = Vec::new();
    for timing in &a {
        while partners
            .peek()
            .is_some_and(|partner| order(partner, timing) == Ordering::Less)
        {
            partners.next();
        }
        if let Some(partner) = partners
            .peek()
            .filter(|partner| order(partner, timing) == Ordering::Equal)
        {
            pairs.push([timing.seconds, partner.seconds]);
        }
    }
    if pairs.is_empty() {
        None
    } else {
        ratio_of_pairs(&pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::pair_key;

    #[test]
    fn only_trials_of_both_sides_count() {
        let timing = |n, trial, seconds| Timing {
            point: pair_key(n, 0.01),
            seed: 1,
            trial,
            seconds,
        };
        let a = [timing(8, 0, 1.0), timing(8, 1, 3.0), timing(9, 0, 50.0)];
        let b = [timing(8, 1, 6.0), timing(8, 0, 2.0), timing(8, 2, 70.0)];
        let ratio = seconds_ratio(&a, &b).expect("two pairs");
        assert_eq!(
            (ratio.value, ratio.interval.low, ratio.interval.high),
            (2.0, 2.0, 2.0)
        );
        assert_eq!(seconds_ratio(&a, &[]), None);
    }
}
