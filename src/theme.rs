//! How figures, boards and pages look: `colours` (of curves, in their order; of maps; of pages),
//! `curve_styles` (markers and dashes) and `sizes` (widths, margins, fonts).

mod colours;
mod curve_styles;
mod sizes;

pub use self::colours::*;
pub use self::curve_styles::*;
pub use self::sizes::*;
