//! The text of a spec, and errors that show the place in it. What a command changes stands behind
//! the file's text, and is told as its option. Here are the excerpt of a line in a message, the
//! words that stand for those of serde and TOML, and the checks of integers, texts and words that
//! all keys share.

use std::ops::Range;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml::Spanned;
use toml::de::{DeTable, Error};

use super::did_you_mean::did_you_mean;
use super::error::{LONGEST, Refused, one_of, short};
use super::number::integer_in;
use super::strict::Strict;
use super::values::{Scalar, Values};
use super::{brackets, not_toml};

/// The text of a spec and what messages call its file.
pub struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
    /// Offset of each line's end.
    ends: Vec<usize>,
    /// The options of a command, and the part of the text that each has added.
    options: &'a [(Range<usize>, String)],
}

/// What serde says, and what a spec's messages say in its place.
const WORDS: [(&str, &str); 18] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    ("unknown variant", "unknown word"),
    (", expected", "; expected"),
    ("type: map", "type: table"),
    ("type: sequence", "type: list"),
    ("type: string", "type: text"),
    ("expected a map", "expected a table"),
    ("expected a sequence", "expected a list"),
    ("expected a string", "expected a text"),
    ("wanted string or table", "expected a text"),
    ("expected a boolean", "expected true or false"),
    ("expected f64", "expected a number"),
    ("expected i32", "expected an integer"),
    ("expected u32", "expected an integer"),
    ("expected u64", "expected an integer"),
    ("expected usize", "expected an integer"),
    ("integer number overflowed", "expected a smaller number"),
];

impl<'a> Source<'a> {
    pub fn new(file: &'a str, text: &'a str, options: &'a [(Range<usize>, String)]) -> Self {
        Self {
            file,
            text,
            ends: text.match_indices('\n').map(|(offset, _)| offset).collect(),
            options,
        }
    }

