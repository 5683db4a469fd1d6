//! The page that every figure is drawn on: its size, where its title, its panels and its legend
//! lie, one above the other or panels two in a row, and how that becomes an SVG.

use crate::html::escaped_inside;
use crate::report::axes::scale::Span;
use crate::report::axes::{Axes, FrameEdges, Labels, Layer};
use crate::report::keys::{FigureSpec, Width};
use crate::report::out::canvas::{Drawn, Lettering, Rank, Shape, Tip};
use crate::report::out::{legend, pen};
use crate::report::words::Words;
use crate::report::words::number::plain_powers;
use crate::theme::{
    AXIS_ROOM, DOUBLE_MM, FOOT_ROOM, GAP, LABEL_GAP, MARGIN, PAGE_HEIGHT_MM, PAPER, SINGLE_MM,
    SINGLE_WIDTH, TITLE_LINE, TITLE_SIZE, WIDTH, wrapped,
};

/// The least width of a frame with another beside it: that of a figure of 86 mm with an axis on
/// both sides.
const LEAST_WIDTH: i32 = SINGLE_WIDTH - 2 * MARGIN - 2 * AXIS_ROOM;

/// No frame is made lower than this part of its height to fit a page.
const LEAST_SHARE: f64 = 0.45;

/// How large a figure is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureSize {
    /// The width in canvas units.
    pub width: i32,
    /// Width in print; none for a figure that scales with the page it stands on.
    millimetres: Option<f64>,
    /// The smallest text, in canvas units.
    pub least_text: i32,
}

impl FigureSize {
    /// A figure that scales with the page it stands on.
    pub const PLAIN: Self = Self {
        width: WIDTH,
        millimetres: None,
        least_text: 29,
    };

    /// The page that a spec chooses: on 86 mm fewer units, so that no text is below 6 pt (2.117
    /// mm).
    pub fn of(spec: &FigureSpec) -> Self {
        const SIX_POINTS: f64 = 6.0 * 25.4 / 72.0;
        let (width, millimetres) = match spec.width {
            None => (WIDTH, None),
            Some(Width::Single) => (SINGLE_WIDTH, Some(SINGLE_MM)),
            Some(Width::Double) => (WIDTH, Some(DOUBLE_MM)),
        };
        // What scales with its page is made for the width of a journal's.
        let least = SIX_POINTS * f64::from(width) / millimetres.unwrap_or(DOUBLE_MM);
        Self {
            width,
            millimetres,
            least_text: least.ceil() as i32,
        }
    }

    /// The greatest height of a figure of a journal, in canvas units.
    pub fn most_height(&self) -> Option<i32> {
        let units = f64::from(self.width) / self.millimetres?;
        Some((PAGE_HEIGHT_MM * units) as i32)
    }

