//! A kind of figure as data: which rows, what is across, what makes a curve, which columns stand
//! upwards. What a plan must have, styles, scales, fits, legend, table and caption follow.

mod best;
mod density;
mod fit;

use std::ops::Range;

use plotters::style::RGBColor;

use self::fit::Fitted;
pub use self::fit::{Fit, finding_of_fit};
use super::foresight::{Foreseen, differ_along};
use super::frame::{Frame, of_points, quantities};
use super::left_out::LeftOut;
use super::legend::{Entry, Sample, mean_entries};
use super::number::short;
use super::panel::{Mark, Panel as Painted, Weight};
use super::scale::Span;
use super::series::{Along, Points, in_words, visibly_below};
use super::sheet::{Plot, Sheet, sentences};
use super::style::{SINGLE_WIDTH, SeriesStyle, THEORY};
use super::{Drawing, Figure, Input, NothingToDraw};
use crate::analysis::each_point::of_each_point;
use crate::analysis::optimum::Optimum;
use crate::analysis::summary::{PointSummary, Quantity};
use crate::experiment::spec::Choices;
use crate::experiment::store::PointKey;
use crate::results::PointTrials;
use crate::results::courses::PointCourses;
use crate::solver::symbol;

/// A kind of figure.
#[derive(Clone, Copy)]
pub struct Chart<'a> {
    pub kind: &'static str,
    pub doc: &'static str,
    /// The caption's first sentence; where a quantity can be chosen, what follows its name.
    pub lead: &'a str,
    pub along: Along<'a>,
    /// By default logarithmic unless whole numbers or 0 stand there.
    pub x_is_logarithmic: Option<bool>,
    /// Whether a point has a place, among all points.
    pub is_wanted: fn(&PointKey, &[&PointKey]) -> bool,
    /// Algorithms of which each needs a curve.
    pub compares: &'static [&'static str],
    /// Why there is nothing to draw, where that is not the want of two points.
    pub nothing: &'a str,
    /// Its first panel is drawn for each value of this axis.
    pub facet: Option<&'static str>,
    pub rows: fn(&Scope) -> Result<Frame, String>,
    pub panels: &'a [Panel<'a>],
    /// Of which one can be chosen in place of those of the panels.
    pub quantities: &'static [&'static str],
    pub takes_steps: bool,
    pub draws_courses: bool,
    pub fit: Option<Fit>,
    /// Marks the point of the least mean, and bounds its place.
    pub marks_best: bool,
    /// Draws 1/d(n) on an axis of its own.
    pub has_density: bool,
    /// What is found along a curve.
    pub finding: fn(&Scene, &Curve) -> Option<String>,
}

/// A frame of a chart.
#[derive(Clone, Copy)]
pub struct Panel<'a> {
    pub height: i32,
    /// Rows of this quantity alone.
    pub quantity: Option<Quantity>,
    /// Columns of numbers with intervals; where there are several, each has its name and shape.
    pub ys: &'a [(&'a str, &'a str)],
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

/// What a chart is drawn from.
pub struct Scope<'a> {
    pub chart: &'a Chart<'a>,
    pub trials: &'a [PointTrials],
    pub courses: &'a [PointCourses],
    pub choices: &'a Choices,
}

/// A chart's rows with their curves.
pub struct Scene<'a> {
    pub chart: &'a Chart<'a>,
    pub frame: Frame,
    pub curves: Vec<Curve>,
    panels: Vec<Panel<'a>>,
}

/// Rows that follow each other in the frame.
pub struct Curve {
    pub label: String,
    /// Without the value of the facet.
    name: String,
    style: SeriesStyle,
    pub rows: Range<usize>,
    /// The axes on which its points may differ.
    varying: Vec<String>,
    fit: Option<Fitted>,
    /// Why a fit says nothing.
    vague: Option<String>,
    best: Option<Optimum>,
}

/// What is drawn of a curve and a column.
struct Line<'a> {
    curve: &'a Curve,
    style: SeriesStyle,
    name: String,
    full: Vec<Mark>,
    at_hit: Vec<Vec<Mark>>,
}

