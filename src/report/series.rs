//! Points that differ in one axis only, as curves.

use std::cmp::Ordering;

use super::number::short;
use super::panel::Mark;
use crate::analysis::mean::{Interval, Mean};
use crate::analysis::summary::{PointSummary, Quantity, summarized};
use crate::experiment::store::PointKey;
use crate::results::PointTrials;
use crate::solver::{Value, symbol};

/// The axis that varies along a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swept {
    Epsilon,
    N,
    /// n, where each n has an ε of its own: points that differ in ε as well are on one curve.
    NWithEpsilon,
}

/// The points of one curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub swept: Swept,
    /// At least two, in increasing order of the swept axis.
    pub points: Vec<PointSummary>,
}

/// Rows sorted into curves, and what found no place in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouped {
    /// Rules with fewer parameters first, then by name and parameters.
    pub series: Vec<Series>,
    /// One line for each point or series left out, with the reason.
    pub left_out: Vec<String>,
}

impl Grouped {
    /// Groups by everything but the swept axis.
    pub fn of(trials: &[PointTrials], swept: Swept) -> Self {
        let mut left_out = Vec::new();
        let mut points = Vec::new();
        for summary in summarized(trials) {
            match swept.missing(&summary) {
                Some(reason) => left_out.push(format!("{}: {reason}", describe(&summary.point))),
                None => points.push(summary),
            }
        }
        points.sort_by(|a, b| {
            swept
                .others(&a.point, &b.point)
                .then_with(|| swept.value(&a.point).total_cmp(&swept.value(&b.point)))
        });
        if swept == Swept::NWithEpsilon {
            points = fastest_of_each_side(points, &mut left_out);
        }
        let (mut series, mut alone) = (Vec::new(), Vec::new());
        for curve in points.chunk_by(|a, b| swept.others(&a.point, &b.point).is_eq()) {
            if curve.len() > 1 {
                series.push(Series {
                    swept,
                    points: curve.to_vec(),
                });
            } else {
                alone.extend(
                    curve
                        .iter()
                        .map(|point| format!("{}: alone on its curve", describe(&point.point))),
                );
            }
        }
        left_out.extend(alone);
        Self { series, left_out }
    }

    pub fn points(&self) -> impl Iterator<Item = &PointSummary> {
        self.series.iter().flat_map(|series| &series.points)
    }
}

impl Swept {
    /// Name of the axis.
    fn axis(self) -> &'static str {
        match self {
            Self::Epsilon => "epsilon",
            Self::N | Self::NWithEpsilon => "n",
        }
    }

    /// The axes on which the points of one curve may differ.
    fn varying(self) -> &'static [&'static str] {
        match self {
            Self::Epsilon => &["epsilon"],
            Self::N => &["n"],
            Self::NWithEpsilon => &["n", "epsilon"],
        }
    }

    /// The value of a point that [`Swept::missing`] has let through.
    fn value(self, point: &PointKey) -> f64 {
        point.axes.get(self.axis()).map_or(0.0, Value::number)
    }

    /// Why a point has no place on the logarithmic axes, if so.
    fn missing(self, summary: &PointSummary) -> Option<String> {
        let symbol = symbol(self.axis());
        match (self, summary.point.axes.get(self.axis())) {
            _ if summary.point.goal.is_some() => Some("a search has no absorption time".into()),
            (_, None) => Some(format!("has no {symbol}")),
            (Self::Epsilon, Some(value)) if value.number() == 0.0 => {
                Some(format!("{symbol} = 0 has no place on a logarithmic axis"))
            }
            _ if summary
                .quantity(Quantity::AbsorptionTime)
                .is_none_or(|time| time.mean.value == 0.0) =>
            {
                Some("a mean time of 0 has no place on a logarithmic axis".into())
            }
            _ => None,
        }
    }

    /// Order by everything but the swept axis.
    fn others(self, a: &PointKey, b: &PointKey) -> Ordering {
        fewer_axes_first(a, b).then_with(|| a.order_apart(b, self.varying()))
    }
}

/// Rules with fewer parameters come first.
pub fn fewer_axes_first(a: &PointKey, b: &PointKey) -> Ordering {
    a.axes.count().cmp(&b.axes.count())
}

impl Series {
    /// `pair rule, ε = 0.01`: all that its points share.
    pub fn label(&self) -> String {
        in_words(&self.points[0].point, self.swept.varying())
    }

