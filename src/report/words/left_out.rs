//! What a figure does not show: how much in its legend, which points in the terminal and under its
//! table. How many points (3) and reasons (5) are named, and the sentence `left out: 2 points (…)`,
//! are here.

use crate::experiment::store::rows::PointTrials;
use crate::html::{counted, first_of};
use crate::report::FigureRows;
use crate::report::figure::are_points_of;
use crate::report::keys::{SEED_KEY, TRIAL_KEY};
use crate::report::table::Table;
use crate::report::words::points::grouped;
use crate::results::point_key::PointKey;
use crate::solver::Point;
use std::collections::BTreeSet;

/// The end of the reasons of points that have rows in the table.
pub const IN_TABLE: &str = "in the table";
/// Points named in one sentence.
const MOST_NAMED: usize = 3;
/// Reasons with sentences of their own.
const MOST_REASONS: usize = 5;

/// The points that a figure does not show.
#[derive(Debug, Clone, Default)]
pub struct LeftOut {
    /// Each reason with its points in words, in the order in which they come first.
    reasons: Vec<(String, Vec<String>)>,
    /// The number of points; one that several panels leave out counts once.
    points: usize,
}

impl LeftOut {
    /// All points but those `shown` that are of the algorithms shown, and those for which a table
    /// has reasons. A point whose seeds are points of their own counts once, where none is shown.
    pub fn of(rows: &FigureRows, shown: &[&Point], table: &Table) -> Self {
        const OF_TRIALS: [&str; 2] = [SEED_KEY, TRIAL_KEY];
        let whole_key = |point: &Point| PointKey::without(point, &OF_TRIALS);
        // A point has several rows, and several panels may leave it out.
        let missing = missing(rows, shown, table);
        let is_of_trials = |point: &Point| OF_TRIALS.map(|axis| point.axes.get(axis)) != [None; 2];
        let mut whole_shown = BTreeSet::new();
        if missing.iter().any(|(point, _)| is_of_trials(point)) {
            whole_shown.extend(shown.iter().map(|point| whole_key(point)));
        }
        let without_seed = |point: &Point| {
            let mut axes = point.axes.clone();
            if !whole_shown.contains(&whole_key(point)) {
                axes = axes.without(&OF_TRIALS);
            }
            Point {
                axes,
                ..point.clone()
            }
        };
        let mut left_out: Vec<(Point, &str)> = missing
            .into_iter()
            .map(|(point, reason)| (without_seed(point), reason))
            .collect();
        let mut seen: BTreeSet<(PointKey, &str)> = BTreeSet::new();
        left_out.retain(|missing| seen.insert((PointKey::of(&missing.0), missing.1)));
        let points: BTreeSet<&PointKey> = seen.iter().map(|(point, _)| point).collect();
        let n_points = points.len();
        let reasons = grouped(left_out, |missing| missing.1)
            .into_iter()
            .map(|group| {
                let points = group.iter().map(|(point, _)| table.digits.describe(point));
                (group[0].1.to_owned(), points.collect())
            });
        Self {
            reasons: reasons.collect(),
            points: n_points,
        }
    }

    /// One sentence for each reason, without full stops.
    pub fn sentences(&self) -> Vec<String> {
        let further = self.reasons.iter().skip(MOST_REASONS);
        let further: usize = further.map(|(_, points)| points.len()).sum();
        let sentence = |(reason, points): &(String, Vec<String>)| {
            let named = first_of(MOST_NAMED, "; ", points.clone());
            format!("left out ({reason}): {named}")
        };
        let first = self.reasons.iter().take(MOST_REASONS);
        let mut sentences: Vec<String> = first.map(sentence).collect();
        if further > 0 {
            let points = counted(further, "point");
            sentences.push(format!("left out for other reasons: {points}"));
        }
        sentences
    }

    /// The legend's words: the number of points left out, and the reason if there is only one.
    pub fn words(&self) -> Option<String> {
        let points = counted(self.points, "point");
        match &self.reasons[..] {
            [] => None,
            [(reason, _)] => Some(format!("left out: {points} ({reason})")),
            _ => Some(format!("left out: {points}, named under the table")),
        }
    }

    /// A note for each reason, with all its points unless these are rows of the table.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let note = |(reason, points): &(String, Vec<String>)| {
            let points = if reason.ends_with(IN_TABLE) {
                counted(points.len(), "point")
            } else {
                points.join("; ")
            };
            format!("Left out ({reason}): {points}.")
        };
        self.reasons.iter().map(note)
    }
}

/// The points that are left out, those with reasons of their table first.
fn missing<'a>(
    rows: &'a FigureRows,
    shown: &[&Point],
    table: &'a Table,
) -> Vec<(&'a Point, &'a str)> {
    let mut missing: Vec<(&Point, &str)> = Vec::new();
    for (point, reason) in &table.left_out {
        missing.push((point, reason));
    }
    if are_points_of(shown.iter().copied(), &rows.trials) {
        return missing;
    }

    let with_reason = table.left_out.iter().map(|(point, _)| point);
    let told = shown.iter().copied().chain(with_reason);
    let told: BTreeSet<PointKey> = told.map(PointKey::of).collect();
    let algorithms: BTreeSet<&str> = shown.iter().map(|point| &*point.algorithm).collect();
    for PointTrials { point, .. } in &rows.trials {
        // That a figure of some rules has no points of others needs no word.
        let is_of_these = algorithms.contains(&*point.algorithm);
        if is_of_these && !told.contains(&PointKey::of(point)) {
            missing.push((point, "not part of this kind of figure"));
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::pair_key;
    use crate::solver::Value;

    /// Six points: one shown, one with a reason of its own, four without. Of a point in the table
    /// the number is enough.
    #[test]
    fn every_point_is_shown_or_named() {
        let trials = (4..10).map(|n| PointTrials {
            point: pair_key(n, 0.01),
            rows: Vec::new().into(),
        });
        let rows = FigureRows::of_trials(trials.collect(), String::new());
        let mut table = Table::default();
        table
            .left_out
            .push((pair_key(5, 0.01), "alone on its curve".to_owned()));
        let left_out = LeftOut::of(&rows, &[&rows.trials[0].point], &table);
        assert_eq!(
            left_out.sentences(),
            [
                "left out (alone on its curve): pair rule, n = 5, ε = 0.01",
                "left out (not part of this kind of figure): pair rule, n = 6, ε = 0.01; pair rule, n = 7, ε = 0.01; pair rule, n = 8, ε = 0.01; and 1 more",
            ]
        );
        let counted = "left out: 5 points, named under the table";
        assert_eq!(left_out.words().as_deref(), Some(counted));
        assert_eq!(left_out.notes().count(), 2);
        table.left_out[0].1 = format!("too many; {IN_TABLE}");
        let left_out = LeftOut::of(&rows, &[&rows.trials[0].point], &table);
        let note = "Left out (too many; in the table): 1 point.";
        assert_eq!(left_out.notes().next().as_deref(), Some(note));
        // Two seeds of a point count once, but for one beside another that is shown.
        let of_seed = |n, seed| pair_key(n, 0.01).with(SEED_KEY, Value::Integer(seed));
        let seeds = [(4, 2), (5, 1), (5, 2)].map(|(n, seed)| (of_seed(n, seed), "x".to_owned()));
        table.left_out = seeds.into();
        let none = FigureRows::default();
        let left_out = LeftOut::of(&none, &[&of_seed(4, 1)], &table).sentences();
        let named =
            "left out (x): pair rule, n = 4, ε = 0.01, seed = 2; pair rule, n = 5, ε = 0.01";
        assert_eq!(left_out, [named]);
    }
}