/// A curve's colour with the shape and dash of another index.
fn shaped(colour: RGBColor, index: usize) -> SeriesStyle {
    SeriesStyle {
        colour,
        ..SeriesStyle::of(index)
    }
}

impl Chart<'_> {
    /// What most kinds have.
    pub const PLAIN: Self = Self {
        kind: "",
        doc: "",
        lead: "",
        along: Along {
            axes: &["n"],
            group: None,
            least: 2,
            most: usize::MAX,
        },
        x_is_logarithmic: Some(false),
        is_wanted: |_, _| true,
        compares: &[],
        nothing: "",
        facet: None,
        rows: |scope| scope.quantities(),
        panels: &[],
        quantities: &[],
        takes_steps: false,
        draws_courses: false,
        fit: None,
        marks_best: false,
        has_density: false,
        finding: finding_of_fit,
    };

    /// Times against n, with their growth per row.
    pub const GROWTH: Self = Self {
        panels: &[Panel {
            height: 1120,
            room: (0.0, 0.05),
            ..Panel::of(Quantity::AbsorptionTime)
        }],
        quantities: &QUANTITIES,
        fit: Some(Fit::EXPONENTIAL),
        ..Self::PLAIN
    };

    fn x(&self) -> &str {
        self.along.axes[0]
    }

    /// Whether a point has a place across.
    pub fn has_place(&self, point: &PointKey) -> bool {
        let value = point.axes.get(self.x()).map(|value| value.number());
        value.is_some_and(|value| self.x_is_logarithmic != Some(true) || value > 0.0)
    }

    /// Why there is nothing to draw, unless each rule that is compared has a curve.
    fn lacks(&self, has_curve: impl Fn(&dyn Fn(&PointKey) -> bool) -> bool) -> Option<String> {
        let mut rules = self.compares.iter();
        let lacking = rules.find(|rule| !has_curve(&|point| point.algorithm == **rule));
        match lacking {
            None if has_curve(&|_| true) => None,
            None => Some(self.nothing()),
            Some(rule) => Some(self.no_two(&format!(" of the {rule} rule"))),
        }
    }

    fn nothing(&self) -> String {
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

    /// The panels of the quantity that is chosen.
    fn chosen(&self, choices: &Choices) -> Vec<Panel<'_>> {
        let chosen = choices.quantity.as_deref().and_then(Quantity::from_name);
        match chosen.filter(|_| !self.quantities.is_empty()) {
            None => self.panels.to_vec(),
            quantity => vec![Panel {
                quantity,
                ..self.panels[0]
            }],
        }
    }
}

impl Figure for Chart<'static> {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn takes_steps(&self, _: &Choices) -> bool {
        self.takes_steps
    }

    fn draws_courses(&self) -> bool {
        self.draws_courses
    }

    fn keys(&self) -> &'static [&'static str] {
        if self.quantities.is_empty() {
            &[]
        } else {
            &["quantity"]
        }
    }

    fn quantities(&self) -> &'static [&'static str] {
        self.quantities
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let with_series = plan.points.iter().filter(|it| it.has_series);
        let all: Vec<&PointKey> = match self.draws_courses {
            true => with_series.map(|it| &it.point).collect(),
            false => plan.trials().collect(),
        };
        let wanted = || all.iter().copied().filter(|it| (self.is_wanted)(it, &all));
        let lacking = self.lacks(|is_own| {
            let mut points = wanted().filter(|it| is_own(it) && self.has_place(it));
            match self.along.least {
                1 => points.next().is_some(),
                _ => differ_along(points, self.x(), self.along.axes),
            }
        });
        lacking.map_or(Ok(()), |reason| Err(Figure::nothing(self, &reason)))
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        self.drawn(input)
            .map_err(|reason| Figure::nothing(self, &reason))
    }
}

