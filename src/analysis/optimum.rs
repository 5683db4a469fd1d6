//! The best value of a sweep, and how far the sweep pins it down.

use super::distribution::normal_quantile;
use super::estimate::Estimate;

/// Probability with which the true least may be among what is significantly larger.
const ERROR: f64 = 0.05;

/// The x of least mean among those swept, and where the least of a mean with a single valley must
/// then lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimum {
    /// The swept x of least measured mean.
    pub best: f64,
    /// The nearest x below `best` whose mean is significantly larger; `None`: the sweep does not
    /// bound the best x from below.
    pub above: Option<f64>,
    /// The nearest x above `best` whose mean is significantly larger; `None`: the sweep does not
    /// bound the best x from above.
    pub below: Option<f64>,
}

impl Optimum {
    /// The optimum by a [`Contest`] of the means at these x: if the true mean falls and then rises
    /// with x, the true best x lies strictly between the two bounds with at least 95 % confidence.
    /// `None` where [`Contest::of`] is.
    pub fn of(xs: &[f64], means: &[Estimate]) -> Option<Self> {
        let Contest { best, worse } = Contest::of(means)?;
        let best = xs[best];
        let worse = || xs.iter().zip(&worse).filter(|it| *it.1).map(|it| *it.0);
        Some(Self {
            best,
            above: worse().filter(|&x| x < best).max_by(f64::total_cmp),
            below: worse().filter(|&x| x > best).min_by(f64::total_cmp),
        })
    }
}

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
    /// A mean is significantly larger than the least when ln mean − ln least > z · √(variance of ln
    /// mean + variance of ln least), z the normal quantile at 1 − 0.05 / (k − 1) of k means.
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
            let reach = |error: f64, variance: f64| normal_quantile(1.0 - error) * variance.sqrt();
            match mean.log_variance() {
                Some(variance) => excess > reach(error, variance + best_variance),
                None if mean.error == 0.0 => {
                    let surely = excess + libm::log(error / 2.0) / mean.trials as f64;
                    surely > reach(error / 2.0, best_variance)
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

    /// The best of a sweep and its bounds; of points with x, mean, relative error, and whether it
    /// is a lower bound.
    fn found(sweep: &[(f64, f64, f64, bool)], trials: u64) -> Option<[Option<f64>; 3]> {
        let point = |&(x, value, error, is_bound): &(f64, f64, f64, bool)| {
            let mean = Estimate::with_error(value, value * error, trials);
            (x, mean.bounding(is_bound))
        };
        let (xs, means): (Vec<f64>, Vec<_>) = sweep.iter().map(point).unzip();
        Optimum::of(&xs, &means).map(|it| [it.above, Some(it.best), it.below])
    }

    /// The expected bound for k = 5 is by hand: z = Φ⁻¹(1 − 0.05/4) = 2.2414, so a mean is
    /// significantly slower above a ratio of exp(2.2414 · 0.1 · √2) = 1.373.
    #[test]
    fn neighbours_within_the_noise_do_not_bound() {
        let sweep = [
            (0.001, 2.0, 0.1, false),
            (0.003, 1.37, 0.1, false),
            (0.01, 1.0, 0.1, false),
            (0.03, 1.38, 0.1, false),
            (0.1, 9.0, 0.1, false),
        ];
        let both = Some([Some(0.001), Some(0.01), Some(0.03)]);
        assert_eq!(found(&sweep, 100), both);
        let above = Some([None, Some(0.01), Some(0.03)]);
        assert_eq!(found(&sweep[2..], 100), above);
    }

    /// The expected result if all m trials were cut off is by hand: 3 · 0.00833^(1/m) is above
    /// exp(2.394 · 0.01) from m = 5 on.
    #[test]
    fn a_lower_bound_excludes_but_is_never_best() {
        let mut sweep = [
            (0.001, 2.0, 0.01, false),
            (0.003, 1.0, 0.01, false),
            (0.01, 3.0, 0.01, true),
            (0.03, 0.5, 0.01, true),
        ];
        let below = |below| Some([Some(0.001), Some(0.003), below]);
        assert_eq!(found(&sweep, 100), below(Some(0.01)));
        assert_eq!((found(&sweep[2..], 100), found(&[], 100)), (None, None));
        sweep[2].2 = 0.0;
        assert_eq!(found(&sweep, 100), below(Some(0.01)));
        assert_eq!(found(&sweep, 5), below(Some(0.01)));
        assert_eq!(found(&sweep, 4), below(None));
    }
}
