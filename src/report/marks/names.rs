//! The names of curves beside their last marks. Which are too long (480 units) and how they avoid
//! each other is decided here; from how many curves on, in `curves/layers.rs`.

use crate::report::axes::Axes;
use crate::report::marks::Layer;
use crate::report::out::canvas::{Anchor, Drawn, Lettering, Rank};
use crate::theme::{SMALL_MARKER_RADIUS, SeriesStyle, TICK_SIZE};

/// Longer names are in the legend alone.
const WIDEST: i32 = 480;

/// Names on the right of the frame, each after the marker of its curve.
pub struct Names {
    /// The last value, name and style of each curve.
    pub ends: Vec<(f64, String, SeriesStyle)>,
    /// What all of them are beside their names.
    pub all: String,
    /// The width that the names of all panels need.
    pub room: i32,
}

/// The room that these names need; `None` where one is too long.
pub fn room(names: impl Iterator<Item = impl AsRef<str>>) -> Option<i32> {
    let widths = names.map(|name| name.as_ref().chars().count() as i32 * TICK_SIZE * 3 / 5);
    let widest = widths.max().unwrap_or_default();
    (widest <= WIDEST).then_some(widest + 54)
}

impl Layer for Names {
    fn room(&self) -> i32 {
        self.room
    }

    /// Each name in the colour of its curve; where marks are close the names stand below each
    /// other.
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let mut ends = Vec::new();
        for (y, name, style) in &self.ends {
            ends.push((axes.y.pixel_within(*y), name, *style));
        }
        ends.sort_by_key(|end| end.0);
        let lowest = axes.frame.bottom - TICK_SIZE * ends.len() as i32;
        let mut free = axes.frame.top;
        for ((y, name, style), index) in ends.into_iter().zip(1..) {
            let y = y.min(lowest + TICK_SIZE * index).max(free);
            free = y + TICK_SIZE;
            let lettering = Lettering {
                anchor: Anchor::Left,
                colour: style.colour,
                ..Lettering::TICK
            };
            let right = axes.frame.right;
            drawn.marker((right + 22, y), style, SMALL_MARKER_RADIUS, false);
            drawn.text(name, (right + 40, y), lettering);
        }
        if !self.all.is_empty() {
            drawn.entry(Rank::Name(0), format!("all curves: {}", self.all), |_| {});
        }
        drawn
    }
}
