//! What is drawn becomes files: `canvas` has shapes as data, `sheet` places title, panels and
//! legend, `pen` writes the SVG by plotters, `vega` the Vega-Lite file, `write` all files of a
//! figure. `ratios` is the figure of `diff`. Read `canvas` first. What of a figure depends on the
//! size of its page (86, 178 and 230 mm) is in `sheet` and `theme/sizes.rs`.
//!
//! No mathematics of the platform may reach a coordinate: figures are the same bytes everywhere.

pub mod canvas;
pub mod legend;
mod pen;
pub mod ratios;
pub mod sheet;
pub mod vega;
pub mod write;
