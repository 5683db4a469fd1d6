//! Means of the observables over trials, moment by moment. Here are the observables that a time
//! course shows and what each is a share of, which trials count at a moment (`observed`, `living`),
//! and `move_rate`.

use std::collections::BTreeMap;

use super::reals;
use crate::analysis::estimate::Estimate;
use crate::analysis::jackknife::ratio;
use crate::experiment::store::Row;
use crate::experiment::store::rows::PointCourses;
use crate::solver::course::Observation;

/// An observable of a state: its name, as in `series.parquet`, what is counted, and what that is a
/// share of; 1 for a number.
type Observable = (&'static str, fn(&Observation) -> [u64; 2]);

/// The observables in the order of `series.parquet`.
pub const OBSERVABLES: [Observable; 8] = [
    ("true_signals", |observation| {
        [observation.true_signals, observation.signals].map(u64::from)
    }),
    ("threatened", |observation| {
        [observation.threatened.into(), 1]
    }),
    ("attacked", |observation| [observation.attacked.into(), 1]),
    ("safe_cells", |observation| {
        [observation.safe_cells.into(), 1]
    }),
    ("truly_safe_cells", |observation| {
        [observation.truly_safe_cells.into(), 1]
    }),
    ("safe_moves", |observation| {
        [observation.safe_moves.into(), 1]
    }),
    ("conflicts", |observation| [observation.conflicts.into(), 1]),
    ("moves", |observation| [observation.moves, 1]),
];

/// What is known of one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Updates so far.
    pub update: u64,
    /// Trials that have a row here: those absorbed before, and those not yet cut off.
    pub observed: usize,
    /// Observed trials that are not yet absorbed.
    pub living: usize,
    /// The mean of each of [`OBSERVABLES`] over the observed trials, with the t interval of its
    /// logarithm.
    pub means: [Estimate; OBSERVABLES.len()],
    /// Queen moves an update of a trial that is not yet absorbed, since the moment before: Σ moves
    /// / Σ updates. `None` at the first moment, and where all trials are absorbed.
    pub move_rate: Option<Estimate>,
}

/// The course of the trials of one point in the order of time; nothing without a series.
pub fn time_course(courses: &PointCourses) -> Vec<Moment> {
    let mut rows: BTreeMap<u64, Vec<TrialAtMoment>> = BTreeMap::new();
    for (row, course) in &courses.trials {
        for (index, state) in course.series.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &course.series[index]);
            let seen = rows.entry(state.update).or_default();
            seen.push((row, before, state));
        }
    }
    rows.into_values().map(|seen| moment(&seen)).collect()
}

/// A trial at the moment before, if there is one, and at a moment.
type TrialAtMoment<'a> = (&'a Row, Option<&'a Observation>, &'a Observation);

fn moment(seen: &[TrialAtMoment]) -> Moment {
    let update = seen[0].2.update;
    let end = |row: &Row| row.outcome.absorption_time.unwrap_or(u64::MAX);
    // Moves since the moment before, and updates in which there could be some.
    let progress = |&(row, before, state): &TrialAtMoment| {
        let before = before?;
        let end = end(row);
        let updates = update.min(end) - before.update.min(end);
        Some(reals([state.moves - before.moves, updates]))
    };
    let progress: Vec<[f64; 2]> = seen.iter().filter_map(progress).collect();
    Moment {
        update,
        observed: seen.len(),
        living: seen.iter().filter(|trial| end(trial.0) > update).count(),
        means: OBSERVABLES.map(|observable| mean(observable, seen)),
        move_rate: ratio(&progress),
    }
}

/// The whole is the same for all states of a point; a share of nothing is 1.
fn mean((_, counts): Observable, seen: &[TrialAtMoment]) -> Estimate {
    let values: Vec<u64> = seen.iter().map(|trial| counts(trial.2)[0]).collect();
    match counts(seen[0].2)[1] {
        0 => Estimate::exactly(1.0),
        whole => Estimate::mean(&values).in_units(whole as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{course_trial, pair_key};

    /// Two trials: one absorbed at 50 with 5 moves, one cut off at 100 with 10 of them.
    #[test]
    fn absorbed_trials_stay_and_trials_cut_off_leave() {
        let moments = [0, 40, 60, 200];
        let courses = PointCourses {
            point: pair_key(8, 0.01),
            trials: vec![
                course_trial(0, (Some(50), 100), &moments, |t| t.min(50) / 10),
                course_trial(1, (None, 100), &moments, |t| t / 10),
            ],
        };
        let course = time_course(&courses);
        let seen = |it: &Moment| (it.update, it.observed, it.living);
        let seen: Vec<_> = course.iter().map(seen).collect();
        assert_eq!(seen, [(0, 2, 2), (40, 2, 2), (60, 2, 1), (200, 1, 0)]);
        let moves: Vec<f64> = course.iter().map(|it| it.means[7].value).collect();
        assert_eq!(moves, [0.0, 4.0, 5.5, 5.0]);
        // From 40 to 60: (1 + 2) moves in (10 + 20) updates.
        let rates = course.iter().map(|it| it.move_rate.map(|it| it.value));
        assert!(rates.eq([None, Some(0.1), Some(0.1), None]));
    }
}
