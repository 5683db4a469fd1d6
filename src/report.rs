//! Figures and tables from stored rows. Computes nothing that [`analysis`](crate::analysis) should.
//!
//! The way of a number, which is the order of reading: `keys` (what a spec asks for) → `measures`
//! (numbers of points) → `table` → `figure` (a spec on tables, and its caption) → `curves` (rows
//! that belong together, their panels) → `marks` (what paints) → `axes` → `out` (SVG, CSV,
//! Vega-Lite). `words` has numbers and points as text; colours and sizes are those of `theme`.
//!
//! A measure is added in `measures`, a mark in `marks`; each has a test that walks over all.
//! `keys::KEYS` is a format: docs/spec.md and specs of others hold it. Figures are compared byte by
//! byte (`tests/figures.rs`). Here is the sentence of a figure that has nothing to draw.

mod axes;
mod curves;
mod figure;
pub mod keys;
mod marks;
pub(crate) mod measures;
mod out;
mod table;
mod words;

pub use figure::Figure;
pub(crate) use figure::planned;
pub use keys::parse;
pub(crate) use measures::rows::FigureRows;
pub use out::ratios::ratios;
pub use out::write::{ENDINGS, has_vega, owner, remove, write};
pub use table::written::{FigureTable, TableCell};
pub(crate) use words::number;
pub(crate) use words::points::capital;

/// A figure, its numbers and its words; the same input gives the same bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawing {
    /// The figure.
    pub svg: String,
    /// The caption without its title and the run.
    pub words: String,
    /// The figure as Vega-Lite; empty where that was not asked for.
    pub vega: String,
    /// The figure's numbers.
    pub table: FigureTable,
    /// What the figure shows, of which experiment and run.
    pub caption: String,
    /// True if it is higher than the page that it is made for.
    pub is_too_high: bool,
    /// What it does not show, a sentence each without a full stop; the figure says it too.
    pub left_out: Vec<String>,
}

/// Why a figure cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.in_words())]
pub struct NothingToDraw {
    /// Registry name of the figure.
    pub kind: String,
    /// What the rows lack; of a key, its name, a colon and what is wrong with it.
    pub reason: String,
}

impl NothingToDraw {
    /// The keys that choose among the points of a figure, or its curves.
    const CHOOSING_KEYS: [&str; 3] = ["where", "over", "names"];

    fn in_words(&self) -> String {
        let key = self.reason.split_once(": ").map(|(key, _)| key);
        if key.is_some_and(|key| Self::CHOOSING_KEYS.contains(&key)) {
            return self.reason.clone();
        }
        let kind = &self.kind;
        format!("figure kind {kind:?} has nothing to draw: {}", self.reason)
    }
}
