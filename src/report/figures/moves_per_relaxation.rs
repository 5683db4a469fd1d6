//! How many moves take place while the signals become true once, against n.

use crate::analysis::jackknife::ratio;
use crate::analysis::mean::Mean;
use crate::analysis::summary::{PointSummary, Quantity, Summary};
use crate::report::chart::{Chart, Fit, Panel, Scope};
use crate::report::frame::{Frame, Keyed, of_points, quantities};
use crate::report::series::{Along, Points};
use crate::results::PointTrials;
use crate::solver::Point;

/// Moves per update times the mean relaxation time of the same rule's signals at the same n.
pub const MOVES_PER_RELAXATION: Chart = Chart {
    kind: "moves-per-relaxation",
    doc: "queen moves while the signals become true once, against n, each n at an ε of its own",
    title: "Moves while the signals become true once",
    lead: "Queen moves per update, all trials together, times the mean number of updates until every signal is true, against n, each n at the ε given in the table",
    along: Along {
        axes: &["n", "epsilon"],
        ..Chart::PLAIN.along
    },
    is_wanted: |point, all| all.iter().any(|other| is_unit(other, point)),
    nothing: "no two values of n with a rule and its relaxation",
    rows,
    panels: &[Panel {
        ys: &[("moves_per_relaxation", "")],
        title: "queen moves per relaxation of the signals",
        fit: Some(Fit {
            of: "moves per relaxation",
            is_drawn: false,
            rows: ("power_of_moves_per_relaxation", ""),
            ..Fit::POWER
        }),
        ..Panel::PLAIN
    }],
    ..Chart::PLAIN
};

/// Whether a relaxation is that of the rule's signals at the same n.
fn is_unit(relaxation: &Point, point: &Point) -> bool {
    relaxation.algorithm.strip_suffix("-relaxation") == Some(&point.algorithm)
        && relaxation.integer("n") == point.integer("n")
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let along = &scope.chart.along;
    let Points { kept, mut left_out } = scope.points();
    let measured = kept.into_iter().filter_map(|point| {
        let moves = per_relaxation(&point.point, scope.input.trials)?;
        Some((point, moves))
    });
    let points = Points::of(measured.collect(), along, |_| None).in_curves(along);
    left_out.extend(points.left_out);
    // A point has a row for each of its quantities, and this number on the first of them.
    let moves = |(point, summary): &(&PointSummary, &Summary)| {
        let own = points.kept.iter().find(|it| it.key() == &point.point)?;
        std::ptr::eq::<Summary>(*summary, &point.summaries[0]).then_some(own.1)
    };
    let kept = quantities(points.kept.iter().map(|it| &it.0));
    let columns = of_points(&kept)
        .means(|it| Some((moves(it)?, false)))
        .estimate("moves_per_relaxation", |it| {
            Some(moves(it)?.estimate())
        })
        .note(
            "`moves_per_relaxation` is Σ moves / Σ updates over the trials times the mean relaxation time of the rule's signals at the same n, which is in another set of trials; \
             its interval is that of the logarithm, with both variances. `power_of_moves_per_relaxation` is fitted from `power_first_n` to `power_last_n`.",
        );
    // Relaxations are shown: each is the unit of a rule's point.
    let is_shown = |it: &Point| points.kept.iter().any(|point| is_unit(it, point.key()));
    let all = scope.input.trials.iter().map(|it| &it.point);
    let mut frame = Frame {
        left_out,
        also_shown: all.filter(|it| is_shown(it)).cloned().collect(),
        ..columns.frame
    };
    if kept.iter().any(|(_, it)| it.is_lower_bound()) {
        frame.warn("trials that were cut off count up to there");
    }
    Ok(frame)
}

/// Σ moves / Σ updates over the trials of a point, times the mean relaxation time; its relative
/// variance is the sum of both, that of the ratio by the delta method.
fn per_relaxation(point: &Point, trials: &[PointTrials]) -> Option<Mean> {
    let rows = &trials.iter().find(|trials| trials.point == *point)?.rows;
    let relaxation = trials.iter().find(|trials| is_unit(&trials.point, point))?;
    let relaxation = PointSummary::of(relaxation)?;
    let time = relaxation.quantity(Quantity::AbsorptionTime)?;
    if time.is_lower_bound() {
        return None;
    }
    let pairs: Vec<[f64; 2]> = rows
        .without_boards()
        .filter_map(|row| Some([row.outcome.moves? as f64, row.outcome.updates? as f64]))
        .collect();
    let rate = ratio(&pairs)?;
    let value = rate.value * time.mean.value;
    let variance = rate.log_variance()? + time.mean.log_variance()?;
    Some(Mean {
        value,
        standard_error: value * variance.sqrt(),
        trials: rate.trials.min(time.mean.trials),
    })
}
