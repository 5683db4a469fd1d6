//! The parsed file as a tree whose every node knows its place, so that every complaint can name it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Mistakes, Refused, did_you_mean};
use super::number;

/// The text of a spec and what messages call its file.
pub(super) struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// Offset of each line's first byte.
    line_starts: Vec<usize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        let starts = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Self {
            file,
            text,
            line_starts: std::iter::once(0).chain(starts).collect(),
        }
    }

    /// Parses the text as TOML.
    pub(super) fn parse(&self) -> Result<Spanned<DeTable<'a>>, Refused> {
        DeTable::parse(self.text).map_err(|error| {
            let start = error.span().unwrap_or_default().start;
            let line = self.excerpt(self.line_span(start));
            let at = if line.is_empty() {
                "not TOML".to_owned()
            } else {
                format!("{line}: not TOML")
            };
            let value = line.split_once('=').map(|(_, value)| value.trim());
            let range = value.filter(|value| number::range_in(value).is_some());
            let reason = match (range, error.message()) {
                (Some(range), _) => format!("allowed is {range:?}, in quotes"),
                (None, "duplicate key") => {
                    "the key is doubled; allowed is each key once in a table".to_owned()
                }
                (None, reason) => reason.lines().collect::<Vec<_>>().join(", "),
            };
            self.error(start, format!("{at}: {reason}"))
        })
    }

    /// The line in which a byte stands.
    fn line_span(&self, offset: usize) -> Range<usize> {
        let line = self.line(offset);
        self.line_starts[line - 1]
            ..self
                .line_starts
                .get(line)
                .copied()
                .unwrap_or(self.text.len())
    }

    /// Line of a byte, from 1.
    fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= offset)
    }

    fn error(&self, offset: usize, message: String) -> Refused {
        Refused::of_line(self.file, self.line(offset), message)
    }

    /// The text of a span on one short line.
    fn excerpt(&self, span: Range<usize>) -> String {
        const LONGEST: usize = 60;
        let text = self.text.get(span).unwrap_or_default();
        let mut words = text
            .split_whitespace()
            .flat_map(|word| word.chars().chain([' ']))
            .map(|c| if c.is_control() { '\u{fffd}' } else { c });
        let mut excerpt: String = words.by_ref().take(LONGEST).collect();
        if words.next().is_some() {
            excerpt.push('…');
        }
        excerpt.trim_end().to_owned()
    }
}

/// A value and the key it belongs to.
#[derive(Clone)]
pub(super) struct Entry<'a> {
    source: &'a Source<'a>,
    key: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Entry<'a> {
    /// `key = value: message` at the value's line.
    pub(super) fn error(&self, message: &str) -> Refused {
        let found = self.source.excerpt(self.value.span());
        self.source.error(
            self.value.span().start,
            format!("{} = {found}: {message}", self.key),
        )
    }

    /// Line where the value starts, from 1.
    pub(super) fn line(&self) -> usize {
        self.source.line(self.value.span().start)
    }

    /// The value is not what is allowed.
    pub(super) fn refuse(&self, allowed: &str) -> Refused {
        self.error(&format!("allowed is {allowed}"))
    }

    /// The value as an integer from `min` to `max`.
    pub(super) fn integer(&self, min: u64, max: u64) -> Option<u64> {
        let value = u64::try_from(number::integer(self.value.get_ref())?).ok()?;
        (min..=max).contains(&value).then_some(value)
    }

    /// The value as true or false.
    pub(super) fn boolean(&self) -> Option<bool> {
        self.value.get_ref().as_bool()
    }

    /// The value as a finite number.
    pub(super) fn real(&self) -> Option<f64> {
        number::real(self.value.get_ref())
    }

    /// The value as text without control characters.
    pub(super) fn text(&self, allowed: &str) -> Result<&'a str, Refused> {
        let text = self
            .value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.refuse(allowed))?;
        if text.chars().any(char::is_control) {
            Err(self.refuse("a text without control characters"))
        } else {
            Ok(text)
        }
    }

    /// The value as text of several lines, without other control characters.
    pub(super) fn lines(&self, allowed: &str) -> Result<String, Refused> {
        let text = self
            .value
            .get_ref()
            .as_str()
            .map(|it| it.replace("\r\n", "\n"));
        text.filter(|it| !it.chars().any(|c| c.is_control() && c != '\n'))
            .ok_or_else(|| self.refuse(allowed))
    }

    /// The value as one of some known words, which are names of a `what`.
    pub(super) fn word<'w>(&self, what: &str, known: &[&'w str]) -> Result<&'w str, Refused> {
        let allowed = format!("one of {}", known.join(", "));
        let text = self
            .value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.refuse(&allowed))?;
        let found = known.iter().find(|&&word| word == text).copied();
        found.ok_or_else(|| {
            self.error(&format!(
                "unknown {what}; allowed is {allowed}{}",
                did_you_mean(text, known)
            ))
        })
    }

    /// The elements, if the value is a list.
    pub(super) fn list(&self) -> Option<Vec<Self>> {
        let items = self.value.get_ref().as_array()?;
        Some(
            items
                .iter()
                .map(|value| Self {
                    source: self.source,
                    key: self.key.clone(),
                    value,
                })
                .collect(),
        )
    }

    /// The table, if the value is one.
    pub(super) fn table(&self) -> Option<Table<'a>> {
        let table = self.value.get_ref().as_table()?;
        Some(Table {
            source: self.source,
            path: Some(self.key.clone()),
            offset: self.value.span().start,
            table,
        })
    }
}

