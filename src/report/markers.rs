//! The shapes of points, arrows and pointers.

use plotters::style::RGBColor;

use super::canvas::{Canvas, Spot};
use super::style::{Marker, PAPER, SeriesStyle};

/// A marker of a series; open ones have a white centre.
pub fn draw_marker(canvas: &Canvas, spot: Spot, style: SeriesStyle, radius: i32, open: bool) {
    draw_filled_marker(canvas, spot, style.marker, radius, style.colour);
    if open {
        draw_filled_marker(canvas, spot, style.marker, (radius - 5).max(3), PAPER);
    }
}

/// The head of an arrow to the right, its tip at the spot: a curve goes on beyond the frame.
pub fn draw_beyond(canvas: &Canvas, (x, y): Spot, colour: RGBColor) {
    canvas.polygon(&[(x, y), (x - 28, y - 13), (x - 28, y + 13)], colour);
}

/// A pointer to a place on the lower edge, its tip at the spot.
pub fn draw_pointer(canvas: &Canvas, (x, y): Spot, colour: RGBColor) {
    canvas.polygon(&[(x, y), (x - 16, y - 34), (x + 16, y - 34)], colour);
}

fn draw_filled_marker(
    canvas: &Canvas,
    (x, y): Spot,
    marker: Marker,
    radius: i32,
    colour: RGBColor,
) {
    if marker == Marker::Circle {
        return canvas.disc((x, y), radius, colour);
    }
    let corners = corners(marker, radius).into_iter();
    let corners: Vec<Spot> = corners.map(|(dx, dy)| (x + dx, y + dy)).collect();
    canvas.polygon(&corners, colour);
}

/// Of a marker about (0, 0); a circle has none. Sizes are chosen so that all shapes look equally
/// heavy.
fn corners(marker: Marker, radius: i32) -> Vec<Spot> {
    let (side, long, arm) = (radius * 9 / 10, radius * 13 / 10, radius * 2 / 5);
    match marker {
        Marker::Circle => vec![],
        Marker::Square => vec![(-side, -side), (side, -side), (side, side), (-side, side)],
        Marker::TriangleUp => vec![(0, -long), (long, radius), (-long, radius)],
        Marker::Diamond => vec![(0, -long), (long, 0), (0, long), (-long, 0)],
        Marker::TriangleDown => vec![(0, long), (long, -radius), (-long, -radius)],
        Marker::TriangleLeft => vec![(-long, 0), (radius, -long), (radius, long)],
        Marker::TriangleRight => vec![(long, 0), (-radius, -long), (-radius, long)],
        Marker::Plus => turned([(-arm, -long), (arm, -long), (arm, -arm)]),
        Marker::Cross => turned([(0, -arm), (long - arm, -long), (long, arm - long)]),
        Marker::Hourglass => {
            let (right, left) = ((2, 0), (-2, 0));
            vec![
                (-side, -long),
                (side, -long),
                right,
                (side, long),
                (-side, long),
                left,
            ]
        }
    }
}

/// The corners of a quarter of a shape, and of its quarter turns about (0, 0).
fn turned(quarter: [Spot; 3]) -> Vec<Spot> {
    let turns: [fn(Spot) -> Spot; 4] = [
        |(dx, dy)| (dx, dy),
        |(dx, dy)| (-dy, dx),
        |(dx, dy)| (-dx, -dy),
        |(dx, dy)| (dy, -dx),
    ];
    let corners = turns.into_iter().flat_map(|turn| quarter.map(turn));
    corners.collect()
}
