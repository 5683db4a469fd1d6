//! The means and medians of all complete runs, as CSV. Its columns and their order are here.

use std::fmt::{self, Write};

use itertools::Itertools;

use crate::analysis::measured::Measured;
use crate::analysis::precision::Precision;
use crate::cli::export::cell;
use crate::cli::target::Target;
use crate::cli::terminal::optional_message;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::rows::PointTrials;
use crate::solver::goal::Goal;
use crate::solver::point::KEY_AXES;
use crate::solver::{ALGORITHMS, Algorithm, Value};

/// The columns before the axes, which every algorithm together has.
const BEFORE: &str = "experiment,code_version,plan_hash,ended,point,algorithm,variant";
/// The columns after the axes.
const AFTER: &str = "goal,column,trials,censored,mean,mean_low,mean_high,mean_is_bound,median,\
    median_low,median_high,median_is_bound";

/// A line for each point of each complete run; an end of an interval that is not known is empty.
pub fn means(targets: &[Target]) -> anyhow::Result<String> {
    let axes = axes(targets)?;
    let mut lines = format!("{BEFORE},{},{AFTER}\n", axes.join(","));
    for target in targets {
        let experiment = target.name();
        for folder in target.folders()?.iter().filter(|run| run.is_complete()) {
            let run = match CompleteRun::read(folder) {
                Err(error) => {
                    optional_message!("warning: {error}; the run is left alone");
                    continue;
                }
                Ok(run) => run,
            };
            let manifest = &run.manifest;
            let of_run = [
                &experiment,
                &manifest.code_version,
                &manifest.plan_hash,
                &manifest.ended,
            ];
            for trials in run.points()? {
                let Some(known) = Precision::of(&trials) else {
                    continue;
                };
                let of_point = cells_of_point(&trials, &known, &axes);
                let cells = of_run.into_iter().chain(&of_point);
                let before = cells.map(|text| cell(text)).join(",");
                write_columns(&mut lines, &before, &trials, &known)?;
            }
        }
    }
    Ok(lines)
}

/// What a line says of a point, in its values on these axes among others.
fn cells_of_point(trials: &PointTrials, known: &Precision, axes: &[&str]) -> Vec<String> {
    let point = &trials.point;
    let of_axis = |axis: &&str| point.axes.get(axis).map_or(String::new(), written);
    let names = [&known.point, &point.algorithm, &point.variant];
    let mut cells: Vec<String> = names.into_iter().cloned().collect();
    cells.extend(axes.iter().map(of_axis));
    cells.push(point.goal.map_or("", Goal::name).to_owned());
    cells
}

/// Adds a line for each column of which a point has a mean and a median.
fn write_columns(
    lines: &mut String,
    before: &str,
    trials: &PointTrials,
    known: &Precision,
) -> fmt::Result {
    let further = trials.rows.own_numbers();
    let columns = [&*known.column].into_iter().chain(further).unique();
    for column in columns {
        let number = known.trials;
        let censored = known.censored;
        let mean = in_cells(Measured::mean(trials, column));
        let median = in_cells(Measured::quantile(trials, column, 50));
        writeln!(
            lines,
            "{before},{column},{number},{censored},{mean},{median}"
        )?;
    }
    Ok(())
}

/// A value as a program reads its type: a real number has a point or an exponent.
fn written(value: Value) -> String {
    match value {
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => real(value),
    }
}

/// The shortest decimal that is read as the number, with a point or an exponent; nothing where it
/// is infinite.
fn real(value: f64) -> String {
    if value.is_finite() {
        format!("{value:?}")
    } else {
        String::new()
    }
}

/// The axes of all algorithms and of the programs of the runs, in the order of the tables: those of
/// the rules, then others by name.
fn axes(targets: &[Target]) -> anyhow::Result<Vec<&'static str>> {
    let mut algorithms: Vec<&'static Algorithm> = ALGORITHMS.iter().collect();
    for target in targets {
        for folder in target.folders()?.iter().filter(|run| run.is_complete()) {
            // A run that cannot be read is told of where its rows are.
            let plan = CompleteRun::read(folder)
                .ok()
                .and_then(|run| run.plan().ok());
            let programs = plan.iter().flat_map(|(spec, _)| spec.programs.iter());
            algorithms.extend(programs.map(|program| program.algorithm));
        }
    }
    let all = algorithms.into_iter().flat_map(|algorithm| algorithm.axes);
    let names = all.map(|axis| axis.name);
    let further = names.filter(|axis| !KEY_AXES.contains(axis));
    let further = further.sorted().dedup();
    Ok(KEY_AXES.into_iter().chain(further).collect())
}

/// Value, low, high, and whether the true number is this or larger: then nothing bounds it above.
/// Empty cells where nothing is measured.
fn in_cells(measured: Option<Measured>) -> String {
    let Some(Measured { estimate, .. }) = measured else {
        return ",,,".to_owned();
    };
    let value = real(estimate.value);
    let low = real(estimate.low);
    let high = real(estimate.high);
    format!("{value},{low},{high},{}", estimate.is_bound)
}
