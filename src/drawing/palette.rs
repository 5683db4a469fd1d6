//! The colours of figures and boards alike: one table for both.

/// Text, frames, queens and rings.
pub const INK: &str = "#222222";
/// What is drawn on; light squares.
pub const PAPER: &str = "#ffffff";
/// Dark squares.
pub const DARK: &str = "#d9d9d9";
/// Lines of a grid.
pub const GRID: &str = "#e4e4e4";
/// What is no measurement.
pub const GREY: &str = "#595959";

// The palette of Okabe and Ito (2008), told apart by colour-blind readers.
pub const BLUE: &str = "#0072b2";
pub const VERMILION: &str = "#d55e00";
pub const GREEN: &str = "#009e73";
pub const PURPLE: &str = "#cc79a7";
pub const SKY: &str = "#56b4e9";
pub const ORANGE: &str = "#e69f00";
pub const YELLOW: &str = "#f0e442";
