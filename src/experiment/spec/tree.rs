//! The parsed file as a tree whose every node knows its place, so that every complaint can name it.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Mistakes, Refused, did_you_mean, every, nearest, question};
use super::number;

/// The text of a spec and what messages call its file.
pub struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// Offset of each line's first byte.
    line_starts: Vec<usize>,
    /// Lines whose values are no TOML.
    broken: BTreeSet<usize>,
}

impl<'a> Source<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Self {
        let starts = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Self {
            file,
            text,
            line_starts: std::iter::once(0).chain(starts).collect(),
            broken: BTreeSet::new(),
        }
    }

    /// Parses the text as TOML. Beside the tree stand mistakes that harm no more than a value each,
    /// of whose lines nothing else is told; any other one ends it.
    pub fn parse(&mut self) -> Result<(Spanned<DeTable<'a>>, Mistakes), Refused> {
        let (tree, errors) = DeTable::parse_recoverable(self.text);
        let mut errors: Vec<_> = errors.iter().map(|it| (it.span(), it.message())).collect();
        errors.sort_by_key(|(span, _)| span.as_ref().map(|it| it.start));
        let (mut mistakes, mut broken) = (Mistakes::default(), BTreeSet::new());
        for (span, reason) in errors {
            let span = span.unwrap_or_default();
            let (is_local, message) = self.no_toml(span.clone(), reason);
            if broken.insert(self.line(span.start)) {
                mistakes.keep::<()>(Err(self.error(span.start, message)));
            }
            if !is_local {
                return mistakes.or(None);
            }
        }
        self.broken = broken;
        Ok((tree, mistakes))
    }

    /// Whether what the parser complains of harms no more than a value, and that in words.
    fn no_toml(&self, span: Range<usize>, reason: &str) -> (bool, String) {
        let line = self.excerpt(self.line_span(span.start));
        let colon = if line.is_empty() { "" } else { ": " };
        let value = line.split_once('=').map(|(_, value)| value.trim());
        let range = value.filter(|value| number::range_in(value).is_some());
        let text = self.text.get(span).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        let are_numbers = words.iter().all(|word| number::real_in(word).is_some());
        let local = match (range, reason) {
            (Some(range), _) => Some(format!("expected {range:?}, in quotes")),
            (None, "duplicate key") => {
                Some("the key is doubled; expected each key once in a table".to_owned())
            }
            _ if words.len() > 1 && are_numbers => {
                let list = words.join(", ");
                Some(format!("a comma is missing; expected a list as [{list}]"))
            }
            _ => None,
        };
        let is_local = local.is_some();
        let reason = local.unwrap_or_else(|| reason.lines().collect::<Vec<_>>().join(", "));
        (is_local, format!("{line}{colon}not TOML: {reason}"))
    }

    /// The line in which a byte stands.
    fn line_span(&self, offset: usize) -> Range<usize> {
        let (line, starts) = (self.line(offset), &self.line_starts);
        starts[line - 1]..starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// Line of a byte, from 1.
    fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= offset)
    }

    fn error(&self, offset: usize, message: String) -> Refused {
        match self.line(offset) {
            line if self.broken.contains(&line) => Refused::untold(),
            line => Refused::of_line(self.file, line, message),
        }
    }

    /// The text of a span on one short line.
    fn excerpt(&self, span: Range<usize>) -> String {
        const LONGEST: usize = 60;
        let text = self.text.get(span).unwrap_or_default();
        let words = text.split_whitespace();
        let words = words.flat_map(|word| word.chars().chain([' ']));
        let mut words = words.map(|c| if c.is_control() { '\u{fffd}' } else { c });
        let mut excerpt: String = words.by_ref().take(LONGEST).collect();
        if words.next().is_some() {
            excerpt.push('…');
        }
        excerpt.trim_end().to_owned()
    }
}

