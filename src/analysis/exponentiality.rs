//! How far run lengths are from exponential ones: the Weibull shape, and a score test that admits
//! trials cut off.

use super::distribution::{NORMAL_975, normal_two_sided};
use super::mean::Interval;
use super::survival::Observed;

/// The shape k of the Weibull law S(t) = exp(−(t/λ)^k): 1 is exponential, below 1 the hazard falls
/// (restarts may help), above 1 it rises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeibullShape {
    pub shape: f64,
    /// shape · exp(±1.96 se), se from the observed information of ln k.
    pub interval: Interval,
}

/// Score test of k = 1 against other Weibull shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreTest {
    /// Standard normal if times are exponential; positive when the hazard rises.
    pub z: f64,
    /// Two-sided.
    pub p: f64,
}

/// A time of 0 has no logarithm and counts as half an update.
const LEAST_TIME: f64 = 0.5;

/// Sums over trials at the shape k, of times divided by the largest: d events, weights wᵢ = tᵢ^k,
/// logarithms lᵢ ≤ 0.
struct Sums {
    events: f64,
    /// Σ l over events.
    event_logs: f64,
    /// Σ w l / Σ w
    mean_log: f64,
    /// Σ w l² / Σ w − (Σ w l / Σ w)²
    log_variance: f64,
}

impl WeibullShape {
    /// The maximum-likelihood shape: the root of 1/k + Σ_events ln tᵢ / d − Σ tᵢ^k ln tᵢ / Σ tᵢ^k,
    /// over all trials, those cut off with the time at which they were. `None` with fewer than two
    /// events or when all logarithms are one.
    pub fn of(observed: &[Observed]) -> Option<Self> {
        let logs = logarithms(observed);
        let slope = |shape: f64| {
            let sums = Sums::of(observed, &logs, shape);
            1.0 / shape + sums.event_logs / sums.events - sums.mean_log
        };
        let first = Sums::of(observed, &logs, 1.0);
        if first.events < 2.0 || first.log_variance <= 0.0 {
            return None;
        }
        // The slope falls with k: bracket its root, then halve on the logarithm.
        let (mut low, mut high) = (1e-3, 1e3);
        if slope(low) < 0.0 || slope(high) > 0.0 {
            return None;
        }
        while high / low > 1.0 + 1e-14 {
            let middle = (low * high).sqrt();
            if middle <= low || middle >= high {
                break;
            }
            if slope(middle) > 0.0 {
                low = middle
            } else {
                high = middle
            }
        }
        let shape = (low * high).sqrt();
        let sums = Sums::of(observed, &logs, shape);
        // Information of k, with the scale profiled out: d (1/k² + Var_w l); of ln k: k² times
        // that.
        let information = sums.events * (1.0 + shape * shape * sums.log_variance);
        let factor = libm::exp(NORMAL_975 / information.sqrt());
        Some(Self {
            shape,
            interval: Interval::within_factor(shape, factor),
        })
    }
}

impl ScoreTest {
    /// z = U / √I with U = d + Σ_events ln tᵢ − d Σ tᵢ ln tᵢ / Σ tᵢ and I = d (1 + Σ tᵢ ln² tᵢ / Σ
    /// tᵢ − (Σ tᵢ ln tᵢ / Σ tᵢ)²): the score and the observed information of the Weibull shape at 1
    /// with the scale profiled out. `None` without events.
    ///
    /// Source: Cox and Oakes, Analysis of Survival Data (1984), section 3.7.
    pub fn of(observed: &[Observed]) -> Option<Self> {
        let sums = Sums::of(observed, &logarithms(observed), 1.0);
        if sums.events == 0.0 {
            return None;
        }
        let score = sums.events + sums.event_logs - sums.events * sums.mean_log;
        let z = score / (sums.events * (1.0 + sums.log_variance)).sqrt();
        Some(Self {
            z,
            p: normal_two_sided(z),
        })
    }
}