/// A table and what messages call it.
pub(super) struct Table<'a> {
    source: &'a Source<'a>,
    /// Key of the value that this table is; none for the root and for `[[…]]`.
    path: Option<String>,
    offset: usize,
    table: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    pub(super) fn root(source: &'a Source<'a>, table: &'a DeTable<'a>) -> Self {
        Self {
            source,
            path: None,
            offset: 0,
            table,
        }
    }

    /// Line where the table starts, from 1.
    pub(super) fn line(&self) -> usize {
        self.source.line(self.offset)
    }

    /// An error of the table as a whole, at the line where it starts.
    pub(super) fn error(&self, message: &str) -> Refused {
        self.source.error(self.offset, message.to_owned())
    }

    pub(super) fn get(&self, key: &str) -> Option<Entry<'a>> {
        self.table.get(key).map(|value| Entry {
            source: self.source,
            key: self.full(key),
            value,
        })
    }

    /// The entry of a key that must be there.
    pub(super) fn require(&self, key: &str, allowed: &str) -> Result<Entry<'a>, Refused> {
        self.get(key).ok_or_else(|| {
            self.error(&format!(
                "missing key {}; needed is {allowed}",
                self.full(key)
            ))
        })
    }

    /// Refuses keys that are not known.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), Refused> {
        self.only_of(known, known)
    }

    /// The same, with those that are allowed here, where other known ones are refused later.
    pub(super) fn only_of(&self, known: &[&str], allowed: &[&str]) -> Result<(), Refused> {
        let mut mistakes = Mistakes::default();
        for (key, value) in self.table.iter() {
            let word = key.get_ref().as_ref();
            if known.contains(&word) {
                continue;
            }
            let message = format!(
                "{} = {}: unknown key; allowed are {}{}",
                self.full(&self.source.excerpt(key.span())),
                self.source.excerpt(value.span()),
                allowed.join(", "),
                did_you_mean(word, allowed)
            );
            mistakes.keep::<()>(Err(self.source.error(key.span().start, message)));
        }
        mistakes.or(Some(()))
    }

    /// The tables written as `[[key]]`; none if the key is missing.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<Self>, Refused> {
        let Some(entry) = self.get(key) else {
            return Ok(Vec::new());
        };
        let wanted = || entry.refuse(&format!("a table [[{key}]] for each {key}"));
        let items = entry.list().ok_or_else(wanted)?;
        items
            .iter()
            .map(|item| {
                item.table()
                    .map(|table| Self {
                        path: None,
                        ..table
                    })
                    .ok_or_else(wanted)
            })
            .collect()
    }

    fn full(&self, key: &str) -> String {
        self.path
            .as_ref()
            .map_or_else(|| key.to_owned(), |path| format!("{path}.{key}"))
    }
}
