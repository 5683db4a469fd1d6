//! Wall-clock times of two runs: a matter of speed, never of correctness.

use super::end_point::ratio_of_pairs;
use crate::analysis::mean::Estimate;
use crate::experiment::store::Record;
use crate::results::in_common;

/// Seconds of B divided by seconds of A, over the trials of one point, seed and index on both
/// sides, each of which is in the order of these, with the interval of a ratio of sums; `None`
/// where there are none. The interval includes the scatter of trials, not that of machines: compare
/// runs of one machine.
///
/// # Errors
/// The first of either side.
pub fn seconds_ratio<E>(
    a: impl Iterator<Item = Result<Record, E>>,
    b: impl Iterator<Item = Result<Record, E>>,
) -> Result<Option<Estimate>, E> {
    let mut pairs = Vec::new();
    for both in in_common(a, b) {
        let (one, other) = both?;
        pairs.push([one.seconds, other.seconds]);
    }
    Ok(ratio_of_pairs(&pairs))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::synthetic::pair_key;

    #[test]
    fn only_trials_of_both_sides_count() {
        let timing = |n, trial, seconds| -> Result<Record, ()> {
            let record = Record::bare(&Arc::new(pair_key(n, 0.01)), trial);
            Ok(Record { seconds, ..record })
        };
        let a = [timing(8, 0, 1.0), timing(8, 1, 3.0), timing(9, 0, 50.0)];
        let b = [timing(8, 0, 2.0), timing(8, 1, 6.0), timing(8, 2, 70.0)];
        let ratio = |a: &[_], b: &[_]| seconds_ratio(a.iter().cloned(), b.iter().cloned());
        let value = |a, b| ratio(a, b).map(|found| found.map(|it| it.value));
        assert_eq!(
            (value(&a, &b), value(&b, &a)),
            (Ok(Some(2.0)), Ok(Some(0.5)))
        );
        assert_eq!(ratio(&a, &[]), Ok(None));
        for place in 0..3 {
            let mut damaged = a.clone();
            damaged[place] = Err(());
            assert_eq!(ratio(&damaged, &b), Err(()), "{place}");
            assert_eq!(ratio(&b, &damaged), Err(()), "{place}");
        }
    }
}
