//! A chart's curves: their names and styles, and what is drawn of each row.

use std::cmp::Ordering;

use itertools::Itertools;

use super::{Chart, Curve, NamedColumn, Panel, Scene};
use crate::report::frame::{Frame, Missing};
use crate::report::mark::Mark;
use crate::report::series::{in_words, visibly_below, word};
use crate::report::style::SeriesStyle;
use crate::solver::{Point, Value, algorithm};

impl<'a> Scene<'a> {
    /// # Errors
    /// Where there are no curves, where no curve has a name that the figure changes, and where a
    /// curve cannot be divided by another.
    pub(super) fn of(chart: &'a Chart, mut frame: Frame) -> Result<Self, String> {
        if let Some(over) = &chart.choices.over {
            frame.divide(chart, over)?;
        }
        let mut scene = Self {
            chart,
            curves: Vec::new(),
            frame,
        };
        let groups = scene.rows_of_curves()?.into_iter();
        let mut curves: Vec<Curve> = groups.map(|it| scene.curve(it)).collect();
        scene.colour(&mut curves);
        scene.name_conditions(&mut curves);
        scene.rename(&mut curves)?;
        for curve in &mut curves {
            let panels = chart.panels.iter();
            curve.fits = panels.map(|panel| scene.fit(curve, panel)).collect();
            if chart.choices.marks_best {
                curve.best = scene.best(curve);
            }
        }
        scene.curves = curves;
        let beyond = chart.panels.iter().flat_map(|it| scene.beyond(it));
        let beyond: Vec<Missing> = beyond.collect();
        scene.frame.left_out.extend(beyond);
        Ok(scene)
    }

    /// The points with numbers beyond the range of a panel.
    fn beyond(&self, panel: &Panel) -> Vec<Missing> {
        let Some((low, high)) = panel.look.y_range else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (curve, column) in self.curves.iter().cartesian_product(&panel.columns) {
            for row in self.rows(curve, &column.only) {
                let estimate = self.frame.estimate(row, &column.y);
                if estimate.is_some_and(|it| !(low..=high).contains(&it.value)) {
                    found.push((self.frame.keys[row].clone(), "beyond y_range".to_owned()));
                }
            }
        }
        found
    }

    /// The names that the spec gives conditions, in the place of `certain: …` in the legend.
    fn name_conditions(&self, curves: &mut [Curve]) {
        for curve in curves {
            let point = &self.frame.keys[curve.rows[0]];
            let has_condition =
                algorithm(&point.algorithm).is_some_and(|it| it.condition.is_some());
            let mut names = self.chart.choices.conditions.iter();
            let own = names.find(|(_, condition)| has_condition && *condition == point.variant);
            let Some((name, _)) = own else {
                continue;
            };
            let axes: Vec<&str> = point.axes.by_column().map(|(axis, _)| axis).collect();
            let from = in_words(point, &axes);
            let to = format!("{} rule, {name}", point.algorithm);
            curve.label = curve.label.replace(&from, &to);
            curve.name = curve.name.replace(&from, &to);
        }
    }

    /// The names that the figure gives its curves.
    fn rename(&self, curves: &mut [Curve]) -> Result<(), String> {
        for (from, to) in &self.chart.choices.names {
            if !curves.iter().any(|it| it.name == *from) {
                let known = curves.iter().map(|it| format!("{:?}", it.name)).unique();
                let known = known.collect::<Vec<_>>().join(", ");
                return Err(format!(
                    "names: no curve is called {from:?}; the curves are {known}"
                ));
            }
            for curve in curves.iter_mut().filter(|it| it.name == *from) {
                curve.label = curve.label.replace(from, to);
                curve.name.clone_from(to);
            }
        }
        Ok(())
    }

