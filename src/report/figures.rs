//! The tables of measures that figures are drawn from, one per file, or a few alike, each
//! registered in [`TABLES`].

mod best_epsilon;
pub(super) mod columns;
mod courses;
pub(super) mod distribution;
mod factoring;
mod moves_per_relaxation;
mod restarts;
mod searches;
mod solutions;
#[cfg(test)]
mod tests;

#[cfg(test)]
use super::chart::Chart;
#[cfg(test)]
use super::figure::Figure;
use super::measure::MeasureTable;

/// What tables of measures are made of.
mod kit {
    pub use crate::analysis::estimate::Estimate;
    pub use crate::analysis::formula::updates_per_unit;
    pub use crate::analysis::measured::Measured;
    pub use crate::analysis::quantity::Quantity;
    pub use crate::html::spaced;
    pub use crate::report::chart::{Chart, Scope};
    pub use crate::report::figure::{Figure, MarkShape};
    pub use crate::report::fitted::between_ends;
    pub use crate::report::frame::{Columns, Frame, NOT_ON_LOGARITHMIC, TableCell, mean_is};
    pub use crate::report::measure::{Measure, MeasureTable, RowsOf};
    pub use crate::report::number::short;
    pub use crate::report::series::{describe, fewer_axes_first, grouped};
    pub use crate::results::PointTrials;
    pub use crate::solver::Point;
    pub use crate::solver::point::KEY_AXES;
    pub use itertools::Itertools;
}

/// Every table of measures, one line each.
pub const TABLES: &[&MeasureTable] = &[
    &columns::TABLE,
    &courses::SERIES,
    &courses::EFFECTS_TABLE,
    &searches::MODELS,
    &searches::SEARCHES,
    &distribution::DISTRIBUTION,
    &restarts::RESTARTS,
    &moves_per_relaxation::MOVES_PER_RELAXATION,
    &solutions::SOLUTION_CLASSES,
    &best_epsilon::BEST_EPSILON,
    &factoring::FACTORING,
];

/// The figure of this kind by itself.
#[cfg(test)]
pub fn preset(kind: &str) -> Chart {
    Chart::of(&Figure::of_kind(kind))
}
