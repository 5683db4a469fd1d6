//! `[[set]]`: what commands have changed of a spec, one table each, applied in order; and
//! `[defaults]`, the keys that sweeps share.
//!
//! `-s`, `--only`, `--quick` and `--dynamics` add a `[[set]]` to the text of the spec, which the
//! run keeps: one reader for what a file says and what a command changes.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::error::{Refused, did_you_mean, one_of};
use super::tree::{Entry, Source, SpecTable};
use super::{KEYS, name, sweep};

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

const NO_SUCH_ALGORITHM: &str = "no algorithm of the sweeps has such a key";

/// The settings without those whose key a later one sets again.
fn latest(settings: &[Setting]) -> impl Iterator<Item = &Setting> {
    let is_last = |at: &usize| {
        settings[at + 1..]
            .iter()
            .all(|it| it.key != settings[*at].key)
    };
    (0..settings.len()).filter(is_last).map(|at| &settings[at])
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
    let words = latest(settings).map(|it| word(&it.key, &it.value));
    name::changed(base, &words.flatten().collect::<Vec<_>>())
}

/// What a changed key adds to the name; nothing where the experiment stays the same.
fn word(key: &str, value: &str) -> Option<String> {
    let is_named = !OF_THE_SAME_NAME.contains(&key);
    is_named.then(|| format!("{key}={value}"))
}

/// Takes the tables `[[set]]` and `[defaults]` out of a spec's tree, and puts their values where
/// they belong. Of a kept spec, changes of keys that are gone are left out: the hash of the plan
/// says whether they were of the plan.
pub(super) fn apply<'a>(
    source: &Source<'a>,
    root: &mut DeTable<'a>,
    is_kept: bool,
) -> Result<(), Refused> {
    let defaults = root.remove("defaults");
    if let Some(defaults) = &defaults
        && defaults.get_ref().as_table().is_none()
    {
        let entry = Entry::new(source, "defaults", defaults);
        return Err(entry.refuse("a table [defaults] with keys of the sweeps"));
    }
    let defaults = defaults.map_or_else(DeTable::new, |it| match it.into_inner() {
        DeValue::Table(table) => table,
        _ => DeTable::new(),
    });
    for_each_algorithm(root);
    for set in sets(source, root)? {
        let mut words = Vec::new();
        for (key, value) in in_order(&set) {
            let changed = change(source, root, &defaults, key, value);
            if changed.is_err() && is_kept {
                continue;
            }
            changed.map_err(|reason| Entry::new(source, key.get_ref(), value).error(&reason))?;
            words.extend(word(key.get_ref(), source.text(value.span())));
        }
        rename(root, &words, set.contains_key("finding"));
    }
    share(source, root, &defaults)
}

/// Makes a sweep for each algorithm of one that names several, without the keys that others of them
/// have and it has not.
fn for_each_algorithm(root: &mut DeTable) {
    let Some(DeValue::Array(sweeps)) = root.get_mut("sweep").map(Spanned::get_mut) else {
        return;
    };
    for sweep in std::mem::replace(sweeps, DeArray::new()) {
        let table = sweep.get_ref().as_table();
        let named = table.and_then(|it| it.get("algorithm")?.get_ref().as_array());
        let mut all: Vec<_> = named.into_iter().flatten().cloned().collect();
        let keys =
            |it: &Spanned<DeValue>| sweep::keys_of(it.get_ref().as_str().unwrap_or_default());
        // A name that is none is told before what it leaves to no algorithm.
        all.sort_by_key(|it| !keys(it).is_empty());
        for one in &all {
            let mut own = sweep.clone();
            if let DeValue::Table(table) = own.get_mut() {
                let lacks = |key: &&str| !keys(one).contains(key);
                let others = all.iter().flat_map(keys).filter(lacks);
                others.for_each(|key| drop(table.remove(key)));
                table.insert(Spanned::new(one.span(), "algorithm".into()), one.clone());
            }
            sweeps.push(own);
        }
        if all.is_empty() {
            sweeps.push(sweep);
        }
    }
}

/// The tables `[[set]]`, which are no longer in the tree.
fn sets<'a>(source: &Source<'a>, root: &mut DeTable<'a>) -> Result<Vec<DeTable<'a>>, Refused> {
    let Some(all) = root.remove("set") else {
        return Ok(Vec::new());
    };
    let items = all.get_ref().as_array();
    let tables = items.and_then(|items| {
        let tables = items.iter().map(|it| it.get_ref().as_table().cloned());
        tables.collect::<Option<Vec<_>>>()
    });
    tables.ok_or_else(|| Entry::new(source, "set", &all).refuse("a table [[set]] for each command"))
}

