//! The panels of a chart, painted.

use itertools::Itertools;
use plotters::style::RGBColor;

use super::{Curve, NamedColumn, Panel, Scene};
use crate::analysis::course::relaxation_time;
use crate::report::canvas::Lettering;
use crate::report::figure::{MarkShape, Width};
use crate::report::mark::Mark;
use crate::report::measure::Of;
use crate::report::number::short;
use crate::report::panel::{FULL, PaintedPanel, THIN, WITH_BAND};
use crate::report::scale::Span;
use crate::report::series::value_in_words;
use crate::report::sheet::{Beside, SheetPart};
use crate::report::style::{AXIS_ROOM, SeriesStyle, THEORY, TICK_SIZE};
use crate::solver::{Value, symbol};

/// What is drawn of a curve and a column.
pub(super) struct Line<'a> {
    pub curve: &'a Curve,
    pub style: SeriesStyle,
    pub name: String,
    pub full: Vec<Mark>,
    /// Numbers of 0 on a logarithmic axis, known by the upper ends of their intervals alone.
    zeros: Vec<Mark>,
    /// Values across at which the curve has points that are not drawn: its line ends before them.
    gaps: Vec<f64>,
    at_hit: Vec<Vec<Mark>>,
}

impl Line<'_> {
    /// The marks between which no point of the curve is left out.
    fn stretches(&self) -> impl Iterator<Item = &[Mark]> {
        let is_whole = |a: &Mark, b: &Mark| !self.gaps.iter().any(|x| a.x < *x && *x < b.x);
        self.full.chunk_by(is_whole)
    }

    fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.full.iter().chain(self.at_hit.iter().flatten())
    }
}

/// A curve's colour with the shape and dash of another index.
pub(super) fn shaped(colour: RGBColor, index: usize) -> SeriesStyle {
    SeriesStyle {
        colour,
        ..SeriesStyle::of(index)
    }
}