    fn curve(&self, rows: Vec<usize>) -> Curve {
        let keys: Vec<&Point> = rows.iter().map(|&row| &self.frame.keys[row]).collect();
        let varying = varying(&keys, &self.chart.axes);
        let facet = self.chart.choices.facet.clone();
        let apart: Vec<String> = varying.iter().cloned().chain(facet).collect();
        Curve {
            label: label(&keys, &varying),
            name: label(&keys, &apart),
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
        if self.chart.choices.facet.is_some() {
            names.sort();
        }
        let names: Vec<String> = names.into_iter().unique().collect();
        // The words of the key that says a curve's colour, in the order of its values.
        let key = self.chart.choices.colour.as_deref();
        let colours: Vec<String> = key.map_or_else(Vec::new, |key| {
            let keys = curves.iter().map(|it| &self.frame.keys[it.rows[0]]);
            let keys = keys.sorted_by(|a, b| in_order(a, b, key));
            keys.map(|it| word(it, key)).unique().collect()
        });
        for curve in curves {
            let point = &self.frame.keys[curve.rows[0]];
            let index = names.iter().position(|it| *it == curve.name);
            let index = index.unwrap_or_default();
            let coloured = |key| colours.iter().position(|it| *it == word(point, key));
            let colour = key.and_then(coloured).unwrap_or(index);
            curve.style = SeriesStyle::coloured(Some(colour), index);
        }
    }

    /// The rows of a curve of this quantity; of all with an empty one.
    pub fn rows<'s>(
        &'s self,
        curve: &'s Curve,
        only: &'s str,
    ) -> impl Iterator<Item = usize> + use<'s> {
        let is_own =
            move |row: &usize| only.is_empty() || self.frame.word(*row, "quantity") == only;
        curve.rows.iter().copied().filter(is_own)
    }

    /// What the panels show.
    pub(super) fn columns(&self) -> impl Iterator<Item = &NamedColumn> {
        self.chart.panels.iter().flat_map(|it| &it.columns)
    }

    /// The x of a row.
    pub fn at(&self, row: usize) -> f64 {
        match self.chart.across {
            Some((column, _)) => self.frame.number(row, column).unwrap_or_default(),
            None => self.chart.x_of(&self.frame.keys[row]).unwrap_or_default(),
        }
    }

    pub(super) fn is_logarithmic(&self, panel: &Panel) -> bool {
        let has_zero = panel.look.y_range.is_some_and(|it| it.0 <= 0.0);
        panel.look.is_logarithmic.unwrap_or_else(|| {
            !has_zero
                && panel.columns.iter().all(|column| {
                    let rows = self.curves.iter();
                    rows.flat_map(|curve| self.rows(curve, &column.only))
                        .filter_map(|row| self.frame.estimate(row, &column.y))
                        .all(|it| it.value > 0.0 && it.low >= 0.0)
                })
        })
    }

    /// The marks of one column.
    pub fn marks(&self, curve: &Curve, panel: &Panel, own: &NamedColumn) -> Vec<Mark> {
        let (is_logarithmic, x_is_logarithmic) = (
            self.is_logarithmic(panel),
            self.chart.choices.x_is_logarithmic == Some(true),
        );
        let range = panel
            .look
            .y_range
            .unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let mark = |row: usize| {
            let (x, estimate) = (self.at(row), self.frame.estimate(row, &own.y)?);
            let is_on_axes =
                (!is_logarithmic || estimate.value > 0.0) && (!x_is_logarithmic || x > 0.0);
            let is_on_axes = is_on_axes && (range.0..=range.1).contains(&estimate.value);
            is_on_axes.then(|| Mark {
                row: Some(row),
                trials: self.frame.trials(row),
                ..Mark::of(x, estimate)
            })
        };
        self.rows(curve, &own.only).filter_map(mark).collect()
    }

    /// Stretches of the same quantity at the hit, where it is visibly less.
    pub(super) fn at_hit(&self, curve: &Curve, panel: &Panel) -> Vec<Vec<Mark>> {
        let Some(quantity) = panel.quantity.filter(|_| !panel.look.has_names()) else {
            return Vec::new();
        };
        let own = &panel.columns[0];
        let at_hit = NamedColumn {
            only: quantity.at_hit().name().to_owned(),
            ..own.clone()
        };
        let [at_hit, own] = [&at_hit, own].map(|it| self.marks(curve, panel, it));
        visibly_below(&at_hit, &own)
    }

    /// The values of the facet in increasing order, each once.
    pub(super) fn facets(&self) -> Vec<Value> {
        let values = self.curves.iter().filter_map(|it| self.facet_of(it));
        let sorted = values.sorted_by(Value::order);
        sorted.dedup().collect()
    }

    pub(super) fn facet_of(&self, curve: &Curve) -> Option<Value> {
        let key = &self.frame.keys[*curve.rows.first()?];
        key.axes.get(self.chart.choices.facet.as_ref()?)
    }
}

/// The order of two points by one key: numbers by their values, words as they come.
fn in_order(a: &Point, b: &Point, key: &str) -> Ordering {
    match (a.axes.get(key), b.axes.get(key)) {
        (Some(a), Some(b)) => a.order(&b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// The axes on which the points of a curve may differ, and do.
fn varying(keys: &[&Point], axes: &[String]) -> Vec<String> {
    let all = keys.iter().flat_map(|key| key.axes.by_name());
    let mut all: Vec<String> = all.map(|it| it.0.to_owned()).unique().collect();
    all.retain(|name| {
        let mut values = keys.iter().map(|key| key.axes.get(name));
        values.any(|it| it != keys[0].axes.get(name))
    });
    axes.iter().cloned().chain(all).unique().collect()
}

/// What the points share.
fn label(keys: &[&Point], varying: &[String]) -> String {
    let apart: Vec<&str> = varying.iter().map(String::as_str).collect();
    let words: Vec<String> = keys.iter().map(|it| in_words(it, &apart)).collect();
    if words.iter().all_equal() {
        return words[0].clone();
    }
    let names = keys.iter().map(|it| &it.algorithm).dedup().join(", ");
    format!("points of {names}")
}
