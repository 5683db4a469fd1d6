//! The figures that a spec asks for, and what each of them is to show. Nothing here has an effect
//! on rows, so this file counts for no code version.

use std::collections::BTreeSet;

use super::error::{Mistakes, every};
use super::tree::{Entry, Table, each_once};
use super::{Refused, Sweep, name, range};
use crate::solver::goal::Goal;
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Axis, Value};

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
    /// What is said of a column over the trials of a point.
    pub statistic: Statistic,
    /// What the quantity is divided by: `n`, `n^2`, `n^3`, `sites * n`, or the sum of another
    /// column over the trials.
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
    /// A line of known growth: its law, and the factor or the power.
    pub guide: Option<(Law, f64)>,
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

/// What a figure says of a column over the trials of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Statistic {
    /// Their sum over their number.
    #[default]
    Mean,
    /// The value of the middle rank.
    Median,
    /// The trials that have a value there, among all.
    Share,
}

impl Choices {
    /// The column that the quantity is divided by, where that is one.
    pub fn per(&self) -> Option<&str> {
        let divisor = self.divide.as_deref();
        divisor.filter(|it| !DIVISORS.contains(it))
    }
}

/// What a quantity may be divided by beside a column: powers of n, and n times the pairs or cells
/// that an update of a local rule draws from.
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

/// The figures of a spec; one without a name is called after `experiment` and its kind. Where the
/// sweeps are not known, through mistakes of their own, they may have any axis.
pub(super) fn read(
    root: &Table,
    experiment: &str,
    sweeps: Option<&[Sweep]>,
    kinds: &[FigureKind],
) -> Result<Vec<FigureSpec>, Refused> {
    let axes: Vec<&Axis> = match sweeps {
        Some(sweeps) => {
            let axes = sweeps.iter().flat_map(|sweep| &sweep.axes);
            axes.map(|(axis, _)| *axis).collect()
        }
        None => ALGORITHMS.iter().flat_map(|it| it.axes()).collect(),
    };
    let mut names = BTreeSet::new();
    let tables = root.tables("figure")?.into_iter();
    every(tables.map(|mut table| figure(&mut table, experiment, &axes, kinds, &mut names)))
}

fn figure(
    table: &mut Table,
    experiment: &str,
    axes: &[&'static Axis],
    kinds: &[FigureKind],
    names: &mut BTreeSet<String>,
) -> Result<FigureSpec, Refused> {
    let mut mistakes = Mistakes::default();
    let named = table.get("kind").and_then(|it| it.text("").ok());
    let kind = kinds.iter().find(|kind| Some(kind.name) == named);
    mistakes.keep(refuse_others(table, kind, kinds));
    let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    let entry = table.require("kind", &format!("one of {}", known.join(", ")));
    mistakes.keep(entry.and_then(|it| it.word("figure kind", &known)));
    let name = mistakes.value(name(table, experiment, kind, names));
    let choices = mistakes.value(choices(table, axes, kind));
    // What needs a key may have it misspelled.
    if let (Some(kind), true) = (kind, mistakes.is_empty()) {
        mistakes.keep(refuse_together(table, &choices, kind));
    }
    mistakes.or(kind.map(|kind| FigureSpec {
        kind: kind.name.to_owned(),
        name,
        line: table.line(),
        choices,
    }))
}

/// The name of a figure, which no other one has; empty where it depends on a kind that is unknown.
fn name(
    table: &Table,
    experiment: &str,
    kind: Option<&FigureKind>,
    names: &mut BTreeSet<String>,
) -> Result<String, Refused> {
    let entry = table.get("name");
    let name = match (&entry, kind) {
        (Some(entry), _) => entry.text("a text")?.to_owned(),
        (None, Some(kind)) => format!("{experiment}-{}", kind.name),
        (None, None) => return Ok(String::new()),
    };
    let error = |reason: &str| match &entry {
        Some(entry) => entry.error(reason),
        None => table.error(&format!("figure name {name:?}: {reason}")),
    };
    name::check(&name).map_err(|reason| error(&reason))?;
    match names.insert(name.to_lowercase()) {
        true => Ok(name),
        false => Err(error(
            "two figures of one name would overwrite each other; expected a name of its own",
        )),
    }
}

/// Each word once, in the order in which they come.
fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    words.filter(|word| seen.insert(*word)).collect()
}