/// A value and the key it belongs to.
#[derive(Clone)]
pub struct Entry<'a> {
    source: &'a Source<'a>,
    key: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Entry<'a> {
    /// `key = value: message` at the value's line.
    pub fn error(&self, message: &str) -> Refused {
        let found = self.source.excerpt(self.value.span());
        self.source.error(
            self.value.span().start,
            format!("{} = {found}: {message}", self.key),
        )
    }

    /// Line where the value starts, from 1.
    pub fn line(&self) -> usize {
        self.source.line(self.value.span().start)
    }

    /// The value is not what is allowed.
    pub fn refuse(&self, allowed: &str) -> Refused {
        self.error(&format!("expected {allowed}"))
    }

    /// The value as an integer from `min` to `max`.
    pub fn integer(&self, min: u64, max: u64, allowed: &str) -> Result<u64, Refused> {
        let value = number::integer(self.value.get_ref());
        let value = value.and_then(|value| u64::try_from(value).ok());
        let value = value.filter(|value| (min..=max).contains(value));
        value.ok_or_else(|| self.refuse(allowed))
    }

    /// The value as a finite number for which `is_allowed`.
    pub fn real(&self, is_allowed: impl Fn(f64) -> bool, allowed: &str) -> Result<f64, Refused> {
        let value = number::real(self.value.get_ref());
        let value = value.filter(|value| is_allowed(*value));
        value.ok_or_else(|| self.refuse(allowed))
    }

    pub fn boolean(&self, allowed: &str) -> Result<bool, Refused> {
        let value = self.value.get_ref().as_bool();
        value.ok_or_else(|| self.refuse(allowed))
    }

    /// The value as text without control characters.
    pub fn text(&self, allowed: &str) -> Result<&'a str, Refused> {
        let text = self.value.get_ref().as_str();
        let text = text.ok_or_else(|| self.refuse(allowed))?;
        match text.chars().any(char::is_control) {
            true => Err(self.refuse("a text without control characters")),
            false => Ok(text),
        }
    }

    /// The value as text of several lines, without other control characters.
    pub fn lines(&self, allowed: &str) -> Result<String, Refused> {
        let text = self.value.get_ref().as_str();
        let text = text.map(|it| it.replace("\r\n", "\n"));
        text.filter(|it| !it.chars().any(|c| c.is_control() && c != '\n'))
            .ok_or_else(|| self.refuse(allowed))
    }

    /// The value as one of some known words, which are names of a `what`.
    pub fn word<'w>(&self, what: &str, known: &[&'w str]) -> Result<&'w str, Refused> {
        let allowed = format!("one of {}", known.join(", "));
        let text = self.value.get_ref().as_str();
        let text = text.ok_or_else(|| self.refuse(&allowed))?;
        let found = known.iter().find(|&&word| word == text).copied();
        found.ok_or_else(|| {
            let meant = did_you_mean(text, known);
            self.error(&format!("unknown {what}; expected {allowed}{meant}"))
        })
    }

    /// The elements, if the value is a list.
    pub fn list(&self) -> Option<Vec<Self>> {
        let items = self.value.get_ref().as_array()?.iter();
        let item = |value| Self {
            value,
            ..self.clone()
        };
        Some(items.map(item).collect())
    }

    /// The elements of a list of at least one, or the one value.
    pub fn items(&self, allowed: &str) -> Result<Vec<Self>, Refused> {
        match self.list() {
            Some(items) if items.is_empty() => Err(self.refuse(allowed)),
            Some(items) => Ok(items),
            None => Ok(vec![self.clone()]),
        }
    }

    /// The table, if the value is one.
    pub fn table(&self) -> Option<Table<'a>> {
        let table = self.value.get_ref().as_table()?;
        Some(Table {
            source: self.source,
            path: Some(self.key.clone()),
            offset: self.value.span().start,
            table,
            meant: Vec::new(),
        })
    }
}