/// The entries of a table as they stand in the file.
fn in_order<'t, 'a>(
    table: &'t DeTable<'a>,
) -> Vec<(&'t Spanned<DeString<'a>>, &'t Spanned<DeValue<'a>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Sets one key.
fn change<'a>(
    source: &Source<'a>,
    root: &mut DeTable<'a>,
    defaults: &DeTable<'a>,
    key: &Spanned<DeString<'a>>,
    value: &Spanned<DeValue<'a>>,
) -> Result<(), String> {
    let name = &**key.get_ref();
    match name {
        "only" => both(root, key.clone(), value),
        _ if KEYS.contains(&name) => {
            // They take each other's place.
            match name {
                "seed" => drop(root.remove("seeds")),
                "seeds" => drop(root.remove("seed")),
                _ => {}
            }
            root.insert(key.clone(), value.clone());
        }
        _ => {
            let mut count = 0;
            for sweep in elements(root, "sweep") {
                if let DeValue::Table(sweep) = sweep.get_mut()
                    && takes(source, &with_defaults(source, sweep, defaults), name)
                {
                    sweep.insert(key.clone(), value.clone());
                    count += 1;
                }
            }
            if count == 0 {
                let all = sweep::all_keys();
                if all.contains(&name) {
                    return Err(NO_SUCH_ALGORITHM.to_owned());
                }
                let known = [&KEYS[..], &all].concat();
                let near = did_you_mean(name, &known);
                return Err(format!("unknown key; expected {}{near}", one_of(&known)));
            }
        }
    }
    Ok(())
}

/// Conditions beside those that are there: all must hold.
fn both<'a>(root: &mut DeTable<'a>, key: Spanned<DeString<'a>>, value: &Spanned<DeValue<'a>>) {
    let mut all = DeArray::new();
    if let Some(own) = root.remove("only") {
        match own.get_ref() {
            DeValue::Array(items) => items.iter().for_each(|it| all.push(it.clone())),
            _ => all.push(own),
        }
    }
    all.push(value.clone());
    root.insert(key, Spanned::new(value.span(), DeValue::Array(all)));
}

/// The tables with the header `[[name]]`; none where there is no list of them, which is told
/// elsewhere.
fn elements<'t, 'a>(root: &'t mut DeTable<'a>, name: &str) -> &'t mut [Spanned<DeValue<'a>>] {
    match root.get_mut(name).map(Spanned::get_mut) {
        Some(DeValue::Array(items)) => items,
        _ => &mut [],
    }
}

/// Takes away what a spec says of the unchanged experiment: its finding, unless that is set, and
/// the names of its figures.
fn rename(root: &mut DeTable, words: &[String], has_finding: bool) {
    if words.is_empty() {
        return;
    }
    if !has_finding {
        root.remove("finding");
    }
    for figure in elements(root, "figure") {
        if let DeValue::Table(figure) = figure.get_mut()
            && let Some(name) = figure.get_mut("name")
            && let DeValue::String(given) = name.get_mut()
        {
            *given = Cow::Owned(name::changed(given, words));
        }
    }
}

/// Gives every sweep the defaults that its algorithm takes and that it does not have.
fn share<'a>(
    source: &Source<'a>,
    root: &mut DeTable<'a>,
    defaults: &DeTable<'a>,
) -> Result<(), Refused> {
    let sweeps = elements(root, "sweep");
    if sweeps.is_empty() {
        return Ok(());
    }
    for sweep in sweeps.iter_mut() {
        if let DeValue::Table(sweep) = sweep.get_mut() {
            *sweep = with_defaults(source, sweep, defaults);
        }
    }
    for (key, value) in in_order(defaults) {
        let is_taken = |it: &Spanned<DeValue<'a>>| {
            let sweep = it.get_ref().as_table();
            sweep.is_none_or(|sweep| takes(source, sweep, key.get_ref()))
        };
        if !sweeps.iter().any(is_taken) {
            let (entry, all) = (Entry::new(source, key.get_ref(), value), sweep::all_keys());
            return Err(match all.contains(&&**key.get_ref()) {
                true => entry.error(NO_SUCH_ALGORITHM),
                false => entry.unknown_key(&all),
            });
        }
    }
    Ok(())
}

/// A sweep with the defaults that it takes: the algorithm first, then its variants, on which
/// depends what else it takes.
fn with_defaults<'a>(
    source: &Source<'a>,
    sweep: &DeTable<'a>,
    defaults: &DeTable<'a>,
) -> DeTable<'a> {
    let mut whole = sweep.clone();
    for rank in 0..3 {
        for (key, value) in in_order(defaults) {
            let is_next = sweep::rank(key.get_ref()) == rank;
            if is_next
                && !sweep.contains_key(&**key.get_ref())
                && takes(source, &whole, key.get_ref())
            {
                whole.insert(key.clone(), value.clone());
            }
        }
    }
    whole
}

/// True if a sweep may have the key.
fn takes(source: &Source, sweep: &DeTable, key: &str) -> bool {
    sweep::takes(&SpecTable::root(source, sweep), key)
}
