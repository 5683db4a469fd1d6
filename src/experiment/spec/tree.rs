//! The parsed file as a tree whose every node knows its place, so that every complaint can name it.
//! What a command changes stands behind the file's text, and is told as its option.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::error::{Refused, did_you_mean, one_of};
use super::{habits, number};

/// The text of a spec and what messages call its file.
pub struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// Offset of each line's first byte.
    line_starts: Vec<usize>,
    /// The options of a command, and the lines that they have added to the text.
    options: &'a [(Range<usize>, String)],
}

impl<'a> Source<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self::with_options(file, text, &[])
    }

    /// A text in which these lines are those of options, each without its end.
    pub fn with_options(
        file: &'a str,
        text: &'a str,
        options: &'a [(Range<usize>, String)],
    ) -> Self {
        let starts = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Self {
            file,
            text,
            line_starts: std::iter::once(0).chain(starts).collect(),
            options,
        }
    }

    /// The line of an option in which a byte stands, and the option.
    fn option(&self, offset: usize) -> Option<&'a (Range<usize>, String)> {
        self.options.iter().find(|(line, _)| line.contains(&offset))
    }

    /// Parses the text as TOML.
    pub fn parse(&self) -> Result<Spanned<DeTable<'a>>, Refused> {
        DeTable::parse(self.text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            self.error(span.start, self.no_toml(span.clone(), error.message()))
        })
    }

    /// What the TOML parser complains of, in words.
    fn no_toml(&self, span: Range<usize>, reason: &str) -> String {
        let line = self.excerpt(self.line_span(span.start));
        let before = match self.option(span.start) {
            // The option says what the line says.
            Some(_) => String::new(),
            None if line.is_empty() => "not TOML: ".to_owned(),
            None => format!("{line}: not TOML: "),
        };
        let reason = match reason {
            "duplicate key" => "the key is doubled; expected each key once in a table".to_owned(),
            _ => reason.lines().collect::<Vec<_>>().join(", "),
        };
        let meant = habits::meant(self.text(self.line_span(span.start)));
        let reason = meant.map_or(reason.clone(), |meant| format!("{reason}; {meant}"));
        before + &reason
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
        match self.option(offset) {
            Some((_, option)) => {
                Refused::of_file(self.file, format!("{}: {message}", short(option)))
            }
            None => Refused::of_line(self.file, self.line(offset), message),
        }
    }

    /// What messages call the file, and the text.
    pub fn names(&self) -> (&'a str, &'a str) {
        (self.file, self.text)
    }

    /// The text of a span.
    pub fn text(&self, span: Range<usize>) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    /// The text of a span on one short line.
    fn excerpt(&self, span: Range<usize>) -> String {
        short(self.text(span))
    }
}

/// A text on one short line, in which no other blank passes for a space.
pub fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let words = text
        .split([' ', '\t', '\n', '\r'])
        .filter(|it| !it.is_empty());
    let words = words.flat_map(|word| word.chars().chain([' ']));
    let mut shown =
        words.flat_map(
            |it| match it != ' ' && (it.is_control() || it.is_whitespace()) {
                true => it.escape_unicode().to_string().chars().collect(),
                false => vec![it],
            },
        );
    let mut excerpt: String = shown.by_ref().take(LONGEST).collect();
    if shown.next().is_some() {
        excerpt.push('…');
    }
    excerpt.trim_end().to_owned()
}

