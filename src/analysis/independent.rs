//! Independent estimates together: the ratio of two, and the common value of several.
//!
//! All of it is on the scale of logarithms. The standard error of ln x is half the width of the
//! interval of ln x over 1.96, whatever the degrees of freedom of the interval were: the few
//! degrees of freedom of a small sample make intervals here a little wider than they need be.

use super::distribution::{chi_square_tail, normal_quantile};
use super::estimate::Estimate;

/// Half the width of the interval of ln x; `None` where an end is not above 0 or not finite.
fn half_width(&Estimate { low, high, .. }: &Estimate) -> Option<f64> {
    (low > 0.0 && high.is_finite()).then(|| libm::log(high / low) / 2.0)
}

fn of_logarithm(logarithm: f64, half_width: f64) -> Estimate {
    Estimate::within_factor(libm::exp(logarithm), libm::exp(half_width))
}

/// a/b · exp(± √(h² + k²)), with h and k half the widths of the intervals of ln a and ln b.
/// `None` where one of them has no interval above 0.
pub fn ratio(numerator: &Estimate, denominator: &Estimate) -> Option<Estimate> {
    let half_width = libm::hypot(half_width(numerator)?, half_width(denominator)?);
    let logarithm = libm::log(numerator.value / denominator.value);
    Some(of_logarithm(logarithm, half_width))
}

/// What several estimates of one number say together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pooled {
    /// exp of the mean of the logarithms, each weighted by its inverse variance.
    pub estimate: Estimate,
    /// Probability of a scatter as large as the one found if all measured the same number (χ²,
    /// Cochran's Q, Biometrics 10 (1954) 101).
    pub p: f64,
}

/// The common value of independent estimates; `None` for fewer than two of them, and where one has
/// no interval above 0.
pub fn pooled(estimates: &[Estimate]) -> Option<Pooled> {
    if estimates.len() < 2 {
        return None;
    }
    let reach = normal_quantile(0.975);
    let weighted = |estimate: &Estimate| {
        let error = half_width(estimate)? / reach;
        Some((libm::log(estimate.value), 1.0 / (error * error)))
    };
    let weighted: Vec<(f64, f64)> = estimates.iter().map(weighted).collect::<Option<_>>()?;
    let weight: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let logarithm = weighted.iter().map(|(x, weight)| x * weight).sum::<f64>() / weight;
    let square = |(x, weight): &(f64, f64)| weight * (x - logarithm) * (x - logarithm);
    let scatter = weighted.iter().map(square).sum();
    Some(Pooled {
        estimate: of_logarithm(logarithm, reach / libm::sqrt(weight)),
        p: chi_square_tail(scatter, estimates.len() as u64 - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate::within(value, [low, high])
    }

    /// The expected numbers are NumPy's and SciPy's (`stats.norm`, `stats.chi2`), from the
    /// formulas.
    #[test]
    fn ratios_and_pooled_values_are_those_of_scipy() {
        let factor = ratio(
            &estimate(48_400.0, 42_900.0, 54_600.0),
            &estimate(34_000.0, 30_000.0, 38_500.0),
        )
        .expect("both have intervals");
        assert!((factor.value - 1.423_529).abs() < 1e-6);
        assert!((factor.low - 1.196_802).abs() < 1e-5, "{factor:?}");
        assert!((factor.high - 1.693_209).abs() < 1e-5);
        let factors = [
            estimate(1.2, 1.0, 1.44),
            estimate(0.9, 0.75, 1.08),
            estimate(1.5, 1.2, 1.875),
        ];
        let Pooled { estimate, p } = pooled(&factors).expect("three");
        assert!((estimate.value - 1.139_195).abs() < 1e-5, "{estimate:?}");
        assert!((estimate.low - 1.018_868).abs() < 1e-5);
        assert!((estimate.high - 1.273_732).abs() < 1e-5);
        assert!((p - 0.001_862).abs() < 1e-5, "{p}");
    }

    #[test]
    fn what_has_no_interval_has_no_ratio() {
        let known = estimate(2.0, 1.0, 4.0);
        let unknown = estimate(2.0, 0.0, f64::INFINITY);
        assert_eq!(ratio(&known, &unknown), None);
        assert_eq!(pooled(&[known]), None);
        assert_eq!(pooled(&[known, unknown]), None);
    }
}
