//! What the tests of a point could have found: the factor between two means that the test which was
//! made finds with a probability of 80 %. The probability, the greatest factor that is said (10),
//! and when no test can tell anything, are here; the sentence is in `src/cli/diff/verdict.rs`.

use super::end_point::{EndPoint, EndPointTest, LOG_RANK};
use super::two_sample::separated;
use super::{ALPHA, Design, Difference};
use crate::analysis::distribution::{crossing, normal_quantile, student_quantile};

/// The probability with which a factor is found that is said to be visible.
pub const POWER: f64 = 0.8;

/// The end points of which it is said what would have been found: one that is often studied, and
/// one that scatters little.
pub const SEEN_BY: [EndPoint; 2] = [EndPoint::AbsorptionTime, EndPoint::UpdatesPerMove];

/// Greater factors are not said to be visible: no change of code that would need a test is so
/// large, and the approximations hold below.
const MOST_FACTOR: f64 = 10.0;

/// What the tests of a point, at the level of so many tests together, could have found.
#[derive(Debug, Clone, PartialEq)]
pub enum Sight {
    /// The least factor between two means of each of some end points that is found with the
    /// probability [`POWER`]; at least one of all end points has one, or is of values of which no
    /// factor tells anything, as negative ones.
    Factors(Vec<(EndPoint, f64)>),
    /// No test can reach its level: with so few trials, even if all rows differed.
    FewTrials,
    /// No test can reach its level: so few of the rows differ.
    FewRows,
}

impl Difference {
    /// What would have been found here by `tests` tests together.
    pub fn sight(&self, tests: usize) -> Sight {
        let level = ALPHA / tests as f64;
        let factors = |differing: usize| -> Vec<(EndPoint, f64)> {
            let tests = self.tests.iter();
            let factor =
                |test: &EndPointTest| Some((test.end_point, self.factor(test, level, differing)?));
            tests.filter_map(factor).collect()
        };
        let found = factors(self.differing);
        if !found.is_empty() {
            let shown = found.into_iter().filter(|shown| SEEN_BY.contains(&shown.0));
            return Sight::Factors(shown.collect());
        }
        let has_no_factor = |test: &EndPointTest| {
            let is_own = matches!(test.end_point, EndPoint::Own(_));
            is_own && (test.ratio.is_none() || test.spread.is_nan())
        };
        let can_reach = self.design == Design::Pairs || separated(self.trials) <= level;
        if can_reach && self.tests.iter().any(has_no_factor) {
            return Sight::Factors(Vec::new());
        }
        let is_by_rows = self.design == Design::Pairs && !factors(self.common).is_empty();
        if is_by_rows {
            Sight::FewRows
        } else {
            Sight::FewTrials
        }
    }

    /// The factor that one test finds at this level with so many differing pairs.
    fn factor(&self, test: &EndPointTest, level: f64, differing: usize) -> Option<f64> {
        let [a, b] = self.trials;
        let factor = match self.design {
            Design::Pairs => factor_of_pairs([differing, a], level, test.spread),
            Design::Samples if separated(self.trials) > level => None,
            Design::Samples if test.method == LOG_RANK => factor_of_log_rank([a, b], level),
            Design::Samples => factor_of_ranks([a, b], level, test.spread),
        };
        factor.filter(|factor| test.are_bounds == [false; 2] && *factor <= MOST_FACTOR)
    }
}

/// The sum of two normal quantiles: of the level of a two-sided test, and of [`POWER`].
fn normal_reach(level: f64) -> f64 {
    normal_quantile(POWER) - normal_quantile(level / 2.0)
}

/// The factor between the means that Student's test of the differences within pairs, of which k of
/// m differ, finds with probability [`POWER`] at this level. `variation` is the coefficient of
/// variation of a side's values. `None` where no factor is large enough.
///
/// Differing pairs are taken as independent, and the values of B as a factor g of those like A's:
/// their difference has the mean (g − 1) μ and the variance c² μ² (1 + g²). With the zeros of equal
/// pairs t² ≈ (m − 1) k (g − 1)² / (m c² (1 + g²) + (m − k) (g − 1)²), which has to be q², q the
/// sum of the quantiles of Student's t of level and power with k − 1 degrees of freedom. Of all
/// pairs the means then differ by the factor 1 + (g − 1) k / m.
fn factor_of_pairs([k, m]: [usize; 2], level: f64, variation: f64) -> Option<f64> {
    let freedom = k.checked_sub(1).filter(|freedom| *freedom > 0)? as u64;
    let k = k as f64;
    let m = m as f64;
    let q = student_quantile(1.0 - level / 2.0, freedom) + student_quantile(POWER, freedom);
    let rest = (m - 1.0) * k - q * q * (m - k);
    // (g − 1)² / (1 + g²), which is below 1 for every g.
    let square = (variation * q) * (variation * q) * m / rest;
    if rest <= 0.0 || square >= 1.0 || square.is_nan() {
        return None;
    }
    let half = 1.0 - square;
    let of_differing = (1.0 + (1.0 - half * half).sqrt()) / half;
    Some(1.0 + k / m * (of_differing - 1.0))
}

