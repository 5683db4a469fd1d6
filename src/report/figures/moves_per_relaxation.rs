//! How many moves take place while the signals become true, against n.

use std::collections::{BTreeMap, BTreeSet};

use super::kit::*;
use crate::analysis::jackknife::ratio;
use crate::analysis::summary::Summary;

pub const MOVES_PER_RELAXATION: MeasureTable = MeasureTable {
    name: "moves-per-relaxation",
    measures: &[Measure::new(
        "moves_per_relaxation",
        "queen moves per relaxation of the signals",
    )],
    rows,
    ..MeasureTable::PLAIN
};

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

fn rows(scope: &Scope) -> Result<Frame, String> {
    let trials: BTreeMap<&Point, &PointTrials> =
        scope.rows.trials.iter().map(|it| (&it.point, it)).collect();
    let sides = trials.values();
    let sides: BTreeMap<Side, &PointTrials> =
        sides.rev().map(|it| (side_of(&it.point), *it)).collect();
    let (kept, left_out) = scope.points(|it| sides.contains_key(&relaxation_of(it)));
    let points = kept.into_iter().filter_map(|point| {
        let relaxation = sides.get(&relaxation_of(&point.point))?;
        let moves = per_relaxation(trials.get(&point.point)?, relaxation)?;
        Some((point, moves))
    });
    let points: Vec<(PointSummary, Estimate)> = points.collect();
    // A point has a row for each of its quantities, and this number on the first of them.
    let moves: BTreeMap<&Point, Estimate> = points.iter().map(|it| (&it.0.point, it.1)).collect();
    let moves = |(point, summary): &(&PointSummary, &Summary)| {
        let is_first = summary.quantity == point.summaries[0].quantity;
        moves.get(&point.point).copied().filter(|_| is_first)
    };
    let kept = quantities(points.iter().map(|it| &it.0));
    let mut frame = of_points(&kept)
        .left_out(left_out)
        .estimate("moves_per_relaxation", moves)
        .note(
            "`moves_per_relaxation` is Σ moves / Σ updates over the trials times the mean relaxation time of the rule's signals at the same n, which is in another set of trials; \
             its interval is that of the logarithm, with both variances. `power_of_moves_per_relaxation` is fitted from `power_first_n` to `power_last_n`.",
        )
        .warn_if(
            |(_, it)| it.measured.estimate.is_bound,
            "trials that were cut off count up to there",
        )
        .frame;
    // Relaxations are shown: each is the unit of a rule's point.
    let shown = points.iter().map(|it| relaxation_of(&it.0.point));
    let shown: BTreeSet<Side> = shown.collect();
    let is_shown = |it: &&Point| shown.contains(&side_of(it));
    let all = scope.rows.trials.iter().map(|it| &it.point);
    frame.also_shown = all.filter(is_shown).cloned().collect();
    Ok(frame)
}

/// Σ moves / Σ updates over the trials of a point, times the mean relaxation time; its relative
/// variance is the sum of both, that of the ratio by the delta method.
fn per_relaxation(trials: &PointTrials, relaxation: &PointTrials) -> Option<Estimate> {
    let rows = &trials.rows;
    let relaxation = PointSummary::of(relaxation)?;
    let time = relaxation.time()?.measured.estimate;
    if time.is_bound {
        return None;
    }
    let pairs: Vec<[f64; 2]> = rows
        .without_boards()
        .filter_map(|row| Some([row.outcome.moves? as f64, row.outcome.updates? as f64]))
        .collect();
    ratio(&pairs)?.times(&time)
}
