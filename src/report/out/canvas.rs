//! What is drawn, as data of whole-pixel coordinates. Here are the forms of markers, pointers and
//! dashed lines, the sizes of kinds of text, and the order of the lines of a legend and the parts
//! of a caption (`Rank`).

pub use plotters::style::text_anchor::HPos as Anchor;
use plotters::style::{Color, RGBAColor, RGBColor};

use crate::report::words::Words;
use crate::theme::{
    AXIS_TITLE_SIZE, FINE, INK, Marker, PAPER, SeriesStyle, TEXT_SIZE, THIN_WIDTH, TICK_SIZE,
    TITLE_SIZE,
};

/// A point of the canvas: x to the right, y down.
pub type Spot = (i32, i32);

/// Size, colour and direction of a text.
#[derive(Clone, Copy)]
pub struct Lettering {
    pub size: i32,
    pub colour: RGBColor,
    /// The end of the text that is at its spot, at half the height of its line.
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
    pub const TITLE: Self = Self {
        size: TITLE_SIZE,
        bold: true,
        ..Self::PLAIN
    };
    pub const AXIS: Self = Self {
        size: AXIS_TITLE_SIZE,
        anchor: Anchor::Center,
        ..Self::PLAIN
    };
    pub const TICK: Self = Self {
        size: TICK_SIZE,
        anchor: Anchor::Center,
        ..Self::PLAIN
    };
}

/// What a layer draws, and what is said of it.
#[derive(Clone, Default)]
pub struct Drawn {
    /// The shapes in the order in which they lie on the page.
    pub shapes: Vec<Shape>,
    pub tips: Vec<Tip>,
    pub legend: Vec<Entry>,
    /// Parts of the caption, without samples.
    pub words: Vec<Entry>,
}

/// The places in the order of reading, which is not that of painting: those of the legend, each
/// among others of its kind, and those of the caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    Name(usize),
    Measure(usize),
    Density,
    Fit(usize),
    Upright,
    Ring,
    Strip,
    Pointer(usize),
    Thin,
    Bound,
    Zero,
    Note(usize),
    Interval,
    Word(u8),
}

/// One thing that the legend or the caption explains.
#[derive(Clone)]
pub struct Entry {
    pub rank: Rank,
    /// Shapes about (0, 0), drawn by the functions that draw what they stand for.
    pub sample: Vec<Shape>,
    /// What stands between braces is joined with that of all others of this rank.
    pub text: String,
}

/// A form in one colour, or a text.
#[derive(Clone)]
pub enum Shape {
    Line(Vec<Spot>, RGBColor, u32),
    Polygon(Vec<Spot>, RGBAColor),
    Rectangle(Spot, Spot, RGBAColor),
    Disc(Spot, i32, RGBColor),
    Ring(Spot, i32, RGBColor),
    Text(String, Spot, Lettering),
}

/// What a reader sees where the pointer rests.
#[derive(Clone)]
pub struct Tip {
    pub area: HoverArea,
    /// The row of the table that holds it.
    pub row: usize,
    pub words: String,
}

/// The area that the pointer has to be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoverArea {
    Disc(Spot, i32),
    Tile(Spot, Spot),
}

