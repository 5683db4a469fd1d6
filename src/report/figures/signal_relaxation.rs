//! How long signals take to become true, against n.

use crate::analysis::mean::{Estimate, Mean};
use crate::analysis::summary::{PointSummary, Quantity, Summary};
use crate::experiment::spec::Law;
use crate::experiment::store::PointKey;
use crate::report::chart::{Chart, Curve, Fit, Panel, Scene, Scope, finding_of_fit};
use crate::report::frame::{Frame, of_points, quantities};
use crate::report::number::short;
use crate::report::series::Points;
use crate::solver::board::Board;

/// Mean relaxation time of the signals divided by n³, against n, one curve per rule; the fitted
/// power of n.
pub const SIGNAL_RELAXATION: Chart = Chart {
    kind: "signal-relaxation",
    doc: "updates until all signals are true, in units of n³, against n",
    lead: "Mean number of updates until every signal is true, from a placed solution without signals, divided by n³, against n. \
           Divided by sites · n (pairs or cells that an update draws from, times n) both rules have nearly one curve",
    is_wanted: |point, _| sites(point).is_some(),
    nothing: "no relaxation of a rule's signals at two values of n",
    rows,
    panels: &[Panel {
        ys: &[("mean_over_n3", "")],
        title: "mean relaxation time / n³ (updates)",
        ..Panel::PLAIN
    }],
    fit: Some(Fit {
        law: Law::Power,
        of: "updates / (sites · n)",
        rows: ("power_of_mean_over_sites_n", ""),
        where_it_fits: true,
    }),
    finding,
    ..Chart::PLAIN
};

/// Number of sites that an update draws from.
fn sites(point: &PointKey) -> Option<f64> {
    let n = point.integer("n")? as usize;
    let sites = match point.algorithm.strip_suffix("-relaxation")? {
        rule if rule.starts_with("pair") => Board::new(n).n_pairs(),
        _ => n * n,
    };
    Some(sites as f64)
}

type Row<'r> = (&'r PointSummary, &'r Summary);

/// The unit of the absorption time.
fn unit((point, time): &Row, of: fn(n: f64, sites: f64) -> f64) -> Option<f64> {
    let is_time = time.quantity == Quantity::AbsorptionTime;
    let n = point.point.integer("n")? as f64;
    is_time.then_some(of(n, sites(&point.point)?))
}

fn mean_over(row: &Row, of: fn(n: f64, sites: f64) -> f64) -> Option<Estimate> {
    let unit = unit(row, of)?;
    Some(Estimate {
        value: row.1.mean.value / unit,
        interval: row.1.interval.map(|end| end / unit),
    })
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let Points { mut kept, left_out } = scope.points();
    // The pair rule first, in its colour.
    kept.sort_by(|a, b| b.point.algorithm.cmp(&a.point.algorithm));
    let kept = quantities(&kept);
    let columns = of_points(&kept)
        .means(|it| {
            let (unit, mean) = (unit(it, |n, sites| sites * n)?, it.1.mean);
            let mean = Mean {
                value: mean.value / unit,
                standard_error: mean.standard_error / unit,
                ..mean
            };
            Some((mean, it.1.is_lower_bound()))
        })
        .estimate("mean_over_n3", |it| mean_over(it, |n, _| n * n * n))
        .estimate("mean_over_sites_n", |it| mean_over(it, |n, sites| sites * n))
        .note(
            "`mean_over_n3` and `mean_over_sites_n` are the mean and its interval divided by n³, and by n times the number of sites that an update draws from: \
             2 (n − 1)(2n − 1) pairs of adjacent cells, or n² cells. A single power of n is fitted from the least n on from which its lack of fit is not significant \
             (χ² test, p ≥ 0.05, at least four n).",
        );
    Ok(Frame {
        left_out,
        ..columns.frame
    })
}

/// The time at the greatest n, and the power.
fn finding(scene: &Scene, curve: &Curve) -> Option<String> {
    let last = curve.rows.end - 1;
    let over = |column| {
        let Estimate { value, interval } = scene.frame.estimate(last, column)?;
        let [value, low, high] = [value, interval.low, interval.high].map(|it| short(it, 3));
        Some(format!("{value} ({low} to {high})"))
    };
    let (cube, sites) = (over("mean_over_n3")?, over("mean_over_sites_n")?);
    let (label, n) = (&curve.label, scene.at(last));
    let power = finding_of_fit(scene, curve).unwrap_or_default();
    let power = power.replacen(&format!("{label}:"), ";", 1);
    Some(format!(
        "{label}: {cube}·n³ and {sites}·sites·n updates at n = {n}{power}"
    ))
}
