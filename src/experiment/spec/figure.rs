//! The figures that a spec asks for, and what each of them is to show. Nothing here has an effect
//! on rows, so this file counts for no code version.

use std::collections::BTreeSet;

use super::error::SpecError;
use super::tree::{Entry, Table};
use super::{Sweep, axis, name};
use crate::solver::goal::Goal;
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::{Axis, Value};

/// A kind of figure as a spec may ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FigureKind {
    /// Registry name.
    pub name: &'static str,
    /// The keys that it takes beside those of every kind.
    pub keys: &'static [&'static str],
    /// The columns that it can show as `quantity`; empty: every column of numbers.
    pub quantities: &'static [&'static str],
}

impl FigureKind {
    /// A kind with the keys of every kind.
    pub const fn plain(name: &'static str) -> Self {
        Self {
            name,
            keys: &[],
            quantities: &[],
        }
    }
}

/// A figure that the spec asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureSpec {
    /// Registry name of the figure.
    pub kind: String,
    /// Stem of the files it is written to.
    pub name: String,
    /// Line of `[[figure]]` in the file, from 1.
    pub line: usize,
    /// What it is to show.
    pub choices: Choices,
}

/// What a figure is to show; by default what its kind shows anyway.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// `where`: only points that have one of the values of each key.
    pub keep: Vec<Keep>,
    /// The axis across.
    pub x: Option<String>,
    /// A column of numbers of `trials.parquet`.
    pub quantity: Option<String>,
    /// What makes a curve: axes, `algorithm`, `variant` and `goal`.
    pub group: Option<Vec<String>>,
    /// Whether the axis across is logarithmic.
    pub x_is_logarithmic: Option<bool>,
    /// Whether the upright axis is logarithmic.
    pub y_is_logarithmic: Option<bool>,
    /// The law that is fitted to each curve.
    pub fit: Option<Law>,
    /// Width in print.
    pub width: Option<Width>,
    /// Whether the experiment's title stands above it.
    pub has_title: bool,
}

/// A key of `where` and the values that it keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Keep {
    /// An axis, `algorithm`, `variant` or `goal`.
    pub key: String,
    /// At least one.
    pub values: Vec<Kept>,
}

/// A value of `where`.
#[derive(Debug, Clone, PartialEq)]
pub enum Kept {
    /// On an axis.
    Number(Value),
    /// Of `algorithm`, `variant` or `goal`.
    Word(String),
}

/// A law that may be fitted to a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// ln y = a + b x.
    Exponential,
    /// ln y = a + b ln x.
    Power,
}

/// Width of a figure in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One column of a journal, 86 mm.
    Single,
    /// The page of a journal, 178 mm.
    Double,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            keep: Vec::new(),
            x: None,
            quantity: None,
            group: None,
            x_is_logarithmic: None,
            y_is_logarithmic: None,
            fit: None,
            width: None,
            has_title: true,
        }
    }
}

/// The keys of every kind.
const KEYS: [&str; 5] = ["kind", "name", "where", "width", "title"];
/// The words of a point that are on no axis.
const WORDS: [&str; 3] = ["algorithm", "variant", "goal"];

/// The figures of a spec with these sweeps; a figure without a name is called after `experiment`
/// and its kind.
pub(super) fn read(
    root: &Table,
    experiment: &str,
    sweeps: &[Sweep],
    kinds: &[FigureKind],
) -> Result<Vec<FigureSpec>, SpecError> {
    let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    let (mut figures, mut names) = (Vec::new(), BTreeSet::new());
    for table in root.tables("figure")? {
        let kind = table
            .get("kind")
            .map(|entry| entry.word("figure kind", &known))
            .transpose()?;
        let kind = kinds.iter().find(|other| Some(other.name) == kind);
        refuse_others(&table, kind, kinds)?;
        let Some(kind) = kind else {
            let allowed = format!("one of {}", known.join(", "));
            return Err(table
                .require("kind", &allowed)
                .err()
                .unwrap_or_else(|| table.error("unknown figure kind")));
        };
        let entry = table.get("name");
        let name = match &entry {
            Some(entry) => entry.text("a text")?.to_owned(),
            None => format!("{experiment}-{}", kind.name),
        };
        let error = |reason: &str| {
            entry.as_ref().map_or_else(
                || table.error(&format!("figure name {name:?}: {reason}")),
                |e| e.error(reason),
            )
        };
        name::check(&name).map_err(|reason| error(&reason))?;
        if !names.insert(name.to_lowercase()) {
            return Err(error(
                "two figures of one name would overwrite each other; allowed is a name of its own",
            ));
        }
        figures.push(FigureSpec {
            kind: kind.name.to_owned(),
            name,
            line: table.line(),
            choices: choices(&table, sweeps, kind)?,
        });
    }
    Ok(figures)
}

