//! `reines check`: what a spec would run, without running it.

mod course_rows;
mod run_time;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use self::course_rows::CourseRows;
use self::run_time::{Earlier, PointTime};
use super::changed::{Changes, OnlyArgs};
use super::plan::PlanArgs;
use super::text::{columns, grouped};
use crate::analysis::run_time::Forecast;
use crate::cli::terminal;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::{Sequential, Spec};
use crate::experiment::version::Parts;
use crate::solver::Value;
use crate::solver::goal::Goal;

/// Print what specs would run: points, trials, worst-case updates, and how long it would take; runs
/// nothing
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines check experiments/*.toml\n  reines check --json experiments/size.toml\n  \
                  reines check --quick -s 'sweep[1].trials=50' experiments/rules.toml"
)]
pub struct Args {
    /// Spec files, one experiment each
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// Print JSON: a list with one object for each file
    #[arg(long)]
    json: bool,
}

/// Reads all files before it prints anything, so that a bad one is not lost among the good.
///
/// # Errors
/// The first [`SpecError`](crate::experiment::spec::SpecError) or
/// [`PlanError`](crate::experiment::plan::PlanError); those of writing.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let specs = args.changes.read(&args.files, args.only.only.as_ref())?;
    print(&specs, &args.plan, args.json)
}

/// Prints what specs would run under these options, as text or as JSON.
///
/// # Errors
/// A spec that is no plan; those of writing.
pub fn print(specs: &[Spec], args: &PlanArgs, json: bool) -> anyhow::Result<ExitCode> {
    let plans = specs
        .iter()
        .map(|spec| args.plan(spec))
        .collect::<Result<Vec<Plan>, _>>()?;
    for (spec, plan) in specs.iter().zip(&plans) {
        if let Some(error) = super::undrawable(spec, plan).into_iter().next() {
            return Err(super::BadInput(error).into());
        }
    }
    let earlier = Earlier::read(&args.results)?;
    if !args.allow_huge {
        for (spec, plan) in specs.iter().zip(&plans) {
            CourseRows::of(plan, &earlier).refuse_huge(spec)?;
        }
    }
    let mut out = terminal::out();
    if json {
        let checked: Vec<_> = specs
            .iter()
            .zip(&plans)
            .map(|(spec, plan)| as_json(spec, plan, &earlier))
            .collect();
        writeln!(out, "{}", terminal::json(&checked)?)?;
    } else {
        for (spec, plan) in specs.iter().zip(&plans) {
            write_text(&mut out, spec, plan, &earlier)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the plan as text.
fn write_text(out: &mut dyn Write, spec: &Spec, plan: &Plan, earlier: &Earlier) -> io::Result<()> {
    let forecasts = earlier.forecasts(plan);
    let title = spec
        .title
        .as_ref()
        .map_or_else(String::new, |title| format!(": {title}"));
    writeln!(out, "{}{title}", spec.name)?;
    let seeds: Vec<_> = plan.seeds.iter().map(u64::to_string).collect();
    writeln!(
        out,
        "  plan {} from {}, seeds {}",
        plan.hash(),
        spec.file,
        seeds.join(" ")
    )?;
    let mut rows = vec![
        [
            "point",
            "trials",
            "cutoff",
            "worst-case updates",
            "run time, about",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    rows.extend(
        plan.points
            .iter()
            .zip(&forecasts)
            .map(|(planned, forecast)| point_row(plan, planned, forecast.as_ref())),
    );
    let sequential = sequential_lines(plan);
    let most = if sequential.is_empty() { "" } else { "≤ " };
    let total = [
        format!("total: {} points", plan.points.len()),
        format!("{most}{}", grouped(plan.trials().into())),
        String::new(),
    ];
    rows.push([total.as_slice(), &[grouped(plan.worst_case_updates())]].concat());
    columns(out, 2, 1, &rows)?;
    sequential
        .iter()
        .try_for_each(|line| writeln!(out, "  {line}"))?;
    writeln!(out, "  {}", earlier.in_words(plan, &forecasts))?;
    for line in CourseRows::of(plan, earlier).lines(plan) {
        writeln!(out, "  {line}")?;
    }
    for figure in &spec.figures {
        writeln!(out, "  figure {}: {}", figure.name, figure.kind)?;
    }
    for line in spec.left_out() {
        writeln!(out, "  {line}")?;
    }
    for warning in plan.warnings() {
        writeln!(out, "  warning: {warning}")?;
    }
    Ok(())
}

/// One line for each way in which rows decide how many trials a point has.
fn sequential_lines(plan: &Plan) -> Vec<String> {
    let mut counted: Vec<(Sequential, usize)> = Vec::new();
    for sequential in plan.points.iter().filter_map(|planned| planned.sequential) {
        match counted.iter_mut().find(|(known, _)| *known == sequential) {
            Some((_, points)) => *points += 1,
            None => counted.push((sequential, 1)),
        }
    }
    let line = |(Sequential { min, precision }, points)| {
        let (second, third) = (grouped(u128::from(min) * 2), grouped(u128::from(min) * 4));
        let (first, points) = (
            grouped(min.into()),
            if points == 1 {
                "1 point".to_owned()
            } else {
                format!("{points} points")
            },
        );
        format!(
            "≤: {points} may end earlier, after {first}, {second}, {third}, … trials under each seed, with the mean known to ± {precision} of itself"
        )
    };
    counted.into_iter().map(line).collect()
}

fn point_row(plan: &Plan, planned: &PlannedPoint, forecast: Option<&Forecast>) -> Vec<String> {
    let trials = u128::from(planned.trials) * plan.seeds.len() as u128;
    // The cutoff of a search is in checks or nodes, which are not to be added to updates.
    let updates = if planned.point.goal.is_some() {
        String::new()
    } else {
        grouped(plan.worst_case_updates_at(planned))
    };
    let most = if planned.sequential.is_some() {
        "≤ "
    } else {
        ""
    };
    let run_time = forecast.map_or_else(
        || "unknown".to_owned(),
        |forecast| format!("{most}{}", PointTime::of(forecast).in_words()),
    );
    vec![
        planned.point.to_string(),
        format!("{most}{}", grouped(trials)),
        grouped(planned.cutoff.into()),
        updates,
        run_time,
    ]
}

/// The plan for programs; trials are those of all seeds together, and the most of them where rows
/// decide how many.
fn as_json(spec: &Spec, plan: &Plan, earlier: &Earlier) -> Checked {
    let forecasts = earlier.forecasts(plan);
    Checked {
        experiment: spec.name.clone(),
        file: spec.file.clone(),
        title: spec.title.clone(),
        plan_hash: plan.hash(),
        code_version: plan.code_version(),
        parts: plan.parts(),
        seeds: plan.seeds.clone(),
        points: plan
            .points
            .iter()
            .zip(&forecasts)
            .map(|(planned, forecast)| CheckedPoint::new(plan, planned, forecast.as_ref()))
            .collect(),
        trials: plan.trials(),
        worst_case_updates: plan.worst_case_updates(),
        course_rows: CourseRows::of(plan, earlier),
        figures: spec
            .figures
            .iter()
            .map(|figure| CheckedFigure {
                kind: figure.kind.clone(),
                name: figure.name.clone(),
            })
            .collect(),
        left_out: spec.left_out(),
        warnings: plan.warnings(),
    }
}

#[derive(Serialize)]
struct Checked {
    experiment: String,
    file: String,
    title: Option<String>,
    plan_hash: String,
    code_version: String,
    /// The parts of the sources that the code version is made of, and their hashes.
    parts: Parts,
    seeds: Vec<u64>,
    points: Vec<CheckedPoint>,
    trials: u64,
    worst_case_updates: u128,
    #[serde(flatten)]
    course_rows: CourseRows,
    figures: Vec<CheckedFigure>,
    /// Combinations of choices that cannot be, a line for each sweep that has any.
    left_out: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct CheckedPoint {
    algorithm: &'static str,
    variant: String,
    axes: BTreeMap<String, Number>,
    /// At most, where there is a precision.
    trials: u64,
    /// Least trials of a point whose rows decide how many it has, and the relative half width of
    /// its mean's interval that is enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials_min: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
    cutoff: u64,
    /// Absent from a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    dynamics: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<u32>,
    worst_case_updates: u128,
    /// Of all those trials together; null where there is no earlier result to estimate it from.
    run_time: Option<PointTime>,
}

#[derive(Serialize)]
struct CheckedFigure {
    kind: String,
    name: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Integer(u64),
    Real(f64),
}

impl CheckedPoint {
    fn new(plan: &Plan, planned: &PlannedPoint, forecast: Option<&Forecast>) -> Self {
        let number = |value: Value| match value {
            Value::Integer(value) => Number::Integer(value),
            Value::Real(value) => Number::Real(value),
        };
        Self {
            algorithm: planned.point.algorithm,
            variant: planned.point.variant.clone(),
            axes: planned
                .point
                .values
                .by_name()
                .map(|(axis, value)| (axis.to_owned(), number(value)))
                .collect(),
            trials: u64::from(planned.trials) * plan.seeds.len() as u64,
            trials_min: planned
                .sequential
                .map(|sequential| u64::from(sequential.min) * plan.seeds.len() as u64),
            precision: planned.sequential.map(|sequential| sequential.precision),
            cutoff: planned.cutoff,
            dynamics: planned.dynamics_name(),
            goal: planned.point.goal.map(Goal::name),
            repeats: planned.repeats,
            worst_case_updates: plan.worst_case_updates_at(planned),
            run_time: forecast.map(PointTime::of),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;

    const TEXT: &str = r#"title = "Two rules"
seeds = [1, 2]

[[sweep]]
algorithm = "pair"
n = [2, 8]
epsilon = 0.01
trials = 200
cutoff = 1e9

[[sweep]]
algorithm = "cell"
n = 12
epsilon = 0.1
eta = 1
trials = 50
cutoff = 1000

[[figure]]
kind = "pair-vs-cell"
"#;

    fn spec() -> Spec {
        spec::parse("small", "small.toml", TEXT, &crate::report::kinds())
            .unwrap_or_else(|error| panic!("{error}"))
    }

    fn nothing_earlier() -> Earlier {
        Earlier::read(std::path::Path::new("no such folder"))
            .expect("a missing folder holds no runs")
    }

    #[test]
    fn a_person_reads_points_trials_and_worst_cases() {
        let spec = spec();
        let plan = Plan::new(&spec).expect("a plan");
        let mut out = Vec::new();
        write_text(&mut out, &spec, &plan, &nothing_earlier()).expect("written to memory");
        let text = String::from_utf8(out).expect("UTF-8");
        let expected = format!(
            "\
small: Two rules
  plan {} from small.toml, seeds 1 2
  point                        trials         cutoff  worst-case updates  run time, about
  cell n=12 epsilon=0.1 eta=1     100          1_000             100_000          unknown
  pair n=2 epsilon=0.01           400  1_000_000_000     400_000_000_000          unknown
  pair n=8 epsilon=0.01           400  1_000_000_000     400_000_000_000          unknown
  total: 3 points                 900                    800_000_100_000
  run time: unknown, no earlier results of these points on this kind of processor
  figure small-pair-vs-cell: pair-vs-cell
  warning: n = 2 has no solution: every trial there (400 at 1 point) will be censored at its cutoff
",
            plan.hash()
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn a_program_reads_the_same_numbers() {
        let spec = spec();
        let plan = Plan::new(&spec).expect("a plan");
        let json = serde_json::to_value(as_json(&spec, &plan, &nothing_earlier())).expect("JSON");
        assert_eq!(json["experiment"], "small");
        assert_eq!(json["plan_hash"], plan.hash());
        assert_eq!(json["code_version"], plan.code_version());
        assert_eq!(json["parts"]["pair"], plan.parts()["pair"]);
        assert_eq!(json["trials"], 900);
        assert_eq!(json["worst_case_updates"], 800_000_100_000u64);
        assert_eq!(
            json["points"][0]["axes"],
            serde_json::json!({ "n": 12, "epsilon": 0.1, "eta": 1.0 })
        );
        assert_eq!(json["points"][2]["cutoff"], 1_000_000_000);
        assert_eq!(json["points"][2]["run_time"], serde_json::Value::Null);
        assert_eq!(
            json["figures"],
            serde_json::json!([{ "kind": "pair-vs-cell", "name": "small-pair-vs-cell" }])
        );
        assert_eq!(json["warnings"].as_array().map(Vec::len), Some(1));
    }
}
