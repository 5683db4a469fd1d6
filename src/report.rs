//! Figures and tables from stored rows. Computes nothing that [`analysis`](crate::analysis) should.
//!
//! # Adding a figure
//! One file with a type that implements [`Figure`], its `mod` line, and one line in [`FIGURES`].

use crate::experiment::store::PointTrials;

/// Every figure that a spec may ask for, one line each.
pub const FIGURES: &[&dyn Figure] = &[];

/// The figure of this kind, if there is one.
pub fn figure(kind: &str) -> Option<&'static dyn Figure> {
    FIGURES.iter().copied().find(|figure| figure.kind() == kind)
}

/// The kinds of all figures, as a spec may name them.
pub fn kinds() -> Vec<&'static str> {
    FIGURES.iter().map(|figure| figure.kind()).collect()
}

/// Writes a drawing.
pub fn write(_folder: &std::path::Path, _name: &str, _drawing: &Drawing) -> std::io::Result<()> {
    Ok(())
}

/// A way of drawing an experiment's rows.
pub trait Figure: Sync {
    /// Registry name, as in a spec's `kind = "…"`.
    fn kind(&self) -> &'static str;

    /// One line for `reines list --figures`.
    fn doc(&self) -> &'static str;

    /// Draws the rows that the figure can use and leaves the others out, saying so.
    ///
    /// # Errors
    /// When there is nothing that this figure could show.
    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw>;
}

/// What a figure is drawn from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The experiment's title.
    pub title: &'a str,
    pub trials: &'a [PointTrials],
    /// Which run it is: code version and command, for the caption.
    pub provenance: &'a str,
}

/// A figure, its numbers and its words; the same input gives the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub svg: String,
    pub table: Table,
    pub caption: String,
}

/// Numbers as text, ready for CSV and Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Definitions and warnings that belong under the table.
    pub notes: Vec<String>,
}

/// Why a figure cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("figure kind {kind:?} has nothing to draw: {reason}")]
pub struct NothingToDraw {
    pub kind: &'static str,
    pub reason: String,
}
