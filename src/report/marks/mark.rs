//! A number at its place on the horizontal axis, with its interval, and its words. Here are the
//! words of a tip (value, ends of its bar, trials, cut off) and their digits (3).

use crate::analysis::estimate::Estimate;
use crate::html::{counted, spaced};
use crate::report::words::number::short;

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    pub x: f64,
    /// The x with its interval, where that is not known exactly.
    pub x_known: Estimate,
    /// A bound is drawn open, with an arrow up.
    pub y: Estimate,
    /// The row of the table that it is.
    pub row: usize,
    /// The number of trials of the row, and how many of them were cut off.
    pub trials: Option<[u64; 2]>,
    /// How far from its x it is drawn, so that marks of one x do not cover each other.
    pub aside: Aside,
}

/// The offset of a mark from its x, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aside {
    pub offset: i32,
    /// The offset of the outermost of the marks that stand side by side.
    pub reach: i32,
}

impl Mark {
    /// What a scale has to hold of it.
    pub fn heights(&self) -> [f64; 3] {
        [self.y.low, self.y.value, self.y.high]
    }

    /// True if it is drawn open.
    pub fn is_bound(&self) -> bool {
        self.y.is_bound || self.x_known.is_bound
    }

    /// The words of a tip: what the mark belongs to, its position, its value with the interval, and
    /// its trials; under titles of the axes.
    pub fn in_words(&self, of: [&str; 2], [across, upwards]: [&str; 2]) -> String {
        let mut words = String::new();
        for line in of.into_iter().filter(|line| !line.is_empty()) {
            words += line;
            words.push('\n');
        }
        // `ε` of `ε, probability of a dangerous move`.
        words += across.split(',').next().unwrap_or(across);
        words += " = ";
        add_number(&mut words, self.x_known, 6);
        words.push('\n');
        words += upwards;
        words += ": ";
        add_number(&mut words, self.y, DIGITS);
        if let Some([trials, cut_off]) = self.trials {
            words.push('\n');
            words += &counted(trials, "trial");
            if cut_off > 0 {
                words += &format!(", {} of them cut off", spaced(cut_off));
            }
        }
        words
    }
}

/// The digits of numbers and of ends of bars in tips.
const DIGITS: usize = 3;

/// Adds a number and the ends of its bar to the words of a tip.
fn add_number(words: &mut String, number: Estimate, digits: usize) {
    if number.is_bound {
        *words += "≥ ";
    }
    *words += &short(number.value, digits);
    if let Some([low, high]) = bar(number) {
        *words += "; bar from ";
        *words += &short(low, DIGITS);
        *words += " to ";
        *words += &short(high, DIGITS);
    }
}

/// The ends of the bar of a number, of a bound up to the mark; none of one known exactly.
pub fn bar(of: Estimate) -> Option<[f64; 2]> {
    let ends = [of.low, if of.is_bound { of.value } else { of.high }];
    (ends[0] != ends[1]).then_some(ends)
}
