//! What a plan tells of its figures before the run: which points are kept, what their table needs,
//! their groups and their axes. No number is known yet; each is 1, somehow.

use itertools::Itertools;

use super::chart::{Chart, Scope};
use super::figure::{COLUMNS_TABLE, Figure, SEED_KEY};
use super::frame::Frame;
use super::measure::{RowsOf, ShownMeasure};
use super::series::fewer_axes_first;
use super::{Drawing, FigureRows, NothingToDraw};
use crate::analysis::estimate::Estimate;
use crate::analysis::formula::{CENSORED, Formula};
use crate::analysis::restart::FEWEST_TRIALS;
use crate::analysis::valley::POINTS;
use crate::experiment::plan::Plan;
use crate::experiment::spec::did_you_mean;
use crate::solver::outcome::Column;
use crate::solver::point::WORDS;
use crate::solver::{Algorithm, Point, symbol};

/// Each of a spec's figures as far as the plan tells of it, or why it cannot be drawn. Where its
/// numbers will lie is not known, so none is out of range. A quick run has few trials on purpose.
pub fn drawings(
    figures: &[Figure],
    plan: &Plan,
    is_quick: bool,
) -> Vec<Result<Drawing, NothingToDraw>> {
    let rows = FigureRows::of_plan(plan);
    let drawing = |figure: &Figure| {
        let mut figure = figure.clone();
        figure.y.iter_mut().for_each(|panel| panel.y_range = None);
        figure.x_range = None;
        // How many rows a point will have in a table of several is not known.
        if Chart::of(&figure).across.is_some() {
            figure.least_points = figure.least_points.min(ROWS_OF_A_POINT);
        }
        let chart = Chart::of(&figure);
        let trials = plan.points.iter().map(|it| it.trials as usize);
        let most = trials.max().unwrap_or(0) * plan.seeds.len();
        if figure.table == "restarts" && most < FEWEST_TRIALS && !is_quick {
            let reason = format!("no point has the {FEWEST_TRIALS} trials of a restart");
            return Err(NothingToDraw {
                kind: figure.kind,
                reason,
            });
        }
        chart.draw(&rows)
    };
    figures.iter().map(drawing).collect()
}

/// The rows that a point has here in a table of several rows for each: as many as make a curve.
const ROWS_OF_A_POINT: usize = 2;

/// A frame of the points that a table will have rows of.
pub fn frame(scope: &Scope) -> Frame {
    let (chart, mut left_out) = (scope.chart, Vec::new());
    let copies = match chart.table.across {
        [] => 1,
        _ => ROWS_OF_A_POINT,
    };
    let mut rows: Vec<(Point, (String, usize))> = Vec::new();
    for ShownMeasure { only, .. } in chart.columns().unique_by(|it| &it.only) {
        let found = points(scope).into_iter().map(|it| {
            let known = scope.rows.programs.algorithm(&it.algorithm);
            let lacks = lacks(chart, known, &it, only);
            (it, lacks.map_or(Ok(only.clone()), Err))
        });
        let (mut placed, others) = scope.placed(found);
        left_out.extend(others);
        if chart.takes_fastest() {
            // Of several points of a curve at one x the fastest is drawn.
            placed.dedup_by(|(a, _), (b, _)| {
                let at = |it| (chart.curve_of(it), chart.upwards_of(it).map(f64::to_bits));
                chart.order(a, b).is_eq() && at(a) == at(b)
            });
        }
        let copied = placed.into_iter().cartesian_product(0..copies);
        rows.extend(copied.map(|((it, only), copy)| (it, (only, copy))));
    }
    let mut columns = Frame::of(&rows, |it| &it.0, &[]).quantity(|it| it.1.0.clone());
    for y in chart.columns().map(|it| &it.y).unique() {
        columns = columns.estimate(y, |_| Estimate::with_error(1.0, 0.5, 2));
    }
    if chart.across.is_some() {
        columns = columns.column(&chart.choices.x, |it| 1.0 + it.1.1 as f64);
    }
    columns.left_out(left_out).frame
}

