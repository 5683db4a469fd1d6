//! What a spec may name: the algorithms with their axes and columns, and the kinds of figures.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::text::columns;
use crate::experiment::plan::DEFINITION;
use crate::report::FIGURES;
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
        writeln!(out, "{}: {}", figure.kind(), figure.doc())?;
        for (what, words) in [("keys", figure.keys()), ("quantities", figure.quantities())] {
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
    algorithm
        .axes()
        .iter()
        .map(|axis| {
            vec![
                axis.name.to_owned(),
                axis.domain.to_string(),
                axis.doc.to_owned(),
            ]
        })
        .collect()
}

fn choice_rows(variants: &dyn Variants) -> Vec<Vec<String>> {
    let words = |choice: &Choice| {
        format!(
            "{} (default), {}",
            choice.words[0],
            choice.words[1..].join(", ")
        )
    };
    variants
        .choices()
        .iter()
        .map(|choice| vec![choice.key.to_owned(), words(choice), choice.doc.to_owned()])
        .collect()
}

fn column_rows(algorithm: &dyn Algorithm) -> Vec<Vec<String>> {
    let unit = |unit: &str| {
        if unit.is_empty() {
            "no unit".to_owned()
        } else {
            unit.to_owned()
        }
    };
    algorithm
        .columns()
        .iter()
        .map(|column| {
            vec![
                column.name.to_owned(),
                unit(column.unit),
                column.doc.to_owned(),
            ]
        })
        .collect()
}

/// The algorithms for programs.
pub fn algorithms() -> Vec<ListedAlgorithm> {
    ALGORITHMS
        .iter()
        .map(|algorithm| ListedAlgorithm::new(*algorithm))
        .collect()
}

/// The kinds of figures for programs.
pub fn figures() -> Vec<ListedFigure> {
    FIGURES
        .iter()
        .map(|figure| ListedFigure {
            kind: figure.kind(),
            doc: figure.doc(),
            keys: figure.keys(),
            quantities: figure.quantities(),
        })
        .collect()
}

#[derive(Serialize)]
pub struct ListedAlgorithm {
    name: &'static str,
    doc: &'static str,
    definition: u32,
    axes: Vec<ListedAxis>,
    choices: Vec<ListedChoice>,
    goals: Vec<&'static str>,
    columns: Vec<ListedColumn>,
}

#[derive(Serialize)]
struct ListedAxis {
    name: &'static str,
    symbol: &'static str,
    #[serde(flatten)]
    domain: ListedDomain,
    doc: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum ListedDomain {
    Integer { min: u64, max: u64 },
    Real { min: f64, max: f64 },
}

/// A choice in which the variants differ; the default word is the first.
#[derive(Serialize)]
struct ListedChoice {
    key: &'static str,
    words: Vec<&'static str>,
    doc: &'static str,
}

#[derive(Serialize)]
struct ListedColumn {
    name: &'static str,
    unit: &'static str,
    doc: &'static str,
}

#[derive(Serialize)]
pub struct ListedFigure {
    kind: &'static str,
    doc: &'static str,
    keys: &'static [&'static str],
    quantities: &'static [&'static str],
}

impl ListedAlgorithm {
    fn new(algorithm: &dyn Algorithm) -> Self {
        let domain = |domain| match domain {
            Domain::Integer { min, max } => ListedDomain::Integer { min, max },
            Domain::Real { min, max } => ListedDomain::Real { min, max },
        };
        let axis = |axis: &Axis| ListedAxis {
            name: axis.name,
            symbol: axis.symbol,
            domain: domain(axis.domain),
            doc: axis.doc,
        };
        let choice = |choice: &Choice| ListedChoice {
            key: choice.key,
            words: choice.words.clone(),
            doc: choice.doc,
        };
        let column = |column: &Column| ListedColumn {
            name: column.name,
            unit: column.unit,
            doc: column.doc,
        };
        Self {
            name: algorithm.name(),
            doc: algorithm.doc(),
            definition: DEFINITION,
            axes: algorithm.axes().iter().map(axis).collect(),
            choices: algorithm
                .variants()
                .map_or(&[][..], Variants::choices)
                .iter()
                .map(choice)
                .collect(),
            goals: algorithm.goals().iter().map(|goal| goal.name()).collect(),
            columns: algorithm.columns().iter().map(column).collect(),
        }
    }
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
        assert!(listed.contains("\n  keys x, quantity, group, x_scale, y_scale, fit\n"));
        assert!(listed.ends_with(&format!("\nEvery kind takes the keys {keys}\n")));
    }

    #[test]
    fn programs_read_domains_and_units() {
        let json = serde_json::to_value(algorithms()).expect("JSON");
        let pair = json
            .as_array()
            .and_then(|all| all.iter().find(|one| one["name"] == "pair"))
            .expect("the pair rule");
        let epsilon = pair["axes"]
            .as_array()
            .and_then(|axes| axes.iter().find(|axis| axis["name"] == "epsilon"))
            .expect("its ε");
        assert_eq!(
            (&epsilon["type"], &epsilon["min"], &epsilon["max"]),
            (&"real".into(), &0.0.into(), &1.0.into())
        );
        let units: Vec<_> = pair["columns"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|column| column["unit"].as_str())
            .collect();
        assert!(units.contains(&Some("updates")) && units.iter().all(Option::is_some));
    }
}
