//! Figures and tables from stored rows. Computes nothing that [`analysis`](crate::analysis) should.
//!
//! # Adding a figure
//! One file in `report/figures/` with a type that implements [`Figure`], its `mod` line, and one
//! line in [`FIGURES`].

pub(crate) mod figures;

mod lattices;

mod growth;

mod run_lengths;

pub(crate) mod overlay;

mod staircase;

mod bands;

mod series;

mod point_table;

mod search_curves;

mod search_legend;

mod search_table;

mod variants;

mod table;

mod series_marks;

mod sheet;

mod legend;

mod panel;

mod scale;

mod canvas;

pub(crate) mod number;

mod style;

mod write;

pub use figures::{FIGURES, figure};
pub use write::write;

use crate::experiment::store::courses::PointCourses;
use crate::experiment::store::{PointTimings, PointTrials};

/// The kinds of all figures, as a spec may name them.
pub fn kinds() -> Vec<&'static str> {
    FIGURES.iter().map(|figure| figure.kind()).collect()
}

/// A way of drawing an experiment's rows.
pub trait Figure: Sync {
    /// Registry name, as in a spec's `kind = "…"`.
    fn kind(&self) -> &'static str;

    /// One line for `reines list --figures`.
    fn doc(&self) -> &'static str;

    /// Whether it is drawn from the courses of trials, which are large and else not read.
    fn draws_courses(&self) -> bool {
        false
    }

    /// Draws the rows that the figure can use and leaves the others out, saying so.
    ///
    /// # Errors
    /// When there is nothing that this figure could show.
    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw>;

    /// Why this figure cannot be drawn.
    fn nothing(&self, reason: &str) -> NothingToDraw {
        NothingToDraw {
            kind: self.kind(),
            reason: reason.to_owned(),
        }
    }
}

/// What a figure is drawn from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The experiment's title.
    pub title: &'a str,
    /// All rows, by point.
    pub trials: &'a [PointTrials],
    /// What trials wrote down of their course, by point; empty unless the figure draws that.
    pub courses: &'a [PointCourses],
    /// Wall-clock times, in the order of the trials' points. Figures of them vary from run to run.
    pub timings: &'a [PointTimings],
    /// The machine that took the times.
    pub machine: &'a str,
    /// Which run it is: code version and command, for the caption.
    pub provenance: &'a str,
}

/// Draws what an unfinished run has so far: `remark` says how much that is, in the figure's title,
/// in its caption and under its table, whatever the kind of figure.
///
/// # Errors
/// As [`Figure::draw`].
pub fn draw_partial(
    figure: &dyn Figure,
    input: &Input,
    remark: &str,
) -> Result<Drawing, NothingToDraw> {
    let title = format!("{} ({remark})", input.title);
    let mut drawing = figure.draw(&Input {
        title: &title,
        ..*input
    })?;
    let mut letters = remark.chars();
    let first = letters.next().map(char::to_uppercase);
    let note = format!(
        "{}{}: an unfinished run. A trial that is still running counts as censored at the updates it has had so far, so that means and quantiles of its point are lower bounds.",
        first.map(String::from_iter).unwrap_or_default(),
        letters.as_str()
    );
    drawing.table.notes.insert(0, note);
    Ok(drawing)
}

/// A figure, its numbers and its words; the same input gives the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The figure.
    pub svg: String,
    /// Its numbers.
    pub table: Table,
    /// What the figure shows, of which experiment and run.
    pub caption: String,
}

/// Numbers as text, ready for CSV and Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// As many cells each as there are columns.
    pub rows: Vec<Vec<String>>,
    /// Definitions and warnings that belong under the table.
    pub notes: Vec<String>,
}

impl Table {
    /// Adds each of these as a note, with a full stop.
    fn note_sentences(&mut self, sentences: &[String]) {
        let ended = sentences.iter().map(|sentence| format!("{sentence}."));
        self.notes.extend(ended);
    }

    /// Notes on points that the figure does not show, each with its reason.
    fn note_left_out(&mut self, points: &[String]) {
        let left_out = points.iter().map(|point| format!("Left out: {point}."));
        self.notes.extend(left_out);
    }
}

/// Why a figure cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("figure kind {kind:?} has nothing to draw: {reason}")]
pub struct NothingToDraw {
    /// Registry name of the figure.
    pub kind: &'static str,
    /// What the rows lack.
    pub reason: String,
}
