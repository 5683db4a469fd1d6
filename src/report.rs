//! Figures and tables from stored rows. Computes nothing that [`analysis`](crate::analysis) should.
//!
//! # Adding a figure
//! One file in `report/figures/` with a `Chart`, its `mod` line, and one line in
//! [`FIGURES`].

pub(crate) mod figures;

mod lattices;

mod chart;

mod choose;

mod foresight;

mod frame;

mod sources;

pub(crate) mod overlay;

mod staircase;

mod series;

mod corners;

mod table;

mod sheet;

mod left_out;
mod tips;

mod legend;

mod panel;

mod scale;

mod canvas;

mod on_page;

pub(crate) mod number;

mod style;

pub(crate) mod formats;

mod write;

pub use choose::{draw, foresee, remark};
pub use corners::Corners;
pub use figures::{FIGURES, figure};
pub use foresight::{Foreseen, ForeseenPoint};
pub(crate) use table::{AT_LEAST, BOUND};
pub use write::{Format, WriteError, owner, write};

use crate::experiment::spec::{Choices, FigureKind};
use crate::results::courses::PointCourses;
use crate::results::{PointTimings, PointTrials};

/// The kinds of all figures, as a spec may name them.
pub fn kinds() -> Vec<FigureKind> {
    let kind = |figure: &&dyn Figure| FigureKind {
        name: figure.kind(),
        keys: figure.keys(),
        quantities: figure.quantities(),
        panels: figure.panels(),
    };
    FIGURES.iter().map(kind).collect()
}

/// A way of drawing an experiment's rows.
pub trait Figure: Sync {
    /// Registry name, as in a spec's `kind = "…"`.
    fn kind(&self) -> &'static str;

    /// One line for `reines list --figures`.
    fn doc(&self) -> &'static str;

    /// Whether it shows wall-clock times, which are other ones in every run.
    fn shows_seconds(&self) -> bool {
        false
    }

    /// Whether it is drawn from the courses of trials, which are large and else not read.
    fn draws_courses(&self) -> bool {
        false
    }

    /// Whether it has a place for rules that count steps of n² updates each. Points of such rules
    /// are left out of all other figures, where their steps would be read as updates.
    fn takes_steps(&self, _choices: &Choices) -> bool {
        false
    }

    /// The columns of its panels, of which `panels` can choose.
    fn panels(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The keys of a `[[figure]]` that it takes beside those of every kind.
    fn keys(&self) -> &'static [&'static str] {
        &[]
    }

    /// The columns that it can show as `quantity`; empty: every column of numbers.
    fn quantities(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a plan can give what this figure shows, whatever its rows will be.
    ///
    /// # Errors
    /// When no rows of these points could be drawn.
    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw>;

    /// The heights of its frames, whether they are labelled, and the lines of its legend, as far as
    /// a plan tells.
    fn frames(&self, _plan: &Foreseen) -> (Vec<i32>, bool, usize) {
        (Vec::new(), false, 0)
    }

    /// Draws the rows that the figure can use and leaves the others out, saying so.
    ///
    /// # Errors
    /// When there is nothing that this figure could show.
    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw>;

    /// An error unless something is there that the figure needs.
    ///
    /// # Errors
    /// When it is not there: `reason`.
    fn needs(&self, is_there: bool, reason: &str) -> Result<(), NothingToDraw> {
        if is_there {
            Ok(())
        } else {
            Err(self.nothing(reason))
        }
    }

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
    /// What the spec's `[[figure]]` chooses.
    pub choices: &'a Choices,
    /// What is said in every figure's legend and table, beside its own words.
    pub remarks: &'a [String],
}

impl<'a> Input<'a> {
    /// Of these trials alone, without words.
    #[cfg(test)]
    pub fn of_trials(trials: &'a [PointTrials]) -> Self {
        static CHOICES: std::sync::LazyLock<Choices> = std::sync::LazyLock::new(Choices::default);
        Self {
            trials,
            courses: &[],
            timings: &[],
            machine: "",
            provenance: "",
            choices: &CHOICES,
            remarks: &[],
        }
    }
}

/// Draws what an unfinished run has so far: `remark` says how much that is, in the figure's legend,
/// in its caption and under its table, whatever the kind of figure.
///
/// # Errors
/// As [`Figure::draw`].
pub fn draw_partial(
    figure: &dyn Figure,
    input: &Input,
    remark: &str,
) -> Result<Drawing, NothingToDraw> {
    let remarks = [input.remarks, &[remark.to_owned()]].concat();
    let remarks = &remarks[..];
    let mut drawing = draw(figure, &Input { remarks, ..*input })?;
    let note = format!(
        "{}: an unfinished run. A trial that is still running counts as censored at the updates it has had so far, so that means and quantiles of its point are lower bounds.",
        chart::capital(remark)
    );
    drawing.table.notes.insert(0, note);
    Ok(drawing)
}

/// A figure, its numbers and its words; the same input gives the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The figure.
    pub svg: String,
    /// The same for a page that has its words and its table, in a narrow column.
    pub on_page: String,
    /// The caption without its title, its findings and the run.
    pub words: String,
    /// Its numbers.
    pub table: Table,
    /// The corners of its curves, where these are too many for a table that is read.
    pub curves: Option<Corners>,
    /// What the figure shows, of which experiment and run.
    pub caption: String,
    /// What it finds, a sentence each without a full stop: the best ε, a slope, a verdict.
    pub findings: Vec<String>,
    /// What it does not show, a sentence each without a full stop; the figure says it too.
    pub left_out: Vec<String>,
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
