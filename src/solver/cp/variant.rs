//! The lab's algorithms (Table 1 of the source text): five letters each, `PN_PL`, `AA_DC`, `ABSDW`,
//! ….

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::branching::HEURISTICS;
use super::heuristic::Heuristic;
use crate::solver::variants::{Choice, Variants};

/// Which variables there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Model {
    /// P: `C_i`, the column of the queen on line i.
    Primal,
    /// A: these, and `L_j`, the line of the queen on column j.
    PrimalDual,
    /// X: `L_i` and `C_i`, line and column of the queen with number i; n! labellings of each board.
    Naive,
}

/// How the differences are posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constraints {
    /// N: binary differences.
    Neq,
    /// B: `all_different`, bounds consistent.
    Bounds,
    /// A: `all_different`, domain consistent.
    Domain,
    /// S: `all_different`, consistency chosen by
    /// [`automatic`](super::propagator::all_different::automatic).
    Automatic,
}

/// Which variables are decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decisions {
    /// P: all but the dual ones.
    Primal,
    /// D: the primal, then the dual ones.
    Both,
}

/// One of the lab's algorithms. The default is its default, `PN_PL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// Which variables there are.
    pub model: Model,
    /// How the differences are posted.
    pub constraints: Constraints,
    /// S: `C_0 < C_(n−1)`, one of each mirrored pair of boards; nothing at n = 1.
    pub symmetry: bool,
    /// Which variables are decided on.
    pub decision: Decisions,
    /// How the next decision is chosen.
    pub branching: &'static Heuristic,
}

/// A choice of the table: its letter, its word in a spec, and itself.
type Letters<T> = &'static [(char, &'static str, T)];

/// The letters of the models.
pub const MODELS: Letters<Model> = &[
    ('P', "primal", Model::Primal),
    ('A', "primal-dual", Model::PrimalDual),
    ('X', "naive", Model::Naive),
];

/// The letters of the constraints.
pub const CONSTRAINTS: Letters<Constraints> = &[
    ('N', "neq", Constraints::Neq),
    ('B', "bounds", Constraints::Bounds),
    ('A', "domain", Constraints::Domain),
    ('S', "automatic", Constraints::Automatic),
];

/// The letters of the broken symmetry.
pub const SYMMETRY: Letters<bool> = &[('_', "false", false), ('S', "true", true)];

/// The letters of the decisions.
pub const DECISIONS: Letters<Decisions> = &[
    ('P', "primal", Decisions::Primal),
    ('D', "both", Decisions::Both),
];

/// Why letters make no variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// Not five letters.
    #[error(
        "\"{0}\" is no variant: five letters for model, constraints, symmetry, decision and branching, such as PN_PL"
    )]
    Length(String),
    /// A letter without a meaning.
    #[error(
        "\"{acronym}\" is no variant: its letter for {choice} is {letter}, not one of {allowed}"
    )]
    Letter {
        /// All the letters.
        acronym: String,
        /// The choice that the letter is for.
        choice: &'static str,
        /// The letter.
        letter: char,
        /// The letters that the choice has.
        allowed: String,
    },
    /// The naive model with other constraints than binary differences.
    #[error(
        "{0} cannot be: the naive model has its diagonals as binary differences only (constraints N)"
    )]
    NaiveGlobal(String),
    /// Dual variables are decided on, where there are none.
    #[error(
        "{0} cannot be: only the primal-dual model (A) has dual variables to decide on (decision D)"
    )]
    NoDualDecision(String),
    /// A branching that needs dual variables, where there are none.
    #[error(
        "{0} cannot be: dual-dom (branching C) needs the dual variables of the primal-dual model (A)"
    )]
    NoDualBranching(String),
}

