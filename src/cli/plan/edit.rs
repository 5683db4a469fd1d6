//! One key of a spec's text, set to another value; comments and all else stay.
//!
//! A value is replaced where it stands in the text, which the parser of specs reads then: one path
//! for what a file says and what a command changes, with integers to 2⁶⁴ − 1.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::experiment::spec::number::real_in;
use crate::experiment::spec::{KEYS, did_you_mean};

/// A table of a spec's text.
struct TextTable<'a> {
    table: &'a DeTable<'a>,
    /// The span of its header, as `[sweep.series]`, of its braces or, with dotted keys, of the
    /// first one; empty for the root.
    span: Range<usize>,
}

/// The text with `key` set to `value`.
pub fn set(text: &str, key: &str, value: &str) -> Result<String, String> {
    let spec = parsed(text)?;
    let root = TextTable::of(&spec);
    let value = written(value)?;
    let (table, last) = key.rsplit_once('.').unwrap_or(("", key));
    let last = last.trim();
    if last.is_empty() || last.contains('[') {
        let expected = "a key as seed, n or 'sweep[1].trials', sweeps counted from 0";
        return Err(format!("expected {expected}"));
    }
    match table {
        "" if KEYS.contains(&last) => {
            // They take each other's place.
            let other = match last {
                "seed" => root.table.get_key_value("seeds"),
                "seeds" => root.table.get_key_value("seed"),
                _ => None,
            };
            match other {
                Some((other, old)) => {
                    let both = other.span().start..old.span().end;
                    Ok(spliced(text, both, &format!("{last} = {value}")))
                }
                None => root.with(text, last, &value),
            }
        }
        "" => {
            let sweeps = the_sweeps(elements(root.table, text, "sweep")?, last)?;
            // From the end, so that offsets before a change stay.
            sweeps
                .into_iter()
                .rev()
                .try_fold(text.to_owned(), |text, sweep| {
                    let spec = parsed(&text)?;
                    let name = format!("sweep[{sweep}]");
                    below(&TextTable::of(&spec), &text, &name)?.with(&text, last, &value)
                })
        }
        table => below(&root, text, table)?.with(text, last, &value),
    }
}

/// The text without what it says of the unchanged experiment: its finding, unless that is kept, and
/// the names that it gives its figures.
pub fn renamed(
    text: &str,
    keeps_finding: bool,
    name: impl Fn(&str) -> String,
) -> Result<String, String> {
    let spec = parsed(text)?;
    let mut changes = Vec::new();
    let finding = spec.get_ref().get_key_value("finding");
    if let Some((key, finding)) = finding.filter(|_| !keeps_finding) {
        let end = next_line(text, finding.span().end);
        changes.push((key.span().start..end, String::new()));
    }
    let figures = spec.get_ref().get("figure");
    let figures = figures.and_then(|it| it.get_ref().as_array());
    for figure in figures.into_iter().flat_map(|it| it.iter()) {
        let given = figure.get_ref().get("name");
        let given = given.and_then(|it| Some((it.span(), it.get_ref().as_str()?)));
        changes.extend(given.map(|(span, given)| (span, quoted(&name(given)))));
    }
    // From the end, so that offsets before a change stay.
    changes.sort_by_key(|(span, _)| span.start);
    let changed = changes.into_iter().rev();
    Ok(changed.fold(text.to_owned(), |text, (span, new)| {
        spliced(&text, span, &new)
    }))
}

/// The text with a key before the first table set to a value, as TOML.
pub fn with_root(text: &str, key: &str, value: &str) -> Result<String, String> {
    TextTable::of(&parsed(text)?).with(text, key, value)
}

fn parsed(text: &str) -> Result<Spanned<DeTable<'_>>, String> {
    DeTable::parse(text).map_err(|error| error.message().to_owned())
}

