//! What the figures of run-length distributions share: which points are drawn, their labels, their
//! table.

use super::Table;
use super::frame::{Frame, Missing};
use super::number::{short, six_digits, six_digits_whole};
use super::series::describe;
use super::style::SeriesStyle;
use crate::analysis::mean::Estimate;
use crate::analysis::run_length::{RunLength, run_lengths};
use crate::experiment::store::PointKey;
use crate::results::PointTrials;
use crate::solver::point::KEY_AXES;

/// The bands of more curves could not be told apart.
const MOST_CURVES: usize = 6;
/// Why a point of more than six is left out.
pub const NOT_DRAWN: &str =
    "not among the curves chosen by Weibull shape and censoring; in the table";

/// A point that is drawn.
pub struct Drawn<'a> {
    pub run_length: &'a RunLength,
    pub style: SeriesStyle,
}

/// All points of an experiment that have run lengths.
pub struct RunLengthPoints {
    all: Vec<RunLength>,
    left_out: Vec<Missing>,
}

impl RunLengthPoints {
    pub fn of(trials: &[PointTrials]) -> Self {
        let all = run_lengths(trials);
        let is_there =
            |trials: &&PointTrials| all.iter().any(|found| found.summary.point == trials.point);
        let missing = trials.iter().filter(|trials| !is_there(trials));
        let left_out = missing
            .map(|it| {
                (
                    it.point.clone(),
                    "no trial ended after an update".to_owned(),
                )
            })
            .collect();
        Self { all, left_out }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Drawn or not.
    pub fn all(&self) -> &[RunLength] {
        &self.all
    }

    /// At most six: of more, those at even steps in the order of their Weibull shape, the least and
    /// the greatest included, and in place of one in the middle the point with the most trials cut
    /// off, if any were.
    pub fn drawn(&self) -> Vec<Drawn<'_>> {
        let mut order: Vec<&RunLength> = self.all.iter().collect();
        if order.len() > MOST_CURVES {
            let shape = |point: &RunLength| point.shape.map_or(f64::INFINITY, |shape| shape.shape);
            order.sort_by(|a, b| shape(a).total_cmp(&shape(b)));
            let last = order.len() - 1;
            let censored = order
                .iter()
                .copied()
                .filter(|point| point.time().censored > 0 && !point.residual_life.is_empty());
            let most_censored = censored.max_by_key(|point| point.time().censored);
            order = (0..MOST_CURVES)
                .map(|curve| order[curve * last / (MOST_CURVES - 1)])
                .collect();
            if let Some(point) = most_censored.filter(|point| {
                !order
                    .iter()
                    .any(|drawn| drawn.summary.point == point.summary.point)
            }) {
                order[MOST_CURVES / 2] = point;
            }
        }
        order
            .into_iter()
            .enumerate()
            .map(|(index, run_length)| Drawn {
                run_length,
                style: SeriesStyle::of(index),
            })
            .collect()
    }

    /// One line per point, drawn or not.
    pub fn table(&self) -> Table {
        let estimate = |value, interval| Estimate { value, interval };
        let all: Vec<&RunLength> = self.all.iter().collect();
        let columns = Frame::of(&all, &KEY_AXES)
            .measured(|it| (&it.summary, it.time()))
            .estimate("mean", |it| estimate(it.time().mean.value, it.time().interval))
            .estimate("ert", |it| it.time().expected_run_length)
            .estimate("variation", |it| it.time().variation)
            .estimate("weibull_shape", |it| it.shape.map(|it| estimate(it.shape, it.interval)))
            .column("score_z", |it| it.exponentiality.map(|test| test.z))
            .column("score_p", |it| it.exponentiality.map(|test| p_value(test.p)))
            .column("restart_cutoff", |it| {
                it.restart.map(|it| six_digits_whole(it.cutoff))
            })
            .estimate("restart_mean", |it| it.restart.map(|it| estimate(it.expected, it.interval)))
            .estimate("restart_gain", |it| it.restart.map(|it| estimate(it.gain, it.gain_interval)))
            .note(
                "Absorption times in updates; brackets hold 95 % intervals: of the mean and of `variation` (standard deviation / mean) by `method`, of `weibull_shape` from the likelihood. Both are 1 \
                 for exponential times. `score_z`, `score_p`: Cox and Oakes' test of that; with many trials every departure is significant, so read the shape first.",
            )
            .note(
                "`restart_cutoff`: the best one on half of the trials, if on the other half restarts at it surely help; `restart_mean` is the mean time with them, `restart_gain` how many times shorter, \
                 both measured on that other half. The formulas are in docs/statistics.md.",
            );
        let mut table = columns.frame.table();
        let notes = &mut table.notes;
        if self.all.iter().any(|point| point.time().is_lower_bound()) {
            notes.push(
                "`lower bound`: `censored` trials were cut off at `cutoff`; the mean is the restricted mean, over min(time, cutoff). `ert`: mean updates until success with independent \
                 restarts at `cutoff`."
                    .to_owned(),
            );
        }
        notes.extend(self.notes_on_points(&self.drawn()));
        table
    }

