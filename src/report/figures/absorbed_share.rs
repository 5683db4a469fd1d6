//! How many trials end in a solution at all.

use crate::analysis::share::AbsorbedShare;
use crate::report::chart::{Chart, Curve, Panel, Scene, Scope};
use crate::report::frame::Frame;
use crate::report::number::short;
use crate::report::series::{Along, Points};
use crate::solver::point::KEY_AXES;

/// The share of the trials that were absorbed before their cutoff, against n, one curve per rule
/// and parameters.
pub const ABSORBED_SHARE: Chart = Chart {
    kind: "absorbed-share",
    doc: "share of the trials that end in a solution, against n; at ε = 0 the others are blocked",
    title: "Trials that end in a solution",
    lead: "Share of the trials that were absorbed before their cutoff, against n (intervals: Wilson)",
    along: Along {
        least: 1,
        ..Chart::PLAIN.along
    },
    nothing: "no trial of a local rule with n was absorbed",
    rows,
    panels: &[Panel {
        ys: &[("share", "")],
        title: "share of the trials absorbed",
        is_logarithmic: Some(true),
        ..Panel::PLAIN
    }],
    takes_steps: true,
    findings: |scene| scene.each(finding),
    ..Chart::PLAIN
};

fn rows(scope: &Scope) -> Result<Frame, String> {
    let shares = scope.measured(|trials| {
        let share = AbsorbedShare::of(&trials.rows)?;
        trials.point.integer("n")?;
        Some((
            trials.point.clone(),
            (share, trials.rows.iter().next()?.cutoff),
        ))
    });
    let Points { kept, .. } = Points::of(shares, &scope.chart.along, |_| None);
    let zeros = kept.iter().filter(|it| it.1.0.absorbed == 0);
    let reason = "a share of 0 has no place on a logarithmic axis";
    let left_out = zeros.map(|it| (it.0.clone(), reason.to_owned())).collect();
    let columns = Frame::of(&kept, &KEY_AXES)
        .column("trials", |it| it.1.0.trials)
        .column("absorbed", |it| it.1.0.absorbed)
        .column("censored", |it| it.1.0.trials - it.1.0.absorbed)
        .column("cutoff", |it| it.1.1)
        .estimate("share", |it| it.1.0.estimate())
        .note(
            "`share`: `absorbed` over `trials`; brackets hold 95 % intervals (Wilson). At ε = 0 no queen makes a dangerous move, and trials that are blocked run to their cutoff. A share \
             of 0 is in the table only.",
        );
    let mut frame = Frame {
        left_out,
        ..columns.frame
    };
    if kept.iter().any(|it| it.1.0.absorbed < it.1.0.trials) {
        frame.warn("trials that were not absorbed were cut off");
    }
    Ok(frame)
}

/// The shares at both ends.
fn finding(scene: &Scene, curve: &Curve) -> Option<String> {
    let share = |row: usize| {
        let share = short(100.0 * scene.frame.estimate(row, "share")?.value, 3);
        Some(format!("{share} % at n = {}", scene.at(row)))
    };
    let [first, last] = [curve.rows[0], curve.rows[curve.rows.len() - 1]];
    let mut shares = vec![share(first)?];
    shares.extend(share(last).filter(|_| last > first));
    let shares = shares.join(", ");
    Some(format!("{}: of the trials {shares}", curve.label))
}
