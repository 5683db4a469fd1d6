//! From shapes to the elements of an SVG, by the SVG backend of plotters, the pen. Of plotters, the
//! other files use colours and anchors alone: nine of these figures were also drawn by its
//! `ChartBuilder`, once with `configure_mesh` and own ticks (1 323 lines, the pen 1 307) and once
//! with an own mesh on its areas and coordinates (1 343). Minor ticks, the right axis, error bars
//! of two styles, dashes and the legend had to be written all the same.
//!
//! A text is written here, since not every program that draws an SVG reads the forms of plotters:
//! `dy`, `opacity` and a font that is named by its kind alone (docs/data.md).

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::{Color, RGBColor};

use crate::html::escaped_inside;
use crate::report::out::canvas::{Anchor, Lettering, Shape, Spot};
use crate::report::words::number::{plain_powers, split_exponent};
use crate::theme::{FONTS, THIN_WIDTH};

const RING_WIDTH: u32 = THIN_WIDTH + 1;

/// Why no drawing call can fail.
const IN_MEMORY: &str = "an SVG in memory has no device that could fail";

/// The opacity of what nothing shines through.
const OPAQUE: &str = "\"1\"";

/// The size of an exponent and the height of its base line, in parts of the size of its text.
const EXPONENT: (f64, f64) = (0.7, 0.36);

/// Half of a lower case letter, by which the base line lies below the middle of a text, in parts of
/// its size.
const HALF_LETTER: f64 = 0.27;

/// The shapes that plotters writes at once. Of all 10⁶ of a large figure the text would lie in
/// memory twice.
const AT_ONCE: usize = 1000;

/// Writes the elements of these shapes, in their order, with no text smaller than `least_text`.
pub fn write(svg: &mut String, shapes: &[Shape], canvas: Spot, least_text: i32) {
    let is_text = |shape: &Shape| matches!(shape, Shape::Text(..));
    let mut forms = String::new();
    for run in shapes.chunk_by(|a, b| is_text(a) == is_text(b)) {
        if is_text(&run[0]) {
            for text in run {
                *svg += &written_text(text, least_text);
            }
            continue;
        }
        for part in run.chunks(AT_ONCE) {
            forms.clear();
            put_all(part, &mut forms, canvas);
            write_forms(svg, &forms);
        }
    }
}

/// Writes shapes that are no texts by plotters.
fn put_all(shapes: &[Shape], forms: &mut String, (width, height): Spot) {
    let mut pen = SVGBackend::with_string(forms, (width as u32, height as u32));
    shapes.iter().for_each(|shape| put(shape, &mut pen));
    pen.present().expect(IN_MEMORY);
}

/// Writes what is inside the root element of plotters, with the opacity of an area as that of its
/// fill: some programs do not read that of an element, as plotters states it, also where nothing
/// shines through.
fn write_forms(svg: &mut String, forms: &str) {
    let inside = forms.split_once(">\n");
    let inside = inside.and_then(|(_, inside)| inside.strip_suffix("</svg>\n"));
    let elements = inside.expect("plotters writes a root element, in a line of its own");
    // An element a line, whose opacity stands before its coordinates, which need no search.
    for line in elements.split_inclusive('\n') {
        let Some((before, after)) = line.split_once(" opacity=") else {
            *svg += line;
            continue;
        };
        *svg += before;
        match after.strip_prefix(OPAQUE) {
            Some(rest) => *svg += rest,
            // Of what is drawn, areas alone are translucent.
            None => {
                *svg += " fill-opacity=";
                *svg += after;
            }
        }
    }
}

