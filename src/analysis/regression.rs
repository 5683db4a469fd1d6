//! Regressions whose law is not exact: least squares with a variance component, the straight line
//! through the logarithms of means, and the growth of moves with n!/S(n). Here are when a law is
//! rejected (p below 0.05), from how many points on a factor says anything (4), and how wide its
//! interval may be (a factor of 10).

use super::distribution::{crossing, student_975, student_two_sided};
use super::estimate::Estimate;
use super::least_squares::{DataPoint, LeastSquares};
use crate::solver::density::permutations_per_solution;

/// Least p-value of the test of the lack of fit at which a line counts as fitting.
const LACK_OF_FIT: f64 = 0.05;
/// Fewest points of a growth factor that is more than a guess.
pub const FACTOR_POINTS: u64 = 4;
/// Ratio of the ends of a growth factor's interval above which it says nothing.
pub const WIDEST_FACTOR: f64 = 10.0;

/// y = Σ aₖ rowₖ + u + e: e is the sampling error of a point, of variance 1 / weight, and u the
/// error of the law itself, of variance τ² at each point.
///
/// τ² is the restricted maximum-likelihood (REML) estimate: the root of Σ (w · residual)² = Σ w (1
/// − leverage), w = 1 / (1 / weight + τ²), or 0 where the left side is not the larger one at τ² =
/// 0. Where points scatter about the law by no more than their sampling errors, τ² is near 0 and
///    each weighs by its own error; where they scatter far more, all weigh alike: then this is
///    ordinary least squares.
///
/// Sources: Patterson and Thompson, Biometrika 58 (1971) 545; Viechtbauer, J. Educ. Behav. Stat. 30
/// (2005) 261. Intervals are those of [`LeastSquares::coefficient`] with the weights w: Knapp and
/// Hartung, Stat. Med. 22 (2003) 2693, never narrower than by the weights alone.
///
/// `None` as [`LeastSquares::of`], and unless there are more points than coefficients.
pub fn random_effects<const K: usize>(
    points: &[DataPoint<K>],
) -> Option<(LeastSquares<K>, Agreement)> {
    let sampling = LeastSquares::of(points)?;
    let reduced_chi_square = sampling.reduced_chi_square()?;
    let widened = |variance: f64| {
        let widen = |point: &DataPoint<K>| DataPoint {
            weight: 1.0 / (1.0 / point.weight + variance),
            ..*point
        };
        let points: Vec<DataPoint<K>> = points.iter().map(widen).collect();
        Some((LeastSquares::of(&points)?, points))
    };
    let is_below = |variance: f64| {
        let excess = widened(variance).map(|(fit, points)| {
            let part = |point: &DataPoint<K>| {
                let residual = point.weight * fit.residual(point);
                residual * residual - point.weight * (1.0 - fit.leverage(point))
            };
            points.iter().map(part).sum::<f64>()
        });
        excess.is_some_and(|excess| excess > 0.0)
    };
    let mut most = if is_below(0.0) { 1.0 } else { 0.0 };
    while is_below(most) {
        most *= 2.0;
    }
    let variance = crossing((0.0, most), 0.0, is_below);
    let agreement = Agreement {
        points: sampling.points,
        reduced_chi_square,
        p_value: sampling.p_value()?,
        scatter: variance.sqrt(),
    };
    Some((widened(variance)?.0, agreement))
}

/// How well points agree with a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    pub points: u64,
    /// χ² / degrees of freedom by the sampling errors alone, τ = 0: see
    /// [`LeastSquares::reduced_chi_square`].
    pub reduced_chi_square: f64,
    /// The p value of the test of the lack of fit: see [`LeastSquares::p_value`].
    pub p_value: f64,
    /// τ, in the unit of y: of logarithms, the relative scatter about the law beyond the sampling
    /// errors.
    pub scatter: f64,
}

impl Agreement {
    /// True if the lack of fit is not significant.
    pub fn fits(&self) -> bool {
        self.p_value >= LACK_OF_FIT
    }
}

/// A line ln y = a + b x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    pub intercept: f64,
    /// b, the change of ln y per unit of x; where x is a logarithm, the power of y. Its interval
    /// is that of [`random_effects`].
    pub slope: Estimate,
    /// The slope from the first to the last point, with the interval of the ratio of their means:
    /// where the line does not fit, points scatter about it systematically, and the interval of
    /// `slope` holds the slope less often than it says (docs/statistics.md).
    pub between_ends: Estimate,
    /// Least and greatest x of the points.
    pub range: (f64, f64),
    pub agreement: Agreement,
}

