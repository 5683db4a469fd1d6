//! The lab's algorithms (Table 1 of the source text): five letters each, `PN_PL`, `AA_DC`, `ABSDW`,
//! ….

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::branching::HEURISTICS;
use super::heuristic::Heuristic;
use crate::solver::variants::{Choice, Variants};

/// The variables of a model.
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

/// The variables that are decided on.
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
    /// The variables of the model.
    pub model: Model,
    /// How the differences are posted.
    pub constraints: Constraints,
    /// S: `C_0 < C_(n−1)`, one of each mirrored pair of boards; nothing at n = 1.
    pub symmetry: bool,
    /// The variables that are decided on.
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

/// The letters of the heuristics.
static BRANCHINGS: LazyLock<Vec<(char, &str, &Heuristic)>> = LazyLock::new(|| {
    let entry = |heuristic: &'static Heuristic| (heuristic.letter, heuristic.word, heuristic);
    HEURISTICS.iter().map(entry).collect()
});

impl Variant {
    /// A variant of these choices.
    ///
    /// # Errors
    /// Why they cannot be combined.
    pub fn new(
        model: Model,
        constraints: Constraints,
        symmetry: bool,
        decision: Decisions,
        branching: &'static Heuristic,
    ) -> Result<Self, String> {
        let variant = Self {
            model,
            constraints,
            symmetry,
            decision,
            branching,
        };
        let why = if model == Model::Naive && constraints != Constraints::Neq {
            "the naive model has its diagonals as binary differences only (constraints N)"
        } else if model != Model::PrimalDual && decision == Decisions::Both {
            "only the primal-dual model (A) has dual variables to decide on (decision D)"
        } else if model != Model::PrimalDual && branching.needs_dual {
            "dual-dom (branching C) needs the dual variables of the primal-dual model (A)"
        } else {
            return Ok(variant);
        };
        Err(format!("{variant} cannot be: {why}"))
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
    type Err = String;

    fn from_str(acronym: &str) -> Result<Self, String> {
        let letters: Vec<char> = acronym.chars().collect();
        let &[m, c, s, d, b] = &letters[..] else {
            return Err(format!(
                "\"{acronym}\" is no variant: five letters for model, constraints, symmetry, \
                 decision and branching, such as PN_PL"
            ));
        };
        Self::new(
            of_letter(MODELS, "model", m, acronym)?,
            of_letter(CONSTRAINTS, "constraints", c, acronym)?,
            of_letter(SYMMETRY, "symmetry", s, acronym)?,
            of_letter(DECISIONS, "decision", d, acronym)?,
            of_letter(&BRANCHINGS, "branching", b, acronym)?,
        )
    }
}

fn letter<T: PartialEq>(letters: &[(char, &str, T)], choice: &T) -> char {
    let entry = letters.iter().find(|entry| entry.2 == *choice);
    entry.map_or('?', |entry| entry.0)
}

fn of_letter<T: Copy>(
    letters: &[(char, &str, T)],
    choice: &str,
    letter: char,
    acronym: &str,
) -> Result<T, String> {
    let found = letters.iter().find(|entry| entry.0 == letter);
    found.map(|entry| entry.2).ok_or_else(|| {
        let allowed = joined(letters);
        format!(
            "\"{acronym}\" is no variant: its letter for {choice} is {letter}, not one of {allowed}"
        )
    })
}

fn of_word<T>(letters: &[(char, &str, T)], word: &str) -> Result<char, String> {
    let found = letters.iter().find(|entry| entry.1 == word);
    let unknown = || format!("\"{word}\" is no word of this choice");
    found.map(|entry| entry.0).ok_or_else(unknown)
}

fn joined<T>(letters: &[(char, &str, T)]) -> String {
    let letters = letters.iter().map(|entry| entry.0.to_string());
    letters.collect::<Vec<_>>().join(", ")
}

/// The variants as the registry has them.
pub struct Acronyms;

impl Variants for Acronyms {
    fn choices(&self) -> &[Choice] {
        fn choice<T>(key: &'static str, letters: &[(char, &'static str, T)], doc: &str) -> Choice {
            Choice {
                key,
                words: letters.iter().map(|it| it.1).collect::<Vec<_>>().leak(),
                // The letters are not written out: a new heuristic would change this file.
                doc: format!("{doc} ({})", joined(letters)).leak(),
            }
        }
        static CHOICES: LazyLock<[Choice; 5]> = LazyLock::new(|| {
            [
                choice("model", MODELS, "which variables there are"),
                choice(
                    "constraints",
                    CONSTRAINTS,
                    "how the differences are posted and propagated",
                ),
                choice(
                    "symmetry",
                    SYMMETRY,
                    "C_0 < C_(n-1), one board of each mirrored pair",
                ),
                choice("decision", DECISIONS, "which variables are decided on"),
                choice("branching", &BRANCHINGS, "how the next decision is chosen"),
            ]
        });
        &*CHOICES
    }

    fn acronym(&self, words: &[&str]) -> Result<String, String> {
        let [model, constraints, symmetry, decision, branching] = words else {
            let found = words.len();
            return Err(format!("{found} words, where a variant is 5 choices"));
        };
        let letters = [
            of_word(MODELS, model)?,
            of_word(CONSTRAINTS, constraints)?,
            of_word(SYMMETRY, symmetry)?,
            of_word(DECISIONS, decision)?,
            of_word(&BRANCHINGS, branching)?,
        ];
        let acronym: String = letters.iter().collect();
        self.check(&acronym).map(|()| acronym)
    }

    fn check(&self, acronym: &str) -> Result<(), String> {
        acronym.parse().map(|_: Variant| ())
    }

    fn is_random(&self, acronym: &str) -> bool {
        let variant = acronym.parse();
        variant.is_ok_and(|variant: Variant| variant.branching.is_random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_are_the_labs() {
        assert_eq!(Variant::default().to_string(), "PN_PL");
        let bounds = ["primal-dual", "bounds", "true", "both", "dom-wdeg"];
        let domain = ["primal-dual", "domain", "false", "both", "dual-dom"];
        for (words, acronym) in [(domain, "AA_DC"), (bounds, "ABSDW")] {
            assert_eq!(Acronyms.acronym(&words).as_deref(), Ok(acronym));
        }
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
        let message = |acronym: &str| acronym.parse::<Variant>().expect_err("refused");
        assert!(message("PN_P").contains("five letters"));
        assert!(message("PQ_PL").contains("letter for constraints is Q, not one of N, B, A, S"));
        assert!(message("XB_PL").starts_with("XB_PL cannot be: the naive model"));
        assert!(message("PN_DL").contains("decision D"));
        assert!(message("PN_PC").contains("branching C"));
    }
}