/// The values of these items, each of which, called `noun`, may come once.
pub fn each_once<T: Ord + Clone>(
    items: &[Entry],
    noun: &str,
    value: impl Fn(&Entry) -> Result<T, Refused>,
) -> Result<Vec<T>, Refused> {
    let mut seen = BTreeSet::new();
    every(items.iter().map(|item| {
        let value = value(item)?;
        match seen.insert(value.clone()) {
            true => Ok(value),
            false => {
                let doubled = format!("the {noun} is doubled; expected each {noun} once");
                Err(item.error(&doubled))
            }
        }
    }))
}

/// A table and what messages call it.
pub struct Table<'a> {
    source: &'a Source<'a>,
    /// Key of the value that this table is; none for the root and for `[[…]]`.
    path: Option<String>,
    offset: usize,
    table: &'a DeTable<'a>,
    /// For each unknown key the one that was probably meant, if any is near enough.
    meant: Vec<Option<String>>,
}

impl<'a> Table<'a> {
    pub fn root(source: &'a Source<'a>, table: &'a DeTable<'a>) -> Self {
        Self {
            source,
            path: None,
            offset: 0,
            table,
            meant: Vec::new(),
        }
    }

    /// Line where the table starts, from 1.
    pub fn line(&self) -> usize {
        self.source.line(self.offset)
    }

    /// An error of the table as a whole, at the line where it starts.
    pub fn error(&self, message: &str) -> Refused {
        self.source.error(self.offset, message.to_owned())
    }

    pub fn get(&self, key: &str) -> Option<Entry<'a>> {
        self.table.get(key).map(|value| Entry {
            source: self.source,
            key: self.full(key),
            value,
        })
    }

    /// The entry of a key that must be there.
    pub fn require(&self, key: &str, allowed: &str) -> Result<Entry<'a>, Refused> {
        self.get(key).ok_or_else(|| self.missing(&[key], allowed))
    }

    /// None of these keys is there, unless an unknown key is one of them, misspelled: then that has
    /// been told.
    pub fn missing(&self, keys: &[&str], allowed: &str) -> Refused {
        let may_be = |meant: &Option<String>| meant.as_deref().is_none_or(|it| keys.contains(&it));
        if self.meant.iter().any(may_be) {
            return Refused::untold();
        }
        let key = self.full(keys[0]);
        self.error(&format!("missing key {key}; expected {allowed}"))
    }

    /// Refuses keys that are not known; to be asked before keys that must be there.
    pub fn only(&mut self, known: &[&str]) -> Result<(), Refused> {
        self.only_of(known, known)
    }

    /// The same, with those that are allowed here, where other known ones are refused later.
    pub fn only_of(&mut self, known: &[&str], allowed: &[&str]) -> Result<(), Refused> {
        let mut unknown = Vec::new();
        for (key, value) in self.table.iter() {
            let word = key.get_ref().as_ref();
            if known.contains(&word) {
                continue;
            }
            let meant = nearest(word, allowed);
            let message = format!(
                "{} = {}: unknown key; expected one of {}{}",
                self.full(&self.source.excerpt(key.span())),
                self.source.excerpt(value.span()),
                allowed.join(", "),
                question(meant)
            );
            self.meant.push(meant.map(str::to_owned));
            unknown.push(self.source.error(key.span().start, message));
        }
        Refused::all(unknown)
    }

    /// The tables written as `[[key]]`; none if the key is missing.
    pub fn tables(&self, key: &str) -> Result<Vec<Self>, Refused> {
        let Some(entry) = self.get(key) else {
            return Ok(Vec::new());
        };
        let wanted = || entry.refuse(&format!("a table [[{key}]] for each {key}"));
        let items = entry.list().ok_or_else(wanted)?;
        let without_path = |table| Self {
            path: None,
            ..table
        };
        let tables = items.iter().map(|item| item.table().map(without_path));
        tables.map(|table| table.ok_or_else(wanted)).collect()
    }

    fn full(&self, key: &str) -> String {
        let path = self.path.as_ref();
        path.map_or_else(|| key.to_owned(), |path| format!("{path}.{key}"))
    }
}
