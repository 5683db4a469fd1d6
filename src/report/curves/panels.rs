//! What stands in each panel: its layers, from the lowest on, and its axes. Only here is asked
//! whether an upright axis is logarithmic.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::analysis::course::relaxation_time;
use crate::analysis::estimate::Estimate;
use crate::analysis::quantity::Quantity;
use crate::report::axes::Layer;
use crate::report::axes::scale::Span;
use crate::report::curves::fits::drawn_fit;
use crate::report::curves::{Curves, Group};
use crate::report::figure::Panel;
use crate::report::keys::{MarkShape, Width};
use crate::report::marks::mark::{Aside, Mark};
use crate::report::marks::{
    Band, Bars, Best, Curve, Density, Fitted, FittedLaw, Line, Names, Reference, UpperAxis,
    Upright, boxed, room,
};
use crate::report::measures::measure::{RowsOf, ShownMeasure};
use crate::report::out::sheet::{Grid, Plot};
use crate::report::words::number::short;
use crate::report::words::points::visibly_below;
use crate::solver::symbol;
use crate::theme::SeriesStyle;

/// The number of curves from which on a panel has their names beside them.
const MANY: usize = 5;
/// The most curves of a panel with lines and strips for the best x: more would cover the points.
const MOST_STRIPS: usize = 3;

/// The margin above what a panel shows, in lengths of its axis.
const ABOVE: f64 = 0.05;

type Layers = Vec<Box<dyn Layer>>;

/// The facets, each with its measures, or maps; none where nothing can stand on the axes.
pub fn panels(curves: &Curves) -> Grid {
    let figure = curves.figure;
    let facets = curves.facets();
    if figure.spec.mark == MarkShape::Tile {
        return curves.maps();
    }
    let has_facets = facets.len() > 1;
    let is_alone = figure.panels.len() == 1;
    let mut grid = Grid {
        shares_y: has_facets && is_alone,
        ..Grid::default()
    };
    let facets = facets.into_iter().map(Some);
    let facets: Vec<_> = facets.pad_using(1, |_| None).collect();
    let mut cells: Vec<(usize, usize, Layers, Span)> = Vec::new();
    let heights = |layers: &Layers| {
        layers
            .iter()
            .flat_map(|layer| layer.heights())
            .collect_vec()
    };
    for (index, panel) in figure.panels.iter().enumerate() {
        let mut shown = curves.of_panel(panel);
        let is_logarithmic = curves.is_logarithmic(panel, &shown);
        for curve in &mut shown {
            // Bars beyond the axis are drawn as far as the frame.
            let is_bar = figure.spec.mark == MarkShape::Bars;
            let marks = curve.marks.iter();
            let marks = marks.map(|mark| (mark.row, is_bar || panel.holds(false, mark.y.value)));
            grid.marks.extend(marks);
            if !is_bar {
                curve.hold(panel, is_logarithmic, figure.across.is_some());
            }
        }
        let of_facet = |(place, facet): (usize, &Option<String>)| {
            let mut own = shown.clone();
            own.retain(|curve| facet.is_none() || curves.groups[curve.group].facet == *facet);
            Some((place, curves.layers(index, &own, is_logarithmic)?))
        };
        let layers: Vec<_> = facets.iter().enumerate().filter_map(of_facet).collect();
        let all = layers
            .iter()
            .flat_map(|layer| heights(&layer.1))
            .collect_vec();
        for (place, layers) in layers {
            let heights = if is_alone {
                all.clone()
            } else {
                heights(&layers)
            };
            let y = curves.upwards(panel, is_logarithmic, heights);
            cells.extend(y.map(|y| (place, index, layers, y)));
        }
    }
    // Stable: the measures of a facet beside each other.
    cells.sort_by_key(|cell| cell.0);
    let across = cells.iter().flat_map(|cell| &cell.2);
    let Some(x) = curves.across(across.flat_map(|layer| layer.across()).collect()) else {
        return grid;
    };
    let mut last = None;
    let height = if is_alone { 1000 } else { 640 };
    for (place, index, layers, y) in cells {
        let panel = &figure.panels[index];
        let plot = Plot {
            label: curves.label(&facets[place], panel),
            titles: [figure.x_title().to_owned(), panel.title.clone()],
            height: panel.spec.height.unwrap_or(height),
            layers,
            x: x.clone(),
            y,
            intervals: figure.intervals(),
        };
        let is_beside = has_facets && (is_alone || last == Some(place));
        last = Some(place);
        match grid.blocks.last_mut().filter(|_| is_beside) {
            Some(block) => block.push(plot),
            None => grid.blocks.push(vec![plot]),
        }
    }
    grid
}

