//! What stands in a panel, layer over layer. A layer says what the axes have to hold for it, draws
//! itself, and says what it has drawn: its tips, its lines of the legend, its parts of the caption.
//!
//! Read `mark` (a number at its place), `kinds` (the marks of a spec, each in one place), `curve`,
//! `names` (labels at the ends of curves), then any other. A layer draws by `out::canvas` alone and
//! computes no number.

mod band;
mod bars;
mod best;
pub(crate) mod curve;
mod fit;
pub(crate) mod kinds;
pub(crate) mod mark;
mod names;
mod reference;
mod tile;
mod upright;

use plotters::style::{Color, RGBColor};

pub use self::band::Band;
pub use self::bars::Bars;
pub use self::best::Best;
pub use self::curve::{Curve, Line};
pub use self::fit::{FitOrReason, Fitted, FittedLaw, law_in_words, signed};
pub use self::names::{Names, room};
pub use self::reference::{Reference, ReferenceLine};
pub use self::tile::Tiles;
pub use self::upright::Upright;
use crate::report::axes::Layer;
use crate::report::out::canvas::{Drawn, Spot};
use crate::theme::{CURVE_WIDTH, MARKER_RADIUS, STRIP_OPACITY, SeriesStyle};

/// A layer among others of a panel.
pub fn boxed<L: Layer + 'static>(layer: L) -> Box<dyn Layer> {
    Box::new(layer)
}

/// The ends of a line in a legend.
const ENDS: [Spot; 2] = [(-50, 0), (50, 0)];

/// The sample of a curve with markers.
pub fn curve_sample(drawn: &mut Drawn, style: SeriesStyle) {
    drawn.broken_line(&ENDS, style.colour, CURVE_WIDTH, style.dash);
    drawn.marker((0, 0), style, MARKER_RADIUS, false);
}

/// A strip from one x to the other about this y.
fn strip(drawn: &mut Drawn, (from, to): (i32, i32), y: i32, colour: RGBColor) {
    drawn.rectangle((from, y - 8), (to, y + 8), colour.mix(STRIP_OPACITY));
}
