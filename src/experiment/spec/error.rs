//! What is wrong with an input, and what is expected in its place. Here are the form
//! `file:line:column: message`, the words `found …; expected …` of expressions, and how much of a
//! text a message shows (60 characters).

use std::borrow::Borrow;
use std::fmt;

use itertools::Itertools;
use winnow::stream::Offset;

/// Why an input is refused, in one sentence: a spec, a plan, a template, what a command line names.
/// The one error whose exit code is 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The file as given by whoever asked; empty if the error is in no file.
    pub file: String,
    /// Line and column, from 1; `None` if the error is the whole file's.
    pub place: Option<(usize, usize)>,
    /// Key, value found, what is allowed, and the nearest known word.
    pub message: String,
    /// The errors of other inputs of the same command.
    more: Vec<Refused>,
}

impl Refused {
    /// An error that is in no file, or that names its file itself.
    pub fn new(message: impl Into<String>) -> Self {
        Self::of_file("", message)
    }

    /// An error at a line and column of a file, from 1.
    pub(crate) fn of_place(file: &str, place: (usize, usize), message: impl Into<String>) -> Self {
        Self {
            place: Some(place),
            ..Self::of_file(file, message)
        }
    }

    /// An error of a file as a whole.
    pub(crate) fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            place: None,
            message: message.into(),
            more: Vec::new(),
        }
    }

    /// The same error with more words at its end.
    pub(crate) fn and(mut self, words: &str) -> Self {
        self.message.push_str(words);
        self
    }

    /// One error that tells those of several inputs; none where there are none.
    pub(crate) fn all(errors: Vec<Self>) -> Result<(), Self> {
        let mut errors = errors.into_iter();
        let Some(mut first) = errors.next() else {
            return Ok(());
        };
        first.more.extend(errors);
        Err(first)
    }
}

impl fmt::Display for Refused {
    /// `file:line:column: message`, as compilers and editors write it. The error of each further
    /// input is a line that begins with `error: `, as that of the first does on the terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file, self.message),
            None if self.file.is_empty() => f.write_str(&self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }?;
        for error in &self.more {
            write!(f, "\nerror: {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refused {}

/// What is expected where these words are known.
pub fn one_of(known: &[impl Borrow<str>]) -> String {
    match known {
        [only] => only.borrow().to_owned(),
        known => format!("one of {}", known.join(", ")),
    }
}

/// Characters of a text or line that a message shows.
pub const LONGEST: usize = 60;

/// A text on one short line, in which no blank or control character passes for a space.
pub fn short(text: &str) -> String {
    let words = text.split([' ', '\t', '\n', '\r']);
    let line = words.filter(|word| !word.is_empty()).join(" ");
    let shown = line.chars().map(|c| match c {
        ' ' => " ".to_owned(),
        c if c.is_control() || c.is_whitespace() => c.escape_unicode().to_string(),
        c => c.to_string(),
    });
    let shown: String = shown.collect();
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

/// The error of an expression, a formula or conditions, that cannot go on at `part`, a slice of its
/// text: the place, what stands there, and what is expected. Conditions on moves have the same form
/// (`ConditionError` of the solver).
pub fn wrong_part(text: &str, part: &str, expected: &str) -> String {
    let rest = text[part.offset_from(&text)..].trim_start();
    let before = &text[..text.len() - rest.len()];
    let at = before.chars().count() + 1;
    let found = match (part.trim(), rest.chars().next()) {
        (_, None) => "the end".to_owned(),
        ("", Some(next)) => format!("{:?}", next.to_string()),
        (part, _) => format!("{:?}", short(part)),
    };
    format!("at character {at}: found {found}; expected {expected}")
}
