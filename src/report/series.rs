//! Points that differ in one axis only, as curves.

use std::cmp::Ordering;

use super::frame::{Keyed, Missing};
use super::number::short;
use super::panel::Mark;
use crate::analysis::summary::{PointSummary, Quantity};
use crate::solver::Point;
use crate::solver::goal::Goal;
use crate::solver::{Value, symbol};

/// What makes a curve.
#[derive(Debug, Clone, Copy)]
pub struct Along<'a> {
    /// The axis across, and those on which the points of a curve may differ beside it.
    pub axes: &'a [&'a str],
    /// What points of one curve share; all but `axes` without it.
    pub group: Option<&'a [String]>,
    /// Points that a curve has at least.
    pub least: usize,
    /// Curves that are drawn at most.
    pub most: usize,
}

/// Points in the order of their curves, and what found no place in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Points<P> {
    pub kept: Vec<P>,
    pub left_out: Vec<Missing>,
}

impl Along<'_> {
    /// The place across of a point that has one.
    pub fn place(&self, point: &Point) -> f64 {
        point.axes.get(self.axes[0]).map_or(0.0, Value::number)
    }

    /// Whether both points are of one curve.
    pub fn joins(&self, a: &Point, b: &Point) -> bool {
        match self.group {
            None => a.is_same_apart(b, self.axes),
            Some(keys) => keys.iter().all(|key| word(a, key) == word(b, key)),
        }
    }

    fn order(&self, a: &Point, b: &Point) -> Ordering {
        fewer_axes_first(a, b)
            .then_with(|| a.order_apart(b, self.axes))
            .then_with(|| self.place(a).total_cmp(&self.place(b)))
    }
}

/// A point's value of a key of `group`.
pub fn word(point: &Point, key: &str) -> String {
    match key {
        "algorithm" => point.algorithm.clone(),
        "variant" => point.variant.clone(),
        "goal" => point.goal.map_or("", |goal| goal.name()).to_owned(),
        axis => point
            .axes
            .get(axis)
            .map_or_else(String::new, |it| it.to_string()),
    }
}

impl<P: Keyed> Points<P> {
    /// All but those that have a reason to be missing, rules with fewer parameters first, then by
    /// name and parameters.
    pub fn of(all: Vec<P>, along: &Along, missing: impl Fn(&P) -> Option<String>) -> Self {
        let (mut kept, mut left_out) = (Vec::new(), Vec::new());
        for point in all {
            match missing(&point) {
                Some(reason) => left_out.push((point.key().clone(), reason)),
                None => kept.push(point),
            }
        }
        kept.sort_by(|a, b| along.order(a.key(), b.key()));
        Self { kept, left_out }
    }

    /// Curve after curve, each in increasing order across, without those of too few points.
    pub fn in_curves(self, along: &Along) -> Self {
        let mut left_out = self.left_out;
        let mut curves = grouped(self.kept, |a, b| along.joins(a.key(), b.key()));
        curves.retain(|curve| {
            if curve.len() >= along.least {
                return true;
            }
            let reason = "alone on its curve".to_owned();
            left_out.extend(curve.iter().map(|it| (it.key().clone(), reason.clone())));
            false
        });
        for curve in &mut curves {
            curve.sort_by(|a, b| along.place(a.key()).total_cmp(&along.place(b.key())));
        }
        Self {
            kept: curves.into_iter().flatten().collect(),
            left_out,
        }
    }

    /// Of several points of a curve at one place across, the one of least mean time.
    pub fn fastest(mut self, along: &Along, time: impl Fn(&P) -> f64) -> Self {
        let mut fastest: Vec<P> = Vec::new();
        for point in self.kept {
            let rival = fastest.last_mut().filter(|rival| {
                along.place(rival.key()) == along.place(point.key())
                    && along.joins(rival.key(), point.key())
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
            let reason = "another ε of this n is faster".to_owned();
            self.left_out.push((slower.key().clone(), reason));
        }
        Self {
            kept: fastest,
            ..self
        }
    }
}

/// The mean absorption time, ∞ where there is none.
pub fn mean_time(point: &PointSummary) -> f64 {
    let time = point.quantity(Quantity::AbsorptionTime);
    time.map_or(f64::INFINITY, |time| time.mean.value)
}

/// Those that join each other, in the order in which the groups begin.
pub fn grouped<T>(all: impl IntoIterator<Item = T>, joins: impl Fn(&T, &T) -> bool) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for one in all {
        match groups.iter_mut().rfind(|group| joins(&group[0], &one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// Sorted, each once.
pub fn distinct(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// Rules with fewer parameters come first.
pub fn fewer_axes_first(a: &Point, b: &Point) -> Ordering {
    a.axes.count().cmp(&b.axes.count())
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

/// `pair rule, n = 8, ε = 0.01`, with the exact parameters.
pub fn describe(point: &Point) -> String {
    in_words(point, &[])
}

/// [`describe`] without the parameters on the axes `apart`.
pub fn in_words(point: &Point, apart: &[&str]) -> String {
    let goal = match point.goal {
        Some(Goal::First) => ", first board",
        Some(Goal::All) => ", all boards",
        _ => "",
    };
    without_goal(point, apart) + goal
}

/// [`in_words`] without what a search was for.
pub fn without_goal(point: &Point, apart: &[&str]) -> String {
    let mut text = match (point.goal, point.variant.as_str()) {
        (Some(_), _) => search_name(point),
        (None, variant) => {
            let (of, rule) = match point.algorithm.strip_suffix("-relaxation") {
                Some(rule) => ("relaxation of the ", rule),
                None => ("", &point.algorithm[..]),
            };
            format!("{of}{rule} rule {variant}").trim_end().to_owned()
        }
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
pub fn search_name(point: &Point) -> String {
    if point.variant.is_empty() {
        point.algorithm.clone()
    } else {
        format!("{} {}", point.algorithm, point.variant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, pair_key, trials};
    use crate::report::chart::Chart;
    use crate::results::PointTrials;

    const ALONG: Along = Chart::PLAIN.along;
    const WITH_EPSILON: Along = Along {
        axes: &["n", "epsilon"],
        ..ALONG
    };

    #[test]
    fn each_n_has_its_fastest_epsilon() {
        let point = |epsilon: f64, n: u32, mean: f64| {
            let law = Law::of(pair_key(n, epsilon), mean, u64::MAX);
            let trials: PointTrials = trials(&mut Draws::new(2), &law, 10);
            PointSummary::of(&trials).expect("rows")
        };
        let all = vec![
            point(0.01, 8, 1e6),
            point(0.02, 8, 1e4),
            point(0.03, 8, 1e5),
            point(0.05, 9, 1e6),
        ];
        let points = Points::of(all, &WITH_EPSILON, |_| None).fastest(&WITH_EPSILON, mean_time);
        let epsilons: Vec<Option<f64>> = points
            .kept
            .iter()
            .map(|it| it.point.real("epsilon"))
            .collect();
        assert_eq!(epsilons, [Some(0.02), Some(0.05)]);
        let reason = "another ε of this n is faster".to_owned();
        assert_eq!(
            points.left_out,
            [0.01, 0.03].map(|epsilon| (pair_key(8, epsilon), reason.clone()))
        );
    }
}
