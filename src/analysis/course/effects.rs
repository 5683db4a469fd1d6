//! Shares of time, stretches without a safe move, missed solutions, and entries into solutions, of
//! one point. The names and definitions of the ratios in figures of kind `effects-of-epsilon` are
//! here.

use super::reals;
use crate::analysis::estimate::Estimate;
use crate::analysis::jackknife::ratio;
use crate::experiment::store::Row;
use crate::experiment::store::rows::PointCourses;
use crate::solver::course::Course;

/// The sums over trials.
const N_COLUMNS: usize = 16;
const MOVES: usize = 0;
const ABSORBED: usize = 2;
const MOMENTS: usize = 3;
const UPDATES: usize = 7;
/// The first of the sums of tallies.
const TALLY: usize = 8;

/// Ratios of two sums over the trials of a point, each with its name in the table: entries per
/// absorption; shares of the moments before the absorption; moves per update; and what the tallies
/// count.
pub const EFFECTS: [(&str, usize, usize); 9] = [
    ("entries_per_absorption", 1, ABSORBED),
    ("no_safe_cell", 4, MOMENTS),
    ("no_safe_move", 5, MOMENTS),
    ("all_signals_true", 6, MOMENTS),
    ("moves_per_update", MOVES, UPDATES),
    ("blocked_stretch", TALLY, TALLY + 1),
    ("dangerous_choices", TALLY + 3, TALLY + 2),
    ("informed_moves", TALLY + 4, TALLY + 5),
    ("missed_chances", TALLY + 7, TALLY + 6),
];

/// The effects at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Effects {
    pub trials: usize,
    /// The number of trials that were cut off; their moves, entries and moments up to there count.
    pub cut_off: usize,
    /// Queen moves of all trials.
    pub moves: u64,
    /// Moments of the series at which a trial was not yet absorbed.
    pub moments: u64,
    /// The estimates in the order of [`EFFECTS`]; `None` where there is nothing to take a share of.
    pub estimates: [Option<Estimate>; EFFECTS.len()],
}

impl Effects {
    /// `None` without a series.
    pub fn of(courses: &PointCourses) -> Option<Self> {
        if courses.trials.iter().all(|trial| trial.1.series.is_empty()) {
            return None;
        }
        let rows: Vec<[f64; N_COLUMNS]> = courses.trials.iter().map(sums).collect();
        let total = |column: usize| rows.iter().map(|row| row[column]).sum::<f64>();
        let of = |(_, above, below): (_, usize, usize)| {
            let pairs = rows.iter().map(|row| [row[above], row[below]]);
            ratio(&pairs.collect::<Vec<_>>())
        };
        Some(Self {
            trials: rows.len(),
            cut_off: courses.cut_off(),
            moves: total(MOVES) as u64,
            moments: total(MOMENTS) as u64,
            estimates: EFFECTS.map(of),
        })
    }
}

/// What a trial adds to the sums.
fn sums((row, course): &(Row, Course)) -> [f64; N_COLUMNS] {
    let outcome = &row.outcome;
    let end = outcome.absorption_time.unwrap_or(u64::MAX);
    let before = || {
        course
            .series
            .iter()
            .filter(|observation| observation.update < end)
    };
    // What was counted up to the last moment, and the moves up to there.
    let last = course.series.last();
    let counted = last.and_then(|state| Some((state.tally?, state.moves)));
    let (tally, n_tallied_moves) = counted.unwrap_or_default();
    reals([
        outcome.moves.unwrap_or(0),
        outcome.entries.unwrap_or(0),
        u64::from(outcome.absorption_time.is_some()),
        before().count() as u64,
        before()
            .filter(|observation| observation.safe_cells == 0)
            .count() as u64,
        before()
            .filter(|observation| observation.safe_moves == 0)
            .count() as u64,
        before()
            .filter(|observation| observation.true_signals == observation.signals)
            .count() as u64,
        outcome.updates.unwrap_or(0),
        tally.blocked_updates,
        tally.blocked_stretches,
        tally.choices,
        tally.dangerous_choices,
        tally.informed_moves,
        n_tallied_moves,
        tally.chances,
        tally.missed_chances,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{course_trial, pair_key};
    use crate::solver::Tally;

    /// Two trials, counted by hand.
    #[test]
    fn shares_are_pooled_over_trials_and_end_at_the_absorption() {
        let moments = [0, 10, 20, 30, 40];
        let mut trials = vec![
            course_trial(0, (Some(20), 100), &moments, |t| t.min(20)),
            course_trial(1, (None, 30), &moments, |t| t),
        ];
        for (row, course) in &mut trials {
            row.outcome.moves = Some(20);
            row.outcome.entries = Some(3);
            course.series[1].safe_cells = 0;
            let last = course.series.last_mut().expect("a moment");
            last.moves = 10;
            last.tally = Some(Tally {
                blocked_updates: 12,
                blocked_stretches: 1 + u64::from(row.trial),
                choices: 8,
                dangerous_choices: 2,
                informed_moves: 3,
                chances: 4,
                missed_chances: 3,
            });
        }
        trials[1].1.series[1].safe_cells = 4;
        let effects = Effects::of(&PointCourses {
            point: pair_key(8, 0.01),
            trials,
        })
        .expect("a series");
        assert_eq!((effects.trials, effects.cut_off, effects.moves), (2, 1, 40));
        // 0 and 10; 0, 10, 20 and 30.
        assert_eq!(effects.moments, 6);
        let values = effects.estimates.map(|it| it.map(|it| it.value));
        assert_eq!(values[..2], [Some(6.0), Some(1.0 / 6.0)]);
        // 20 updates of the first trial and 30 of the second.
        let tallied = [40.0 / 50.0, 24.0 / 3.0, 4.0 / 16.0, 6.0 / 20.0, 6.0 / 8.0];
        assert_eq!(values[4..], tallied.map(Some));
    }
}
