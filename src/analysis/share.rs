//! Shares of trials. Their interval is Wilson's, of k of m trials.

use super::distribution::NORMAL_975;
use super::estimate::Estimate;

/// successes / trials, with the 95 % interval of a probability by inverting its score test; never
/// empty, never beyond 0 and 1. Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209–212.
pub fn share(successes: u64, trials: u64) -> Estimate {
    const Z: f64 = NORMAL_975;
    let count = successes as f64;
    let all = trials as f64;
    let centre = count + Z * Z / 2.0;
    let reach = Z * (count * (all - count) / all + Z * Z / 4.0).sqrt();
    let mut ends = [centre - reach, centre + reach].map(|end| end / (all + Z * Z));
    // Exactly, so that the interval holds its share whatever is rounded.
    if successes == 0 {
        ends[0] = 0.0;
    }
    if successes == trials {
        ends[1] = 1.0;
    }
    Estimate {
        trials,
        ..Estimate::within(count / all, ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::assert_close;

    /// SciPy 1.17, by tests/reference/analysis.py.
    #[test]
    fn wilsons_interval() {
        let [some, none] = [share(8, 10), share(0, 10)];
        let scipy = [0.4901625, 0.9433178, 0.2775328];
        assert_close(&[some.low, some.high, none.high], &scipy, 1e-6);
        assert_eq!(none.low, 0.0);
    }

    /// An interval holds its share, also where rounding would end it just before 1.
    #[test]
    fn all_or_none_of_the_trials_end_their_interval() {
        for trials in 1..=2000 {
            let [none, all] = [share(0, trials), share(trials, trials)];
            assert_eq!([none.low, all.high], [0.0, 1.0], "{trials}");
            let inside = share(trials / 2, trials);
            assert!(inside.holds(inside.value), "{trials}");
        }
    }
}
