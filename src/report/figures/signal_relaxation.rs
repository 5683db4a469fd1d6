//! How long signals take to become true, against n.

use crate::analysis::course::sites;
use crate::analysis::mean::Estimate;
use crate::analysis::summary::{PointSummary, Quantity, Summary};
use crate::report::chart::{Chart, Curve, Fit, Panel, Scene, Scope, in_interval};
use crate::report::frame::{Frame, of_points, quantities};
use crate::report::series::Points;

/// Mean relaxation time of the signals divided by n³, against n, one curve per rule; the fitted
/// power of n.
pub const SIGNAL_RELAXATION: Chart = Chart {
    kind: "signal-relaxation",
    doc: "updates until all signals are true, in units of n³, against n",
    title: "Relaxation of the signals against n",
    lead: "Mean number of updates until every signal is true, from a placed solution without signals, divided by n³, against n. \
           Divided by sites · n (pairs or cells that an update draws from, times n) both rules have nearly one curve",
    is_wanted: |point, _| point.algorithm.ends_with("-relaxation") && sites(point).is_some(),
    nothing: "no relaxation of a rule's signals at two values of n",
    rows,
    panels: &[Panel {
        ys: &[("mean_over_n3", "")],
        title: "mean relaxation time / n³ (updates)",
        fit: Some(Fit {
            of: "updates / (sites · n)",
            is_drawn: false,
            rows: ("power_of_mean_over_sites_n", ""),
            ..Fit::POWER
        }),
        ..Panel::PLAIN
    }],
    findings,
    ..Chart::PLAIN
};

type Row<'r> = (&'r PointSummary, &'r Summary);

/// The unit of the absorption time.
fn unit((point, time): &Row, of: fn(n: f64, sites: f64) -> f64) -> Option<f64> {
    let is_time = time.quantity == Quantity::AbsorptionTime;
    let n = point.point.integer("n")? as f64;
    is_time.then_some(of(n, sites(&point.point)?))
}

fn mean_over(row: &Row, of: fn(n: f64, sites: f64) -> f64) -> Option<Estimate> {
    let unit = unit(row, of)?;
    Some(row.1.estimate().in_units(unit))
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let Points { mut kept, left_out } = scope.points();
    // The pair rule first, in its colour.
    kept.sort_by(|a, b| b.point.algorithm.cmp(&a.point.algorithm));
    let kept = quantities(&kept);
    let columns = of_points(&kept)
        .means(|it| {
            let (unit, mean) = (unit(it, |n, sites| sites * n)?, it.1.mean);
            Some((mean.in_units(unit), it.1.is_lower_bound()))
        })
        .estimate("mean_over_n3", |it| mean_over(it, |n, _| n * n * n))
        .estimate("mean_over_sites_n", |it| mean_over(it, |n, sites| sites * n))
        .note(
            "`mean_over_n3` and `mean_over_sites_n` are the mean and its interval divided by n³, and by n times the number of sites that an update draws from: \
             2 (n − 1)(2n − 1) pairs of adjacent cells, or n² cells. A single power of n is fitted to `mean_over_sites_n`.",
        );
    Ok(Frame {
        left_out,
        ..columns.frame
    })
}

/// The powers, and before them the times at the greatest n.
fn findings(scene: &Scene) -> Vec<String> {
    let at_end = |curve: &Curve| {
        let last = *curve.rows.last()?;
        let over = |column| {
            let [value, low, high] = in_interval(scene.frame.estimate(last, column)?);
            Some(format!("{value} ({low} to {high})"))
        };
        let (cube, sites) = (over("mean_over_n3")?, over("mean_over_sites_n")?);
        let (label, n) = (&curve.label, scene.at(last));
        Some(format!(
            "{label}: {cube}·n³ and {sites}·sites·n updates at n = {n}"
        ))
    };
    let at_end = scene.curves.iter().filter_map(at_end);
    at_end.chain(scene.findings_of_fits()).collect()
}