    /// The axes on which its points may differ.
    pub fn varying(&self) -> &'static [&'static str] {
        self.swept.varying()
    }

    pub fn x(&self, point: &PointSummary) -> f64 {
        self.swept.value(&point.point)
    }

    /// Means of `quantity`, with their intervals; points that do not have it or have a mean of 0
    /// are left out.
    pub fn marks(&self, quantity: Quantity) -> Vec<Mark> {
        let mark = |point: &PointSummary| {
            let summary = point
                .quantity(quantity)
                .filter(|summary| summary.mean.value > 0.0)?;
            let Interval { low, high } = summary.interval;
            Some(Mark {
                x: self.x(point),
                y: summary.mean.value,
                low,
                high,
                is_lower_bound: summary.is_lower_bound(),
                aside: 0.0,
            })
        };
        self.points.iter().filter_map(mark).collect()
    }

    /// Means of `quantity` over the swept axis, at the points without censored trials: what a line
    /// may be fitted to.
    pub fn means_without_censoring(&self, quantity: Quantity) -> Vec<(f64, Mean)> {
        let complete = |point: &PointSummary| {
            let summary = point
                .quantity(quantity)
                .filter(|summary| !summary.is_lower_bound())?;
            Some((self.x(point), summary.mean))
        };
        self.points.iter().filter_map(complete).collect()
    }
}

/// The stretches of `earlier` (a quantity at the hit) where it lies visibly below `later` (the same
/// at absorption): by more than 3 per cent at one end of each of their steps.
pub fn visibly_below(earlier: &[Mark], later: &[Mark]) -> Vec<Vec<Mark>> {
    let differs = |mark: &Mark| {
        later
            .iter()
            .any(|other| other.x == mark.x && mark.y < 0.97 * other.y)
    };
    let mut stretches: Vec<Vec<Mark>> = Vec::new();
    let mut joined = false;
    for step in earlier.windows(2) {
        let visible = step.iter().any(differs);
        match stretches.last_mut() {
            Some(stretch) if visible && joined => stretch.push(step[1]),
            _ if visible => stretches.push(step.to_vec()),
            _ => {}
        }
        joined = visible;
    }
    stretches
}

/// Of several ε at one n of a curve, the one of least mean time.
fn fastest_of_each_side(
    points: Vec<PointSummary>,
    left_out: &mut Vec<String>,
) -> Vec<PointSummary> {
    let time = |point: &PointSummary| {
        point
            .quantity(Quantity::AbsorptionTime)
            .map_or(f64::INFINITY, |time| time.mean.value)
    };
    let swept = Swept::NWithEpsilon;
    let mut fastest: Vec<PointSummary> = Vec::new();
    for point in points {
        let rival = fastest.last_mut().filter(|rival| {
            swept.value(&rival.point) == swept.value(&point.point)
                && swept.others(&rival.point, &point.point).is_eq()
        });
        let Some(rival) = rival else {
            fastest.push(point);
            continue;
        };
        let slower = if time(&point) < time(rival) {
            std::mem::replace(rival, point)
        } else {
            point
        };
        left_out.push(format!(
            "{}: another ε of this n is faster",
            describe(&slower.point)
        ));
    }
    fastest
}

/// `pair rule, n = 8, ε = 0.01`, with the exact parameters.
pub fn describe(point: &PointKey) -> String {
    in_words(point, &[])
}

/// [`describe`], with how many trials there are and how many of them were cut off.
pub fn describe_trials(point: &PointKey, trials: usize, cut_off: usize) -> String {
    let cut_off = match cut_off {
        0 => String::new(),
        cut_off => format!(", {cut_off} of them cut off"),
    };
    format!("{} ({trials} trials{cut_off})", describe(point))
}

/// [`describe`] without the parameters on the axes `apart`.
pub fn in_words(point: &PointKey, apart: &[&str]) -> String {
    let goal = point.goal.map(|goal| format!(", goal {}", goal.name()));
    without_goal(point, apart) + &goal.unwrap_or_default()
}

/// [`in_words`] without what a search was for.
pub fn without_goal(point: &PointKey, apart: &[&str]) -> String {
    let mut text = match (point.goal, point.variant.as_str()) {
        (Some(_), _) => search_name(point),
        (None, "") => format!("{} rule", point.algorithm),
        (None, variant) => format!("{} rule {variant}", point.algorithm),
    };
    for (name, value) in point.axes.by_column() {
        if !apart.contains(&name) {
            let value = match value {
                Value::Integer(value) => value.to_string(),
                Value::Real(value) => short(value, 6),
            };
            text += &format!(", {} = {value}", symbol(name));
        }
    }
    text
}