impl Variant {
    /// A variant of these choices.
    ///
    /// # Errors
    /// [`VariantError`] when they cannot be combined.
    pub fn new(
        model: Model,
        constraints: Constraints,
        symmetry: bool,
        decision: Decisions,
        branching: &'static Heuristic,
    ) -> Result<Self, VariantError> {
        let variant = Self {
            model,
            constraints,
            symmetry,
            decision,
            branching,
        };
        let refused = |why: fn(String) -> VariantError| Err(why(variant.to_string()));
        if model == Model::Naive && constraints != Constraints::Neq {
            refused(VariantError::NaiveGlobal)
        } else if model != Model::PrimalDual && decision == Decisions::Both {
            refused(VariantError::NoDualDecision)
        } else if model != Model::PrimalDual && branching.needs_dual {
            refused(VariantError::NoDualBranching)
        } else {
            Ok(variant)
        }
    }

    /// Every variant, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        let models = MODELS
            .iter()
            .flat_map(|m| CONSTRAINTS.iter().map(move |c| (m.2, c.2)));
        let posted = models.flat_map(|(m, c)| SYMMETRY.iter().map(move |s| (m, c, s.2)));
        let decided = posted.flat_map(|(m, c, s)| DECISIONS.iter().map(move |d| (m, c, s, d.2)));
        decided.flat_map(|(m, c, s, d)| {
            HEURISTICS
                .iter()
                .filter_map(move |b| Self::new(m, c, s, d, b).ok())
        })
    }
}

impl Default for Variant {
    fn default() -> Self {
        Self {
            model: Model::Primal,
            constraints: Constraints::Neq,
            symmetry: false,
            decision: Decisions::Primal,
            branching: &HEURISTICS[0],
        }
    }
}

impl fmt::Display for Variant {
    /// The acronym.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = [
            letter(MODELS, &self.model),
            letter(CONSTRAINTS, &self.constraints),
            letter(SYMMETRY, &self.symmetry),
            letter(DECISIONS, &self.decision),
            self.branching.letter,
        ];
        f.write_str(&letters.iter().collect::<String>())
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(acronym: &str) -> Result<Self, VariantError> {
        let letters: Vec<char> = acronym.chars().collect();
        let &[m, c, s, d, b] = &letters[..] else {
            return Err(VariantError::Length(acronym.to_owned()));
        };
        Self::new(
            choice(MODELS, "model", m, acronym)?,
            choice(CONSTRAINTS, "constraints", c, acronym)?,
            choice(SYMMETRY, "symmetry", s, acronym)?,
            choice(DECISIONS, "decision", d, acronym)?,
            heuristic(b, acronym)?,
        )
    }
}

fn letter<T: PartialEq>(letters: Letters<T>, choice: &T) -> char {
    letters
        .iter()
        .find(|entry| entry.2 == *choice)
        .map_or('?', |entry| entry.0)
}

fn choice<T: Copy>(
    letters: Letters<T>,
    choice: &'static str,
    letter: char,
    acronym: &str,
) -> Result<T, VariantError> {
    let found = letters
        .iter()
        .find(|entry| entry.0 == letter)
        .map(|entry| entry.2);
    found.ok_or_else(|| no_letter(acronym, choice, letter, letters.iter().map(|entry| entry.0)))
}

fn heuristic(letter: char, acronym: &str) -> Result<&'static Heuristic, VariantError> {
    let found = HEURISTICS
        .iter()
        .find(|heuristic| heuristic.letter == letter);
    found.ok_or_else(|| {
        no_letter(
            acronym,
            "branching",
            letter,
            HEURISTICS.iter().map(|heuristic| heuristic.letter),
        )
    })
}

fn no_letter(
    acronym: &str,
    choice: &'static str,
    letter: char,
    allowed: impl Iterator<Item = char>,
) -> VariantError {
    let allowed = allowed.map(String::from).collect::<Vec<_>>().join(", ");
    VariantError::Letter {
        acronym: acronym.to_owned(),
        choice,
        letter,
        allowed,
    }
}

/// The variants as the registry has them.
pub struct Acronyms;

