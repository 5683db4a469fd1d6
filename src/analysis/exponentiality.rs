//! How far run lengths are from exponential ones: the Weibull shape, which admits trials cut off.

use super::distribution::{NORMAL_975, crossing};
use super::mean::{Estimate, Interval};
use super::quantile::Bounded;

/// A time of 0 has no logarithm and counts as half an update.
const LEAST_TIME: f64 = 0.5;

/// The shape k of the Weibull law S(t) = exp(−(t/λ)^k): 1 is exponential, below 1 the hazard falls
/// (restarts may help), above 1 it rises. The interval is k · exp(±1.96 se), se from the observed
/// information of ln k.
///
/// Of maximum likelihood: the root of 1/k + Σ_events ln tᵢ / d − Σ tᵢ^k ln tᵢ / Σ tᵢ^k, over all
/// trials, those cut off with the time at which they were. `None` with fewer than two events or
/// when all logarithms are one.
pub fn weibull_shape(observed: &[Bounded]) -> Option<Estimate> {
    // Of times over the largest, so that no power overflows; the scale does not matter.
    let time = |trial: &Bounded| (trial.value as f64).max(LEAST_TIME);
    let largest = observed.iter().map(time).max_by(f64::total_cmp)?;
    let log = |trial| libm::log(time(trial) / largest);
    let logs: Vec<f64> = observed.iter().map(log).collect();
    let ended = || observed.iter().zip(&logs).filter(|it| !it.0.at_least);
    let events = ended().count() as f64;
    let mean_log = ended().map(|it| it.1).sum::<f64>() / events;
    // Σ w l / Σ w and Σ w l² / Σ w with the weights w = t^k of the logarithms l.
    let moments = |shape: f64| {
        let [mut weights, mut first, mut second] = [0.0; 3];
        for log in &logs {
            let weight = libm::exp(shape * log);
            weights += weight;
            first += weight * log;
            second += weight * log * log;
        }
        [first / weights, second / weights]
    };
    let log_variance = |shape: f64| {
        let [first, second] = moments(shape);
        second - first * first
    };
    let slope = |shape: f64| 1.0 / shape + mean_log - moments(shape)[0];
    let (least, greatest) = (1e-3, 1e3);
    let is_known = events >= 2.0 && log_variance(1.0) > 0.0;
    if !is_known || slope(least) < 0.0 || slope(greatest) > 0.0 {
        return None;
    }
    // The slope falls with k.
    let ends = (libm::log(least), libm::log(greatest));
    let shape = libm::exp(crossing(ends, 1e-14, |log| slope(libm::exp(log)) > 0.0));
    // Information of k, with the scale profiled out: d (1/k² + Var_w l); of ln k: k² times that.
    let information = events * (1.0 + shape * shape * log_variance(shape));
    let factor = libm::exp(NORMAL_975 / information.sqrt());
    Some(Estimate {
        value: shape,
        interval: Interval::within_factor(shape, factor),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, remission};

    /// lifelines' `WeibullFitter` with and without censoring, and SciPy's `weibull_min.fit`, by
    /// tests/reference/statistics.py.
    #[test]
    fn shape_and_interval_are_lifelines() {
        let shapes = remission().map(|trials| {
            let Estimate { value, interval } = weibull_shape(&trials).expect("there are events");
            [value, interval.low, interval.high]
        });
        let lifelines = [
            [1.353734512947583, 0.7844419393725314, 2.3361794411595445],
            [1.3704998467369731, 0.9752913743404132, 1.9258550617002386],
        ];
        assert_close(shapes.as_flattened(), lifelines.as_flattened(), 1e-5);
    }

    #[test]
    fn too_little_says_nothing() {
        let trial = |value, at_least| Bounded { value, at_least };
        for too_little in [
            &[trial(5, true)][..],
            &[trial(5, false), trial(9, true)],
            &[trial(5, false), trial(5, false)],
        ] {
            assert_eq!(weibull_shape(too_little), None);
        }
        let start = [trial(0, false), trial(5, false), trial(9, false)];
        assert!(
            weibull_shape(&start).is_some(),
            "a start that is a solution"
        );
    }
}
