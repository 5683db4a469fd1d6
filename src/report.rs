//! Figures and tables from stored rows. Computes nothing that [`analysis`](crate::analysis) should.
//!
//! # Adding a kind of figure
//! A `[[figure]]` in `report/kinds.toml`. What no table of measures has yet gets one in
//! `report/figures/`, made of what `kit` there names, with its `mod` line and one line in `TABLES`.

// Each file uses only those that stand below it.
mod drawing;
pub(crate) mod planned;
mod ratios;
mod vega;
mod write;

pub mod parse;

pub(crate) mod figures;

mod map;
mod panels;

mod fitted;

mod curves;
mod left_out;

mod layers;
mod page;

mod legend;
mod panel;

mod pen;

mod canvas;
mod scale;

mod divided;

mod choose;

mod chart;
mod frame;
mod measure;
mod rows;
mod table;
mod words;

mod series;

pub mod figure;
mod mark;
pub(crate) mod number;

pub use chart::Chart;
pub use ratios::ratios;
pub(crate) use rows::FigureRows;
pub(crate) use series::capital;
pub use table::{FigureTable, TableCell};
pub use write::{ENDINGS, owner, remove, write};

use crate::theme as style;

/// A figure, its numbers and its words; the same input gives the same bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawing {
    /// The figure.
    pub svg: String,
    /// The caption without its title and the run.
    pub words: String,
    /// The figure as Vega-Lite.
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
#[error("figure kind {kind:?} has nothing to draw: {reason}")]
pub struct NothingToDraw {
    /// Registry name of the figure.
    pub kind: String,
    /// What the rows lack.
    pub reason: String,
}
