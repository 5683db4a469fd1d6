//! What a trial depends on besides its index, the seed and the dynamics: an algorithm, and a value
//! on each of its axes.

use std::fmt;

use super::goal::Goal;

/// A parameter of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Key in the spec and column in the results.
    pub name: &'static str,
    /// The values that it allows.
    pub domain: Domain,
    /// One line for `reines list --algorithms`.
    pub doc: &'static str,
}

/// The values that an axis allows, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// Integers.
    Integer {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// Real numbers.
    Real {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
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
    /// On an axis of integers.
    Integer(u64),
    /// On an axis of real numbers; never NaN and never −0 when made by [`Value::real`].
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

/// A value for each of some axes, in the order in which the algorithm declares them. Two are equal
/// when they have the same values by name.
#[derive(Debug, Clone, Default)]
pub struct AxisValues(Vec<(&'static str, Value)>);

impl AxisValues {
    /// The value on axis `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(axis, _)| *axis == name);
        found.map(|(_, value)| value)
    }

    /// Axis name and value, in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> {
        self.0.iter().copied()
    }

    /// Axis name and value, in the order of the names: the order of the stream's encoding and of
    /// the plan's hash.
    pub fn by_name(&self) -> Vec<(&'static str, Value)> {
        let mut values = self.0.clone();
        values.sort_unstable_by_key(|&(name, _)| name);
        values
    }
}

impl FromIterator<(&'static str, Value)> for AxisValues {
    /// Of two values for one axis the last counts.
    fn from_iter<I: IntoIterator<Item = (&'static str, Value)>>(given: I) -> Self {
        let mut values: Vec<(&'static str, Value)> = Vec::new();
        for (name, value) in given {
            match values.iter_mut().find(|(axis, _)| *axis == name) {
                Some(known) => known.1 = value,
                None => values.push((name, value)),
            }
        }
        Self(values)
    }
}

impl PartialEq for AxisValues {
    fn eq(&self, other: &Self) -> bool {
        self.by_name() == other.by_name()
    }
}

/// An algorithm and a value for each of its axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Registry name.
    pub algorithm: &'static str,
    /// The variant's acronym, empty where the algorithm has none.
    pub variant: String,
    /// A value on each axis.
    pub values: AxisValues,
    /// What a search is for; `None` where there is none. Not part of the stream.
    pub goal: Option<Goal>,
}

impl Point {
    /// A point without variant and goal; `values` in the order in which the algorithm declares its
    /// axes.
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
        for (name, value) in self.values.iter() {
            write!(f, " {name}={value}")?;
        }
        self.goal
            .map_or(Ok(()), |goal| write!(f, " goal={}", goal.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of axes that no algorithm has: printed as given, equal and encoded by name.
    #[test]
    fn order_shows_in_print_only() {
        let given = [("tau", Value::real(0.5)), ("alpha", Value::Integer(3))];
        let point = Point::new("any", given);
        let turned = Point::new("any", [given[1], given[0]]);
        assert_eq!(point.to_string(), "any tau=0.5 alpha=3");
        assert_eq!(turned.to_string(), "any alpha=3 tau=0.5");
        assert_eq!(point, turned);
        assert_eq!(point.values.by_name(), turned.values.by_name());
        assert_eq!(point.values.by_name()[0].0, "alpha");
        let other = Point::new("any", [given[0], ("alpha", Value::Integer(4))]);
        assert_ne!(point, other);
        assert_ne!(point, Point::new("any", [given[0]]));
    }
}