    /// The attributes of the root: its size and, in units, its box.
    fn attributes(&self, height: i32) -> String {
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

/// A panel before it has a place.
pub struct Plot {
    /// What stands above it, if anything does.
    pub label: String,
    /// The titles of the axes, across and upwards.
    pub titles: [String; 2],
    pub height: i32,
    pub layers: Vec<Box<dyn Layer>>,
    pub x: Span,
    pub y: Span,
    /// What bars and bands are.
    pub intervals: &'static str,
}

impl Plot {
    /// The panel in its frame, on a page without smaller texts.
    pub fn on<'p>(&'p self, frame: FrameEdges, least_text: i32, words: &'p Words) -> Axes<'p> {
        Axes {
            frame,
            label: &self.label,
            titles: [&self.titles[0], &self.titles[1]],
            x: self.x.on((frame.left, frame.right)),
            y: self.y.on((frame.bottom, frame.top)),
            least_text,
            intervals: self.intervals,
            words,
        }
    }

    /// The room that it needs on the right.
    pub fn room(&self) -> i32 {
        self.layers
            .iter()
            .map(|layer| layer.room())
            .max()
            .unwrap_or(0)
    }
}

/// All panels of a figure.
#[derive(Default)]
pub struct Grid {
    /// Panels that may stand two in a row; each of the others begins a row of its own.
    pub blocks: Vec<Vec<Plot>>,
    /// True if those of a row have one upright axis.
    pub shares_y: bool,
    /// True if each panel has an axis across of its own.
    pub has_own_axes: bool,
    /// The row of each mark, and whether it is within the range of its panel.
    pub marks: Vec<(usize, bool)>,
}

impl Grid {
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.blocks.iter().flatten()
    }
}

/// The part in which all but the legend lies.
pub struct FigurePage {
    size: FigureSize,
    /// The lines of the title.
    title: Vec<String>,
    /// The frame of each plot, with the axes that have labels.
    pub frames: Vec<(FrameEdges, Labels)>,
    /// The heights of all frames, one under the other, and the lower end of all.
    heights: i32,
    foot: i32,
}

/// Where the frames of a row lie, from the left end of the page.
#[derive(Clone, Copy)]
struct RowOfFrames {
    /// How many stand in a row.
    count: usize,
    width: i32,
    /// From the left edge of a frame to that of the next.
    step: i32,
}

impl RowOfFrames {
    /// Two in a row where the figure wants that and each is wide enough.
    fn of(grid: &Grid, size: FigureSize) -> Self {
        let right = grid.plots().map(Plot::room).max().unwrap_or_default();
        let between = right + if grid.shares_y { LABEL_GAP } else { AXIS_ROOM };
        let room = size.width - 2 * MARGIN;
        let whole = room - AXIS_ROOM - right;
        let half = (whole - between) / 2;
        if half >= LEAST_WIDTH && grid.blocks.iter().any(|block| block.len() > 1) {
            Self {
                count: 2,
                width: half,
                step: half + between,
            }
        } else {
            Self {
                count: 1,
                width: whole,
                step: room,
            }
        }
    }

