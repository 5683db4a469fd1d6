//! The least of several means, and what may be it. It says which tiles get a frame and which are
//! significantly slower than the best (95 %).

use super::distribution::student_quantile;
use super::estimate::Estimate;

/// Probability with which the true least may be among what is significantly larger.
const ERROR: f64 = 0.05;

/// The least of several means, and which of the others are significantly larger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contest {
    /// Index of the least measured mean.
    pub best: usize,
    /// True for each mean that is significantly larger: with at least 95 % confidence the true
    /// least is among the others.
    pub worse: Vec<bool>,
}

impl Contest {
    /// The contest of means, of which those of trials cut off early are bounds.
    ///
    /// A mean is significantly larger than the least when ln mean − ln least > t · √(variance of ln
    /// mean + variance of ln least), t the quantile of Student's t at 1 − 0.05 / (k − 1) of k
    /// means, with as many degrees of freedom as the fewer trials of both less one.
    ///
    /// The true least is wrongly excluded only if it measures so much above one of the k − 1
    /// others, whichever measures least: comparisons with the best alone (Gupta, Technometrics 7
    /// (1965) 225; Hsu, Multiple Comparisons (1996), 4.2; here by Bonferroni's inequality, since
    /// errors differ).
    ///
    /// The mean of trials cut off can be significantly larger, since the true one is larger still,
    /// but never the least. Where all m trials were cut off at c it has no scatter: then E[min(T,
    /// c)] is above c q^(1/m) with the error probability q, half of a comparison's, and the other
    /// half is the least's. `None` when no mean qualifies or the least has no known error.
    pub fn of(means: &[Estimate]) -> Option<Self> {
        let complete = means.iter().enumerate();
        let complete = complete.filter(|(_, mean)| !mean.is_bound);
        let (best, least) = complete.min_by(|(_, a), (_, b)| a.value.total_cmp(&b.value))?;
        let best_variance = least.log_variance()?;
        let error = ERROR / (means.len() - 1).max(1) as f64;
        let is_worse = |mean: &Estimate| {
            let excess = libm::log(mean.value / least.value);
            let reach = |error: f64, variance: f64, trials: u64| {
                student_quantile(1.0 - error, trials - 1) * variance.sqrt()
            };
            match mean.log_variance() {
                Some(variance) => {
                    let trials = least.trials.min(mean.trials);
                    excess > reach(error, variance + best_variance, trials)
                }
                None if mean.error == 0.0 => {
                    let surely = excess + libm::log(error / 2.0) / mean.trials as f64;
                    surely > reach(error / 2.0, best_variance, least.trials)
                }
                None => false,
            }
        };
        Some(Self {
            best,
            worse: means.iter().map(is_worse).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::Draws;

    /// The index of the best and which are worse, of means with their relative errors, and whether
    /// they are lower bounds.
    fn found(means: &[(f64, f64, bool)], trials: u64) -> Option<(usize, Vec<bool>)> {
        let mean = |&(value, error, is_bound): &(f64, f64, bool)| {
            Estimate::with_error(value, value * error, trials).bounding(is_bound)
        };
        let contest = Contest::of(&means.iter().map(mean).collect::<Vec<_>>())?;
        Some((contest.best, contest.worse))
    }

    /// The expected bound for k = 5 is by hand: t₉₉ at 1 − 0.05/4 is 2.2757 (SciPy), so a mean is
    /// significantly slower above a ratio of exp(2.2757 · 0.1 · √2) = 1.380.
    #[test]
    fn means_within_the_noise_are_not_worse() {
        let means = [2.0, 1.375, 1.0, 1.385, 9.0].map(|it| (it, 0.1, false));
        let worse = vec![true, false, false, true, true];
        assert_eq!(found(&means, 100), Some((2, worse)));
    }

    /// The expected result if all m trials were cut off is by hand: 3 · 0.00833^(1/m) is above
    /// exp(0.01 t) from m = 5 on, with t = 2.44 to 4.0.
    #[test]
    fn a_lower_bound_may_be_worse_and_is_never_best() {
        let mut means = [
            (2.0, 0.01, false),
            (1.0, 0.01, false),
            (3.0, 0.01, true),
            (0.5, 0.01, true),
        ];
        let worse = |is_worse| Some((1, vec![true, false, is_worse, false]));
        assert_eq!(found(&means, 100), worse(true));
        assert_eq!((found(&means[2..], 100), found(&[], 100)), (None, None));
        means[2].1 = 0.0;
        assert_eq!(found(&means, 100), worse(true));
        assert_eq!(found(&means, 5), worse(true));
        assert_eq!(found(&means, 4), worse(false));
    }

    /// Of 9 equal means of 5 exponential times the true least, any of them, is called worse in at
    /// most 5 %; by normal quantiles it was in 15 %. n = 1000; at most 78 pass (4 standard errors:
    /// a false failure in 30 000; fixed seed).
    #[test]
    fn the_true_least_is_rarely_called_worse() {
        let mut draws = Draws::new(7);
        let mut is_excluded = || {
            let mut mean = || {
                let times: [u64; 5] = std::array::from_fn(|_| draws.exponential(1e6));
                Estimate::mean(&times)
            };
            let means: Vec<Estimate> = (0..9).map(|_| mean()).collect();
            Contest::of(&means).is_some_and(|it| it.worse[0])
        };
        let excluded = (0..1000).filter(|_| is_excluded()).count();
        assert!(excluded <= 78, "{excluded} of 1000");
    }
}
