//! Whether a figure will have anything to draw, from a plan alone: before anything has run.

use super::choose::keeps;
use super::series::distinct;
use crate::experiment::plan::Plan;
use crate::experiment::spec::Choices;
use crate::solver::Point;

/// The points that a figure of a plan may be drawn from.
pub struct Foreseen<'a> {
    /// What the figure is to show.
    pub choices: &'a Choices,
    /// Those that its `where` keeps.
    pub points: Vec<ForeseenPoint>,
}

/// A point of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeseenPoint {
    /// What will be run.
    pub point: Point,
    /// All seeds together; the most of them, where rows decide.
    pub trials: u64,
    /// Whether its trials write down a series with a moment after the start.
    pub has_series: bool,
    /// Whether its trials write down their moves.
    pub has_moves: bool,
}

impl<'a> Foreseen<'a> {
    /// The points of `plan` that `choices` keep.
    pub fn of(plan: &Plan, choices: &'a Choices) -> Self {
        let kept = plan.points.iter().map(|planned| ForeseenPoint {
            point: planned.point.clone(),
            trials: u64::from(planned.trials) * plan.seeds.len() as u64,
            has_series: planned.moments().iter().any(|&moment| moment > 0),
            has_moves: planned.recorded.moves,
        });
        Self {
            choices,
            points: kept.filter(|it| keeps(choices, &it.point)).collect(),
        }
    }

    /// Points of the local rules and the like, which are no searches.
    pub fn trials(&self) -> impl Iterator<Item = &Point> {
        let keys = self.points.iter().map(|it| &it.point);
        keys.filter(|point| point.goal.is_none())
    }
}

/// Whether two of the points differ on `axis` and on no axis but those in `apart`; `axis` is one
/// of these.
pub fn differ_along<'p>(
    points: impl IntoIterator<Item = &'p Point>,
    axis: &str,
    apart: &[&str],
) -> bool {
    most_along(points, axis, apart) > 1
}

/// The most values on `axis` among points that differ on the axes `apart` alone.
pub fn most_along<'p>(
    points: impl IntoIterator<Item = &'p Point>,
    axis: &str,
    apart: &[&str],
) -> usize {
    let mut points: Vec<&Point> = points
        .into_iter()
        .filter(|point| point.axes.get(axis).is_some())
        .collect();
    points.sort_by(|a, b| a.order_apart(b, apart));
    let groups = points.chunk_by(|a, b| a.is_same_apart(b, apart));
    let values = |group: &[&Point]| {
        let values = group.iter();
        distinct(values.filter_map(|it| Some(it.axes.get(axis)?.number()))).len()
    };
    groups.map(values).max().unwrap_or_default()
}