    /// Parses the text as TOML.
    pub fn parse(&self) -> Result<Spanned<DeTable<'a>>, Refused> {
        DeTable::parse(self.text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            let mut reason = match error.message() {
                "duplicate key" => "the key is doubled; expected each key once in a table".into(),
                message => message.replace('\n', ", "),
            };
            if let Some(meant) = not_toml::meant(self.text(self.line_of(span.start))) {
                reason += &format!("; {meant}");
            }
            if let Some(open) = self.open_before(span.start) {
                reason += &format!("; {open}");
            }
            self.refuse(span, &format!("not TOML: {reason}"))
        })
    }

    /// The line of a list or table that goes on up to here from an earlier line.
    fn open_before(&self, offset: usize) -> Option<String> {
        let before = self.text.get(..offset)?;
        let (bracket, start) = brackets::open_at_end(before)?;
        let line = self.line(start);
        if line == self.line(offset) {
            return None;
        }
        let (what, end) = match bracket {
            '[' => ("list", ']'),
            _ => ("table", '}'),
        };
        Some(format!(
            "the {what} that begins in line {line} has no {end} up to here"
        ))
    }

    /// What a value of the text is to be. A struct is read from a table alone.
    pub fn read<'de, T, V>(&self, value: Spanned<V>) -> Result<T, Refused>
    where
        T: Deserialize<'de>,
        Spanned<V>: IntoDeserializer<'de, Error>,
    {
        let place = value.span();
        let read = T::deserialize(Strict(value.into_deserializer()));
        read.map_err(|error| self.told(&error, place))
    }

    /// An error of serde, with the word that was probably meant, at its place or at that of the
    /// whole value.
    fn told(&self, error: &Error, place: Range<usize>) -> Refused {
        let words: Vec<&str> = error.message().split('`').skip(1).step_by(2).collect();
        let near = match words.split_first() {
            Some((found, known)) => did_you_mean(found, known),
            None => String::new(),
        };
        let mut message = error.message().replace('`', "");
        for (said, meant) in WORDS {
            message = message.replace(said, meant);
        }
        // Of what was found the line has more.
        let (wrong, expected) = message.split_once("; ").unwrap_or((&message, ""));
        let and = if expected.is_empty() { "" } else { "; " };
        let reason = format!("{}{and}{expected}{near}", short(wrong));
        self.refuse(error.span().unwrap_or(place), &reason)
    }

    /// `file:line:column: the line: message`.
    pub fn refuse(&self, span: Range<usize>, message: &str) -> Refused {
        let mut options = self.options.iter();
        if let Some((_, option)) = options.find(|(lines, _)| lines.contains(&span.start)) {
            return Refused::of_file(self.file, format!("{}: {message}", short(option)));
        }
        let line = self.line_of(span.start);
        let before = self.text(line.start..span.start);
        let place = (self.line(span.start), before.chars().count() + 1);
        let mut shown = excerpt(before, self.text(span.start..line.end));
        let mut earlier = self.text(0..line.start).lines().rev();
        let goes_on = |line: &str| line.trim_end().ends_with([',', '[']);
        if earlier.clone().next().is_some_and(goes_on)
            && let Some((key, _)) = earlier.find_map(|line| line.split_once('='))
        {
            // The line goes on with the list that an earlier one has begun.
            shown = format!("{} = … {shown}", short(key));
        }
        if !shown.is_empty() {
            shown += ": ";
        }
        Refused::of_place(self.file, place, shown + message)
    }

    /// The value is not what is expected.
    pub fn expected(&self, span: Range<usize>, expected: &str) -> Refused {
        self.refuse(span, &format!("expected {expected}"))
    }

    /// Line of a byte, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.ends.partition_point(|end| *end < offset) + 1
    }

    /// The line in which a byte stands.
    fn line_of(&self, offset: usize) -> Range<usize> {
        let (before, from) = self.text.split_at(offset);
        let length = from.find('\n').unwrap_or(from.len());
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        start..offset + length
    }

    /// The text of a span.
    pub fn text(&self, span: Range<usize>) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    /// True of values that are written as a list, of one value, too.
    pub fn is_list(&self, values: &Values) -> bool {
        self.text(values.span.clone()).starts_with('[')
    }

    /// The value as an integer from `min` to `max`.
    pub fn integer<T: TryFrom<i128> + PartialOrd>(
        &self,
        value: &Spanned<Scalar>,
        (min, max): (T, T),
        expected: &str,
    ) -> Result<T, Refused> {
        let integer = integer_in(self.text(value.span()));
        match integer.map(T::try_from) {
            Some(Ok(integer)) if (min..=max).contains(&integer) => Ok(integer),
            _ => Err(self.expected(value.span(), expected)),
        }
    }

    /// The value as text without control characters.
    pub fn words<'t>(
        &self,
        value: &'t Spanned<Scalar>,
        expected: &str,
    ) -> Result<&'t str, Refused> {
        match value.get_ref().text() {
            Some(text) if !text.contains(char::is_control) => Ok(text),
            _ => Err(self.expected(value.span(), expected)),
        }
    }

    /// The value as one of some known words, which are names of a `what`.
    pub fn word<'w>(
        &self,
        value: &Spanned<Scalar>,
        what: &str,
        known: &[&'w str],
    ) -> Result<&'w str, Refused> {
        let expected = one_of(known);
        let text = self.words(value, &expected)?;
        let found = known.iter().find(|&&word| word == text).copied();
        found.ok_or_else(|| {
            let near = did_you_mean(text, known);
            let text = short(text);
            let message = format!("unknown {what} {text:?}; expected {expected}{near}");
            self.refuse(value.span(), &message)
        })
    }

    /// The value of each of these, at least one; of equal ones one.
    pub fn each<T: PartialEq>(
        &self,
        values: &Values,
        expected: &str,
        of: impl Fn(&Spanned<Scalar>) -> Result<T, Refused>,
    ) -> Result<Vec<T>, Refused> {
        let mut all = Vec::new();
        for item in &values.items {
            let value = of(item)?;
            if !all.contains(&value) {
                all.push(value);
            }
        }
        if all.is_empty() {
            return Err(self.expected(values.span.clone(), expected));
        }
        Ok(all)
    }
}

/// The part of a line in which a place stands, given what stands before and from there.
fn excerpt(before: &str, from: &str) -> String {
    let length = before.chars().count();
    let rest = from.trim_end().chars().count();
    if length + rest <= LONGEST || length < 2 * LONGEST / 3 {
        return short(&[before, from].concat());
    }
    let before: String = before.chars().skip(length - LONGEST / 3).collect();
    format!("…{}", short(&(before + from)))
}
