//! The least of a mean along a sweep, between the swept values: a local cubic in log–log, and a
//! bootstrap that redoes all of it. It needs five points; with fewer than 20 trials at each value
//! the mean there has no interval.
//!
//! 1. *Window*: from the swept x of least mean outwards as long as means stay below twice the least
//!    (from [`MANY_TRIALS`] on below 1.5 times), and at least [`POINTS`] points (grown on the side
//!    of the smaller mean).
//! 2. *Fit*: ln mean as a cubic in ln x by least squares, each weight the inverse of the variance
//!    of ln mean. A quadratic would be biased, since means rise more steeply on the right. The
//!    least is the cubic's local minimum within the window; if it has none there, that of the cubic
//!    through all points; if that has none either, the swept x of least mean.
//! 3. *Interval*: percentiles of the same over resampled trials ([`Sample`]). A least at either end
//!    of the sweep counts as beyond it, so that an interval has no end on a side that the sweep
//!    does not reach.

use rayon::prelude::*;

use super::distribution::NORMAL_975;
use super::estimate::Estimate;
use super::least_squares::{DataPoint, LeastSquares};
use super::resample::{Sample, percentiles};
use crate::experiment::store::rows::PointTrials;
use crate::solver::Point;
use crate::solver::rng::TrialStream;

/// Means up to so many times the least belong to the window.
const WINDOW: f64 = 2.0;
/// The same from [`MANY_TRIALS`] on: where the cubic's bias would show, a narrower window has less.
const NARROW_WINDOW: f64 = 1.5;
/// Trials at each value from which the window is the narrow one.
const MANY_TRIALS: usize = 1000;
/// Least number of points in a window: one more than a cubic has coefficients.
pub const POINTS: usize = 5;
/// Trials at each value from which the mean at the best x has an interval. The least of resampled
/// means lies lower than the least of the means, so its percentiles cover too rarely: the true mean
/// in 0.58 to 0.73 of sweeps of 5 trials, 0.78 of 12, 0.88 of 20, 0.91 of 32 and 0.94 of 200
/// (tests/reference/valley.py).
pub const MEAN_TRIALS: usize = 20;
/// Resamplings behind an interval.
const REPLICATES: u32 = 1000;
/// What the stream of random numbers of [`resampled_means`] is named by; raised when the draws
/// change.
const DOMAIN: &str = "reines/bootstrap/valley/1";

/// Trials at one value of the swept axis, none of them censored.
#[derive(Debug, Clone, PartialEq)]
pub struct Swept {
    /// Value on the swept axis, positive.
    pub x: f64,
    /// One for each trial, positive; at least two.
    pub times: Vec<u64>,
}

impl Swept {
    /// The absorption times of a point at x, in its own unit; `None` where x is not positive or a
    /// trial was cut off.
    pub fn of(x: f64, trials: &PointTrials) -> Option<Self> {
        let times = trials.rows.count("absorption_time")?.whole()?.to_vec();
        (x > 0.0).then_some(Self { x, times })
    }
}

/// The position of the least in the sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeastPosition {
    /// The lowest swept value: the best is there or below.
    LowEnd,
    Inside,
    /// The highest swept value: the best is there or above.
    HighEnd,
}

/// The least of a sweep, with 95 % intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Valley {
    pub position: LeastPosition,
    /// The best x; its interval ends at 0 or ∞ where the sweep does not bound it on that side. Its
    /// error is that of its logarithm, half the width of the interval / 1.96, which a line may be
    /// fitted with; not known where the interval has an open end.
    pub x: Estimate,
    /// The mean there, likewise; without an interval (0 to ∞) below [`MEAN_TRIALS`]. Its error is
    /// not known where the best x has an open end: the true least is smaller.
    pub mean: Estimate,
    /// The lowest and the highest x of the window.
    pub window: (f64, f64),
}

impl Valley {
    /// The least along `sweep`, x strictly increasing. `None` with fewer than [`POINTS`] values of
    /// x, or where a mean has no known error.
    pub fn of(sweep: &[Swept]) -> Option<Self> {
        Self::with_replicates(sweep, REPLICATES, 0)
    }

    /// `first` is the number of the first replicate's stream.
    fn with_replicates(sweep: &[Swept], replicates: u32, first: u32) -> Option<Self> {
        if sweep.len() < POINTS {
            return None;
        }
        let dot =
            |swept: &Swept| Dot::of_logarithm(&Estimate::mean(&swept.times), [libm::log(swept.x)]);
        let measured: Vec<Dot> = sweep.iter().map(dot).collect::<Option<_>>()?;
        let trials = sweep.iter().map(|point| point.times.len()).min()?;
        let limit = match trials {
            MANY_TRIALS.. => NARROW_WINDOW,
            _ => WINDOW,
        };
        let samples: Vec<Sample> = sweep.iter().map(|point| Sample::of(&point.times)).collect();
        let replicates = (first..first + replicates).into_par_iter();
        let resampled: Vec<Least> = replicates
            .map(|replicate| resampled_least(&measured, &samples, replicate, limit))
            .collect();
        let Least { position, x, y } = least(&measured, limit);
        let (from, to) = window(&measured, limit);

        let xs = resampled.iter().map(|least| match least.position {
            LeastPosition::LowEnd => 0.0,
            LeastPosition::Inside => libm::exp(least.x),
            LeastPosition::HighEnd => f64::INFINITY,
        });
        let best_x = libm::exp(x);
        let best = with_log_error(best_x, holding(best_x, percentiles(xs)), trials);

        let least_mean = libm::exp(y);
        let means = resampled.iter().map(|least| libm::exp(least.y));
        let ends = match trials {
            MEAN_TRIALS.. => holding(least_mean, percentiles(means)),
            _ => [0.0, f64::INFINITY],
        };
        let mut mean = with_log_error(least_mean, ends, trials);
        if !best.error.is_finite() {
            mean.error = f64::INFINITY;
        }
        Some(Self {
            position,
            x: best,
            mean,
            window: (sweep[from].x, sweep[to].x),
        })
    }
}