/// The factor between two log-normal distributions that Mann and Whitney's test finds; `deviation`
/// is the standard deviation of the logarithms of either.
///
/// z ≈ (P − ½) √(12 m₁ m₂ / (m₁ + m₂ + 1)), P = Φ(ln f / (√2 deviation)) the probability that a
/// value of B is the larger one. Source: Noether, J. Am. Stat. Assoc. 82 (1987) 645.
fn factor_of_ranks(sizes: [usize; 2], level: f64, deviation: f64) -> Option<f64> {
    let [a, b] = sizes.map(|size| size as f64);
    let excess = normal_reach(level) / (12.0 * a * b / (a + b + 1.0)).sqrt();
    let is_possible = excess < 0.5 && deviation.is_finite();
    is_possible.then(|| {
        let reach = std::f64::consts::SQRT_2 * normal_quantile(0.5 + excess);
        libm::exp(deviation * reach)
    })
}

/// The factor between the means of exponential times, none of them cut off, that the log-rank test
/// finds: where its expected excess is so many standard deviations as level and power ask for.
fn factor_of_log_rank(sizes: [usize; 2], level: f64) -> Option<f64> {
    let reach = normal_reach(level);
    let is_below = |log: f64| expected_log_rank(sizes, libm::exp(log)) < reach;
    let most = libm::log(MOST_FACTOR);
    (!is_below(most)).then(|| libm::exp(crossing((0.0, most), 1e-4, is_below)))
}

/// The expected excess of events of A over its standard deviation, if the times of A and B are
/// exponential with the means 1 and `factor`.
///
/// With u = e^(−t) there are a = m₁ u trials of A at risk and b = m₂ u^(1/f) of B; the excess is
/// ∫ a b (1 − 1/f) / (a + b) dt, its variance ∫ (a + b / f) a b / (a + b)² dt, dt = du / u.
fn expected_log_rank(sizes: [usize; 2], factor: f64) -> f64 {
    const STEPS: usize = 200;
    let mut excess = 0.0;
    let mut variance = 0.0;
    for step in 0..STEPS {
        let u = (step as f64 + 0.5) / STEPS as f64;
        let a = sizes[0] as f64 * u;
        let b = sizes[1] as f64 * libm::pow(u, 1.0 / factor);
        let share = a * b / (a + b) / u / STEPS as f64;
        excess += share * (1.0 - 1.0 / factor);
        variance += share * (a + b / factor) / (a + b);
    }
    excess / variance.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::assert_close;

    /// SciPy, by tests/reference/power.py, which also measures that the tests find them: in 79 to
    /// 98 of 100 simulated comparisons.
    #[test]
    fn factors_are_scipys() {
        let found = [
            factor_of_pairs([60, 60], ALPHA / 4.0, 1.0),
            factor_of_pairs([20, 20], ALPHA / 4.0, 0.2),
            factor_of_pairs([30, 60], ALPHA / 8.0, 1.0),
            factor_of_pairs([100, 100], ALPHA / 100.0, 1.0),
            factor_of_ranks([60, 60], ALPHA / 4.0, 0.2),
            factor_of_ranks([20, 100], ALPHA / 8.0, 0.2),
            factor_of_ranks([30, 30], ALPHA / 4.0, 1.28),
        ];
        let scipy = [
            1.9947866987573977,
            1.26822041623261,
            3.2613107773960723,
            1.9981701207693434,
            1.1384915449021478,
            1.2144255334192349,
            3.40912475714728,
        ];
        assert_close(&found.map(Option::unwrap_or_default), &scipy, 1e-9);
        let log_rank = [([12, 12], 4.0), ([60, 60], 4.0), ([20, 100], 8.0)];
        let log_rank = log_rank.map(|(sizes, tests)| factor_of_log_rank(sizes, ALPHA / tests));
        let scipy = [4.884339575656748, 1.8735757373726785, 2.4145250061526897];
        assert_close(&log_rank.map(Option::unwrap_or_default), &scipy, 5e-3);
    }

    /// Two pairs of 60 give t² of at most 2.03; five pairs whose values scatter as exponential ones
    /// a non-centrality of at most √5; four trials against four no p below 0.0067.
    #[test]
    fn what_no_factor_is_large_enough_for_has_none() {
        assert_eq!(factor_of_pairs([2, 60], ALPHA, 1.0), None);
        assert_eq!(factor_of_pairs([1, 60], ALPHA, 1.0), None);
        assert_eq!(factor_of_pairs([5, 5], ALPHA / 4.0, 1.0), None);
        assert_eq!(factor_of_pairs([5, 5], ALPHA / 4.0, f64::NAN), None);
        assert_eq!(factor_of_ranks([4, 4], ALPHA / 8.0, 1.0), None);
        assert_eq!(factor_of_log_rank([4, 4], ALPHA / 8.0), None);
    }
}
