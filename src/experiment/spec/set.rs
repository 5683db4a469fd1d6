//! A spec's tree, taken apart: what stands before its tables, and its sweeps, each own table over
//! `[defaults]`, the keys that sweeps share, and under `[[set]]`, what commands have changed.
//!
//! `-s`, `--only`, `--quick` and `--dynamics` add a `[[set]]` to the text of the spec, which the
//! run keeps: one reader for what a file says and what a command changes.

use std::borrow::Cow;
use std::ops::Range;

use itertools::Itertools;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Refused, did_you_mean, one_of};
use super::read::{KEYS, OF_THE_PLAN};
use super::source::Source;
use super::sweep::{self, Laid};
use super::{certain, name, variant};
use crate::solver::{Algorithm, algorithm};

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

/// Keys that choose among the trials of an experiment, and leave it its name.
const OF_THE_SAME_NAME: [&str; 3] = ["only", "quick", "dynamics"];

/// The settings without those whose key a later one sets again.
fn latest(settings: &[Setting]) -> impl Iterator<Item = &Setting> {
    let latest = settings.iter().rev().unique_by(|it| &it.key);
    latest.collect_vec().into_iter().rev()
}

/// The text of a spec with the table of a command behind it, and where the lines of its options
/// are.
pub(super) fn text(text: &str, settings: &[Setting]) -> (String, Vec<(Range<usize>, String)>) {
    let line_end = if text.ends_with('\n') { "" } else { "\n" };
    let mut text = format!("{text}{line_end}\n[[set]]\n");
    let mut options = Vec::new();
    for it in latest(settings) {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let key = match !it.key.is_empty() && it.key.chars().all(is_bare) {
            true => it.key.clone(),
            false => toml::Value::from(&*it.key).to_string(),
        };
        let start = text.len();
        text += &format!("{key} = {}", it.value);
        options.push((start..text.len(), it.option.clone()));
        text.push('\n');
    }
    (text, options)
}

/// The name of an experiment that is changed so.
pub(super) fn name_of(base: &str, settings: &[Setting]) -> String {
    let words = latest(settings).filter_map(|it| word(&it.key, &it.value));
    name::changed(base, &words.collect::<Vec<_>>())
}

/// What a changed key adds to the name; nothing where the experiment stays the same.
fn word(key: &str, value: &str) -> Option<String> {
    let is_named = !OF_THE_SAME_NAME.contains(&key);
    is_named.then(|| format!("{key}={value}"))
}

/// The parts of a spec's tree, with the keys of sweeps that are set apart from others.
pub(super) struct SpecParts<'a> {
    /// What stands before the tables, with what was set of it.
    pub root: Spanned<DeTable<'a>>,
    sweeps: Vec<Spanned<DeTable<'a>>>,
    /// What is set of sweeps, one table for each command.
    sets: Vec<DeTable<'a>>,
    defaults: DeTable<'a>,
    /// Of each `[[set]]` the words that it adds to names.
    pub changes: Vec<Vec<String>>,
}

impl<'a> SpecParts<'a> {
    /// Of a kept spec the keys of the plan alone, and its title. Changes of keys that are gone are
    /// left out of it: the hash of the plan says whether they were of the plan.
    pub fn of(source: &Source<'a>, is_kept: bool) -> Result<Self, Refused> {
        let mut root = source.parse()?;
        let tree = root.get_mut();
        tree.remove("figure");
        if is_kept {
            let has_title = tree.get("title").is_some_and(|it| it.get_ref().is_str());
            let is_read = |key: &str| OF_THE_PLAN.contains(&key) || (has_title && key == "title");
            *tree = only(tree, is_read);
        }
        let sweeps = tables(source, tree, "sweep")?;
        let sets = tables(source, tree, "set")?;
        let mut defaults = tables(source, tree, "defaults")?;
        let defaults = defaults.pop().map(Spanned::into_inner).unwrap_or_default();
        let known = [&KEYS[..], &sweep::KEYS].concat();
        let (mut of_sweeps, mut changes) = (Vec::new(), Vec::new());
        for set in sets {
            let words = set.get_ref().iter();
            let words = words.filter_map(|(key, it)| word(key.get_ref(), source.text(it.span())));
            changes.push(words.collect::<Vec<_>>());
            if changes.last().is_some_and(|words| !words.is_empty()) {
                // It is what the unchanged experiment has found.
                tree.remove("finding");
            }
            let keys = set.into_inner().into_iter();
            let (own, others): (DeTable, DeTable) =
                keys.partition(|(key, _)| sweep::KEYS.contains(&&**key.get_ref()));
            of_sweeps.push(own);
            for (key, mut value) in others {
                match &**key.get_ref() {
                    "only" => {
                        // All must hold.
                        let all = items(tree.remove("only")).into_iter();
                        let all = all.chain(items(Some(value.clone())));
                        value = Spanned::new(value.span(), DeValue::Array(all.collect()));
                    }
                    "seed" | "seeds" => ["seed", "seeds"]
                        .iter()
                        .for_each(|it| drop(tree.remove(*it))),
                    name if KEYS.contains(&name) => {}
                    _ if is_kept => continue,
                    name => return Err(source.refuse(key.span(), &unknown_key(name, &known))),
                }
                lay([(key, value)], tree);
            }
        }
        Ok(Self {
            root,
            sweeps,
            sets: of_sweeps,
            defaults,
            changes,
        })
    }