/// The least of the means of one resample.
fn resampled_least(measured: &[Dot], samples: &[Sample], replicate: u32, limit: f64) -> Least {
    let means = resampled_means(samples, replicate);
    let dots = measured.iter().zip(means).map(|(&dot, mean)| Dot {
        y: libm::log(mean),
        ..dot
    });
    least(&dots.collect::<Vec<_>>(), limit)
}

/// The ends of an interval, as far apart as they have to be to hold its estimate: few resamples may
/// all lie on one side of it.
fn holding(estimate: f64, [low, high]: [f64; 2]) -> [f64; 2] {
    [low.min(estimate), high.max(estimate)]
}

pub(super) fn with_log_error(value: f64, ends: [f64; 2], trials: usize) -> Estimate {
    let log_error = libm::log(ends[1] / ends[0]) / (2.0 * NORMAL_975);
    let is_known = log_error > 0.0 && log_error.is_finite();
    Estimate {
        error: if is_known {
            value * log_error
        } else {
            f64::INFINITY
        },
        trials: trials as u64,
        ..Estimate::within(value, ends)
    }
}

/// The means of one resample of each sample, all drawn from the stream of this replicate.
fn resampled_means(samples: &[Sample], replicate: u32) -> Vec<f64> {
    let mut stream = TrialStream::new(DOMAIN, 2012, &Point::new("", []), replicate);
    let means = samples
        .iter()
        .map(|sample| sample.resampled_mean(&mut stream));
    means.collect()
}

/// The least in log–log coordinates.
#[derive(Debug, Clone, Copy)]
struct Least {
    position: LeastPosition,
    x: f64,
    y: f64,
}

fn least(curve: &[Dot], limit: f64) -> Least {
    let (from, to) = window(curve, limit);
    let fitted = Cubic::through(&curve[from..=to])
        .and_then(|cubic| cubic.minimum(curve[from].row[0], curve[to].row[0]));
    let last = curve.len() - 1;
    let all = || Cubic::through(curve)?.minimum(curve[0].row[0], curve[last].row[0]);
    let fitted = fitted.or_else(all);
    let lowest = lowest(curve);
    let position = match lowest {
        _ if fitted.is_some() => LeastPosition::Inside,
        0 => LeastPosition::LowEnd,
        i if i == last => LeastPosition::HighEnd,
        _ => LeastPosition::Inside,
    };
    let (x, y) = fitted.unwrap_or((curve[lowest].row[0], curve[lowest].y));
    Least { position, x, y }
}

fn lowest(curve: &[Dot]) -> usize {
    (0..curve.len())
        .min_by(|&a, &b| curve[a].y.total_cmp(&curve[b].y))
        .expect("a curve has points")
}

/// First and last point of the window, in which means are up to `limit` times the least.
fn window(curve: &[Dot], limit: f64) -> (usize, usize) {
    let lowest = lowest(curve);
    let last = curve.len() - 1;
    let limit = curve[lowest].y + libm::log(limit);
    let mut from = lowest;
    let mut to = lowest;
    while from > 0 && curve[from - 1].y <= limit {
        from -= 1;
    }
    while to < last && curve[to + 1].y <= limit {
        to += 1;
    }
    while to - from + 1 < POINTS {
        let grows_down = from > 0 && (to == last || curve[from - 1].y <= curve[to + 1].y);
        if grows_down { from -= 1 } else { to += 1 }
    }
    (from, to)
}

/// A point of a curve in log–log.
type Dot = DataPoint<1>;

/// y = Σ aₖ (x − centre)ᵏ.
struct Cubic {
    centre: f64,
    coefficients: [f64; 4],
}

impl Cubic {
    /// Weighted least squares; `None` where the points do not determine a cubic.
    fn through(points: &[Dot]) -> Option<Self> {
        let centre = points.iter().map(|point| point.row[0]).sum::<f64>() / points.len() as f64;
        let observation = |&Dot {
                               row: [x],
                               y,
                               weight,
                           }: &Dot| {
            let u = x - centre;
            let row = [1.0, u, u * u, u * u * u];
            DataPoint { row, y, weight }
        };
        let observations: Vec<DataPoint<4>> = points.iter().map(observation).collect();
        Some(Self {
            centre,
            coefficients: LeastSquares::of(&observations)?.coefficients,
        })
    }

    /// The local minimum, if it lies strictly between `low` and `high`: where b + 2cu + 3du² = 0
    /// and the second derivative 2c + 6du is positive.
    fn minimum(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        let [a, b, c, d] = self.coefficients;
        let root = (c * c - 3.0 * b * d).sqrt();
        // The root of the quadratic with the positive second derivative, 2 · root, written without
        // cancellation for c > 0.
        let u = if c > 0.0 {
            -b / (c + root)
        } else {
            (root - c) / (3.0 * d)
        };
        let x = self.centre + u;
        (root > 0.0 && x > low && x < high).then_some((x, a + u * (b + u * (c + u * d))))
    }
}

#[cfg(test)]
mod tests;
