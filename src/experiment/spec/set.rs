//! A spec's tree, taken apart: what stands before its tables, and its sweeps, each own table over
//! `[defaults]`, the keys that sweeps share, and under `[[set]]`, what commands have changed. Here
//! are which keys stand before the tables, how `[defaults]` and `-s` lie over a sweep, which
//! changes give an experiment another name, and the message of an unknown key.
//!
//! `-s`, `--only`, `--quick` and `--dynamics` add a `[[set]]` to the text of the spec, which the
//! run keeps: one reader for what a file says and what a command changes.

use std::borrow::Cow;
use std::ops::Range;

use itertools::Itertools;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::did_you_mean::did_you_mean;
use super::error::{Refused, one_of};
use super::series;
use super::source::Source;
use super::sweep::{self, LaidSweep};
use super::tree::{items, lay, only};
use super::variant;
use crate::experiment::program::{self, Programs};
use crate::solver::Algorithm;

/// The keys of a spec that stand before its tables.
pub const KEYS: [&str; 10] = [
    "title", "source", "group", "rank", "finding", "only", "quick", "dynamics", "seed", "seeds",
];

/// The keys and tables that say what is run.
const OF_THE_PLAN: [&str; 9] = [
    "seed", "seeds", "defaults", "sweep", "only", "quick", "dynamics", "set", "program",
];

/// A key that a command changes.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The option that says so, as errors name it.
    pub option: String,
    /// The key, as `trials` or `seed`.
    pub key: String,
    /// The value in TOML, in one line.
    pub value: String,
}

impl Setting {
    /// True if the experiment has another name under it; else it chooses among its trials, or how
    /// they are simulated.
    pub fn is_renaming(&self) -> bool {
        !OF_THE_SAME_NAME.contains(&&*self.key)
    }
}

/// Keys that choose among the trials of an experiment, and leave it its name.
const OF_THE_SAME_NAME: [&str; 3] = ["only", "quick", "dynamics"];

/// The text of a spec with the table of a command behind it, and where the lines of its options
/// are.
pub(super) fn text(text: &str, settings: &[Setting]) -> (String, Vec<(Range<usize>, String)>) {
    let line_end = if text.ends_with('\n') { "" } else { "\n" };
    let mut text = format!("{text}{line_end}\n[[set]]\n");
    let mut options = Vec::new();
    // A later one of the same key holds.
    let latest = settings.iter().rev().unique_by(|setting| &setting.key);
    for setting in latest.collect_vec().into_iter().rev() {
        let Setting { option, key, value } = setting;
        let is_bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let key = if !key.is_empty() && key.chars().all(is_bare) {
            key.clone()
        } else {
            toml::Value::from(&**key).to_string()
        };
        let start = text.len();
        text += &format!("{key} = {value}");
        options.push((start..text.len(), option.clone()));
        text.push('\n');
    }
    (text, options)
}

/// What each `[[set]]` of a kept spec changes, those keys apart that leave an experiment its name.
pub(super) fn kept_changes(text: &str) -> Result<Vec<Vec<Setting>>, Refused> {
    let source = Source::new("", text, &[]);
    let mut root = source.parse()?;
    let sets = tables(&source, root.get_mut(), "set")?;
    let settings = sets.iter().map(|set| {
        let renaming = renaming(&source, set.get_ref());
        let settings = renaming.map(|(key, value)| Setting {
            option: format!("-s {key}={value}"),
            key: key.to_owned(),
            value: value.to_owned(),
        });
        settings.collect()
    });
    Ok(settings.collect())
}

/// The keys of a `[[set]]` under which an experiment has another name, each with its value's text.
fn renaming<'t>(source: &Source<'t>, set: &'t DeTable) -> impl Iterator<Item = (&'t str, &'t str)> {
    let keys = set
        .iter()
        .map(|(key, value)| (&**key.get_ref(), source.text(value.span())));
    keys.filter(|(key, _)| !OF_THE_SAME_NAME.contains(key))
}

/// The parts of a spec's tree.
pub(super) struct SpecParts<'a> {
    /// What stands before the tables, with what was set of it.
    pub root: Spanned<DeTable<'a>>,
    /// The programs that sweeps may name.
    pub programs: Programs,
    /// The conditions of the file and those that were set, which must all hold.
    pub only: Vec<Spanned<DeValue<'a>>>,
    /// Each sweep over what all share and under what is set, with the keys of its own table.
    sweeps: Vec<(Spanned<DeTable<'a>>, Vec<Spanned<String>>)>,
    /// The keys that are set, but for a kept spec, or shared.
    pub shared: Vec<Spanned<String>>,
    /// The words that each `[[set]]` adds to names.
    pub changes: Vec<Vec<String>>,
}