impl Sums {
    fn of(observed: &[Observed], logs: &[f64], shape: f64) -> Self {
        let mut sums = [0.0; 5];
        for (trial, &log) in observed.iter().zip(logs) {
            let weight = libm::exp(shape * log);
            let event = f64::from(u8::from(!trial.cut_off));
            for (sum, term) in
                sums.iter_mut()
                    .zip([event, event * log, weight, weight * log, weight * log * log])
            {
                *sum += term;
            }
        }
        let [events, event_logs, weights, first, second] = sums;
        let mean_log = first / weights;
        Self {
            events,
            event_logs,
            mean_log,
            log_variance: second / weights - mean_log * mean_log,
        }
    }
}

/// ln (tᵢ / largest t), at most 0, so that no power overflows; the scale does not matter to the
/// shape.
fn logarithms(observed: &[Observed]) -> Vec<f64> {
    let largest = observed
        .iter()
        .map(|trial| trial.value)
        .max()
        .unwrap_or_default() as f64;
    let log = |trial: &Observed| {
        libm::log((trial.value as f64).max(LEAST_TIME) / largest.max(LEAST_TIME))
    };
    observed.iter().map(log).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::survival::tests::remission;
    use crate::analysis::synthetic::Draws;

    /// lifelines' `WeibullFitter` with and without censoring, and SciPy's `weibull_min.fit`, by
    /// tests/reference/statistics.py.
    #[test]
    fn shape_and_interval_are_lifelines() {
        for (trials, (shape, low, high)) in remission().iter().zip(LIFELINES_SHAPES) {
            let found = WeibullShape::of(trials).expect("there are events");
            for (found, expected) in [
                (found.shape, shape),
                (found.interval.low, low),
                (found.interval.high, high),
            ] {
                assert!(
                    (found / expected - 1.0).abs() < 1e-5,
                    "{found} instead of {expected}"
                );
            }
        }
    }

    /// The score and information by numerical derivatives of the Weibull log-likelihood in NumPy,
    /// by tests/reference/statistics.py.
    #[test]
    fn score_is_the_likelihoods() {
        for (trials, expected) in remission().iter().zip(NUMPY_SCORES) {
            let found = ScoreTest::of(trials).expect("there are events").z;
            assert!(
                (found - expected).abs() < 1e-5,
                "{found} instead of {expected}"
            );
        }
    }

    #[test]
    fn too_little_says_nothing() {
        let trial = |value, cut_off| Observed { value, cut_off };
        assert_eq!(ScoreTest::of(&[trial(5, true)]), None);
        assert_eq!(WeibullShape::of(&[trial(5, false), trial(9, true)]), None);
        assert_eq!(WeibullShape::of(&[trial(5, false), trial(5, false)]), None);
        assert!(
            WeibullShape::of(&[trial(0, false), trial(5, false), trial(9, false)]).is_some(),
            "a start that is a solution"
        );
    }

    /// Exponential times, 30 % cut off: the test rejects at 5 % with probability 0.05, and the
    /// shape's interval covers 1 with 0.95. n = 2000 samples of 200; thresholds 0.05 ± 0.02 (4.1
    /// standard errors, a false failure in 20 000; the asymptotic law itself is off by less than
    /// 0.005).
    #[test]
    fn level_and_coverage_hold_under_censoring() {
        let mut draws = Draws::new(4);
        let (mut alarms, mut misses) = (0, 0);
        for _ in 0..2000 {
            let cutoff = 1_203_973;
            let trial = |time: u64| Observed {
                value: time.min(cutoff),
                cut_off: time > cutoff,
            };
            let trials: Vec<Observed> = (0..200).map(|_| trial(draws.exponential(1e6))).collect();
            alarms += u32::from(ScoreTest::of(&trials).expect("there are events").p < 0.05);
            let Interval { low, high } = WeibullShape::of(&trials)
                .expect("there are events")
                .interval;
            misses += u32::from(!(low..=high).contains(&1.0));
        }
        assert!((60..=140).contains(&alarms), "{alarms} of 2000 tests alarm");
        assert!(
            (60..=140).contains(&misses),
            "{misses} of 2000 intervals miss"
        );
    }

    const LIFELINES_SHAPES: [(f64, f64, f64); 2] = [
        (1.353734512947583, 0.7844419393725314, 2.3361794411595445),
        (1.3704998467369731, 0.9752913743404132, 1.9258550617002386),
    ];
    const NUMPY_SCORES: [f64; 2] = [0.9355441715115619, 1.5525858932035153];
}
