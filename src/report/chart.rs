//! A kind of figure as data: which rows, what is across, what makes a curve, which columns stand
//! upwards. What a plan must have, styles, scales, fits, legend, table and caption follow.

mod best;
mod density;
mod draw;
mod fit;
mod plots;
mod scene;
mod words;

use std::collections::BTreeSet;

use self::fit::FitOrReason;
pub use self::fit::{Fit, exactly, in_interval};
use super::Rows;
use super::choose::Foreseen;
use super::frame::Frame;
use super::legend::Entry;
use super::series::{Points, of_points, quantities, word};
use super::sheet::Part;
use super::style::SeriesStyle;
use crate::analysis::optimum::Optimum;
use crate::analysis::summary::{PointSummary, Quantity, of_each_point};
use crate::experiment::spec::{Choices, Law};
use crate::results::PointTrials;
use crate::solver::Point;
use crate::solver::{Value, symbol};

/// What takes a chart that is made of a spec's choices.
type Taker<'t> = &'t mut dyn FnMut(&Chart);

/// A kind of figure.
#[derive(Clone, Copy)]
pub struct Chart<'a> {
    /// Registry name, as in a spec's `kind = "…"`.
    pub(crate) kind: &'static str,
    /// One line for `reines list figures`.
    pub(crate) doc: &'static str,
    /// The keys of a `[[figure]]` that it takes beside those of every kind.
    pub(crate) keys: &'static [&'static str],
    /// Makes another chart of what the spec chooses, and hands it on.
    pub(crate) chosen: Option<fn(&Choices, Taker)>,
    /// Why a plan's rows, whatever they will be, could not be drawn.
    pub(crate) lacks: fn(&Chart, &Foreseen) -> Option<String>,
    /// What stands above it where the spec has no title; where a quantity can be chosen, what
    /// follows its name.
    pub(crate) title: &'a str,
    /// The caption's first sentence; where a quantity can be chosen, what follows its name.
    pub(crate) lead: &'a str,
    pub(crate) of: Of,
    /// The axis across, and those on which the points of a curve may differ beside it.
    pub(crate) axes: &'a [&'a str],
    /// What points of one curve share; all but `axes` without it.
    pub(crate) group: Option<&'a [String]>,
    /// Points that a curve has at least.
    pub(crate) least: usize,
    /// Curves that are drawn at most.
    pub(crate) most: usize,
    /// A column that stands across in place of an axis of the points, and its title.
    pub(crate) across: Option<(&'a str, &'a str)>,
    /// A column of words: rows with different ones are of different curves, in colours of their
    /// own.
    pub(crate) split: Option<&'a str>,
    /// By default logarithmic unless whole numbers or 0 stand there.
    pub(crate) x_is_logarithmic: Option<bool>,
    /// Whether a point has a place, among all points.
    pub(crate) is_wanted: fn(&Point, &Sides) -> bool,
    /// Of too many curves those are drawn.
    pub(crate) is_plain: fn(&Point) -> bool,
    /// Points with the same word have the same colour.
    pub(crate) hue: Option<fn(&Point) -> String>,
    /// Algorithms of which each needs a curve.
    pub(crate) compares: &'static [&'static str],
    /// Why there is nothing to draw, where that is not the want of two points.
    pub(crate) nothing: &'a str,
    /// Its first panel is drawn for each value of this axis.
    pub(crate) facet: Option<&'a str>,
    pub(crate) rows: fn(&Scope) -> Result<Frame, String>,
    pub(crate) panels: &'a [Panel<'a>],
    /// What is painted under the panels.
    pub(crate) beneath: fn(&Scope) -> Option<Beneath>,
    /// Of which one can be chosen in place of those of the panels.
    pub(crate) quantities: &'static [&'static str],
    /// Whether it has a place for rules that count steps of n² updates each. Points of such rules
    /// are left out of all other figures, where their steps would be read as updates.
    pub(crate) takes_steps: bool,
    /// Marks the point of the least mean, and bounds its place.
    pub(crate) marks_best: bool,
    /// Draws 1/d(n) on an axis of its own.
    pub(crate) has_density: bool,
    /// A line of known growth: its law, and the factor or the power.
    pub(crate) known: Option<(Law, f64)>,
    /// A dashed line upright at this place, in the colour of the curve.
    pub(crate) guide: Option<fn(&Point) -> Option<f64>>,
    pub(crate) findings: fn(&Scene) -> Vec<String>,
    /// Of a frame that a curve's points have for themselves.
    pub(crate) height: Option<fn(&[&Point]) -> i32>,
    /// From top to bottom; by default its panels.
    pub(crate) parts: for<'s> fn(&'s Scene, &Choices) -> Vec<Part<'s>>,
    pub(crate) legend: fn(&Scene, &Choices) -> Vec<Entry>,
    /// What bars, thin lines and marks mean.
    pub(crate) explained: fn(&Scene) -> String,
}

