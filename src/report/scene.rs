//! How large a figure is, and all that was drawn of it, which becomes an SVG.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::Color;

use super::canvas::{Canvas, IN_MEMORY, Tip};
use super::figure::{Figure, Width};
use super::style::{PAPER, SINGLE_WIDTH, WIDTH};
use crate::html::escaped_inside;

/// All that was drawn, and where.
pub struct PaintedPage {
    pub page: FigureSize,
    pub height: i32,
    pub canvas: Canvas,
}

/// How large a figure is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureSize {
    /// The width in canvas units.
    pub width: i32,
    /// Width in print; none for a figure that scales with the page it stands on.
    millimetres: Option<f64>,
    /// The smallest text, in canvas units.
    pub least_text: i32,
    /// True if the title is drawn.
    pub has_title: bool,
}

impl FigureSize {
    /// The page that a spec chooses: on 86 mm fewer units, so that no text is below 6 pt (2.117
    /// mm).
    pub fn of(choices: &Figure) -> Self {
        const SIX_POINTS: f64 = 6.0 * 25.4 / 72.0;
        let (width, millimetres) = match choices.width {
            None => (WIDTH, None),
            Some(Width::Single) => (SINGLE_WIDTH, Some(86.0)),
            Some(Width::Double) => (WIDTH, Some(178.0)),
        };
        // What scales with its page is made for the width of a journal's.
        let least = SIX_POINTS * f64::from(width) / millimetres.unwrap_or(178.0);
        Self {
            width,
            millimetres,
            least_text: least.ceil() as i32,
            has_title: choices.has_title,
        }
    }

    /// The height of a journal's page, 230 mm, in canvas units.
    pub fn most_height(&self) -> Option<i32> {
        let units = f64::from(self.width) / self.millimetres?;
        Some((230.0 * units) as i32)
    }

    /// The attributes of the root: its size and, in units, its box.
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

impl PaintedPage {
    /// What `paint` puts on a white canvas as wide as the page.
    pub fn of(page: &FigureSize, height: i32, paint: impl FnOnce(&Canvas)) -> Self {
        let canvas = Canvas {
            least_text: page.least_text,
            ..Canvas::default()
        };
        canvas.rectangle((0, 0), (page.width, height), PAPER.to_rgba());
        paint(&canvas);
        Self {
            page: *page,
            height,
            canvas,
        }
    }

    /// The SVG of a file, with `title` and `description` for those who cannot see it, and with tips
    /// over all else.
    pub fn file(&self, title: &str, description: &str) -> String {
        let mut svg = String::new();
        {
            let size = (self.page.width as u32, self.height as u32);
            let mut pen = SVGBackend::with_string(&mut svg, size);
            let shapes = self.canvas.shapes.borrow();
            shapes.iter().for_each(|shape| shape.put(&mut pen));
            pen.present().expect(IN_MEMORY);
        }
        let inside = svg.split_once(">\n");
        let inside = inside.and_then(|(_, inside)| inside.strip_suffix("</svg>\n"));
        let body = inside.expect("plotters writes a root element, in a line of its own");
        let body = with_plain_offsets(body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" {}>\n\
             <title>{}</title>\n<desc>{}</desc>\n{body}{}</svg>\n",
            self.page.size(self.height),
            escaped_inside(title),
            escaped_inside(description),
            self.tips()
        )
    }

    /// Shapes that are not seen, over the points, each with its words as an SVG's own `<title>`, so
    /// that they show without a program, and with its row of the table, counted from 1.
    fn tips(&self) -> String {
        let shape = |tip: &Tip| {
            let words = escaped_inside(&tip.words).replace('\n', "&#10;");
            let row = tip.row.map(|row| format!(" data-row=\"{}\"", row + 1));
            let (name, attributes) = tip.area.element();
            let row = row.unwrap_or_default();
            format!("<{name}{attributes}{row}><title>{words}</title></{name}>\n")
        };
        let shapes: String = self.canvas.tips.borrow().iter().map(shape).collect();
        if shapes.is_empty() {
            return shapes;
        }
        format!("<g class=\"points\" fill=\"none\" pointer-events=\"all\">\n{shapes}</g>\n")
    }
}

/// The offset of texts in units in place of `ex`, which not every program knows: half of a lower
/// case letter, 0.27 of the size of the font.
fn with_plain_offsets(svg: &str) -> String {
    const OFFSET: &str = "dy=\"0.5ex\"";
    let mut parts = svg.split(OFFSET);
    let mut shifted = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let size = part
            .split_once("font-size=\"")
            .and_then(|it| it.1.split_once('"'));
        let size: Option<f64> = size.and_then(|it| it.0.parse().ok());
        let down = size.map_or(0.0, |size| libm::round(0.27 * size));
        shifted += &format!("dy=\"{down}\"{part}");
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::canvas::Lettering;

    /// 86 mm are 1380 units, so 34 of them are 6.006 pt: a smaller text is drawn in 34. On 178 mm
    /// of 2400 units, for which a figure without a width is made, 29 are 6.097 pt.
    #[test]
    fn no_text_in_print_is_below_six_points() {
        let texts = |width| {
            let page = FigureSize::of(&Figure {
                width,
                ..Figure::of_kind("curve")
            });
            let paint = |canvas: &Canvas| {
                for size in [20, 50] {
                    let plain = Lettering::PLAIN;
                    canvas.text("x", (10, 20), Lettering { size, ..plain });
                }
            };
            PaintedPage::of(&page, 690, paint).file("", "")
        };
        let single = texts(Some(Width::Single));
        assert!(single.contains("dy=\"9\"") && !single.contains("ex\""));
        assert!(single.contains("width=\"86mm\" height=\"43.00mm\" viewBox=\"0 0 1380 690\""));
        assert!(single.contains("font-size=\"34") && single.contains("font-size=\"50"));
        let double = texts(Some(Width::Double));
        assert!(double.contains("width=\"178mm\"") && double.contains("font-size=\"29"));
        let plain = texts(None);
        assert!(
            plain.contains("width=\"1200\" height=\"345\"") && plain.contains("font-size=\"29")
        );
    }
}