impl Chart<'_> {
    /// # Errors
    /// Why there is nothing to draw.
    pub fn drawn(&self, input: &Input) -> Result<Drawing, String> {
        let choices = input.choices;
        let frame = (self.rows)(&Scope {
            chart: self,
            trials: input.trials,
            courses: input.courses,
            choices,
        })?;
        let scene = Scene::of(self, frame, self.chosen(choices));
        let has_curve = |is_own: &dyn Fn(&PointKey) -> bool| scene.frame.keys.iter().any(is_own);
        if let Some(lacking) = self.lacks(has_curve) {
            return Err(lacking);
        }
        let parts = scene.plots(choices);
        if parts.is_empty() {
            return Err(self.nothing());
        }
        Ok(scene.sheet(parts).draw(input))
    }
}

impl Scope<'_> {
    /// What is measured at each point that has a place.
    pub fn measured<P: Send>(&self, of: impl Fn(&PointTrials) -> Option<P> + Sync) -> Vec<P> {
        let all: Vec<&PointKey> = self.trials.iter().map(|it| &it.point).collect();
        of_each_point(self.trials, |trials| {
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
        points.fastest(&chart.along).in_curves(&chart.along)
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
        let same = |a: &PointKey, b: &PointKey| chart.along.joins(a, b);
        let mut rows = 0;
        let chunks = frame.keys.chunk_by(same);
        let curve = |(index, keys): (usize, &[PointKey])| {
            let varying = varying(keys, chart.along.axes);
            let facet = chart.facet.map(str::to_owned);
            let apart: Vec<String> = varying.iter().cloned().chain(facet).collect();
            rows += keys.len();
            Curve {
                label: label(keys, &varying),
                name: label(keys, &apart),
                style: SeriesStyle::of(index),
                rows: rows - keys.len()..rows,
                varying,
                fit: None,
                vague: None,
                best: None,
            }
        };
        let curves = chunks.enumerate().map(curve).collect();
        let mut scene = Self {
            chart,
            curves,
            frame,
            panels,
        };
        let mut curves = std::mem::take(&mut scene.curves);
        if chart.facet.is_some() {
            let mut names: Vec<String> = curves.iter().map(|it| it.name.clone()).collect();
            names.sort();
            names.dedup();
            for curve in &mut curves {
                let index = names.iter().position(|name| *name == curve.name);
                curve.style = SeriesStyle::of(index.unwrap_or_default());
            }
        }
        for curve in &mut curves {
            scene.fit(curve);
            if chart.marks_best {
                curve.best = scene.best(curve);
            }
        }
        Self { curves, ..scene }
    }

    /// The rows of a curve of this quantity.
    fn rows(&self, curve: &Curve, quantity: Option<Quantity>) -> impl Iterator<Item = usize> {
        let is_own = move |row: &usize| {
            quantity.is_none_or(|it| self.frame.says(*row, "quantity", it.name()))
        };
        curve.rows.clone().filter(is_own)
    }

    /// Place across.
    pub fn at(&self, row: usize) -> f64 {
        self.chart.along.place(&self.frame.keys[row])
    }

    fn is_logarithmic(&self, panel: &Panel) -> bool {
        panel.is_logarithmic.unwrap_or_else(|| {
            let rows = 0..self.frame.keys.len();
            let mut values = rows.filter_map(|row| self.frame.estimate(row, panel.ys[0].0));
            values.all(|it| it.value > 0.0)
        })
    }

    /// Of one column.
    fn marks(
        &self,
        curve: &Curve,
        (panel, y): (&Panel, &str),
        quantity: Option<Quantity>,
    ) -> Vec<Mark> {
        let mark = |row: usize| {
            let estimate = self.frame.estimate(row, y)?;
            let has_place = !self.is_logarithmic(panel) || estimate.value > 0.0;
            has_place.then(|| Mark {
                is_lower_bound: panel.has_bounds
                    && self.frame.means[row].is_some_and(|(_, is_bound)| is_bound),
                row: Some(row),
                ..Mark::with_interval(self.at(row), estimate.value, estimate.interval)
            })
        };
        self.rows(curve, quantity).filter_map(mark).collect()
    }

    /// Stretches of the same quantity at the hit, where it is visibly less.
    fn at_hit(&self, curve: &Curve, panel: &Panel) -> Vec<Vec<Mark>> {
        let Some(quantity) = panel.quantity else {
            return Vec::new();
        };
        let own = self.marks(curve, (panel, "mean"), panel.quantity);
        let at_hit = self.marks(curve, (panel, "mean"), Some(quantity.at_hit()));
        visibly_below(&at_hit, &own)
    }

    /// The values of the facet, each once.
    fn facets(&self) -> Vec<f64> {
        let Some(axis) = self.chart.facet else {
            return Vec::new();
        };
        let keys = self.frame.keys.iter();
        let mut values: Vec<f64> = keys
            .filter_map(|it| Some(it.axes.get(axis)?.number()))
            .collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    fn facet_of(&self, curve: &Curve) -> Option<f64> {
        let key = &self.frame.keys[curve.rows.start];
        Some(key.axes.get(self.chart.facet?)?.number())
    }

    fn plots(&self, choices: &Choices) -> Vec<Plot<'_>> {
        let facets = self.facets();
        let of_facets = facets.iter().map(|&value| (&self.panels[0], Some(value)));
        let panels = self
            .panels
            .iter()
            .skip(facets.len().min(1))
            .map(|it| (it, None));
        let all = of_facets.chain(panels);
        all.filter_map(|(panel, facet)| self.plot(panel, facet, choices))
            .collect()
    }

    /// What is drawn of a curve in a panel.
    fn lines<'s>(&'s self, curve: &'s Curve, panel: &'s Panel) -> impl Iterator<Item = Line<'s>> {
        panel.ys.iter().map(move |&(y, name)| Line {
            curve,
            style: self.style(curve, panel, y),
            name: match name {
                "" => curve.label.clone(),
                name => format!("{}: {name}", curve.label),
            },
            full: self.marks(curve, (panel, y), panel.quantity),
            at_hit: self.at_hit(curve, panel),
        })
    }

    /// Shapes of several columns, or of the facet where all its values are in one panel.
    fn style(&self, curve: &Curve, panel: &Panel, y: &str) -> SeriesStyle {
        let named: Vec<&str> = self.named().map(|(column, _)| column).collect();
        let facet = self.facet_of(curve).filter(|_| !panel.label.is_empty());
        let index = match facet {
            Some(value) => self.facets().iter().position(|it| *it == value),
            None => named.iter().position(|column| *column == y),
        };
        index.map_or(curve.style, |index| shaped(curve.style.colour, index))
    }

    /// Columns with a name.
    fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self
            .panels
            .iter()
            .flat_map(|panel| panel.ys.iter().copied());
        all.filter(|(_, name)| !name.is_empty())
    }

    /// `None` where nothing has a place on the scales.
    fn plot<'s>(
        &'s self,
        panel: &'s Panel,
        facet: Option<f64>,
        choices: &Choices,
    ) -> Option<Plot<'s>> {
        let curves = self.curves.iter();
        let shown = curves.filter(|it| facet.is_none() || self.facet_of(it) == facet);
        let lines: Vec<Line> = shown.flat_map(|it| self.lines(it, panel)).collect();
        let all = || {
            lines
                .iter()
                .flat_map(|it| it.full.iter().chain(it.at_hit.iter().flatten()))
        };
        let (below, above) = panel.room;
        let below = if self.chart.has_density {
            density::SHIFT
        } else {
            below
        };
        let up = if self.is_logarithmic(panel) {
            Span::logarithmic(all().flat_map(Mark::heights))?
        } else {
            all().next()?;
            Span::from_zero(all().flat_map(|mark| [mark.y, mark.high]))
        };
        let up = up.with_room(below, above);
        let height = match choices.width {
            Some(_) if self.panels.len() == 1 => SINGLE_WIDTH * 2 / 3,
            _ => panel.height,
        };
        let titles = (axis_title(self.chart.x()), panel.title());
        let label = facet.zip(self.chart.facet);
        let label = label.map(|(value, axis)| format!("{} = {}", symbol(axis), short(value, 6)));
        let plot = Plot::new(
            height,
            (self.across(choices)?, up),
            titles,
            move |painted| {
                if self.chart.has_density {
                    self.paint_density(painted);
                }
                self.paint_strips(painted, panel);
                let title = at_hit_title(panel.title());
                let thin = Painted {
                    titles: (painted.titles.0, &title),
                    ..*painted
                };
                for line in &lines {
                    self.paint_fit(painted, line.curve);
                    for stretch in &line.at_hit {
                        thin.draw_curve(stretch, line.style, Weight::Thin, &line.name);
                    }
                }
                for line in &lines {
                    painted.draw_curve(&line.full, line.style, Weight::Full, &line.name);
                }
                self.paint_best(painted, panel);
            },
        );
        let plot = plot.labelled(label.unwrap_or_else(|| panel.label.to_owned()));
        Some(if self.chart.has_density {
            plot.with_right_axis()
        } else {
            plot
        })
    }

    fn across(&self, choices: &Choices) -> Option<Span> {
        let x = self.chart.x();
        let values: Vec<f64> = (0..self.frame.keys.len()).map(|row| self.at(row)).collect();
        let is_whole = self.frame.keys.iter().all(|it| it.integer(x).is_some());
        let whole = || values.iter().map(|&value| value as u32);
        let chosen = choices.x_is_logarithmic.or(self.chart.x_is_logarithmic);
        match (is_whole, chosen) {
            _ if values.is_empty() => None,
            (true, None) => Some(Span::sides(whole())),
            (true, Some(false)) => Some(Span::integers(whole())),
            (true, Some(true)) => Span::plain_logarithmic(values),
            (false, Some(false)) => Some(Span::linear(values)),
            (false, None) if values.iter().any(|value| *value <= 0.0) => Some(Span::linear(values)),
            (false, _) => Span::logarithmic(values),
        }
    }

    fn sheet<'s>(&'s self, plots: Vec<Plot<'s>>) -> Sheet<'s> {
        let findings: Vec<String> = self
            .curves
            .iter()
            .filter_map(|curve| (self.chart.finding)(self, curve))
            .chain(self.density_in_words())
            .collect();
        let mut frame = self.frame.clone();
        self.push_density(&mut frame);
        let curves = self.curves.iter();
        curves.for_each(|curve| self.push_fit(&mut frame, curve));
        let mut table = frame.table();
        let said: Vec<String> = self.curves.iter().flat_map(|it| self.in_full(it)).collect();
        table.note_sentences(&said);
        table.note_sentences(&self.density_in_words().into_iter().collect::<Vec<_>>());
        Sheet {
            caption: sentences(
                [&self.lead()[..], &self.explained()]
                    .into_iter()
                    .chain(findings.iter().take(MOST_FINDINGS).map(String::as_str)),
            ),
            findings,
            left_out: LeftOut::but(self.frame.keys.iter().chain(&self.frame.also_shown))
                .with_reasons(&self.frame.left_out),
            parts: Plot::stack(plots),
            legend: self.legend(),
            table,
        }
    }

    /// What is shown, in a sentence.
    fn lead(&self) -> String {
        let lead = self.chart.lead;
        let name = |panel: &Panel| panel.title().trim_end_matches(" (updates)").to_owned();
        match &self.panels[..] {
            _ if self.chart.quantities.is_empty() => lead.to_owned(),
            [one] => capital(&format!("{} {lead}", name(one))),
            [one, other, ..] => capital(&format!(
                "{} (above) and {} (below) {lead}",
                name(one),
                name(other)
            )),
            [] => String::new(),
        }
    }

    /// What bars, thin lines and marks mean.
    fn explained(&self) -> String {
        let parts = [
            (true, "Bars: 95 % intervals"),
            (
                self.has_bounds(),
                "open marks: lower bounds, where trials were cut off",
            ),
            (
                self.has_thin(),
                "thinner: until the first hit, where it differs",
            ),
            (
                self.has_drawn_fit(),
                "thin dashes: the law fitted to the logarithms of the means, each weighted by its sampling error and the scatter about the line (REML)",
            ),
            (
                self.curves.iter().any(|curve| curve.best.is_some()),
                "ring: the least mean time of a sweep; strip: where the best ε lies, with 95 % confidence if the mean time falls and then rises with ε",
            ),
        ];
        let said = parts.into_iter().filter(|it| it.0).map(|it| it.1);
        let said = said.chain(self.frame.warnings.iter().map(String::as_str));
        said.collect::<Vec<_>>().join("; ")
    }

    fn has_bounds(&self) -> bool {
        let mut means = self.frame.means.iter().flatten();
        means.any(|(_, is_bound)| *is_bound)
    }

    fn has_thin(&self) -> bool {
        let on = |panel: &Panel| {
            self.curves
                .iter()
                .any(|it| !self.at_hit(it, panel).is_empty())
        };
        self.panels.iter().any(on)
    }

    /// Names alone.
    fn legend(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let (named, facets) = (self.named(), self.facets());
        let shapes: Vec<String> = match self.chart.facet {
            Some(axis) => {
                let value =
                    |value: &f64| format!("lowest panel: {} = {}", symbol(axis), short(*value, 6));
                facets.iter().map(value).collect()
            }
            None => named.map(|(_, name)| name.to_owned()).collect(),
        };
        for curve in &self.curves {
            let sample = match self.chart.facet {
                None if !shapes.is_empty() => Sample::Strip(curve.style.colour),
                _ => Sample::Curve(curve.style),
            };
            let entry = Entry::new(sample, &curve.name);
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        entries.extend(
            shapes
                .into_iter()
                .enumerate()
                .map(|(index, words)| Entry::new(Sample::Curve(shaped(THEORY, index)), words)),
        );
        entries.extend(self.density_entry());
        entries.extend(self.best_entries());
        if self.has_drawn_fit() {
            entries.push(Entry::new(
                Sample::Dashed(THEORY),
                "thin dashes: fitted law",
            ));
        }
        if self.has_thin() {
            let quantity = self.panels.iter().find_map(|panel| panel.quantity);
            let words = match quantity.map(Quantity::at_hit) {
                Some(Quantity::HittingTime) => "thin: hitting time",
                _ => "thin: moves until the hit",
            };
            entries.push(Entry::new(Sample::Thin, words));
        }
        entries.extend(mean_entries(self.has_bounds()));
        entries
    }
}

