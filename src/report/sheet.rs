//! The sheet that every figure is drawn on: title, plots one above the other or two in a row, and
//! the legend under them; where all of that lies is said here.

use super::canvas::{Canvas, Lettering};
use super::chart::capital;
use super::legend::{LegendEntry, Words};
use super::panel::{FrameEdges, PaintedPanel};
use super::scale::Span;
use super::scene::{FigureSize, PaintedPage};
use super::style::{AXIS_ROOM, FOOT_ROOM, GAP, LABEL_GAP, MARGIN, SINGLE_WIDTH, TEXT_SIZE};

/// The least width of a frame with another beside it: that of a figure of 86 mm with an axis on
/// both sides.
const LEAST_WIDTH: i32 = SINGLE_WIDTH - 2 * MARGIN - 2 * AXIS_ROOM;

/// A frame as wide as the sheet or half of it, and what is painted in it.
pub struct SheetPart<'a> {
    /// Room above the frame.
    pub above: i32,
    pub height: i32,
    /// Room under the frame, for axes.
    pub below: i32,
    /// Room on the right, for a second axis.
    pub right: i32,
    pub beside: Beside,
    pub paint: Painter<'a>,
}

type Painter<'a> = Box<dyn Fn(&Canvas, FrameEdges, Labels) + 'a>;

/// The ways in which a part may stand beside another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Never,
    /// It may, with the numbers of its own upright axis.
    OwnAxis,
    /// It may, and has one upright axis with all others that have this.
    SharedAxis,
}

/// The axes of a part that have numbers and a title.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    /// The width for the title of the axis across, unless another part is under this one.
    pub across: Option<i32>,
    pub upwards: bool,
}

impl<'a> SheetPart<'a> {
    /// A part without space for anything else.
    pub fn of(paint: impl Fn(&Canvas, FrameEdges, Labels) + 'a) -> Self {
        Self {
            above: 0,
            height: 0,
            below: 0,
            right: 0,
            beside: Beside::Never,
            paint: Box::new(paint),
        }
    }

    /// Two scales, their titles across and upwards, what is painted between their grid and their
    /// axes, and a label above them unless it is empty.
    pub fn plot(
        label: String,
        spans: (Span, Span),
        titles: (&'a str, &'a str),
        paint: impl Fn(&PaintedPanel) + 'a,
    ) -> Self {
        Self {
            above: if label.is_empty() { GAP } else { LABEL_GAP },
            ..Self::of(move |canvas, frame, labels| {
                let spot = (frame.left, frame.top - TEXT_SIZE);
                if !label.is_empty() {
                    canvas.text(&label, spot, Lettering::PLAIN);
                }
                let panel = PaintedPanel {
                    canvas,
                    frame,
                    label: &label,
                    titles,
                    x: spans.0.on(frame.across()),
                    y: spans.1.on(frame.upwards()),
                };
                panel.draw_grid();
                paint(&panel);
                panel.draw_frame();
                panel.draw_x_axis(labels.across.map(|room| (titles.0, room)));
                panel.draw_y_axis(labels.upwards.then_some(titles.1));
            })
        }
    }
}

/// A row of the sheet: its parts, and how much it takes from top to bottom.
struct SheetRow<'p> {
    parts: &'p [SheetPart<'p>],
    above: i32,
    height: i32,
    below: i32,
}

/// The rows of the parts, so many in each.
fn rows<'p>(parts: &'p [SheetPart<'p>], in_row: usize) -> Vec<SheetRow<'p>> {
    let most = |row: &[SheetPart], of: fn(&SheetPart) -> i32| row.iter().map(of).max();
    let row = |parts: &'p [SheetPart<'p>]| SheetRow {
        parts,
        above: most(parts, |it| it.above).unwrap_or_default(),
        height: most(parts, |it| it.height).unwrap_or_default(),
        below: most(parts, |it| it.below).unwrap_or_default(),
    };
    let mut rows: Vec<SheetRow> = parts.chunks(in_row).map(row).collect();
    // Nothing stands above the first row that it would have to be told from.
    if let Some(first) = rows.first_mut().filter(|it| it.above == GAP) {
        first.above = 0;
    }
    if let Some(last) = rows.last_mut() {
        last.below = FOOT_ROOM;
    }
    rows
}