impl Curves<'_> {
    pub fn is_logarithmic(&self, panel: &Panel, shown: &[Curve]) -> bool {
        let mut columns = panel.columns.iter();
        let is_share = columns.all(ShownMeasure::is_share_of_trials);
        let wanted = panel.spec.is_logarithmic.or(is_share.then_some(false));
        wanted.unwrap_or_else(|| {
            let mut marks = shown.iter().flat_map(|curve| &curve.marks);
            let has_zero = panel.spec.y_range.is_some_and(|y_range| y_range.0 <= 0.0);
            !has_zero && marks.all(|mark| mark.y.value > 0.0 && mark.y.low >= 0.0)
        })
    }

    /// An upright axis that holds these heights; `None` where nothing can stand on it.
    fn upwards(&self, panel: &Panel, is_logarithmic: bool, heights: Vec<f64>) -> Option<Span> {
        if let Some((low, high)) = panel.spec.y_range {
            return Span::between(low, high, is_logarithmic);
        }
        let up = if is_logarithmic {
            Span::logarithmic(heights)?
        } else {
            Span::with_zero(heights)
        };
        // Room for the strips that show the best ε.
        let below = if self.figure.spec.marks_best {
            0.08
        } else {
            0.0
        };
        let up = up.with_room(below, ABOVE);
        let are_shares = panel.columns.iter().all(|column| column.is_share);
        Some(if are_shares { up.up_to(1.0) } else { up })
    }

    fn label(&self, facet: &Option<String>, panel: &Panel) -> String {
        let others = self.figure.panels.len() > 1 || facet.is_none();
        let label = Some(&panel.label).filter(|label| others && !label.is_empty());
        facet.iter().chain(label).join(", ")
    }

    /// True if all values across are whole numbers.
    fn has_whole_x(&self) -> bool {
        let x = self.figure.x();
        let mut rows = self.groups.iter().flat_map(|group| &group.rows);
        rows.all(|&row| match &self.figure.across {
            Some(_) => self.table.count(row, &self.figure.spec.x).is_some(),
            None => self.figure.derived.is_none() && self.table.keys[row].integer(x).is_some(),
        })
    }

    /// True if the axis across is logarithmic, for whole numbers where the figure says so.
    pub fn x_is_logarithmic(&self, curves: &[Curve]) -> bool {
        let marks = || curves.iter().flat_map(|curve| &curve.marks);
        let by_default = || !self.has_whole_x() && marks().all(|mark| mark.x > 0.0);
        let given = self.figure.spec.x_is_logarithmic;
        given.unwrap_or_else(by_default)
    }

    /// The axis of these values; `None` without any.
    fn across(&self, values: Vec<f64>) -> Option<Span> {
        if let Some((low, high)) = self.figure.spec.x_range {
            let is_logarithmic = self.figure.spec.x_is_logarithmic == Some(true);
            return Span::between(low, high, is_logarithmic);
        }
        let x = self.figure.x();
        match (self.has_whole_x(), self.figure.spec.x_is_logarithmic) {
            _ if values.is_empty() => None,
            (true, None) => Some(Span::sides(values)),
            (true, Some(false)) => Some(Span::integers(values)),
            (true, Some(true)) if x == "n" => Span::plain_logarithmic(values),
            // A time begins at 0.
            (false, Some(false)) if self.figure.across.is_some() => Some(Span::with_zero(values)),
            (false, Some(false)) => Some(Span::linear(values)),
            (false, None) if values.iter().any(|value| *value <= 0.0) => Some(Span::linear(values)),
            (_, _) => Span::logarithmic(values),
        }
    }

    /// The curves of a panel, with all their marks.
    pub fn of_panel(&self, panel: &Panel) -> Vec<Curve> {
        let named = self.figure.curves().filter(|curve| !curve.name.is_empty());
        let named: Vec<&String> = named.map(|measure| &measure.column).unique().collect();
        let groups = self.groups.iter().enumerate();
        let shown = groups.cartesian_product(&panel.columns);
        let curve = |((index, group), column): ((usize, &Group), &ShownMeasure)| {
            let marks = self.marks(&group.rows, &column.column);
            let measure = named.iter().position(|name| **name == column.column);
            let measure = measure.filter(|_| !column.name.is_empty());
            let is_like = |other: &Group| other.name == group.name && other.style == group.style;
            // Where the curve has a point, but not this number of it, no line goes past.
            let drawn: BTreeSet<u64> = marks.iter().map(|mark| mark.x.to_bits()).collect();
            let all = group.rows.iter().map(|&row| self.at(row));
            let mut gaps = group.gaps.clone();
            gaps.extend(all.filter(|x| !drawn.contains(&x.to_bits())));
            let of = measure.map_or_else(String::new, |_| format!(": {}", column.name));
            let point = |mark: &Mark| {
                (
                    mark.row,
                    self.table.digits.describe(&self.table.keys[mark.row]) + &of,
                )
            };
            let has_points = self.figure.spec.has_column_across();
            Curve {
                points: marks.iter().filter(|_| has_points).map(point).collect(),
                group: index,
                order: self.groups.iter().position(is_like).unwrap_or(index),
                label: format!("{}{of}", group.label),
                title: panel.title.clone(),
                name: group.name.clone(),
                measure: measure.map(|index| (index, column.name.clone())),
                style: measure.map_or(group.style, |index| {
                    SeriesStyle::of(index).in_colour(group.style.colour)
                }),
                is_named: false,
                gaps,
                zeros: Vec::new(),
                beyond: Vec::new(),
                marks,
            }
        };
        shown.map(curve).collect()
    }

    /// The layers of a panel of these curves; `None` without a mark.
    fn layers(&self, index: usize, curves: &[Curve], is_logarithmic: bool) -> Option<Layers> {
        let figure = self.figure;
        let panel = &self.figure.panels[index];
        if curves.iter().all(|curve| curve.marks.is_empty()) {
            return None;
        }
        let mut layers: Layers = Vec::new();
        if figure.spec.has_density {
            let known = self.inverse_densities();
            let below = self.table.height();
            layers.push(Box::new(Density::of(&known, below, !is_logarithmic)));
        }
        for curve in curves {
            layers.extend(self.under(curve, index, is_logarithmic));
        }
        let names = self.names(curves);
        let count = curves.len() as i32;
        for (curve, place) in curves.iter().zip(0..) {
            let mut curve = curve.clone();
            curve.is_named = names.is_some();
            layers.extend(self.main(curve, [2 * place + 1 - count, count - 1]));
        }
        if figure.spec.marks_best {
            layers.extend(self.bests(panel, curves));
        }
        let rules = figure.spec.rules.iter().enumerate();
        layers.extend(rules.map(|(index, rule)| {
            boxed(Reference {
                x: rule.x,
                text: rule.text.clone(),
                symbol: figure.symbol().to_owned(),
                index,
            })
        }));
        layers.extend(self.upper_axis());
        layers.extend(names);
        Some(layers)
    }

    /// What lies under all curves: relaxation time, fit, the same curve until the hit where it is
    /// visibly less, band.
    fn under(&self, curve: &Curve, index: usize, is_logarithmic: bool) -> Layers {
        let panel = &self.figure.panels[index];
        let group = &self.groups[curve.group];
        let (mut layers, colour): (Layers, _) = (Vec::new(), curve.style.colour);
        layers.extend(self.relaxation(group));
        let fit = |fitted: &Fitted| FittedLaw {
            fitted: fitted.clone(),
            colour,
            words: self.fit_in_words(curve.group, index, fitted),
        };
        layers.extend(drawn_fit(group, index).map(fit).map(boxed));
        if let Some(summary) = panel.at_hit() {
            let mut at_hit = self.marks(&group.rows, &summary.to_string());
            at_hit.retain(|mark| !is_logarithmic || mark.y.value > 0.0);
            let curve = Curve {
                title: if panel.title.contains("absorption") {
                    panel.title.replace("absorption", "hitting")
                } else {
                    format!("{} until the first hit", panel.title)
                },
                zeros: Vec::new(),
                ..curve.clone()
            };
            let stretches = visibly_below(&at_hit, &curve.marks);
            if !stretches.is_empty() {
                let what = match &*summary.formula.column {
                    "hitting_time" => "hitting time",
                    _ => "moves until the first solution",
                };
                let until = Some((what, summary.statistic.before()));
                let mark = MarkShape::Line;
                layers.push(boxed(Line {
                    curve,
                    stretches,
                    mark,
                    until,
                }));
            }
        }
        layers.extend(self.band_between(curve, panel).map(boxed));
        if self.figure.spec.mark == MarkShape::Band {
            let marks = curve.marks.clone();
            let words = None;
            layers.push(Box::new(Band {
                marks,
                colour,
                words,
            }));
        }
        layers
    }

    /// A line at the relaxation time of a group's signals, for all groups with this time at the
    /// first of them.
    fn relaxation(&self, group: &Group) -> Option<Box<dyn Layer>> {
        let table = self.figure.table_of_rows();
        let is_across = self.figure.across.is_some();
        let is_series = is_across && table.is_some_and(|table| table.of == RowsOf::Series);
        let x = relaxation_time(self.key(group)).filter(|_| is_series)?;
        let is_same = |other: &&Group| relaxation_time(self.key(other)) == Some(x);
        let same = self.groups.iter().filter(is_same).collect_vec();
        if !std::ptr::eq(same[0], group) {
            return None;
        }
        let of = self.of_groups(&same);
        let name = format!("upright dashes: mean relaxation time of the signals{of}");
        let colour = group.style.colour;
        Some(boxed(Upright { x, colour, name }))
    }

    /// What lies between the two measures of a panel's band, where the first curve of a group has
    /// a mark.
    fn band_between(&self, curve: &Curve, panel: &Panel) -> Option<Band> {
        let [low, high] = panel.band.as_ref()?;
        let is_first = curve.measure.as_ref().is_none_or(|(index, _)| {
            let first = &panel.columns[0];
            self.figure
                .curves()
                .position(|curve| curve.column == first.column)
                == Some(*index)
        });
        let between = |mark: &Mark| {
            let end = |of: &ShownMeasure| self.table.estimate(mark.row, &of.column);
            let low = end(low)?;
            let high = end(high)?;
            // A quantile that is itself a bound is no end.
            let high = if high.is_bound {
                f64::INFINITY
            } else {
                high.value
            };
            let y = Estimate::within(mark.y.value, [low.value, high]);
            Some(Mark { y, ..*mark })
        };
        let marks = curve.marks.iter().filter_map(between).collect_vec();
        let words = format!("band: from {} to {}", low.name, high.name);
        (is_first && !marks.is_empty()).then_some(Band {
            marks,
            colour: curve.style.colour,
            words: Some(words),
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
        let stretches = match mark {
            MarkShape::Bars => {
                let edge = |row, name| self.table.number(row, name).unwrap_or_default();
                let bin = |mark: &Mark| ["from", "to"].map(|name| edge(mark.row, name));
                let bins = curve.marks.iter().map(bin).collect();
                return Some(Box::new(Bars { curve, bins }));
            }
            _ if self.figure.spec.has_column_across() => aside(0),
            MarkShape::Points => aside(10),
            MarkShape::Dots => aside(3),
            MarkShape::Band => vec![curve.line()],
            MarkShape::Line | MarkShape::Tile => curve.stretches(),
        };
        Some(boxed(Line {
            curve,
            stretches,
            mark,
            until: None,
        }))
    }

    /// The best x of each group.
    fn bests(&self, panel: &Panel, curves: &[Curve]) -> Layers {
        let mut layers: Layers = Vec::new();
        let shows_time = panel.quantity == Some(Quantity::AbsorptionTime);
        let firsts = curves.iter().step_by(panel.columns.len());
        let is_few = firsts.len() <= MOST_STRIPS;
        for (index, curve) in firsts.enumerate() {
            let group = &self.groups[curve.group];
            let own = self.figure.curve_of(self.key(group));
            let best = self.table.best.iter().find(|(curve, _)| curve == own);
            let marks = curve.marks.iter().filter(|_| shows_time);
            let complete = marks.filter(|mark| mark.y.log_variance().is_some() && !mark.y.is_bound);
            layers.push(Box::new(Best {
                x: best.filter(|_| is_few).map(|best| best.1),
                least: complete
                    .min_by(|a, b| a.y.value.total_cmp(&b.y.value))
                    .copied(),
                colour: group.style.colour,
                index,
                symbol: symbol(self.figure.x()).to_owned(),
                of: self.of_group(group),
            }));
        }
        layers
    }

    /// The values of an axis of which a function stands across.
    fn upper_axis(&self) -> Option<Box<dyn Layer>> {
        let axis = self.figure.derived.map(|_| self.figure.x())?;
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        let value =
            |&row: &usize| Some((self.at(row), self.table.keys[row].axes.get(axis)?.number()));
        let values = rows.filter_map(value);
        let values = values.sorted_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let values: Vec<(f64, f64)> = values.dedup().collect();
        let same = values.chunk_by(|a, b| a.0 == b.0).enumerate();
        let words = same.map(|(index, same)| {
            let numbers = same.iter().map(|(_, value)| short(value, 6)).join(", ");
            let text = match index {
                0 => format!("{} = {numbers}", symbol(axis)),
                _ => numbers,
            };
            (same[0].0, text)
        });
        Some(Box::new(UpperAxis(words.collect())))
    }

    /// The names of curves beside them, where a panel has five or more and all are short; else the
    /// legend tells them apart.
    fn names(&self, curves: &[Curve]) -> Option<Box<dyn Layer>> {
        let spec = &self.figure.spec;
        let has_room = spec.width != Some(Width::Single)
            && spec.mark == MarkShape::Line
            && spec.facet.is_none()
            && !spec.has_density;
        if curves.len() < MANY || !has_room {
            return None;
        }
        let columns = self.figure.curves().map(|curve| curve.name.clone());
        let mut names: Vec<String> = columns.filter(|column| !column.is_empty()).collect();
        let mut all = String::new();
        if names.is_empty() {
            names = self
                .groups
                .iter()
                .map(|group| self.short_name(group))
                .collect();
            all = self.words_of(&self.groups[0], true);
        }
        let room = room(names.iter())?;
        let end = |curve: &Curve| {
            let own = || self.short_name(&self.groups[curve.group]);
            let name = curve
                .measure
                .as_ref()
                .map_or_else(own, |(_, name)| name.clone());
            Some((curve.marks.last()?.y.value, name, curve.style))
        };
        let ends = curves.iter().filter_map(end).collect();
        Some(Box::new(Names { ends, all, room }))
    }
}
