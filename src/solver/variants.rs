//! Algorithms that come in variants: a table of the choices in which these differ, and the acronym
//! that stands for one word of each. Here are the messages of an unknown or impossible variant, and
//! which variant is the default; the tables are in `cp/variant.rs` and `synchronous.rs`. Conditions
//! of local rules are in `local/condition.rs`.

use serde::Serialize;

/// A choice in which the variants of an algorithm differ, and the key of a spec that makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Key in the spec.
    pub key: &'static str,
    /// What may be chosen, the default first; in a spec `false` and `true` are booleans, other
    /// words are texts.
    pub words: &'static [&'static str],
    /// What stands for each word in the acronym; empty where it is the word itself.
    #[serde(skip)]
    pub letters: &'static str,
    /// One line for `reines list algorithms`.
    pub doc: &'static str,
}

/// The variants of an algorithm: one word of each choice. A variant is named by its acronym, and in
/// code by the index of the word of each choice.
#[derive(Debug)]
pub struct Variants {
    /// The choices in the order of the acronym: one without letters, or several with a letter for
    /// each word.
    pub choices: &'static [Choice],
    /// Why the words of these indices cannot be combined; `None` where they can.
    pub conflict: fn(&[usize]) -> Option<&'static str>,
    /// True if the variant draws at random: only then do its trials differ.
    pub draws: fn(&[usize]) -> bool,
}

impl Variants {
    /// Variants that differ in this choice alone, all of them random.
    pub const fn random(choice: &'static [Choice; 1]) -> Self {
        Self {
            choices: choice,
            conflict: |_| None,
            draws: |_| true,
        }
    }

    /// The index of each choice's word in the variant with this acronym.
    ///
    /// # Errors
    /// Why there is none.
    pub fn indices(&self, acronym: &str) -> Result<Vec<usize>, String> {
        if let [
            Choice {
                words, letters: "", ..
            },
        ] = self.choices
        {
            let index = words.iter().position(|word| *word == acronym);
            let words = words.join(", ");
            let unknown = || format!("unknown variant; expected one of {words}");
            return index.map(|index| vec![index]).ok_or_else(unknown);
        }
        if acronym.chars().count() != self.choices.len() {
            let keys: Vec<&str> = self.choices.iter().map(|choice| choice.key).collect();
            return Err(format!(
                "unknown variant; expected one letter each for {}, such as {}",
                keys.join(", "),
                self.default()
            ));
        }
        let index = |(letter, choice): (char, &Choice)| {
            let unknown = || {
                let letters: Vec<String> = choice.letters.chars().map(String::from).collect();
                format!(
                    "unknown variant: its letter for {} is {letter}; expected one of {}",
                    choice.key,
                    letters.join(", ")
                )
            };
            let found = choice.letters.chars().position(|char| char == letter);
            found.ok_or_else(unknown)
        };
        let indices = acronym.chars().zip(self.choices).map(index);
        let indices = indices.collect::<Result<Vec<usize>, _>>()?;
        match (self.conflict)(&indices) {
            Some(why) => Err(format!("{acronym} cannot be: {why}")),
            None => Ok(indices),
        }
    }

    /// The acronym of the words of these indices, whether or not they can be combined.
    pub fn written(&self, indices: &[usize]) -> String {
        let word = |(choice, &index): (&Choice, &usize)| match choice.letters.chars().nth(index) {
            Some(letter) => letter.to_string(),
            None => choice.words[index].to_owned(),
        };
        self.choices.iter().zip(indices).map(word).collect()
    }

    /// The acronym of the variant that has these words, one of each choice.
    ///
    /// # Errors
    /// Why the words cannot be combined.
    pub fn acronym(&self, words: &[&str]) -> Result<String, String> {
        let index = |(choice, word): (&Choice, &&str)| {
            let unknown = || format!("{word:?}: unknown {}", choice.key);
            let found = choice.words.iter().position(|known| known == word);
            found.ok_or_else(unknown)
        };
        let indices = self.choices.iter().zip(words).map(index);
        let acronym = self.written(&indices.collect::<Result<Vec<usize>, _>>()?);
        self.indices(&acronym).map(|_| acronym)
    }

    /// The acronym of the default variant: the first word of every choice.
    pub fn default(&self) -> String {
        self.written(&vec![0; self.choices.len()])
    }

    /// The acronyms of all variants, in the order of the choices' words.
    pub fn all(&self) -> Vec<String> {
        let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
        for choice in self.choices {
            let longer = |row: &Vec<usize>| {
                let row = row.clone();
                (0..choice.words.len()).map(move |index| [&row[..], &[index]].concat())
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        rows.retain(|row| (self.conflict)(row).is_none());
        rows.iter().map(|row| self.written(row)).collect()
    }

    /// True if the variant with this acronym draws at random.
    pub fn is_random(&self, acronym: &str) -> bool {
        self.indices(acronym)
            .is_ok_and(|indices| (self.draws)(&indices))
    }
}
