//! `reines export`: the trials of several experiments in one table, each of them once.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::Write;
use std::path::PathBuf;

use itertools::Itertools;
use polars::prelude::{
    ChunkedArray, Column, DataFrame, DataType, Float64Chunked, IntoColumn, PolarsNumericType,
    PolarsResult, StringChunked,
};

use super::plan::OnlyArgs;
use super::text::counted;
use super::{Common, Refused, output, word};
use crate::cli::terminal::remark;
use crate::experiment::store::table::{self, GROUP};
use crate::experiment::version::Code;
use crate::results::distinct;

/// Write the trials of experiments into one table, each trial once
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines export -o trials.parquet
  reines export epsilon rules -o trials.csv
  reines export --results results/reference --only 'n<=9' -o small.parquet

The columns are those of trials.parquet, after `experiment`: that whose run has
the trial (docs/data.md).")]
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
    let ending = if output::is_stdout(&args.output) {
        "csv"
    } else {
        output::ending(&args.output, &["parquet", "csv"])?
    };
    output::check(&args.output, args.force)?;
    let meant = word::runs(&args.experiments, &args.common.results)?;
    let runs = meant.all;
    let others = runs.iter().map(|run| run.manifest.code());
    let others = others.filter(|code| *code != Code::Present).count();
    let all = counted(runs.len(), "run");
    if others > 0 {
        remark!("made by other code than this program: {others} of {all}");
    }
    let only = args.only.among(&runs, &meant.names)?;
    let (tables, header) = distinct::tables(&runs, only.as_ref())?;
    let trials = distinct::distinct(&runs, &tables)?;
    if trials.height() == 0 {
        let results = args.common.results.display().to_string();
        let none = || Refused::of_file(&results, "no trials");
        let error = only.map_or_else(none, |only| only.nothing(&results));
        return Err(error.into());
    }
    output::write_with(&args.output, args.force, |file| {
        let rows = trials.slices(GROUP);
        match ending {
            "csv" => write_csv(&header, rows, file),
            _ => Ok(table::write(&header, rows, GROUP, None, file).map(drop)?),
        }
    })?;
    let ranges = tables.iter().flat_map(|table| &table.points);
    let rows: usize = ranges.map(|(_, range)| range.len()).sum();
    let (trials, rows) = (counted(trials.height(), "trial"), counted(rows, "row"));
    remark!("{}: {trials}, from {rows} of {all}", args.output.display());
    Ok(0)
}

/// Adds the cell of a row to a line.
type AddCell<'c> = Box<dyn Fn(usize, &mut String) + 'c>;

/// The cells of a column: a number as the shortest decimal that is read as the same number, and
/// nothing for a null. What is the same in every row, as most columns of a point, is written once.
fn cells(column: &Column) -> PolarsResult<AddCell<'_>> {
    let (is_same, add) = match column.dtype() {
        DataType::Float64 => reals(column.f64()?),
        DataType::Int64 => integers(column.i64()?),
        DataType::Int32 => integers(column.i32()?),
        _ => {
            let texts = column.str()?;
            let add = |row, line: &mut String| line.push_str(&cell(texts.get(row).unwrap_or("")));
            let add: AddCell<'_> = Box::new(add);
            (texts.iter().all_equal(), add)
        }
    };
    if !is_same {
        return Ok(add);
    }
    let mut text = String::new();
    add(0, &mut text);
    Ok(Box::new(move |_, line| line.push_str(&text)))
}

/// True if all integers are the same, and their cells.
fn integers<T: PolarsNumericType<Native: Display>>(
    integers: &ChunkedArray<T>,
) -> (bool, AddCell<'_>) {
    let add = |row, line: &mut String| {
        let written = integers.get(row).map_or(Ok(()), |it| write!(line, "{it}"));
        written.expect("writing to a String cannot fail");
    };
    (integers.iter().all_equal(), Box::new(add))
}

/// True if all reals are the same, and their cells: each with a point or an exponent, as 0.0 and
/// 1e-5. Readers that take a column's type from its first rows would take 0 for an integer, and
/// some of them then cut off the decimals of the rows that follow.
fn reals(reals: &Float64Chunked) -> (bool, AddCell<'_>) {
    let add = |row, line: &mut String| {
        let written = reals.get(row).map_or(Ok(()), |it| write!(line, "{it:?}"));
        written.expect("writing to a String cannot fail");
    };
    (reals.iter().all_equal(), Box::new(add))
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
    let columns = rows.columns().iter().map(|column| {
        // With commas some readers take a board for one large number.
        if column.name() == "solution" {
            let boards = column.str()?.iter();
            let boards = boards.map(|board| Some(board?.replace(',', " ")));
            let boards: StringChunked = boards.collect();
            Ok(boards.into_column())
        } else {
            Ok(column.rechunk())
        }
    });
    let columns = columns.collect::<PolarsResult<Vec<Column>>>()?;
    let cells = columns.iter().map(cells);
    let cells = cells.collect::<PolarsResult<Vec<_>>>()?;
    let mut lines = String::new();
    for row in 0..rows.height() {
        for (at, add) in cells.iter().enumerate() {
            if at > 0 {
                lines.push(',');
            }
            add(row, &mut lines);
        }
        lines.push('\n');
    }
    Ok(lines)
}