impl<'a> SpecParts<'a> {
    /// The parts of a text; of a kept spec the keys of the plan alone, and its title. Changes of
    /// keys that are gone are left out of it: the plan's hash says whether they were of the plan.
    pub fn of(source: &Source<'a>, is_kept: bool) -> Result<Self, Refused> {
        let mut root = source.parse()?;
        let tree = root.get_mut();
        tree.remove("figure");
        if is_kept {
            let has_title = tree
                .get("title")
                .is_some_and(|title| title.get_ref().is_str());
            let is_read = |key: &str| OF_THE_PLAN.contains(&key) || (has_title && key == "title");
            *tree = only(tree, is_read);
        }
        let programs = program::read(source, tables(source, tree, "program")?, is_kept)?;
        let sweeps = tables(source, tree, "sweep")?;
        let sets = tables(source, tree, "set")?;
        let defaults = tables(source, tree, "defaults")?.pop();
        let defaults = defaults.map(Spanned::into_inner).unwrap_or_default();

        let of_file = tree.remove("only");
        let keys_of_sweep = sweep::keys(&programs);
        let set = lay_sets(source, tree, &sets, &keys_of_sweep, is_kept)?;
        let laid = sweeps.iter().map(|sweep| {
            let mut table = defaults.clone();
            lay_sweep(&programs, sweep.get_ref(), &mut table);
            for upper in &set.of_sweeps {
                lay_sweep(&programs, upper, &mut table);
            }
            (Spanned::new(sweep.span(), table), keys_of(sweep.get_ref()))
        });
        let sweeps = laid.collect();
        let set_keys = set.of_sweeps.iter().filter(|_| !is_kept).flat_map(keys_of);
        Ok(Self {
            root,
            programs,
            only: of_file.into_iter().chain(set.only).collect(),
            sweeps,
            shared: set_keys.chain(keys_of(&defaults)).collect(),
            changes: set.changes,
        })
    }

    /// The sweeps, each as its keys.
    pub fn laid<'s>(&'s self, source: &'s Source<'a>) -> Result<Vec<LaidSweep<'s>>, Refused> {
        let all = sweep::keys(&self.programs);
        let laid = self.sweeps.iter().cloned().map(|(mut table, own_keys)| {
            let head = table.span();
            let tree = table.get_mut();
            let mut keys = tree.keys();
            if let Some(key) = keys.find(|key| !all.contains(&&**key.get_ref())) {
                let known = self.known_keys(tree);
                return Err(source.refuse(key.span(), &unknown_key(key.get_ref(), &known)));
            }
            if let Some(series) = tree.get_mut(series::KEY) {
                series::lay_list(series);
            }
            let mut names = Vec::new();
            let certain = tree.get_mut(variant::CERTAIN).map(Spanned::get_mut);
            if let Some(found) = certain
                && let DeValue::Table(named) = found
            {
                names = named.keys().map(|key| key.get_ref().to_string()).collect();
                let named = std::mem::take(named).into_iter();
                let conditions = named.map(|(_, condition)| condition);
                *found = DeValue::Array(conditions.collect());
            }
            let values = only(table.get_ref(), |key| !sweep::OF_KEYS.contains(&key));
            Ok(LaidSweep {
                source,
                programs: &self.programs,
                head,
                keys: source.read(table)?,
                values: source.read(Spanned::new(0..0, values))?,
                own_keys,
                names,
            })
        });
        laid.collect()
    }
}

impl SpecParts<'_> {
    /// The keys that a sweep may have on the algorithms that it names.
    fn known_keys(&self, sweep: &DeTable) -> Vec<&'static str> {
        let mut known = Vec::new();
        for algorithm in named_algorithms(&self.programs, sweep.get("algorithm")) {
            known.extend(sweep::keys_of(algorithm, algorithm.axes));
        }
        if known.is_empty() {
            known.push("algorithm");
        }
        known.into_iter().unique().collect()
    }
}

/// What the tables `[[set]]` say, each beside the others.
struct LaidSets<'a> {
    /// The keys of sweeps.
    of_sweeps: Vec<DeTable<'a>>,
    /// The conditions, which must all hold.
    only: Vec<Spanned<DeValue<'a>>>,
    /// The words that each adds to names.
    changes: Vec<Vec<String>>,
}

