//! `reines export`: the trials of several experiments in one table, each of them once.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use polars::prelude::{
    Column, DataFrame, DataType, Float64Chunked, IntoColumn, PolarsResult, StringChunked,
    UInt32Chunked, UInt64Chunked,
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
pub struct Args {
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

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let ending = match output::is_stdout(&args.output) {
        true => "csv",
        false => output::ending(&args.output, &["parquet", "csv"])?,
    };
    output::check(&args.output, args.force)?;
    let runs = word::runs(&args.experiments, &args.common.results)?;
    let others = runs
        .iter()
        .filter(|run| run.manifest.code() != Code::Present);
    match (others.count(), counted(runs.len(), "run")) {
        (0, _) => {}
        (others, all) => remark!("made by other code than this program: {others} of {all}"),
    }
    let only = args.only.among(&runs)?;
    let (tables, header) = distinct::tables(&runs, only.as_ref())?;
    let trials = distinct::distinct(&runs, &tables)?;
    if trials.is_empty() {
        let all = args.common.results.display().to_string();
        return Err(match &only {
            Some(only) => only.nothing(&all).into(),
            None => Refused::of_file(&all, "no trials").into(),
        });
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
    let (file, runs) = (args.output.display(), counted(runs.len(), "run"));
    let (trials, rows) = (counted(trials.len(), "trial"), counted(rows, "row"));
    remark!("{file}: {trials}, from {rows} of {runs}");
    Ok(0)
}

/// The cells of a column.
enum Cells<'f> {
    /// The same text in every row, such as that of a column of the point.
    Same(String),
    Texts(&'f StringChunked),
    Reals(&'f Float64Chunked),
    Counts(&'f UInt64Chunked),
    Numbers(&'f UInt32Chunked),
}

impl<'f> Cells<'f> {
    fn of(column: &'f Column) -> PolarsResult<Self> {
        if column.null_count() == column.len() {
            return Ok(Self::Same(String::new()));
        }
        let cells = match column.dtype() {
            DataType::Float64 => Self::Reals(column.f64()?),
            DataType::UInt64 => Self::Counts(column.u64()?),
            DataType::UInt32 => Self::Numbers(column.u32()?),
            _ => Self::Texts(column.str()?),
        };
        let is_same = match &cells {
            Self::Texts(texts) => texts.iter().all(|it| it == texts.get(0)),
            Self::Reals(reals) => reals.iter().all(|it| it == reals.get(0)),
            Self::Numbers(numbers) => numbers.iter().all(|it| it == numbers.get(0)),
            Self::Same(_) | Self::Counts(_) => false,
        };
        if !is_same {
            return Ok(cells);
        }
        let mut text = String::new();
        cells.write(0, &mut text);
        Ok(Self::Same(text))
    }

    /// Adds the cell of a row: a number as the shortest decimal that is read as the same number.
    fn write(&self, row: usize, line: &mut String) {
        let written = match self {
            Self::Same(text) => line.write_str(text),
            Self::Reals(reals) => reals.get(row).map_or(Ok(()), |it| write!(line, "{it}")),
            Self::Counts(counts) => counts.get(row).map_or(Ok(()), |it| write!(line, "{it}")),
            Self::Numbers(numbers) => numbers.get(row).map_or(Ok(()), |it| write!(line, "{it}")),
            Self::Texts(texts) => match texts.get(row) {
                None => Ok(()),
                Some(text) => line.write_str(&cell(text)),
            },
        };
        written.expect("writing to a String cannot fail");
    }
}

/// A text as a cell: in quotes where a reader may take a part of it for the end of a cell, as some
/// take `;`.
pub(super) fn cell(text: &str) -> Cow<'_, str> {
    match text.contains(['"', ',', ';', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text.into(),
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
        match column.name() == "solution" {
            true => {
                let boards = column.str()?.iter();
                let boards = boards.map(|board| Some(board?.replace(',', " ")));
                let boards: StringChunked = boards.collect();
                Ok(boards.into_column())
            }
            false => Ok(column.rechunk()),
        }
    });
    let columns = columns.collect::<PolarsResult<Vec<Column>>>()?;
    let cells = columns.iter().map(Cells::of);
    let cells = cells.collect::<PolarsResult<Vec<_>>>()?;
    let mut lines = String::new();
    for row in 0..rows.height() {
        for (at, cells) in cells.iter().enumerate() {
            if at > 0 {
                lines.push(',');
            }
            cells.write(row, &mut lines);
        }
        lines.push('\n');
    }
    Ok(lines)
}
