//! The figures that a spec asks for, and what each of them is to show. Nothing here has an effect
//! on rows, so this file counts for no code version.

use std::collections::BTreeSet;

use super::Refused;
use super::tree::{Entry, Table};
use super::{Sweep, name, range};
use crate::solver::goal::Goal;
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::point::WORDS;
use crate::solver::{Axis, Value};

/// A kind of figure as a spec may ask for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureKind {
    /// Registry name.
    pub name: &'static str,
    /// The keys that it takes beside those of every kind.
    pub keys: &'static [&'static str],
    /// The columns that it can show as `quantity`; empty: every column of numbers.
    pub quantities: &'static [&'static str],
    /// The columns of its panels; empty: every column of numbers.
    pub panels: Vec<&'static str>,
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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choices {
    /// `where`: only points that have one of the values of each key.
    pub keep: Vec<Keep>,
    /// The axis across.
    pub x: Option<String>,
    /// A column of numbers of `trials.parquet`.
    pub quantity: Option<String>,
    /// Columns that have a panel each.
    pub panels: Option<Vec<String>>,
    /// What the quantity is divided by: `n`, `n^2`, `n^3` or `sites * n`.
    pub divide: Option<String>,
    /// The axis with a panel for each of its values.
    pub facet: Option<String>,
    /// Whether 1/d(n) stands on an axis of its own.
    pub has_density: bool,
    /// Whether the least mean time is marked.
    pub marks_best: bool,
    /// What makes a curve: axes, `algorithm`, `variant` and `goal`.
    pub group: Option<Vec<String>>,
    /// Whether the axis across is logarithmic.
    pub x_is_logarithmic: Option<bool>,
    /// Whether the upright axis is logarithmic.
    pub y_is_logarithmic: Option<bool>,
    /// The law that is fitted to each curve.
    pub fit: Option<Law>,
    /// The least place that it is fitted from.
    pub fit_from: Option<f64>,
    /// Whether means have the bootstrap's interval.
    pub is_bootstrapped: bool,
    /// Width in print.
    pub width: Option<Width>,
    /// Whether no title stands above it.
    pub has_no_title: bool,
    /// That title, where it is not the kind's own.
    pub title: Option<String>,
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

/// What a quantity may be divided by: powers of n, and n times the pairs or cells that an update of
/// a local rule draws from.
const DIVISORS: [&str; 4] = ["n", "n^2", "n^3", "sites * n"];

/// Width of a figure in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One column of a journal, 86 mm.
    Single,
    /// The page of a journal, 178 mm.
    Double,
}

/// The keys of every kind.
pub const KEYS: [&str; 5] = ["kind", "name", "where", "width", "title"];

/// The figures of a spec; one without a name is called after `experiment` and its kind.
pub(super) fn read(
    root: &Table,
    experiment: &str,
    sweeps: &[Sweep],
    kinds: &[FigureKind],
) -> Result<Vec<FigureSpec>, Refused> {
    let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    let (mut figures, mut names) = (Vec::new(), BTreeSet::new());
    for table in root.tables("figure")? {
        let kind = table.get("kind").map(|it| it.word("figure kind", &known));
        let kind = kind.transpose()?;
        let kind = kinds.iter().find(|other| Some(other.name) == kind);
        refuse_others(&table, kind, kinds)?;
        let Some(kind) = kind else {
            let allowed = format!("one of {}", known.join(", "));
            let missing = table.require("kind", &allowed).err();
            return Err(missing.unwrap_or_else(|| table.error("unknown figure kind")));
        };
        let entry = table.get("name");
        let name = match &entry {
            Some(entry) => entry.text("a text")?.to_owned(),
            None => format!("{experiment}-{}", kind.name),
        };
        let error = |reason: &str| match &entry {
            Some(entry) => entry.error(reason),
            None => table.error(&format!("figure name {name:?}: {reason}")),
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
) -> Result<(), Refused> {
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
            let takers = kinds.iter().filter(|other| other.keys.contains(key));
            let takers: Vec<&str> = takers.map(|other| other.name).collect();
            let (name, takers) = (kind.name, takers.join(", "));
            return Err(entry.error(&format!(
                "the kind {name} has its own {key}; allowed is {key} with the kinds {takers}"
            )));
        }
    }
    table.only(&[&KEYS[..], kind.keys].concat())
}

fn choices(table: &Table, sweeps: &[Sweep], kind: &FigureKind) -> Result<Choices, Refused> {
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
    let list = |key: &str, what: &str, known: &[&str]| {
        let entry = table.get(key);
        entry.map(|it| words_once(&it, what, known)).transpose()
    };
    let is_true = |key: &str| {
        let entry = table.get(key);
        entry.map_or(Ok(false), |entry| entry.boolean("true or false"))
    };
    let (has_no_title, title) = title(table)?;
    let choices = Choices {
        keep: table
            .get("where")
            .map_or(Ok(Vec::new()), |entry| keep(&entry, &axes, &all))?,
        x: word("x", "axis of these sweeps", &names)?,
        quantity: word("quantity", "column of numbers", &quantities(kind))?,
        panels: list("panels", "column of a panel", &panels(kind))?,
        divide: word("divide", "divisor", &DIVISORS)?,
        facet: word("facet", "axis of these sweeps", &names)?,
        has_density: word("right_axis", "axis", &["1/d"])?.is_some(),
        marks_best: is_true("mark_best")?,
        group: list("group", "key of the points", &all)?,
        x_is_logarithmic: is_logarithmic("x_scale")?,
        y_is_logarithmic: is_logarithmic("y_scale")?,
        fit: match word("fit", "law", &["none", "exponential", "power"])?.as_deref() {
            Some("exponential") => Some(Law::Exponential),
            Some("power") => Some(Law::Power),
            _ => None,
        },
        fit_from: table
            .get("fit_from")
            .map(|it| it.real(|_| true, "a number"))
            .transpose()?,
        is_bootstrapped: word("interval", "interval", &["t", "bootstrap"])?
            .is_some_and(|word| word == "bootstrap"),
        width: match word("width", "width", &["single", "double"])?.as_deref() {
            Some("single") => Some(Width::Single),
            Some(_) => Some(Width::Double),
            None => None,
        },
        has_no_title,
        title,
    };
    refuse_together(table, &choices, kind)?;
    Ok(choices)
}

