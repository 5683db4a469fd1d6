//! Reference marks: values of the axis across that the spec gives, with what they are.

use crate::report::axes::Axes;
use crate::report::marks::Layer;
use crate::report::out::canvas::{Drawn, Rank};
use crate::report::words::number::short;
use crate::theme::THEORY;

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
