//! Boards as pixels: the elements that the renderer of boards draws, and no other SVG. Queens,
//! signals, rings and squares are paths and circles; numbers are drawn in blocks, without a font.

use std::collections::BTreeMap;

use crate::drawing::glyphs::{CELL, PAPER};
use crate::drawing::picture::Pieces;

/// Pixels to a cell, at most and at least: a whole number, so that a glyph is the same on every
/// cell.
const CELL_PIXELS: [usize; 2] = [6, 40];
/// Pixels of a board from west to east, unless its cells would be too small.
const WIDE: usize = 480;

/// Samples of a pixel, across and down.
const SAMPLES: i64 = 3;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// Pixels row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    pub width: usize,
    pub height: usize,
    pub colours: Vec<Colour>,
}

/// An area that is painted: its colour and how much of each pixel it covers.
struct Paint {
    colour: Colour,
    /// North-western pixel.
    left: i64,
    top: i64,
    width: i64,
    /// Of [`SAMPLES`]², row by row.
    covered: Vec<u8>,
}

/// Draws pictures of one board, and keeps the glyphs as pixels.
pub struct Raster {
    /// Pixels to a cell.
    scale: i64,
    width: i64,
    height: i64,
    left: i64,
    top: i64,
    ground: Pixels,
    glyphs: BTreeMap<String, Vec<Paint>>,
}

impl Raster {
    /// Of pictures with this ground and these definitions.
    pub fn new(pieces: &Pieces) -> Self {
        let numbers: Vec<i64> = numbers(&pieces.view_box).map(|it| it as i64).collect();
        let at = |place: usize| numbers.get(place).copied().unwrap_or_default();
        let [least, most] = CELL_PIXELS;
        let scale = (WIDE * CELL / pieces.width.max(1)).clamp(least, most) as i64;
        let pixels = |units: i64| units * scale / CELL as i64;
        let (width, height) = (pixels(at(2)), pixels(at(3)));
        let paper = colour(PAPER).unwrap_or_default();
        let mut raster = Self {
            scale,
            width,
            height,
            left: pixels(at(0)),
            top: pixels(at(1)),
            ground: Pixels {
                width: width as usize,
                height: height as usize,
                colours: vec![paper; (width * height) as usize],
            },
            glyphs: BTreeMap::new(),
        };
        for line in pieces.definitions.lines() {
            if let Some(id) = attribute(line, "id") {
                raster.glyphs.insert(format!("#{id}"), paints(line, scale));
            }
        }
        let mut ground = raster.ground.clone();
        raster.draw_all(&mut ground, &pieces.ground);
        raster.ground = ground;
        raster
    }

    /// Pixels from west to east.
    pub fn width(&self) -> usize {
        self.ground.width
    }

    /// Pixels from north to south.
    pub fn height(&self) -> usize {
        self.ground.height
    }

    /// A picture with these figures.
    pub fn draw(&self, figures: &str) -> Pixels {
        let mut pixels = self.ground.clone();
        self.draw_all(&mut pixels, figures);
        pixels
    }

    fn draw_all(&self, pixels: &mut Pixels, elements: &str) {
        for line in elements.lines() {
            if line.starts_with("<use") {
                let glyph = attribute(line, "href").and_then(|href| self.glyphs.get(href));
                let [x, y] =
                    ["x", "y"].map(|name| number(line, name) as i64 * self.scale / CELL as i64);
                for paint in glyph.into_iter().flatten() {
                    self.paint(pixels, paint, x, y);
                }
            } else {
                for paint in paints(line, self.scale) {
                    self.paint(pixels, &paint, 0, 0);
                }
            }
        }
    }

    fn paint(&self, pixels: &mut Pixels, paint: &Paint, x: i64, y: i64) {
        for (place, &covered) in paint.covered.iter().enumerate() {
            let (column, row) = (place as i64 % paint.width, place as i64 / paint.width);
            let (x, y) = (
                x + paint.left + column - self.left,
                y + paint.top + row - self.top,
            );
            if covered == 0 || x < 0 || y < 0 || x >= self.width || y >= self.height {
                continue;
            }
            let under = &mut pixels.colours[(y * self.width + x) as usize];
            let (all, part) = ((SAMPLES * SAMPLES) as u32, u32::from(covered));
            for (under, over) in under.iter_mut().zip(paint.colour) {
                let mixed = u32::from(*under) * (all - part) + u32::from(over) * part;
                *under = ((mixed + all / 2) / all) as u8;
            }
        }
    }
}