/// `cp PN_PL`: a search's algorithm and variant.
pub fn search_name(point: &PointKey) -> String {
    if point.variant.is_empty() {
        point.algorithm.clone()
    } else {
        format!("{} {}", point.algorithm, point.variant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, cell_key, pair_key, trials};

    fn rows(key: PointKey) -> PointTrials {
        trials(
            &mut Draws::new(1),
            &Law {
                key,
                mean: 1e4,
                settling: 2.0,
                updates_per_move: 300.0,
                cutoff: 1_000_000,
            },
            10,
        )
    }

    #[test]
    fn curves_share_everything_but_the_swept_axis() {
        let keys = [
            cell_key(5, 0.1, 0.1),
            cell_key(4, 0.1, 0.1),
            pair_key(4, 0.1),
            cell_key(4, 0.01, 0.1),
            pair_key(10, 0.1),
            pair_key(9, 0.1),
            cell_key(5, 0.01, 0.1),
        ];
        let grouped = Grouped::of(&keys.map(rows), Swept::N);
        let labels: Vec<String> = grouped.series.iter().map(Series::label).collect();
        assert_eq!(
            labels,
            [
                "pair rule, ε = 0.1",
                "cell rule, ε = 0.01, η = 0.1",
                "cell rule, ε = 0.1, η = 0.1"
            ]
        );
        let sides: Vec<u64> = grouped.series[0]
            .points
            .iter()
            .filter_map(|point| point.point.integer("n"))
            .collect();
        assert_eq!(sides, [4, 9, 10]);
        assert!(grouped.left_out.is_empty());
    }

    #[test]
    fn each_n_has_its_fastest_epsilon() {
        let point = |epsilon: f64, n: u32, mean: f64| {
            let law = Law {
                key: pair_key(n, epsilon),
                mean,
                settling: 1.0,
                updates_per_move: 300.0,
                cutoff: u64::MAX,
            };
            trials(&mut Draws::new(2), &law, 10)
        };
        let grouped = Grouped::of(
            &[
                point(0.01, 8, 1e6),
                point(0.02, 8, 1e4),
                point(0.03, 8, 1e5),
                point(0.05, 9, 1e6),
            ],
            Swept::NWithEpsilon,
        );
        let epsilons: Vec<Option<f64>> = grouped
            .points()
            .map(|point| point.point.real("epsilon"))
            .collect();
        assert_eq!(epsilons, [Some(0.02), Some(0.05)]);
        assert_eq!(grouped.series[0].label(), "pair rule");
        let reason = "another ε of this n is faster";
        assert_eq!(
            grouped.left_out,
            [
                format!("pair rule, n = 8, ε = 0.01: {reason}"),
                format!("pair rule, n = 8, ε = 0.03: {reason}")
            ]
        );
    }

    #[test]
    fn what_has_no_place_is_named() {
        let mut solved = rows(pair_key(1, 0.01));
        solved.rows.edit_each(|row| {
            (row.outcome.absorption_time, row.outcome.hitting_time) = (Some(0), Some(0))
        });
        let grouped = Grouped::of(
            &[rows(pair_key(8, 0.0)), rows(pair_key(8, 0.01)), solved],
            Swept::Epsilon,
        );
        assert!(grouped.series.is_empty());
        let reasons = [
            "pair rule, n = 8, ε = 0: ε = 0 has no place on a logarithmic axis",
            "pair rule, n = 1, ε = 0.01: a mean time of 0 has no place on a logarithmic axis",
            "pair rule, n = 8, ε = 0.01: alone on its curve",
        ];
        assert_eq!(grouped.left_out, reasons);
    }

    /// Means of 10⁴ and 10⁷ under a cutoff of 10⁶: the second point is all but surely censored, the
    /// first never.
    #[test]
    fn censored_points_are_marked_and_kept_from_fits() {
        let point = |n: u32, mean: f64| {
            let law = Law {
                key: pair_key(n, 0.01),
                mean,
                settling: 1.0,
                updates_per_move: 300.0,
                cutoff: 1_000_000,
            };
            trials(&mut Draws::new(2), &law, 10)
        };
        let grouped = Grouped::of(&[point(4, 1e4), point(9, 1e7)], Swept::N);
        let series = &grouped.series[0];
        for quantity in Quantity::ALL {
            let bounds: Vec<bool> = series
                .marks(quantity)
                .iter()
                .map(|mark| mark.is_lower_bound)
                .collect();
            assert_eq!(bounds, [false, true], "{}", quantity.name());
        }
        let means = series.means_without_censoring(Quantity::AbsorptionTime);
        let fitted: Vec<f64> = means.iter().map(|&(n, _)| n).collect();
        assert_eq!(fitted, [4.0]);
    }

    #[test]
    fn thin_curves_begin_and_end_where_the_difference_does() {
        let mark = |x: f64, y: f64| Mark {
            x,
            y,
            low: y,
            high: y,
            is_lower_bound: false,
            aside: 0.0,
        };
        let later: Vec<Mark> = (0..7).map(|x| mark(f64::from(x), 100.0)).collect();
        let earlier: Vec<Mark> = (0..7)
            .map(|x| mark(f64::from(x), if x == 2 || x == 6 { 50.0 } else { 99.0 }))
            .collect();
        let stretches: Vec<Vec<f64>> = visibly_below(&earlier, &later)
            .iter()
            .map(|stretch| stretch.iter().map(|mark| mark.x).collect())
            .collect();
        assert_eq!(stretches, [vec![1.0, 2.0, 3.0], vec![5.0, 6.0]]);
        let falling = [mark(1.0, 100.0), mark(2.0, 50.0), mark(3.0, 10.0)];
        assert!(
            visibly_below(&falling, &falling).is_empty(),
            "marks are compared at one x, not along a curve"
        );
    }
}