pub fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn spliced(text: &str, span: Range<usize>, new: &str) -> String {
    let (before, after) = (&text[..span.start], &text[span.end..]);
    format!("{before}{new}{after}")
}

/// The offset at which the line after that of `offset` begins.
fn next_line(text: &str, offset: usize) -> usize {
    let end = text[offset..].find('\n');
    end.map_or(text.len(), |end| offset + end + 1)
}

impl<'a> TextTable<'a> {
    fn of(spec: &'a Spanned<DeTable<'a>>) -> Self {
        Self {
            table: spec.get_ref(),
            span: 0..0,
        }
    }

    /// The text with a key of this table set to a value, as TOML.
    fn with(&self, text: &str, key: &str, value: &str) -> Result<String, String> {
        match self.table.get(key) {
            Some(old) if has_header(text, old) => {
                return Err(format!("{key} is a table of its own; expected a key of it"));
            }
            Some(old) => return Ok(spliced(text, old.span(), value)),
            None => {}
        }
        let header = &text[self.span.clone()];
        let last = self.table.iter().filter_map(|it| end(text, it.1)).max();
        if header.starts_with('{') {
            let brace = self.span.end - 1;
            let comma = if last.is_some() { ", " } else { " " };
            let before = text[..brace].trim_end().len();
            return Ok(spliced(
                text,
                before..brace,
                &format!("{comma}{key} = {value} "),
            ));
        }
        if !header.is_empty() && !header.starts_with('[') {
            return Err(format!(
                "{header} is written with dots; expected the key {key} in the file"
            ));
        }
        let offset = match last.or((!header.is_empty()).then_some(self.span.end)) {
            Some(last) => next_line(text, last),
            None => 0,
        };
        let begins_line = offset == 0 || text[..offset].ends_with('\n');
        let line_end = if begins_line { "" } else { "\n" };
        let line = format!("{line_end}{key} = {value}\n");
        Ok(spliced(text, offset..offset, &line))
    }
}

/// True if a value has a header of its own: a table, or an array of tables.
fn has_header(text: &str, value: &Spanned<DeValue>) -> bool {
    match value.get_ref() {
        DeValue::Table(_) => text[value.span()].starts_with('['),
        DeValue::Array(tables) => tables
            .iter()
            .any(|it| it.get_ref().is_table() && has_header(text, it)),
        _ => false,
    }
}

/// The offset at which a value ends that is in the table's own lines; with dotted keys the last
/// one.
fn end(text: &str, value: &Spanned<DeValue>) -> Option<usize> {
    match value.get_ref() {
        _ if has_header(text, value) => None,
        DeValue::Table(table) if !text[value.span()].starts_with('{') => {
            table.iter().filter_map(|it| end(text, it.1)).max()
        }
        _ => Some(value.span().end),
    }
}

/// The value as TOML: as it stands; numbers `4,5,6` as a list; a plain word, a range `8..10` or
/// conditions `n<=8` as a text.
fn written(value: &str) -> Result<String, String> {
    if value.contains(['\n', '\r']) {
        return Err("expected a value in one line".to_owned());
    }
    let is_list = value.contains(',') && value.split(',').all(|it| real_in(it.trim()).is_some());
    if is_list {
        return Ok(format!("[{value}]"));
    }
    let is_word = |c: char| c.is_alphanumeric() || "-_ .,=<>!".contains(c);
    match DeValue::parse(value.trim()) {
        Ok(_) => Ok(value.trim().to_owned()),
        Err(_) if !value.is_empty() && value.chars().all(is_word) => Ok(quoted(value)),
        Err(error) => Err(format!("not a TOML value: {}", error.message())),
    }
}

