//! The lab's algorithms (Table 1 of the source text): five letters each, `PN_PL`, `AA_DC`, `ABSDW`,
//! …. Decided here: the table of letters and words (model, constraints, symmetry, decisions,
//! branching), the defaults, and the messages of combinations that cannot be, such as dual
//! decisions without the dual model.

use std::fmt;
use std::str::FromStr;

use super::branching::Branching;
use crate::variants::{Choice, Variants};

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

/// One of the lab's algorithms, of which [`VARIANTS`] is the table.
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
    pub branching: Branching,
}

/// The table: the words of each choice, in the order of its type, and their letters.
pub static VARIANTS: Variants = Variants {
    choices: &[
        Choice {
            key: "model",
            words: &["primal", "primal-dual", "naive"],
            letters: "PAX",
            doc: "which variables there are (P, A, X)",
        },
        Choice {
            key: "constraints",
            words: &["neq", "bounds", "domain", "automatic"],
            letters: "NBAS",
            doc: "how the differences are posted and propagated (N, B, A, S)",
        },
        Choice {
            key: "symmetry",
            words: &["false", "true"],
            letters: "_S",
            doc: "C_0 < C_(n-1), one board of each mirrored pair (_, S)",
        },
        Choice {
            key: "decision",
            words: &["primal", "both"],
            letters: "PD",
            doc: "which variables are decided on (P, D)",
        },
        Choice {
            key: "branching",
            words: &[
                "lexicographic",
                "random",
                "min-domain",
                "dom-wdeg",
                "dual-dom",
            ],
            letters: "LRDWC",
            doc: "how the next decision is chosen (L, R, D, W, C)",
        },
    ],
    conflict,
    draws: |indices| Variant::of(indices).branching.is_random(),
};

/// Why a variant cannot be.
fn conflict(indices: &[usize]) -> Option<&'static str> {
    let Variant {
        model,
        constraints,
        decision,
        branching,
        ..
    } = Variant::of(indices);
    if model == Model::Naive && constraints != Constraints::Neq {
        Some("the naive model has its diagonals as binary differences only (constraints N)")
    } else if model != Model::PrimalDual && decision == Decisions::Both {
        Some("only the primal-dual model (A) has dual variables to decide on (decision D)")
    } else if model != Model::PrimalDual && branching.needs_dual() {
        Some("dual-dom (branching C) needs the dual variables of the primal-dual model (A)")
    } else {
        None
    }
}

impl Variant {
    /// The variant of the words of these indices in [`VARIANTS`].
    fn of(indices: &[usize]) -> Self {
        Self {
            model: [Model::Primal, Model::PrimalDual, Model::Naive][indices[0]],
            constraints: [
                Constraints::Neq,
                Constraints::Bounds,
                Constraints::Domain,
                Constraints::Automatic,
            ][indices[1]],
            symmetry: indices[2] == 1,
            decision: [Decisions::Primal, Decisions::Both][indices[3]],
            branching: Branching::ALL[indices[4]],
        }
    }
}

impl FromStr for Variant {
    type Err = String;

    /// The variant with this acronym.
    fn from_str(acronym: &str) -> Result<Self, String> {
        VARIANTS.indices(acronym).map(|indices| Self::of(&indices))
    }
}

impl fmt::Display for Variant {
    /// The acronym.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indices = [
            self.model as usize,
            self.constraints as usize,
            usize::from(self.symmetry),
            self.decision as usize,
            self.branching as usize,
        ];
        f.write_str(&VARIANTS.written(&indices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_are_the_labs() {
        assert_eq!(VARIANTS.default(), "PN_PL");
        let bounds = ["primal-dual", "bounds", "true", "both", "dom-wdeg"];
        let domain = ["primal-dual", "domain", "false", "both", "dual-dom"];
        for (words, acronym) in [(domain, "AA_DC"), (bounds, "ABSDW")] {
            assert_eq!(VARIANTS.acronym(&words).as_deref(), Ok(acronym));
        }
        let automatic: Variant = "AS_DR".parse().expect("one of them");
        assert_eq!(
            (automatic.model, automatic.constraints, automatic.branching),
            (Model::PrimalDual, Constraints::Automatic, Branching::Random)
        );
    }

    /// 4·2·4 primal, 4·2·2·5 primal-dual, 2·4 naive.
    #[test]
    fn every_variant_has_its_acronym() {
        let all = VARIANTS.all();
        assert_eq!(all.len(), 32 + 80 + 8);
        for acronym in all {
            let variant: Variant = acronym.parse().expect("one of them");
            assert_eq!(variant.to_string(), acronym);
        }
    }

    #[test]
    fn every_word_has_its_letter_and_the_doc_says_it() {
        for choice in VARIANTS.choices {
            let letters: Vec<String> = choice.letters.chars().map(String::from).collect();
            assert_eq!(letters.len(), choice.words.len(), "{}", choice.key);
            assert!(choice.doc.ends_with(&format!("({})", letters.join(", "))));
        }
    }

    #[test]
    fn what_cannot_be_says_why() {
        let message = |acronym: &str| acronym.parse::<Variant>().expect_err("refused");
        assert!(message("PN_P").contains("expected one letter each for model, constraints"));
        assert!(
            message("PQ_PL").contains("letter for constraints is Q; expected one of N, B, A, S")
        );
        assert!(message("XB_PL").starts_with("XB_PL cannot be: the naive model"));
        assert!(message("PN_DL").contains("decision D"));
        assert!(message("PN_PC").contains("branching C"));
    }
}