fn put(shape: &Shape, pen: &mut SVGBackend) {
    let put = match shape {
        Shape::Line(spots, colour, width) => {
            pen.draw_path(spots.iter().copied(), &colour.stroke_width(*width))
        }
        Shape::Polygon(corners, colour) => {
            pen.fill_polygon(corners.iter().copied(), &colour.filled())
        }
        Shape::Rectangle(corner, opposite, colour) => {
            pen.draw_rect(*corner, *opposite, &colour.filled(), true)
        }
        Shape::Disc(centre, radius, colour) => {
            pen.draw_circle(*centre, *radius as u32, &colour.filled(), true)
        }
        Shape::Ring(centre, radius, colour) => {
            let style = colour.stroke_width(RING_WIDTH);
            pen.draw_circle(*centre, *radius as u32, &style, false)
        }
        Shape::Text(..) => Ok(()),
    };
    put.expect(IN_MEMORY);
}

/// A text and, as another one, the exponent at its end. Both stand at the place where they meet, so
/// that no font leaves a gap between them or draws them over each other.
fn written_text(shape: &Shape, least: i32) -> String {
    let Shape::Text(text, (x, y), lettering) = shape else {
        return String::new();
    };
    let size = lettering.size.max(least);
    let base_line = y + rounded(HALF_LETTER * f64::from(size));
    let pivot = (*x, *y);
    let Some((before, exponent)) = split_exponent(text).filter(|_| may_be_raised(text, lettering))
    else {
        let end = end_of(lettering.anchor);
        return element(
            &plain_powers(text),
            (*x, base_line),
            (size, end),
            (lettering, pivot),
        );
    };

    let small = rounded(EXPONENT.0 * f64::from(size));
    let raised = base_line - rounded(EXPONENT.1 * f64::from(size));
    let wide = width(&before, size);
    let narrow = width(&exponent, small);
    let meeting = match lettering.anchor {
        Anchor::Left => x + wide,
        Anchor::Right => x - narrow,
        Anchor::Center => x + (wide - narrow) / 2,
    };
    let of = (lettering, pivot);
    let exponent = exponent.replace('-', "−");
    element(&before, (meeting, base_line), (size, "end"), of)
        + &element(&exponent, (meeting, raised), (small, "start"), of)
}

/// True of a number, and of any text that is not read from its left end: there a wide text whose
/// width is reckoned would begin at another place in every font.
fn may_be_raised(text: &str, lettering: &Lettering) -> bool {
    let is_word = text.chars().any(char::is_alphabetic);
    !is_word || !matches!(lettering.anchor, Anchor::Left)
}

/// The width of a text in the widest of the fonts, whose digits have 0.64 of its size; letters are
/// on average no wider.
fn width(text: &str, size: i32) -> i32 {
    let narrow = text
        .chars()
        .filter(|sign| ['·', '.', ' '].contains(sign))
        .count();
    let wide = text.chars().count() - narrow;
    rounded(f64::from(size) * (0.64 * wide as f64 + 0.3 * narrow as f64))
}

fn rounded(length: f64) -> i32 {
    libm::round(length) as i32
}

fn end_of(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Left => "start",
        Anchor::Center => "middle",
        Anchor::Right => "end",
    }
}

/// The element of a text at its base line, turned about the pivot if it is read upwards.
fn element(
    text: &str,
    (x, y): Spot,
    (size, end): (i32, &str),
    (lettering, pivot): (&Lettering, Spot),
) -> String {
    let RGBColor(red, green, blue) = lettering.colour;
    let weight = if lettering.bold {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let turn = match lettering.upwards {
        true => format!(" transform=\"rotate(270, {}, {})\"", pivot.0, pivot.1),
        false => String::new(),
    };
    format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{end}\" font-family=\"{FONTS}\" \
         font-size=\"{size}\"{weight} fill=\"#{red:02X}{green:02X}{blue:02X}\"{turn}>{}</text>\n",
        escaped_inside(&in_every_font(text))
    )
}

/// A drawn text with the space between groups of digits that every font has: svglib draws a black
/// box for the narrow one (U+202F), which PDF's own fonts lack.
fn in_every_font(text: &str) -> String {
    text.replace('\u{202F}', "\u{A0}")
}