/// The algorithms of some points, each with its values of n.
#[derive(Debug, Default)]
pub struct Sides(BTreeSet<(String, Option<u64>)>);

impl Sides {
    pub fn of<'p>(points: impl IntoIterator<Item = &'p Point>) -> Self {
        let points = points.into_iter();
        Self(
            points
                .map(|it| (it.algorithm.clone(), it.integer("n")))
                .collect(),
        )
    }

    /// Whether there is a point of this algorithm with the n of another point.
    pub fn have(&self, algorithm: &str, other: &Point) -> bool {
        self.0.contains(&(algorithm.to_owned(), other.integer("n")))
    }
}

/// Which rows a chart is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Of the local rules and the like.
    Trials,
    /// Of exhaustive searches, with their wall-clock times.
    Searches,
    /// The series that trials wrote down.
    Series,
    /// The moves that trials wrote down.
    Moves,
}

/// A frame of a chart.
#[derive(Clone, Copy)]
pub struct Panel<'a> {
    pub height: i32,
    /// Rows of this quantity alone, of a time or of moves, or of any other with this name.
    pub quantity: Option<Quantity>,
    pub only: &'a str,
    /// A column of numbers with intervals.
    pub y: &'a str,
    /// Columns in place of it, each with its name and shape.
    pub named: &'a [(&'a str, &'a str)],
    pub shape: Shape,
    /// A dashed line level at this height.
    pub level: Option<f64>,
    pub fit: Option<Fit>,
    /// What stands above it.
    pub label: &'a str,
    pub title: &'a str,
    /// By default unless a number is 0.
    pub is_logarithmic: Option<bool>,
    /// Below and above, in lengths of the axis.
    pub room: (f64, f64),
}

/// How the numbers of a curve are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// With lines from one to the next, and bars.
    Line,
    /// With bars, those of one place side by side.
    Marks,
    /// The same, small.
    Dots,
    /// A line with a band, and a marker on every so many.
    Band(usize),
}

/// What stands under the panels, and its words in the caption.
pub type Beneath = (Part<'static>, String);

/// What a chart is drawn from.
pub struct Scope<'a> {
    pub chart: &'a Chart<'a>,
    pub rows: &'a Rows,
    pub choices: &'a Choices,
}

/// A chart's rows with their curves.
pub struct Scene<'a> {
    pub chart: &'a Chart<'a>,
    pub frame: Frame,
    pub curves: Vec<Curve>,
    pub panels: Vec<Panel<'a>>,
}

/// Rows of a frame, in increasing order across.
pub struct Curve {
    pub label: String,
    /// Without the value of the facet.
    name: String,
    pub style: SeriesStyle,
    pub rows: Vec<usize>,
    /// The axes on which its points may differ.
    varying: Vec<String>,
    /// Of each panel.
    fits: Vec<FitOrReason>,
    best: Option<Optimum>,
}

impl Chart<'_> {
    /// What most kinds have.
    pub const PLAIN: Self = Self {
        kind: "",
        doc: "",
        keys: &[],
        chosen: None,
        lacks: |chart, plan| chart.lacks_points(plan),
        title: "",
        lead: "",
        of: Of::Trials,
        axes: &["n"],
        group: None,
        least: 2,
        // More could not be told apart by their markers.
        most: 10,
        across: None,
        split: None,
        x_is_logarithmic: Some(false),
        is_wanted: |_, _| true,
        is_plain: |_| true,
        hue: None,
        compares: &[],
        nothing: "",
        facet: None,
        rows: |scope| scope.quantities(),
        panels: &[],
        beneath: |_| None,
        quantities: &[],
        takes_steps: false,
        marks_best: false,
        has_density: false,
        known: None,
        guide: None,
        findings: |scene| scene.findings_of_fits(),
        height: None,
        parts: |scene, choices| Part::stack(scene.plots(choices)),
        legend: |scene, choices| scene.legend(choices),
        explained: |scene| scene.explained(),
    };

    pub(crate) fn x(&self) -> &str {
        self.axes.first().copied().unwrap_or_default()
    }

    pub(super) fn x_title(&self) -> &str {
        self.across.map_or_else(|| axis_title(self.x()), |it| it.1)
    }

    /// Whether a point has a place across.
    pub fn has_place(&self, point: &Point) -> bool {
        if self.across.is_some() {
            return true;
        }
        let value = point.axes.get(self.x()).map(|value| value.number());
        value.is_some_and(|value| self.x_is_logarithmic != Some(true) || value > 0.0)
    }

    /// The place across of a point that has one.
    pub fn place(&self, point: &Point) -> f64 {
        point.axes.get(self.x()).map_or(0.0, Value::number)
    }

    /// What the points of one curve share, in words.
    pub fn curve_of(&self, point: &Point) -> Vec<String> {
        match self.group {
            None => {
                let axes = point.axes.clone().without(self.axes);
                let shared = Point {
                    axes,
                    ..point.clone()
                };
                vec![shared.to_string()]
            }
            Some(keys) => keys.iter().map(|key| word(point, key)).collect(),
        }
    }

    /// Whether both points are of one curve.
    pub fn joins(&self, a: &Point, b: &Point) -> bool {
        self.curve_of(a) == self.curve_of(b)
    }
}

