//! `reines list`: what there is to run, to draw and to read.

mod experiments;

use std::path::PathBuf;

use serde_json::{Value, json};

use self::experiments::Listed;
use super::check::Forecast;
use super::shelf::Shelf;
use super::terminal::say;
use super::text::{aligned, counted};
use super::{Common, Refused, terminal};
use crate::experiment::spec::FigureKinds;
use crate::experiment::spec::{FIGURE_KEYS, did_you_mean};
use crate::report;
use crate::solver::goal::Goal;
use crate::solver::point::KEY_AXES;
use crate::solver::variants::Choice;
use crate::solver::{ALGORITHMS, Algorithm, Axis, Column};

/// List experiments and results, algorithms, or kinds of figures
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines list                 experiments, how far each is, how long it takes
  reines list epsilon         its runs in full, and how well each mean is known
  reines list algorithms      what a spec may name, with axes and columns
  reines list figures         kinds; `list figures scaling` prints one to paste
  reines list columns         what the columns of trials.parquet mean

`list NAME` ends with exit code 0 where the named experiment has a complete run
of its present plan, the reference apart, or the named run is complete,
otherwise with 1. ")]
pub struct Args {
    /// Experiments to list in full, by their names, specs or runs; or `algorithms`, `figures
    /// [KIND]` or `columns`: what a spec may name
    #[arg(value_name = "NAME")]
    named: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let (mut lines, mut all, mut code) = (Vec::new(), json!({}), 0);
    let words: Vec<&str> = args.named.iter().filter_map(|it| it.to_str()).collect();
    if words[..] == ["algorithms"] {
        all["algorithms"] = ALGORITHMS.iter().map(|it| as_json(it)).collect();
        lines.extend(ALGORITHMS.iter().flat_map(|it| in_words(it)));
    } else if let ["figures", kinds @ ..] = &words[..] {
        let all_kinds = report::kinds();
        let figures = figures(&all_kinds, kinds)?;
        let figure = |(kind, doc): &(String, String)| json!({ "kind": kind, "doc": doc, "toml": all_kinds.lines(kind) });
        all["figures"] = figures.iter().map(figure).collect();
        lines.extend(figures_in_words(&all_kinds, &figures, kinds.is_empty()));
    } else if words[..] == ["columns"] {
        let keys = key_columns();
        let key = |[name, unit, doc]: &[&str; 3]| json!({ "name": name, "unit": unit, "doc": doc, "algorithms": null });
        let column = |(it, algorithms): &(&Column, Vec<&str>)| json!({ "name": it.name, "unit": it.unit, "doc": it.doc, "algorithms": algorithms });
        all["columns"] = keys
            .iter()
            .map(key)
            .chain(columns().iter().map(column))
            .collect();
        let own = columns();
        let own = own.iter().map(|(it, _)| [it.name, it.unit, it.doc]);
        let rows = keys.into_iter().chain(own);
        let rows = rows.map(|[name, of, doc]| [name, unit(of), doc].map(str::to_owned).to_vec());
        lines = aligned(0, usize::MAX, &rows.collect::<Vec<_>>());
    } else {
        let shelf = Shelf::of(&common.results);
        shelf.refuse_missing()?;
        let listed = experiments::list(&shelf, &args.named)?;
        for error in listed.iter().flat_map(Listed::damage) {
            say!("warning: {error}");
        }
        let mut named = listed.iter().filter(|_| !args.named.is_empty());
        code = u8::from(!named.all(Listed::is_complete));
        if args.json {
            all["experiments"] = listed.iter().map(Listed::json).collect();
        } else if listed.is_empty() {
            let look = "`reines list --help` says where it looks";
            lines.push(format!("no experiments and no results here; {look}"));
        } else if args.named.is_empty() {
            let forecast = Forecast::read(&shelf)?;
            let rows: Vec<_> = listed.iter().map(|it| in_short(it, &forecast)).collect();
            lines = aligned(0, usize::MAX, &rows);
        } else {
            lines.extend(listed.iter().flat_map(Listed::lines));
        }
    }
    if args.json {
        lines = vec![terminal::json(&all)?];
    }
    terminal::print(lines)?;
    Ok(code)
}

/// `rules   30 700 trials   reference only   about 2 min 05 s   Pair and cell against n`.
fn in_short(listed: &Listed, forecast: &Forecast) -> Vec<String> {
    let (trials, time, title) = match &listed.planned {
        Some(Ok((spec, plan))) => (
            counted(plan.trials(), "trial"),
            forecast.in_short(plan),
            spec.title.clone().unwrap_or_default(),
        ),
        Some(Err(error)) => {
            let first = error.lines().next().unwrap_or_default();
            (String::new(), String::new(), first.to_owned())
        }
        None => Default::default(),
    };
    let name = listed.name.clone();
    vec![name, trials, listed.in_short(), time, title]
}

