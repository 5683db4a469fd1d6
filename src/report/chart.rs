//! A kind of figure as data: which rows, what is across, what makes a curve, which columns stand
//! upwards. What a plan must have, styles, scales, fits, legend, table and caption follow.

mod best;
mod density;
mod fit;
mod plots;
mod words;

use self::fit::FitOrReason;
pub use self::fit::{Fit, exactly, in_interval};
use super::foresight::{Foreseen, ForeseenPoint, differ_along, most_along};
use super::frame::{Frame, of_points, quantities};
use super::legend::Entry;
use super::panel::Mark;
use super::series::{Along, Points, distinct, grouped, in_words, mean_time, visibly_below};
use super::sheet::{Part, Plot};
use super::style::SeriesStyle;
use super::{Drawing, Input, NothingToDraw};
use crate::analysis::each_point::of_each_point;
use crate::analysis::optimum::Optimum;
use crate::analysis::summary::{PointSummary, Quantity};
use crate::experiment::spec::{Choices, Law};
use crate::results::PointTrials;
use crate::solver::Point;
use crate::solver::symbol;

/// What takes a chart that is made of a spec's choices.
type Taker<'t> = &'t mut dyn FnMut(&Chart);

/// A kind of figure.
#[derive(Clone, Copy)]
pub struct Chart<'a> {
    /// Registry name, as in a spec's `kind = "…"`.
    pub(crate) kind: &'static str,
    /// One line for `reines list --figures`.
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
    pub(crate) along: Along<'a>,
    /// A column that stands across in place of an axis of the points, and its title.
    pub(crate) across: Option<(&'a str, &'a str)>,
    /// A column of words: rows with different ones are of different curves, in colours of their
    /// own.
    pub(crate) split: Option<&'a str>,
    /// By default logarithmic unless whole numbers or 0 stand there.
    pub(crate) x_is_logarithmic: Option<bool>,
    /// An axis, and how many of its values points have that differ there alone.
    pub(crate) swept: Option<(&'a str, usize)>,
    /// Whether a point has a place, among all points.
    pub(crate) is_wanted: fn(&Point, &[&Point]) -> bool,
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
    /// Columns of numbers with intervals; where there are several, each has its name and shape.
    pub ys: &'a [(&'a str, &'a str)],
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
    /// Whether trials cut off make lower bounds.
    pub has_bounds: bool,
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
    pub input: &'a Input<'a>,
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
        along: Along {
            axes: &["n"],
            group: None,
            least: 2,
            // More could not be told apart by their markers.
            most: 10,
        },
        across: None,
        split: None,
        x_is_logarithmic: Some(false),
        swept: None,
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
        guide: None,
        findings: |scene| scene.findings_of_fits(),
        height: None,
        parts: |scene, choices| Plot::stack(scene.plots(choices)),
        legend: |scene, _| scene.legend(),
        explained: |scene| scene.explained(),
    };

    /// Times against n, with their growth per row.
    pub const GROWTH: Self = Self {
        panels: &[Panel {
            height: 1120,
            room: (0.0, 0.05),
            fit: Some(Fit::EXPONENTIAL),
            ..Panel::of(Quantity::AbsorptionTime)
        }],
        quantities: &QUANTITIES,
        title: "against n",
        ..Self::PLAIN
    };

    fn x(&self) -> &str {
        self.along.axes.first().copied().unwrap_or_default()
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

    /// Why there is nothing to draw, unless each rule that is compared has a curve.
    fn lacks_curve(&self, has_curve: impl Fn(&dyn Fn(&Point) -> bool) -> bool) -> Option<String> {
        let mut rules = self.compares.iter();
        let lacking = rules.find(|rule| !has_curve(&|point| point.algorithm == **rule));
        match lacking {
            None if has_curve(&|_| true) => None,
            None => Some(self.no_points()),
            Some(rule) => Some(self.no_two(&format!(" of the {rule} rule"))),
        }
    }

    fn no_points(&self) -> String {
        match self.nothing {
            "" => self.no_two(""),
            reason => reason.to_owned(),
        }
    }

    fn no_two(&self, of: &str) -> String {
        let above = match self.x_is_logarithmic {
            Some(true) => " > 0",
            _ => "",
        };
        format!(
            "no two points{of} differ in {}{above} alone",
            symbol(self.x())
        )
    }

    /// The panels that are chosen, by their column or by their quantity, with the least place of
    /// their powers.
    fn chosen_panels(&self, choices: &Choices) -> Vec<Panel<'_>> {
        let mut panels = self.named_panels(choices);
        let fits = panels.iter_mut().filter_map(|panel| panel.fit.as_mut());
        for fit in fits.filter(|fit| fit.law == Law::Power) {
            fit.from = choices.fit_from;
        }
        panels
    }

    fn named_panels(&self, choices: &Choices) -> Vec<Panel<'_>> {
        let chosen = choices.quantity.as_deref().and_then(Quantity::from_name);
        let all = self.panels.iter().copied();
        match (&choices.panels, chosen) {
            (Some(names), _) if self.quantities.is_empty() => {
                let of = |name: &String| all.clone().find(|it| name == it.ys[0].0);
                let named: Vec<Panel> = names.iter().filter_map(of).collect();
                // `curve` has made its own of the names.
                if named.is_empty() {
                    all.collect()
                } else {
                    named
                }
            }
            (_, quantity @ Some(_)) if !self.quantities.is_empty() => vec![Panel {
                quantity,
                ..self.panels[0]
            }],
            _ => all.collect(),
        }
    }
}