/// What an element paints: its areas, then its lines.
fn paints(line: &str, scale: i64) -> Vec<Paint> {
    let shapes = Shape::all(line);
    let area = attribute(line, "fill").and_then(colour);
    let areas = area.into_iter().flat_map(|colour| {
        let paint = move |shape: &Shape| {
            Paint::of(colour, scale, shape.bounds(0.0), |x, y| {
                shape.contains(x, y)
            })
        };
        shapes.iter().map(paint)
    });
    let half = number(line, "stroke-width").max(1.0) / 2.0;
    let edge = attribute(line, "stroke").and_then(colour);
    let edges = edge.into_iter().flat_map(|colour| {
        let near = move |shape: &Shape| {
            Paint::of(colour, scale, shape.bounds(half), |x, y| {
                shape.distance(x, y) <= half
            })
        };
        shapes.iter().map(near)
    });
    areas.chain(edges).collect()
}

impl Paint {
    /// Of what is true at points, within bounds in units: left, top, right, bottom.
    fn of(colour: Colour, scale: i64, bounds: [f64; 4], is_in: impl Fn(f64, f64) -> bool) -> Self {
        let unit = scale as f64 / CELL as f64;
        let [left, top] = [0, 1].map(|at| (bounds[at] * unit).floor() as i64);
        let [right, bottom] = [2, 3].map(|at| (bounds[at] * unit).ceil() as i64);
        let mut covered = Vec::new();
        for y in top..bottom {
            for x in left..right {
                let mut samples = 0;
                for sample in 0..SAMPLES * SAMPLES {
                    let place = |pixel: i64, sample: i64| {
                        (pixel as f64 + (sample as f64 + 0.5) / SAMPLES as f64) / unit
                    };
                    let (across, down) = (sample % SAMPLES, sample / SAMPLES);
                    samples += u8::from(is_in(place(x, across), place(y, down)));
                }
                covered.push(samples);
            }
        }
        Self {
            colour,
            left,
            top,
            width: (right - left).max(1),
            covered,
        }
    }
}

type Point = (f64, f64);

/// In units.
enum Shape {
    /// From corner to corner, and whether it is closed.
    Line(Vec<Point>, bool),
    Circle {
        x: f64,
        y: f64,
        radius: f64,
    },
}

impl Shape {
    /// Those of an element, which do not overlap.
    fn all(line: &str) -> Vec<Self> {
        let name = line.trim_start_matches('<').split(' ').next();
        match name.unwrap_or_default() {
            "path" => {
                let (scale, dx, dy) = transform(line);
                let moved = |(x, y): Point| (x * scale + dx, y * scale + dy);
                let lines = path(attribute(line, "d").unwrap_or_default()).into_iter();
                lines
                    .map(|(line, closed)| Self::Line(line.into_iter().map(moved).collect(), closed))
                    .collect()
            }
            "rect" => {
                let [x, y, width, height] =
                    ["x", "y", "width", "height"].map(|name| number(line, name));
                vec![rectangle(x, y, width, height)]
            }
            "circle" => {
                let [x, y, radius] = ["cx", "cy", "r"].map(|name| number(line, name));
                vec![Self::Circle { x, y, radius }]
            }
            "text" => digits(line),
            _ => Vec::new(),
        }
    }

    /// Left, top, right and bottom, with so much room around.
    fn bounds(&self, around: f64) -> [f64; 4] {
        match self {
            Self::Circle { x, y, radius } => {
                let out = radius + around;
                [x - out, y - out, x + out, y + out]
            }
            Self::Line(corners, _) => {
                let least = |it: fn(&Point) -> f64| corners.iter().map(it).fold(1e9, f64::min);
                let most = |it: fn(&Point) -> f64| corners.iter().map(it).fold(-1e9, f64::max);
                [
                    least(|it| it.0) - around,
                    least(|it| it.1) - around,
                    most(|it| it.0) + around,
                    most(|it| it.1) + around,
                ]
            }
        }
    }

