//! `[[set]]`: what commands have changed of a spec, one table each, applied in order; and
//! `[defaults]`, the keys that sweeps share.
//!
//! `-s`, `--only`, `--quick` and `--dynamics` add a `[[set]]` to the text of the spec, which the
//! run keeps: one reader for what a file says and what a command changes.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::error::{Refused, did_you_mean};
use super::tree::{Entry, Source, SpecTable};
use super::{KEYS, name, sweep};

/// A key that a command changes.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The option that says so, as errors name it.
    pub option: String,
    /// The key, as `trials`, `seed` or `sweep[1].trials`.
    pub key: String,
    /// The value in TOML, in one line.
    pub value: String,
}

/// Keys that choose among the trials of an experiment, and leave it its name.
const OF_THE_SAME_NAME: [&str; 3] = ["only", "quick", "dynamics"];

/// The text of a spec with the table of a command behind it, and where the lines of its options
/// are.
pub(super) fn text(text: &str, settings: &[Setting]) -> (String, Vec<(Range<usize>, String)>) {
    let line_end = if text.ends_with('\n') { "" } else { "\n" };
    let mut text = format!("{text}{line_end}\n[[set]]\n");
    let mut options = Vec::new();
    for it in settings {
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
    let words = settings.iter().map(|it| word(&it.key, &it.value));
    name::changed(base, &words.flatten().collect::<Vec<_>>())
}

/// What a changed key adds to the name; nothing where the experiment stays the same.
fn word(key: &str, value: &str) -> Option<String> {
    let is_named = !OF_THE_SAME_NAME.contains(&key);
    is_named.then(|| format!("{key}={value}"))
}

/// Takes the tables `[[set]]` and `[defaults]` out of a spec's tree, and puts their values where
/// they belong.
pub(super) fn apply<'a>(source: &Source<'a>, root: &mut DeTable<'a>) -> Result<(), Refused> {
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
    for set in sets(source, root)? {
        let mut words = Vec::new();
        for (key, value) in in_order(&set) {
            let changed = change(source, root, &defaults, key, value);
            changed.map_err(|reason| Entry::new(source, key.get_ref(), value).error(&reason))?;
            words.extend(word(key.get_ref(), source.text(value.span())));
        }
        rename(root, &words, set.contains_key("finding"));
    }
    share(source, root, &defaults)
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
    let (table, last) = key
        .get_ref()
        .rsplit_once('.')
        .unwrap_or(("", key.get_ref()));
    let last = last.trim();
    if last.is_empty() || last.contains('[') {
        let expected = "a key as seed, n or 'sweep[1].trials', sweeps counted from 0";
        return Err(format!("expected {expected}"));
    }
    let spanned = Spanned::new(key.span(), Cow::Owned(last.to_owned()));
    let put = |table: &mut DeTable<'a>| {
        table.insert(spanned.clone(), value.clone());
    };
    match table {
        "" if last == "only" => both(root, spanned, value),
        "" if KEYS.contains(&last) => {
            // They take each other's place.
            match last {
                "seed" => drop(root.remove("seeds")),
                "seeds" => drop(root.remove("seed")),
                _ => {}
            }
            put(root);
        }
        "" => {
            let (sweeps, mut count) = (elements(root, "sweep")?, 0);
            for sweep in sweeps.iter_mut() {
                if let DeValue::Table(sweep) = sweep.get_mut()
                    && takes(source, &with_defaults(source, sweep, defaults), last)
                {
                    put(sweep);
                    count += 1;
                }
            }
            if count == 0 {
                return Err(no_sweep(last, sweeps.len()));
            }
        }
        table => put(below(root, table)?),
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

fn no_sweep(key: &str, sweeps: usize) -> String {
    let (near, root, most) = (did_you_mean(key, &KEYS), KEYS.join(", "), sweeps.max(1) - 1);
    format!(
        "no sweep has the key; expected one of {root}, or sweep[I].KEY with I from 0 to {most}{near}"
    )
}

/// The tables with the header `[[name]]`, at least one.
fn elements<'t, 'a>(root: &'t mut DeTable<'a>, name: &str) -> Result<&'t mut DeArray<'a>, String> {
    match root.get_mut(name).map(Spanned::get_mut) {
        Some(DeValue::Array(items)) if !items.is_empty() => Ok(items),
        _ => Err(format!(
            "there is no [[{name}]]; expected sweep[I] or figure[I]"
        )),
    }
}

/// The table that `sweep[1]` or `sweep[1].series` names.
fn below<'t, 'a>(root: &'t mut DeTable<'a>, path: &str) -> Result<&'t mut DeTable<'a>, String> {
    let mut pieces = path.split('.').map(str::trim);
    let first = pieces.next().unwrap_or_default();
    let (name, index) = first.split_once('[').unwrap_or((first, ""));
    let index = match index.strip_suffix(']').map(str::parse::<usize>) {
        Some(Ok(index)) => Some(index),
        None if index.is_empty() => None,
        _ => return Err("expected a key as 'sweep[1].trials', sweeps counted from 0".into()),
    };
    let tables = elements(root, name)?;
    let most = tables.len() - 1;
    let index = index.or((most == 0).then_some(0));
    let mut value = index
        .and_then(|index| tables.get_mut(index))
        .ok_or_else(|| {
            format!("it names none of the [[{name}]]; expected {name}[I] with I from 0 to {most}")
        })?;
    for piece in pieces {
        value = match value.get_mut() {
            DeValue::Table(table) => table.get_mut(piece),
            _ => None,
        }
        .ok_or_else(|| format!("there is no table {piece}; expected one that the file has"))?;
    }
    match value.get_mut() {
        DeValue::Table(table) => Ok(table),
        _ => Err(format!("{path} is no table; expected a key of one")),
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
    let Ok(figures) = elements(root, "figure") else {
        return;
    };
    for figure in figures.iter_mut() {
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
    let Ok(sweeps) = elements(root, "sweep") else {
        // The spec has no sweep, which is told elsewhere.
        return Ok(());
    };
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
                true => entry.error("no algorithm of the sweeps has such a key"),
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
