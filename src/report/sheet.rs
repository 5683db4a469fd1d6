//! The sheet that every figure is drawn on: title, plots one above the other, legend, and the words
//! under it. A figure is what it selects, its plots, its legend and its words; where all of that
//! lies is said here.

use super::canvas::{self, Canvas, Lettering, Page};
use super::left_out::LeftOut;
use super::legend::{Entry, LINE, Sample, Words, lines};
use super::panel::{Frame, Panel};
use super::scale::Span;
use super::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, TEXT_SIZE};
use super::tips::{Point, Tips};
use super::{Drawing, Input, Table};

/// From one plot to the next.
const GAP: i32 = 48;
/// The same where plots have labels.
const LABEL_GAP: i32 = 100;

/// A figure before it is drawn.
pub struct Sheet<'a> {
    /// What the figure finds, a sentence each without a full stop; of none, the legend's words of
    /// the curves are taken.
    pub findings: Vec<String>,
    /// What the caption says between the experiment's title and the run.
    pub caption: String,
    /// From top to bottom.
    pub parts: Vec<Part<'a>>,
    pub legend: Vec<Entry>,
    pub table: Table,
    pub left_out: LeftOut,
}

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

type Painter<'a> = Box<dyn Fn(&Canvas, Frame) + 'a>;

/// What is painted in a plot, under its frame and axes.
type PlotPainter<'a> = Box<dyn Fn(&Panel) + 'a>;

/// A part with two scales, and curves between their grid and their axes.
pub struct Plot<'a> {
    height: i32,
    /// Across and upwards.
    spans: (Span, Span),
    /// Titles of the axes, across and upwards.
    titles: (&'a str, &'a str),
    paint: PlotPainter<'a>,
    label: String,
    right: i32,
    under: Option<(i32, PlotPainter<'a>)>,
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
            under: None,
        }
    }

    /// With a line of text above the frame.
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            ..self
        }
    }

    /// With room for a second axis on the right.
    pub fn with_right_axis(self) -> Self {
        Self {
            right: AXIS_ROOM,
            ..self
        }
    }

    /// With something of this height under the title of the x axis.
    pub fn with_room_under(self, height: i32, paint: impl Fn(&Panel) + 'a) -> Self {
        Self {
            under: Some((height, Box::new(paint))),
            ..self
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
            below: plot.under.as_ref().map_or(0, |under| under.0)
                + if index == last { FOOT_ROOM } else { 0 },
            right: plot.right,
            paint: Box::new(move |canvas, frame| plot.paint(canvas, frame, index == last)),
        };
        plots.into_iter().enumerate().map(part).collect()
    }

    fn paint(&self, canvas: &Canvas, frame: Frame, is_last: bool) {
        for (index, line) in label_lines(&self.label, frame).iter().rev().enumerate() {
            let spot = (frame.left, frame.top - TEXT_SIZE - LINE * index as i32);
            canvas.text(line, spot, Lettering::default());
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
        if let Some((_, paint)) = &self.under {
            paint(&panel);
        }
    }
}

impl Sheet<'_> {
    /// The figure with its caption, which names the experiment and the run.
    pub fn draw(self, input: &Input) -> Drawing {
        let remarks = input.remarks.iter().map(String::as_str);
        let words = [input.title, &self.caption].into_iter().chain(remarks);
        let caption = sentences(words.chain([input.provenance]));
        let left_out = self.left_out.of_all(input);
        let mut legend = self.legend;
        let mut findings = self.findings;
        if findings.is_empty() {
            let curves = legend.iter();
            let curves = curves.filter(|entry| entry.sample.style().is_some());
            findings.extend(curves.map(|entry| entry.text.clone()));
        }
        let remarks = input.remarks.iter();
        legend.extend(remarks.map(|remark| Entry::new(Sample::None, remark)));
        legend.extend(left_out.entries());
        let mut table = self.table;
        left_out.note(&mut table);
        Drawing {
            svg: svg_on(
                &Page::of(input.choices),
                (input.title, &caption),
                &self.parts,
                legend,
                Some(&table),
            ),
            findings,
            table,
            curves: None,
            caption,
            left_out: left_out.sentences(),
        }
    }
}