    /// By the number of edges to the west, odd or even.
    fn contains(&self, at_x: f64, at_y: f64) -> bool {
        match self {
            Self::Circle { x, y, radius } => {
                let (dx, dy) = (at_x - x, at_y - y);
                dx * dx + dy * dy <= radius * radius
            }
            Self::Line(corners, _) => {
                let crosses = |(a, b): &(Point, Point)| {
                    (a.1 > at_y) != (b.1 > at_y)
                        && a.0 + (at_y - a.1) / (b.1 - a.1) * (b.0 - a.0) < at_x
                };
                edges(corners, true).filter(crosses).count() % 2 == 1
            }
        }
    }

    /// To the nearest point of its line.
    fn distance(&self, at_x: f64, at_y: f64) -> f64 {
        let length = |dx: f64, dy: f64| (dx * dx + dy * dy).sqrt();
        match self {
            Self::Circle { x, y, radius } => (length(at_x - x, at_y - y) - radius).abs(),
            Self::Line(corners, closed) => {
                let of_edge = |(a, b): (Point, Point)| {
                    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                    let square = (dx * dx + dy * dy).max(1e-9);
                    let along = ((at_x - a.0) * dx + (at_y - a.1) * dy) / square;
                    let along = along.clamp(0.0, 1.0);
                    length(at_x - a.0 - along * dx, at_y - a.1 - along * dy)
                };
                edges(corners, *closed).map(of_edge).fold(1e9, f64::min)
            }
        }
    }
}

/// From each corner to the next, and back from the last if the line is closed.
fn edges(corners: &[Point], closed: bool) -> impl Iterator<Item = (Point, Point)> + '_ {
    let n = corners.len();
    let n_edges = if closed { n } else { n.saturating_sub(1) };
    (0..n_edges).map(move |at| (corners[at], corners[(at + 1) % n]))
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Shape {
    let (right, bottom) = (x + width, y + height);
    Shape::Line(vec![(x, y), (right, y), (right, bottom), (x, bottom)], true)
}

/// Three blocks across and five down, a bit each, for the digits from 0.
const DIGITS: [u16; 10] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_001_001_001,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
];

/// The number of queens on a cell; other texts are left out.
fn digits(line: &str) -> Vec<Shape> {
    let text = line.split_once('>').and_then(|it| it.1.split('<').next());
    let digits: Vec<u32> = text
        .unwrap_or_default()
        .chars()
        .filter_map(|c| c.to_digit(10))
        .collect();
    if digits.is_empty() || !line.contains("class=\"count\"") {
        return Vec::new();
    }
    let block = number(line, "font-size") * 0.7 / 5.0;
    let width = block * (4 * digits.len() - 1) as f64;
    let (left, top) = (
        number(line, "x") - width / 2.0,
        number(line, "y") - 5.0 * block,
    );
    let mut blocks = Vec::new();
    for (place, &digit) in digits.iter().enumerate() {
        for bit in (0..15).filter(|bit| DIGITS[digit as usize] >> (14 - bit) & 1 == 1) {
            let (column, row) = (4 * place + bit % 3, bit / 3);
            let (x, y) = (left + block * column as f64, top + block * row as f64);
            blocks.push(rectangle(x, y, block, block));
        }
    }
    blocks
}

/// Lines of a path of the commands M, h, v and z; pairs after M go on from corner to corner.
fn path(d: &str) -> Vec<(Vec<Point>, bool)> {
    let mut lines: Vec<(Vec<Point>, bool)> = Vec::new();
    let commands = d.char_indices().filter(|(_, c)| c.is_ascii_alphabetic());
    let places: Vec<(usize, char)> = commands.collect();
    for (index, &(at, command)) in places.iter().enumerate() {
        let end = places.get(index + 1).map_or(d.len(), |next| next.0);
        let mut values = numbers(&d[at + 1..end]);
        if command == 'M' {
            let mut corners = Vec::new();
            while let (Some(x), Some(y)) = (values.next(), values.next()) {
                corners.push((x, y));
            }
            lines.push((corners, false));
            continue;
        }
        let Some(line) = lines.last_mut() else {
            continue;
        };
        let (x, y) = line.0.last().copied().unwrap_or_default();
        match (command, values.next()) {
            ('h', Some(dx)) => line.0.push((x + dx, y)),
            ('v', Some(dy)) => line.0.push((x, y + dy)),
            _ => line.1 = true,
        }
    }
    lines
}

