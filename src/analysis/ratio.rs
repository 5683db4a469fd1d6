//! Ratios of sums over trials: shares of events, rates, survival of pooled waits.

use super::mean::{Estimate, Interval, Mean};

/// Σ a / Σ b over trials, each with its pair (a, b) of numbers ≥ 0; `None` where Σ b = 0.
///
/// Trials are independent, what is counted within one is not: the standard error is that of the
/// linearised ratio, `√(m / (m − 1) · Σ (a − ratio · b)²) / Σ b`, and the interval is the t
/// interval of the logarithm with m − 1 degrees of freedom. A ratio of 0 has no scatter to judge
/// by: its interval is 0. Source: Cochran, Sampling Techniques (1977), section 2.11.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let ratio = ratio_of_sums(pairs)?;
    let interval = if ratio.trials == 1 {
        Interval {
            low: 0.0,
            high: f64::INFINITY,
        }
    } else {
        ratio.interval()
    };
    Some(Estimate {
        value: ratio.value,
        interval,
    })
}

/// [`ratio`] with its standard error, infinite for a single trial.
pub fn ratio_of_sums(pairs: &[(f64, f64)]) -> Option<Mean> {
    let (above, below) = pairs
        .iter()
        .fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
    if below <= 0.0 {
        return None;
    }
    let value = above / below;
    let squares: f64 = pairs
        .iter()
        .map(|(a, b)| (a - value * b) * (a - value * b))
        .sum();
    let trials = pairs.len() as f64;
    let standard_error = if pairs.len() == 1 {
        f64::INFINITY
    } else {
        (trials / (trials - 1.0) * squares).sqrt() / below
    };
    Some(Mean {
        value,
        standard_error,
        trials: pairs.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::Draws;

    /// With b = 1 throughout it is the mean.
    #[test]
    fn of_ones_it_is_the_mean() {
        let values = [3, 141, 59, 26, 535, 897];
        let pairs = values.map(|value| (value as f64, 1.0));
        let (mean, found) = (Mean::of(&values), ratio(&pairs).expect("a ratio"));
        assert!((found.value / mean.value - 1.0).abs() < 1e-12);
        assert!((found.interval.low / mean.interval().low - 1.0).abs() < 1e-9);
        assert!((found.interval.high / mean.interval().high - 1.0).abs() < 1e-9);
        assert_eq!(ratio(&[(0.0, 0.0)]), None);
        assert_eq!(
            ratio(&[(0.0, 2.0), (0.0, 1.0)]).map(|it| it.value),
            Some(0.0)
        );
    }

    /// Trials with weights of their own, a = b · (0 or 1), n = 100 in each of 2000 samples: the
    /// interval holds the true 0.3 with probability near 0.95. Threshold 0.93 to 0.97: at 0.945 a
    /// false failure has a probability below 0.01 (fixed seed).
    #[test]
    fn the_interval_covers_a_clustered_share() {
        let mut draws = Draws::new(14);
        let mut holds = || {
            let trial = |draws: &mut Draws| {
                let weight = 1.0 + draws.exponential(50.0) as f64;
                // An exponential time is below 0.3567 means with probability 0.3.
                let is_in = draws.exponential(1e6) < 356_675;
                (f64::from(u8::from(is_in)) * weight, weight)
            };
            let pairs: Vec<(f64, f64)> = (0..100).map(|_| trial(&mut draws)).collect();
            ratio(&pairs).is_some_and(|it| it.interval.contains(0.3))
        };
        let share = (0..2000).filter(|_| holds()).count() as f64 / 2000.0;
        assert!((0.93..0.97).contains(&share), "{share}");
    }
}