impl HoverArea {
    /// The name of its element, and its attributes.
    pub fn element(self) -> (&'static str, String) {
        match self {
            Self::Disc((x, y), radius) => {
                ("circle", format!(" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""))
            }
            Self::Tile((x, y), (right, bottom)) => {
                let width = right - x;
                let height = bottom - y;
                let size = format!(" width=\"{width}\" height=\"{height}\"");
                ("rect", format!(" x=\"{x}\" y=\"{y}\"{size}"))
            }
        }
    }
}

impl Shape {
    /// The same at another place.
    pub fn moved(&self, (dx, dy): Spot) -> Self {
        let to = |&(x, y): &Spot| (x + dx, y + dy);
        let all = |spots: &[Spot]| spots.iter().map(to).collect();
        match self {
            Self::Line(spots, colour, width) => Self::Line(all(spots), *colour, *width),
            Self::Polygon(corners, colour) => Self::Polygon(all(corners), *colour),
            Self::Rectangle(a, b, colour) => Self::Rectangle(to(a), to(b), *colour),
            Self::Disc(centre, radius, colour) => Self::Disc(to(centre), *radius, *colour),
            Self::Ring(centre, radius, colour) => Self::Ring(to(centre), *radius, *colour),
            Self::Text(text, spot, lettering) => Self::Text(text.clone(), to(spot), *lettering),
        }
    }
}

impl Drawn {
    /// A line through the spots; none through a single one.
    pub fn line(&mut self, spots: &[Spot], colour: RGBColor, width: u32) {
        if spots.len() > 1 {
            self.shapes.push(Shape::Line(spots.to_vec(), colour, width));
        }
    }

    /// A line through the spots, broken as `dash` says; plotters' own dashed lines ask the
    /// platform's libm for lengths.
    pub fn broken_line(&mut self, spots: &[Spot], colour: RGBColor, width: u32, dash: &[f64]) {
        if dash.is_empty() {
            self.line(spots, colour, width);
            return;
        }
        for stroke in strokes(spots, dash) {
            self.line(&stroke, colour, width);
        }
    }

    /// A line that is no curve: a fit, a law or a limit.
    pub fn fine_line(&mut self, spots: &[Spot], colour: RGBColor) {
        self.broken_line(spots, colour, THIN_WIDTH, FINE);
    }

    pub fn polygon(&mut self, corners: &[Spot], colour: impl Color) {
        self.shapes
            .push(Shape::Polygon(corners.to_vec(), colour.to_rgba()));
    }

    pub fn rectangle(&mut self, corner: Spot, opposite: Spot, colour: RGBAColor) {
        self.shapes.push(Shape::Rectangle(corner, opposite, colour));
    }

    /// A frame of this width within the corners.
    pub fn frame(
        &mut self,
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

    pub fn disc(&mut self, centre: Spot, radius: i32, colour: RGBColor) {
        self.shapes.push(Shape::Disc(centre, radius, colour));
    }

    pub fn ring(&mut self, centre: Spot, radius: i32, colour: RGBColor) {
        self.shapes.push(Shape::Ring(centre, radius, colour));
    }

    /// A marker of a series; open ones have a white centre.
    pub fn marker(&mut self, spot: Spot, style: SeriesStyle, radius: i32, open: bool) {
        let centre = open.then_some(((radius - 5).max(3), PAPER));
        for (radius, colour) in [(radius, style.colour)].into_iter().chain(centre) {
            let corners = corners(style.marker, radius).into_iter();
            let corners: Vec<Spot> = corners
                .map(|corner| (spot.0 + corner.0, spot.1 + corner.1))
                .collect();
            match style.marker {
                Marker::Circle => self.disc(spot, radius, colour),
                _ => self.polygon(&corners, colour),
            }
        }
    }

    /// A pointer to a value on the lower edge, its tip at the spot.
    pub fn pointer(&mut self, (x, y): Spot, colour: RGBColor) {
        self.polygon(&[(x, y), (x - 16, y - 34), (x + 16, y - 34)], colour);
    }

    pub fn text(&mut self, text: &str, spot: Spot, lettering: Lettering) {
        self.shapes
            .push(Shape::Text(text.to_owned(), spot, lettering));
    }

    /// A line of the legend, with a sample that `paint` draws about (0, 0).
    pub fn entry(&mut self, rank: Rank, text: impl Into<String>, paint: impl FnOnce(&mut Self)) {
        let mut drawn = Self::default();
        paint(&mut drawn);
        let sample = drawn.shapes;
        let text = text.into();
        self.legend.push(Entry { rank, sample, text });
    }

    /// What the bars or bands are that are drawn, which the caption says first.
    pub fn explain_intervals(&mut self, text: String) {
        self.words.push(Entry {
            rank: Rank::Interval,
            sample: Vec::new(),
            text,
        });
    }

    /// A part of the caption.
    pub fn say(&mut self, rank: u8, text: impl Into<String>) {
        let rank = Rank::Word(rank);
        let sample = Vec::new();
        let text = text.into();
        self.words.push(Entry { rank, sample, text });
    }

    /// The same with its texts and tips in other words; those of the legend and the caption are
    /// joined before.
    pub fn said(mut self, words: &Words) -> Self {
        if words.is_empty() {
            return self;
        }
        for shape in &mut self.shapes {
            if let Shape::Text(text, ..) = shape {
                *text = words.said(text);
            }
        }
        for tip in &mut self.tips {
            tip.words = words.said(&tip.words);
        }
        self
    }

    /// All of another over this.
    pub fn add(&mut self, other: Self) {
        self.shapes.extend(other.shapes);
        self.tips.extend(other.tips);
        self.legend.extend(other.legend);
        self.words.extend(other.words);
    }
}

/// The parts of the line through `spots` that `pattern`, lengths of line and gap in turns, leaves:
/// each with the spots that it passes.
fn strokes(spots: &[Spot], pattern: &[f64]) -> Vec<Vec<Spot>> {
    const ROUNDING: f64 = 1e-6;
    let mut strokes: Vec<Vec<Spot>> = Vec::new();
    let mut turn = 0;
    let mut left = pattern[0];
    let mut is_begun = false;
    for (from, to) in spots.iter().zip(spots.iter().skip(1)) {
        let dx = f64::from(to.0 - from.0);
        let dy = f64::from(to.1 - from.1);
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
                match strokes.last_mut().filter(|_| is_begun) {
                    Some(stroke) => stroke.push(at(end)),
                    None => strokes.push(vec![at(done), at(end)]),
                }
                is_begun = true;
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

/// The corners of a marker about (0, 0); a circle has none. Sizes are chosen so that all shapes
/// look equally heavy.
fn corners(marker: Marker, radius: i32) -> Vec<Spot> {
    let side = radius * 9 / 10;
    let long = radius * 13 / 10;
    let arm = radius * 2 / 5;
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
            let half = |end: i32| {
                [
                    (-side * end, -long * end),
                    (side * end, -long * end),
                    (2 * end, 0),
                ]
            };
            [half(1), half(-1)].concat()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths that are no sums of binary fractions leave rests of rounding.
    #[test]
    fn every_line_has_an_end() {
        for dash in crate::theme::DASHES.into_iter().skip(1).chain([FINE]) {
            let spots: Vec<Spot> = (0..400).map(|x| (7 * x, (x * x) % 91)).collect();
            let strokes = strokes(&spots, dash);
            assert!((100..1500).contains(&strokes.len()), "{}", strokes.len());
        }
    }
}