impl Chart<'_> {
    /// Whether it shows wall-clock times, which are other ones in every run.
    pub fn shows_seconds(&self) -> bool {
        self.of == Of::Searches
    }

    /// Whether it is drawn from the courses of trials, which are large and else not read.
    pub(crate) fn draws_courses(&self) -> bool {
        matches!(self.of, Of::Series | Of::Moves)
    }

    pub(crate) fn keys(&self) -> &'static [&'static str] {
        let mut fits = self.panels.iter().filter_map(|panel| panel.fit);
        let has_power = fits.any(|fit| fit.law == Law::Power);
        match (self.quantities, self.panels, has_power) {
            ([], [_, _, ..], true) => &["panels", "fit_from"],
            ([], [_, _, ..], false) => &["panels"],
            ([], _, true) => &["fit_from"],
            ([], _, false) => self.keys,
            _ => &["quantity"],
        }
    }

    /// The chart of these choices, handed on.
    pub(super) fn made<T>(&self, choices: &Choices, with: impl Fn(&Chart) -> T) -> T {
        let Some(chosen) = self.chosen else {
            return with(self);
        };
        let mut made = None;
        chosen(choices, &mut |chart| made = Some(with(chart)));
        made.expect("all choices make a chart")
    }

    /// Whether a plan can give what it shows, whatever its rows will be.
    ///
    /// # Errors
    /// When no rows of these points could be drawn.
    pub(super) fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let lacking = self.made(plan.choices, |chart| (chart.lacks)(chart, plan));
        lacking.map_or(Ok(()), |reason| Err(self.nothing(&reason)))
    }

    /// Draws the rows that it can use and leaves the others out, saying so.
    ///
    /// # Errors
    /// When there is nothing that it could show.
    pub(super) fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let drawn = self.made(input.choices, |chart| chart.drawn(input));
        drawn.map_err(|reason| self.nothing(&reason))
    }

    /// Why it cannot be drawn.
    pub(super) fn nothing(&self, reason: &str) -> NothingToDraw {
        NothingToDraw {
            kind: self.kind,
            reason: reason.to_owned(),
        }
    }

    /// Unless the points of a plan make a curve.
    fn lacks_points(&self, plan: &Foreseen) -> Option<String> {
        let is_of = |it: &&ForeseenPoint| match self.of {
            Of::Trials => it.point.goal.is_none(),
            Of::Searches => it.point.goal.is_some(),
            Of::Series => it.has_series,
            Of::Moves => it.has_moves,
        };
        let all = plan.points.iter().filter(is_of).map(|it| &it.point);
        let all: Vec<&Point> = all.collect();
        let wanted = || all.iter().copied().filter(|it| (self.is_wanted)(it, &all));
        self.lacks_curve(|is_own| {
            let mut points = wanted().filter(|it| is_own(it) && self.has_place(it));
            match (self.swept, self.along.least) {
                (Some((axis, least)), _) => most_along(points, axis, &[axis]) >= least,
                (None, 1) => points.next().is_some(),
                (None, _) => differ_along(points, self.x(), self.along.axes),
            }
        })
    }

    /// The heights of its frames, whether they are labelled, and the lines of its legend, as far as
    /// a plan tells.
    pub(super) fn frames(&self, plan: &Foreseen) -> (Vec<i32>, bool, usize) {
        let keys: Vec<&Point> = plan.points.iter().map(|it| &it.point).collect();
        let facet = |key: &&Point| Some(key.axes.get(self.facet?)?.to_string());
        let facets = each_once(keys.iter().filter_map(facet).collect()).len();
        let panels = self.chosen_panels(plan.choices);
        let first = panels.first().map_or(0, |it| it.height);
        let heights = panels.iter().map(|it| it.height);
        let heights = heights.chain(std::iter::repeat_n(first, facets.saturating_sub(1)));
        let curves = grouped(keys, |a, b| self.along.joins(a, b));
        let own = |height: fn(&[&Point]) -> i32| curves.iter().map(|it| height(it)).collect();
        let is_labelled = facets > 0 || panels.iter().any(|it| !it.label.is_empty());
        (
            self.height.map_or_else(|| heights.collect(), own),
            is_labelled || self.height.is_some(),
            curves.len().min(self.along.most) / facets.max(1),
        )
    }

    /// # Errors
    /// Why there is nothing to draw.
    pub fn drawn(&self, input: &Input) -> Result<Drawing, String> {
        let scope = Scope { chart: self, input };
        let frame = (self.rows)(&scope)?;
        let scene = Scene::of(self, frame, self.chosen_panels(input.choices));
        let has_curve = |is_own: &dyn Fn(&Point) -> bool| scene.frame.keys.iter().any(is_own);
        if let Some(lacking) = self.lacks_curve(has_curve) {
            return Err(lacking);
        }
        let parts = (self.parts)(&scene, input.choices);
        if parts.is_empty() {
            return Err(self.no_points());
        }
        Ok(scene.drawing(input, parts, (self.beneath)(&scope)))
    }
}

