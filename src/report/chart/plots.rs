//! The panels of a chart, painted.

use plotters::style::RGBColor;

use super::fit::{PARTS, row_or};
use super::{Curve, Panel, Scene, density};
use crate::experiment::spec::{Choices, Law, MarkShape};
use crate::report::canvas::Spot;
use crate::report::number::short;
use crate::report::panel::{FULL, Mark, Panel as Painted, THIN};
use crate::report::scale::{Span, extent};
use crate::report::sheet::Part;
use crate::report::style::{AXIS_ROOM, SINGLE_WIDTH, SeriesStyle, THEORY};
use crate::solver::symbol;

/// What is drawn of a curve and a column.
struct Line<'a> {
    curve: &'a Curve,
    style: SeriesStyle,
    name: String,
    full: Vec<Mark>,
    at_hit: Vec<Vec<Mark>>,
}

/// A curve's colour with the shape and dash of another index.
pub(super) fn shaped(colour: RGBColor, index: usize) -> SeriesStyle {
    SeriesStyle {
        colour,
        ..SeriesStyle::of(index)
    }
}

impl Scene<'_> {
    pub fn plots(&self, choices: &Choices) -> Vec<Part<'_>> {
        let facets = self.facets();
        let of_facets = facets.iter().map(|&value| (0, Some(value)));
        let others = facets.len().min(1)..self.chart.panels.len();
        let all = of_facets.chain(others.map(|it| (it, None)));
        all.filter_map(|(panel, facet)| self.plot(panel, facet, choices))
            .collect()
    }

    /// What is drawn of a curve in a panel.
    fn lines<'s>(&'s self, curve: &'s Curve, panel: &'s Panel) -> impl Iterator<Item = Line<'s>> {
        panel.ys().into_iter().map(move |(y, name)| Line {
            curve,
            style: self.style(curve, panel, y),
            name: match name {
                "" => curve.label.clone(),
                name => format!("{}: {name}", curve.label),
            },
            full: self.marks(curve, (panel, y), &panel.only),
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
    pub(super) fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        let panels = self.chart.panels.iter();
        panels.flat_map(|panel| panel.named.iter().map(|(y, name)| (&**y, &**name)))
    }

    /// `None` where nothing has a place on the scales.
    fn plot<'s>(&'s self, index: usize, facet: Option<f64>, choices: &Choices) -> Option<Part<'s>> {
        let panel = &self.chart.panels[index];
        let curves = self.curves.iter();
        let shown = curves.filter(|it| facet.is_none() || self.facet_of(it) == facet);
        let shown: Vec<&Curve> = shown.collect();
        let lines = shown.iter().flat_map(|it| self.lines(it, panel));
        let lines: Vec<Line> = lines.collect();
        let all = || {
            lines
                .iter()
                .flat_map(|it| it.full.iter().chain(it.at_hit.iter().flatten()))
        };
        let (below, above) = panel.room;
        let below = if self.chart.choices.has_density {
            density::SHIFT
        } else {
            below
        };
        let heights = || all().flat_map(Mark::heights).chain(panel.level);
        all().next()?;
        let up = if self.is_logarithmic(panel) {
            Span::logarithmic(heights())?
        } else {
            Span::from_zero(heights())
        };
        let up = up.with_room(below, above);
        let height = match choices.width {
            Some(_) if self.chart.panels.len() == 1 => SINGLE_WIDTH * 2 / 3,
            _ => panel.height,
        };
        let titles = (self.chart.x_title(), &*panel.title);
        let label = facet.zip(self.chart.choices.facet.as_deref());
        let label = label.map(|(value, axis)| format!("{} = {}", symbol(axis), short(value, 6)));
        let label = label.unwrap_or_else(|| panel.label.clone());
        let spans = (self.across()?, up);
        Some(Part {
            height,
            right: if self.chart.choices.has_density {
                AXIS_ROOM
            } else {
                0
            },
            ..Part::plot(label, spans, titles, move |painted| {
                self.paint(painted, index, (&shown, &lines));
            })
        })
    }

    fn paint(&self, painted: &Painted, index: usize, (curves, lines): (&[&Curve], &[Line])) {
        let panel = &self.chart.panels[index];
        let shape = self.chart.choices.mark;
        if self.chart.choices.has_density {
            self.paint_density(painted);
        }
        if let Some(level) = panel.level {
            painted.draw_level(level, THEORY);
        }
        self.paint_known(painted, lines);
        self.paint_strips(painted, panel, curves);
        let title = at_hit_title(&panel.title);
        let thin = Painted {
            titles: (painted.titles.0, &title),
            ..*painted
        };
        for line in lines {
            if let Some(place) = self.guide(line.curve) {
                painted.draw_upright(place, line.style.colour);
            }
            self.paint_fit(painted, index, line.curve);
            for stretch in &line.at_hit {
                thin.draw_curve(stretch, line.style, (THIN, 1), &line.name);
            }
            if shape == MarkShape::Band {
                painted.draw_band(&line.full, line.style);
            }
        }
        for (line, index) in lines.iter().zip(0..) {
            let Line { style, name, .. } = line;
            // Those of one place side by side, without a line.
            let aside = |weight, units: i32| {
                let aside = units * (2 * index + 1 - lines.len() as i32);
                for mark in &line.full {
                    painted.draw_curve(&[Mark { aside, ..*mark }], *style, (weight, 1), name);
                }
            };
            match shape {
                MarkShape::Points => aside(FULL, 10),
                MarkShape::Dots => aside(THIN, 3),
                MarkShape::Band => painted.draw_curve(&line.full, *style, (FULL, 5), name),
                _ => painted.draw_curve(&line.full, *style, (FULL, 1), name),
            }
        }
        self.paint_best(painted, panel, curves);
    }

    /// The line of known growth through the first mark of the first curve, as far as it stays
    /// within the frame.
    fn paint_known(&self, painted: &Painted, lines: &[Line]) {
        let marks = || lines.iter().flat_map(|it| &it.full);
        let Some((law, start)) = self.chart.choices.guide.zip(marks().next()) else {
            return;
        };
        let (least, greatest) = extent(marks().map(|it| it.x));
        let spot = |part: u32| {
            let share = f64::from(part) / f64::from(PARTS);
            let (x, y) = match law {
                (Law::Power, power) => {
                    let x = least * libm::pow(greatest / least, share);
                    (x, start.y * libm::pow(x / start.x, power))
                }
                (Law::Exponential, factor) => {
                    let x = least + (greatest - least) * share;
                    (x, start.y * libm::pow(factor, x - start.x))
                }
            };
            let is_within = x.is_finite() && painted.y.holds(y);
            is_within.then(|| (painted.x.pixel(x), painted.y.pixel(y)))
        };
        let spots: Vec<Spot> = (0..=PARTS).filter_map(spot).collect();
        painted.canvas.fine_line(&spots, THEORY);
    }

    /// The line of known growth in words.
    pub(super) fn known_in_words(&self) -> Option<String> {
        let (law, number) = self.chart.choices.guide?;
        let sign = if number < 0.0 { "−" } else { "" };
        let (x, number) = (symbol(self.chart.x()), short(number.abs(), 4));
        Some(match law {
            Law::Power => format!("dashes: ∝ {x}^{sign}{number}"),
            Law::Exponential => format!("dashes: × {number} per {}", row_or(x)),
        })
    }

    fn guide(&self, curve: &Curve) -> Option<f64> {
        self.chart.table.upright?(&self.frame.keys[curve.rows[0]])
    }

    pub(super) fn across(&self) -> Option<Span> {
        let x = self.chart.x();
        let rows = self.curves.iter().flat_map(|it| it.rows.iter().copied());
        let rows: Vec<usize> = rows.collect();
        let guides = self.curves.iter().filter_map(|curve| self.guide(curve));
        let values = rows.iter().map(|&row| self.at(row)).chain(guides);
        let values: Vec<f64> = values.collect();
        let is_whole = rows.iter().all(|&row| match self.chart.across {
            Some((column, _)) => self.frame.counts(row, column),
            None => self.frame.keys[row].integer(x).is_some(),
        });
        let chosen = self.chart.choices.x_is_logarithmic;
        match (is_whole, chosen) {
            _ if values.is_empty() => None,
            (true, None) => Some(Span::sides(values)),
            (true, Some(false)) => Some(Span::integers(values)),
            (true, Some(true)) if x == "n" => Span::plain_logarithmic(values),
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