/// An algorithm, its axes, variants, goals and columns as text.
fn in_words(algorithm: &Algorithm) -> Vec<String> {
    let table = |rows: Vec<[String; 3]>| {
        let rows: Vec<_> = rows.into_iter().map(Vec::from).collect();
        aligned(4, usize::MAX, &rows)
    };
    let axis = |it: &Axis| [it.name.to_owned(), it.domain.to_string(), it.doc.to_owned()];
    let (name, doc, definition) = (algorithm.name, algorithm.doc, algorithm.definition);
    let mut lines = vec![format!("{name}: {doc} (definition {definition})")];
    lines.push("  axes".to_owned());
    lines.extend(table(algorithm.axes.iter().map(axis).collect()));
    if let Some(variants) = algorithm.variants {
        let acronym = match variants.choices {
            [_] => "is the word of the choice",
            _ => "has a letter for each choice",
        };
        let default = variants.default();
        lines.push(format!(
            "  variants (default {default}; the acronym {acronym})"
        ));
        let words = |words: &[&str]| format!("{} (default), {}", words[0], words[1..].join(", "));
        let choice = |it: &Choice| [it.key.to_owned(), words(it.words), it.doc.to_owned()];
        lines.extend(table(variants.choices.iter().map(choice).collect()));
    }
    if algorithm.condition.is_some() {
        let certain = "a condition, or a list of them: the moves that need no coin; \"safe\" where there is none";
        lines.push("  variants".to_owned());
        lines.extend(table(vec![
            ["certain", certain, "docs/rules.md"].map(str::to_owned),
        ]));
    }
    if let Some(default) = Goal::default_of(algorithm.goals) {
        let others = algorithm.goals.iter().filter(|goal| **goal != default);
        let others: String = others.map(|it| format!(", {}", it.name())).collect();
        lines.push(format!("  goals {} (default){others}", default.name()));
    }
    let column = |it: &Column| [it.name, unit(it.unit), it.doc].map(str::to_owned);
    lines.push("  columns".to_owned());
    lines.extend(table(algorithm.columns.iter().map(column).collect()));
    lines
}

fn unit(unit: &'static str) -> &'static str {
    if unit.is_empty() { "no unit" } else { unit }
}

/// The columns that every row has, in the order of the table: name, unit and meaning.
fn key_columns() -> Vec<[&'static str; 3]> {
    let mut columns = vec![
        ["algorithm", "", "what was run"],
        ["variant", "", "empty, or the variant's name"],
    ];
    let mut axes: Vec<[&str; 3]> = Vec::new();
    for axis in ALGORITHMS.iter().flat_map(|it| it.axes) {
        if axes.iter().all(|it| it[0] != axis.name) {
            axes.push([axis.name, "", axis.doc]);
        }
    }
    // As in the table: those of the rules first, further ones by name.
    let place = |name: &str| KEY_AXES.iter().position(|it| *it == name);
    axes.sort_by_key(|it| (place(it[0]).unwrap_or(KEY_AXES.len()), it[0]));
    columns.extend(axes);
    columns.extend([
        ["seed", "", "of the spec"],
        ["trial", "", "index from 0 under its seed"],
        ["outcome", "", "absorbed; of a search exhausted or solved; censored where it was stopped at its cutoff"],
        ["cutoff", "", "updates allowed, or checks or nodes of a search"],
        [
            "goal",
            "",
            "what a search was for; null for the local rules",
        ],
        [
            "dynamics",
            "",
            "how the trial was simulated; null for a search",
        ],
    ]);
    columns
}

/// Each column of `trials.parquet` that algorithms fill, and these algorithms.
fn columns() -> Vec<(&'static Column, Vec<&'static str>)> {
    let mut columns: Vec<(&Column, Vec<&str>)> = Vec::new();
    for algorithm in ALGORITHMS.iter() {
        for column in algorithm.columns {
            match columns.iter_mut().find(|(it, _)| it.name == column.name) {
                Some((_, algorithms)) => algorithms.push(algorithm.name),
                None => columns.push((column, vec![algorithm.name])),
            }
        }
    }
    columns
}

/// The named kinds of figures, or all if none is named, each with its doc.
fn figures(kinds: &FigureKinds, named: &[&str]) -> Result<Vec<(String, String)>, Refused> {
    let mut docs = kinds.docs();
    let known: Vec<&str> = docs.iter().map(|it| &*it.0).collect();
    if let Some(other) = named.iter().find(|kind| !known.contains(kind)) {
        let near = did_you_mean(other, &known);
        let reason = format!(
            "{other}: unknown figure kind; expected one of {}{near}",
            known.join(", ")
        );
        return Err(Refused::new(reason));
    }
    docs.retain(|(kind, _)| named.is_empty() || named.contains(&&**kind));
    Ok(docs)
}

/// The lines of named kinds as a spec may have them; or all kinds with their docs, and the measures
/// of each table.
fn figures_in_words(kinds: &FigureKinds, named: &[(String, String)], is_all: bool) -> Vec<String> {
    if !is_all {
        return named.iter().map(|it| kinds.lines(&it.0)).collect();
    }
    let docs = named.iter().map(|(kind, doc)| format!("{kind}: {doc}"));
    let mut lines: Vec<String> = docs.collect();
    lines.push(String::new());
    lines.push("Measures of each table".to_owned());
    let others = kinds.tables.iter().filter(|it| !it.measures.is_empty());
    lines.extend(others.map(|it| {
        let measures: Vec<&str> = it.measures.iter().chain(&it.across).copied().collect();
        format!("  {}: {}", it.table, measures.join(", "))
    }));
    lines.push("  columns: any column of `reines list columns`".to_owned());
    lines.push(String::new());
    let keys: Vec<&str> = FIGURE_KEYS.iter().map(|it| it.name).collect();
    lines.push(format!("Keys of a figure: {}", keys.join(", ")));
    lines
}

fn as_json(algorithm: &Algorithm) -> Value {
    let column = |it: &Column| json!({ "name": it.name, "unit": it.unit, "doc": it.doc });
    json!({
        "name": algorithm.name,
        "doc": algorithm.doc,
        "definition": algorithm.definition,
        "axes": algorithm.axes,
        // The first word of each choice is its default.
        "takes_condition": algorithm.condition.is_some(),
        "choices": algorithm.variants.map_or(&[][..], |it| it.choices),
        "goals": algorithm.goals,
        "columns": algorithm.columns.iter().map(column).collect::<Vec<_>>(),
    })
}