/// The points of which the figure's table has rows.
fn points(scope: &Scope) -> Vec<Point> {
    let chart = scope.chart;
    let all = scope.rows.trials.iter().map(|it| &it.point);
    let all: Vec<&Point> = all.filter(|it| chart.is_wanted(it)).collect();
    let n = |it: &Point| it.integer("n");
    let plan = || scope.rows.trials.iter().map(|it| &it.point);
    let mut own = all.clone();
    own.retain(|it| match chart.table.of {
        RowsOf::Searches => it.goal.is_some(),
        RowsOf::Series => scope.rows.courses.iter().any(|of| of.point == **it),
        RowsOf::Trials => {
            let is_of_times = chart.table.name != COLUMNS_TABLE && chart.choices.column.is_none();
            it.goal.is_none() || !is_of_times
        }
    });
    own.retain(|it| match chart.table.name {
        "models" => !it.variant.is_empty(),
        "moves-per-relaxation" => {
            let relaxation = format!("{}-relaxation", it.algorithm);
            plan().any(|of| of.algorithm == relaxation && n(of) == n(it))
        }
        "solution-classes" => matches!(n(it), Some(5 | 7 | 8)),
        "best-epsilon" => n(it).is_some() && it.real("epsilon") > Some(0.0),
        "factoring" => it.integer("product").is_some(),
        _ => true,
    });
    match chart.table.name {
        "solution-classes" => {
            let largest = own.iter().filter_map(|it| n(it)).max();
            own.retain(|it| n(it) == largest);
        }
        "best-epsilon" => {
            own.sort_by(|a, b| fewer_axes_first(a, b).then_with(|| a.order_apart(b, &["epsilon"])));
            let sides = own.chunk_by(|a, b| a.is_same_apart(b, &["epsilon"]));
            let sides = sides.filter(|it| it.len() >= POINTS);
            return sides
                .map(|it| Point {
                    axes: it[0].axes.clone().without(&["epsilon"]),
                    ..it[0].clone()
                })
                .collect();
        }
        _ => {}
    }
    own.into_iter().cloned().collect()
}

/// Why a point has no such number.
fn lacks(
    chart: &Chart,
    algorithm: Option<&Algorithm>,
    point: &Point,
    quantity: &str,
) -> Option<String> {
    let axis = chart.choices.facet.as_deref();
    let axis =
        axis.filter(|it| *it != SEED_KEY && !WORDS.contains(it) && point.axes.get(it).is_none());
    let known = algorithm.map(|algorithm| algorithm.columns);
    let across = Some(&*chart.choices.x).filter(|_| chart.choices.has_column_across());
    let shown = [Some(quantity), across, chart.choices.column.as_deref()];
    let formulas = shown.into_iter().flatten().map(Formula::of).collect_vec();
    let column = formulas.iter().flat_map(Formula::columns).find(|own| {
        let has = |it: &Column| it.name == *own;
        known.is_some_and(|it| !it.iter().any(has)) && !["", CENSORED].contains(own)
    });
    let lacking = axis.or(column)?;
    let known = known.unwrap_or_default().iter();
    let near = did_you_mean(lacking, &known.map(|it| it.name).collect_vec());
    Some(format!("has no {}{near}", symbol(lacking)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;
    use crate::report::parse;

    /// A plan of 1 200 points tells not where numbers will lie, but that no series is written down.
    #[test]
    fn figures_are_judged_by_the_plan_alone() {
        let sweep = "seeds = [1, 2]\n[[sweep]]\nalgorithm = 'pair'\nn = '4..6'\ntrials = 2\ncutoff = 9\n\
                     epsilon = { from = 0.001, to = 0.5, points = 400, scale = 'log' }\n";
        for (keys, expected) in [
            ("y_range = [1, 2]\nx = 'epsilon'\ny = ['moves']", None),
            ("facet = 'seed'\nx = 'epsilon'\ny = ['moves']", None),
            ("y = ['restart_time']", Some("the 40 trials of a restart")),
            ("y = ['nodes']", Some("has no nodes (1\u{202F}200 points)")),
            ("kind = 'time-course'", Some("no trial has a series")),
            (
                "kind = 'best-epsilon'\nwhere = { epsilon = 0.001 }",
                Some("no n has five values"),
            ),
        ] {
            let text = format!("{sweep}[[figure]]\n{keys}\n");
            let spec = spec::parse("own", "own.toml", &text).expect("a spec");
            let figures = parse::read(&spec).expect("figures");
            let plan = Plan::new(&spec).expect("a plan");
            let quick = drawings(&figures, &plan, true).remove(0);
            assert!(quick.is_ok() || !keys.contains("restart"), "{keys}");
            let told = drawings(&figures, &plan, false).remove(0).err();
            let told = told.map(|it| it.reason);
            let is_told = told
                .as_ref()
                .map(|it| expected.is_some_and(|own| it.contains(own)));
            assert_eq!(is_told, expected.map(|_| true), "{keys}: {told:?}");
        }
    }
}
