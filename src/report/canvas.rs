//! A white canvas of whole-pixel coordinates. What is drawn on it is a [`Scene`], which becomes an
//! SVG for a file and one for a page. All drawing goes through here; of plotters, the other files
//! use the colours alone.

use std::cell::RefCell;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontStyle, FontTransform, IntoFont, RGBAColor, RGBColor, ShapeStyle, TextStyle,
};

use super::style::{
    AXIS_TITLE_SIZE, Dash, INK, PAPER, SINGLE_WIDTH, TEXT_SIZE, TICK_SIZE, TITLE_SIZE, WIDTH,
};
use crate::drawing::{Picture, sheet};
use crate::experiment::spec::{Choices, Width};
use crate::html::{escaped_inside, printable};

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

impl Lettering {
    pub const PLAIN: Self = Self {
        size: TEXT_SIZE,
        colour: INK,
        anchor: Anchor::Left,
        bold: false,
        upwards: false,
    };
    /// Of the title of a figure.
    pub const TITLE: Self = Self {
        size: TITLE_SIZE,
        bold: true,
        ..Self::PLAIN
    };
    /// Of the title of an axis.
    pub const AXIS: Self = Self {
        size: AXIS_TITLE_SIZE,
        anchor: Anchor::Centre,
        ..Self::PLAIN
    };
    /// Of the title of an upright axis.
    pub const UPRIGHT: Self = Self {
        upwards: true,
        ..Self::AXIS
    };
    /// Of the number at a tick.
    pub const TICK: Self = Self {
        size: TICK_SIZE,
        anchor: Anchor::Centre,
        ..Self::PLAIN
    };
}

/// What is drawn on; see [`Scene::of`].
#[derive(Default)]
pub struct Canvas {
    shapes: RefCell<Vec<Shape>>,
    /// Boards, with their places and scales; on top of all else.
    boards: RefCell<Vec<(Picture, Spot, f64)>>,
    tips: RefCell<Vec<Tip>>,
    /// Smaller texts are drawn in this size.
    least_text: i32,
}

/// What is drawn, in the order in which it lies on the canvas.
pub enum Shape {
    Line(Vec<Spot>, RGBColor, u32),
    Polygon(Vec<Spot>, RGBAColor),
    Rectangle(Spot, Spot, RGBAColor),
    Disc(Spot, i32, RGBColor),
    Ring(Spot, i32, RGBColor, u32),
    Text(String, Spot, Lettering),
}

/// All that was drawn, and where.
pub struct Scene {
    page: Page,
    pub height: i32,
    pub shapes: Vec<Shape>,
    boards: Vec<(Picture, Spot, f64)>,
    pub tips: Vec<Tip>,
}

/// What a reader sees where the pointer rests.
#[derive(Debug, Clone, PartialEq)]
pub struct Tip {
    pub place: Place,
    /// The row of the table that holds it.
    pub row: Option<usize>,
    /// Lines.
    pub words: String,
}

/// What the pointer has to be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Around a marker.
    Disc(Spot, i32),
    /// Between two corners.
    Tile(Spot, Spot),
}

/// How large a figure is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Page {
    /// In canvas units.
    pub width: i32,
    /// Width in print; none for a figure that scales with the page it stands on.
    millimetres: Option<f64>,
    /// The smallest text, in canvas units.
    least_text: i32,
    /// Whether the title is drawn.
    pub has_title: bool,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            width: WIDTH,
            millimetres: None,
            least_text: 0,
            has_title: true,
        }
    }
}

impl Page {
    /// As a spec chooses: on 86 mm fewer units, so that no text is below 6 pt (2.117 mm).
    pub fn of(choices: &Choices) -> Self {
        let page = Self {
            has_title: choices.has_title,
            ..Self::default()
        };
        match choices.width {
            None => page,
            Some(width) => {
                let (millimetres, width) = match width {
                    Width::Single => (86.0, SINGLE_WIDTH),
                    Width::Double => (178.0, WIDTH),
                };
                const SIX_POINTS: f64 = 6.0 * 25.4 / 72.0;
                let least = SIX_POINTS * f64::from(width) / millimetres;
                Self {
                    width,
                    millimetres: Some(millimetres),
                    least_text: least.ceil() as i32,
                    ..page
                }
            }
        }
    }

