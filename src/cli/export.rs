//! `reines export`: the trials of several experiments in one table, each of them once.

use std::io::Write;
use std::path::PathBuf;

use itertools::Itertools;
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{
    AnyValue, DataFrame, IntoColumn, IntoSeries, ListBuilderTrait, ListStringChunkedBuilder,
    PolarsResult, Schema,
};

use super::plan::OnlyArgs;
use super::text::counted;
use super::{Common, Refused, named, output};
use crate::cli::terminal::remark;
use crate::experiment::store::schema;
use crate::experiment::store::table::{self, Axes};
use crate::results::distinct::{Distinct, SharedTrial};

/// Write the trials of experiments into one table, each trial once
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines export -o trials.parquet
  reines export epsilon rules -o trials.csv
  reines export --results results/reference --only 'n<=9' -o small.parquet

The columns are those of trials.parquet, after `experiment`: the experiments
that have the trial (docs/data.md).")]
pub struct Args {
    /// Experiments, by their names, specs or runs [default: all that have a complete run]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// The table: *.parquet or *.csv
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    only: OnlyArgs,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let ending = output::ending(&args.output, &["parquet", "csv"])?;
    output::check(&args.output, args.force)?;
    let runs = named::newest(&args.experiments, &common.results)?;
    let only = args.only.among(&runs)?;
    let mut distinct = Distinct::of(&runs, only.as_ref())?;
    let mut count = 0;
    output::write_with(&args.output, args.force, |file| {
        let axes = distinct.axes.clone();
        let mut table = ExportTable::new(ending, &frame(&axes, Vec::new())?, file)?;
        let mut waiting = Vec::new();
        while let Some(trials) = distinct.next_point()? {
            count += trials.len() as u64;
            waiting.extend(trials);
            while waiting.len() >= BATCH {
                let rest = waiting.split_off(BATCH);
                table.write(&frame(&axes, std::mem::replace(&mut waiting, rest))?)?;
            }
        }
        if count == 0 {
            let all = common.results.display().to_string();
            return Err(match &only {
                Some(only) => only.nothing(&all).into(),
                None => Refused::of_file(&all, "no trials").into(),
            });
        }
        if !waiting.is_empty() {
            table.write(&frame(&axes, waiting)?)?;
        }
        table.finish()
    })?;
    let (file, runs) = (args.output.display(), counted(runs.len(), "run"));
    let (trials, rows) = (counted(count, "trial"), counted(distinct.rows, "row"));
    remark!("{file}: {trials}, from {rows} of {runs}");
    Ok(0)
}

/// Trials that are written together: the same trials give the same bytes.
const BATCH: usize = 1 << 16;

/// The columns of `trials.parquet`, after the experiments.
fn frame(axes: &Axes, trials: Vec<SharedTrial>) -> PolarsResult<DataFrame> {
    let (records, experiments): (Vec<_>, Vec<_>) = trials.into_iter().unzip();
    let mut frame = schema::trials().frame(axes, &records)?;
    let mut lists =
        ListStringChunkedBuilder::new("experiment".into(), records.len(), records.len());
    for names in &experiments {
        lists.append_values_iter(names.iter().copied());
    }
    frame.insert_column(0, lists.finish().into_series().into_column())?;
    Ok(frame)
}

/// A table that is written, some trials at a time.
enum ExportTable<W: Write> {
    Parquet(Box<BatchedWriter<W>>),
    /// RFC 4180 with `\n` line ends; a null is an empty cell.
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> ExportTable<W> {
    /// A table of this kind with the columns of a frame.
    fn new(kind: &str, columns: &DataFrame, file: W) -> anyhow::Result<Self> {
        let schema: &Schema = columns.schema();
        Ok(match kind {
            "csv" => {
                let mut writer = csv::Writer::from_writer(file);
                writer.write_record(schema.iter_names().map(|it| it.as_str()))?;
                Self::Csv(Box::new(writer))
            }
            _ => Self::Parquet(Box::new(table::parquet(file, schema).batched(schema)?)),
        })
    }

    fn write(&mut self, frame: &DataFrame) -> anyhow::Result<()> {
        match self {
            Self::Parquet(writer) => writer.write_batch(frame)?,
            Self::Csv(writer) => {
                for row in 0..frame.height() {
                    let cells = frame.columns().iter();
                    let cells = cells.map(|column| {
                        let text = cell(&column.get(row)?);
                        // With commas some readers take a board for one large number.
                        Ok(match column.name().as_str() {
                            "solution" => text.replace(',', " "),
                            _ => text,
                        })
                    });
                    writer.write_record(cells.collect::<PolarsResult<Vec<_>>>()?)?;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Parquet(writer) => drop(writer.finish()?),
            Self::Csv(mut writer) => writer.flush()?,
        }
        Ok(())
    }
}

/// A number as the shortest decimal that is read as the same number; of a list its words.
fn cell(value: &AnyValue) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::Float64(value) => value.to_string(),
        AnyValue::String(text) => (*text).to_owned(),
        AnyValue::List(list) => list.iter().map(|it| cell(&it)).join(";"),
        other => other.to_string(),
    }
}
