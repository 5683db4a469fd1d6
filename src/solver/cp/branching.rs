//! Branching: which variable takes which value next.
//!
//! # Adding a heuristic
//! One file with a type that implements [`Branching`] and its [`Heuristic`], its `mod` line, and
//! its place in [`HEURISTICS`].

pub mod lexicographic;

pub mod random;

pub mod min_domain;

pub mod dom_wdeg;

pub mod dual_dom;

use super::domain::{Value, Var};
use super::engine::Engine;
use crate::solver::rng::RandomSource;

/// Every heuristic, one line each, in the order of the lab's table; the first is the default.
pub const HEURISTICS: &[Heuristic] = &[
    lexicographic::HEURISTIC,
    random::HEURISTIC,
    min_domain::HEURISTIC,
    dom_wdeg::HEURISTIC,
    dual_dom::HEURISTIC,
];

/// A heuristic as the table of variants has it.
#[derive(Debug, Clone, Copy)]
pub struct Heuristic {
    /// In the acronym; no two heuristics have the same.
    pub letter: char,
    /// In a spec.
    pub word: &'static str,
    /// It needs the variables of the dual model.
    pub needs_dual: bool,
    /// It draws at random.
    pub is_random: bool,
    /// The branching of one search on a model.
    pub start: for<'a> fn(Choices, &'a mut dyn RandomSource) -> Box<dyn Branching + 'a>,
}

/// What a model gives to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// The decision variables, in order.
    pub decided: Vec<Var>,
    pub primal: Vec<Var>,
    /// Empty where the model has none.
    pub dual: Vec<Var>,
    pub n_constraints: usize,
}

impl PartialEq for Heuristic {
    fn eq(&self, other: &Self) -> bool {
        self.letter == other.letter
    }
}

impl Eq for Heuristic {}

/// `variable = value` in the left branch, `variable ≠ value` in the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    pub variable: Var,
    pub value: Value,
}

/// A rule that chooses the next decision.
pub trait Branching {
    /// The decision at a fixed point; `None` when every decision variable is instantiated.
    fn decide(&mut self, engine: &Engine) -> Option<Decision>;

    /// The constraint with this number has failed.
    fn failed(&mut self, _constraint: usize) {}
}

/// `variable =` its least value.
fn least(variable: Var, engine: &Engine) -> Decision {
    Decision {
        variable,
        value: engine.domains.min(variable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_registered() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/solver/cp/branching");
        let files = std::fs::read_dir(directory).expect("the sources are here");
        let mut stems: Vec<String> = files
            .map(|file| {
                file.expect("readable")
                    .path()
                    .file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .replace('_', "-")
            })
            .collect();
        let mut words: Vec<&str> = HEURISTICS.iter().map(|heuristic| heuristic.word).collect();
        stems.sort();
        words.sort_unstable();
        assert_eq!(
            words, stems,
            "one file and one place in the list per heuristic"
        );
        let mut letters: Vec<char> = HEURISTICS
            .iter()
            .map(|heuristic| heuristic.letter)
            .collect();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), HEURISTICS.len());
    }
}
