//! A point as bytes, for maps of 10⁵ of them. No file has it.

use crate::solver::goal::Goal;
use crate::solver::{Point, Value};

/// A point as bytes that two points share where they are equal, and only there. Two keys are
/// compared ten times as fast as two points, by an order of their own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PointKey(Box<[u8]>);

impl PointKey {
    /// The key of a point.
    pub fn of(point: &Point) -> Self {
        Self::without(point, &[])
    }

    /// The key of a point without the axes of these names.
    pub fn without(point: &Point, axes: &[&str]) -> Self {
        let mut bytes = Vec::with_capacity(80);
        let goal = point.goal.map_or("", Goal::name);
        for word in [&*point.algorithm, &*point.variant, goal] {
            add_word(&mut bytes, word);
        }
        for (name, value) in point.axes.by_name() {
            if axes.contains(&name) {
                continue;
            }
            add_word(&mut bytes, name);
            let (kind, number) = match value {
                Value::Integer(number) => (0, number),
                Value::Real(number) => (1, number.to_bits()),
            };
            bytes.push(kind);
            bytes.extend(number.to_be_bytes());
        }
        Self(bytes.into())
    }
}

/// Adds a word after its length.
fn add_word(bytes: &mut Vec<u8>, word: &str) {
    bytes.extend((word.len() as u64).to_be_bytes());
    bytes.extend(word.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points that differ in one thing each, or in none; words that begin alike; numbers that only
    /// their kind or their sign tells apart.
    #[test]
    fn keys_are_equal_where_points_are() {
        let n = |value| ("n", Value::Integer(value));
        let x = |value| ("x", Value::Real(value));
        let mut points = Vec::new();
        for algorithm in ["pair", "pai", ""] {
            for variant in ["", "r", "pair"] {
                for goal in [None, Some(Goal::First), Some(Goal::All)] {
                    let axes: [&[(&str, Value)]; 8] = [
                        &[],
                        &[n(1)],
                        &[n(2)],
                        &[x(0.0)],
                        &[x(-0.0)],
                        &[x(1.0), n(1)],
                        &[n(1), x(1.0)],
                        &[("x", Value::Integer(1_f64.to_bits())), n(1)],
                    ];
                    for axes in axes {
                        let point = Point::new(algorithm, axes.iter().copied());
                        let variant = variant.to_owned();
                        points.push(Point {
                            variant,
                            goal,
                            ..point
                        });
                    }
                }
            }
        }
        for a in &points {
            for b in &points {
                let are_same = PointKey::of(a) == PointKey::of(b);
                assert_eq!(are_same, a.order(b).is_eq(), "{a} {b}");
                let without = |point: &Point| point.axes.clone().without(&["x"]);
                let of_a = Point {
                    axes: without(a),
                    ..a.clone()
                };
                assert_eq!(PointKey::without(a, &["x"]), PointKey::of(&of_a));
            }
        }
    }
}
