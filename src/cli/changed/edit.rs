//! One key of a spec's text, set to another value; comments and all else stay.

use toml_edit::{ArrayOfTables, DocumentMut, Item, TableLike, Value};

use crate::experiment::spec::did_you_mean;

/// Keys that stand before the first table.
const ROOT: [&str; 10] = [
    "title", "source", "tags", "notes", "group", "rank", "finding", "only", "seed", "seeds",
];

/// The text with `key` set to `value`.
pub fn set(text: &str, key: &str, value: &str) -> Result<String, String> {
    let mut spec = document(text)?;
    let value = written(value)?;
    let (place, last) = key.rsplit_once('.').unwrap_or(("", key));
    let last = last.trim();
    if last.is_empty() || last.contains('[') {
        let allowed = "a key as seed, n or 'sweep[1].trials', sweeps counted from 0";
        return Err(format!("allowed is {allowed}"));
    }
    let table: &mut dyn TableLike = match place {
        "" if ROOT.contains(&last) => {
            // They take each other's place.
            for (own, other) in [("seed", "seeds"), ("seeds", "seed")] {
                if last == own {
                    spec.remove(other);
                }
            }
            spec.as_table_mut()
        }
        "" => {
            let sweep = the_sweep(elements(&mut spec, "sweep")?, last)?;
            below(&mut spec, &format!("sweep[{sweep}]"))?
        }
        place => below(&mut spec, place)?,
    };
    replace(table, last, value)?;
    Ok(spec.to_string())
}

/// The text without what it says of the unchanged experiment: its finding, unless that is kept, and
/// the names that it gives its figures.
pub fn renamed(
    text: &str,
    keeps_finding: bool,
    name: impl Fn(&str) -> String,
) -> Result<String, String> {
    let mut spec = document(text)?;
    if !keeps_finding {
        spec.remove("finding");
    }
    let figures = elements(&mut spec, "figure").into_iter();
    for figure in figures.flat_map(ArrayOfTables::iter_mut) {
        if let Some(given) = figure.get("name").and_then(Item::as_str).map(&name) {
            replace(figure, "name", given.into())?;
        }
    }
    Ok(spec.to_string())
}

/// The text with these conditions in the place of those that it has.
pub fn with_only(text: &str, conditions: &str) -> Result<String, String> {
    let mut spec = document(text)?;
    replace(spec.as_table_mut(), "only", conditions.into())?;
    Ok(spec.to_string())
}

fn document(text: &str) -> Result<DocumentMut, String> {
    text.parse()
        .map_err(|error: toml_edit::TomlError| error.message().to_owned())
}

/// Sets a key of a table; what stands around an old value stays.
fn replace(table: &mut dyn TableLike, key: &str, mut value: Value) -> Result<(), String> {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
        Some(_) => return Err(format!("{key} is a table of its own; set a key of it")),
    }
    Ok(())
}

/// The value as TOML: as it stands, a plain word or a range `8..10` as a text.
fn written(value: &str) -> Result<Value, String> {
    if value.contains(['\n', '\r']) {
        return Err("allowed is a value in one line".to_owned());
    }
    let is_word = |c: char| c.is_alphanumeric() || "-_ .=".contains(c);
    match value.parse::<Value>() {
        Ok(value) => Ok(value),
        Err(_) if !value.is_empty() && value.chars().all(is_word) => Ok(value.into()),
        Err(error) => Err(format!("no TOML value: {}", error.message())),
    }
}

