//! Which rows make a curve: the only grouping of points, and the only one that leaves curves out.
//! Here are the order of curves, the most curves of a panel and which stay, and the messages of two
//! points at one x and of a map that is only a row.
//!
//! Read this file first, then `names` (what curves are called, and which colour of `theme` each
//! gets), `panels` (facets, measures and their axes) and `layers` (what lies in a panel). `fits`,
//! `maps` and `rules` have laws, tiles and reference lines; `studies` what single studies draw.
//!
//! Colours and markers follow from the order of the groups: another order is another figure.

mod fits;
mod layers;
mod maps;
mod names;
pub(crate) mod panels;
mod rules;
mod studies;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use self::names::label;
use crate::analysis::estimate::Estimate;
use crate::report::figure::Figure;
use crate::report::keys::MarkShape;
use crate::report::marks::FitOrReason;
use crate::report::marks::mark::{Aside, Mark};
use crate::report::measures::measure::ShownMeasure;
use crate::report::table::Table;
use crate::report::words::left_out::IN_TABLE;
use crate::report::words::points::word;
use crate::solver::Point;
use crate::theme::SeriesStyle;

/// The rows of a figure as groups, of which every measure has a curve each.
pub struct Curves<'c> {
    pub figure: &'c Figure<'c>,
    pub table: Table,
    pub groups: Vec<Group>,
    /// The x of each row, which is asked for several times for each mark.
    x: Vec<f64>,
}

/// Rows of a table, in increasing order of x.
pub struct Group {
    pub label: String,
    /// The name without the value of the facet.
    pub name: String,
    /// The words of that value.
    pub facet: Option<String>,
    pub style: SeriesStyle,
    pub rows: Vec<usize>,
    /// The axes on which its points may differ.
    pub varying: Vec<String>,
    /// The x of its points that are left out.
    pub gaps: Vec<f64>,
    /// The fit of each panel.
    pub fits: Vec<FitOrReason>,
}

impl Group {
    /// What tells it from others: the words of its facet, then those of its name.
    fn words(&self) -> impl Iterator<Item = &str> {
        let facet = self.facet.as_deref();
        facet.into_iter().chain(self.name.split(", "))
    }
}

impl Figure<'_> {
    /// True for each of the points, which stand for a curve, whose panel has room after those
    /// before.
    pub fn has_room<'p>(&self, points: impl Iterator<Item = &'p Point>) -> Vec<bool> {
        let mut counts = BTreeMap::new();
        let has_room = points.map(|point| {
            let facet = self.spec.facet.as_deref().map(|facet| word(point, facet));
            let count = counts.entry(facet).or_insert(0);
            *count += 1;
            *count <= self.spec.most_curves
        });
        has_room.collect()
    }
}

impl<'c> Curves<'c> {
    /// # Errors
    /// Where there are no curves, where two points would stand at one x of a line, and where no
    /// curve has a name that the figure changes.
    pub fn of(figure: &'c Figure<'c>, table: Table) -> Result<Self, String> {
        let rows = 0..table.keys.len();
        let x = rows.map(|row| x_of_row(figure, &table, row)).collect();
        let mut curves = Self {
            figure,
            table,
            groups: Vec::new(),
            x,
        };
        let mut gaps: BTreeMap<Vec<String>, Vec<f64>> = BTreeMap::new();
        let rows = curves.rows_of_groups()?;
        for (point, _) in &curves.table.left_out {
            let x = figure.x_of(point);
            gaps.entry(figure.curve_of(point)).or_default().extend(x);
        }
        let mut groups: Vec<Group> = Vec::new();
        for rows in rows {
            groups.push(curves.group(rows, &gaps));
        }
        curves.colour(&mut groups);
        curves.name_conditions(&mut groups);
        curves.rename(&mut groups)?;
        for group in &mut groups {
            let panels = figure.panels.iter();
            group.fits = panels.map(|panel| curves.fit(group, panel)).collect();
        }
        curves.groups = groups;
        curves.warn_of_colours();
        Ok(curves)
    }

    /// The rows of each curve that is drawn, in increasing order of x. The rows of other curves
    /// stay in the table, and their points are left out with a reason.
    ///
    /// # Errors
    /// Where there are no curves, and where two points would stand at one x of a line.
    fn rows_of_groups(&mut self) -> Result<Vec<Vec<usize>>, String> {
        let within_range = self.within_range(self.groups());
        let drawable = self.of_whole_maps(within_range);
        if drawable.is_empty() {
            return Err(self.table.lacking(&self.figure.no_points()));
        }
        let drawn = self.at_most(drawable);
        for rows in &drawn {
            self.has_one_at_each_x(rows)?;
        }
        Ok(drawn)
    }