impl Scene<'_> {
    pub fn plots(&self) -> Vec<SheetPart<'_>> {
        let facets = self.facets();
        let of_facets = facets.iter().map(|&value| (0, Some(value)));
        let others = facets.len().min(1)..self.chart.panels.len();
        let all = of_facets.chain(others.map(|it| (it, None)));
        all.filter_map(|(panel, facet)| self.plot(panel, facet))
            .collect()
    }

    /// What is drawn of a curve in a panel.
    fn lines<'s>(&'s self, curve: &'s Curve, panel: &'s Panel) -> impl Iterator<Item = Line<'s>> {
        panel.columns.iter().map(move |column| Line {
            curve,
            style: self.style(curve, panel, column),
            name: match &*column.name {
                "" => curve.label.clone(),
                name => format!("{}: {name}", curve.label),
            },
            full: self.marks(curve, panel, column),
            zeros: self.zeros(curve, panel, column),
            gaps: self.gaps(curve, panel, column),
            at_hit: self.at_hit(curve, panel),
        })
    }

    /// The numbers of 0 on a logarithmic axis whose intervals have an upper end.
    pub(super) fn zeros(&self, curve: &Curve, panel: &Panel, own: &NamedColumn) -> Vec<Mark> {
        if !self.is_logarithmic(panel) {
            return Vec::new();
        }
        let zero = |row: usize| {
            let estimate = self.frame.estimate(row, &own.y)?;
            let high = estimate.high;
            (estimate.value == 0.0 && high > 0.0 && high.is_finite()).then(|| Mark {
                row: Some(row),
                trials: self.frame.trials(row),
                ..Mark::of(self.at(row), estimate)
            })
        };
        self.rows(curve, &own.only).filter_map(zero).collect()
    }

    /// The values across where points of the curve are left out, or have no mark in the panel.
    fn gaps(&self, curve: &Curve, panel: &Panel, own: &NamedColumn) -> Vec<f64> {
        let of_curve = self.chart.curve_of(&self.frame.keys[curve.rows[0]]);
        let left_out = self.frame.left_out.iter().map(|it| &it.0);
        let left_out = left_out.filter(|point| self.chart.curve_of(point) == of_curve);
        let left_out = left_out.filter_map(|point| self.chart.x_of(point));
        let marks = self.marks(curve, panel, own);
        let rows = self.rows(curve, &own.only);
        let unmarked = rows.filter(|row| !marks.iter().any(|mark| mark.row == Some(*row)));
        left_out.chain(unmarked.map(|row| self.at(row))).collect()
    }

    /// Shapes of several columns, or of the facet where all its values are in one panel.
    fn style(&self, curve: &Curve, panel: &Panel, own: &NamedColumn) -> SeriesStyle {
        let facet = self.facet_of(curve).filter(|_| !panel.label.is_empty());
        let index = match facet {
            Some(value) => self.facets().iter().position(|it| *it == value),
            None => self.named().position(|column| column == own),
        };
        index.map_or(curve.style, |index| shaped(curve.style.colour, index))
    }

    /// Measures with a name.
    pub(super) fn named(&self) -> impl Iterator<Item = &NamedColumn> {
        self.columns().filter(|it| !it.name.is_empty())
    }

    /// An upright axis that holds these lines; `None` where nothing can stand on it.
    fn upwards(&self, panel: &Panel, lines: &[Line]) -> Option<Span> {
        let is_logarithmic = self.is_logarithmic(panel);
        if let Some((low, high)) = panel.look.y_range {
            return Span::between(low, high, is_logarithmic);
        }
        let marks = lines.iter().flat_map(Line::marks);
        let zeros = lines.iter().flat_map(|it| &it.zeros);
        let heights = marks
            .flat_map(Mark::heights)
            .chain(panel.look.level)
            .chain(zeros.map(|it| it.y.high));
        let up = if is_logarithmic {
            // A decade of 1/d is as long as one of the times.
            let densities = self.inverse_density().into_iter().map(|it| it.1);
            Span::logarithmic(heights.chain(densities))?
        } else if panel.is_share {
            Span::shares()
        } else {
            Span::with_zero(heights)
        };
        let (below, above) = panel.look.room;
        Some(up.with_room(below, above))
    }

    /// `None` where nothing can stand on the scales.
    fn plot(&self, index: usize, facet: Option<Value>) -> Option<SheetPart<'_>> {
        let panel = &self.chart.panels[index];
        let is_shown = |it: &&Curve| facet.is_none() || self.facet_of(it) == facet;
        let shown: Vec<&Curve> = self.curves.iter().filter(is_shown).collect();
        let lines: Vec<Line> = shown.iter().flat_map(|it| self.lines(it, panel)).collect();
        lines.iter().flat_map(Line::marks).next()?;
        let shares_y = facet.is_some() && self.chart.choices.shares_y;
        let of_facets = self.curves.iter().filter(|_| shares_y);
        let all: Vec<Line> = of_facets.flat_map(|it| self.lines(it, panel)).collect();
        let up = self.upwards(panel, if shares_y { &all } else { &lines })?;
        let titles = (self.chart.x_title(), &*panel.title);
        let label = facet.zip(self.chart.choices.facet.as_deref());
        let label =
            label.map(|(value, axis)| format!("{} = {}", symbol(axis), value_in_words(value)));
        let label = label.unwrap_or_else(|| panel.label.clone());
        let spans = (self.across()?, up);
        let for_names = match self.chart.choices.width {
            Some(Width::Single) => 0,
            _ => self.room_for_names(),
        };
        let for_density = i32::from(self.chart.choices.has_density) * AXIS_ROOM;
        let beside = match shares_y {
            _ if self.facets().len() < 2 => Beside::Never,
            true => Beside::SharedAxis,
            false => Beside::OwnAxis,
        };
        Some(SheetPart {
            height: panel.height,
            right: for_density.max(for_names),
            beside,
            ..SheetPart::plot(label, spans, titles, move |painted| {
                self.paint(painted, index, (&shown, &lines));
                if for_names > 0 {
                    self.paint_names(painted, &lines);
                }
            })
        })
    }

    fn paint(&self, painted: &PaintedPanel, index: usize, (curves, lines): (&[&Curve], &[Line])) {
        let panel = &self.chart.panels[index];
        let shape = self.chart.choices.mark;
        if self.chart.choices.has_density {
            self.paint_density(painted, self.is_logarithmic(panel));
        }
        if let Some(level) = panel.look.level {
            painted.draw_level(level, THEORY);
        }
        self.paint_known(painted, panel, lines);
        self.paint_strips(painted, panel, curves);
        let title = at_hit_title(&panel.title);
        let thin = PaintedPanel {
            titles: (painted.titles.0, &title),
            ..*painted
        };
        for line in lines {
            if let Some(x) = self.guide(line.curve) {
                painted.draw_upright(x, line.style.colour);
            }
            self.paint_fit(painted, index, line.curve);
            for stretch in &line.at_hit {
                thin.draw_curve(stretch, line.style, THIN, &line.name);
            }
            if shape == MarkShape::Band {
                painted.draw_band(&line.full, line.style);
            }
        }
        for (line, index) in lines.iter().zip(0..) {
            let Line { style, name, .. } = line;
            // Those of one x side by side, without a line.
            let aside = |weight, units: i32| {
                let aside = units * (2 * index + 1 - lines.len() as i32);
                for mark in &line.full {
                    painted.draw_curve(&[Mark { aside, ..*mark }], *style, weight, name);
                }
            };
            match shape {
                MarkShape::Points => aside(FULL, 10),
                MarkShape::Dots => aside(THIN, 3),
                MarkShape::Band => painted.draw_curve(&line.full, *style, WITH_BAND, name),
                MarkShape::Bars => painted.draw_bars(&line.full, *style, name),
                _ => {
                    for stretch in line.stretches() {
                        painted.draw_curve(stretch, *style, FULL, name);
                    }
                }
            }
            for zero in &line.zeros {
                painted.draw_zero(zero, *style, name);
            }
        }
        self.paint_best(painted, panel, curves);
        self.paint_axis_of_function(painted);
    }

    /// Writes the values of an axis at the upper edge, where a function of it stands across.
    fn paint_axis_of_function(&self, painted: &PaintedPanel) {
        let Some(axis) = self.chart.derived.map(|_| self.chart.x()) else {
            return;
        };
        let rows = self.curves.iter().flat_map(|it| &it.rows);
        let value = |&row: &usize| {
            let value = self.frame.keys[row].axes.get(axis)?;
            Some((painted.x.pixel(self.at(row)), value.number()))
        };
        let values = rows
            .filter_map(value)
            .sorted_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let values: Vec<(i32, f64)> = values.dedup().collect();
        for (index, same) in values.chunk_by(|a, b| a.0 == b.0).enumerate() {
            let numbers = same.iter().map(|it| short(it.1, 6)).join(", ");
            let text = match index {
                0 => format!("{} = {numbers}", symbol(axis)),
                _ => numbers,
            };
            let spot = (same[0].0, painted.frame.top + TICK_SIZE);
            painted.canvas.text(&text, spot, Lettering::TICK);
        }
    }

    /// The relaxation time of the signals, which stands in a series.
    pub(super) fn guide(&self, curve: &Curve) -> Option<f64> {
        let is_series = self.chart.table.of == Of::Series && self.chart.across.is_some();
        is_series.then(|| relaxation_time(&self.frame.keys[curve.rows[0]]))?
    }

    pub(super) fn across(&self) -> Option<Span> {
        let x = self.chart.x();
        let rows = self.curves.iter().flat_map(|it| it.rows.iter().copied());
        let is_drawn = |&row: &usize| {
            let mut columns = self.columns();
            columns.any(|it| self.frame.estimate(row, &it.y).is_some())
        };
        let rows: Vec<usize> = rows.filter(is_drawn).collect();
        let guides = self.curves.iter().filter_map(|curve| self.guide(curve));
        let values: Vec<f64> = rows.iter().map(|&row| self.at(row)).chain(guides).collect();
        let is_whole = rows.iter().all(|&row| match self.chart.across {
            Some((column, _)) => self.frame.count(row, column).is_some(),
            None => self.chart.derived.is_none() && self.frame.keys[row].integer(x).is_some(),
        });
        let chosen = self.chart.choices.x_is_logarithmic;
        match (is_whole, chosen) {
            _ if values.is_empty() => None,
            (true, None) => Some(Span::sides(values)),
            (true, Some(false)) => Some(Span::integers(values)),
            (true, Some(true)) if x == "n" => Span::plain_logarithmic(values),
            // A time begins at 0.
            (false, Some(false)) if self.chart.across.is_some() => Some(Span::with_zero(values)),
            (false, Some(false)) => Some(Span::linear(values)),
            (false, None) if values.iter().any(|value| *value <= 0.0) => Some(Span::linear(values)),
            (_, _) => Span::logarithmic(values),
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
