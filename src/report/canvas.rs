//! A white canvas of whole-pixel coordinates that becomes an SVG. All drawing goes through here; of
//! plotters, the other files use the colours alone.

use std::cell::RefCell;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontStyle, FontTransform, IntoFont, RGBAColor, RGBColor, ShapeStyle, TextStyle,
};

use super::style::{INK, PAPER, TEXT_SIZE, WIDTH};
use crate::drawing::{Picture, sheet};

/// A place on the canvas: x to the right, y down.
pub type Spot = (i32, i32);

/// Which point of a text is at its spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Left end, middle of the line.
    Left,
    /// Centre, middle of the line.
    Centre,
    /// Right end, middle of the line.
    Right,
}

/// Size, colour and direction of a text.
#[derive(Debug, Clone, Copy)]
pub struct Lettering {
    pub size: i32,
    pub colour: RGBColor,
    pub anchor: Anchor,
    pub bold: bool,
    /// Read from bottom to top.
    pub upwards: bool,
}

impl Default for Lettering {
    fn default() -> Self {
        Self {
            size: TEXT_SIZE,
            colour: INK,
            anchor: Anchor::Left,
            bold: false,
            upwards: false,
        }
    }
}

/// What is drawn on; see [`draw`].
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    /// Boards, with their places and scales; on top of all else.
    boards: RefCell<Vec<(Picture, Spot, f64)>>,
}

/// The SVG of what `paint` puts on a white canvas of [`WIDTH`] × `height`, with `title` and
/// `description` for those who cannot see it. It scales: its nominal size is half the canvas.
pub fn draw(height: i32, title: &str, description: &str, paint: impl FnOnce(&Canvas)) -> String {
    let mut svg = String::new();
    let boards = {
        let area =
            SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32)).into_drawing_area();
        let canvas = Canvas {
            area,
            boards: RefCell::default(),
        };
        canvas.rectangle((0, 0), (WIDTH, height), PAPER.to_rgba());
        paint(&canvas);
        canvas.area.present().expect(IN_MEMORY);
        canvas.boards.into_inner()
    };
    let body = svg.split_once(">\n").map_or("", |(_, body)| body);
    let body = body.trim_end().trim_end_matches("</svg>");
    let boards = with_definitions(&boards);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n{body}{boards}</svg>\n",
        WIDTH / 2,
        height / 2,
        escaped(title),
        escaped(description)
    )
}

/// The boards, and what they use.
fn with_definitions(boards: &[(Picture, Spot, f64)]) -> String {
    if boards.is_empty() {
        return String::new();
    }
    let pictures: Vec<&Picture> = boards.iter().map(|(picture, ..)| picture).collect();
    let placed = boards
        .iter()
        .map(|(picture, corner, scale)| sheet::placed(picture, *corner, *scale));
    let placed: String = placed.collect();
    format!("<defs>\n{}</defs>\n{placed}", sheet::definitions(&pictures))
}

/// Why no drawing call can fail.
const IN_MEMORY: &str = "an SVG in memory has no device that could fail";

impl Canvas<'_> {
    pub fn line(&self, spots: &[Spot], colour: RGBColor, width: u32) {
        self.put(&PathElement::new(spots, stroke(colour, width)));
    }

    /// A straight dashed line; plotters' own asks the platform's libm for lengths.
    pub fn dashed_line(&self, from: Spot, to: Spot, colour: RGBColor, width: u32) {
        const DASH: f64 = 18.0;
        const PERIOD: f64 = 32.0;
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = (dx * dx + dy * dy).sqrt();
        let at = |distance: f64| {
            let part = (distance / length).min(1.0);
            (
                from.0 + (dx * part).round() as i32,
                from.1 + (dy * part).round() as i32,
            )
        };
        for dash in 0..(length / PERIOD).ceil() as u32 {
            let start = f64::from(dash) * PERIOD;
            self.line(&[at(start), at(start + DASH)], colour, width);
        }
    }

    pub fn polygon(&self, corners: &[Spot], colour: impl Color) {
        self.put(&Polygon::new(corners, colour.filled()));
    }

    pub fn rectangle(&self, corner: Spot, opposite: Spot, colour: RGBAColor) {
        self.put(&Rectangle::new([corner, opposite], colour.filled()));
    }

    /// A frame of this width within the corners.
    pub fn frame(
        &self,
        ((left, top), (right, bottom)): (Spot, Spot),
        colour: RGBColor,
        width: i32,
    ) {
        for (corner, opposite) in [
            ((left, top), (right, top + width)),
            ((left, bottom - width), (right, bottom)),
            ((left, top), (left + width, bottom)),
            ((right - width, top), (right, bottom)),
        ] {
            self.rectangle(corner, opposite, colour.to_rgba());
        }
    }

    pub fn disc(&self, centre: Spot, radius: i32, colour: RGBColor) {
        self.put(&Circle::new(centre, radius, colour.filled()));
    }

    pub fn ring(&self, centre: Spot, radius: i32, colour: RGBColor, width: u32) {
        self.put(&Circle::new(centre, radius, stroke(colour, width)));
    }

    /// A board of this width, its upper left corner at the spot, on top of all else.
    pub fn board(&self, picture: Picture, corner: Spot, width: i32) {
        let scale = f64::from(width) / picture.pieces().width as f64;
        self.boards.borrow_mut().push((picture, corner, scale));
    }

    pub fn text(&self, text: &str, spot: Spot, lettering: Lettering) {
        let horizontal = match lettering.anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        // Plotters writes its size divided by 1.24 as the font size.
        let mut font = ("sans-serif", f64::from(lettering.size) * 1.24).into_font();
        if lettering.bold {
            font = font.style(FontStyle::Bold);
        }
        if lettering.upwards {
            font = font.transform(FontTransform::Rotate270);
        }
        let style = TextStyle::from(font)
            .color(&lettering.colour)
            .pos(Pos::new(horizontal, VPos::Center));
        self.put(&Text::new(text.to_owned(), spot, style));
    }

    fn put<E>(&self, element: &E)
    where
        for<'b> &'b E: PointCollection<'b, Spot>,
        for<'b> E: Drawable<SVGBackend<'b>>,
    {
        self.area.draw(element).expect(IN_MEMORY);
    }
}

fn stroke(colour: RGBColor, width: u32) -> ShapeStyle {
    colour.stroke_width(width)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_scales_and_has_a_description() {
        let svg = draw(600, "time & n < 9", "two curves", |canvas| {
            canvas.text("10⁶ updates", (10, 20), Lettering::default())
        });
        assert!(svg.starts_with(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"1200\" height=\"300\" viewBox=\"0 0 2400 600\">\n"
        ));
        assert!(
            svg.contains("<title>time &amp; n &lt; 9</title>\n<desc>two curves</desc>\n<rect ")
        );
        assert!(svg.contains("10⁶ updates"));
        assert!(svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<svg").count(), 1);
    }

    #[test]
    fn a_dashed_line_stays_between_its_ends() {
        let svg = draw(600, "", "", |canvas| {
            canvas.dashed_line((100, 100), (160, 180), INK, 3)
        });
        let points: Vec<&str> = svg
            .split("points=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert_eq!(
            points,
            [
                "100,100 111,114 ",
                "119,126 130,140 ",
                "138,151 149,166 ",
                "158,177 160,180 "
            ]
        );
    }
}
