//! What a plan tells of its figures before the run: which points are kept, what their table needs,
//! their groups and their axes. No number is known yet; each is 1, somehow. What `check` and `run`
//! refuse or warn of before a run is decided here.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::analysis::formula::{CENSORED, Formula, Summary};
use crate::experiment::plan::Plan;
use crate::experiment::spec::did_you_mean;
use crate::report::figure::{Figure, MeasureTable, Scope};
use crate::report::keys::{FigureSpec, SEED_KEY};
use crate::report::measures::measure::ShownMeasure;
use crate::report::measures::table_named;
use crate::report::table::{LACKS, Missing, Table};
use crate::report::{Drawing, FigureRows, NothingToDraw};
use crate::results::point_key::PointKey;
use crate::solver::outcome::Column;
use crate::solver::point::WORDS;
use crate::solver::{Algorithm, Point, symbol};

/// Each of a spec's figures as far as the plan tells of it, or why it cannot be drawn. Where its
/// numbers will lie is not known, so none is out of range. A quick run has few trials on purpose.
pub fn drawings(
    figures: &[FigureSpec],
    plan: &Plan,
    is_quick: bool,
) -> Vec<Result<Drawing, NothingToDraw>> {
    let rows = FigureRows::of_plan(plan);
    let trials = plan.points.iter().map(|point| point.trials as usize);
    let most_trials = trials.max().unwrap_or(0) * plan.seeds.len();
    let drawing = |figure: &FigureSpec| {
        let mut spec = figure.clone();
        spec.y.iter_mut().for_each(|panel| panel.y_range = None);
        spec.x_range = None;
        let figure = Figure::of(&spec);
        let mut tables = figure.tables.iter();
        let lacking = tables.find(|table| most_trials < table.fewest_trials && !is_quick);
        match lacking {
            Some(MeasureTable {
                name,
                fewest_trials,
                ..
            }) => Err(NothingToDraw {
                kind: spec.kind.clone(),
                reason: format!("no point has the {fewest_trials} trials that {name} need"),
            }),
            None => figure.draw(&rows),
        }
    };
    figures.iter().map(drawing).collect()
}

/// The rows that a point has here in a table of several rows for each: as many as make a curve.
const ROWS_OF_A_POINT: usize = 2;

/// The points that the tables will have rows of, with their keys.
#[derive(Default)]
struct PlannedRows<'f> {
    points: Vec<(PointKey, Point)>,
    known: BTreeSet<PointKey>,
    /// The points of each column.
    columns: Vec<(&'f str, BTreeSet<PointKey>)>,
}

impl<'f> PlannedRows<'f> {
    /// Adds a column and the points that it has a number of.
    fn add(&mut self, column: &'f str, points: Vec<Point>) {
        let keys: Vec<PointKey> = points.iter().map(PointKey::of).collect();
        for (key, point) in keys.iter().zip(points) {
            if self.known.insert(key.clone()) {
                self.points.push((key.clone(), point));
            }
        }
        self.columns.push((column, keys.into_iter().collect()));
    }
}

/// A table of the points that the tables will have rows of.
pub fn table(scope: &Scope) -> Table {
    let figure = scope.figure;
    let mut left_out = Vec::new();
    let mut planned = PlannedRows::default();
    for measure in figure.columns().unique_by(|measure| &measure.column) {
        if let Some(table) = table_named(measure.table) {
            let (points, others) = points_with(scope, table, measure);
            left_out.extend(others);
            planned.add(&measure.column, points);
        }
    }

    let copies = match figure.table_of_rows() {
        None => 1,
        Some(_) => ROWS_OF_A_POINT,
    };
    // Those of the first measure are sorted already, and the sort sees it.
    let mut points = planned.points;
    points.sort_by(|(_, a), (_, b)| figure.order_of_rows(a, b).then_with(|| a.order(b)));
    let rows: Vec<((PointKey, Point), usize)> =
        points.into_iter().cartesian_product(0..copies).collect();

    let number = Estimate::with_error(1.0, 0.5, 2);
    let mut columns = Table::of(&rows, |((_, point), _)| point, &[]);
    for (column, points) in &planned.columns {
        columns = columns.estimate(column, |((key, _), _)| {
            points.contains(key).then_some(number)
        });
    }
    if figure.across.is_some() {
        columns = columns.column(&figure.spec.x, |(_, copy)| 1.0 + *copy as f64);
    }
    columns.left_out(left_out).table
}

/// The points that will have this measure of a table, and why others will not.
fn points_with(
    scope: &Scope,
    table: &MeasureTable,
    measure: &ShownMeasure,
) -> (Vec<Point>, Vec<Missing>) {
    let figure = scope.figure;
    let programs = &scope.rows.programs;
    let found = (table.needs)(scope, scope.wanted()).into_iter();
    let found = found.map(|point| {
        let algorithm = programs.algorithm(&point.algorithm);
        let lacks = lacks(figure, algorithm, &point, measure);
        (point, lacks.map_or(Ok(()), Err))
    });
    let (mut placed, others) = scope.placed(found);
    if figure.takes_fastest() {
        // Of several points of a curve at one x the fastest is drawn.
        let upwards = |point: &Point| figure.upwards_of(point).map(f64::to_bits);
        placed.dedup_by(|(a, ()), (b, ())| {
            figure.order(a, b).is_eq()
                && figure.curve_of(a) == figure.curve_of(b)
                && upwards(a) == upwards(b)
        });
    }
    let points = placed.into_iter().map(|(point, ())| point);
    (points.collect(), others)
}

/// Why a point has no such number.
fn lacks(
    figure: &Figure,
    algorithm: Option<&Algorithm>,
    point: &Point,
    measure: &ShownMeasure,
) -> Option<String> {
    let spec = figure.spec;
    let axis = spec.facet.as_deref();
    let axis = axis.filter(|axis| {
        *axis != SEED_KEY && !WORDS.contains(axis) && point.axes.get(axis).is_none()
    });
    let known = algorithm.map(|algorithm| algorithm.columns);
    let across = spec.has_column_across().then(|| spec.x.parse().ok());
    let across: Option<Summary> = across.flatten();
    let summaries = measure.summary.iter().chain(&across);
    let of_bins = spec.bin.column.as_deref().map(Formula::of);
    let formulas = summaries.map(|summary| &summary.formula).chain(&of_bins);
    let column = formulas.flat_map(Formula::columns).find(|name| {
        let has = |column: &Column| column.name == *name;
        known.is_some_and(|columns| !columns.iter().any(has)) && *name != CENSORED
    });
    let lacking = axis.or(column)?;
    let known = known.unwrap_or_default().iter();
    let near = did_you_mean(lacking, &known.map(|column| column.name).collect_vec());
    Some(format!("{LACKS}{}{near}", symbol(lacking)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;
    use crate::report::keys::parse;

    /// A plan of 1 200 points tells not where numbers will lie, but that no series is written down.
    #[test]
    fn figures_are_judged_by_the_plan_alone() {
        let sweep = "seeds = [1, 2]\n[[sweep]]\nalgorithm = 'pair'\nn = '4..6'\ntrials = 2\ncutoff = 9\n\
                     epsilon = { from = 0.001, to = 0.5, points = 400, scale = 'log' }\n";
        for (keys, expected) in [
            ("y_range = [1, 2]\nx = 'epsilon'\ny = ['moves']", None),
            ("facet = 'seed'\nx = 'epsilon'\ny = ['moves']", None),
            (
                "y = ['restart_time']",
                Some("the 40 trials that restarts need"),
            ),
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
