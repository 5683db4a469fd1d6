//! Whether times are exponential: run-length distributions, and the mean residual life.

use super::kit::*;
use crate::analysis::run_length::RunLength;
use crate::analysis::summary::of_each_point;
use crate::report::frame;
use crate::report::legend::{LegendEntry, Sample};
use crate::report::number::six_digits_whole;
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

pub const RESIDUAL_LIFE: MeasureTable = MeasureTable {
    name: "residual-life",
    measures: &[Measure::new("in_means", "mean residual time / mean time")],
    across: &[("time_in_means", "time spent / mean time")],
    rows: residual_lives,
    ignores: MeasureTable::OF_ERRORS,
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
        .estimate("weibull_shape", |it| it.shape)
        .note(
            "Absorption times in updates; brackets hold 95 % intervals: of the mean and of `variation` (standard deviation / mean) by `method`, of `weibull_shape` from the likelihood. Both are 1 \
             for exponential times. The formulas are in docs/statistics.md.",
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

/// One line per mark, those of points that are not drawn included.
fn residual_lives(scope: &Scope) -> Result<Frame, String> {
    let all = of_each_point(&scope.rows.trials, RunLength::of);
    let lines = parts(&all, |point| &point.residual_life);
    let mut frame = Frame::of(&lines, &KEY_AXES)
        .drawn("time_in_means", |(it, life)| {
            Estimate::exactly(life.time as f64 / it.scale)
        })
        .trials(|(it, _)| it.time().measured)
        .column("residual_life_is", |(it, _)| {
            mean_is(it.time().measured.estimate)
        })
        .column("method", |_| "t of ln")
        .column("time_spent", |(_, life)| six_digits_whole(life.time))
        .column("trials_left", |(_, life)| life.mean.trials)
        .estimate("residual_life", |(_, life)| life.mean)
        .column("unit", |(it, _)| it.scale)
        .estimate("in_means", |(it, life)| {
            life.in_means.bounding(it.time().measured.estimate.is_bound)
        })
        .note(
            "`residual_life`: the mean of T − `time_spent` over the `trials_left`, those with T > `time_spent`, in updates; at the start and at the times by which 10, 20, …, 90 and 95 % of the `trials` have \
             ended, while five or more are to end. Brackets hold 95 % intervals: the t interval of the logarithm.",
        )
        .note("`in_means`: `residual_life` / `unit`, with the interval of this ratio (jackknife): both are of the same trials; `unit` is the mean absorption time. The formulas are in docs/statistics.md.")
        .note_if(
            |(it, _)| it.time().measured.estimate.is_bound,
            "`lower bound`: `censored` trials were cut off at `cutoff` and count with min(T, cutoff) − `time_spent`; the true residual life is longer. `unit` is there the mean time with independent \
             restarts at `cutoff` (ERT).",
        )
        .frame;
    finish(&mut frame, scope, &all);
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