    /// A column of a page in a browser: as narrow as one in print.
    pub fn narrow() -> Self {
        Self::of(&Choices {
            width: Some(Width::Single),
            ..Choices::default()
        })
    }

    /// In units, of 230 mm: the height of a journal's page.
    pub fn most_height(&self) -> Option<i32> {
        let units = f64::from(self.width) / self.millimetres?;
        Some((230.0 * units) as i32)
    }

    /// Of the root: its size and, in units, its box.
    fn size(&self, height: i32) -> String {
        let nominal = match self.millimetres {
            None => format!("width=\"{}\" height=\"{}\"", self.width / 2, height / 2),
            Some(across) => {
                let down = across * f64::from(height) / f64::from(self.width);
                format!("width=\"{across}mm\" height=\"{down:.2}mm\"")
            }
        };
        format!("{nominal} viewBox=\"0 0 {} {height}\"", self.width)
    }
}

impl Scene {
    /// What `paint` puts on a white canvas as wide as the page.
    pub fn of(page: &Page, height: i32, paint: impl FnOnce(&Canvas)) -> Self {
        let canvas = Canvas {
            least_text: page.least_text,
            ..Canvas::default()
        };
        canvas.rectangle((0, 0), (page.width, height), PAPER.to_rgba());
        paint(&canvas);
        Self {
            page: *page,
            height,
            shapes: canvas.shapes.into_inner(),
            boards: canvas.boards.into_inner(),
            tips: canvas.tips.into_inner(),
        }
    }

    pub fn width(&self) -> i32 {
        self.page.width
    }

    /// The SVG of a file, with `title` and `description` for those who cannot see it, and with tips
    /// over all else.
    pub fn file(&self, title: &str, description: &str) -> String {
        let mut svg = String::new();
        {
            let size = (self.page.width as u32, self.height as u32);
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            self.shapes.iter().for_each(|shape| shape.put(&area));
            area.present().expect(IN_MEMORY);
        }
        let body = svg.split_once(">\n").map_or("", |(_, body)| body);
        let body = body.strip_suffix("</svg>\n").unwrap_or(body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" {}>\n\
             <title>{}</title>\n<desc>{}</desc>\n{body}{}{}</svg>\n",
            self.page.size(self.height),
            escaped_inside(title),
            escaped_inside(description),
            self.boards(""),
            self.tips()
        )
    }

    /// Shapes that are not seen, over the points, each with its words as an SVG's own `<title>`, so
    /// that they show without a program, and with its row of the table, counted from 1.
    fn tips(&self) -> String {
        let shape = |tip: &Tip| {
            let words = escaped_inside(&tip.words).replace('\n', "&#10;");
            let row = tip.row.map(|row| format!(" data-row=\"{}\"", row + 1));
            let title = format!("{}><title>{words}</title>", row.unwrap_or_default());
            match tip.place {
                Place::Disc((x, y), radius) => {
                    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{title}</circle>\n")
                }
                Place::Tile((left, top), (right, bottom)) => {
                    let (width, height) = (right - left, bottom - top);
                    format!(
                        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"{title}</rect>\n"
                    )
                }
            }
        };
        if self.tips.is_empty() {
            return String::new();
        }
        let shapes: String = self.tips.iter().map(shape).collect();
        format!("<g class=\"points\" fill=\"none\" pointer-events=\"all\">\n{shapes}</g>\n")
    }

