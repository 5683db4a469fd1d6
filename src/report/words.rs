//! The words of a figure in the words of its spec: fixed lines of legend, caption, axes and tips,
//! each by what stands in its place. Here are how `words` of a figure replace phrases (the longest
//! first) and the messages of a phrase that has no meaning.
//!
//! `points` has points in words, `number` numbers for readers, `left_out` what a figure does not
//! show. Words that a figure says are a format: `[figure.words]` of others has them.

pub(crate) mod left_out;
pub(crate) mod number;
pub(crate) mod points;

use std::collections::BTreeMap;

/// What stands for a part of a line that varies.
const VARYING: &str = "{}";

/// Phrases, each with what is said in its place; the longest first.
#[derive(Debug, Clone, Default)]
pub struct Words(Vec<Phrase>);

#[derive(Debug, Clone)]
struct Phrase {
    /// What stands between the parts that vary, at least the beginning.
    fixed: Vec<String>,
    /// The same of what is said instead.
    instead: Vec<String>,
}

/// Why a pair of phrases has no meaning, if it has none.
pub fn refused(from: &str, to: &str) -> Option<String> {
    let count = from.matches(VARYING).count();
    let others = to.matches(VARYING).count();
    if from.trim().is_empty() || from.starts_with(VARYING) {
        return Some(format!(
            "{from:?}: expected a phrase that begins with a word"
        ));
    }
    (count != others).then(|| format!("{to:?}: expected {{}} as often as in {from:?}"))
}

impl Words {
    pub fn of(choices: &BTreeMap<String, String>) -> Self {
        let parts = |text: &str| text.split(VARYING).map(str::to_owned).collect();
        let phrases = choices.iter().map(|(from, to)| Phrase {
            fixed: parts(from),
            instead: parts(to),
        });
        let mut phrases: Vec<Phrase> = phrases.collect();
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.fixed.concat().len()));
        Self(phrases)
    }

    /// True if every text stays as it is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with every phrase replaced, from its beginning on; what is said instead stays as it
    /// is. A phrase begins and ends with a whole word.
    pub fn said(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        let mut is_inside = false;
        while let Some(sign) = rest.chars().next() {
            let found = self.0.iter().filter(|_| !is_inside);
            let found = found.map(|phrase| (phrase, phrase.at_start_of(rest)));
            let first = found.filter_map(|(phrase, at)| Some((phrase, at?))).next();
            if let Some((phrase, (varying, length))) = first {
                let parts: Vec<String> = varying.iter().map(|part| self.said(part)).collect();
                said += &phrase.with(&parts, sign.is_uppercase());
                rest = &rest[length..];
                is_inside = false;
                continue;
            }
            is_inside = sign.is_alphanumeric();
            said.push(sign);
            rest = &rest[sign.len_utf8()..];
        }
        said
    }
}

impl Phrase {
    /// What varies in the phrase where a text begins with it, and how long it is there.
    fn at_start_of<'t>(&self, text: &'t str) -> Option<(Vec<&'t str>, usize)> {
        let first = &self.fixed[0];
        let begin = text.get(..first.len())?;
        let is_same = begin == first || begin == crate::report::words::points::capital(first);
        let mut end = first.len();
        let mut varying = Vec::new();
        for next in &self.fixed[1..] {
            let line = text[end..].split('\n').next().unwrap_or_default();
            let length = match &**next {
                "" => line.find(';').unwrap_or(line.len()),
                next => line.find(next)?,
            };
            varying.push(&line[..length]);
            end += length + next.len();
        }
        let is_word = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        let is_cut = is_word(text[..end].chars().last()) && is_word(text[end..].chars().next());
        (is_same && !is_cut).then_some((varying, end))
    }

    /// What is said instead, with these parts.
    fn with(&self, varying: &[String], is_capital: bool) -> String {
        let mut said = self.instead[0].clone();
        for (part, next) in varying.iter().zip(&self.instead[1..]) {
            said += part;
            said += next;
        }
        let mut signs = said.chars();
        match signs.next().filter(|_| is_capital) {
            Some(first) => first.to_uppercase().chain(signs).collect(),
            None => said,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_replaced_word_by_word() {
        let choices = [
            ("mean", "moyenne"),
            ("mean time", "temps moyen"),
            ("shown: {} of {} points", "montrés : {} points sur {}"),
            ("of", "de"),
            ("rule {}", "règle {}"),
        ];
        let choices = choices.map(|(from, to)| (from.to_owned(), to.to_owned()));
        let words = Words::of(&BTreeMap::from(choices));
        for (text, said) in [
            (
                "mean time; meanwhile, mean",
                "temps moyen; meanwhile, moyenne",
            ),
            ("Mean time of n", "Temps moyen de n"),
            ("shown: 4 of 30 points", "montrés : 4 points sur 30"),
            ("rule of mean; of", "règle de moyenne; de"),
            ("a coof", "a coof"),
        ] {
            assert_eq!(words.said(text), said);
        }
        assert_eq!(Words::default().said("mean of n³"), "mean of n³");
        assert!(refused("{} trials", "{} essais").is_some());
        assert!(refused("a {}", "b").is_some() && refused("a {}", "{} b").is_none());
    }
}
