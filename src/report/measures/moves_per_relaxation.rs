//! How many moves take place while the signals become true, against n. Which points have a
//! relaxation is decided here.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::measures::kit::*;

pub const MOVES_PER_RELAXATION: MeasureTable = MeasureTable {
    name: "moves-per-relaxation",
    measures: &[Measure::new(
        "moves_per_relaxation",
        "queen moves per relaxation of the signals",
    )],
    rows,
    needs: with_relaxation,
    lacking: "no point has a relaxation of its rule's signals at its n",
    ..MeasureTable::PLAIN
};

/// The points whose rule has a relaxation of its signals at the same n.
fn with_relaxation(_: &Scope, points: Vec<Point>) -> Vec<Point> {
    let sides: BTreeSet<Side> = points.iter().map(side_of).collect();
    only(points, |point| sides.contains(&relaxation_of(point)))
}

/// An algorithm and an n.
type Side = (String, Option<u64>);

/// The relaxation of the signals of a point's rule.
fn relaxation_of(point: &Point) -> Side {
    let name = format!("{}-relaxation", point.algorithm);
    (name, point.integer("n"))
}

fn side_of(point: &Point) -> Side {
    (point.algorithm.clone(), point.integer("n"))
}

fn rows(scope: &Scope) -> Result<Table, String> {
    let sides = scope.rows.trials.iter().rev();
    let sides: BTreeMap<Side, &PointTrials> =
        sides.map(|side| (side_of(&side.point), side)).collect();
    let slower = scope.slower();
    let of = |point_trials: &PointTrials| {
        let relaxation = sides.get(&relaxation_of(&point_trials.point))?;
        let found = per_relaxation(point_trials, relaxation);
        let found = found.ok_or_else(|| "has no moves, or signals cut off".to_owned());
        let slower = slower.get(&point_trials.point).cloned();
        Some((point_trials.point.clone(), slower.map_or(found, Err)))
    };
    let (points, left_out) = scope.placed(scope.measured(of));
    let mut table = Table::of(&points, |(point, _)| point, &KEY_AXES)
        .left_out(left_out)
        .trials(|(_, ratio)| *ratio)
        .estimate("moves_per_relaxation", |(_, ratio)| ratio.estimate)
        .note(
            "`moves_per_relaxation` is Σ moves / Σ updates over the trials times the mean relaxation time of the rule's signals at the same n, which is in another set of trials; \
             its interval is that of the logarithm, with both variances. `power_of_moves_per_relaxation` is fitted from `power_first_n` to `power_last_n`.",
        )
        .warn_if(|(_, ratio)| ratio.censored > 0, "trials that were cut off count up to there")
        .table;
    // Relaxations are shown: each is the unit of a rule's point.
    let shown: BTreeSet<Side> = points.iter().map(|point| relaxation_of(&point.0)).collect();
    let is_shown = |point: &&Point| shown.contains(&side_of(point));
    let points = scope.rows.trials.iter().map(|trial| &trial.point);
    table.also_shown = points.filter(is_shown).cloned().collect();
    Ok(table)
}

fn per_relaxation(trials: &PointTrials, relaxation: &PointTrials) -> Option<Measured> {
    let time = Measured::mean(relaxation, "absorption_time")?.estimate;
    let rate = Measured::of(trials, &"moves / updates".parse().ok()?)?;
    let estimate = rate.estimate.times(&time).filter(|_| !time.is_bound)?;
    Some(Measured { estimate, ..rate })
}