impl Growth {
    /// The line of ln mean on x, each mean with its sampling error and the scatter about the line
    /// ([`random_effects`]); points without a variance of ln mean are left out. `None` with fewer
    /// than three points left or without two different x: then the lack of fit, hence the interval,
    /// is unknown.
    pub fn fit(means: &[(f64, Estimate)]) -> Option<Self> {
        let mut points: Vec<DataPoint<2>> = Vec::new();
        for (x, mean) in means {
            points.extend(DataPoint::of_logarithm(mean, [1.0, *x]));
        }
        let (fit, agreement) = random_effects(&points)?;

        let mut known: Vec<&(f64, Estimate)> = means.iter().collect();
        known.retain(|(_, mean)| mean.log_variance().is_some());
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first = known.first()?;
        let last = known.last()?;
        Some(Self {
            intercept: fit.coefficients[0],
            slope: fit.coefficient(1)?,
            between_ends: slope_between(first, last)?,
            range: (first.0, last.0),
            agreement,
        })
    }

    /// Two-sided p-value of the hypothesis that b is `slope`: Student's t of the distance by the
    /// interval's standard error.
    pub fn p_of_slope(&self, slope: f64) -> f64 {
        let freedom = self.agreement.points - 2;
        let reach = self.slope.high - self.slope.value;
        let t = student_975(freedom) * (self.slope.value - slope) / reach;
        student_two_sided(t, freedom)
    }

    /// e^b: y multiplies by this per unit of x.
    pub fn factor(&self) -> Estimate {
        self.slope.map(libm::exp)
    }

    /// The slope of a line that fits, else that between the ends.
    pub fn valid_slope(&self) -> Estimate {
        if self.agreement.fits() {
            self.slope
        } else {
            self.between_ends
        }
    }

    /// Fewer points than [`FACTOR_POINTS`]: then neither the slope nor the factor says anything.
    pub fn has_few_points(&self) -> bool {
        self.agreement.points < FACTOR_POINTS
    }

    /// The factor's interval is wider than [`WIDEST_FACTOR`]: then it says nothing.
    pub fn is_wide(&self) -> bool {
        let Estimate { low, high, .. } = self.factor();
        high > WIDEST_FACTOR * low
    }

    /// e^(a + b x).
    pub fn at(&self, x: f64) -> f64 {
        libm::exp(self.intercept + self.slope.value * x)
    }
}

/// b between neighbours of (n, moves), in the order given: the slope of ln moves against
/// ln(n!/S(n)) from the one before to n, with the interval of the ratio of both means. Left out are
/// n without solutions, means without a known error, and neighbours of equal n!/S(n), as n = 4 and
/// 5.
pub fn local_powers(means: &[(u32, Estimate)]) -> Vec<(u32, Estimate)> {
    let rarity =
        |&(n, mean): &(u32, Estimate)| Some((n, libm::log(permutations_per_solution(n)?), mean));
    let known: Vec<(u32, f64, Estimate)> = means.iter().filter_map(rarity).collect();
    let slope = |pair: &[(u32, f64, Estimate)]| {
        let [(_, from, before), (n, to, mean)] = *pair else {
            return None;
        };
        // From the common to the rare: n = 7 has more solutions than n = 6.
        let ends = [(from, before), (to, mean)];
        let [low, high] = if to > from { [0, 1] } else { [1, 0] };
        Some((n, slope_between(&ends[low], &ends[high])?))
    };
    known.windows(2).filter_map(slope).collect()
}

