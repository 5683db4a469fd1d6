//! The sheet that every figure is drawn on: title, plots one above the other, and the legend under
//! them; where all of that lies is said here.

use super::canvas::{Canvas, Lettering};
use super::chart::capital;
use super::legend::{Entry, Words};
use super::panel::{Frame, Panel};
use super::scale::Span;
use super::scene::{Page, Scene};
use super::style::{AXIS_ROOM, FOOT_ROOM, GAP, LABEL_GAP, LINE, MARGIN, TEXT_SIZE, wrapped};

/// A frame as wide as the sheet, and what is painted in it.
pub struct Part<'a> {
    /// Room above the frame.
    pub above: i32,
    /// Words above the frame that take one line of that room; more lines make more room.
    pub label: String,
    pub height: i32,
    /// Room under the frame, for axes.
    pub below: i32,
    /// Room on the right, for a second axis.
    pub right: i32,
    pub paint: Painter<'a>,
}

impl<'a> Part<'a> {
    /// Without room for anything else.
    pub fn of(paint: impl Fn(&Canvas, Frame) + 'a) -> Self {
        Self {
            above: 0,
            label: String::new(),
            height: 0,
            below: 0,
            right: 0,
            paint: Box::new(paint),
        }
    }
}

type Painter<'a> = Box<dyn Fn(&Canvas, Frame) + 'a>;

/// A part with two scales, and curves between their grid and their axes.
pub struct Plot<'a> {
    pub height: i32,
    /// Across and upwards.
    pub spans: (Span, Span),
    /// Titles of the axes, across and upwards.
    pub titles: (&'a str, &'a str),
    /// Under its frame and axes.
    pub paint: Box<dyn Fn(&Panel) + 'a>,
    /// A line of text above the frame.
    pub label: String,
    /// Room on the right, for a second axis.
    pub right: i32,
}

impl<'a> Plot<'a> {
    pub fn new(
        height: i32,
        spans: (Span, Span),
        titles: (&'a str, &'a str),
        paint: impl Fn(&Panel) + 'a,
    ) -> Self {
        Self {
            height,
            spans,
            titles,
            paint: Box::new(paint),
            label: String::new(),
            right: 0,
        }
    }

    /// The plots as parts: the last one alone has numbers and a title on its x axis.
    pub fn stack(plots: Vec<Self>) -> Vec<Part<'a>> {
        let last = plots.len().saturating_sub(1);
        let part = |(index, plot): (usize, Self)| Part {
            above: match (&*plot.label, index) {
                ("", 0) => 0,
                ("", _) => GAP,
                _ => LABEL_GAP,
            },
            label: plot.label.clone(),
            height: plot.height,
            below: if index == last { FOOT_ROOM } else { 0 },
            right: plot.right,
            paint: Box::new(move |canvas, frame| plot.paint(canvas, frame, index == last)),
        };
        plots.into_iter().enumerate().map(part).collect()
    }

    fn paint(&self, canvas: &Canvas, frame: Frame, is_last: bool) {
        for (index, line) in label_lines(&self.label, frame).iter().rev().enumerate() {
            let spot = (frame.left, frame.top - TEXT_SIZE - LINE * index as i32);
            canvas.text(line, spot, Lettering::PLAIN);
        }
        let panel = Panel {
            canvas,
            frame,
            label: &self.label,
            titles: self.titles,
            x: self.spans.0.on(frame.across()),
            y: self.spans.1.on(frame.upwards()),
        };
        panel.draw_grid();
        (self.paint)(&panel);
        panel.draw_frame();
        panel.draw_x_axis(is_last.then_some(self.titles.0));
        panel.draw_y_axis(self.titles.1);
    }
}