    /// The left and the right edge of the frame in this column.
    fn edges(&self, column: usize) -> (i32, i32) {
        let left = MARGIN + AXIS_ROOM + self.step * column as i32;
        (left, left + self.width)
    }
}

/// The places of title and panels, whose frames have this share of their heights.
pub fn lay_out(size: FigureSize, title: &str, grid: &Grid, share: f64) -> FigurePage {
    let title = wrapped(title, size.width - 2 * MARGIN, TITLE_SIZE);
    let row_of_frames = RowOfFrames::of(grid, size);
    let in_row = row_of_frames.count;
    let rows = grid.blocks.iter().flat_map(|block| block.chunks(in_row));
    let rows: Vec<&[Plot]> = rows.collect();
    let mut page = FigurePage {
        size,
        frames: Vec::new(),
        heights: 0,
        foot: MARGIN + title.len() as i32 * TITLE_LINE + 24,
        title,
    };
    let has_own_axis = |plot: &Plot| grid.has_own_axes || !plot.x.has_lines();
    for (index, row) in rows.iter().enumerate() {
        let height = row.iter().map(|plot| plot.height).max().unwrap_or_default();
        let top = page.foot + room_above(row, index == 0);
        let bottom = top + (share * f64::from(height)) as i32;
        for (column, plot) in row.iter().enumerate() {
            let (left, right) = row_of_frames.edges(column);
            let middle = (left + right) / 2;
            let room = 2 * middle.min(size.width - middle);
            let is_lowest = rows.get(index + 1).is_none_or(|next| next.len() <= column);
            let has_axis_across = is_lowest || has_own_axis(plot);
            let labels = Labels {
                across: has_axis_across.then_some(room.min(row_of_frames.step)),
                upwards: column == 0 || !grid.shares_y,
            };
            let frame = FrameEdges {
                left,
                right,
                top,
                bottom,
            };
            page.frames.push((frame, labels));
        }

        let has_foot = index + 1 == rows.len() || row.iter().any(has_own_axis);
        page.heights += height;
        page.foot = bottom + if has_foot { FOOT_ROOM } else { 0 };
    }
    page
}

/// The room above a row of panels, for their labels; above the first row there is nothing that it
/// would have to be told from.
fn room_above(row: &[Plot], is_first: bool) -> i32 {
    match row.iter().any(|plot| !plot.label.is_empty()) {
        true => LABEL_GAP,
        false if is_first => 0,
        false => GAP,
    }
}

/// All that is drawn of the panels, with these notes in the legend and in the spec's words, and how
/// high that is.
pub fn draw(grid: &Grid, page: &FigurePage, notes: &[String], words: &Words) -> (Drawn, i32) {
    let mut drawn = Drawn::default();
    for (plot, &(frame, labels)) in grid.plots().zip(&page.frames) {
        let panel = plot.on(frame, page.size.least_text, words);
        drawn.add(panel.draw(&plot.layers, labels));
    }
    for (line, index) in page.title.iter().zip(0..) {
        let spot = (MARGIN, MARGIN + TITLE_LINE / 2 + index * TITLE_LINE);
        drawn.text(line, spot, Lettering::TITLE);
    }
    for (note, place) in notes.iter().zip(1..) {
        drawn.entry(Rank::Note(place), note, |_| {});
    }
    let mut entries = legend::joined(&drawn.legend);
    for entry in &mut entries {
        entry.text = words.said(&entry.text);
    }
    let height = legend::draw(&mut drawn, &entries, (page.foot, page.size.width)) + MARGIN;
    let paper = Shape::Rectangle((0, 0), (page.size.width, height), PAPER.into());
    drawn.shapes.insert(0, paper);
    (drawn, height)
}

impl FigurePage {
    /// The share of their heights with which the frames of a page that is so high fit a journal's
    /// page, if they do not.
    pub fn share(&self, height: i32) -> Option<f64> {
        let most = self.size.most_height().filter(|most| height > *most)?;
        let room = f64::from(self.heights - (height - most));
        Some((room / f64::from(self.heights)).max(LEAST_SHARE))
    }
}

/// The SVG of a file, with `title` and `description` for those who cannot see it, and with tips
/// over all else.
pub fn svg(
    size: FigureSize,
    (drawn, height): (Drawn, i32),
    (title, description): (&str, &str),
) -> String {
    let inside = |text: &str| escaped_inside(&plain_powers(text));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" {}>\n\
         <title>{}</title>\n<desc>{}</desc>\n",
        size.attributes(height),
        inside(title),
        inside(description),
    );
    let Drawn { shapes, tips, .. } = drawn;
    let canvas = (size.width, height);
    pen::write(&mut svg, &shapes, canvas, size.least_text);
    drop(shapes);
    write_tips(&mut svg, &tips);
    svg += "</svg>\n";
    svg
}

/// Writes shapes that are not seen, over the points, each with its words as an SVG's own `<title>`,
/// so that they show without a program, and with its row of the table, counted from 1.
fn write_tips(svg: &mut String, tips: &[Tip]) {
    if tips.is_empty() {
        return;
    }
    *svg += "<g class=\"points\" fill=\"none\" pointer-events=\"all\">\n";
    for tip in tips {
        let (name, attributes) = tip.area.element();
        let row = tip.row + 1;
        *svg += &format!("<{name}{attributes} data-row=\"{row}\"><title>");
        let words = escaped_inside(&plain_powers(&tip.words));
        for (index, line) in words.split('\n').enumerate() {
            *svg += if index > 0 { "&#10;" } else { "" };
            *svg += line;
        }
        *svg += &format!("</title></{name}>\n");
    }
    *svg += "</g>\n";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 86 mm are 1380 units, so 34 of them are 6.006 pt: a smaller text is drawn in 34. On 178 mm
    /// of 2400 units, for which a figure without a width is made, 29 are 6.097 pt.
    #[test]
    fn no_text_in_print_is_below_six_points() {
        let texts = |width| {
            let page = FigureSize::of(&FigureSpec {
                width,
                ..FigureSpec::of_kind("curve")
            });
            let mut drawn = Drawn::default();
            for size in [20, 50] {
                let plain = Lettering::PLAIN;
                drawn.text("x", (10, 20), Lettering { size, ..plain });
            }
            svg(page, (drawn, 690), ("", ""))
        };
        let single = texts(Some(Width::Single));
        assert!(single.contains("y=\"29\"") && !single.contains("ex\""));
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
