//! What is wrong with a spec, and the word that was probably meant.

use std::fmt;

/// The one thing that is reported about a spec that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// As given by whoever asked.
    pub file: String,
    /// From 1; `None` when the error is the whole file's.
    pub line: Option<usize>,
    /// Key, value found, what is allowed, and the nearest known word.
    pub message: String,
}

impl SpecError {
    /// An error of the file as a whole.
    pub(super) fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            message: message.into(),
        }
    }
}

impl fmt::Display for SpecError {
    /// `file:line: message`, as compilers and editors write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for SpecError {}

/// `; did you mean "…"?` for the known word nearest to `word`, empty if none is near enough.
pub(super) fn did_you_mean(word: &str, known: &[&str]) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
}

/// Similarity (Jaro–Winkler) from which a word counts as a slip of the pen for another.
const NEAR: f64 = 0.8;

/// Longest word that is compared, since the comparison is quadratic.
const LONGEST_WORD: usize = 64;

fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let word = word.to_lowercase();
    let scored = known
        .iter()
        .map(|&candidate| (strsim::jaro_winkler(&word, candidate), candidate));
    scored
        .filter(|(score, _)| *score >= NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_word_and_strangers_do_not() {
        let known = ["algorithm", "trials", "cutoff", "n", "epsilon", "eta"];
        for (slip, word) in [
            ("epslon", "epsilon"),
            ("eps", "epsilon"),
            ("algoritm", "algorithm"),
            ("Trials", "trials"),
            ("cut_off", "cutoff"),
        ] {
            assert_eq!(nearest(slip, &known), Some(word), "{slip}");
        }
        for stranger in ["", "x", "colour", "timeout", &"epsilon".repeat(1000)] {
            assert_eq!(nearest(stranger, &known), None, "{stranger}");
        }
    }
}