/// Title, parts and legend one above the other; `description` is for those who cannot see them.
pub fn svg(title: &str, description: &str, parts: &[Part], legend: Vec<Entry>) -> String {
    let page = Page::default();
    svg_on(&page, (title, description), parts, legend, None)
}

/// [`svg`] on a page of another width. The points have tips, with what `table` holds of them.
fn svg_on(
    page: &Page,
    (title, description): (&str, &str),
    parts: &[Part],
    legend: Vec<Entry>,
    table: Option<&Table>,
) -> String {
    let shown = if page.has_title { title } else { "" };
    let words = Words::new(shown, legend, page.width);
    let mut top = words.head();
    let mut placed = Vec::new();
    for part in parts {
        let mut frame = Frame {
            left: MARGIN + AXIS_ROOM,
            right: page.width - MARGIN - part.right,
            top: top + part.above,
            bottom: 0,
        };
        let more = label_lines(&part.label, frame).len().saturating_sub(1);
        frame.top += LINE * more as i32;
        frame.bottom = frame.top + part.height;
        top = frame.bottom + part.below;
        placed.push((part, frame));
    }
    let tips = Tips { table };
    let paint = |canvas: &Canvas| {
        for (part, frame) in placed {
            (part.paint)(canvas, frame);
        }
        words.draw(canvas, top);
    };
    let tips = |points: &[Point]| tips.svg(points);
    canvas::draw_on(page, top + words.foot(), (title, description), tips, paint)
}

/// A label in lines as wide as the frame under it.
fn label_lines(label: &str, frame: Frame) -> Vec<String> {
    lines(label, frame.right - frame.left, TEXT_SIZE)
}

/// The non-empty parts, each ended by a full stop.
pub fn sentences<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let ended = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| match part.ends_with(['?', '!']) {
            true => part.to_owned(),
            false => format!("{}.", part.trim_end_matches('.')),
        });
    ended.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::experiment::spec::{Choices, Width};

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
        let plot = || {
            let span = || Span::from_zero([1.0]);
            let paint = |panel: &Panel| frames.borrow_mut().push(panel.frame);
            Plot::new(300, (span(), span()), ("x", "y"), paint).labelled(label)
        };
        let parts = Plot::stack(vec![plot(), plot()]);
        let svg = svg_on(&page, ("title", "words"), &parts, Vec::new(), None);
        let frames = frames.borrow();
        let wrapped = label_lines(label, frames[0]);
        assert!(
            wrapped.len() > 1 && wrapped.join(" ") == label,
            "{wrapped:?}"
        );
        let (mut ends, mut places) = (vec![0, frames[0].bottom], Vec::new());
        for line in &wrapped {
            let width = 0.6 * f64::from(TEXT_SIZE) * line.chars().count() as f64;
            assert!(
                width <= f64::from(frames[0].right - frames[0].left),
                "{line}"
            );
            let texts = svg
                .split("<text")
                .filter(|it| it.contains(&format!("\n{line}\n")));
            let y = |text: &str| text.split(" y=\"").nth(1)?.split('"').next()?.parse().ok();
            places.push(texts.filter_map(y).collect::<Vec<i32>>());
        }
        for (index, frame) in frames.iter().enumerate() {
            let own: Vec<i32> = places.iter().map(|it| it[index]).collect();
            let above = ends.remove(0) + TEXT_SIZE / 2;
            let below = frame.top - TEXT_SIZE / 2;
            assert!(
                above < own[0] && own[own.len() - 1] < below,
                "{own:?} {frame:?}"
            );
            assert!(own.windows(2).all(|it| it[1] - it[0] == LINE), "{own:?}");
        }
    }
}
