//! `experiments/<name>.toml` → [`Spec`]: parsed to a tree with spans, then validated by hand against the axes that each algorithm declares.

use crate::solver::{Algorithm, Axis, Value};

/// A validated experiment.
#[derive(Clone)]
pub struct Spec {
    /// Stem of the file.
    pub name: String,
    pub title: Option<String>,
    pub source: Option<String>,
    /// Independent repetitions, pooled; sorted, without duplicates, never empty.
    pub seeds: Vec<u64>,
    pub sweeps: Vec<Sweep>,
    pub figures: Vec<FigureSpec>,
    /// The file as read, kept beside the results.
    pub text: String,
}

/// A product of axes with one number of trials and one cutoff.
#[derive(Clone)]
pub struct Sweep {
    /// Line of `[[sweep]]` in the file, from 1.
    pub line: usize,
    pub algorithm: &'static dyn Algorithm,
    /// In the order in which the algorithm declares them; values as written, without duplicates.
    pub axes: Vec<(&'static Axis, Vec<Value>)>,
    pub trials: u32,
    /// Updates per trial.
    pub cutoff: u64,
}

/// A figure that the spec asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureSpec {
    pub kind: String,
    /// Stem of the files it is written to.
    pub name: String,
}
