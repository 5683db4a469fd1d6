//! One key of a spec's text, set to another value; comments and all else stay.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};

use crate::experiment::spec::did_you_mean;

/// Keys that stand before the first table.
const ROOT: [&str; 6] = ["title", "source", "tags", "notes", "seed", "seeds"];

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
    let root = spec.as_table_mut();
    let table: &mut dyn TableLike = match place {
        "" if ROOT.contains(&last) => {
            // They take each other's place.
            for other in ["seed", "seeds"] {
                if last.starts_with("seed") && last != other {
                    root.remove(other);
                }
            }
            root
        }
        "" => the_sweep(root, last)?,
        place => below(root, place)?,
    };
    replace(table, last, value)?;
    Ok(spec.to_string())
}

/// The text without what it says of the unchanged experiment: its finding, and the names that it
/// gives its figures.
pub fn renamed(text: &str, name: impl Fn(&str) -> String) -> Result<String, String> {
    let mut spec = document(text)?;
    spec.remove("finding");
    let figures = spec
        .get_mut("figure")
        .and_then(Item::as_array_of_tables_mut);
    for figure in figures.into_iter().flat_map(ArrayOfTables::iter_mut) {
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

/// The one sweep that has the key, or the only sweep.
fn the_sweep<'a>(root: &'a mut Table, key: &str) -> Result<&'a mut Table, String> {
    let sweeps = elements(root, "sweep")?;
    let all = sweeps.iter().enumerate();
    let with: Vec<usize> = all
        .filter(|(_, it)| it.contains_key(key))
        .map(|it| it.0)
        .collect();
    let place = match (with.as_slice(), sweeps.len()) {
        ([one], _) => *one,
        ([], 1) => 0,
        ([], count) => {
            let (near, root) = (did_you_mean(key, &ROOT), ROOT.join(", "));
            let most = count - 1;
            return Err(format!(
                "no sweep has the key; allowed is {root}, or sweep[I].{key} with I from 0 to {most}{near}"
            ));
        }
        (several, _) => {
            let place = |&index: &usize| {
                let value = sweeps.get(index).and_then(|sweep| sweep.get(key));
                let value = value.and_then(|item| item.as_value()).cloned();
                let value = value.map(|it| it.decorated("", "").to_string());
                format!("sweep[{index}].{key} (now {})", value.unwrap_or_default())
            };
            let places: Vec<String> = several.iter().map(place).collect();
            let (count, places) = (several.len(), places.join(", "));
            return Err(format!(
                "{count} sweeps have the key; allowed is one of {places}"
            ));
        }
    };
    Ok(sweeps.get_mut(place).expect("one of its places"))
}

fn elements<'a>(root: &'a mut Table, name: &str) -> Result<&'a mut ArrayOfTables, String> {
    let tables = root.get_mut(name).and_then(Item::as_array_of_tables_mut);
    let tables = tables.filter(|tables| !tables.is_empty());
    tables.ok_or_else(|| format!("there is no [[{name}]]; allowed are sweep[I] and figure[I]"))
}

/// The table that `sweep[1]` or `sweep[1].series` names.
fn below<'a>(root: &'a mut Table, place: &str) -> Result<&'a mut dyn TableLike, String> {
    let mut pieces = place.split('.').map(str::trim);
    let first = pieces.next().unwrap_or_default();
    let (name, index) = match first.split_once('[') {
        None => (first, None),
        Some((name, index)) => {
            let index = index
                .strip_suffix(']')
                .and_then(|it| it.parse::<usize>().ok());
            let index =
                index.ok_or("allowed is a key as 'sweep[1].trials', sweeps counted from 0")?;
            (name, Some(index))
        }
    };
    let tables = elements(root, name)?;
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

    const TEXT: &str = "title = \"T\" # kept\nseeds = [1, 2]\n\n[[sweep]] # one\nn = [4, 5] # sides\nepsilon = 0.1\n\
                        [sweep.series]\nat = [1, 2]\n[[sweep]]\nn = 8\ntrials = 3\n[[figure]]\nkind = \"a\"\n";

    #[test]
    fn one_value_is_changed_and_all_else_stays() {
        for (key, value, old, new) in [
            ("title", "New one", "title = \"T\"", "title = \"New one\""),
            ("seed", "7", "seeds = [1, 2]", "seed = 7"),
            ("trials", "1e2", "trials = 3", "trials = 1e2"),
            ("sweep[0].n", "8..10", "[4, 5]", "\"8..10\""),
            ("sweep[1].n", "[9]", "n = 8", "n = [9]"),
            ("epsilon", "0.2", "0.1", "0.2"),
            (
                "sweep[1].cutoff",
                "1e6",
                "trials = 3\n",
                "trials = 3\ncutoff = 1e6\n",
            ),
            ("sweep[0].series.at", "[3]", "at = [1, 2]", "at = [3]"),
            ("figure.kind", "size", "\"a\"", "\"size\""),
            (
                "figure[0].width",
                "single",
                "kind = \"a\"\n",
                "kind = \"a\"\nwidth = \"single\"\n",
            ),
            (
                "source",
                "mine",
                "seeds = [1, 2]\n",
                "seeds = [1, 2]\nsource = \"mine\"\n",
            ),
        ] {
            let changed = set(TEXT, key, value).unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_eq!(changed, TEXT.replacen(old, new, 1), "{key}={value}");
        }
    }
}
