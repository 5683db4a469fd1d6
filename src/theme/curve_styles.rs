//! How curves are told apart: the marker and the dash of each, with its colour. Their order is
//! here, and from which curve on they repeat (30).

use plotters::style::RGBColor;

use super::colours::{COLOURS, COLOURS_TOLD_APART};

const MARKERS: [Marker; 10] = [
    Marker::Circle,
    Marker::Square,
    Marker::TriangleUp,
    Marker::Diamond,
    Marker::TriangleDown,
    Marker::Cross,
    Marker::TriangleLeft,
    Marker::Plus,
    Marker::TriangleRight,
    Marker::Hourglass,
];

/// How a curve's line is broken, so that curves are told apart without colours: lengths of line and
/// gap in turns, in canvas units; none for a line without gaps.
pub const DASHES: [&[f64]; 6] = [
    &[],
    &[26.0, 14.0],
    &[34.0, 11.0, 8.0, 11.0],
    &[8.0, 12.0],
    &[56.0, 18.0],
    &[34.0, 10.0, 8.0, 10.0, 8.0, 10.0],
];
/// The dashes of lines that are no curves: fits, laws and limits.
pub const FINE: &[f64] = &[18.0, 14.0];

/// Shape of a point; distinct shapes keep curves apart in black and white.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Circle,
    Square,
    TriangleUp,
    Diamond,
    TriangleDown,
    Cross,
    TriangleLeft,
    Plus,
    TriangleRight,
    Hourglass,
}

/// Colour, marker and dash of one series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesStyle {
    pub colour: RGBColor,
    pub marker: Marker,
    pub dash: &'static [f64],
}

impl SeriesStyle {
    /// The same shape and dash in another colour.
    pub fn in_colour(self, colour: RGBColor) -> Self {
        Self { colour, ..self }
    }

    /// Style of the series at `index`; the first 30 are distinct, the first 10 by their markers and
    /// the first 6 by their dashes alone.
    pub fn of(index: usize) -> Self {
        // One more for each round of colours: what has the same colour has another dash.
        let dash = index + index / COLOURS.len();
        Self {
            colour: COLOURS[index % COLOURS.len()],
            marker: MARKERS[index % MARKERS.len()],
            dash: DASHES[dash % DASHES.len()],
        }
    }

    /// [`of`](Self::of) `index` in the colour of this number; after [`COLOURS_TOLD_APART`] colours
    /// they begin again.
    pub fn coloured(colour: usize, index: usize) -> Self {
        Self::of(index).in_colour(COLOURS[colour % COLOURS_TOLD_APART])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten curves are told apart without colours by their markers, and those of one marker or one
    /// dash never have the same colour.
    #[test]
    fn curves_differ_without_colours() {
        let styles: Vec<SeriesStyle> = (0..10).map(SeriesStyle::of).collect();
        for (index, style) in styles.iter().enumerate() {
            for other in &styles[..index] {
                assert_ne!(style.marker, other.marker, "series {index}");
                assert!(
                    style.dash != other.dash || style.colour != other.colour,
                    "series {index}"
                );
            }
            assert!(
                index >= 6 || styles[..index].iter().all(|other| other.dash != style.dash),
                "series {index}"
            );
        }
    }
}