/// `translate(x y) scale(s)` as the scale and the way.
fn transform(line: &str) -> (f64, f64, f64) {
    let inside = |name: &str| -> Vec<f64> {
        let rest = attribute(line, "transform").and_then(|it| it.split_once(name));
        let inside = rest.and_then(|it| it.1.split(')').next());
        inside.map_or_else(Vec::new, |inside| numbers(inside).collect())
    };
    let (way, scale) = (inside("translate("), inside("scale("));
    let at = |list: &[f64], place: usize, other: f64| list.get(place).copied().unwrap_or(other);
    (at(&scale, 0, 1.0), at(&way, 0, 0.0), at(&way, 1, 0.0))
}

fn numbers(text: &str) -> impl Iterator<Item = f64> + '_ {
    let words = text.split([' ', ',']);
    words.filter_map(|word| word.parse().ok())
}

/// The value of an attribute; names that end with another's name are not taken for it.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.split_once(&format!(" {name}=\""))?.1;
    rest.split('"').next()
}

fn number(line: &str, name: &str) -> f64 {
    let value = attribute(line, name).and_then(|value| value.parse().ok());
    value.unwrap_or_default()
}

/// Of `#rrggbb`.
fn colour(text: &str) -> Option<Colour> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    Some([(number >> 16) as u8, (number >> 8) as u8, number as u8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::glyphs::{DARK, FALSE, INK, TRUE};
    use crate::drawing::picture::Picture;
    use crate::drawing::position::Position;
    use crate::drawing::read;

    /// A false signal, true ones, a threatened queen, two queens on a cell.
    fn picture() -> Picture {
        let drawn = read::position("Q..\n..2\n...").expect("a drawing");
        let signals = read::signals("a3 E\nb2 E\nc1 W N", 3).expect("a list");
        let position: Position = drawn.position.with_signals(signals).expect("all cells");
        Picture {
            coordinates: false,
            ..Picture::new(position)
        }
    }

    #[test]
    fn squares_queens_and_signals_have_their_colours() {
        let pieces = picture().pieces_with_all_glyphs();
        let raster = Raster::new(&pieces);
        let pixels = raster.draw(&pieces.figures);
        assert_eq!((pixels.width, pixels.height), (123, 123));
        let at = |x: f64, y: f64| {
            // The board's corner is one pixel inside.
            let pixel = |units: f64| (units * 0.4) as usize + 1;
            pixels.colours[pixel(y) * pixels.width + pixel(x)]
        };
        let is = |text: &str| colour(text).expect("a colour");
        // As on a chess board, a1 is dark, and so is a3.
        assert_eq!(at(20.0, 20.0), is(DARK));
        assert_eq!(at(120.0, 20.0), is(PAPER));
        assert_eq!(at(50.0, 50.0), is(INK), "the queen on a3");
        assert_eq!(at(50.0, 81.0), is(INK), "its ring");
        assert_eq!(at(96.0, 41.0), is(FALSE), "the false signal's edge");
        assert_eq!(at(192.0, 150.0), is(TRUE), "the true signal of b2");
        assert_eq!(pixels, raster.draw(&pieces.figures));
        assert_ne!(pixels, raster.draw(""));
    }

    /// Whatever the renderer draws is drawn here too: each of its elements paints something.
    #[test]
    fn every_element_of_a_board_is_known() {
        let pieces = picture().pieces_with_all_glyphs();
        let lines = [&pieces.definitions, &pieces.ground].into_iter();
        for line in lines.flat_map(|it| it.lines()) {
            assert!(!paints(line, 40).is_empty(), "{line}");
        }
        let counts = pieces
            .figures
            .lines()
            .filter(|line| line.starts_with("<text"));
        assert!(counts.clone().count() == 1 && counts.clone().all(|it| !paints(it, 40).is_empty()));
    }

    #[test]
    fn paths_are_read() {
        assert_eq!(
            path("M1 2h3v-4zM-5 6 7 8"),
            [
                (vec![(1.0, 2.0), (4.0, 2.0), (4.0, -2.0)], true),
                (vec![(-5.0, 6.0), (7.0, 8.0)], false),
            ]
        );
    }
}
