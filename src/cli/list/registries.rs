//! What a spec may name: the algorithms with their axes and columns, and the kinds of figures.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::cli::text::columns;
use crate::experiment::plan::DEFINITION;
use crate::report::{Chart, FIGURES};
use crate::solver::goal::Goal;
use crate::solver::variants::{Choice, Variants};
use crate::solver::{ALGORITHMS, Algorithm, Axis, Column, Domain};

/// Prints every algorithm, its axes and its columns for a person.
pub fn write_algorithms(out: &mut dyn Write) -> io::Result<()> {
    for algorithm in ALGORITHMS.iter() {
        writeln!(
            out,
            "{}: {} (definition {})",
            algorithm.name(),
            algorithm.doc(),
            DEFINITION
        )?;
        writeln!(out, "  axes")?;
        columns(out, 4, usize::MAX, &axis_rows(*algorithm))?;
        if let Some(variants) = algorithm.variants() {
            let acronym = match variants.choices() {
                [_] => "is the word of the choice",
                _ => "has a letter for each choice",
            };
            let default = variants.default();
            writeln!(out, "  variants (default {default}; the acronym {acronym})")?;
            columns(out, 4, usize::MAX, &choice_rows(variants))?;
        }
        if !algorithm.goals().is_empty() {
            writeln!(out, "  goals {}", goal_words(*algorithm))?;
        }
        writeln!(out, "  columns")?;
        columns(out, 4, usize::MAX, &column_rows(*algorithm))?;
    }
    Ok(())
}

/// The keys of a `[[figure]]` of every kind.
const FIGURE_KEYS: [&str; 5] = ["kind", "name", "where", "width", "title"];

/// Prints every kind of figure for a person.
pub fn write_figures(out: &mut dyn Write) -> io::Result<()> {
    for figure in FIGURES {
        writeln!(out, "{}: {}", figure.kind, figure.doc)?;
        for (what, words) in [("keys", figure.keys()), ("quantities", figure.quantities)] {
            if !words.is_empty() {
                writeln!(out, "  {what} {}", words.join(", "))?;
            }
        }
    }
    writeln!(out)?;
    writeln!(out, "Every kind takes the keys {}", FIGURE_KEYS.join(", "))
}

/// The default first: `count (default), all, first`.
fn goal_words(algorithm: &dyn Algorithm) -> String {
    let default = Goal::default_of(algorithm.goals());
    let others = algorithm
        .goals()
        .iter()
        .filter(|goal| Some(**goal) != default)
        .map(|goal| goal.name().to_owned());
    default
        .iter()
        .map(|goal| format!("{} (default)", goal.name()))
        .chain(others)
        .collect::<Vec<_>>()
        .join(", ")
}

fn axis_rows(algorithm: &dyn Algorithm) -> Vec<Vec<String>> {
    let row = |it: &Axis| [it.name.to_owned(), it.domain.to_string(), it.doc.to_owned()].to_vec();
    algorithm.axes().iter().map(row).collect()
}

fn choice_rows(variants: &dyn Variants) -> Vec<Vec<String>> {
    let words = |words: &[&str]| format!("{} (default), {}", words[0], words[1..].join(", "));
    let row = |it: &Choice| [it.key.to_owned(), words(&it.words), it.doc.to_owned()].to_vec();
    variants.choices().iter().map(row).collect()
}

fn column_rows(algorithm: &dyn Algorithm) -> Vec<Vec<String>> {
    let unit = |unit: &'static str| if unit.is_empty() { "no unit" } else { unit };
    let row = |it: &Column| [it.name, unit(it.unit), it.doc].map(str::to_owned).to_vec();
    algorithm.columns().iter().map(row).collect()
}

/// The algorithms for programs.
pub fn algorithms() -> Vec<Value> {
    ALGORITHMS
        .iter()
        .map(|algorithm| listed(*algorithm))
        .collect()
}

fn listed(algorithm: &dyn Algorithm) -> Value {
    let axis = |&Axis {
                    name,
                    symbol,
                    domain,
                    doc,
                }: &Axis| {
        let (kind, min, max) = match domain {
            Domain::Integer { min, max } => ("integer", json!(min), json!(max)),
            Domain::Real { min, max } => ("real", json!(min), json!(max)),
        };
        json!({ "name": name, "symbol": symbol, "type": kind, "min": min, "max": max, "doc": doc })
    };
    // The default word is the first.
    let choice =
        |Choice { key, words, doc }: &Choice| json!({ "key": key, "words": words, "doc": doc });
    let column =
        |&Column {
             name, unit, doc, ..
         }: &Column| { json!({ "name": name, "unit": unit, "doc": doc }) };
    let choices = algorithm.variants().map_or(&[][..], Variants::choices);
    json!({
        "name": algorithm.name(),
        "doc": algorithm.doc(),
        "definition": DEFINITION,
        "axes": algorithm.axes().iter().map(axis).collect::<Vec<_>>(),
        "choices": choices.iter().map(choice).collect::<Vec<_>>(),
        "goals": algorithm.goals().iter().map(|goal| goal.name()).collect::<Vec<_>>(),
        "columns": algorithm.columns().iter().map(column).collect::<Vec<_>>(),
    })
}

/// The kinds of figures for programs.
pub fn figures() -> Vec<Value> {
    let listed = |figure: &&Chart<'static>| {
        json!({
            "kind": figure.kind,
            "doc": figure.doc,
            "keys": figure.keys(),
            "quantities": figure.quantities,
        })
    };
    FIGURES.iter().map(listed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_listed_with_its_axes_and_columns() {
        let mut out = Vec::new();
        write_algorithms(&mut out).expect("written to memory");
        let text = String::from_utf8(out).expect("UTF-8");
        for algorithm in ALGORITHMS.iter() {
            let (_, own) = text
                .split_once(&format!("{}: {}", algorithm.name(), algorithm.doc()))
                .expect("its heading");
            for axis in algorithm.axes() {
                let line = own
                    .lines()
                    .find(|line| line.trim_start().starts_with(axis.name))
                    .expect("its axis");
                assert!(
                    line.contains(&axis.domain.to_string()) && line.ends_with(axis.doc),
                    "{line}"
                );
            }
            for column in algorithm.columns() {
                assert!(
                    own.lines()
                        .any(|line| line.trim_start().starts_with(column.name)
                            && line.ends_with(column.doc)),
                    "{}",
                    column.name
                );
            }
        }
    }

    /// What a spec's own error says of a kind without keys of its own.
    #[test]
    fn the_keys_of_every_kind_are_those_that_a_spec_allows() {
        let spec = "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = 4\nepsilon = 0.1\ntrials = 1\n\
                    cutoff = 10\n[[figure]]\nkind = 'best-epsilon'\nwrong = 1\n";
        let error = crate::experiment::spec::parse("a", "a.toml", spec, &crate::report::kinds());
        let error = error.err().expect("no such key").to_string();
        let keys = FIGURE_KEYS.join(", ");
        assert!(error.contains(&format!("allowed are {keys}")), "{error}");
        let mut out = Vec::new();
        write_figures(&mut out).expect("memory");
        let listed = String::from_utf8(out).expect("text");
        assert!(listed.contains("\n  keys x, quantity, panels, divide, group, facet, x_scale, y_scale, right_axis, fit, fit_from, mark_best, interval\n"));
        assert!(listed.ends_with(&format!("\nEvery kind takes the keys {keys}\n")));
    }
}
