//! The words around the panels: title above, legend below. Outside the panels nothing can lie on a
//! curve.

use plotters::style::{Color, RGBColor};

use super::canvas::{Canvas, Lettering, Spot};
use super::style::{
    BEST_RADIUS, CURVE_WIDTH, INK, LINE, MARGIN, MARKER_RADIUS, SAMPLE, SMALL_MARKER_RADIUS,
    STRIP_OPACITY, SeriesStyle, TEXT_SIZE, THIN_WIDTH, TITLE_LINE, TITLE_SIZE, ramp, wrapped,
};

/// The sample before a legend's text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sample {
    Curve(SeriesStyle),
    Marker(SeriesStyle),
    Thin,
    /// Dashes that are no curve.
    Dashes(RGBColor),
    /// Dots that are no curve.
    Dots(RGBColor),
    /// A pointer to a value on the axis.
    Pointer(RGBColor),
    LowerBound,
    /// The ring around the best point.
    Ring(RGBColor),
    /// The strip on the axis over where the best value lies.
    Strip(RGBColor),
    /// A frame of this width.
    Frame(i32),
    /// The colours of a map, from dark to light.
    Ramp,
    /// Only the words.
    None,
}

/// One thing that the legend explains.
#[derive(Debug, Clone, PartialEq)]
pub struct LegendEntry {
    pub sample: Sample,
    pub text: String,
}

impl LegendEntry {
    pub fn new(sample: Sample, text: impl Into<String>) -> Self {
        Self {
            sample,
            text: text.into(),
        }
    }
}

/// A title and a legend, broken into lines that fit the canvas.
pub struct Words {
    title: Vec<String>,
    entries: Vec<(Sample, Vec<String>)>,
}

impl Words {
    pub fn new(title: &str, entries: Vec<LegendEntry>, width: i32) -> Self {
        let room = width - 2 * MARGIN - SAMPLE;
        let broken = |entry: LegendEntry| (entry.sample, wrapped(&entry.text, room, TEXT_SIZE));
        Self {
            title: wrapped(title, width - 2 * MARGIN, TITLE_SIZE),
            entries: entries.into_iter().map(broken).collect(),
        }
    }

    /// Height above the panels.
    pub fn head(&self) -> i32 {
        MARGIN + self.title.len() as i32 * TITLE_LINE + 24
    }

    /// Height below the panels' axis titles.
    pub fn foot(&self) -> i32 {
        let count: usize = self.entries.iter().map(|(_, lines)| lines.len()).sum();
        count as i32 * LINE + MARGIN
    }

    /// Title at the top, legend from `top` on.
    pub fn draw(&self, canvas: &Canvas, top: i32) {
        for (index, line) in self.title.iter().enumerate() {
            let spot = (MARGIN, MARGIN + TITLE_LINE / 2 + index as i32 * TITLE_LINE);
            canvas.text(line, spot, Lettering::TITLE);
        }
        let mut y = top + LINE / 2;
        for (sample, lines) in &self.entries {
            draw_sample(canvas, *sample, (MARGIN + SAMPLE / 2 - 10, y));
            for line in lines {
                canvas.text(line, (MARGIN + SAMPLE, y), Lettering::PLAIN);
                y += LINE;
            }
        }
    }
}

fn draw_sample(canvas: &Canvas, sample: Sample, (x, y): Spot) {
    let reach = 50;
    let ends = [(x - reach, y), (x + reach, y)];
    match sample {
        Sample::Curve(style) => {
            canvas.broken_line(&ends, style.colour, CURVE_WIDTH, style.dash);
            canvas.marker((x, y), style, MARKER_RADIUS, false);
        }
        Sample::Marker(style) => canvas.marker((x, y), style, MARKER_RADIUS, false),
        Sample::Pointer(colour) => canvas.pointer((x, y + 17), colour),
        Sample::Thin => {
            canvas.line(&ends, INK, THIN_WIDTH);
            canvas.disc((x, y), SMALL_MARKER_RADIUS, INK);
        }
        Sample::LowerBound => {
            canvas.line(&[(x, y + 2), (x, y - 6)], INK, CURVE_WIDTH);
            canvas.polygon(&[(x, y - 19), (x - 9, y - 4), (x + 9, y - 4)], INK);
            canvas.ring((x, y + 9), 7, INK);
        }
        Sample::Dashes(colour) => canvas.fine_line(&ends, colour),
        Sample::Dots(colour) => canvas.dotted_line(&ends, colour),
        Sample::Ring(colour) => canvas.ring((x, y), BEST_RADIUS, colour),
        Sample::Strip(colour) => canvas.rectangle(
            (x - reach, y - 8),
            (x + reach, y + 8),
            colour.mix(STRIP_OPACITY),
        ),
        Sample::Frame(width) => {
            canvas.frame(((x - reach, y - 20), (x + reach, y + 20)), INK, width)
        }
        Sample::Ramp => {
            for step in 0..reach / 2 {
                let left = x - reach + 4 * step;
                canvas.rectangle(
                    (left, y - 20),
                    (left + 4, y + 20),
                    ramp(f64::from(2 * step) / f64::from(reach)).into(),
                );
            }
        }
        Sample::None => {}
    }
}