/// Lays the keys of each `[[set]]` that stand before the tables over those of the file. Of a kept
/// spec, keys that are gone are left out.
fn lay_sets<'a>(
    source: &Source<'a>,
    tree: &mut DeTable<'a>,
    sets: &[Spanned<DeTable<'a>>],
    keys_of_sweep: &[&str],
    is_kept: bool,
) -> Result<LaidSets<'a>, Refused> {
    let mut laid = LaidSets {
        of_sweeps: Vec::new(),
        only: Vec::new(),
        changes: Vec::new(),
    };
    for set in sets.iter().map(Spanned::get_ref) {
        let renaming = renaming(source, set);
        let words: Vec<String> = renaming
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        if !words.is_empty() {
            // It is what the unchanged experiment has found.
            tree.remove("finding");
        }
        laid.changes.push(words);
        laid.of_sweeps
            .push(only(set, |key| keys_of_sweep.contains(&key)));
        let mut of_file = only(set, |key| !keys_of_sweep.contains(&key));
        laid.only.extend(of_file.remove("only"));
        lay_over_file(source, tree, of_file, keys_of_sweep, is_kept)?;
    }
    Ok(laid)
}

/// Lays the keys of a `[[set]]` that are none of a sweep over those of the file.
fn lay_over_file<'a>(
    source: &Source<'a>,
    tree: &mut DeTable<'a>,
    keys: DeTable<'a>,
    keys_of_sweep: &[&str],
    is_kept: bool,
) -> Result<(), Refused> {
    for (key, value) in keys {
        match &**key.get_ref() {
            "seed" | "seeds" => *tree = only(tree, |key| !["seed", "seeds"].contains(&key)),
            name if KEYS.contains(&name) => {}
            _ if is_kept => continue,
            name => {
                let known = [&KEYS[..], keys_of_sweep].concat();
                return Err(source.refuse(key.span(), &unknown_key(name, &known)));
            }
        }
        lay([(key, value)], tree);
    }
    Ok(())
}

/// Lays keys of a sweep over others. A choice changes that one choice of the variants below it, and
/// a variant takes the place of the choices below it: of the sweep's own algorithms, as another's
/// keys do not touch it.
fn lay_sweep<'a>(programs: &Programs, upper: &DeTable<'a>, lower: &mut DeTable<'a>) {
    let mut upper = upper.clone();
    let named = upper.get("algorithm").or(lower.get("algorithm"));
    let algorithms = named_algorithms(programs, named).into_iter();
    for variants in algorithms.filter_map(|algorithm| algorithm.variants) {
        let choices = variants.choices.iter();
        let keys = choices.map(|choice| choice.key).collect_vec();
        let chosen = only(&upper, |key| keys.contains(&key));
        if upper.contains_key(variant::KEY) {
            *lower = only(lower, |key| !keys.contains(&key));
        } else if !chosen.is_empty()
            && let Some(below) = lower.remove(variant::KEY)
            && let Some(changed) = variant::with_choices(variants, below, &chosen)
        {
            upper = only(&upper, |key| !keys.contains(&key));
            upper.insert(Spanned::new(changed.span(), variant::KEY.into()), changed);
        }
    }
    lay(upper, lower);
}

/// The algorithms of the key `algorithm`, without what is no name of one.
fn named_algorithms(
    programs: &Programs,
    named: Option<&Spanned<DeValue>>,
) -> Vec<&'static Algorithm> {
    let names = items(named.cloned()).into_iter();
    let algorithms = names.filter_map(|name| programs.algorithm(name.get_ref().as_str()?));
    algorithms.collect()
}

fn keys_of(table: &DeTable) -> Vec<Spanned<String>> {
    let owned = |key: &Spanned<Cow<str>>| Spanned::new(key.span(), key.get_ref().to_string());
    table.keys().map(owned).collect()
}

/// The message about a key that is none of those that are known.
pub(crate) fn unknown_key(key: &str, known: &[&str]) -> String {
    let near = did_you_mean(key, known);
    format!("unknown key; expected {}{near}", one_of(known))
}

/// Takes the tables `[[key]]` out of a tree, or `[defaults]`; none if the key is missing.
pub(crate) fn tables<'a>(
    source: &Source,
    tree: &mut DeTable<'a>,
    key: &str,
) -> Result<Vec<Spanned<DeTable<'a>>>, Refused> {
    let found = tree.remove(key);
    let is_one = key == "defaults";
    let is_right = found
        .as_ref()
        .is_some_and(|value| value.get_ref().is_table() == is_one);
    let expected = if is_one {
        "a table [defaults]".to_owned()
    } else {
        format!("a table [[{key}]] for each {key}")
    };
    let table = |value: Spanned<DeValue<'a>>| match (value.span(), value.into_inner()) {
        (span, DeValue::Table(table)) if is_right => Ok(Spanned::new(span, table)),
        (span, _) => Err(source.expected(span, &expected)),
    };
    items(found).into_iter().map(table).collect()
}
