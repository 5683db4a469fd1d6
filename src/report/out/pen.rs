//! From shapes to the elements of an SVG. Of plotters, the files of a figure use colours and anchors
//! alone: nine of these figures were also drawn by its `ChartBuilder`, once with `configure_mesh`
//! and own ticks (1 323 lines, the pen 1 307) and once with an own mesh on its areas and coordinates
//! (1 343). Minor ticks, the right axis, error bars of two styles, dashes and the legend had to be
//! written all the same.
//!
//! The elements are written here, since not every program that draws an SVG reads the forms of
//! plotters: `dy`, `opacity` and a font that is named by its kind alone (docs/data.md). A test holds
//! the others to plotters' own; its pen makes several texts for each element, and took a fifth of
//! the time of `report` of 10⁵ points.

use std::fmt::Write;

use plotters::style::{RGBAColor, RGBColor};

use crate::html::escaped_inside;
use crate::report::out::canvas::{Anchor, Lettering, Shape, Spot};
use crate::report::words::number::{plain_powers, split_exponent};
use crate::theme::{FONTS, THIN_WIDTH};

const RING_WIDTH: u32 = THIN_WIDTH + 1;

/// Why no writing can fail.
const IN_MEMORY: &str = "a text in memory has no device that could fail";

/// The size of an exponent and the height of its base line, in parts of the size of its text.
const EXPONENT: (f64, f64) = (0.7, 0.36);

/// Half of a lower case letter, by which the base line lies below the middle of a text, in parts of
/// its size.
const HALF_LETTER: f64 = 0.27;

/// Writes the elements of these shapes, in their order, with no text smaller than `least_text`.
pub fn write(svg: &mut String, shapes: &[Shape], least_text: i32) {
    for shape in shapes {
        match shape {
            Shape::Text(..) => *svg += &written_text(shape, least_text),
            _ => write_form(svg, shape).expect(IN_MEMORY),
        }
    }
}

/// Writes the element of a shape that is no text.
fn write_form(svg: &mut String, shape: &Shape) -> std::fmt::Result {
    match shape {
        Shape::Line(spots, colour, width) => {
            let stroke = hex(*colour);
            write!(
                svg,
                "<polyline fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\""
            )?;
            write_points(svg, spots)
        }
        Shape::Polygon(corners, colour) => {
            *svg += "<polygon";
            write_fill(svg, *colour)?;
            write_points(svg, corners)
        }
        Shape::Rectangle((left, top), (right, bottom), colour) => {
            let width = right - left;
            let height = bottom - top;
            write!(
                svg,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\""
            )?;
            write_fill(svg, *colour)?;
            writeln!(svg, " stroke=\"none\"/>")
        }
        Shape::Disc(centre, radius, colour) => {
            let fill = hex(*colour);
            write_circle(svg, *centre, *radius)?;
            writeln!(svg, " fill=\"{fill}\" stroke=\"none\" stroke-width=\"1\"/>")
        }
        Shape::Ring(centre, radius, colour) => {
            let stroke = hex(*colour);
            write_circle(svg, *centre, *radius)?;
            writeln!(
                svg,
                " fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{RING_WIDTH}\"/>"
            )
        }
        Shape::Text(..) => Ok(()),
    }
}

fn write_circle(svg: &mut String, (x, y): Spot, radius: i32) -> std::fmt::Result {
    write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")
}

/// Writes the last attribute of an element, and its end.
fn write_points(svg: &mut String, spots: &[Spot]) -> std::fmt::Result {
    *svg += " points=\"";
    for (x, y) in spots {
        write!(svg, "{x},{y} ")?;
    }
    *svg += "\"/>\n";
    Ok(())
}

/// Writes the colour of an area; of what is drawn, areas alone are translucent.
fn write_fill(svg: &mut String, colour: RGBAColor) -> std::fmt::Result {
    let RGBAColor(red, green, blue, opacity) = colour;
    if opacity != 1.0 {
        write!(svg, " fill-opacity=\"{opacity}\"")?;
    }
    let fill = hex(RGBColor(red, green, blue));
    write!(svg, " fill=\"{fill}\"")
}

/// `#0072B2`.
fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
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
    let fill = hex(lettering.colour);
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
         font-size=\"{size}\"{weight} fill=\"{fill}\"{turn}>{}</text>\n",
        escaped_inside(&in_every_font(text))
    )
}

/// A drawn text with the space between groups of digits that every font has: svglib draws a black
/// box for the narrow one (U+202F), which PDF's own fonts lack.
fn in_every_font(text: &str) -> String {
    text.replace('\u{202F}', "\u{A0}")
}

#[cfg(test)]
mod tests {
    use plotters::backend::{DrawingBackend, SVGBackend};
    use plotters::style::Color;

    use super::*;

    /// The element that plotters writes of a shape, with its opacity where that is not 1 and as
    /// that of the fill.
    fn by_plotters(shape: &Shape) -> String {
        let mut svg = String::new();
        {
            let mut pen = SVGBackend::with_string(&mut svg, (2400, 1000));
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
            put.and_then(|()| pen.present()).expect(IN_MEMORY);
        }
        let inside = svg.split_once(">\n").expect("a root element").1;
        let element = inside.strip_suffix("</svg>\n").expect("its end");
        let opaque = element.replace(" opacity=\"1\"", "");
        opaque.replace(" opacity=", " fill-opacity=")
    }

    #[test]
    fn forms_are_those_of_plotters() {
        let blue = RGBColor(0, 114, 178);
        let corners = vec![(-5, 0), (12, 3400), (7, -1)];
        for shape in [
            Shape::Line(corners.clone(), blue, 3),
            Shape::Line(vec![], blue, 1),
            Shape::Polygon(corners.clone(), blue.to_rgba()),
            Shape::Polygon(corners, blue.mix(0.2)),
            Shape::Rectangle((0, 0), (2400, 1000), blue.into()),
            Shape::Rectangle((30, 7), (10, -5), blue.mix(1.0 / 3.0)),
            Shape::Disc((-3, 4), 14, RGBColor(255, 255, 255)),
            Shape::Ring((100, 2000), 40, blue),
        ] {
            let mut written = String::new();
            write(&mut written, std::slice::from_ref(&shape), 29);
            assert_eq!(written, by_plotters(&shape));
        }
    }
}