    /// The rows of each curve, in increasing order of x.
    fn groups(&self) -> Vec<Vec<usize>> {
        let keys = &self.table.keys;
        let mut groups = self.figure.by_curve(0..keys.len(), |&row| &keys[row]);
        for group in &mut groups {
            group.sort_by(|&a, &b| self.at(a).total_cmp(&self.at(b)));
        }
        groups
    }

    /// The groups without the rows beyond the ends of the axis across.
    fn within_range(&mut self, groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let Some((low, high)) = self.figure.spec.x_range else {
            return groups;
        };
        let is_within = |row: &usize| (low..=high).contains(&self.at(*row));
        let rows = groups.iter().flatten().copied();
        let (shown, beyond): (Vec<usize>, Vec<usize>) = rows.partition(is_within);
        let keys = &self.table.keys;
        let drawn: BTreeSet<&Point> = shown.iter().map(|&row| &keys[row]).collect();
        let beyond = beyond
            .into_iter()
            .filter(|&row| !drawn.contains(&keys[row]));
        let beyond: Vec<usize> = beyond.collect();
        let kept = groups.into_iter().map(|mut rows| {
            rows.retain(is_within);
            rows
        });
        let kept = kept.filter(|rows| !rows.is_empty()).collect();
        self.table.leave_out_rows(&beyond, "beyond x_range");
        kept
    }

    /// The groups without those that are only a row or a column of tiles.
    fn of_whole_maps(&mut self, groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let figure = self.figure;
        let keys = &self.table.keys;
        if figure.spec.mark != MarkShape::Tile {
            return groups;
        }
        let is_whole = |rows: &Vec<usize>| {
            let across = rows.iter().map(|&row| self.at(row).to_bits());
            let upwards = rows.iter().filter_map(|&row| figure.upwards_of(&keys[row]));
            let upwards = upwards.map(f64::to_bits);
            across.unique().count() > 1 && upwards.unique().count() > 1
        };
        let (kept, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_whole);
        let others: Vec<usize> = others.into_iter().flatten().collect();
        let reason = "one axis of a map does not vary";
        self.table.leave_out_rows(&others, reason);
        kept
    }

    /// The groups without those that a panel has no room for, of which the plain ones stay.
    fn at_most(&mut self, mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let figure = self.figure;
        let count = groups.len();
        let key = |rows: &Vec<usize>| &self.table.keys[rows[0]];
        if figure.has_room(groups.iter().map(key)).contains(&false) {
            // Stable: those that are plain first.
            groups.sort_by_key(|rows| !self.table.plain.contains(key(rows)));
        }
        let has_room = figure.has_room(groups.iter().map(key));
        let (kept, others): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .zip(has_room)
            .partition(|(_, has_room)| *has_room);
        let most = figure.spec.most_curves;
        let reason = match figure.spec.facet {
            None => format!("the first {most} of {count} curves are drawn; {IN_TABLE}"),
            Some(_) => format!("the first {most} curves of each panel are drawn; {IN_TABLE}"),
        };
        let others: Vec<usize> = others.into_iter().flat_map(|(rows, _)| rows).collect();
        self.table.leave_out_rows(&others, &reason);
        kept.into_iter().map(|(rows, _)| rows).collect()
    }

    /// Refuses two marks of a line at one x, which would be joined by an upright stroke.
    fn has_one_at_each_x(&self, rows: &[usize]) -> Result<(), String> {
        let is_line = self.figure.spec.mark.kind().is_joined;
        // A column of trials has one number at each point.
        let is_map = self.figure.spec.mark == MarkShape::Tile;
        let is_of_trials = |measure: &ShownMeasure| measure.summary.is_some();
        let of_trials = self.figure.curves().any(is_of_trials) && self.figure.across.is_none();
        if is_map || !is_line && !of_trials {
            return Ok(());
        }
        for ShownMeasure { column, .. } in self.figure.curves() {
            let marks = self.marks(rows, column);
            if let Some(pair) = marks.windows(2).find(|pair| pair[0].x == pair[1].x) {
                let [a, b] = [pair[0], pair[1]].map(|mark| &self.table.keys[mark.row]);
                let advice = match self.figure.difference(a, b) {
                    // Values of an axis that a function of it maps to one number.
                    Some(key) if key == self.figure.x() => "choose one with where".to_owned(),
                    Some(key) => format!("add {key} to group, or choose with where"),
                    None => "choose mark = \"points\", which are not joined".to_owned(),
                };
                let x = self
                    .figure
                    .derived
                    .map_or(self.figure.x(), |derived| derived.name);
                return Err(format!(
                    "{a} and {b} would stand at one {x} of one curve; {advice}"
                ));
            }
        }
        Ok(())
    }

