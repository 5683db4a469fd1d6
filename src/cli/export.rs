//! `reines export`: the trials of several experiments in one table, each of them once. Here are its
//! options and help, the endings that are allowed (`.parquet`, `.csv`, `-`), and the form of CSV;
//! cells are in `export/cells.rs`, which rows it takes in `results/distinct.rs`.

mod cells;

use std::borrow::Cow;
use std::io::Write;
use std::path::PathBuf;

use polars::prelude::{Column, DataFrame, PolarsResult};

use self::cells::Cells;
use super::spec_options::OnlyArgs;
use super::text::counted;
use super::{Common, Refused, target, user_files};
use crate::cli::terminal::optional_message;
use crate::experiment::code_version::Code;
use crate::experiment::store::table::{self, GROUP};
use crate::results::distinct::Distinct;

/// Write the trials of experiments into one table, each trial once
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines export -o trials.parquet
  reines export epsilon rules -o trials.csv
  reines export --results results/reference --only 'n<=9' -o small.parquet

The columns are those of trials.parquet, after `experiment`: that whose run has
the trial (docs/data.md). Give Parquet to a program that computes: it has types.
Of a CSV many guess them by its first rows: DuckDB reads all with
sample_size = -1, Polars with infer_schema_length = None.")]
pub struct ExportArgs {
    /// Experiments, by their names, specs or runs [default: all that have a complete run]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// The table: *.parquet or *.csv, or - for CSV on standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    only: OnlyArgs,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &ExportArgs) -> anyhow::Result<u8> {
    let ending = if user_files::is_stdout(&args.output) {
        "csv"
    } else {
        user_files::ending(&args.output, &["parquet", "csv"])?
    };
    user_files::check(&args.output, args.force)?;
    let meant = target::runs(&args.experiments, &args.common.results)?;
    let runs = meant.all;
    let others = runs.iter().map(|run| run.manifest.code());
    let others = others.filter(|code| *code != Code::Present).count();
    let all = counted(runs.len(), "run");
    if others > 0 {
        optional_message!("made by other code than this program: {others} of {all}");
    }
    let only = args.only.among(&runs, &meant.names)?;
    let distinct = Distinct::of(&runs, only.as_ref())?;
    let trials = distinct.joined()?;
    if trials.height() == 0 {
        let results = args.common.results.display().to_string();
        let none = || Refused::of_file(&results, "no trials");
        let error = only.map_or_else(none, |only| only.nothing(&results));
        return Err(error.into());
    }
    user_files::write_with(&args.output, args.force, |file| {
        let rows = trials.slices(GROUP);
        match ending {
            "csv" => write_csv(&distinct.header, rows, file),
            _ => Ok(table::write(&distinct.header, rows, GROUP, None, file).map(drop)?),
        }
    })?;
    let trials = counted(trials.height(), "trial");
    let rows = counted(distinct.n_rows(), "row");
    optional_message!("{}: {trials}, from {rows} of {all}", args.output.display());
    Ok(0)
}

/// A text as a cell: in quotes where a reader may take a part of it for the end of a cell, as some
/// take `;`.
pub(super) fn cell(text: &str) -> Cow<'_, str> {
    if text.contains(['"', ',', ';', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

/// Writes a line for each trial, after one with the names of the columns: RFC 4180 with `\n` line
/// ends; a null is an empty cell.
fn write_csv(
    header: &DataFrame,
    rows: impl Iterator<Item = PolarsResult<DataFrame>>,
    file: &mut dyn Write,
) -> anyhow::Result<()> {
    let names = header.get_column_names().into_iter();
    let names: Vec<&str> = names.map(|name| name.as_str()).collect();
    writeln!(file, "{}", names.join(","))?;
    for rows in rows {
        file.write_all(csv(&rows?)?.as_bytes())?;
    }
    Ok(())
}

/// The lines of these trials.
fn csv(rows: &DataFrame) -> PolarsResult<String> {
    let columns: Vec<Column> = rows.columns().iter().map(Column::rechunk).collect();
    let mut cells: Vec<Cells> = Vec::new();
    for column in &columns {
        let next = Cells::of(column)?;
        match (cells.last_mut(), next) {
            (Some(Cells::Same(text)), Cells::Same(more)) => {
                text.push(',');
                text.push_str(&more);
            }
            (_, next) => cells.push(next),
        }
    }
    let mut lines = String::new();
    for row in 0..rows.height() {
        for (at, column) in cells.iter().enumerate() {
            if at > 0 {
                lines.push(',');
            }
            column.add(row, &mut lines);
        }
        lines.push('\n');
    }
    Ok(lines)
}
