//! The trials of several runs, each once.

use std::collections::BTreeMap;

use polars::prelude::{Column, DataFrame, PlSmallStr, PolarsResult, Scalar};

use super::runs::CompleteRun;
use crate::experiment::spec::{Conditions, Refused};
use crate::experiment::store::schema::{self, TRIALS};
use crate::experiment::store::table::{Axes, JoinError, Joined, Table};
use crate::experiment::store::{OwnColumns, Point};

/// The column before those of `trials.parquet`: the experiment whose run has the row.
pub const EXPERIMENT: &str = "experiment";

/// The trials of each run at the points that are meant, all with the same columns, and these.
///
/// # Errors
/// Rows of an algorithm that another run has under another definition.
pub fn tables(
    runs: &[CompleteRun],
    only: Option<&Conditions>,
) -> anyhow::Result<(Vec<Table>, DataFrame)> {
    let tables = runs.iter().map(|run| run.table(TRIALS));
    let mut tables: Vec<Table> = tables.collect::<Result<_, _>>()?;
    let axes = Axes::of_all(tables.iter().map(|table| Axes::of_frame(&table.frame)));
    let part = schema::part(&axes, &own_columns(runs)?, false, &[])?;
    let header = schema::rows_in(TRIALS, &part)?;
    let mut definitions = BTreeMap::new();
    for (run, table) in runs.iter().zip(&mut tables) {
        let experiment = &*run.manifest.experiment;
        let rows = schema::aligned(&header, &table.frame);
        let rows = rows.and_then(|rows| of_experiment(experiment, rows));
        table.frame = rows.map_err(|error| run.wrong_file(TRIALS, error))?;
        let is_meant = |point: &Point| only.is_none_or(|only| only.admit(point));
        table.points.retain(|it| is_meant(&it.0));
        for (algorithm, &own) in &run.manifest.definitions {
            if !table.points.iter().any(|it| it.0.algorithm == *algorithm) {
                continue;
            }
            let (known, other) = *definitions.entry(algorithm).or_insert((own, experiment));
            let reason = format!(
                "{algorithm}: {other} has its definition {known} and {experiment} its definition {own}; expected one definition: name one of the experiments, or run both with this program"
            );
            anyhow::ensure!(known == own, Refused::new(reason));
        }
    }
    Ok((tables, of_experiment("", header)?))
}

/// The columns that algorithms of any of the runs have for themselves.
///
/// # Errors
/// Two runs with columns of one name and two types or units.
fn own_columns(runs: &[CompleteRun]) -> Result<OwnColumns, Refused> {
    let mut all = OwnColumns::new();
    for run in runs {
        for (name, column) in &run.manifest.columns {
            let known = all.entry(name.clone()).or_insert_with(|| column.clone());
            if (known.kind, &known.unit) != (column.kind, &column.unit) {
                return Err(Refused::new(format!(
                    "{}: its column {name} has another type or unit than that of another run; expected one meaning: name one of the experiments",
                    run.manifest.experiment
                )));
            }
        }
    }
    Ok(all)
}

fn of_experiment(name: &str, mut rows: DataFrame) -> PolarsResult<DataFrame> {
    let name = Scalar::from(PlSmallStr::from(name));
    let names = Column::new_scalar(EXPERIMENT.into(), name, rows.height());
    rows.insert_column(0, names)?;
    Ok(rows)
}

/// Each trial of the runs of these tables once.
///
/// # Errors
/// Rows of a trial that cannot both be right: each run would take the other's rows over if it ran
/// again beside it.
pub fn distinct<'t>(runs: &[CompleteRun], tables: &'t [Table]) -> anyhow::Result<Joined<'t>> {
    Joined::of(tables, &[EXPERIMENT]).map_err(|error| match error {
        JoinError::Differ { trial, tables } => {
            let [one, other] = tables.map(|at| runs[at].folder.path().display());
            let reason = format!(
                "{trial}: {one} and {other} have different rows of it; expected the same: name one of them, or remove both and run their experiments again"
            );
            Refused::new(reason).into()
        }
        error => error.into(),
    })
}