/// Refuses keys that no kind has, and those that this kind does not take.
fn refuse_others(
    table: &Table,
    kind: Option<&FigureKind>,
    kinds: &[FigureKind],
) -> Result<(), SpecError> {
    let Some(kind) = kind else {
        let mut all = KEYS.to_vec();
        for key in kinds.iter().flat_map(|kind| kind.keys) {
            if !all.contains(key) {
                all.push(key);
            }
        }
        return table.only(&all);
    };
    for key in kinds.iter().flat_map(|kind| kind.keys) {
        if let Some(entry) = table.get(key).filter(|_| !kind.keys.contains(key)) {
            let takers: Vec<&str> = kinds
                .iter()
                .filter(|other| other.keys.contains(key))
                .map(|other| other.name)
                .collect();
            return Err(entry.error(&format!(
                "the kind {} has its own {key}; allowed is {key} with the kinds {}",
                kind.name,
                takers.join(", ")
            )));
        }
    }
    table.only(&[&KEYS[..], kind.keys].concat())
}

fn choices(table: &Table, sweeps: &[Sweep], kind: &FigureKind) -> Result<Choices, SpecError> {
    let axes = axes(sweeps);
    let names: Vec<&str> = axes.iter().map(|axis| axis.name).collect();
    let all: Vec<&str> = [&WORDS[..], &names].concat();
    let word = |key: &str, what: &str, known: &[&str]| {
        let entry = table.get(key);
        let word = entry.map(|entry| entry.word(what, known)).transpose()?;
        Ok(word.map(str::to_owned))
    };
    let is_logarithmic = |key: &str| {
        let word = word(key, "scale", &["linear", "log"])?;
        Ok(word.map(|word| word == "log"))
    };
    Ok(Choices {
        keep: table
            .get("where")
            .map_or(Ok(Vec::new()), |entry| keep(&entry, &axes, &all))?,
        x: word("x", "axis of these sweeps", &names)?,
        quantity: word("quantity", "column of numbers", &quantities(kind))?,
        group: table
            .get("group")
            .map(|entry| group(&entry, &all))
            .transpose()?,
        x_is_logarithmic: is_logarithmic("x_scale")?,
        y_is_logarithmic: is_logarithmic("y_scale")?,
        fit: word("fit", "law", &["none", "exponential", "power"])?.and_then(|word| {
            match word.as_str() {
                "exponential" => Some(Law::Exponential),
                "power" => Some(Law::Power),
                _ => None,
            }
        }),
        width: word("width", "width", &["single", "double"])?.map(|word| {
            if word == "single" {
                Width::Single
            } else {
                Width::Double
            }
        }),
        has_title: table.get("title").map_or(Ok(true), |entry| {
            entry.boolean().ok_or_else(|| entry.refuse("true or false"))
        })?,
    })
}

/// The axes of the sweeps, each once, in the order in which they come.
fn axes(sweeps: &[Sweep]) -> Vec<&'static Axis> {
    let mut axes: Vec<&Axis> = Vec::new();
    for (axis, _) in sweeps.iter().flat_map(|sweep| &sweep.axes) {
        if axes.iter().all(|known| known.name != axis.name) {
            axes.push(axis);
        }
    }
    axes
}

fn quantities(kind: &FigureKind) -> Vec<&'static str> {
    if kind.quantities.is_empty() {
        let numbers = COLUMNS
            .iter()
            .filter(|column| matches!(column.field, Field::Count(..)));
        numbers.map(|column| column.name).collect()
    } else {
        kind.quantities.to_vec()
    }
}

fn group(entry: &Entry, known: &[&str]) -> Result<Vec<String>, SpecError> {
    let allowed = format!("a list of {}", known.join(", "));
    let items = entry.list().ok_or_else(|| entry.refuse(&allowed))?;
    let mut group: Vec<String> = Vec::new();
    for item in &items {
        let word = item.word("key of the points", known)?;
        if group.iter().any(|other| other == word) {
            return Err(item.error("the key is doubled; allowed is each key once"));
        }
        group.push(word.to_owned());
    }
    Ok(group)
}

fn keep(entry: &Entry, axes: &[&'static Axis], all: &[&str]) -> Result<Vec<Keep>, SpecError> {
    let table = entry
        .table()
        .ok_or_else(|| entry.refuse("a table such as { n = 8, epsilon = [0.01, 0.1] }"))?;
    table.only(all)?;
    let mut keep = Vec::new();
    for axis in axes {
        if let Some(entry) = table.get(axis.name) {
            let values = axis::values(axis, &entry)?.into_iter();
            keep.push(Keep {
                key: axis.name.to_owned(),
                values: values.map(Kept::Number).collect(),
            });
        }
    }
    for key in WORDS {
        if let Some(entry) = table.get(key) {
            keep.push(Keep {
                key: key.to_owned(),
                values: words(key, &entry)?,
            });
        }
    }
    Ok(keep)
}

fn words(key: &str, entry: &Entry) -> Result<Vec<Kept>, SpecError> {
    let allowed = format!("a text, or a list of texts, each a {key}");
    let items = match entry.list() {
        Some(items) if items.is_empty() => return Err(entry.refuse(&allowed)),
        Some(items) => items,
        None => vec![entry.clone()],
    };
    let goals = Goal::EVERY.map(Goal::name);
    let word = |item: &Entry| {
        let text = if key == "goal" {
            item.word("goal", &goals)?
        } else {
            item.text(&allowed)?
        };
        Ok(Kept::Word(text.to_owned()))
    };
    items.iter().map(word).collect()
}