/// Findings in a caption; more are in the table's notes.
const MOST_FINDINGS: usize = 4;

/// What can be chosen.
pub const QUANTITIES: [&str; 4] = ["absorption_time", "hitting_time", "moves", "moves_at_hit"];

impl Panel<'_> {
    /// What most panels have.
    pub const PLAIN: Self = Self {
        height: 900,
        quantity: None,
        ys: &[("mean", "")],
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

    fn title(&self) -> &str {
        match self.quantity {
            None => self.title,
            Some(Quantity::AbsorptionTime) => "mean absorption time (updates)",
            Some(Quantity::HittingTime) => "mean hitting time (updates)",
            Some(Quantity::Moves) => "mean number of queen moves",
            Some(Quantity::MovesAtHit) => "mean number of queen moves until the hit",
        }
    }
}

fn at_hit_title(title: &str) -> String {
    if title.contains("absorption") {
        title.replace("absorption", "hitting")
    } else {
        format!("{title} until the first hit")
    }
}

/// Of the axis across.
pub fn axis_title(axis: &str) -> &str {
    match axis {
        "n" => "n, side of the board and number of queens",
        "epsilon" => "ε, probability of a dangerous move",
        "eta" => "η, probability of a random destination",
        other => symbol(other),
    }
}

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.map(String::from_iter).unwrap_or_default() + letters.as_str()
}

/// The axes on which the points of a curve may differ, and do.
fn varying(keys: &[PointKey], along: &[&str]) -> Vec<String> {
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

/// What the points share.
fn label(keys: &[PointKey], varying: &[String]) -> String {
    let apart: Vec<&str> = varying.iter().map(String::as_str).collect();
    let words: Vec<String> = keys.iter().map(|it| in_words(it, &apart)).collect();
    if words.iter().all(|word| *word == words[0]) {
        return words[0].clone();
    }
    let mut names: Vec<&str> = keys.iter().map(|it| it.algorithm.as_str()).collect();
    names.dedup();
    format!("points of {}", names.join(", "))
}
