//! `reines export`: the trials of several experiments in one table, each of them once.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use polars::prelude::{
    AnyValue, CompatLevel, DataFrame, IntoColumn, NamedFrom, PolarsResult, Series,
};
use polars_arrow::io::ipc::write::{FileWriter, WriteOptions};
use polars_arrow::record_batch::RecordBatchT;

use super::changed::OnlyArgs;
use super::text::counted;
use super::{Common, Refused, named, output};
use crate::cli::terminal::say;
use crate::experiment::store::schema;
use crate::experiment::store::table::{self, Axes};
use crate::results::distinct::Gathered;

/// Write the trials of experiments into one table, each trial once
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines export -o trials.parquet
  reines export epsilon rules -o trials.csv             or *.arrow
  reines export --results results/reference --only 'n<=9' -o small.parquet

The columns are those of trials.parquet, after `experiment`: the experiments
that have the trial (docs/data.md). All trials are in memory at once, about
0.8 GB for a million.")]
pub struct Args {
    /// Experiments, by their names, specs or runs [default: all that have a complete run]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// The table: *.parquet, *.csv or *.arrow
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    only: OnlyArgs,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let ending = output::ending(&args.output, ["parquet", "csv", "arrow"])?;
    output::check(&args.output, args.force)?;
    let runs = named::newest(&args.experiments, &common.results)?;
    let only = args.only.among(&runs)?;
    let mut gathered = Gathered::default();
    for run in &runs {
        gathered.add(run, only.as_ref())?;
    }
    let (count, rows) = (gathered.trials.len(), gathered.rows);
    if count == 0 {
        let all = common.results.display().to_string();
        return Err(match only {
            Some(only) => only.nothing(&all).into(),
            None => Refused::of_file(&all, "no trials").into(),
        });
    }
    let frame = frame(gathered).context("the table cannot be made")?;
    // The same trials give the same bytes.
    let bytes = match ending {
        "csv" => csv(&frame)?,
        "arrow" => arrow(&frame)?,
        _ => parquet(frame)?,
    };
    output::write(&args.output, &bytes, args.force)?;
    let (file, runs) = (args.output.display(), counted(runs.len(), "run"));
    let (trials, rows) = (counted(count, "trial"), counted(rows, "row"));
    say!("{file}: {trials}, from {rows} of {runs}");
    Ok(0)
}

/// The columns of `trials.parquet`, after the experiments.
fn frame(gathered: Gathered) -> PolarsResult<DataFrame> {
    let (records, places): (Vec<_>, Vec<_>) = gathered.trials.into_iter().unzip();
    let axes = Axes::of(records.iter().map(|record| &record.point));
    let mut frame = schema::trials().frame(&axes, &records)?;
    let sets = gathered.sets.iter();
    let sets: Vec<Series> = sets.map(|set| Series::new("".into(), set)).collect();
    let lists: Vec<Series> = places.iter().map(|&place| sets[place].clone()).collect();
    let experiments = Series::new("experiment".into(), lists);
    frame.insert_column(0, experiments.into_column())?;
    Ok(frame)
}

fn parquet(mut frame: DataFrame) -> PolarsResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let schema = Arc::clone(frame.schema());
    table::parquet(&mut bytes, &schema).finish(&mut frame)?;
    Ok(bytes)
}

/// An Arrow file with one record batch, not compressed. Texts are of the oldest kind, which every
/// reader has.
fn arrow(frame: &DataFrame) -> PolarsResult<Vec<u8>> {
    let schema = Arc::new(table::plain_types(frame.schema()));
    let columns = frame.rechunk_to_arrow(CompatLevel::oldest());
    let batch = RecordBatchT::try_new(frame.height(), Arc::clone(&schema), columns)?;
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, schema, None, WriteOptions::default())?;
    writer.write(&batch, None)?;
    writer.finish()?;
    Ok(bytes)
}

/// RFC 4180 with `\n` line ends; a null is an empty cell.
fn csv(frame: &DataFrame) -> anyhow::Result<Vec<u8>> {
    let columns = frame.columns();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|it| it.name().as_str()))?;
    for row in 0..frame.height() {
        let cells = columns.iter().map(|column| Ok(cell(&column.get(row)?)));
        writer.write_record(cells.collect::<PolarsResult<Vec<_>>>()?)?;
    }
    Ok(writer.into_inner()?)
}

/// A number as the shortest decimal that is read as the same number; of a list its words.
fn cell(value: &AnyValue) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::Float64(value) => value.to_string(),
        AnyValue::String(text) => (*text).to_owned(),
        AnyValue::List(list) => {
            let words: Vec<String> = list.iter().map(|it| cell(&it)).collect();
            words.join(";")
        }
        other => other.to_string(),
    }
}