/// The slope of ln mean from one (x, mean) to another of greater x, with the interval of the ratio
/// of both means; `None` where the x are equal or an error is not known.
fn slope_between(
    (from, before): &(f64, Estimate),
    (to, mean): &(f64, Estimate),
) -> Option<Estimate> {
    let ratio = mean.ratio_to(before)?;
    let distance = to - from;
    let slope = |ratio: f64| libm::log(ratio) / distance;
    (distance > 0.0).then(|| ratio.map(slope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::assert_close;

    fn mean(value: f64, relative_error: f64) -> Estimate {
        Estimate::with_error(value, value * relative_error, 100)
    }

    /// Means that scatter more than their errors, with unequal weights: NumPy and SciPy, which
    /// maximize the restricted likelihood, by tests/reference/regression.py.
    #[test]
    fn fit_scatter_and_interval_are_numpys() {
        let means = [
            (4.0, mean(1.1e3, 0.1)),
            (5.0, mean(2.9e3, 0.08)),
            (6.0, mean(3.1e4, 0.1)),
            (7.0, mean(6.2e4, 0.05)),
            (8.0, mean(4.4e5, 0.12)),
        ];
        let growth = Growth::fit(&means).expect("five points");
        let factor = growth.factor();
        let found = [
            growth.agreement.scatter,
            factor.value,
            factor.low,
            factor.high,
            growth.at(6.5),
            growth.agreement.reduced_chi_square,
            growth.agreement.p_value,
            growth.p_of_slope(1.0),
        ];
        let numpy = [
            0.41041952019780875,
            4.496414326963666,
            2.9372668541124534,
            6.883181816257976,
            40776.651360509306,
            24.268097189393885,
            1.0705684322071798e-15,
            0.03285560153540544,
        ];
        assert_close(&found, &numpy, 1e-6);
        assert!(!growth.agreement.fits() && growth.range == (4.0, 8.0));
    }

    /// Three points, or four that scatter over decades, give no factor; four on a line do.
    #[test]
    fn a_factor_needs_points_and_a_narrow_interval() {
        let vagueness = |values: &[f64]| {
            let means = (4..).zip(values);
            let means = means.map(|(n, &value)| (f64::from(n), mean(value, 0.05)));
            let growth = Growth::fit(&means.collect::<Vec<_>>());
            growth.map(|growth| (growth.has_few_points(), growth.is_wide()))
        };
        assert_eq!(vagueness(&[1.0, 3.0]), None);
        assert_eq!(vagueness(&[1.0, 3.0, 9.0]), Some((true, false)));
        let wide = Some((false, true));
        assert_eq!(vagueness(&[1.0, 300.0, 2.0, 900.0]), wide);
        assert_eq!(vagueness(&[1.0, 3.0, 9.0, 27.0]), Some((false, false)));
        let unknown = mean(3.0, f64::INFINITY);
        let two = [(4.0, mean(1.0, 0.1)), (5.0, mean(2.0, 0.1))];
        assert_eq!(Growth::fit(&[two[0], two[1], (6.0, unknown)]), None);
        assert_eq!(Growth::fit(&[two[0]; 3]), None);
    }

    /// Values with hardly an error, by hand: x̄ = 1, Σ (x − 1)² = 2, ln y = 0, 1, 4, so b = 4 / 2
    /// and residuals of 1/3, −2/3, 1/3, so τ² = 2/3 with one degree of freedom; t(1) = 12.7062.
    #[test]
    fn without_sampling_errors_it_is_ordinary_least_squares() {
        let values = [(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)];
        let growth = Growth::fit(&values.map(|(x, log)| (x, mean(libm::exp(log), 1e-9))));
        let Growth {
            slope, agreement, ..
        } = growth.expect("three points");
        let reach = slope.high - slope.value;
        let found = [slope.value, agreement.scatter, reach];
        let third = (1.0_f64 / 3.0).sqrt();
        let expected = [2.0, 2.0_f64.sqrt() * third, 12.706204736 * third];
        assert_close(&found, &expected, 1e-6);
    }

    /// Moves that grow as (n!/S(n))^0.5, by hand: n!/S(n) is 12, 12, 180, 126 at n = 4 to 7. The
    /// relative errors 0.03 and 0.04 make 0.05, and t = 1.98422 with 99 degrees of freedom.
    #[test]
    fn local_powers_are_those_between_neighbours() {
        let (few, many) = (mean(12_f64.sqrt(), 0.04), mean(180_f64.sqrt(), 0.03));
        let lone = mean(5.0, f64::INFINITY);
        let means = [
            (3, few),
            (4, few),
            (5, few),
            (6, many),
            (7, mean(126_f64.sqrt(), 0.04)),
            (8, lone),
        ];
        let found = local_powers(&means);
        let reach = |ratio: f64| 0.05 * 1.98422 / libm::log(ratio);
        let expected = [(6, reach(15.0)), (7, reach(180.0 / 126.0))];
        assert_eq!(found.len(), expected.len());
        for ((n, estimate), (at, reach)) in found.into_iter().zip(expected) {
            assert_eq!(n, at);
            let numbers = [estimate.value, estimate.low, estimate.high];
            assert_close(&numbers, &[0.5, 0.5 - reach, 0.5 + reach], 1e-5);
        }
    }
}