    /// Which points are drawn, where not all are.
    pub fn notes_on_points(&self, drawn: &[Drawn]) -> Vec<String> {
        let mut notes = Vec::new();
        if self.all.len() > drawn.len() {
            let drawn: Vec<String> = drawn.iter().map(Drawn::label).collect();
            notes.push(format!(
                "Drawn of {} points, chosen by Weibull shape and censoring: {}.",
                self.all.len(),
                drawn.join("; ")
            ));
        }
        notes
    }

    /// The points without run lengths.
    pub fn left_out(&self) -> &[Missing] {
        &self.left_out
    }

    /// The points that stand in the table alone.
    pub fn not_drawn<'s>(&'s self, drawn: &'s [Drawn]) -> impl Iterator<Item = &'s PointKey> {
        let keys = self.all.iter().map(|point| &point.summary.point);
        keys.filter(|key| {
            let mut drawn = drawn.iter().map(|it| &it.run_length.summary.point);
            !drawn.any(|other| other == *key)
        })
    }
}

impl Drawn<'_> {
    /// Whether trials were cut off.
    pub fn is_lower_bound(&self) -> bool {
        self.run_length.time().is_lower_bound()
    }

    pub fn label(&self) -> String {
        describe(&self.run_length.summary.point)
    }

    /// With the numbers that say how far from exponential it is.
    pub fn in_words(&self) -> String {
        let RunLength {
            summary,
            shape,
            restart,
            ..
        } = self.run_length;
        let variation = self
            .run_length
            .time()
            .variation
            .map(|variation| format!(", CV {}", with_interval(variation)));
        let shape = shape.map(|shape| {
            format!(
                ", Weibull shape {}",
                with_interval(Estimate {
                    value: shape.shape,
                    interval: shape.interval
                })
            )
        });
        let restart = restart.map(|restart| {
            let (cutoff, gain) = (
                short(restart.cutoff as f64, 3),
                Estimate {
                    value: restart.gain,
                    interval: restart.gain_interval,
                },
            );
            format!(
                "; restarts after {cutoff} updates: {} times faster",
                with_interval(gain)
            )
        });
        let extras: String = [variation, shape, restart].into_iter().flatten().collect();
        format!("{} ({} trials){extras}", self.label(), summary.trials)
    }
}

fn with_interval(Estimate { value, interval }: Estimate) -> String {
    format!(
        "{} [{}, {}]",
        short(value, 3),
        short(interval.low, 3),
        short(interval.high, 3)
    )
}

/// No p-value is 0; below this, double precision has none.
fn p_value(p: f64) -> String {
    if p < 1e-300 {
        "<1e-300".to_owned()
    } else {
        six_digits(p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{sweep_over_epsilon, sweep_over_n};

    /// Of many curves, those from the least shape to the greatest.
    #[test]
    fn the_curves_drawn_span_the_shapes() {
        let points = RunLengthPoints::of(&[sweep_over_epsilon(), sweep_over_n()].concat());
        let shape = |point: &RunLength| point.shape.map_or(f64::INFINITY, |shape| shape.shape);
        let mut shapes: Vec<f64> = points.all().iter().map(shape).collect();
        shapes.sort_by(f64::total_cmp);
        assert!(shapes.len() > MOST_CURVES);
        let drawn = points.drawn();
        let ends = [drawn.first(), drawn.last()].map(|end| shape(end.expect("curves").run_length));
        assert_eq!(drawn.len(), MOST_CURVES);
        assert_eq!(ends, [shapes[0], shapes[shapes.len() - 1]]);
    }
}