    fn group(&self, rows: Vec<usize>, gaps: &BTreeMap<Vec<String>, Vec<f64>>) -> Group {
        let keys: Vec<&Point> = rows.iter().map(|&row| &self.table.keys[row]).collect();
        let varying = varying(&keys, &self.figure.axes);
        let facet = self.figure.spec.facet.as_ref();
        let apart: Vec<String> = varying.iter().chain(facet).cloned().collect();
        let label = |apart: &[String]| label(&keys, apart, &self.table.digits);
        Group {
            label: label(&varying),
            // Of what the facet says alone, nothing is left.
            name: Some(label(&apart))
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| label(&varying)),
            facet: facet.map(|key| self.table.digits.facet_in_words(keys[0], key)),
            style: SeriesStyle::of(0),
            gaps: gaps
                .get(&self.figure.curve_of(keys[0]))
                .map_or(vec![], Clone::clone),
            varying,
            fits: Vec::new(),
            rows,
        }
    }

    /// The x of a row.
    pub fn at(&self, row: usize) -> f64 {
        self.x[row]
    }

    /// The points that the figure shows.
    pub fn points(&self) -> Vec<&Point> {
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        let points = rows.map(|&row| &self.table.keys[row]);
        points.chain(&self.table.also_shown).collect()
    }

    /// The point of a group's first row.
    pub fn key(&self, group: &Group) -> &Point {
        &self.table.keys[group.rows[0]]
    }

    /// The numbers of rows in this column, where they have a place across.
    pub fn marks(&self, rows: &[usize], column: &str) -> Vec<Mark> {
        let x_is_logarithmic = self.figure.spec.x_is_logarithmic == Some(true);
        let mark = |&row: &usize| {
            let x = self.at(row);
            let y = self.table.estimate(row, column)?;
            let known = self.figure.across.as_ref();
            let known = known.and_then(|_| self.table.estimate(row, &self.figure.spec.x));
            (!x_is_logarithmic || x > 0.0).then(|| Mark {
                row,
                x,
                x_known: known.unwrap_or(Estimate::exactly(x)),
                y,
                trials: self.table.trials(row, column),
                aside: Aside::default(),
            })
        };
        rows.iter().filter_map(mark).collect()
    }

    /// The values of the facet in words, in increasing order, each once.
    pub fn facets(&self) -> Vec<String> {
        let key = self.figure.spec.facet.as_deref().unwrap_or_default();
        let groups = self.groups.iter();
        let sorted = groups.sorted_by(|a, b| in_order(self.key(a), self.key(b), key));
        sorted
            .filter_map(|group| group.facet.clone())
            .unique()
            .collect()
    }
}

fn x_of_row(figure: &Figure, table: &Table, row: usize) -> f64 {
    let x = match &figure.across {
        Some(_) => table.number(row, &figure.spec.x),
        None => figure.x_of(&table.keys[row]),
    };
    x.unwrap_or_default()
}

/// The order of two points by one key: numbers by their values, words as they come.
fn in_order(a: &Point, b: &Point, key: &str) -> Ordering {
    match (a.axes.get(key), b.axes.get(key)) {
        (Some(a), Some(b)) => a.order(&b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// The axes on which the points of a curve may differ, and do.
fn varying(keys: &[&Point], axes: &[&str]) -> Vec<String> {
    let all = keys.iter().flat_map(|key| key.axes.by_name());
    let differs = |name: &&str| {
        let mut values = keys.iter().map(|key| key.axes.get(name));
        values.any(|value| value != keys[0].axes.get(name))
    };
    let all = all.map(|(axis, _)| axis).unique().filter(differs);
    let varying = axes.iter().copied().chain(all).unique();
    varying.map(str::to_owned).collect()
}
