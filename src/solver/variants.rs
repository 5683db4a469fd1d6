//! Algorithms that come in variants: the choices in which these differ, and the acronym that stands
//! for one choice of each.

use serde::Serialize;

/// A choice in which the variants of an algorithm differ, and the key of a spec that makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Key in the spec.
    pub key: &'static str,
    /// What may be chosen, the default first; in a spec `false` and `true` are booleans, other
    /// words are texts.
    pub words: &'static [&'static str],
    /// One line for `reines list algorithms`.
    pub doc: &'static str,
}

/// The variants of an algorithm.
pub trait Variants: Sync {
    /// Returns the choices in the order of the acronym.
    fn choices(&self) -> &[Choice];

    /// The acronym of the variant that has these words, one of each choice.
    ///
    /// # Errors
    /// Why the words cannot be combined.
    fn acronym(&self, words: &[&str]) -> Result<String, String>;

    /// Checks that `acronym` is that of a variant.
    ///
    /// # Errors
    /// Why it is none.
    fn check(&self, acronym: &str) -> Result<(), String>;

    /// The acronym of the default variant.
    fn default(&self) -> String {
        let words: Vec<&str> = self
            .choices()
            .iter()
            .map(|choice| choice.words[0])
            .collect();
        self.acronym(&words)
            .expect("the first word of every choice goes with the others")
    }

    /// The acronyms of all variants, in the order of the choices' words.
    fn all(&self) -> Vec<String> {
        let mut rows: Vec<Vec<&str>> = vec![Vec::new()];
        for choice in self.choices() {
            let longer = |row: &Vec<_>| {
                let row = row.clone();
                let words = choice.words.iter();
                words.map(move |&word| [&row[..], &[word]].concat())
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        let acronyms = rows.iter().map(|row| self.acronym(row));
        acronyms.filter_map(Result::ok).collect()
    }

    /// Returns whether the variant draws at random: only then do its trials differ.
    fn is_random(&self, acronym: &str) -> bool;
}

/// Variants that differ in one choice, all of them random. The word of the choice is the acronym.
#[derive(Debug)]
pub struct OneChoice(pub [Choice; 1]);

impl Variants for OneChoice {
    fn choices(&self) -> &[Choice] {
        &self.0
    }

    fn acronym(&self, words: &[&str]) -> Result<String, String> {
        let acronym = words.concat();
        self.check(&acronym).map(|()| acronym)
    }

    fn check(&self, acronym: &str) -> Result<(), String> {
        let words = self.0[0].words;
        if words.contains(&acronym) {
            Ok(())
        } else {
            Err(format!(
                "{acronym:?} is no variant; expected {}",
                words.join(", ")
            ))
        }
    }

    fn is_random(&self, _: &str) -> bool {
        true
    }
}