/// The places of the frames of a row across the sheet.
struct SheetColumns {
    /// The parts of a full row.
    count: usize,
    /// The width of each frame.
    width: i32,
    /// The distance from the left edge of a frame to that of the next one.
    step: i32,
    /// True if the frames after the first one have numbers on their upright axes.
    has_labels: bool,
}

impl SheetColumns {
    /// Two columns on so many units where all parts may stand beside each other and are wide
    /// enough, else one.
    fn of(parts: &[SheetPart], room: i32) -> Self {
        let right = parts.iter().map(|it| it.right).max().unwrap_or_default();
        let are = |row: &[SheetPart], beside| row.iter().all(|it| it.beside == beside);
        let mut pairs = parts.chunks(2).filter(|it| it.len() == 2);
        let has_labels = !pairs.all(|it| are(it, Beside::SharedAxis));
        let between = right + if has_labels { AXIS_ROOM } else { LABEL_GAP };
        let width = room - AXIS_ROOM - right;
        let half = (width - between) / 2;
        let may_be_two = parts.iter().all(|it| it.beside != Beside::Never);
        let is_wide = may_be_two && half >= LEAST_WIDTH;
        Self {
            count: if is_wide { 2 } else { 1 },
            width: if is_wide { half } else { width },
            step: if is_wide { half + between } else { room },
            has_labels,
        }
    }

    fn frame(&self, column: usize, (top, bottom): (i32, i32)) -> FrameEdges {
        let left = MARGIN + AXIS_ROOM + self.step * column as i32;
        FrameEdges {
            left,
            right: left + self.width,
            top,
            bottom,
        }
    }
}

/// Title, rows of parts and legend one above the other.
pub fn scene(
    page: &FigureSize,
    title: &str,
    parts: &[SheetPart],
    legend: Vec<LegendEntry>,
) -> PaintedPage {
    let shown = if page.has_title { title } else { "" };
    let words = Words::new(shown, legend, page.width);
    let columns = SheetColumns::of(parts, page.width - 2 * MARGIN);
    let rows = rows(parts, columns.count);
    let share = page.share_of_heights(&rows, words.head() + words.foot());
    let mut top = words.head();
    let mut placed = Vec::new();
    for row in &rows {
        let from = top + row.above;
        let to = from + (share * f64::from(row.height)) as i32;
        for (column, part) in row.parts.iter().enumerate() {
            placed.push((part, column, columns.frame(column, (from, to))));
        }
        top = to + row.below;
    }
    let height = top + words.foot();
    PaintedPage::of(page, height, |canvas| {
        for (index, &(part, column, frame)) in placed.iter().enumerate() {
            let is_lowest = index + columns.count >= placed.len();
            let middle = (frame.left + frame.right) / 2;
            let room = 2 * middle.min(page.width - middle);
            let labels = Labels {
                across: is_lowest.then_some(room.min(columns.step)),
                upwards: column == 0 || columns.has_labels,
            };
            (part.paint)(canvas, frame, labels);
        }
        words.draw(canvas, top);
    })
}

/// No frame is made lower than this part of its height to fit a page.
const LEAST_SHARE: f64 = 0.45;

impl FigureSize {
    /// The factor by which frames are lower than they should be, so that the figure fits its page.
    fn share_of_heights(&self, rows: &[SheetRow], around: i32) -> f64 {
        let Some(most) = self.most_height() else {
            return 1.0;
        };
        let heights: i32 = rows.iter().map(|row| row.height).sum();
        let between: i32 = rows.iter().map(|row| row.above + row.below).sum();
        let room = f64::from(most - around - between);
        (room / f64::from(heights)).clamp(LEAST_SHARE, 1.0)
    }
}

/// The non-empty parts, each with a capital first and ended by a full stop.
pub fn sentences(parts: impl IntoIterator<Item: AsRef<str>>) -> String {
    let ended = parts
        .into_iter()
        .map(|part| capital(part.as_ref()))
        .filter(|part| !part.is_empty())
        .map(|part| match part.ends_with(['?', '!']) {
            true => part,
            false => format!("{}.", part.trim_end_matches('.')),
        });
    ended.collect::<Vec<_>>().join(" ")
}