    /// The boards, and what they use under ids that begin so.
    pub fn boards(&self, ids: &str) -> String {
        if self.boards.is_empty() {
            return String::new();
        }
        let (mut placed, mut pictures) = (String::new(), Vec::new());
        for (picture, corner, scale) in &self.boards {
            let picture = Picture {
                ids: ids.to_owned(),
                ..picture.clone()
            };
            placed += &sheet::placed(&picture, *corner, *scale);
            pictures.push(picture);
        }
        let used: Vec<&Picture> = pictures.iter().collect();
        let definitions = sheet::definitions(&used, ids);
        format!("<defs>\n{definitions}</defs>\n{placed}")
    }
}

/// The SVG of a file of a page that scales, without tips.
#[cfg(test)]
pub fn draw(height: i32, title: &str, description: &str, paint: impl FnOnce(&Canvas)) -> String {
    Scene::of(&Page::default(), height, paint).file(title, description)
}

/// Why no drawing call can fail.
const IN_MEMORY: &str = "an SVG in memory has no device that could fail";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Shape {
    fn put(&self, area: &Area) {
        match self {
            Self::Line(spots, colour, width) => {
                put(area, &PathElement::new(&spots[..], stroke(*colour, *width)))
            }
            Self::Polygon(corners, colour) => {
                put(area, &Polygon::new(&corners[..], colour.filled()))
            }
            Self::Rectangle(corner, opposite, colour) => {
                put(area, &Rectangle::new([*corner, *opposite], colour.filled()))
            }
            Self::Disc(centre, radius, colour) => {
                put(area, &Circle::new(*centre, *radius, colour.filled()))
            }
            Self::Ring(centre, radius, colour, width) => put(
                area,
                &Circle::new(*centre, *radius, stroke(*colour, *width)),
            ),
            Self::Text(text, spot, lettering) => {
                put(area, &Text::new(text.clone(), *spot, lettering.style()))
            }
        }
    }
}

fn put<E>(area: &Area, element: &E)
where
    for<'b> &'b E: PointCollection<'b, Spot>,
    for<'b> E: Drawable<SVGBackend<'b>>,
{
    area.draw(element).expect(IN_MEMORY);
}

impl Lettering {
    fn style(&self) -> TextStyle<'_> {
        let horizontal = match self.anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        // Plotters writes its size divided by 1.24 as the font size.
        let mut font = ("sans-serif", f64::from(self.size) * 1.24).into_font();
        if self.bold {
            font = font.style(FontStyle::Bold);
        }
        if self.upwards {
            font = font.transform(FontTransform::Rotate270);
        }
        TextStyle::from(font)
            .color(&self.colour)
            .pos(Pos::new(horizontal, VPos::Center))
    }
}

impl Canvas {
    pub fn line(&self, spots: &[Spot], colour: RGBColor, width: u32) {
        self.put(Shape::Line(spots.to_vec(), colour, width));
    }

    /// A line through the spots, broken as `dash` says; plotters' own dashed lines ask the
    /// platform's libm for lengths.
    pub fn broken_line(&self, spots: &[Spot], colour: RGBColor, width: u32, dash: Dash) {
        if dash == Dash::Solid {
            self.line(spots, colour, width);
            return;
        }
        for stroke in strokes(spots, dash.pattern()) {
            self.line(&stroke, colour, width);
        }
    }

    /// A straight line that is no curve: a fit, a law or a limit.
    pub fn dashed_line(&self, from: Spot, to: Spot, colour: RGBColor, width: u32) {
        self.broken_line(&[from, to], colour, width, Dash::Fine);
    }

    pub fn polygon(&self, corners: &[Spot], colour: impl Color) {
        self.put(Shape::Polygon(corners.to_vec(), colour.to_rgba()));
    }

    pub fn rectangle(&self, corner: Spot, opposite: Spot, colour: RGBAColor) {
        self.put(Shape::Rectangle(corner, opposite, colour));
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
        self.put(Shape::Disc(centre, radius, colour));
    }

    pub fn ring(&self, centre: Spot, radius: i32, colour: RGBColor, width: u32) {
        self.put(Shape::Ring(centre, radius, colour, width));
    }