/// The place of the one sweep that has the key, or of the only sweep.
fn the_sweep(sweeps: &ArrayOfTables, key: &str) -> Result<usize, String> {
    let with = |(place, sweep): (usize, &toml_edit::Table)| {
        let value = sweep.get(key)?.as_value().cloned().unwrap_or("".into());
        let value = value.decorated("", "");
        Some((place, format!("sweep[{place}].{key} (now {value})")))
    };
    let with: Vec<(usize, String)> = sweeps.iter().enumerate().filter_map(with).collect();
    match (&with[..], sweeps.len()) {
        ([(one, _)], _) => Ok(*one),
        ([], 1) => Ok(0),
        ([], count) => {
            let (near, root, most) = (did_you_mean(key, &ROOT), ROOT.join(", "), count - 1);
            Err(format!(
                "no sweep has the key; allowed is {root}, or sweep[I].{key} with I from 0 to {most}{near}"
            ))
        }
        (several, _) => {
            let places: Vec<&str> = several.iter().map(|(_, place)| &**place).collect();
            let (count, places) = (several.len(), places.join(", "));
            Err(format!(
                "{count} sweeps have the key; allowed is one of {places}"
            ))
        }
    }
}

fn elements<'a>(spec: &'a mut DocumentMut, name: &str) -> Result<&'a mut ArrayOfTables, String> {
    let tables = spec.get_mut(name).and_then(Item::as_array_of_tables_mut);
    let tables = tables.filter(|tables| !tables.is_empty());
    tables.ok_or_else(|| format!("there is no [[{name}]]; allowed are sweep[I] and figure[I]"))
}

/// The table that `sweep[1]` or `sweep[1].series` names.
fn below<'a>(spec: &'a mut DocumentMut, place: &str) -> Result<&'a mut dyn TableLike, String> {
    let mut pieces = place.split('.').map(str::trim);
    let first = pieces.next().unwrap_or_default();
    let (name, index) = first.split_once('[').unwrap_or((first, ""));
    let index = match index.strip_suffix(']').map(str::parse::<usize>) {
        Some(Ok(index)) => Some(index),
        None if index.is_empty() => None,
        _ => return Err("allowed is a key as 'sweep[1].trials', sweeps counted from 0".into()),
    };
    let tables = elements(spec, name)?;
    let most = tables.len() - 1;
    let only = (most == 0).then_some(0);
    let table = index.or(only).and_then(|index| tables.get_mut(index));
    let mut table: &mut dyn TableLike = table
        .ok_or_else(|| format!("which [[{name}]]? allowed is {name}[I] with I from 0 to {most}"))?;
    for piece in pieces {
        let inner = table.get_mut(piece).and_then(Item::as_table_like_mut);
        table = inner.ok_or_else(|| format!("there is no {piece}; it needs a file"))?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"title = "T" # kept
seeds = [1, 2]

[[sweep]] # one
n = [4, 5] # sides
epsilon = 0.1
[sweep.series]
at = [1, 2]
[[sweep]]
n = 8
trials = 3
[[figure]]
kind = "a"
"#;

    /// A key, its value, and of the text what is changed into what.
    const CHANGES: &str = r#"title|New one|title = "T"|title = "New one"
seed|7|seeds = [1, 2]|seed = 7
trials|1e2|trials = 3|trials = 1e2
sweep[0].n|8..10|[4, 5]|"8..10"
sweep[1].n|[9]|n = 8|n = [9]
epsilon|0.2|0.1|0.2
sweep[0].series.at|[3]|at = [1, 2]|at = [3]
figure.kind|size|"a"|"size"
sweep[1].cutoff|1e6|trials = 3|trials = 3;cutoff = 1e6
figure[0].width|single|kind = "a"|kind = "a";width = "single"
source|mine|seeds = [1, 2]|seeds = [1, 2];source = "mine"
rank|3|seeds = [1, 2]|seeds = [1, 2];rank = 3
only|n=4|seeds = [1, 2]|seeds = [1, 2];only = "n=4""#;

    #[test]
    fn one_value_is_changed_and_all_else_stays() {
        for line in CHANGES.lines() {
            let line = line.replace(';', "\n");
            let words: Vec<&str> = line.split('|').collect();
            let changed = set(TEXT, words[0], words[1]).expect(&line);
            assert_eq!(changed, TEXT.replacen(words[2], words[3], 1), "{line}");
        }
    }
}
