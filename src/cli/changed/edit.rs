//! One key of a spec's text, set to another value; comments and all else stay.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli::number;
use crate::cli::text::did_you_mean;

/// Keys that stand before the first table.
const ROOT: [&str; 6] = ["title", "source", "tags", "notes", "seed", "seeds"];

/// The text with `key` set to `value`.
///
/// # Errors
/// A sentence: no such place, more than one place that may be meant, or no value.
pub fn set(text: &str, key: &str, value: &str) -> Result<String, String> {
    let root = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    let value = written(value)?;
    let path = path(key)?;
    let (range, new) = match path.as_slice() {
        [(key, None)] if ROOT.contains(key) => in_root(root.get_ref(), key, &value),
        [(key, None)] => {
            let sweep = the_sweep(&root, text, key)?;
            in_table(sweep, text, key, &value)?
        }
        [(name, index), rest @ ..] => {
            let table = element(root.get_ref(), name, *index)?;
            below(table, text, rest, &value)?
        }
        [] => return Err("allowed is KEY=VALUE".to_owned()),
    };
    let mut changed = text.to_owned();
    changed.replace_range(range, &new);
    Ok(changed)
}

/// What replaces what.
type Edit = (Range<usize>, String);

/// `sweep[1].trials` → its names, and which element of a list each means.
fn path(key: &str) -> Result<Vec<(&str, Option<usize>)>, String> {
    let piece = |piece: &'_ str| -> Option<(usize, Option<usize>)> {
        match piece.split_once('[') {
            None => Some((piece.len(), None)),
            Some((name, index)) => {
                let index = index.strip_suffix(']')?.parse().ok()?;
                Some((name.len(), Some(index)))
            }
        }
    };
    key.split('.')
        .map(|text| {
            let (end, index) = piece(text.trim())
                .filter(|(end, _)| *end > 0)
                .ok_or_else(|| {
                    "allowed is a key as seed, n or 'sweep[1].trials', sweeps counted from 0"
                        .to_owned()
                })?;
            Ok((&text.trim()[..end], index))
        })
        .collect()
}

/// The value as TOML: as it stands, `8..10` as a range of integers, a plain word as a text.
fn written(value: &str) -> Result<String, String> {
    let whole = |text: &str| number::integer(text.trim_start_matches('='));
    if let Some((from, to)) = value.split_once("..") {
        return match (whole(from), whole(to)) {
            (Some(from), Some(to)) => Ok(format!("{{ from = {from}, to = {to}, step = 1 }}")),
            _ => Err("a range A..B has integers; allowed is also { from, to, step }".to_owned()),
        };
    }
    if value.contains(['\n', '\r']) {
        return Err("allowed is a value in one line".to_owned());
    }
    match DeValue::parse(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(_)
            if !value.is_empty()
                && value
                    .chars()
                    .all(|c| c.is_alphanumeric() || "-_ ".contains(c)) =>
        {
            Ok(format!("\"{value}\""))
        }
        Err(error) => Err(format!("no TOML value: {}", error.message())),
    }
}

/// `seed` and `seeds` take each other's place.
fn in_root(root: &DeTable, key: &str, value: &str) -> Edit {
    let is_it = |name: &str| name == key || (name.starts_with("seed") && key.starts_with("seed"));
    let found = root.iter().find(|(name, _)| is_it(name.get_ref()));
    match found {
        Some((name, old)) => (
            name.span().start..old.span().end,
            format!("{key} = {value}"),
        ),
        None => (0..0, format!("{key} = {value}\n")),
    }
}

/// The one sweep that has the key, or the only sweep.
fn the_sweep<'a, 'b>(
    root: &'a Spanned<DeTable<'b>>,
    text: &str,
    key: &str,
) -> Result<&'a Spanned<DeValue<'b>>, String> {
    let sweeps = elements(root.get_ref(), "sweep")?;
    let has = |sweep: &&Spanned<DeValue>| {
        let table = sweep.get_ref().as_table();
        table.is_some_and(|table| table.contains_key(key))
    };
    let with: Vec<_> = sweeps.iter().filter(has).collect();
    match (with.as_slice(), sweeps) {
        ([one], _) => Ok(one),
        ([], [only]) => Ok(only),
        ([], _) => Err(format!(
            "no sweep has the key{}; allowed is {}, or sweep[I].{key} with I from 0 to {}",
            did_you_mean(key, &ROOT),
            ROOT.join(", "),
            sweeps.len() - 1
        )),
        _ => {
            let place = |(index, sweep): (usize, &Spanned<DeValue>)| {
                let line = 1 + text[..sweep.span().start].matches('\n').count();
                format!("sweep[{index}].{key} (line {line})")
            };
            let all = sweeps.iter().enumerate().filter(|(_, sweep)| has(sweep));
            let places: Vec<String> = all.map(place).collect();
            Err(format!(
                "{} sweeps have the key; allowed is one of {}",
                places.len(),
                places.join(", ")
            ))
        }
    }
}

