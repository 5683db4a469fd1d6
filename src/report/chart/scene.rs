//! A chart's rows in curves: grouping, styles, and what is drawn of each row.

use itertools::Itertools;

use super::{Chart, Curve, NamedColumn, Panel, Scene};
use crate::report::frame::Frame;
use crate::report::panel::Mark;
use crate::report::series::{distinct, grouped, in_words, visibly_below};
use crate::report::style::SeriesStyle;
use crate::solver::Point;

impl<'a> Scene<'a> {
    pub(super) fn of(chart: &'a Chart, frame: Frame) -> Self {
        let mut scene = Self {
            chart,
            curves: Vec::new(),
            frame,
        };
        let mut groups = scene.groups();
        let most = chart.choices.most_curves;
        if groups.len() > most {
            // Stable: those that are plain first.
            groups.sort_by_key(|rows| !(chart.table.is_plain)(chart, &scene.frame.keys[rows[0]]));
            let others = groups.split_off(most).into_iter().flatten();
            let reason = format!("{} curves are drawn; in the table", groups.len());
            let missing = others.map(|row| (scene.frame.keys[row].clone(), reason.clone()));
            let missing: Vec<_> = missing.collect();
            scene.frame.left_out.extend(missing);
        }
        let mut curves: Vec<Curve> = groups.into_iter().map(|it| scene.curve(it)).collect();
        scene.colour(&mut curves);
        for curve in &mut curves {
            let panels = chart.panels.iter();
            curve.fits = panels.map(|panel| scene.fit(curve, panel)).collect();
            if chart.choices.marks_best {
                curve.best = scene.best(curve);
            }
        }
        Self { curves, ..scene }
    }

    fn groups(&self) -> Vec<Vec<usize>> {
        let keys = &self.frame.keys;
        let mut groups = grouped(0..keys.len(), |&row| {
            (self.chart.curve_of(&keys[row]), self.split_word(row))
        });
        for group in &mut groups {
            group.sort_by(|&a, &b| self.at(a).total_cmp(&self.at(b)));
        }
        groups
    }

    /// The word that tells the curve of a row from those of the same points.
    fn split_word(&self, row: usize) -> Option<&str> {
        let column = self.chart.choices.split.as_ref()?;
        Some(self.frame.word(row, column))
    }

    fn curve(&self, rows: Vec<usize>) -> Curve {
        let keys: Vec<&Point> = rows.iter().map(|&row| &self.frame.keys[row]).collect();
        let varying = varying(&keys, &self.chart.axes);
        let facet = self.chart.choices.facet.clone();
        let apart: Vec<String> = varying.iter().cloned().chain(facet).collect();
        let word = self.split_word(rows[0]);
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
        if self.chart.choices.facet.is_some() {
            names.sort();
        }
        let names: Vec<String> = names.into_iter().unique().collect();
        let hue = |curve: &Curve| {
            let first = curve.rows[0];
            let letter = |number: usize| {
                let letter = self.frame.keys[first].variant.chars().nth(number - 1);
                letter.into_iter().collect()
            };
            let word = self.split_word(first).map(str::to_owned);
            word.or_else(|| self.chart.choices.hue.map(letter))
        };
        let hues: Vec<String> = curves.iter().filter_map(hue).unique().collect();
        for curve in curves {
            let index = names.iter().position(|it| *it == curve.name);
            let index = index.unwrap_or_default();
            let colour = hues.iter().position(|it| Some(it) == hue(curve).as_ref());
            curve.style = SeriesStyle::coloured(colour, index);
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
    pub(super) fn columns(&self) -> Vec<NamedColumn> {
        let columns = self.chart.panels.iter().flat_map(Panel::columns);
        columns.collect()
    }

    /// The x of a row.
    pub fn at(&self, row: usize) -> f64 {
        match self.chart.across {
            Some((column, _)) => {
                let drawn = self.frame.estimate(row, column).map(|it| it.value);
                let x = drawn.or_else(|| self.frame.number(row, column));
                x.unwrap_or_default()
            }
            None => self.chart.x_of(&self.frame.keys[row]).unwrap_or_default(),
        }
    }

    pub(super) fn is_logarithmic(&self, panel: &Panel) -> bool {
        panel.is_logarithmic.unwrap_or_else(|| {
            panel.columns().iter().all(|column| {
                let rows = self.curves.iter();
                rows.flat_map(|curve| self.rows(curve, &column.only))
                    .filter_map(|row| self.frame.estimate(row, &column.y))
                    .all(|it| it.value > 0.0)
            })
        })
    }

    /// The marks of one column.
    pub fn marks(&self, curve: &Curve, (panel, y): (&Panel, &str), only: &str) -> Vec<Mark> {
        let (is_logarithmic, x_is_logarithmic) = (
            self.is_logarithmic(panel),
            self.chart.choices.x_is_logarithmic == Some(true),
        );
        let mark = |row: usize| {
            let (x, estimate) = (self.at(row), self.frame.estimate(row, y)?);
            let is_on_axes =
                (!is_logarithmic || estimate.value > 0.0) && (!x_is_logarithmic || x > 0.0);
            is_on_axes.then(|| Mark {
                is_lower_bound: self.frame.is_bound(row, y),
                row: Some(row),
                trials: self.frame.trials(row),
                ..Mark::of(x, estimate)
            })
        };
        self.rows(curve, only).filter_map(mark).collect()
    }

    /// Stretches of the same quantity at the hit, where it is visibly less.
    pub(super) fn at_hit(&self, curve: &Curve, panel: &Panel) -> Vec<Vec<Mark>> {
        let Some(quantity) = panel.quantity.filter(|_| panel.named.is_empty()) else {
            return Vec::new();
        };
        let own = self.marks(curve, (panel, "mean"), &panel.only);
        let at_hit = self.marks(curve, (panel, "mean"), quantity.at_hit().name());
        visibly_below(&at_hit, &own)
    }

    /// The values of the facet, each once.
    pub(super) fn facets(&self) -> Vec<f64> {
        let Some(axis) = &self.chart.choices.facet else {
            return Vec::new();
        };
        let keys = self.frame.keys.iter();
        distinct(keys.filter_map(|it| Some(it.axes.get(axis)?.number())))
    }

    pub(super) fn facet_of(&self, curve: &Curve) -> Option<f64> {
        let key = &self.frame.keys[*curve.rows.first()?];
        Some(key.axes.get(self.chart.choices.facet.as_ref()?)?.number())
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