impl Variants for Acronyms {
    fn choices(&self) -> &[Choice] {
        static CHOICES: LazyLock<[Choice; 5]> = LazyLock::new(|| {
            let letters = HEURISTICS
                .iter()
                .map(|heuristic| heuristic.letter.to_string());
            let letters: Vec<String> = letters.collect();
            [
                entry("model", MODELS, "which variables there are (P, A, X)"),
                entry(
                    "constraints",
                    CONSTRAINTS,
                    "how the differences are posted and propagated (N, B, A, S)",
                ),
                entry(
                    "symmetry",
                    SYMMETRY,
                    "C_0 < C_(n-1), one board of each mirrored pair (_, S)",
                ),
                entry(
                    "decision",
                    DECISIONS,
                    "which variables are decided on (P, D)",
                ),
                Choice {
                    key: "branching",
                    words: HEURISTICS.iter().map(|heuristic| heuristic.word).collect(),
                    // Not written out: a new heuristic would change this file.
                    doc: format!("how the next decision is chosen ({})", letters.join(", ")).leak(),
                },
            ]
        });
        &*CHOICES
    }

    fn acronym(&self, words: &[&str]) -> Result<String, String> {
        let [model, constraints, symmetry, decision, branching] = words else {
            return Err(format!(
                "{} words, where a variant is 5 choices",
                words.len()
            ));
        };
        let variant = Variant::new(
            named(MODELS, model)?,
            named(CONSTRAINTS, constraints)?,
            named(SYMMETRY, symmetry)?,
            named(DECISIONS, decision)?,
            HEURISTICS
                .iter()
                .find(|heuristic| heuristic.word == *branching)
                .ok_or_else(|| unknown(branching))?,
        );
        variant
            .map(|variant| variant.to_string())
            .map_err(|error| error.to_string())
    }

    fn check(&self, acronym: &str) -> Result<(), String> {
        acronym
            .parse::<Variant>()
            .map(drop)
            .map_err(|error| error.to_string())
    }

    fn is_random(&self, acronym: &str) -> bool {
        acronym
            .parse()
            .is_ok_and(|variant: Variant| variant.branching.is_random)
    }
}

fn entry<T>(key: &'static str, letters: Letters<T>, doc: &'static str) -> Choice {
    Choice {
        key,
        words: letters.iter().map(|entry| entry.1).collect(),
        doc,
    }
}

fn named<T: Copy>(letters: Letters<T>, word: &str) -> Result<T, String> {
    let found = letters
        .iter()
        .find(|entry| entry.1 == word)
        .map(|entry| entry.2);
    found.ok_or_else(|| unknown(word))
}

fn unknown(word: &str) -> String {
    format!("\"{word}\" is no word of this choice")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branching(word: &str) -> &'static Heuristic {
        HEURISTICS
            .iter()
            .find(|heuristic| heuristic.word == word)
            .expect("a heuristic")
    }

    #[test]
    fn acronyms_are_the_labs() {
        assert_eq!(Variant::default().to_string(), "PN_PL");
        let named = |model, constraints, symmetry, decision, branching| {
            Variant::new(model, constraints, symmetry, decision, branching)
                .map(|variant| variant.to_string())
        };
        let dual = named(
            Model::PrimalDual,
            Constraints::Domain,
            false,
            Decisions::Both,
            branching("dual-dom"),
        );
        assert_eq!(dual.as_deref(), Ok("AA_DC"));
        let weighted = named(
            Model::PrimalDual,
            Constraints::Bounds,
            true,
            Decisions::Both,
            branching("dom-wdeg"),
        );
        assert_eq!(weighted.as_deref(), Ok("ABSDW"));
    }

    /// 4·2·4 primal, 4·2·2·5 primal-dual, 2·4 naive.
    #[test]
    fn every_variant_has_its_acronym() {
        let all: Vec<Variant> = Variant::all().collect();
        assert_eq!(all.len(), 32 + 80 + 8);
        for variant in all {
            assert_eq!(variant.to_string().parse(), Ok(variant));
        }
    }

    #[test]
    fn what_cannot_be_says_why() {
        let message = |acronym: &str| acronym.parse::<Variant>().expect_err("refused").to_string();
        assert!(message("PN_P").contains("five letters"));
        assert!(message("PQ_PL").contains("letter for constraints is Q, not one of N, B, A, S"));
        assert!(message("XB_PL").starts_with("XB_PL cannot be: the naive model"));
        assert!(message("PN_DL").contains("decision D"));
        assert!(message("PN_PC").contains("branching C"));
    }
}
