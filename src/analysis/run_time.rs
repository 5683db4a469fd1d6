//! How long trials will take, from how long earlier ones took.

use std::collections::BTreeSet;

use super::mean::{Estimate, Interval, Mean};
use super::regression::Growth;
use crate::solver::{Point, Value};

/// Earlier trials of one point under one code version, on the machine in question, all of them as
/// long as they would be under the cutoff in question.
#[derive(Debug, Clone, PartialEq)]
pub struct PastTrials {
    pub point: Point,
    pub code_version: String,
    /// Wall-clock nanoseconds of a trial.
    pub mean: Mean,
}

/// What a forecast rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// Trials of the same point under the present code version.
    SameCode { trials: u64 },
    /// Trials of the same point under another code version.
    OtherCode { code_version: String, trials: u64 },
    /// Growth per row fitted to these board sides, continued from the nearest one.
    Growth { sides: Vec<u64> },
}

/// Seconds that so many trials will take, added up over threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    pub seconds: f64,
    /// 95 %, if the machine is as busy as it was: trials differ, and their mean is known from a
    /// sample.
    pub interval: Interval,
    pub basis: Basis,
}

/// Earlier trials; the latest code version last.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    pub records: Vec<PastTrials>,
    pub code_version: String,
}

impl History {
    /// The seconds of `trials` trials at `point`; `None` where nothing earlier says it.
    pub fn forecast(&self, point: &Point, trials: u64) -> Option<Forecast> {
        let Some(record) = self.at(point) else {
            return self.by_growth(point, trials);
        };
        let (code_version, mean) = (record.code_version.clone(), record.mean);
        let earlier = mean.trials;
        Some(Forecast {
            seconds: total(mean.value, trials),
            interval: scatter(&mean, trials),
            basis: match code_version == self.code_version {
                true => Basis::SameCode { trials: earlier },
                false => Basis::OtherCode {
                    code_version,
                    trials: earlier,
                },
            },
        })
    }

    /// The most trials of `point` under the present code version, else those under the latest other
    /// one.
    fn at(&self, point: &Point) -> Option<&PastTrials> {
        let own = self.records.iter().filter(|it| it.point == *point);
        own.max_by_key(|it| {
            let is_present = it.code_version == self.code_version;
            is_present.then_some(it.mean.trials)
        })
    }

    /// ln seconds as a straight line in n over the other sides, from the nearest of them on.
    fn by_growth(&self, point: &Point, trials: u64) -> Option<Forecast> {
        let n = point.integer("n")? as f64;
        let records = self.records.iter();
        let sides: BTreeSet<u64> = records.filter_map(|it| it.point.integer("n")).collect();
        let measured = |n: u64| {
            let record = self.at(&point.with("n", Value::Integer(n)))?;
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

    fn history(records: &[(Point, &str, Vec<f64>)]) -> History {
        let nanoseconds = |seconds: &f64| (seconds * 1e9) as u64;
        let record = |(point, version, seconds): &(Point, &str, Vec<f64>)| PastTrials {
            point: point.clone(),
            code_version: (*version).to_owned(),
            mean: Mean::of(&seconds.iter().map(nanoseconds).collect::<Vec<_>>()),
        };
        History {
            records: records.iter().map(record).collect(),
            code_version: "new".to_owned(),
        }
    }

    /// Mean 2 s of two trials, relative standard error 1/2; t(1) = 12.7062, √(1 + 2/8) = 1.118: by
    /// hand 16 s · e^(±7.10298). One trial says nothing of the scatter.
    #[test]
    fn the_same_point_under_the_present_code_comes_first() {
        let key = pair_key(8, 0.01);
        let mut history = history(&[
            (key.clone(), "new", vec![1.0, 3.0]),
            (key.clone(), "old", vec![9.0]),
            (key.clone(), "older", vec![7.0]),
        ]);
        let forecast = history.forecast(&key, 8).expect("there is a record");
        assert_eq!(forecast.basis, Basis::SameCode { trials: 2 });
        let logarithm = libm::log(forecast.interval.high / 16.0);
        assert_close(&[forecast.seconds, logarithm], &[16.0, 7.102984], 1e-6);
        history.code_version = "newest".to_owned();
        let forecast = history.forecast(&key, 8).expect("a record");
        let (code_version, trials) = ("older".to_owned(), 1);
        let other = Basis::OtherCode {
            code_version,
            trials,
        };
        assert_eq!(
            (forecast.basis, forecast.interval),
            (other, Interval::UNKNOWN)
        );
    }

    /// From the nearest side that is known, by the growth of all: here the last side lies above the
    /// line through them. The growth by hand: ln 1, 4, 16, 128 have the slope (ln 16 − ln 4 + 3 ln
    /// 128) / 10, since all errors are alike.
    #[test]
    fn other_sides_foretell_by_their_growth_from_the_nearest() {
        let record = |(n, seconds): (u32, f64)| {
            let about = vec![0.9 * seconds, 1.1 * seconds];
            (cell_key(n, 0.1, 0.1), "old", about)
        };
        let history = history(&[(5, 1.0), (6, 4.0), (7, 16.0), (8, 128.0)].map(record));
        let factor = libm::exp((libm::log(4.0) + 3.0 * libm::log(128.0)) / 10.0);
        for (n, expected) in [(9, 128.0 * factor), (4, 1.0 / factor)] {
            let forecast = history.forecast(&cell_key(n, 0.1, 0.1), 1);
            let forecast = forecast.expect("four sides");
            assert_close(&[forecast.seconds], &[expected], 1e-6);
            let sides = vec![5, 6, 7, 8];
            assert_eq!(forecast.basis, Basis::Growth { sides });
            assert!(forecast.interval.contains(expected));
        }
        assert_eq!(history.forecast(&cell_key(10, 0.2, 0.1), 1000), None);
    }
}
