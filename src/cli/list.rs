//! `reines list`: what there is to run, to draw and to read. Here are the words `algorithms`,
//! `columns` and `figures`, its options, the meanings of the columns that every row has, and its
//! exit code.
//!
//! Here are algorithms, columns and figures; `experiments` has the lines and the JSON of
//! experiments, `csv` the means and medians of their runs, `stale` what nothing makes any more.

mod csv;
mod experiments;
mod stale;

use std::io::Write;
use std::path::PathBuf;

use itertools::Itertools;
use serde_json::{Value, json};

use self::experiments::Details;
use super::check::Forecast;
use super::terminal::{self, message};
use super::view::JsonOption;
use super::{Common, Refused, target};
use crate::experiment::spec::did_you_mean;
use crate::report::{keys, parse};
use crate::solver::goal::Goal;
use crate::solver::point::KEY_AXES;
use crate::solver::variants::Variants;
use crate::solver::{ALGORITHMS, Algorithm, Column};

/// List experiments and results, algorithms, or kinds of figures
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines list                 experiments, how far each is, how long it takes
  reines list epsilon         its runs in full, and how well each mean is known
  reines list epsilon --csv   means and medians of all its runs, for a pipe
  reines list algorithms      what a spec may name, with axes and columns
  reines list figures         kinds; `list figures scaling` prints one to paste
  reines list columns         what the columns of trials.parquet mean
  reines list --stale         what no spec makes any more, to be removed by rm

`list NAME`, also with --csv, ends with exit code 0 where the named experiment
has a complete run of its present plan, the reference apart, or the named run is
complete; with 2 where that run is damaged; otherwise with 1.")]
pub struct ListArgs {
    /// Experiments to list in full, by their names, specs or runs; or `algorithms`, `figures
    /// [KIND]` or `columns`: what a spec may name
    #[arg(value_name = "NAME")]
    named: Vec<PathBuf>,
    /// Print CSV: the means and medians of all complete runs of the named experiments, with
    /// intervals and code versions
    #[arg(long, requires = "named", conflicts_with = "json")]
    csv: bool,
    /// Name the figures' files and the folders of runs that no spec makes any more, since an
    /// experiment or a figure was renamed or deleted; nothing is removed
    #[arg(long, conflicts_with_all = ["named", "csv"])]
    stale: bool,
    /// The folder of the figures, for --stale
    #[arg(
        long,
        value_name = "DIR",
        default_value = "figures",
        requires = "stale"
    )]
    figures: PathBuf,
    #[command(flatten)]
    view: JsonOption,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &ListArgs) -> anyhow::Result<u8> {
    let words: Vec<_> = args
        .named
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    if let (true, ["algorithms" | "columns" | "figures", ..]) = (args.csv, &words[..]) {
        let reason = "it has no means; expected the names of experiments, or --json";
        return Err(Refused::new(format!("--csv of {}: {reason}", words[0])).into());
    }
    let (found, template) = match &words[..] {
        [] if args.stale => {
            let stale = stale::stale(&args.figures, &args.common.results)?;
            (json!({ "stale": stale }), include_str!("list/stale.txt"))
        }
        ["algorithms"] => {
            let algorithms: Vec<Value> = ALGORITHMS.iter().map(algorithm).collect();
            let template = include_str!("list/algorithms.txt");
            (json!({ "algorithms": algorithms }), template)
        }
        ["columns"] => {
            let columns: Vec<Value> = key_columns().into_iter().chain(columns()).collect();
            let template = include_str!("list/columns.txt");
            (json!({ "columns": columns }), template)
        }
        ["figures"] => (figures(&[])?, include_str!("list/figures.txt")),
        ["figures", kinds @ ..] => (figures(kinds)?, include_str!("list/kinds.txt")),
        _ => return experiments(args),
    };
    args.view.print(&found, template)?;
    Ok(0)
}

fn experiments(args: &ListArgs) -> anyhow::Result<u8> {
    let is_named = !args.named.is_empty();
    let targets = if is_named {
        target::targets(&args.named, &args.common.results)?
    } else {
        experiments::all(&args.common.results)?
    };
    let forecast = Forecast::read(&args.common.results)?;
    let details = Details {
        means: is_named,
        plan_hash: is_named || args.view.is_json(),
    };
    let listed = targets
        .iter()
        .map(|target| experiments::listed(target, details, &forecast));
    let listed: Vec<(Value, bool)> = listed.collect::<Result<_, _>>()?;
    let code = code_of(&listed);
    if args.csv {
        terminal::Out.write_all(csv::means(&targets)?.as_bytes())?;
        return Ok(code);
    }
    let found =
        json!({ "experiments": listed.into_iter().map(|listed| listed.0).collect::<Vec<_>>() });
    // In full the list has it beside the run.
    let experiments = found["experiments"].as_array().into_iter().flatten();
    let experiments = experiments.filter(|_| !is_named);
    let runs = experiments
        .flat_map(|experiment| experiment["runs"].as_array())
        .flatten();
    for error in runs.filter_map(|run| run["error"].as_str()) {
        message!("warning: {error}");
    }
    let template = if is_named {
        include_str!("list/named.txt")
    } else {
        include_str!("list/experiments.txt")
    };
    args.view.print(&found, template)?;
    Ok(if is_named { code } else { 0 })
}

