//! Reference marks: values of the axis across and lines that the spec gives, with what they are.
//! Their triangles, lines and words in the legend (`…, beyond the axis`) are here.

use crate::report::axes::Axes;
use crate::report::marks::{ENDS, Layer};
use crate::report::out::canvas::{Drawn, Rank, Spot};
use crate::report::words::number::short;
use crate::theme::{THEORY, THIN_WIDTH};

/// A triangle on the lower edge.
pub struct Reference {
    pub x: f64,
    /// What it is.
    pub text: String,
    /// The symbol of the axis across; may be empty.
    pub symbol: String,
    /// The place among the others.
    pub index: usize,
}

impl Layer for Reference {
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let place = Rank::Pointer(self.index);
        let value = short(self.x, 3);
        let text = match &*self.symbol {
            "" => format!("triangle: {} ({value})", self.text),
            symbol => format!("triangle: {} ({symbol} = {value})", self.text),
        };
        if axes.x.holds(self.x) {
            let spot = (axes.x.pixel(self.x), axes.frame.bottom);
            drawn.pointer(spot, THEORY);
            drawn.entry(place, text, |sample| sample.pointer((0, 17), THEORY));
        } else {
            drawn.entry(
                place,
                format!("{}, beyond the axis", &text["triangle: ".len()..]),
                |_| {},
            );
        }
        drawn
    }
}

/// A line through given points.
pub struct ReferenceLine {
    /// Its points, in increasing order across.
    pub points: Vec<(f64, f64)>,
    /// What it is.
    pub text: String,
    /// The place among the others.
    pub index: usize,
}

impl Layer for ReferenceLine {
    fn heights(&self) -> Vec<f64> {
        self.points.iter().map(|(_, y)| *y).collect()
    }

    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let held = self.points.iter().filter(|(x, _)| axes.x.holds(*x));
        let spots = held.map(|(x, y)| (axes.x.pixel(*x), axes.y.pixel(*y)));
        let spots: Vec<Spot> = spots.collect();
        let parts = axes.within(&spots);
        let parts = parts.iter().filter(|part| part.len() > 1);
        for part in parts.clone() {
            drawn.line(part, THEORY, THIN_WIDTH);
        }
        if parts.count() > 0 {
            drawn.entry(
                Rank::Pointer(self.index),
                format!("grey line: {}", self.text),
                |sample| {
                    sample.line(&ENDS, THEORY, THIN_WIDTH);
                },
            );
        }
        drawn
    }
}
