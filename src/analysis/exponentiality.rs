//! How far run lengths are from exponential ones: the Weibull shape, which admits trials cut off.

use super::distribution::NORMAL_975;
use super::mean::{Estimate, Interval};
use super::survival::Observed;

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

/// The shape k of the Weibull law S(t) = exp(−(t/λ)^k): 1 is exponential, below 1 the hazard falls
/// (restarts may help), above 1 it rises. The interval is k · exp(±1.96 se), se from the observed
/// information of ln k.
///
/// Of maximum likelihood: the root of 1/k + Σ_events ln tᵢ / d − Σ tᵢ^k ln tᵢ / Σ tᵢ^k, over all
/// trials, those cut off with the time at which they were. `None` with fewer than two events or
/// when all logarithms are one.
pub fn weibull_shape(observed: &[Observed]) -> Option<Estimate> {
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
    // Information of k, with the scale profiled out: d (1/k² + Var_w l); of ln k: k² times that.
    let information = sums.events * (1.0 + shape * shape * sums.log_variance);
    let factor = libm::exp(NORMAL_975 / information.sqrt());
    Some(Estimate {
        value: shape,
        interval: Interval::within_factor(shape, factor),
    })
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

    /// lifelines' `WeibullFitter` with and without censoring, and SciPy's `weibull_min.fit`, by
    /// tests/reference/statistics.py.
    #[test]
    fn shape_and_interval_are_lifelines() {
        for (trials, (shape, low, high)) in remission().iter().zip(LIFELINES_SHAPES) {
            let found = weibull_shape(trials).expect("there are events");
            for (found, expected) in [
                (found.value, shape),
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

    #[test]
    fn too_little_says_nothing() {
        let trial = |value, cut_off| Observed { value, cut_off };
        assert_eq!(weibull_shape(&[trial(5, true)]), None);
        assert_eq!(weibull_shape(&[trial(5, false), trial(9, true)]), None);
        assert_eq!(weibull_shape(&[trial(5, false), trial(5, false)]), None);
        assert!(
            weibull_shape(&[trial(0, false), trial(5, false), trial(9, false)]).is_some(),
            "a start that is a solution"
        );
    }

    const LIFELINES_SHAPES: [(f64, f64, f64); 2] = [
        (1.353734512947583, 0.7844419393725314, 2.3361794411595445),
        (1.3704998467369731, 0.9752913743404132, 1.9258550617002386),
    ];
}