/// Refuses keys that no kind has, and those that this kind does not take.
fn refuse_others(
    table: &mut Table,
    kind: Option<&FigureKind>,
    kinds: &[FigureKind],
) -> Result<(), Refused> {
    let of_kinds = kinds.iter().flat_map(|kind| kind.keys);
    let all = distinct(KEYS.iter().chain(of_kinds).copied());
    let Some(kind) = kind else {
        return table.only(&all);
    };
    let own = [&KEYS[..], kind.keys].concat();
    let known = table.only_of(&all, &own);
    let foreign = all.iter().filter(|key| !own.contains(key));
    let foreign = foreign.filter_map(|key| {
        let takers = kinds.iter().filter(|other| other.keys.contains(key));
        let takers: Vec<&str> = takers.map(|other| other.name).collect();
        let (name, takers) = (kind.name, takers.join(", "));
        Some(table.get(key)?.error(&format!(
            "the kind {name} has its own {key}; expected {key} with the kinds {takers}"
        )))
    });
    Refused::all(known.err().into_iter().chain(foreign).collect())
}

/// Of a kind that is unknown, without the columns that it may show.
fn choices(
    table: &Table,
    axes: &[&'static Axis],
    kind: Option<&FigureKind>,
) -> Result<Choices, Refused> {
    let mut mistakes = Mistakes::default();
    let names = distinct(axes.iter().map(|axis| axis.name));
    let all: Vec<&str> = [&WORDS[..], &names].concat();
    let entry = |key: &str| {
        // Others have been refused.
        let takes = |kind: &FigureKind| KEYS.contains(&key) || kind.keys.contains(&key);
        table.get(key).filter(|_| kind.is_none_or(takes))
    };
    let mut list = |key: &str, what: &str, known: &[&str]| {
        let words = entry(key).map(|it| words_once(&it, what, known));
        mistakes.value(words.transpose())
    };
    let group = list("group", "key of the points", &all);
    let panels = kind.and_then(|kind| list("panels", "column of a panel", &panels(kind)));
    let keep = mistakes.value(entry("where").map_or(Ok(Vec::new()), |it| keep(&it, axes, &all)));
    let marks_best = entry("mark_best").map(|it| it.boolean("true or false"));
    let marks_best = mistakes.value(marks_best.transpose()).unwrap_or_default();
    let fit_from = entry("fit_from").map(|it| it.real(|_| true, "a number"));
    let fit_from = mistakes.value(fit_from.transpose());
    let guide = mistakes.value(entry("guide").map(|it| guide(&it)).transpose());
    let (has_no_title, title) = mistakes.value(title(table));
    let mut word = |key: &str, what: &str, known: &[&str]| {
        let word = entry(key).map(|entry| entry.word(what, known)).transpose();
        mistakes.value(word).map(str::to_owned)
    };
    let scales = ["x_scale", "y_scale"].map(|key| word(key, "scale", &["linear", "log"]));
    let [x_is_logarithmic, y_is_logarithmic] = scales.map(|it| Some(it? == "log"));
    let choices = Choices {
        keep,
        x: word("x", "axis of these sweeps", &names),
        quantity: kind.and_then(|it| word("quantity", "column of numbers", &quantities(it))),
        panels,
        statistic: match word("statistic", "statistic", &["mean", "median", "share"]).as_deref() {
            Some("median") => Statistic::Median,
            Some("share") => Statistic::Share,
            _ => Statistic::Mean,
        },
        divide: kind.and_then(|it| {
            let known = [&DIVISORS[..], &quantities(it)].concat();
            word("divide", "divisor", &known)
        }),
        facet: word("facet", "axis of these sweeps", &names),
        has_density: word("right_axis", "axis", &["1/d"]).is_some(),
        marks_best,
        group,
        x_is_logarithmic,
        y_is_logarithmic,
        fit: match word("fit", "law", &["none", "exponential", "power"]).as_deref() {
            Some("exponential") => Some(Law::Exponential),
            Some("power") => Some(Law::Power),
            _ => None,
        },
        fit_from,
        guide,
        is_bootstrapped: word("interval", "interval", &["t", "bootstrap"])
            .is_some_and(|word| word == "bootstrap"),
        width: word("width", "width", &["single", "double"]).map(|word| match &*word {
            "single" => Width::Single,
            _ => Width::Double,
        }),
        has_no_title,
        title,
    };
    mistakes.or(Some(choices))
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

/// A line of known growth.
fn guide(entry: &Entry) -> Result<(Law, f64), Refused> {
    let refused = || entry.refuse("{ growth = 2.5 } or { power = -1.5 }");
    let mut table = entry.table().ok_or_else(refused)?;
    table.only(&["growth", "power"])?;
    match (table.get("growth"), table.get("power")) {
        (Some(growth), None) => {
            let factor = growth.real(|it| it > 0.0, "a factor above 0")?;
            Ok((Law::Exponential, factor))
        }
        (None, Some(power)) => Ok((Law::Power, power.real(|_| true, "a number")?)),
        _ => Err(refused()),
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
    let of_panels = "panels names the quantities; expected one of both keys";
    let of_n = "1/d is of n; expected right_axis with x = \"n\"";
    let of_facet = "that axis stands across; expected another one";
    let of_times =
        "it marks the least mean time; expected mark_best with the quantity absorption_time";
    let of_fit = "expected fit_from together with fit";
    let of_means =
        "it is of means; expected a figure without statistic, and without a column to divide by";
    let of_one = "the quotient is one of sums or of means; expected divide without statistic = \"share\", and a column to divide by without statistic";
    let has_means = choices.statistic == Statistic::Mean;
    let has_plain_means = has_means && choices.per().is_none();
    let has_two_forms = match choices.statistic {
        Statistic::Mean => false,
        Statistic::Median => choices.per().is_some(),
        Statistic::Share => choices.divide.is_some(),
    };
    let is_across = choices.facet.as_deref() == Some(x);
    let has_fit = kind.keys.contains(&"fit");
    let rules = [
        ("quantity", choices.panels.is_some(), of_panels),
        ("fit_from", has_fit && choices.fit.is_none(), of_fit),
        ("right_axis", x != "n", of_n),
        ("facet", is_across, of_facet),
        ("mark_best", !has_times, of_times),
        ("mark_best", has_times && !has_plain_means, of_means),
        ("fit", !has_means && choices.fit.is_some(), of_means),
        (
            "interval",
            !has_plain_means && choices.is_bootstrapped,
            of_means,
        ),
        ("divide", has_two_forms, of_one),
    ];
    let broken = rules.into_iter().filter(|(_, is_refused, _)| *is_refused);
    let broken = broken.filter_map(|(key, _, message)| Some(table.get(key)?.error(message)));
    Refused::all(broken.collect())
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
    each_once(&items, "key", |item| Ok(item.word(what, known)?.to_owned()))
}

fn keep(entry: &Entry, axes: &[&'static Axis], all: &[&str]) -> Result<Vec<Keep>, Refused> {
    let refused = || entry.refuse("a table such as { n = 8, epsilon = [0.01, 0.1] }");
    let mut table = entry.table().ok_or_else(refused)?;
    let mut mistakes = Mistakes::default();
    mistakes.keep(table.only(all));
    let (own_words, names) = all.split_at(WORDS.len());
    let keys = names.iter().chain(own_words);
    let entries = keys.filter_map(|key| Some((*key, table.get(key)?)));
    let kept = mistakes.value(every(entries.map(|(key, entry)| {
        let own = axes.iter().copied().filter(|axis| axis.name == key);
        let values = match WORDS.contains(&key) {
            true => words(key, &entry)?,
            false => {
                let values = range::on_one_of(own, &entry)?.into_iter();
                values.map(Kept::Number).collect()
            }
        };
        let key = key.to_owned();
        Ok(Keep { key, values })
    })));
    mistakes.or(Some(kept))
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
    every(items.iter().map(word))
}