impl Scope<'_> {
    /// What is measured at each point that has a place.
    pub fn measured<P: Send>(&self, of: impl Fn(&PointTrials) -> Option<P> + Sync) -> Vec<P> {
        let all = Sides::of(self.rows.trials.iter().map(|it| &it.point));
        of_each_point(&self.rows.trials, |trials| {
            (self.chart.is_wanted)(&trials.point, &all)
                .then(|| of(trials))
                .flatten()
        })
    }

    /// The points with times, in curves.
    pub fn points(&self) -> Points<PointSummary> {
        let chart = self.chart;
        let symbol = symbol(chart.x());
        let missing = |it: &PointSummary| {
            let time = it.quantity(Quantity::AbsorptionTime);
            let reason = if it.point.goal.is_some() {
                "a search has no absorption time"
            } else if it.point.axes.get(chart.x()).is_none() {
                return Some(format!("has no {symbol}"));
            } else if !chart.has_place(&it.point) {
                return Some(format!("{symbol} = 0 has no place on a logarithmic axis"));
            } else if time.is_none_or(|time| time.mean.value == 0.0) {
                "a mean time of 0 has no place on a logarithmic axis"
            } else {
                return None;
            };
            Some(reason.to_owned())
        };
        let time = |it: &PointSummary| {
            let time = it.quantity(Quantity::AbsorptionTime);
            time.map_or(f64::INFINITY, |time| time.mean.value)
        };
        let points = Points::of(self.measured(PointSummary::of), chart, missing);
        points.fastest(chart, time).in_curves(chart)
    }

    /// A row for each quantity of each of these points.
    pub fn quantities(&self) -> Result<Frame, String> {
        let Points { kept, left_out } = self.points();
        Ok(of_points(&quantities(&kept)).left_out(left_out).frame)
    }
}

impl<'a> Panel<'a> {
    /// What most panels have.
    pub const PLAIN: Self = Self {
        height: 900,
        quantity: None,
        only: "",
        y: "mean",
        named: &[],
        shape: Shape::Line,
        level: None,
        fit: None,
        label: "",
        title: "",
        is_logarithmic: Some(false),
        room: (0.0, 0.0),
    };

    /// The numbers of a column.
    pub const fn column(height: i32, y: &'a str, title: &'a str) -> Self {
        Self {
            height,
            y,
            title,
            ..Self::PLAIN
        }
    }

    /// Its columns and their names.
    pub fn ys(&self) -> Vec<(&'a str, &'a str)> {
        match self.named {
            [] => vec![(self.y, "")],
            named => named.to_vec(),
        }
    }

    /// The means of a quantity.
    pub const fn of(quantity: Quantity) -> Self {
        Self {
            quantity: Some(quantity),
            is_logarithmic: Some(true),
            ..Self::PLAIN
        }
    }

    /// Of which quantity its rows are.
    pub fn only(&self) -> &str {
        match self.quantity {
            Some(quantity) => quantity.name(),
            None => self.only,
        }
    }

    pub fn title(&self) -> &str {
        match self.quantity {
            None => self.title,
            Some(Quantity::AbsorptionTime) => "mean absorption time (updates)",
            Some(Quantity::HittingTime) => "mean hitting time (updates)",
            Some(Quantity::Moves) => "mean number of queen moves",
            Some(Quantity::MovesAtHit) => "mean number of queen moves until the hit",
        }
    }
}

/// Of the axis across.
pub fn axis_title(axis: &str) -> &str {
    match axis {
        "n" => "n, side of the board and number of queens",
        "epsilon" => "ε, probability of a dangerous move",
        "eta" => "η, probability of a random destination",
        "product" => "N, product that is factored",
        other => symbol(other),
    }
}

/// With a capital first, but for a symbol: `n = 8`, `ε = 0.1` and `1/d` stay as they are.
pub fn capital(text: &str) -> String {
    let is_word = |it: &str| it.len() > 1 && it.bytes().all(|it| it.is_ascii_alphabetic());
    match text.split([' ', ',', ':', '-']).next() {
        Some(first) if is_word(first) => text[..1].to_uppercase() + &text[1..],
        _ => text.to_owned(),
    }
}