/// A value and the key it belongs to.
#[derive(Clone)]
pub struct Entry<'a> {
    source: &'a Source<'a>,
    key: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Entry<'a> {
    pub fn new(source: &'a Source<'a>, key: &str, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self {
            source,
            key: key.to_owned(),
            value,
        }
    }

    /// `key = value: message` at the value's line.
    pub fn error(&self, message: &str) -> Refused {
        let span = self.value.span();
        let option = self.source.option(span.start);
        let message = match option.is_some_and(|(line, _)| line.end == span.end) {
            // The option says it.
            true => message.to_owned(),
            false => {
                let found = self.source.excerpt(span.clone());
                format!("{} = {found}: {message}", self.key)
            }
        };
        self.source.error(span.start, message)
    }

    /// The last part of its key.
    pub fn name(&self) -> &str {
        self.key.rsplit('.').next().unwrap_or_default()
    }

    /// The value is not what is allowed.
    pub fn refuse(&self, allowed: &str) -> Refused {
        self.error(&format!("expected {allowed}"))
    }

    /// The key is none of those that are known.
    pub fn unknown_key(&self, known: &[&str]) -> Refused {
        let meant = did_you_mean(self.name(), known);
        let known = one_of(known);
        self.error(&format!("unknown key; expected {known}{meant}"))
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

    /// The value as one of some known words, which are names of a `what`.
    pub fn word<'w>(&self, what: &str, known: &[&'w str]) -> Result<&'w str, Refused> {
        let allowed = one_of(known);
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

    /// All texts in the value: it, or what is in its lists and tables.
    pub fn texts(&self) -> Vec<&'a str> {
        fn within<'a>(value: &'a DeValue<'a>, texts: &mut Vec<&'a str>) {
            match value {
                DeValue::String(text) => texts.push(text),
                DeValue::Array(items) => items.iter().for_each(|it| within(it.get_ref(), texts)),
                DeValue::Table(table) => table.values().for_each(|it| within(it.get_ref(), texts)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        within(self.value.get_ref(), &mut texts);
        texts
    }

    /// The table, if the value is one.
    pub fn table(&self) -> Option<SpecTable<'a>> {
        let table = self.value.get_ref().as_table()?;
        Some(SpecTable {
            source: self.source,
            path: Some(self.key.clone()),
            offset: self.value.span().start,
            table,
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
    let values = items.iter().map(|item| {
        let value = value(item)?;
        match seen.insert(value.clone()) {
            true => Ok(value),
            false => {
                let doubled = format!("the {noun} is doubled; expected each {noun} once");
                Err(item.error(&doubled))
            }
        }
    });
    values.collect()
}

/// A table and what messages call it.
pub struct SpecTable<'a> {
    source: &'a Source<'a>,
    /// Key of the value that this table is; none for the root and for `[[…]]`.
    path: Option<String>,
    offset: usize,
    table: &'a DeTable<'a>,
}

impl<'a> SpecTable<'a> {
    pub fn root(source: &'a Source<'a>, table: &'a DeTable<'a>) -> Self {
        Self {
            source,
            path: None,
            offset: 0,
            table,
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

    /// What `read` makes of the entry of a key; `None` where the key is missing.
    pub fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(Entry<'a>) -> Result<T, Refused>,
    ) -> Result<Option<T>, Refused> {
        self.get(key).map(read).transpose()
    }

    /// The entry of a key that must be there.
    pub fn require(&self, key: &str, allowed: &str) -> Result<Entry<'a>, Refused> {
        self.get(key).ok_or_else(|| self.missing(key, allowed))
    }

    /// The error of a key that must be there.
    pub fn missing(&self, key: &str, allowed: &str) -> Refused {
        let key = self.full(key);
        self.error(&format!("missing key {key}; expected {allowed}"))
    }

    /// Refuses keys that are not known; called before keys are required, since a misspelled key is
    /// missing, too.
    pub fn only(&self, known: &[&str]) -> Result<(), Refused> {
        match self.other_than(known) {
            Some((_, entry)) => Err(entry.unknown_key(known)),
            None => Ok(()),
        }
    }

    /// The first entry in the file whose key is none of these, and that key.
    pub fn other_than(&self, keys: &[&str]) -> Option<(&'a str, Entry<'a>)> {
        let word = |key: &'a Spanned<DeString<'a>>| -> &'a str { key.get_ref() };
        let others = self.table.iter();
        let others = others.filter(|(key, _)| !keys.contains(&word(key)));
        let (key, value) = others.min_by_key(|(key, _)| key.span().start)?;
        let entry = Entry {
            source: self.source,
            key: self.full(&short(word(key))),
            value,
        };
        Some((word(key), entry))
    }

    /// All entries, each with its key.
    pub fn entries(&self) -> Vec<(&'a str, Entry<'a>)> {
        let keys = self.table.keys();
        let keys = keys.map(|key| -> &'a str { key.get_ref() });
        keys.filter_map(|key| Some((key, self.get(key)?))).collect()
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