    /// A board of this width, its upper left corner at the spot, on top of all else.
    pub fn board(&self, picture: Picture, corner: Spot, width: i32) {
        let scale = f64::from(width) / picture.pieces().width as f64;
        self.boards.borrow_mut().push((picture, corner, scale));
    }

    pub fn text(&self, text: &str, spot: Spot, lettering: Lettering) {
        let size = lettering.size.max(self.least_text);
        let lettering = Lettering { size, ..lettering };
        self.put(Shape::Text(printable(text), spot, lettering));
    }

    pub fn tip(&self, tip: Tip) {
        self.tips.borrow_mut().push(tip);
    }

    fn put(&self, shape: Shape) {
        self.shapes.borrow_mut().push(shape);
    }
}

/// The parts of the line through `spots` that `pattern`, lengths of line and gap in turns, leaves:
/// each with the spots that it passes.
fn strokes(spots: &[Spot], pattern: &[f64]) -> Vec<Vec<Spot>> {
    const ROUNDING: f64 = 1e-6;
    let mut strokes: Vec<Vec<Spot>> = Vec::new();
    let (mut turn, mut left, mut is_begun) = (0, pattern[0], false);
    for ends in spots.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = (dx * dx + dy * dy).sqrt();
        let at = |distance: f64| {
            let part = if length > 0.0 { distance / length } else { 0.0 };
            (
                from.0 + (dx * part).round() as i32,
                from.1 + (dy * part).round() as i32,
            )
        };
        let mut done = 0.0;
        while done < length {
            let end = (done + left).min(length);
            if turn % 2 == 0 {
                if !is_begun {
                    strokes.push(vec![at(done)]);
                    is_begun = true;
                }
                strokes
                    .last_mut()
                    .expect("a stroke was begun")
                    .push(at(end));
            }
            left -= end - done;
            done = end;
            // Not 0: a rest too small to be added to `done` would never be used up.
            if left <= ROUNDING {
                turn = (turn + 1) % pattern.len();
                (left, is_begun) = (pattern[turn], false);
            }
        }
    }
    strokes
}

fn stroke(colour: RGBColor, width: u32) -> ShapeStyle {
    colour.stroke_width(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 86 mm are 1380 units, so 34 of them are 6.006 pt: a smaller text is drawn in 34. On 178 mm
    /// of 2400 units 29 are 6.097 pt.
    #[test]
    fn no_text_in_print_is_below_six_points() {
        let texts = |width| {
            let choices = Choices {
                width,
                ..Choices::default()
            };
            let page = Page::of(&choices);
            let scene = Scene::of(&page, 690, |canvas| {
                for size in [20, 50] {
                    let lettering = Lettering {
                        size,
                        ..Lettering::PLAIN
                    };
                    canvas.text("x", (10, 20), lettering);
                }
            });
            scene.file("", "")
        };
        let single = texts(Some(Width::Single));
        assert!(single.contains("width=\"86mm\" height=\"43.00mm\" viewBox=\"0 0 1380 690\""));
        assert!(single.contains("font-size=\"34") && single.contains("font-size=\"50"));
        let double = texts(Some(Width::Double));
        assert!(double.contains("width=\"178mm\"") && double.contains("font-size=\"29"));
        let plain = texts(None);
        assert!(
            plain.contains("width=\"1200\" height=\"345\"") && plain.contains("font-size=\"20")
        );
    }

    /// Lengths that are no sums of binary fractions leave rests of rounding.
    #[test]
    fn every_line_has_an_end() {
        for dash in [Dash::Dotted, Dash::Chain, Dash::DoubleChain, Dash::Fine] {
            let spots: Vec<Spot> = (0..400).map(|x| (7 * x, (x * x) % 91)).collect();
            let strokes = strokes(&spots, dash.pattern());
            assert!((100..1500).contains(&strokes.len()), "{}", strokes.len());
        }
    }
}
