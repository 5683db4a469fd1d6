//! Which rows make a curve: the only grouping of points, and the only one that leaves curves out.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use super::{NamedColumn, Scene};
use crate::report::figure::MarkShape;
use crate::report::frame::ALONE;
use crate::report::left_out::IN_TABLE;
use crate::report::series::{describe, grouped, word};

impl Scene<'_> {
    /// The rows of each curve that is drawn, in increasing order of x. The rows of other curves
    /// stay in the table, and their points are left out with a reason.
    ///
    /// # Errors
    /// Where there are no curves, where a rule that is compared has none, and where two points
    /// would stand at one x of a line.
    pub(super) fn rows_of_curves(&mut self) -> Result<Vec<Vec<usize>>, String> {
        let mut groups = self.groups();
        // A map has no curves.
        let has_curves = !self.chart.table.ignores.contains(&"most_curves");
        if has_curves {
            groups = self.of_enough_points(groups)?;
        }
        let rows = groups.iter().flatten();
        let algorithms: BTreeSet<&str> =
            rows.map(|&row| &*self.frame.keys[row].algorithm).collect();
        if let Some(lacking) = self.chart.lacks_curve(&algorithms) {
            return Err(self.frame.lacking(&lacking));
        }
        if has_curves {
            groups = self.at_most(groups);
        }
        for rows in &groups {
            self.has_one_at_each_x(rows)?;
        }
        Ok(groups)
    }

    /// The rows of each curve, in increasing order of x.
    fn groups(&self) -> Vec<Vec<usize>> {
        let keys = &self.frame.keys;
        let mut groups = grouped(0..keys.len(), |&row| self.chart.curve_of(&keys[row]));
        for group in &mut groups {
            group.sort_by(|&a, &b| self.at(a).total_cmp(&self.at(b)));
        }
        groups
    }

    /// The groups of at least as many points as the figure asks for. In a figure of columns of
    /// trials a smaller one beside them is an error: perhaps `group` names too many keys.
    fn of_enough_points(&mut self, groups: Vec<Vec<usize>>) -> Result<Vec<Vec<usize>>, String> {
        let least = self.chart.choices.least_points;
        let count = |rows: &Vec<usize>| {
            rows.iter()
                .map(|&row| self.at(row).to_bits())
                .unique()
                .count()
        };
        let (kept, others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|it| count(it) >= least);
        let others: Vec<usize> = others.into_iter().flatten().collect();
        let is_of_columns = self.chart.table.measures.is_empty();
        if let [first, ..] = others[..]
            && is_of_columns
            && !kept.is_empty()
        {
            return Err(format!(
                "{} stands alone in its curve; leave it out with where, or choose another group",
                describe(&self.frame.keys[first])
            ));
        }
        self.leave_out(&others, ALONE);
        Ok(kept)
    }

    /// The groups without those that a panel has no room for, of which the plain ones stay.
    fn at_most(&mut self, mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let chart = self.chart;
        let most = chart.choices.most_curves;
        let key = |rows: &[usize]| &self.frame.keys[rows[0]];
        let panel = |rows: &[usize]| Some(word(key(rows), chart.choices.facet.as_deref()?));
        // Stable: those that are plain first.
        if grouped(&groups, |it| panel(it))
            .iter()
            .any(|it| it.len() > most)
        {
            groups.sort_by_key(|rows| !self.frame.plain.contains(key(rows)));
        }
        let mut counts = BTreeMap::new();
        let (kept, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|rows| {
            let count = counts.entry(panel(rows)).or_insert(0);
            *count += 1;
            *count <= most
        });
        let reason = match chart.choices.facet {
            None => format!("{most} curves are drawn; {IN_TABLE}"),
            Some(_) => format!("{most} curves of a panel are drawn; {IN_TABLE}"),
        };
        let others: Vec<usize> = others.into_iter().flatten().collect();
        self.leave_out(&others, &reason);
        kept
    }

    fn leave_out(&mut self, rows: &[usize], reason: &str) {
        let points = rows.iter().map(|&row| &self.frame.keys[row]);
        let missing = points.map(|point| (point.clone(), reason.to_owned()));
        self.frame.left_out.extend(missing.collect::<Vec<_>>());
    }

    /// Refuses two marks of a line at one x, which would be joined by an upright stroke.
    fn has_one_at_each_x(&self, rows: &[usize]) -> Result<(), String> {
        let is_line = matches!(self.chart.choices.mark, MarkShape::Line | MarkShape::Band);
        // A column of trials has one number at each point.
        if !is_line && !self.chart.table.measures.is_empty() {
            return Ok(());
        }
        for NamedColumn { y, only, .. } in self.columns() {
            let is_own = |row: &&usize| {
                (only.is_empty() || self.frame.word(**row, "quantity") == *only)
                    && self.frame.estimate(**row, y).is_some()
            };
            let drawn: Vec<usize> = rows.iter().filter(is_own).copied().collect();
            let pair = drawn.windows(2).find(|it| self.at(it[0]) == self.at(it[1]));
            if let Some(pair) = pair {
                let [a, b] = [pair[0], pair[1]].map(|row| &self.frame.keys[row]);
                let advice = match self.chart.difference(a, b) {
                    // Values of an axis that a function of it maps to one number.
                    Some(key) if key == self.chart.x() => "choose one with where".to_owned(),
                    Some(key) => format!("add {key} to group, or choose with where"),
                    None => "choose mark = \"points\", which are not joined".to_owned(),
                };
                let x = self.chart.derived.map_or(self.chart.x(), |it| it.name);
                return Err(format!(
                    "{a} and {b} would stand at one {x} of one curve; {advice}"
                ));
            }
        }
        Ok(())
    }
}
