//! How long trials will take, from how long earlier ones took.

use std::collections::BTreeSet;

use serde::Serialize;

use super::mean::{Estimate, Interval, Mean};
use super::regression::Growth;
use crate::solver::{Point, Value};

/// Earlier trials of one point under one code version, all of them as long as they would be under
/// the cutoff in question.
#[derive(Debug, Clone, PartialEq)]
pub struct PastTrials {
    pub point: Point,
    /// `None`: the present one.
    pub code_version: Option<String>,
    /// Wall-clock nanoseconds of a trial.
    pub mean: Mean,
    /// The factor by which the interval is wider: above 1 where another kind of processor ran them.
    pub doubt: f64,
}

/// What a forecast rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Basis {
    /// Trials of the same point under the present code version.
    SameCode { trials: u64 },
    /// Trials of the same point under another code version.
    OtherCode { code_version: String, trials: u64 },
    /// Growth per row fitted to these board sides, continued from the nearest one.
    Growth { sides: Vec<u64> },
    /// The point of the same algorithm and board side whose other axes are nearest.
    Nearest { point: String },
}

/// Seconds that so many trials will take, added up over threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    pub seconds: f64,
    /// 95 %, if the machine is as busy as it was: trials differ, and their mean is known from a
    /// sample.
    pub interval: Interval,
    pub basis: Basis,
}

/// The seconds of `trials` trials at `point` by earlier ones, of which those of the latest code
/// version come last; `None` where they do not say it.
pub fn forecast(earlier: &[&PastTrials], point: &Point, trials: u64) -> Option<Forecast> {
    let Some(PastTrials {
        code_version,
        mean,
        doubt,
        ..
    }) = at(earlier, point)
    else {
        return by_growth(earlier, point, trials).or_else(|| by_nearest(earlier, point, trials));
    };
    Some(Forecast {
        seconds: total(mean.value, trials),
        interval: scatter(mean, trials).wider(*doubt),
        basis: match code_version.clone() {
            None => Basis::SameCode {
                trials: mean.trials,
            },
            Some(code_version) => Basis::OtherCode {
                code_version,
                trials: mean.trials,
            },
        },
    })
}

/// The most trials of `point` under the present code version, else those under the latest other
/// one.
fn at<'a>(earlier: &[&'a PastTrials], point: &Point) -> Option<&'a PastTrials> {
    let own = earlier.iter().filter(|it| it.point == *point);
    own.max_by_key(|it| it.code_version.is_none().then_some(it.mean.trials))
        .copied()
}

/// ln seconds as a straight line in n over the other sides, from the nearest of them on.
fn by_growth(earlier: &[&PastTrials], point: &Point, trials: u64) -> Option<Forecast> {
    let n = point.integer("n")? as f64;
    let sides: BTreeSet<u64> = earlier
        .iter()
        .filter_map(|it| it.point.integer("n"))
        .collect();
    let measured = |n: u64| {
        let record = at(earlier, &point.with("n", Value::Integer(n)))?;
        Some((n as f64, record.mean))
    };
    let means: Vec<(f64, Mean)> = sides.into_iter().filter_map(measured).collect();
    let growth = Growth::fit(&means)?;
    let distance = |it: &&(f64, Mean)| (it.0 - n).abs();
    let nearest = means.iter();
    let nearest = nearest.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let &(nearest, mean) = nearest?;
    let ahead = |factor: f64| total(mean.value, trials) * libm::pow(factor, n - nearest);
    let Estimate { value, interval } = growth.factor();
    let (one, other) = (ahead(interval.low), ahead(interval.high));
    Some(Forecast {
        seconds: ahead(value),
        interval: Interval {
            low: one.min(other),
            high: one.max(other),
        },
        basis: Basis::Growth {
            sides: means.iter().map(|&(n, _)| n as u64).collect(),
        },
    })
}

/// The mean of the nearest point with the same board side. A time changes about as ε^(−3/2) below
/// the best ε, so the interval reaches as far to both sides as that does between the two points, at
/// least by a factor of 2.
fn by_nearest(earlier: &[&PastTrials], point: &Point, trials: u64) -> Option<Forecast> {
    let known = earlier.iter();
    let known = known.filter_map(|it| Some((distance(point, &it.point)?, it)));
    let (distance, nearest) = known.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let seconds = total(nearest.mean.value, trials);
    let factor = libm::exp(1.5 * distance).max(2.0);
    Some(Forecast {
        seconds,
        interval: Interval::within_factor(seconds, factor * nearest.doubt),
        basis: Basis::Nearest {
            point: nearest.point.to_string(),
        },
    })
}

/// How far two points of one algorithm and board side are from each other: the sum of the
/// logarithms of the ratios on their other axes.
fn distance(a: &Point, b: &Point) -> Option<f64> {
    /// Between 0 and any other value.
    const OF_ZERO: f64 = 3.0;
    let kind = |it: &Point| {
        (
            it.algorithm.clone(),
            it.variant.clone(),
            it.goal,
            it.integer("n"),
        )
    };
    if kind(a) != kind(b) || a.axes.count() != b.axes.count() {
        return None;
    }
    let mut sum = 0.0;
    for (name, value) in a.axes.by_name() {
        let ratio = value.number() / b.axes.get(name)?.number();
        sum += match libm::log(ratio).abs() {
            logarithm if logarithm.is_finite() => logarithm,
            // Both are 0, or one of them is.
            _ if ratio.is_nan() => 0.0,
            _ => OF_ZERO,
        };
    }
    Some(sum)
}

