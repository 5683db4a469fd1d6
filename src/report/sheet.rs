//! The sheet that every figure is drawn on: title, plots one above the other, and the legend under
//! them; where all of that lies is said here.

use super::canvas::{Canvas, Lettering};
use super::chart::capital;
use super::legend::{LegendEntry, Words};
use super::panel::{FrameEdges, PaintedPanel};
use super::scale::Span;
use super::scene::{FigureSize, PaintedPage};
use super::style::{AXIS_ROOM, FOOT_ROOM, GAP, LABEL_GAP, MARGIN, TEXT_SIZE};
use crate::experiment::spec::LegendPlace;

/// A frame as wide as the sheet, and what is painted in it.
pub struct SheetPart<'a> {
    /// Room above the frame.
    pub above: i32,
    pub height: i32,
    /// Room under the frame, for axes.
    pub below: i32,
    /// Room on the right, for a second axis.
    pub right: i32,
    pub paint: Painter<'a>,
}

/// The last argument: whether there is room under the frame.
type Painter<'a> = Box<dyn Fn(&Canvas, FrameEdges, bool) + 'a>;

impl<'a> SheetPart<'a> {
    /// A part without space for anything else.
    pub fn of(paint: impl Fn(&Canvas, FrameEdges, bool) + 'a) -> Self {
        Self {
            above: 0,
            height: 0,
            below: 0,
            right: 0,
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
            ..Self::of(move |canvas, frame, is_last| {
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
                panel.draw_x_axis(is_last.then_some(titles.0));
                panel.draw_y_axis(titles.1);
            })
        }
    }

    /// Plots one above the other: the last one alone has numbers and a title on its x axis.
    pub fn stack(mut plots: Vec<Self>) -> Vec<Self> {
        if let Some(first) = plots.first_mut().filter(|it| it.above == GAP) {
            first.above = 0;
        }
        if let Some(last) = plots.last_mut() {
            last.below = FOOT_ROOM;
        }
        plots
    }
}

/// Title, parts and legend one above the other.
pub fn scene(
    page: &FigureSize,
    title: &str,
    parts: &[SheetPart],
    (legend, place): (Vec<LegendEntry>, LegendPlace),
) -> PaintedPage {
    let shown = if page.has_title { title } else { "" };
    let legend = match place {
        LegendPlace::None => Vec::new(),
        LegendPlace::Below | LegendPlace::Right => legend,
    };
    let words = Words::new(shown, legend, page.width, place);
    let mut top = words.head();
    let mut placed = Vec::new();
    let share = page.share_of_heights(parts, words.head() + words.foot());
    for part in parts {
        let frame = FrameEdges {
            left: MARGIN + AXIS_ROOM,
            right: page.width - MARGIN - part.right - words.beside(),
            top: top + part.above,
            bottom: top + part.above + (share * f64::from(part.height)) as i32,
        };
        top = frame.bottom + part.below;
        placed.push((part, frame));
    }
    let height = (top + words.foot()).max(words.least_height());
    PaintedPage::of(page, height, |canvas| {
        for (part, frame) in placed {
            (part.paint)(canvas, frame, part.below > 0);
        }
        words.draw(canvas, top);
    })
}

/// No frame is made lower than this part of its height to fit a page.
const LEAST_SHARE: f64 = 0.45;

impl FigureSize {
    /// The factor by which frames are lower than they should be, so that the figure fits its page.
    fn share_of_heights(&self, parts: &[SheetPart], around: i32) -> f64 {
        let Some(most) = self.most_height() else {
            return 1.0;
        };
        let heights: i32 = parts.iter().map(|part| part.height).sum();
        let between: i32 = parts.iter().map(|part| part.above + part.below).sum();
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
