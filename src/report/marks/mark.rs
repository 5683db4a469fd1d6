//! A number at its place on the horizontal axis, with its interval, and its words.

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
        const DIGITS: usize = 3;
        let in_words = |number: Estimate, digits: usize| {
            let bound = if number.is_bound { "≥ " } else { "" };
            let mut words = format!("{bound}{}", short(number.value, digits));
            if let Some(ends) = bar(number) {
                let [low, high] = ends.map(|end| short(end, DIGITS));
                words += &format!("; bar from {low} to {high}");
            }
            words
        };
        let value = format!("{upwards}: {}", in_words(self.y, DIGITS));
        // `ε` of `ε, probability of a dangerous move`.
        let symbol = across.split(',').next().unwrap_or(across);
        let x = format!("{symbol} = {}", in_words(self.x_known, 6));
        let trials = self.trials.map(|[trials, cut_off]| {
            let trials = counted(trials, "trial");
            match cut_off {
                0 => trials,
                _ => format!("{trials}, {} of them cut off", spaced(cut_off)),
            }
        });
        let lines = of.into_iter().filter(|words| !words.is_empty());
        let lines = lines.chain([&*x, &*value]).chain(trials.as_deref());
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The ends of the bar of a number, of a bound up to the mark; none of one known exactly.
pub fn bar(of: Estimate) -> Option<[f64; 2]> {
    let ends = [of.low, if of.is_bound { of.value } else { of.high }];
    (ends[0] != ends[1]).then_some(ends)
}