/// Whether there is to be none, or a title of its own.
fn title(table: &Table) -> Result<(bool, Option<String>), Refused> {
    let Some(entry) = table.get("title") else {
        return Ok((false, None));
    };
    let allowed = "true, false or a text";
    match entry.boolean(allowed) {
        Ok(has_title) => Ok((!has_title, None)),
        Err(_) => Ok((false, Some(entry.text(allowed)?.to_owned()))),
    }
}

/// Refuses keys that need others, or exclude them.
fn refuse_together(table: &Table, choices: &Choices, kind: &FigureKind) -> Result<(), Refused> {
    let x = choices.x.as_deref().unwrap_or("n");
    let is_of_times = |it: &str| it == "absorption_time";
    let has_times = match (&choices.panels, &choices.quantity) {
        (Some(panels), _) => panels.iter().any(|it| is_of_times(it)),
        (None, quantity) => quantity.as_deref().is_none_or(is_of_times),
    };
    let of_panels = "panels names the quantities; allowed is one of both keys";
    let of_n = "1/d is of n; allowed is right_axis with x = \"n\"";
    let of_facet = "that axis stands across; allowed is another one";
    let of_times =
        "it marks the least mean time; allowed is mark_best with the quantity absorption_time";
    let of_fit = "allowed is fit_from together with fit";
    let is_across = choices.facet.as_deref() == Some(x);
    let has_fit = kind.keys.contains(&"fit");
    let rules = [
        ("quantity", choices.panels.is_some(), of_panels),
        ("fit_from", has_fit && choices.fit.is_none(), of_fit),
        ("right_axis", x != "n", of_n),
        ("facet", is_across, of_facet),
        ("mark_best", !has_times, of_times),
    ];
    for (key, is_refused, message) in rules {
        if let Some(entry) = table.get(key).filter(|_| is_refused) {
            return Err(entry.error(message));
        }
    }
    Ok(())
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
    if !kind.quantities.is_empty() {
        return kind.quantities.to_vec();
    }
    let columns = COLUMNS.iter();
    let numbers = columns.filter(|column| matches!(column.field, Field::Count(..)));
    numbers.map(|column| column.name).collect()
}

fn panels(kind: &FigureKind) -> Vec<&'static str> {
    match &kind.panels[..] {
        [] => quantities(kind),
        columns => columns.to_vec(),
    }
}

/// A list of known words, each once.
fn words_once(entry: &Entry, what: &str, known: &[&str]) -> Result<Vec<String>, Refused> {
    let allowed = format!("a list of {}", known.join(", "));
    let items = entry.list().filter(|items| !items.is_empty());
    let items = items.ok_or_else(|| entry.refuse(&allowed))?;
    let mut words: Vec<String> = Vec::new();
    for item in &items {
        let word = item.word(what, known)?;
        if words.iter().any(|other| other == word) {
            return Err(item.error("the key is doubled; allowed is each key once"));
        }
        words.push(word.to_owned());
    }
    Ok(words)
}

fn keep(entry: &Entry, axes: &[&'static Axis], all: &[&str]) -> Result<Vec<Keep>, Refused> {
    let refused = || entry.refuse("a table such as { n = 8, epsilon = [0.01, 0.1] }");
    let table = entry.table().ok_or_else(refused)?;
    table.only(all)?;
    let axes = axes.iter().map(|axis| (axis.name, Some(*axis)));
    let keys = axes.chain(WORDS.map(|word| (word, None)));
    let entries = keys.filter_map(|(key, axis)| Some((key, axis, table.get(key)?)));
    let kept = entries.map(|(key, axis, entry)| {
        let values = match axis {
            None => words(key, &entry)?,
            Some(axis) => {
                let values = range::on(axis, &entry)?.into_iter();
                values.map(Kept::Number).collect()
            }
        };
        let key = key.to_owned();
        Ok(Keep { key, values })
    });
    kept.collect()
}

fn words(key: &str, entry: &Entry) -> Result<Vec<Kept>, Refused> {
    let allowed = format!("a text, or a list of texts, for {key}");
    let items = entry.items(&allowed)?;
    let goals = Goal::EVERY.map(Goal::name);
    let word = |item: &Entry| {
        let text = match key {
            "goal" => item.word("goal", &goals)?,
            _ => item.text(&allowed)?,
        };
        Ok(Kept::Word(text.to_owned()))
    };
    items.iter().map(word).collect()
}