/// Title, parts and legend one above the other.
pub fn scene(page: &Page, title: &str, parts: &[Part], legend: Vec<Entry>) -> Scene {
    let shown = if page.has_title { title } else { "" };
    let words = Words::new(shown, legend, page.width);
    let mut top = words.head();
    let mut placed = Vec::new();
    let share = page.share_of_heights(parts, words.head() + words.foot());
    for part in parts {
        let mut frame = Frame {
            left: MARGIN + AXIS_ROOM,
            right: page.width - MARGIN - part.right,
            top: top + part.above,
            bottom: 0,
        };
        let more = label_lines(&part.label, frame).len().saturating_sub(1);
        frame.top += LINE * more as i32;
        frame.bottom = frame.top + libm::round(share * f64::from(part.height)) as i32;
        top = frame.bottom + part.below;
        placed.push((part, frame));
    }
    Scene::of(page, top + words.foot(), |canvas| {
        for (part, frame) in placed {
            (part.paint)(canvas, frame);
        }
        words.draw(canvas, top);
    })
}

/// No frame is made lower than this part of its height to fit a page.
const LEAST_SHARE: f64 = 0.45;

impl Page {
    /// By how much frames are lower than they should be, so that the figure fits its page.
    fn share_of_heights(&self, parts: &[Part], around: i32) -> f64 {
        let Some(most) = self.most_height() else {
            return 1.0;
        };
        let heights: i32 = parts.iter().map(|part| part.height).sum();
        let between: i32 = parts.iter().map(|part| part.above + part.below).sum();
        let room = f64::from(most - around - between);
        (room / f64::from(heights)).clamp(LEAST_SHARE, 1.0)
    }

    /// Whether frames of these heights, labelled or not, fit the page under a title with a legend
    /// of so many lines.
    pub fn holds(&self, heights: &[i32], is_labelled: bool, lines: i32) -> bool {
        let gap = if is_labelled { LABEL_GAP } else { GAP };
        let frames: i32 = heights.iter().sum();
        let around = 3 * MARGIN + FOOT_ROOM + LINE * (lines + 1) + gap * heights.len() as i32;
        let least = LEAST_SHARE * f64::from(frames) + f64::from(around);
        self.most_height()
            .is_none_or(|most| least <= f64::from(most))
    }
}

/// A label in lines as wide as the frame under it.
fn label_lines(label: &str, frame: Frame) -> Vec<String> {
    wrapped(label, frame.right - frame.left, TEXT_SIZE)
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::experiment::spec::{Choices, Width};
    use crate::report::canvas::Shape;

    /// At 86 mm a long label has several lines: each is no wider than its frame, and all stand
    /// between the frame above and their own.
    #[test]
    fn a_long_label_wraps_between_the_frames() {
        let label = "share of the moving steps with joint moves; shapes and dashes: n = 4, 5, 6";
        let page = Page::of(&Choices {
            width: Some(Width::Single),
            ..Choices::default()
        });
        let frames = RefCell::new(Vec::new());
        let plot = || Plot {
            label: label.to_owned(),
            ..Plot::new(
                300,
                (Span::from_zero([1.0]), Span::from_zero([1.0])),
                ("x", "y"),
                |panel| frames.borrow_mut().push(panel.frame),
            )
        };
        let parts = Plot::stack(vec![plot(), plot()]);
        let scene = scene(&page, "title", &parts, Vec::new());
        let frames = frames.borrow();
        let wrapped = label_lines(label, frames[0]);
        assert!(wrapped.len() > 1 && wrapped.join(" ") == label);
        let limit = (frames[0].right - frames[0].left) as f64 / (0.6 * f64::from(TEXT_SIZE));
        assert!(wrapped.iter().all(|it| it.chars().count() as f64 <= limit));
        for (above, frame) in [0, frames[0].bottom].into_iter().zip(frames.iter()) {
            let (first, last) = (above + TEXT_SIZE / 2, frame.top - TEXT_SIZE / 2);
            let own = scene.shapes.iter().filter_map(|shape| match shape {
                Shape::Text(text, (_, y), _) if wrapped.contains(text) => Some(*y),
                _ => None,
            });
            let mut own: Vec<i32> = own.filter(|y| (first + 1..last).contains(y)).collect();
            own.sort_unstable();
            assert_eq!(own.len(), wrapped.len(), "{own:?} {frame:?}");
            assert!(own.windows(2).all(|it| it[1] - it[0] == LINE), "{own:?}");
        }
    }
}
