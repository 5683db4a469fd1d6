//! What lies in a panel, from the lowest layer on: what studies draw, what is under each curve, the
//! curves, the best x, reference marks, names. Here are the order of painting, from how many curves
//! on they have their names beside them (5), up to how many curves the best x has a line and a
//! strip (3), and the words of thin lines until the hit and of bands.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::analysis::quantity::Quantity;
use crate::report::axes::Layer;
use crate::report::curves::fits::drawn_fit;
use crate::report::curves::{Curves, Group, studies};
use crate::report::figure::Panel;
use crate::report::keys::{MarkShape, Width};
use crate::report::marks::mark::{Aside, Mark};
use crate::report::marks::{
    Band, Bars, Best, Curve, FittedLaw, Line, Names, Reference, ReferenceLine, boxed, room,
};
use crate::report::measures::measure::ShownMeasure;
use crate::report::words::points::visibly_below;
use crate::solver::symbol;
use crate::theme::SeriesStyle;

/// The number of curves from which on a panel has their names beside them.
const MANY: usize = 5;
/// The most curves of a panel with lines and strips for the best x: more would cover the points.
const MOST_STRIPS: usize = 3;

pub type Layers = Vec<Box<dyn Layer>>;

impl Curves<'_> {
    /// The curves of a panel, with all their marks.
    pub fn of_panel(&self, panel: &Panel) -> Vec<Curve> {
        let groups = 0..self.groups.len();
        let shown = groups.cartesian_product(&panel.columns);
        let curves = shown.map(|(group, measure)| self.curve(panel, group, measure));
        curves.collect()
    }

    /// The curve of a measure of the group of this index.
    fn curve(&self, panel: &Panel, index: usize, shown: &ShownMeasure) -> Curve {
        let group = &self.groups[index];
        let marks = self.marks(&group.rows, &shown.column);
        let place = self.place_of_name(shown);
        let of_measure = place.map_or_else(String::new, |_| format!(": {}", shown.name));

        // Where the curve has a point, but not this number of it, no line goes past.
        let drawn: BTreeSet<u64> = marks.iter().map(|mark| mark.x.to_bits()).collect();
        let all_x = group.rows.iter().map(|&row| self.at(row));
        let mut gaps = group.gaps.clone();
        gaps.extend(all_x.filter(|x| !drawn.contains(&x.to_bits())));

        let is_like = |other: &Group| other.name == group.name && other.style == group.style;
        let point = |mark: &Mark| {
            let key = &self.table.keys[mark.row];
            (mark.row, self.table.digits.describe(key) + &of_measure)
        };
        let has_points = self.figure.spec.has_column_across();
        let style = match place {
            Some(place) => SeriesStyle::of(place).in_colour(group.style.colour),
            None => group.style,
        };
        Curve {
            points: marks.iter().filter(|_| has_points).map(point).collect(),
            group: index,
            order: self.groups.iter().position(is_like).unwrap_or(index),
            label: format!("{}{of_measure}", group.label),
            title: panel.title.clone(),
            name: group.name.clone(),
            measure: place.map(|place| (place, shown.name.clone())),
            style,
            is_named: false,
            gaps,
            zeros: Vec::new(),
            beyond: Vec::new(),
            marks,
        }
    }

    /// The place of a measure among those that the legend names, if it does.
    fn place_of_name(&self, shown: &ShownMeasure) -> Option<usize> {
        if shown.name.is_empty() {
            return None;
        }
        let named = self
            .figure
            .curves()
            .filter(|measure| !measure.name.is_empty());
        let mut columns = named.map(|measure| &measure.column).unique();
        columns.position(|column| *column == shown.column)
    }

    /// The layers of a panel of these curves; `None` without a mark.
    pub fn layers(&self, index: usize, curves: Vec<Curve>, is_logarithmic: bool) -> Option<Layers> {
        let spec = self.figure.spec;
        if curves.iter().all(|curve| curve.marks.is_empty()) {
            return None;
        }
        let mut layers: Layers = Vec::new();
        for study in studies::ALL {
            layers.extend(study.under_all(self, is_logarithmic));
        }
        for curve in &curves {
            layers.extend(self.under(curve, index, is_logarithmic));
        }

        let names = self.names(&curves);
        let bests = match spec.marks_best {
            true => self.bests(&self.figure.panels[index], &curves),
            false => Layers::new(),
        };
        let count = curves.len() as i32;
        for (mut curve, place) in curves.into_iter().zip(0..) {
            curve.is_named = names.is_some();
            layers.extend(self.main(curve, [2 * place + 1 - count, count - 1]));
        }

        layers.extend(bests);
        layers.extend(self.references(is_logarithmic));
        for study in studies::ALL {
            layers.extend(study.over(self));
        }
        layers.extend(names);
        Some(layers)
    }

    /// What lies under all curves: what studies draw of the group, the fit, the same curve until
    /// the hit where it is visibly less, the band.
    fn under(&self, curve: &Curve, index: usize, is_logarithmic: bool) -> Layers {
        let panel = &self.figure.panels[index];
        let group = &self.groups[curve.group];
        let colour = curve.style.colour;
        let mut layers: Layers = Vec::new();
        for study in studies::ALL {
            layers.extend(study.under(self, group));
        }
        if let Some(fitted) = drawn_fit(group, index) {
            layers.push(boxed(FittedLaw {
                fitted: fitted.clone(),
                colour,
                words: self.fit_in_words(curve.group, index, fitted),
            }));
        }
        layers.extend(self.until_hit(curve, panel, is_logarithmic).map(boxed));
        layers.extend(self.band_between(curve, panel).map(boxed));
        if self.figure.spec.mark == MarkShape::Band {
            layers.push(boxed(Band {
                marks: curve.marks.clone(),
                colour,
                words: None,
            }));
        }
        layers
    }

    /// A thin line for the time or the moves until the first solution, where they are visibly less.
    fn until_hit(&self, curve: &Curve, panel: &Panel, is_logarithmic: bool) -> Option<Line> {
        let summary = panel.at_hit()?;
        let group = &self.groups[curve.group];
        let mut at_hit = self.marks(&group.rows, &summary.to_string());
        at_hit.retain(|mark| !is_logarithmic || mark.y.value > 0.0);
        let stretches = visibly_below(&at_hit, &curve.marks);
        if stretches.is_empty() {
            return None;
        }

        let title = if panel.title.contains("absorption") {
            panel.title.replace("absorption", "hitting")
        } else {
            format!("{} until the first hit", panel.title)
        };
        let event = match &*summary.formula.column {
            "hitting_time" => "hitting time",
            _ => "moves until the first solution",
        };
        Some(Line {
            curve: Curve {
                title,
                zeros: Vec::new(),
                ..curve.clone()
            },
            stretches,
            mark: MarkShape::Line,
            until: Some((event, summary.statistic.before())),
        })
    }

    /// What lies between the two measures of a panel's band, where the first curve of a group has
    /// a mark.
    pub fn band_between(&self, curve: &Curve, panel: &Panel) -> Option<Band> {
        let [low, high] = panel.band.as_ref()?;
        let is_first = match &curve.measure {
            Some((place, _)) => self.place_of_name(&panel.columns[0]) == Some(*place),
            None => true,
        };
        let between = |mark: &Mark| {
            let low = self.table.estimate(mark.row, &low.column)?;
            let high = self.table.estimate(mark.row, &high.column)?;
            // A quantile that is itself a bound is no end.
            let end = if high.is_bound {
                f64::INFINITY
            } else {
                high.value
            };
            let y = Estimate::within(mark.y.value, [low.value, end]);
            Some(Mark { y, ..*mark })
        };
        let marks = curve.marks.iter().filter_map(between).collect_vec();
        (is_first && !marks.is_empty()).then(|| Band {
            marks,
            colour: curve.style.colour,
            words: Some(format!("band: from {} to {}", low.name, high.name)),
        })
    }

    /// The curve itself, if anything of it can be drawn; marks of one x are drawn side by side,
    /// this one at this place, from −`last` to `last`.
    fn main(&self, curve: Curve, [place, last]: [i32; 2]) -> Option<Box<dyn Layer>> {
        if curve.marks.is_empty() && curve.zeros.is_empty() {
            return None;
        }
        let aside = |units: i32| {
            let aside = Aside {
                offset: units * place,
                reach: units * last,
            };
            let marks = curve.marks.iter();
            marks.map(|mark| vec![Mark { aside, ..*mark }]).collect()
        };
        let mark = self.figure.spec.mark;
        let kind = mark.kind();
        let stretches = match kind.aside {
            _ if mark == MarkShape::Bars => {
                let edge = |row, name| self.table.number(row, name).unwrap_or_default();
                let bin = |mark: &Mark| ["from", "to"].map(|name| edge(mark.row, name));
                let bins = curve.marks.iter().map(bin).collect();
                return Some(boxed(Bars { curve, bins }));
            }
            _ if self.figure.spec.has_column_across() => aside(0),
            Some(units) => aside(units),
            None if kind.goes_past_gaps => vec![curve.line()],
            None => curve.stretches(),
        };
        Some(boxed(Line {
            curve,
            stretches,
            mark,
            until: None,
        }))
    }

    /// Reference marks and lines.
    fn references(&self, is_logarithmic: bool) -> Layers {
        let mut layers: Layers = Vec::new();
        for (index, rule) in self.figure.spec.rules.iter().enumerate() {
            let text = rule.text.clone();
            let layer = match (rule.x, &rule.y) {
                (_, Some(formula)) => {
                    let points = self.rule_points(formula).into_iter();
                    let points = points.filter(|point| !is_logarithmic || point.y > 0.0);
                    boxed(ReferenceLine {
                        points: points.map(|point| (point.x, point.y)).collect(),
                        text,
                        index,
                    })
                }
                (Some(x), None) => boxed(Reference {
                    x,
                    text,
                    symbol: self.figure.symbol().to_owned(),
                    index,
                }),
                (None, None) => continue,
            };
            layers.push(layer);
        }
        layers
    }

    /// The best x of each group.
    fn bests(&self, panel: &Panel, curves: &[Curve]) -> Layers {
        let shows_time = panel.quantity == Some(Quantity::AbsorptionTime);
        let firsts = curves.iter().step_by(panel.columns.len());
        let is_few = firsts.len() <= MOST_STRIPS;
        let best = |(index, curve): (usize, &Curve)| {
            let group = &self.groups[curve.group];
            let name = self.figure.curve_of(self.key(group));
            let best = self.table.best.iter().find(|(curve, _)| *curve == name);
            let complete = curve
                .marks
                .iter()
                .filter(|mark| shows_time && mark.y.log_variance().is_some() && !mark.y.is_bound);
            let least = complete.min_by(|a, b| a.y.value.total_cmp(&b.y.value));
            boxed(Best {
                x: best.filter(|_| is_few).map(|(_, x)| *x),
                least: least.copied(),
                colour: group.style.colour,
                index,
                symbol: symbol(self.figure.x()).to_owned(),
                of: self.of_group(group),
            })
        };
        firsts.enumerate().map(best).collect()
    }

    /// The names of curves beside them, where a panel has five or more and all are short; else the
    /// legend tells them apart.
    fn names(&self, curves: &[Curve]) -> Option<Box<dyn Layer>> {
        let spec = self.figure.spec;
        let has_room = spec.width != Some(Width::Single)
            && spec.mark == MarkShape::Line
            && spec.facet.is_none()
            && !spec.has_density;
        if curves.len() < MANY || !has_room {
            return None;
        }

        let of_measures = self.figure.curves().map(|curve| curve.name.clone());
        let mut names: Vec<String> = of_measures.filter(|name| !name.is_empty()).collect();
        let mut all = String::new();
        if names.is_empty() {
            let groups = self.groups.iter();
            names = groups.map(|group| self.short_name(group)).collect();
            all = self.words_of(&self.groups[0], true);
        }
        let room = room(names.iter())?;

        let end = |curve: &Curve| {
            let name = match &curve.measure {
                Some((_, name)) => name.clone(),
                None => self.short_name(&self.groups[curve.group]),
            };
            Some((curve.marks.last()?.y.value, name, curve.style))
        };
        let ends = curves.iter().filter_map(end).collect();
        Some(boxed(Names { ends, all, room }))
    }
}
