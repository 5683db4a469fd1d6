//! The trials of several runs, each once. Here are which column names the experiment, the order of
//! runs and rows, and the errors of a trial with two different rows and of algorithms of two
//! definitions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use polars::prelude::{Column, DataFrame, PlSmallStr, PolarsResult, Scalar};

use crate::experiment::spec::{Conditions, Refused};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::schema::{self, TRIALS};
use crate::experiment::store::table::{Axes, JoinError, Joined, PointRows, TableFile};
use crate::experiment::store::{OwnColumns, StoreError};

/// The column before those of `trials.parquet`: the experiment whose run has the row.
pub const EXPERIMENT: &str = "experiment";

/// The trials of several runs at the points that are meant, in pieces of their tables, of which few
/// are in memory at once.
pub struct Distinct<'r> {
    runs: &'r [CompleteRun],
    files: Vec<TableFile>,
    /// The run and the rows of each piece.
    pieces: Vec<(usize, Range<usize>)>,
    /// The rows of each piece that are meant.
    orders: Vec<Vec<PointRows>>,
    /// The columns of `trials.parquet` for all of them.
    columns: DataFrame,
    /// The same after the experiment.
    pub header: DataFrame,
}

impl<'r> Distinct<'r> {
    /// The trials of these runs.
    ///
    /// # Errors
    /// Rows of an algorithm that another run has under another definition.
    pub fn of(runs: &'r [CompleteRun], only: Option<&Conditions>) -> anyhow::Result<Self> {
        let files = runs.iter().map(|run| run.table_file(TRIALS));
        let files: Vec<TableFile> = files.collect::<Result<_, _>>()?;
        let axes = runs.iter().zip(&files).map(|(run, file)| {
            let none = run.piece(TRIALS, file, 0..0)?;
            Ok(Axes::of_frame(&none.frame))
        });
        let axes = axes.collect::<Result<Vec<Axes>, StoreError>>()?;
        let part = schema::part(&Axes::of_all(axes), &own_columns(runs)?, false, &[])?;
        let columns = schema::rows_in(TRIALS, &part)?;
        let mut distinct = Self {
            runs,
            files,
            pieces: Vec::new(),
            orders: Vec::new(),
            header: of_experiment("", columns.clone())?,
            columns,
        };
        distinct.add_orders(only)?;
        distinct.refuse_other_definitions()?;
        Ok(distinct)
    }

    /// Reads which trials there are.
    fn add_orders(&mut self, only: Option<&Conditions>) -> anyhow::Result<()> {
        let is_meant = |rows: &PointRows| only.is_none_or(|only| only.admit(&rows.point));
        for at in 0..self.runs.len() {
            for rows in self.files[at].pieces() {
                let run = &self.runs[at];
                let mut table = run.piece(TRIALS, &self.files[at], rows.clone())?;
                let aligned = schema::aligned(&self.columns, &table.frame);
                table.frame = aligned.map_err(|error| run.wrong_file(TRIALS, error))?;
                let order = table.order(0);
                let mut order = order.map_err(|error| run.wrong_file(TRIALS, error))?;
                order.retain(is_meant);
                self.pieces.push((at, rows));
                self.orders.push(order);
            }
        }
        Ok(())
    }

    /// The algorithms that a run has, at the points that are meant.
    fn algorithms(&self, run: usize) -> BTreeSet<&str> {
        let pieces = self.pieces.iter().zip(&self.orders);
        let own = pieces.filter(|((of, _), _)| *of == run);
        let points = own.flat_map(|(_, order)| order);
        points.map(|rows| &*rows.point.algorithm).collect()
    }

    fn refuse_other_definitions(&self) -> anyhow::Result<()> {
        let mut definitions = BTreeMap::new();
        for (at, run) in self.runs.iter().enumerate() {
            let experiment = &*run.manifest.experiment;
            let algorithms = self.algorithms(at);
            for (algorithm, &own) in &run.manifest.definitions {
                if !algorithms.contains(&**algorithm) {
                    continue;
                }
                let (known, other) = *definitions.entry(algorithm).or_insert((own, experiment));
                let reason = format!(
                    "{algorithm}: {other} has its definition {known} and {experiment} its definition {own}; expected one definition: name one of the experiments, or run both with this program"
                );
                anyhow::ensure!(known == own, Refused::new(reason));
            }
        }
        Ok(())
    }

    /// The rows that are meant, those of a trial that several runs have counted in each.
    pub fn n_rows(&self) -> usize {
        let rows = self.orders.iter().flatten();
        rows.map(PointRows::n_rows).sum()
    }

    /// The rows of a piece, after the experiment.
    fn piece(&self, piece: usize) -> PolarsResult<DataFrame> {
        let (run, rows) = &self.pieces[piece];
        let table = self.files[*run].read(rows.clone())?;
        let rows = schema::aligned(&self.columns, &table.frame)?;
        of_experiment(&self.runs[*run].manifest.experiment, rows)
    }

    /// Each trial once.
    ///
    /// # Errors
    /// Rows of a trial that cannot both be right: each run would take the other's rows over if it
    /// ran again beside it.
    pub fn joined(&self) -> anyhow::Result<Joined<'_>> {
        let orders: Vec<&[PointRows]> = self.orders.iter().map(Vec::as_slice).collect();
        let load = Box::new(|piece: usize| self.piece(piece));
        let joined = Joined::loading(&orders, self.header.clone(), load, &[EXPERIMENT]);
        joined.map_err(|error| match error {
            JoinError::Differ { trial, tables } => {
                let [one, other] = tables.map(|piece| {
                    let (run, _) = &self.pieces[piece];
                    self.runs[*run].folder.path().display()
                });
                let reason = format!(
                    "{trial}: {one} and {other} have different rows of it; expected the same: name one of them, or remove both and run their experiments again"
                );
                Refused::new(reason).into()
            }
            error => error.into(),
        })
    }
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
