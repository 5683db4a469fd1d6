//! What a trial depends on besides its index, the seed and the dynamics: an algorithm, and a value
//! on each of its axes. Here are the order of rows in every table and of the columns of axes (n, ε,
//! η first), how a value is written, and how a point is named in messages.
//!
//! # Adding an axis
//! An algorithm declares its axes ([`super::Algorithm::axes`]), and no other place lists them: the
//! keys of a spec, plans, streams, the columns of the files, tables, labels of figures, `reines
//! list` and `reines solve --parameter` follow from the declaration. A figure that is about some
//! axis asks for it by name and keeps points apart by all others ([`AxisValues::order`]).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use serde::{Serialize, Serializer};

use super::goal::Goal;

/// Axes whose columns come first in every table, in this order, whether a point has them or not.
/// The columns of others follow by name.
pub const KEY_AXES: [&str; 3] = ["n", "epsilon", "eta"];

/// The key columns that are on no axis, whose values are words.
pub const WORDS: [&str; 3] = ["algorithm", "variant", "goal"];

/// A parameter of an algorithm.
///
/// Algorithms may share an axis: then its name, symbol and kind of values are the same for each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Axis {
    /// Key in the spec and column in the results.
    pub name: &'static str,
    /// The symbol in labels of figures, such as `ε`; the name if there is no symbol.
    pub symbol: &'static str,
    /// The values that it allows.
    #[serde(flatten)]
    pub domain: Domain,
    /// One line for `reines list algorithms`.
    pub doc: &'static str,
}

impl Axis {
    /// An axis of integers, with its name as its symbol.
    pub const fn integers(name: &'static str, min: u64, max: u64) -> Self {
        Self {
            name,
            symbol: name,
            domain: Domain::Integer { min, max },
            doc: "",
        }
    }

    /// An axis of real numbers, with its name as its symbol.
    pub const fn reals(name: &'static str, min: f64, max: f64) -> Self {
        Self {
            name,
            symbol: name,
            domain: Domain::Real { min, max },
            doc: "",
        }
    }

    /// The side of a board that has as many queens.
    pub const fn side(max: u64) -> Self {
        Self {
            name: "n",
            symbol: "n",
            domain: Domain::Integer { min: 1, max },
            doc: "board side and number of queens",
        }
    }
}

/// The values that an axis allows, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
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
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A value on an axis of integers.
    Integer(u64),
    /// A value on an axis of real numbers; never NaN and never −0 when made by [`Value::real`].
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

    /// The value as a number to draw or to compute with.
    pub fn number(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}

/// Values are equal where their order says so: NaN is itself, and −0 is not 0.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }
}

impl Eq for Value {}

impl fmt::Display for Value {
    /// Shortest decimal that parses to the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
        }
    }
}

/// Axis name → value, ordered by name: a list, which takes a fifth of the memory of a map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AxisValues(Vec<(Cow<'static, str>, Value)>);

impl AxisValues {
    /// The value on axis `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<Value> {
        let mut axes = self.by_name();
        axes.find(|(axis, _)| *axis == name).map(|(_, value)| value)
    }

    /// Number of axes.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Sets the value on an axis.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Value) {
        let name = name.into();
        match self.0.binary_search_by(|(axis, _)| axis.cmp(&name)) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (name, value)),
        }
    }

    /// The point without the axes of these names.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.0.retain(|(name, _)| !names.contains(&&**name));
        self
    }

    /// Ordered by name, as the stream's encoding needs it.
    pub fn by_name(&self) -> impl Iterator<Item = (&str, Value)> {
        self.0.iter().map(|(name, value)| (&**name, *value))
    }

    /// The values in the order of the columns: [`KEY_AXES`], then the others by name.
    pub fn by_column(&self) -> impl Iterator<Item = (&str, Value)> {
        let first = KEY_AXES
            .into_iter()
            .filter_map(|name| Some((name, self.get(name)?)));
        first.chain(self.further())
    }

    /// The values on axes other than [`KEY_AXES`], by name.
    pub fn further(&self) -> impl Iterator<Item = (&str, Value)> {
        self.by_name().filter(|(name, _)| !KEY_AXES.contains(name))
    }

    /// Column by column, a missing value first, the axes `apart` left aside.
    pub fn order(&self, other: &Self, apart: &[&str]) -> Ordering {
        let column = |name: &str| match (self.get(name), other.get(name)) {
            (Some(a), Some(b)) => a.order(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        let is_meant = |name: &&str| !apart.contains(name);
        let mut first = KEY_AXES.into_iter().filter(is_meant).map(column);
        if let Some(order) = first.find(|order| order.is_ne()) {
            return order;
        }
        let mut further = self.further().chain(other.further()).peekable();
        // Most points have none, and a set would take longer than all before.
        if further.peek().is_none() {
            return Ordering::Equal;
        }
        let names: BTreeSet<&str> = further.map(|(name, _)| name).collect();
        let mut orders = names.into_iter().filter(is_meant).map(column);
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl<N: Into<Cow<'static, str>>> FromIterator<(N, Value)> for AxisValues {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(values: I) -> Self {
        let mut all = Self::default();
        for (name, value) in values {
            all.set(name, value);
        }
        all
    }
}

impl Serialize for AxisValues {
    /// As a map.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.by_name())
    }
}

/// An algorithm and a value for each of its axes: what is run, and the key columns of the results,
/// whose algorithm may be one that this program does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Point {
    /// Registry name.
    pub algorithm: String,
    /// The variant's acronym, empty where the algorithm has none.
    pub variant: String,
    /// A value on each axis.
    pub axes: AxisValues,
    /// What a search is for; `None` where there is none. Not part of the stream.
    pub goal: Option<Goal>,
}

