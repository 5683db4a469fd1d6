//! `reines check`: what a spec would run, without running it.

mod forecast;

use std::path::PathBuf;

use serde_json::{Value, json};

pub(super) use self::forecast::Forecast;
use super::plan::{PlanArgs, Planned};
use super::terminal::{json_count, remark};
use super::view::JsonOption;
use super::{Common, SpecAndFigures};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::Refused;
use crate::solver::algorithm;

/// Print what experiments would run, and how long it would take
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines check experiments/*.toml
  reines check --json size
  reines check --quick -s trials=50 rules

A trial takes as long as those of the same point took in an earlier run, or in
results/reference; else as the nearest ones of the same algorithm foretell, and
the line says which. Nothing is known of an algorithm that has never run.")]
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
    let of = |(_, read, plan): &Planned| checked(read, plan, &forecast);
    let checked: Vec<Value> = planned.iter().map(of).collect();
    args.view.print(&checked, include_str!("check/check.txt"))?;
    if !args.plan.only.is_some() {
        Refused::all(undrawable.into_iter().map(Refused::new).collect())?;
        return Ok(0);
    }
    // A part of the points need not do for all figures.
    for line in undrawable {
        remark!("warning: {line}");
    }
    Ok(0)
}

/// What a spec would run.
fn checked((spec, figures): &SpecAndFigures, plan: &Plan, forecast: &Forecast) -> Value {
    let points = plan.points.iter();
    let points = points.map(|planned| checked_point(plan, planned, forecast));
    let seeds = plan.seeds.len() as u64;
    let random = plan.points.iter().filter(|planned| {
        let algorithm = algorithm(&planned.point.algorithm);
        algorithm.is_some_and(|it| it.is_random(&planned.point.variant))
    });
    let fewest = random.map(|it| u64::from(it.trials) * seeds).min();
    let figures = figures.iter();
    let figures = figures.map(|it| json!({ "kind": it.kind, "name": it.name }));
    let series_rows = || json_count(plan.series_rows());
    json!({
        "experiment": spec.name,
        "file": spec.file,
        "title": spec.title,
        "plan_hash": plan.hash(),
        "code_version": plan.code_version(),
        // The parts of the sources that the code version is made of, and their hashes.
        "parts": plan.parts(),
        "seeds": plan.seeds.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "points": points.collect::<Vec<_>>(),
        // Of all points and seeds.
        "trials": plan.trials(),
        "worst_case_updates": json_count(plan.worst_case_updates()),
        "run_time": forecast.total(plan),
        // Of a point that draws at random, and the ratio of two means of so many that is found with
        // a probability of 80 % (docs/statistics.md).
        "fewest_trials": fewest,
        "visible_ratio": fewest.map(|it| libm::exp(2.8 * (2.0 / it as f64).sqrt())),
        "figures": figures.collect::<Vec<_>>(),
        // Combinations of choices that cannot be, a line for each sweep that has any.
        "left_out": spec.left_out(),
        "warnings": plan.warnings(),
        "series_rows": plan.records_series().then(series_rows),
    })
}

/// A point of a plan.
fn checked_point(plan: &Plan, planned: &PlannedPoint, forecast: &Forecast) -> Value {
    let (point, seeds) = (&planned.point, plan.seeds.len() as u64);
    json!({
        "point": point.to_string(),
        "algorithm": point.algorithm,
        "variant": point.variant,
        "goal": point.goal,
        "axes": point.axes,
        "dynamics": planned.dynamics_name(),
        // Under all seeds.
        "trials": u64::from(planned.trials) * seeds,
        "repeats": planned.repeats,
        "cutoff": planned.cutoff,
        "worst_case_updates": json_count(plan.worst_case_updates_at(planned)),
        // Of all its trials, one after the other; null where no earlier run tells of them.
        "run_time": forecast.point(planned, planned.runs() * seeds),
    })
}