/// Seconds of `trials` trials of this mean in nanoseconds.
fn total(mean: f64, trials: u64) -> f64 {
    mean * 1e-9 * trials as f64
}

/// total · exp(± t · r √(1 + m / trials)), r the relative standard error of the mean of the m
/// earlier trials: the error of their mean and the scatter of the new ones about it.
fn scatter(mean: &Mean, trials: u64) -> Interval {
    let seconds = total(mean.value, trials);
    let relative = mean.standard_error / mean.value;
    if mean.trials < 2 || relative.is_nan() {
        return Interval::UNKNOWN;
    }
    let both = (1.0 + mean.trials as f64 / trials as f64).sqrt();
    Interval::of_logarithm(seconds, relative * both, mean.trials - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, cell_key, pair_key};

    /// Trials of a point that took these seconds, under a code version.
    fn past((point, version, seconds): (Point, Option<&str>, &[f64])) -> PastTrials {
        let nanoseconds = seconds.iter().map(|seconds| (seconds * 1e9) as u64);
        PastTrials {
            point,
            code_version: version.map(str::to_owned),
            mean: Mean::of(&nanoseconds.collect::<Vec<_>>()),
            doubt: 1.0,
        }
    }

    /// Mean 2 s of two trials, relative standard error 1/2; t(1) = 12.7062, √(1 + 2/8) = 1.118: by
    /// hand 16 s · e^(±7.10298). One trial says nothing of the scatter.
    #[test]
    fn the_same_point_under_the_present_code_comes_first() {
        let key = pair_key(8, 0.01);
        let [present, old, older] = [
            (key.clone(), None, &[1.0, 3.0][..]),
            (key.clone(), Some("old"), &[9.0]),
            (key.clone(), Some("older"), &[7.0]),
        ]
        .map(past);
        let found = forecast(&[&present, &old, &older], &key, 8).expect("there is a record");
        assert_eq!(found.basis, Basis::SameCode { trials: 2 });
        let logarithm = libm::log(found.interval.high / 16.0);
        assert_close(&[found.seconds, logarithm], &[16.0, 7.102984], 1e-6);
        let found = forecast(&[&old, &older], &key, 8).expect("a record");
        let (code_version, trials) = ("older".to_owned(), 1);
        let other = Basis::OtherCode {
            code_version,
            trials,
        };
        assert_eq!((found.basis, found.interval), (other, Interval::UNKNOWN));
    }

    /// The forecast comes from the nearest side that is known, by the growth of all: here the last
    /// side lies above the line through them. The growth by hand: ln 1, 4, 16, 128 have the slope
    /// (ln 16 − ln 4 + 3 ln 128) / 10, since all errors are alike.
    #[test]
    fn other_sides_foretell_by_their_growth_from_the_nearest() {
        let record = |(n, seconds): (u32, f64)| {
            let about = [0.9 * seconds, 1.1 * seconds];
            past((cell_key(n, 0.1, 0.1), Some("old"), &about))
        };
        let records = [(5, 1.0), (6, 4.0), (7, 16.0), (8, 128.0)].map(record);
        let records = records.each_ref();
        let factor = libm::exp((libm::log(4.0) + 3.0 * libm::log(128.0)) / 10.0);
        for (n, expected) in [(9, 128.0 * factor), (4, 1.0 / factor)] {
            let forecast = forecast(&records, &cell_key(n, 0.1, 0.1), 1).expect("four sides");
            assert_close(&[forecast.seconds], &[expected], 1e-6);
            let sides = vec![5, 6, 7, 8];
            assert_eq!(forecast.basis, Basis::Growth { sides });
            assert!(forecast.interval.contains(expected));
        }
        assert_eq!(forecast(&records, &cell_key(10, 0.2, 0.1), 1000), None);
    }

    /// The nearest point at the same side counts, with a wide interval.
    #[test]
    fn a_new_value_of_epsilon_takes_about_as_long_as_the_nearest() {
        let of = |epsilon: f64, seconds: f64| past((pair_key(8, epsilon), None, &[seconds]));
        let known = [of(0.01, 5.0), of(0.05, 2.0), of(0.4, 16.0)];
        let known = known.each_ref();
        let found = forecast(&known, &pair_key(8, 0.2), 10).expect("the side is known");
        // 0.2 is nearer to 0.4 than to 0.05, by factors of 2 and 4: e^(1.5 ln 2) = 2.828.
        let Interval { low, high } = found.interval;
        let factor = 2.0 * 2.0_f64.sqrt();
        assert_close(
            &[found.seconds, low, high],
            &[160.0, 160.0 / factor, 160.0 * factor],
            1e-9,
        );
        assert_eq!(forecast(&known, &pair_key(9, 0.2), 10), None);
        let with_zero = past((cell_key(8, 0.1, 0.0), None, &[3.0]));
        let found = forecast(&[&with_zero], &cell_key(8, 0.1, 0.1), 1).expect("the side is known");
        assert_close(&[found.interval.high / 3.0], &[libm::exp(4.5)], 1e-9);
    }
}
