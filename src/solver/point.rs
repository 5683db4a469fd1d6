//! Where a trial stands: an algorithm, and a value on each of its axes.

use std::collections::BTreeMap;
use std::fmt;

use super::goal::Goal;
use super::registry::algorithm;

/// A parameter of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Key in the spec and column in the results.
    pub name: &'static str,
    pub domain: Domain,
    pub doc: &'static str,
}

/// The values that an axis allows, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    Integer { min: u64, max: u64 },
    Real { min: f64, max: f64 },
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            Self::Real { min, max } => write!(f, "a number from {min} to {max}"),
        }
    }
}

/// A value on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Integer(u64),
    /// Never NaN and never −0: [`Value::real`] is the way in.
    Real(f64),
}

impl Value {
    /// A real value, −0 taken as 0.
    ///
    /// # Panics
    /// On NaN, which no axis allows.
    pub fn real(value: f64) -> Self {
        assert!(!value.is_nan(), "NaN is on no axis");
        Self::Real(value + 0.0)
    }
}

impl fmt::Display for Value {
    /// Shortest decimal that parses to the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
        }
    }
}

/// An algorithm and a value for each of its axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Registry name.
    pub algorithm: &'static str,
    /// The variant's acronym, empty where the algorithm has none.
    pub variant: String,
    /// Axis name → value; ordered by name, as the stream's encoding needs it.
    pub values: BTreeMap<&'static str, Value>,
    /// What a search is for; `None` where there is none. Not part of the stream.
    pub goal: Option<Goal>,
}

impl Point {
    pub fn new(
        algorithm: &'static str,
        values: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Self {
        Self {
            algorithm,
            variant: String::new(),
            values: values.into_iter().collect(),
            goal: None,
        }
    }

    /// The integer on axis `name`, if the point has one there.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.values.get(name) {
            Some(Value::Integer(value)) => Some(*value),
            _ => None,
        }
    }

    /// The real number on axis `name`, if the point has one there.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.values.get(name) {
            Some(Value::Real(value)) => Some(*value),
            _ => None,
        }
    }
}

impl fmt::Display for Point {
    /// `pair n=8 epsilon=0.01`: the axes in the order in which the algorithm declares them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm)?;
        if !self.variant.is_empty() {
            write!(f, " {}", self.variant)?;
        }
        let declared = algorithm(self.algorithm).map_or(&[][..], |algorithm| algorithm.axes());
        for axis in declared {
            if let Some(value) = self.values.get(axis.name) {
                write!(f, " {}={value}", axis.name)?;
            }
        }
        self.goal
            .map_or(Ok(()), |goal| write!(f, " goal={}", goal.name()))
    }
}