impl Point {
    /// A point without variant and goal; the order of `axes` is without effect.
    pub fn new(
        algorithm: impl Into<String>,
        axes: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Self {
        Self {
            algorithm: algorithm.into(),
            variant: String::new(),
            axes: axes.into_iter().collect(),
            goal: None,
        }
    }

    /// The integer on axis `name`, if the point has one there.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.axes.get(name)? {
            Value::Integer(value) => Some(value),
            Value::Real(_) => None,
        }
    }

    /// The board side of a point that a plan has.
    ///
    /// # Panics
    /// Where there is none.
    pub fn side(&self) -> usize {
        let n = self.integer("n").expect("a plan gives every axis a value");
        usize::try_from(n).expect("within the axis")
    }

    /// The real number on axis `name`, if the point has one there.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.axes.get(name)? {
            Value::Real(value) => Some(value),
            Value::Integer(_) => None,
        }
    }

    /// The variant as a line has it: in quotes if it has blanks, as a condition may.
    pub fn variant_in_line(&self) -> Cow<'_, str> {
        if self.variant.contains(' ') {
            format!("\"{}\"", self.variant).into()
        } else {
            (&self.variant[..]).into()
        }
    }

    /// The point with another value on an axis.
    #[must_use]
    pub fn with(&self, name: &'static str, value: Value) -> Self {
        let mut point = self.clone();
        point.axes.set(name, value);
        point
    }

    /// Order of the rows of every table: column by column, algorithm, variant, then the axes, then
    /// the goal, a missing value first.
    pub fn order(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self, other) {
            Ordering::Equal
        } else {
            self.order_apart(other, &[])
        }
    }

    /// [`Point::order`] without the columns of the axes `apart`.
    pub fn order_apart(&self, other: &Self, apart: &[&str]) -> Ordering {
        (&self.algorithm, &self.variant)
            .cmp(&(&other.algorithm, &other.variant))
            .then_with(|| self.axes.order(&other.axes, apart))
            .then_with(|| self.goal.map(Goal::name).cmp(&other.goal.map(Goal::name)))
    }

    /// True if the points differ at most on the axes `apart`.
    pub fn is_same_apart(&self, other: &Self, apart: &[&str]) -> bool {
        self.order_apart(other, apart).is_eq()
    }
}

impl PartialOrd for Point {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Point {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other)
    }
}

impl fmt::Display for Point {
    /// `pair n=8 epsilon=0.01`, `cp PN_PL n=8 goal=count`: the axes in the order of their columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.algorithm)?;
        if !self.variant.is_empty() {
            write!(f, " {}", self.variant_in_line())?;
        }
        for (name, value) in self.axes.by_column() {
            write!(f, " {name}={value}")?;
        }
        let Some(goal) = self.goal else {
            return Ok(());
        };
        write!(f, " goal={}", goal.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The axes here belong to no algorithm. Neither print nor order nor encoding depends on the
    /// order in which they are given.
    #[test]
    fn axes_are_ordered_by_column_and_by_name() {
        let given = [
            ("tau", Value::real(0.5)),
            ("alpha", Value::Integer(3)),
            ("n", Value::Integer(8)),
        ];
        let point = Point::new("any", given);
        let turned = Point::new("any", [given[2], given[1], given[0]]);
        assert_eq!(point, turned);
        assert_eq!(point.to_string(), "any n=8 alpha=3 tau=0.5");
        let names: Vec<&str> = point.axes.by_name().map(|(name, _)| name).collect();
        assert_eq!(names, ["alpha", "n", "tau"]);
        let other = Point::new("any", [given[0], ("alpha", Value::Integer(4)), given[2]]);
        assert_ne!(point, other);
        assert_ne!(point, Point::new("any", [given[0]]));
    }

    /// A point made of values that no axis allows is in the same place whether points are compared
    /// for equality or for order.
    #[test]
    fn equality_is_that_of_the_order() {
        let values = [0.0, -0.0, 1.0, f64::NAN].map(Value::Real);
        let values = [values.as_slice(), &[Value::Integer(0), Value::Integer(1)]].concat();
        let at = |value| Point::new("any", [("tau", value)]);
        for a in &values {
            for b in &values {
                let is_same_place = at(*a).cmp(&at(*b)).is_eq();
                assert_eq!(at(*a) == at(*b), is_same_place, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn a_condition_stands_in_quotes() {
        let mut point = Point::new("pair", [("n", Value::Integer(8))]);
        for (variant, expected) in [
            ("", "pair n=8"),
            ("false", "pair false n=8"),
            ("not safe", "pair \"not safe\" n=8"),
        ] {
            point.variant = variant.to_owned();
            assert_eq!(point.to_string(), expected);
        }
    }

    /// Column by column, n first, a missing value before any.
    #[test]
    fn a_missing_value_comes_first() {
        let [n, tau, alpha] = [
            ("n", Value::Integer(8)),
            ("tau", Value::real(0.5)),
            ("alpha", Value::Integer(3)),
        ];
        let large_n = ("n", Value::Integer(9));
        let ordered: Vec<AxisValues> = [
            vec![alpha, tau],
            vec![n],
            vec![n, tau],
            vec![n, alpha],
            vec![n, alpha, tau],
            vec![large_n],
        ]
        .into_iter()
        .map(AxisValues::from_iter)
        .collect();
        for (i, a) in ordered.iter().enumerate() {
            for (j, b) in ordered.iter().enumerate() {
                assert_eq!(a.order(b, &[]), i.cmp(&j), "{a:?} {b:?}");
            }
        }
        assert!(ordered[1].order(&ordered[5], &["n"]).is_eq());
        assert!(ordered[2].order(&ordered[4], &["alpha"]).is_eq());
    }
}
