//! Where a trial stands: an algorithm, and a value on each of its axes.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use super::goal::Goal;

/// Axes whose columns come first in every table, in this order, whether a point has them or not.
/// The columns of others follow by name.
pub const KEY_AXES: [&str; 3] = ["n", "epsilon", "eta"];

/// A parameter of an algorithm.
///
/// Algorithms may share an axis: then its name, symbol and kind of values are the same for each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Key in the spec and column in the results.
    pub name: &'static str,
    /// In labels of figures: `ε`.
    pub symbol: &'static str,
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

    /// Order of two values of one axis.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Real(a), Self::Real(b)) => a.total_cmp(b),
            (Self::Integer(_), Self::Real(_)) => Ordering::Less,
            (Self::Real(_), Self::Integer(_)) => Ordering::Greater,
        }
    }

    /// As a number to draw or to reckon with.
    pub fn number(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
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

/// Axis name → value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AxisValues(BTreeMap<Cow<'static, str>, Value>);

impl AxisValues {
    /// The value on axis `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.0.get(name).copied()
    }

    /// The integer on axis `name`, if there is one.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Value::Integer(value)) => Some(value),
            _ => None,
        }
    }

    /// The real number on axis `name`, if there is one.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(Value::Real(value)) => Some(value),
            _ => None,
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets the value on an axis.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Value) {
        self.0.insert(name.into(), value);
    }

    /// Without the axes of these names.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.0.retain(|name, _| !names.contains(&&**name));
        self
    }

    /// Ordered by name, as the stream's encoding needs it.
    pub fn by_name(&self) -> impl Iterator<Item = (&str, Value)> {
        self.0.iter().map(|(name, &value)| (&**name, value))
    }

    /// In the order of the columns: [`KEY_AXES`], then the others by name.
    pub fn by_column(&self) -> impl Iterator<Item = (&str, Value)> {
        let first = KEY_AXES
            .into_iter()
            .filter_map(|name| Some((name, self.get(name)?)));
        first.chain(self.further())
    }

    /// Those beyond [`KEY_AXES`], by name.
    pub fn further(&self) -> impl Iterator<Item = (&str, Value)> {
        self.by_name().filter(|(name, _)| !KEY_AXES.contains(name))
    }

    /// Column by column, a missing value first, the axes `apart` left aside.
    pub fn order(&self, other: &Self, apart: &[&str]) -> Ordering {
        let column = |name: &str| match (self.get(name), other.get(name)) {
            (Some(a), Some(b)) => a.order(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        let further = || {
            let mut names: Vec<&str> = self
                .further()
                .chain(other.further())
                .map(|(name, _)| name)
                .collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        let is_compared = |name: &&str| !apart.contains(name);
        KEY_AXES
            .into_iter()
            .filter(is_compared)
            .map(column)
            .find(|order| order.is_ne())
            .or_else(|| {
                further()
                    .into_iter()
                    .filter(is_compared)
                    .map(column)
                    .find(|order| order.is_ne())
            })
            .unwrap_or(Ordering::Equal)
    }
}

impl<N: Into<Cow<'static, str>>> FromIterator<(N, Value)> for AxisValues {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(values: I) -> Self {
        let named = |(name, value): (N, Value)| (name.into(), value);
        Self(values.into_iter().map(named).collect())
    }
}

/// An algorithm and a value for each of its axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Registry name.
    pub algorithm: &'static str,
    /// The variant's acronym, empty where the algorithm has none.
    pub variant: String,
    pub values: AxisValues,
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
        self.values.integer(name)
    }

    /// The real number on axis `name`, if the point has one there.
    pub fn real(&self, name: &str) -> Option<f64> {
        self.values.real(name)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_point(f, self.algorithm, &self.variant, &self.values, self.goal)
    }
}

/// `pair n=8 epsilon=0.01`, `cp PN_PL n=8 goal=count`: the axes in the order of their columns.
///
/// # Errors
/// Those of the formatter.
pub fn write_point(
    f: &mut fmt::Formatter<'_>,
    algorithm: &str,
    variant: &str,
    values: &AxisValues,
    goal: Option<Goal>,
) -> fmt::Result {
    f.write_str(algorithm)?;
    if !variant.is_empty() {
        write!(f, " {variant}")?;
    }
    for (name, value) in values.by_column() {
        write!(f, " {name}={value}")?;
    }
    goal.map_or(Ok(()), |goal| write!(f, " goal={}", goal.name()))
}