/// 0 where each experiment has its run, as far as that can be seen without reading its tables; 2
/// where one has only a damaged one of its plan, otherwise 1. Of a spec with an error no plan is
/// known.
fn code_of(listed: &[(Value, bool)]) -> u8 {
    let is_damaged = |run: &Value| run["state"] == "damaged" && run["is_of_plan"] == true;
    let code = |(experiment, is_complete): &(Value, bool)| {
        let has_plan = experiment["error"].is_null();
        let mut runs = experiment["runs"].as_array().into_iter().flatten();
        match is_complete {
            true => 0,
            false if has_plan && runs.any(is_damaged) => 2,
            false => 1,
        }
    };
    listed.iter().map(code).max().unwrap_or(0)
}

/// What a spec may name of an algorithm, and what its rows hold.
fn algorithm(algorithm: &Algorithm) -> Value {
    let column =
        |column: &Column| json!({ "name": column.name, "unit": column.unit, "doc": column.doc });
    json!({
        "name": algorithm.name,
        "doc": algorithm.doc,
        "definition": algorithm.definition,
        "axes": algorithm.axes,
        "takes_condition": algorithm.condition.is_some(),
        // The first word of each choice is its default.
        "choices": algorithm.variants.map_or(&[][..], |variants| variants.choices),
        "default_variant": algorithm.variants.map(Variants::default),
        "goals": if algorithm.is_search { &Goal::EVERY[..] } else { &[] },
        "default_goal": algorithm.is_search.then(Goal::default),
        "columns": algorithm.columns.iter().map(column).collect::<Vec<_>>(),
    })
}

/// The columns that every row has, in the order of the table: name, unit and meaning.
fn key_columns() -> Vec<Value> {
    const BEFORE: [(&str, &str); 2] = [
        ("algorithm", "what was run"),
        ("variant", "empty, or the variant's name"),
    ];
    const AFTER: [(&str, &str); 6] = [
        ("seed", "of the spec"),
        ("trial", "index from 0 under its seed"),
        (
            "outcome",
            "absorbed; of a search exhausted or solved; censored where it was stopped at its cutoff",
        ),
        ("cutoff", "updates allowed, or checks or nodes of a search"),
        ("goal", "what a search was for; null for the local rules"),
        ("dynamics", "how the trial was simulated; null for a search"),
    ];
    let all = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
    let axes = all
        .map(|axis| (axis.name, axis.doc))
        .unique_by(|axis| axis.0);
    // As in the table: those of the rules first, further ones by name.
    let place = |name: &str| KEY_AXES.iter().position(|axis| *axis == name);
    let axes = axes.sorted_by_key(|axis| (place(axis.0).unwrap_or(KEY_AXES.len()), axis.0));
    let columns = BEFORE.into_iter().chain(axes).chain(AFTER);
    let column = |(name, doc)| json!({ "name": name, "unit": "", "doc": doc, "algorithms": null });
    columns.map(column).collect()
}

/// Each column of `trials.parquet` that algorithms fill, and these algorithms.
fn columns() -> Vec<Value> {
    let mut columns: Vec<(&Column, Vec<&str>)> = Vec::new();
    for algorithm in ALGORITHMS.iter() {
        for column in algorithm.columns {
            match columns
                .iter_mut()
                .find(|(known, _)| known.name == column.name)
            {
                Some((_, algorithms)) => algorithms.push(algorithm.name),
                None => columns.push((column, vec![algorithm.name])),
            }
        }
    }
    let column = |(it, algorithms): (&Column, Vec<&str>)| json!({ "name": it.name, "unit": it.unit, "doc": it.doc, "algorithms": algorithms });
    columns.into_iter().map(column).collect()
}

/// The named kinds of figures; where none is named all of them, the measures of each table and the
/// keys of a figure.
fn figures(named: &[&str]) -> Result<Value, Refused> {
    let known: Vec<&str> = parse::kinds().map(|kind| kind.0).collect();
    if let Some(other) = named.iter().find(|kind| !known.contains(kind)) {
        let near = did_you_mean(other, &known);
        let reason = format!(
            "{other}: unknown figure kind; expected one of {}{near}",
            known.join(", ")
        );
        return Err(Refused::new(reason));
    }
    let mut kinds = Vec::new();
    for (kind, doc) in parse::kinds() {
        if named.is_empty() || named.contains(&kind) {
            let lines = parse::lines_of_kind(kind);
            kinds.push(json!({ "kind": kind, "doc": doc, "toml": lines }));
        }
    }
    let mut found = json!({ "figures": kinds });
    if named.is_empty() {
        let tables = parse::tables().filter(|table| !table.1.is_empty());
        let table = |(table, measures, across): (&str, Vec<_>, Vec<_>)| json!({ "table": table, "measures": measures, "across": across });
        found["measures"] = tables.map(table).collect();
        found["keys"] = keys::KEYS.iter().map(|key| key.0).collect();
    }
    Ok(found)
}