/// The indices of the sweeps that have the key, or of the only sweep.
fn the_sweeps(sweeps: &DeArray, key: &str) -> Result<Vec<usize>, String> {
    let has_it = |(_, sweep): &(usize, &Spanned<DeValue>)| sweep.get_ref().get(key).is_some();
    let with: Vec<usize> = sweeps
        .iter()
        .enumerate()
        .filter(has_it)
        .map(|it| it.0)
        .collect();
    match (with.is_empty(), sweeps.len()) {
        (false, _) => Ok(with),
        (true, 1) => Ok(vec![0]),
        (true, count) => {
            let (near, root, most) = (did_you_mean(key, &KEYS), KEYS.join(", "), count - 1);
            Err(format!(
                "no sweep has the key; expected one of {root}, or sweep[I].{key} with I from 0 to {most}{near}"
            ))
        }
    }
}

/// The tables with the header `[[name]]`, at least one.
fn elements<'a>(spec: &'a DeTable<'a>, text: &str, name: &str) -> Result<&'a DeArray<'a>, String> {
    let tables = spec.get(name).filter(|it| has_header(text, it));
    let tables = tables.and_then(|it| it.get_ref().as_array());
    tables.ok_or_else(|| format!("there is no [[{name}]]; expected sweep[I] or figure[I]"))
}

/// The table that `sweep[1]` or `sweep[1].series` names.
fn below<'a>(root: &TextTable<'a>, text: &str, name: &str) -> Result<TextTable<'a>, String> {
    let mut pieces = name.split('.').map(str::trim);
    let first = pieces.next().unwrap_or_default();
    let (name, index) = first.split_once('[').unwrap_or((first, ""));
    let index = match index.strip_suffix(']').map(str::parse::<usize>) {
        Some(Ok(index)) => Some(index),
        None if index.is_empty() => None,
        _ => return Err("expected a key as 'sweep[1].trials', sweeps counted from 0".into()),
    };
    let tables = elements(root.table, text, name)?;
    let most = tables.len() - 1;
    let only = (most == 0).then_some(0);
    let table = index.or(only).and_then(|index| tables.get(index));
    let mut value = table.ok_or_else(|| {
        format!("it names none of the [[{name}]]; expected {name}[I] with I from 0 to {most}")
    })?;
    for piece in pieces {
        let inner = value
            .get_ref()
            .get(piece)
            .filter(|it| it.get_ref().is_table());
        value = inner
            .ok_or_else(|| format!("there is no table {piece}; expected one that the file has"))?;
    }
    let table = value.get_ref().as_table();
    Ok(TextTable {
        table: table.ok_or_else(|| format!("{name} is no table"))?,
        span: value.span(),
    })
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
sweep[1].trials|18446744073709551615|trials = 3|trials = 18446744073709551615
seed|18446744073709551615|seeds = [1, 2]|seed = 18446744073709551615
sweep[0].cutoff|5|epsilon = 0.1|epsilon = 0.1;cutoff = 5
source|mine|seeds = [1, 2]|seeds = [1, 2];source = "mine"
rank|3|seeds = [1, 2]|seeds = [1, 2];rank = 3
only|n<=4,n!=3|seeds = [1, 2]|seeds = [1, 2];only = "n<=4,n!=3""#;

    #[test]
    fn one_value_is_changed_and_all_else_stays() {
        for line in CHANGES.lines() {
            let line = line.replace(';', "\n");
            let words: Vec<&str> = line.split('|').collect();
            let changed = set(TEXT, words[0], words[1]).expect(&line);
            assert_eq!(changed, TEXT.replacen(words[2], words[3], 1), "{line}");
        }
    }

    #[test]
    fn every_sweep_that_has_a_key_gets_its_value() {
        let changed = set(TEXT, "n", "5").expect("two sweeps have it");
        let expected = TEXT
            .replace("n = [4, 5]", "n = 5")
            .replace("n = 8", "n = 5");
        assert_eq!(changed, expected);
        let changed = set(TEXT, "seeds", "4,5,6").expect("a list");
        assert_eq!(changed, TEXT.replace("[1, 2]\n\n", "[4,5,6]\n\n"));
    }
}