    /// The keys that are shared or, but for a kept spec, set.
    pub fn shared(&self, is_kept: bool) -> impl Iterator<Item = Spanned<String>> {
        let sets = self.sets.iter().filter(move |_| !is_kept);
        sets.chain([&self.defaults]).flat_map(keys_of)
    }

    /// The sweeps, each own table over what all share, and under what is set.
    pub fn laid<'s>(&self, source: &'s Source<'a>) -> Result<Vec<Laid<'s>>, Refused> {
        let laid = self.sweeps.iter().map(|sweep| {
            let (head, own) = (sweep.span(), keys_of(sweep.get_ref()).collect());
            let (table, names) = self.lay(sweep.get_ref());
            let mut keys = table.keys();
            if let Some(key) = keys.find(|it| !sweep::KEYS.contains(&&**it.get_ref())) {
                let known = algorithms(table.get("algorithm"));
                let known = known.flat_map(|it| sweep::keys_of(it, it.axes)).unique();
                let known = known.pad_using(1, |_| "algorithm").collect_vec();
                return Err(source.refuse(key.span(), &unknown_key(key.get_ref(), &known)));
            }
            let keys = source.read(Spanned::new(head.clone(), table))?;
            Ok(Laid {
                source,
                head,
                keys,
                own,
                names,
            })
        });
        laid.collect()
    }

    /// The tables of a sweep as one, and the names of its conditions.
    fn lay(&self, own: &DeTable<'a>) -> (DeTable<'a>, Vec<String>) {
        let tables = [&self.defaults, own].into_iter().chain(&self.sets);
        let named = tables.clone().rev().find_map(|it| it.get("algorithm"));
        let choices: Vec<&str> = algorithms(named).flat_map(variant::keys).collect();
        let is_choice = |key: &str| choices.contains(&key) && key != variant::KEY;
        let mut table = DeTable::new();
        for upper in tables {
            // Variants are named in one way: as the uppermost table does that names any.
            let has_choice = upper.keys().any(|it| is_choice(it.get_ref()));
            let has_variant = upper.contains_key(variant::KEY);
            table = only(&table, |key| match key {
                variant::KEY => !has_choice,
                key => !(has_variant && is_choice(key)),
            });
            lay(upper.clone(), &mut table);
        }
        let mut names = Vec::new();
        let certain = table.get_mut(certain::KEY).map(Spanned::get_mut);
        if let Some(found) = certain
            && let DeValue::Table(named) = found
        {
            names = named.keys().map(|it| it.get_ref().to_string()).collect();
            let conditions = std::mem::take(named).into_iter().map(|it| it.1);
            *found = DeValue::Array(conditions.collect());
        }
        (table, names)
    }
}

/// The algorithms that a value names.
fn algorithms(named: Option<&Spanned<DeValue>>) -> impl Iterator<Item = &'static Algorithm> {
    let named = items(named.cloned()).into_iter();
    named.filter_map(|it| algorithm(it.get_ref().as_str()?))
}

fn keys_of(table: &DeTable) -> impl Iterator<Item = Spanned<String>> {
    let keys = table.keys();
    keys.map(|it| Spanned::new(it.span(), it.get_ref().to_string()))
}

/// The keys of a table that are kept.
pub(crate) fn only<'a>(table: &DeTable<'a>, is_kept: impl Fn(&str) -> bool) -> DeTable<'a> {
    let table = table.clone().into_iter();
    table.filter(|it| is_kept(it.0.get_ref())).collect()
}

/// Lays keys with their values over a table, whose own give way.
pub(crate) fn lay<'a>(
    upper: impl IntoIterator<Item = (Spanned<Cow<'a, str>>, Spanned<DeValue<'a>>)>,
    lower: &mut DeTable<'a>,
) {
    for (key, value) in upper {
        lower.remove(&**key.get_ref());
        lower.insert(key, value);
    }
}

/// The elements of a list, or the one value; none where there is none.
pub(crate) fn items<'a>(found: Option<Spanned<DeValue<'a>>>) -> Vec<Spanned<DeValue<'a>>> {
    let items = found.into_iter().map(|it| (it.span(), it.into_inner()));
    let items = items.flat_map(|(span, value)| match value {
        DeValue::Array(items) => items.into_iter().collect(),
        value => vec![Spanned::new(span, value)],
    });
    items.collect()
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
    let (found, is_one) = (tree.remove(key), key == "defaults");
    let is_table = found.as_ref().map(|it| it.get_ref().is_table());
    let expected = match is_one {
        true => "a table [defaults]".to_owned(),
        false => format!("a table [[{key}]] for each {key}"),
    };
    let tables = items(found)
        .into_iter()
        .map(|it| match (it.span(), it.into_inner()) {
            (span, DeValue::Table(table)) if is_table == Some(is_one) => {
                Ok(Spanned::new(span, table))
            }
            (span, _) => Err(source.expected(span, &expected)),
        });
    tables.collect()
}