fn elements<'a, 'b>(
    root: &'a DeTable<'b>,
    name: &str,
) -> Result<&'a [Spanned<DeValue<'b>>], String> {
    let list = root.get(name).and_then(|it| it.get_ref().as_array());
    list.map(|it| &it[..])
        .filter(|it| !it.is_empty())
        .ok_or_else(|| format!("there is no [[{name}]]; allowed are sweep[I] and figure[I]"))
}

fn element<'a, 'b>(
    root: &'a DeTable<'b>,
    name: &str,
    index: Option<usize>,
) -> Result<&'a Spanned<DeValue<'b>>, String> {
    let list = elements(root, name)?;
    let only = (list.len() == 1).then_some(0);
    let most = list.len() - 1;
    let place = index.or(only).filter(|&place| place <= most);
    place
        .map(|place| &list[place])
        .ok_or_else(|| format!("which [[{name}]]? allowed is {name}[I] with I from 0 to {most}"))
}

/// A key below a table of the spec, in a table of its own or not.
fn below(
    table: &Spanned<DeValue>,
    text: &str,
    path: &[(&str, Option<usize>)],
    value: &str,
) -> Result<Edit, String> {
    match path {
        [(key, None)] => in_table(table, text, key, value),
        [(key, None), rest @ ..] => {
            let inner = table.get_ref().as_table().and_then(|it| it.get(*key));
            let inner = inner.ok_or_else(|| format!("there is no {key}; it needs a file"))?;
            below(inner, text, rest, value)
        }
        _ => Err("allowed is a key as 'sweep[1].trials'".to_owned()),
    }
}

/// The value in its place, or a line after the table's head.
fn in_table(table: &Spanned<DeValue>, text: &str, key: &str, value: &str) -> Result<Edit, String> {
    let inside = table.get_ref().as_table().ok_or("it is no table")?;
    if let Some(old) = inside.get(key) {
        if old.get_ref().is_table() && text[old.span()].starts_with('[') {
            return Err(format!("{key} is a table of its own; set a key of it"));
        }
        return Ok((old.span(), value.to_owned()));
    }
    let start = table.span().start;
    if !text[start..].starts_with('[') {
        return Err(format!(
            "{key} is not there, and cannot be added in this place"
        ));
    }
    let end = text[start..].find('\n').map(|at| start + at + 1);
    Ok(match end {
        Some(end) => (end..end, format!("{key} = {value}\n")),
        None => (text.len()..text.len(), format!("\n{key} = {value}\n")),
    })
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
            (
                "sweep[0].n",
                "8..10",
                "[4, 5]",
                "{ from = 8, to = 10, step = 1 }",
            ),
            ("sweep[1].n", "[9]", "n = 8", "n = [9]"),
            ("epsilon", "0.2", "0.1", "0.2"),
            (
                "sweep[1].cutoff",
                "1e6",
                "[[sweep]]\nn",
                "[[sweep]]\ncutoff = 1e6\nn",
            ),
            ("sweep[0].series.at", "[3]", "at = [1, 2]", "at = [3]"),
            ("figure.kind", "size", "\"a\"", "\"size\""),
            (
                "figure[0].width",
                "single",
                "[[figure]]\n",
                "[[figure]]\nwidth = \"single\"\n",
            ),
            ("source", "mine", "title = ", "source = \"mine\"\ntitle = "),
        ] {
            let changed = set(TEXT, key, value).unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_eq!(changed, TEXT.replacen(old, new, 1), "{key}={value}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_what_can() {
        for (key, value, words) in [
            (
                "n",
                "8",
                "2 sweeps have the key; allowed is one of sweep[0].n (line 4), sweep[1].n (line 9)",
            ),
            ("sweep[2].n", "8", "allowed is sweep[I] with I from 0 to 1"),
            ("sweep.n", "8", "which [[sweep]]?"),
            ("tilte", "x", "did you mean \"title\"?"),
            ("sweeps[0].n", "8", "there is no [[sweeps]]"),
            ("sweep[x].n", "8", "sweeps counted from 0"),
            ("trials", "1..x", "a range A..B has integers"),
            ("trials", "[1", "no TOML value"),
            ("trials", "1\nseed = 3", "allowed is a value in one line"),
            ("sweep[0].series", "1", "series is a table of its own"),
        ] {
            let reason = set(TEXT, key, value).expect_err(key);
            assert!(reason.contains(words), "{key}={value}: {reason}");
        }
    }
}
