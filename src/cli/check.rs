//! `reines check`: what a spec would run, without running it. Here are its help, the most points
//! that are printed (1000), and the ratio of two means that a test at 5 % finds with 80 %. The text
//! is in `check/check.txt`, the time in `check/forecast.rs`, the warnings in `experiment/plan.rs`.

mod forecast;

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};

pub(super) use self::forecast::Forecast;
use self::forecast::{Foretold, Total};
use super::spec_options::{PlanArgs, Planned};
use super::terminal::{json_count, optional_message};
use super::view::JsonOption;
use super::{Common, SpecAndFigures};
use crate::experiment::code_version::PartHashes;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::Refused;
use crate::solver::algorithm;
use crate::solver::goal::Goal;
use crate::solver::point::AxisValues;

/// Print what experiments would run, and how long it would take
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines check experiments/*.toml
  reines check --json size
  reines check --quick -s trials=50 rules

A trial takes as long as those of the same point took in an earlier run, or in
results/reference; else as the nearest ones of the same algorithm foretell: the
line says which, and a range (of 1 200 points that were left out, 94 % took a
time within theirs). Nothing is known of an algorithm that has never run.")]
pub struct CheckArgs {
    /// Experiments, by their names or specs
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    view: JsonOption,
    #[command(flatten)]
    common: Common,
}

/// Reads all files before it prints anything, so that a bad one is not lost among the good.
pub fn run(args: &CheckArgs) -> anyhow::Result<u8> {
    let (planned, failures) = args.plan.read(&args.experiments, &args.common.results)?;
    if failures.code != 0 {
        return Ok(failures.end());
    }
    let lines = |(_, read, plan): &Planned| super::undrawable(read, plan);
    let undrawable: Vec<String> = planned.iter().flat_map(lines).collect();
    let forecast = Forecast::read(&args.common.results)?;
    let most = if args.view.is_json() {
        usize::MAX
    } else {
        MOST_POINTS
    };
    let of = |(_, read, plan): &Planned| checked(read, plan, &forecast, most);
    let checked: Vec<Checked> = planned.iter().map(of).collect();
    args.view.print(&checked, include_str!("check/check.txt"))?;
    if !args.plan.only.is_some() {
        Refused::all(undrawable.into_iter().map(Refused::new).collect())?;
        return Ok(0);
    }
    // A part of the points need not do for all figures.
    for line in undrawable {
        optional_message!("warning: {line}");
    }
    Ok(0)
}

/// Points of an experiment that are printed; `--json` has all.
const MOST_POINTS: usize = 1000;

/// What a spec would run, in the order of its keys.
#[derive(Serialize)]
struct Checked {
    code_version: String,
    experiment: String,
    /// Of a point that draws at random, under all seeds.
    fewest_trials: Option<u64>,
    figures: Vec<Value>,
    file: String,
    /// Combinations of choices that cannot be, a line for each sweep that has any.
    left_out: Vec<String>,
    /// Points that are not among `points`.
    #[serde(skip_serializing_if = "is_zero")]
    more_points: usize,
    /// The parts of the sources that the code version is made of, and their hashes.
    parts: PartHashes,
    plan_hash: String,
    points: Vec<CheckedPoint>,
    run_time: Total,
    seeds: Vec<String>,
    series_rows: Option<Value>,
    title: Option<String>,
    /// Of all points and seeds.
    trials: u64,
    /// The ratio of two means of the fewest trials that is found with a probability of 80 %
    /// (docs/statistics.md).
    visible_ratio: Option<f64>,
    warnings: Vec<String>,
    worst_case_updates: Value,
}

/// A point of a plan, in the order of its keys.
#[derive(Serialize)]
struct CheckedPoint {
    algorithm: String,
    axes: AxisValues,
    cutoff: u64,
    dynamics: Option<&'static str>,
    goal: Option<Goal>,
    point: String,
    repeats: Option<u32>,
    /// Of all its trials, one after the other; null where no earlier run tells of them.
    run_time: Option<Foretold>,
    /// Under all seeds.
    trials: u64,
    variant: String,
    worst_case_updates: Value,
}

/// The condition for `skip_serializing_if`.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What a spec would run, with so many of its points at most.
fn checked(
    (spec, figures): &SpecAndFigures,
    plan: &Plan,
    forecast: &Forecast,
    most: usize,
) -> Checked {
    let trials = forecast.trials(plan);
    let points = plan.points.iter().zip(&trials).take(most);
    let points = points.map(|(planned, trial)| checked_point(plan, planned, trial.as_ref()));
    let seeds = plan.seeds.len() as u64;
    let random = plan.points.iter().filter(|planned| {
        let algorithm = algorithm(&planned.point.algorithm);
        algorithm.is_some_and(|algorithm| algorithm.is_random(&planned.point.variant))
    });
    let fewest = random.map(|random| u64::from(random.trials) * seeds).min();
    let figures = figures.iter();
    let figures = figures.map(|figure| json!({ "kind": figure.kind, "name": figure.name }));
    let series_rows = || json_count(plan.series_rows());
    Checked {
        code_version: plan.code_version(),
        experiment: spec.name.clone(),
        fewest_trials: fewest,
        figures: figures.collect(),
        file: spec.file.clone(),
        left_out: spec.left_out(),
        more_points: plan.points.len().saturating_sub(most),
        parts: plan.parts(),
        plan_hash: plan.hash(),
        points: points.collect(),
        run_time: forecast.total_of(plan, &trials),
        seeds: plan.seeds.iter().map(ToString::to_string).collect(),
        series_rows: plan.records_series().then(series_rows),
        title: spec.title.clone(),
        trials: plan.trials(),
        visible_ratio: fewest.map(|fewest| libm::exp(2.8 * (2.0 / fewest as f64).sqrt())),
        warnings: plan.warnings(),
        worst_case_updates: json_count(plan.worst_case_updates()),
    }
}

/// A point of a plan, of which a trial takes so long.
fn checked_point(plan: &Plan, planned: &PlannedPoint, trial: Option<&Foretold>) -> CheckedPoint {
    let point = &planned.point;
    let seeds = plan.seeds.len() as u64;
    CheckedPoint {
        algorithm: point.algorithm.clone(),
        axes: point.axes.clone(),
        cutoff: planned.cutoff,
        dynamics: planned.dynamics_name(),
        goal: point.goal,
        point: point.to_string(),
        repeats: planned.repeats,
        run_time: trial.map(|trial| trial.times(planned.runs() * seeds)),
        trials: u64::from(planned.trials) * seeds,
        variant: point.variant.clone(),
        worst_case_updates: json_count(plan.worst_case_updates_at(planned)),
    }
}