impl Scope<'_> {
    /// What is measured at each point that has a place.
    pub fn measured<P: Send>(&self, of: impl Fn(&PointTrials) -> Option<P> + Sync) -> Vec<P> {
        let all: Vec<&Point> = self.input.trials.iter().map(|it| &it.point).collect();
        of_each_point(self.input.trials, |trials| {
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
        let points = Points::of(self.measured(PointSummary::of), &chart.along, missing);
        points
            .fastest(&chart.along, mean_time)
            .in_curves(&chart.along)
    }

    /// A row for each quantity of each of these points.
    pub fn quantities(&self) -> Result<Frame, String> {
        let Points { kept, left_out } = self.points();
        let mut frame = of_points(&quantities(&kept)).frame;
        frame.left_out = left_out;
        Ok(frame)
    }
}

impl<'a> Scene<'a> {
    fn of(chart: &'a Chart, frame: Frame, panels: Vec<Panel<'a>>) -> Self {
        let mut scene = Self {
            chart,
            curves: Vec::new(),
            frame,
            panels,
        };
        let mut groups = scene.groups();
        if groups.len() > chart.along.most {
            // Stable: those that are plain first.
            groups.sort_by_key(|rows| !(chart.is_plain)(&scene.frame.keys[rows[0]]));
            let others = groups.split_off(chart.along.most).into_iter().flatten();
            let reason = format!("{} curves are drawn; in the table", groups.len());
            let missing = others.map(|row| (scene.frame.keys[row].clone(), reason.clone()));
            let missing: Vec<_> = missing.collect();
            scene.frame.left_out.extend(missing);
        }
        let mut curves: Vec<Curve> = groups.into_iter().map(|it| scene.curve(it)).collect();
        scene.colour(&mut curves);
        for curve in &mut curves {
            let panels = scene.panels.iter();
            curve.fits = panels.map(|panel| scene.fit(curve, panel)).collect();
            if chart.marks_best {
                curve.best = scene.best(curve);
            }
        }
        Self { curves, ..scene }
    }

    /// The rows of each curve.
    fn groups(&self) -> Vec<Vec<usize>> {
        let keys = &self.frame.keys;
        let word = |row| self.chart.split.map(|it| self.frame.word(row, it));
        let drawn = (0..keys.len()).filter(|&row| !self.frame.undrawn.contains(&keys[row]));
        let mut groups = grouped(drawn, |&a, &b| {
            self.chart.along.joins(&keys[a], &keys[b]) && word(a) == word(b)
        });
        for group in &mut groups {
            group.sort_by(|&a, &b| self.at(a).total_cmp(&self.at(b)));
        }
        groups
    }

    fn curve(&self, rows: Vec<usize>) -> Curve {
        let keys: Vec<&Point> = rows.iter().map(|&row| &self.frame.keys[row]).collect();
        let varying = varying(&keys, self.chart.along.axes);
        let facet = self.chart.facet.map(str::to_owned);
        let apart: Vec<String> = varying.iter().cloned().chain(facet).collect();
        let word = self.chart.split.map(|it| self.frame.word(rows[0], it));
        let word = word.map_or_else(String::new, |word| format!(": {word}"));
        Curve {
            label: label(&keys, &varying) + &word,
            name: label(&keys, &apart) + &word,
            style: SeriesStyle::of(0),
            rows,
            varying,
            fits: Vec::new(),
            best: None,
        }
    }

    /// Each curve has its style, and those that mean the same in other facets have the same one.
    fn colour(&self, curves: &mut [Curve]) {
        let mut names: Vec<String> = curves.iter().map(|it| it.name.clone()).collect();
        if self.chart.facet.is_some() {
            names.sort();
        }
        let names = each_once(names);
        let hue = |curve: &Curve| match (self.chart.split, self.chart.hue) {
            (Some(column), _) => Some(self.frame.word(curve.rows[0], column).to_owned()),
            (None, hue) => hue.map(|hue| hue(&self.frame.keys[curve.rows[0]])),
        };
        let hues = each_once(curves.iter().filter_map(hue).collect());
        for curve in curves {
            let index = names.iter().position(|it| *it == curve.name);
            let index = index.unwrap_or_default();
            let colour = hues.iter().position(|it| Some(it) == hue(curve).as_ref());
            let coloured = colour.and_then(|it| SeriesStyle::coloured(it, index));
            curve.style = coloured.unwrap_or_else(|| SeriesStyle::of(index));
        }
    }

    /// The rows of a curve of this quantity; of all with an empty one.
    pub fn rows(&self, curve: &Curve, only: &str) -> impl Iterator<Item = usize> {
        let is_own =
            move |row: &usize| only.is_empty() || self.frame.word(*row, "quantity") == only;
        curve.rows.iter().copied().filter(is_own)
    }

    /// Place across.
    pub fn at(&self, row: usize) -> f64 {
        match self.chart.across {
            Some((column, _)) => {
                let drawn = self.frame.estimate(row, column).map(|it| it.value);
                let place = drawn.or_else(|| self.frame.number(row, column));
                place.unwrap_or_default()
            }
            None => self.chart.along.place(&self.frame.keys[row]),
        }
    }

    fn is_logarithmic(&self, panel: &Panel) -> bool {
        panel.is_logarithmic.unwrap_or_else(|| {
            let rows = 0..self.frame.keys.len();
            let mut values = rows.filter_map(|row| self.frame.estimate(row, panel.ys[0].0));
            values.all(|it| it.value > 0.0)
        })
    }

    /// Of one column.
    pub fn marks(&self, curve: &Curve, (panel, y): (&Panel, &str), only: &str) -> Vec<Mark> {
        let (is_logarithmic, x_is_logarithmic) = (
            self.is_logarithmic(panel),
            self.chart.x_is_logarithmic == Some(true),
        );
        let mark = |row: usize| {
            let (x, estimate) = (self.at(row), self.frame.estimate(row, y)?);
            let has_place =
                (!is_logarithmic || estimate.value > 0.0) && (!x_is_logarithmic || x > 0.0);
            has_place.then(|| Mark {
                is_lower_bound: panel.has_bounds && self.frame.is_bound(row, y),
                row: Some(row),
                trials: self.frame.trials(row),
                ..Mark::with_interval(x, estimate.value, estimate.interval)
            })
        };
        self.rows(curve, only).filter_map(mark).collect()
    }

    /// Stretches of the same quantity at the hit, where it is visibly less.
    fn at_hit(&self, curve: &Curve, panel: &Panel) -> Vec<Vec<Mark>> {
        let Some(quantity) = panel.quantity else {
            return Vec::new();
        };
        let own = self.marks(curve, (panel, "mean"), panel.only());
        let at_hit = self.marks(curve, (panel, "mean"), quantity.at_hit().name());
        visibly_below(&at_hit, &own)
    }

    /// The values of the facet, each once.
    fn facets(&self) -> Vec<f64> {
        let Some(axis) = self.chart.facet else {
            return Vec::new();
        };
        let keys = self.frame.keys.iter();
        distinct(keys.filter_map(|it| Some(it.axes.get(axis)?.number())))
    }

    fn facet_of(&self, curve: &Curve) -> Option<f64> {
        let key = &self.frame.keys[*curve.rows.first()?];
        Some(key.axes.get(self.chart.facet?)?.number())
    }
}

/// What can be chosen.
pub const QUANTITIES: [&str; 4] = ["absorption_time", "hitting_time", "moves", "moves_at_hit"];

impl Panel<'_> {
    /// What most panels have.
    pub const PLAIN: Self = Self {
        height: 900,
        quantity: None,
        only: "",
        ys: &[("mean", "")],
        shape: Shape::Line,
        level: None,
        fit: None,
        label: "",
        title: "",
        is_logarithmic: Some(false),
        room: (0.0, 0.0),
        has_bounds: true,
    };

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

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.map(String::from_iter).unwrap_or_default() + letters.as_str()
}

/// The axes on which the points of a curve may differ, and do.
fn varying(keys: &[&Point], along: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = along.iter().map(|&name| name.to_owned()).collect();
    for key in keys {
        for (name, _) in key.axes.by_name().chain(keys[0].axes.by_name()) {
            let differs = key.axes.get(name) != keys[0].axes.get(name);
            if differs && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn each_once(words: Vec<String>) -> Vec<String> {
    let mut known = Vec::new();
    for word in words {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known
}

/// What the points share.
fn label(keys: &[&Point], varying: &[String]) -> String {
    let apart: Vec<&str> = varying.iter().map(String::as_str).collect();
    let words: Vec<String> = keys.iter().map(|it| in_words(it, &apart)).collect();
    if words.iter().all(|word| *word == words[0]) {
        return words[0].clone();
    }
    let mut names: Vec<&str> = keys.iter().map(|it| it.algorithm.as_str()).collect();
    names.dedup();
    format!("points of {}", names.join(", "))
}
