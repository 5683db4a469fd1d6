//! `reines check`: what a spec would run, without running it.

mod run_time;
mod words;

use std::path::PathBuf;

use itertools::Itertools;
use serde_json::{Value, json};

pub(super) use self::run_time::Earlier;
use self::words::CourseRows;
use super::Common;
use super::plan::PlanArgs;
use super::text::{aligned, counted, spaced};
use crate::analysis::run_time::Forecast;
use crate::cli::terminal::{self, json_count, say};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::{Refused, Spec};

/// Print what experiments would run, and how long it would take
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines check experiments/*.toml
  reines check --json size
  reines check --quick -s 'sweep[1].trials=50' rules")]
pub struct Args {
    /// Experiments, by their names or specs
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    #[command(flatten)]
    plan: PlanArgs,
    /// Print JSON: a list with one object for each file
    #[arg(long)]
    json: bool,
}

/// Reads all files before it prints anything, so that a bad one is not lost among the good.
pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let specs = args.plan.read(&args.experiments, &common.results)?;
    let planned: Vec<(&Spec, Plan)> = super::each(
        specs
            .iter()
            .map(|(_, spec)| Ok((spec, args.plan.plan(spec)?))),
    )?;
    let all = planned.iter();
    let undrawable = all.map(|(spec, plan)| super::undrawable(spec, plan));
    match args.plan.only.only {
        // A part of the points need not do for all figures.
        Some(_) => undrawable
            .flatten()
            .for_each(|line| say!("warning: {line}")),
        None => {
            let first = undrawable.filter_map(|lines| lines.into_iter().next());
            Refused::all(first.map(Refused::new).collect())?;
        }
    }
    let earlier = Earlier::read(&common.results)?;
    for (spec, plan) in &planned {
        CourseRows::of(plan, &earlier).refuse_huge(spec)?;
    }
    let checked = planned.iter();
    if args.json {
        let checked = checked.map(|(spec, plan)| as_json(spec, plan, &earlier));
        terminal::print([terminal::json(&checked.collect::<Vec<_>>())?])?;
    } else {
        terminal::print(checked.flat_map(|(spec, plan)| lines(spec, plan, &earlier)))?;
    }
    Ok(0)
}

fn lines(spec: &Spec, plan: &Plan, earlier: &Earlier) -> Vec<String> {
    let forecasts = earlier.forecasts(plan);
    let title = spec.title.iter().map(|title| format!(": {title}"));
    let mut lines = vec![spec.name.clone() + &title.collect::<String>()];
    let (hash, seeds) = (plan.hash(), plan.seeds.iter().join(" "));
    lines.push(format!("  plan {hash} from {}, seeds {seeds}", spec.file));
    let mut rows = vec![TITLES.map(str::to_owned).to_vec()];
    let points = plan.points.iter().zip(&forecasts);
    rows.extend(points.map(|(planned, forecast)| point_row(plan, planned, forecast.as_ref())));
    let total = [
        format!("total: {}", counted(plan.points.len(), "point")),
        spaced(plan.trials()),
        String::new(),
    ];
    rows.push([total.as_slice(), &[spaced(plan.worst_case_updates())]].concat());
    lines.extend(aligned(2, 1, &rows));
    let figures = spec.figures.iter();
    let figures = figures.map(|it| format!("figure {}: {}", it.name, it.kind));
    let warnings = spec.left_out().into_iter().chain(plan.warnings());
    let below = std::iter::once(earlier.in_words(&forecasts))
        .chain(CourseRows::of(plan, earlier).lines())
        .chain(figures)
        .chain(warnings.map(|warning| format!("warning: {warning}")));
    lines.extend(below.map(|line| format!("  {line}")));
    lines
}

const TITLES: [&str; 5] = [
    "point",
    "trials",
    "cutoff",
    "worst-case updates",
    "run time, about",
];

fn point_row(plan: &Plan, planned: &PlannedPoint, forecast: Option<&Forecast>) -> Vec<String> {
    let trials = u128::from(planned.trials) * plan.seeds.len() as u128;
    // The cutoff of a search is in checks or nodes, which are not to be added to updates.
    let updates = match planned.point.goal {
        Some(_) => String::new(),
        None => spaced(plan.worst_case_updates_at(planned)),
    };
    let run_time = forecast.map(words::in_words);
    vec![
        planned.point.to_string(),
        spaced(trials),
        spaced(planned.cutoff),
        updates,
        run_time.unwrap_or_else(|| "unknown".to_owned()),
    ]
}

/// The plan for programs; trials are those of all seeds together.
fn as_json(spec: &Spec, plan: &Plan, earlier: &Earlier) -> Value {
    let forecasts = earlier.forecasts(plan);
    let points = plan.points.iter().zip(&forecasts);
    let points = points.map(|(planned, forecast)| point_json(plan, planned, forecast.as_ref()));
    let figures = spec.figures.iter();
    let figures = figures.map(|it| json!({ "kind": it.kind, "name": it.name }));
    let rows = CourseRows::of(plan, earlier);
    json!({
        "experiment": spec.name,
        "file": spec.file,
        "title": spec.title,
        "plan_hash": plan.hash(),
        "code_version": plan.code_version(),
        // The parts of the sources that the code version is made of, and their hashes.
        "parts": plan.parts(),
        "seeds": plan.seeds,
        "points": points.collect::<Vec<_>>(),
        "trials": plan.trials(),
        "worst_case_updates": json_count(plan.worst_case_updates()),
        "figures": figures.collect::<Vec<_>>(),
        // Combinations of choices that cannot be, a line for each sweep that has any.
        "left_out": spec.left_out(),
        "warnings": plan.warnings(),
        // Null where there will be no such table.
        "series_rows": rows.series.map(json_count),
        "moves": rows.moves.map(|(rows, unknown)| json!({
            "forecast": json_count(rows),
            "unknown_points": unknown,
        })),
    })
}

fn point_json(plan: &Plan, planned: &PlannedPoint, forecast: Option<&Forecast>) -> Value {
    let PlannedPoint { point, trials, .. } = planned;
    let all = |trials: u32| u64::from(trials) * plan.seeds.len() as u64;
    json!({
        "algorithm": point.algorithm,
        "variant": point.variant,
        "goal": point.goal,
        "axes": point.axes,
        "dynamics": planned.dynamics_name(),
        "trials": all(*trials),
        "repeats": planned.repeats,
        "cutoff": planned.cutoff,
        "worst_case_updates": json_count(plan.worst_case_updates_at(planned)),
        // Of all trials together; null where there is no earlier result to estimate it from.
        "run_time": forecast,
    })
}
