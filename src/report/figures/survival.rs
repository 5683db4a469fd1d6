//! Whether times are exponential: run-length distributions.

use super::kit::*;
use crate::analysis::run_length::RunLength;
use crate::analysis::summary::of_each_point;
use crate::report::frame;
use crate::report::legend::{LegendEntry, Sample};
use crate::report::staircase::{self, END, Stairs, is_clipped};
use crate::report::style::THEORY;

pub const RUN_LENGTH: MeasureTable = MeasureTable {
    name: "run-length",
    measures: &[Measure::new("survival", "share of trials not yet absorbed")],
    across: &[("time", "time / mean time")],
    ignores: &[
        "fit", "fit_from", "over", "guide", "y_scale", "y_range", "room", "facet", "share_y",
    ],
    rows: exponentiality,
    ..MeasureTable::PLAIN
};

/// Why points have no rows.
fn finish(frame: &mut Frame, scope: &Scope, all: &[RunLength]) {
    let missing = |point: &Point| {
        let is_known = all.iter().any(|it| it.summary.point == *point);
        (!frame.keys.contains(point)).then_some(match is_known {
            true => "fewer than five trials were absorbed",
            false => "no trial ended after an update",
        })
    };
    let points = scope.rows.trials.iter().map(|it| &it.point);
    let left_out = points.filter_map(|it| Some((it.clone(), missing(it)?.to_owned())));
    frame.left_out = left_out.collect();
}

/// One line per point, drawn or not.
fn exponentiality(scope: &Scope) -> Result<Frame, String> {
    let all = of_each_point(&scope.rows.trials, RunLength::of);
    let mut frame = Frame::of(&all, &KEY_AXES)
        .quantity(|it| it.time().quantity.name())
        .trials(|it| it.time().measured)
        .column("mean_is", |it| mean_is(it.time().measured.estimate))
        .column("method", |it| it.time().measured.method)
        .estimate("mean", |it| it.time().measured.estimate)
        .estimate("ert", |it| it.time().expected_run_length)
        .estimate("variation", |it| it.time().variation)
        .note(
            "Absorption times in updates; brackets hold 95 % intervals: of the mean and of `variation` (standard deviation / mean, 1 for exponential times) by `method`. The formulas are in docs/statistics.md.",
        )
        .note_if(
            |it| it.time().measured.estimate.is_bound,
            "`lower bound`: `censored` trials were cut off at `cutoff`; the mean is the restricted mean, over min(time, cutoff). `ert`: mean updates until success with independent \
             restarts at `cutoff`.",
        )
        .frame;
    finish(&mut frame, scope, &all);
    let survival = |(row, point): (usize, &RunLength)| frame::Survival {
        row,
        curve: point.survival(),
        scale: point.scale,
    };
    frame.survival = all.iter().enumerate().map(survival).collect();
    Ok(frame)
}

/// What the legend says of the law that the curves are held against, and of curves that go on
/// beyond the axis.
pub fn legend(scene: &Scene) -> Vec<LegendEntry> {
    let law = "fine dashes: exponential times";
    let mut entries = vec![LegendEntry::new(Sample::Dashes(THEORY), law)];
    let clipped = stairs(scene).filter(|it| is_clipped(it.curve, it.scale));
    let clipped = clipped.count();
    if clipped > 0 {
        let curves = counted(clipped, "curve");
        let words = format!("clipped: {curves}, at {END} means (arrow)");
        entries.push(LegendEntry::new(Sample::None, words));
    }
    entries
}

fn stairs<'s>(scene: &'s Scene) -> impl Iterator<Item = Stairs<'s>> {
    let survival = &scene.frame.survival;
    scene.curves.iter().filter_map(|curve| {
        let it = survival.iter().find(|it| curve.rows.contains(&it.row))?;
        Some(Stairs {
            curve: &it.curve,
            scale: it.scale,
            style: curve.style,
            is_open: scene.frame.is_bound(it.row, "mean"),
        })
    })
}

/// The survival curves in one plot.
pub fn staircases<'s>(scene: &'s Scene) -> Vec<SheetPart<'s>> {
    let curves = stairs(scene).collect();
    let titles = (scene.chart.x_title(), &*scene.chart.panels[0].title);
    let x_is_logarithmic = scene.chart.choices.x_is_logarithmic == Some(true);
    let height = scene.chart.panels[0].height;
    vec![staircase::plot(height, titles, curves, x_is_logarithmic)]
}
