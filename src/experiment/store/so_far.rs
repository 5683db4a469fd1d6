//! What an unfinished run has.

use std::cmp::Reverse;

use super::parts::SetAside;
use super::{PointKey, PointTrials, Record};

/// The trials of an unfinished run that have begun and were told of.
#[derive(Debug, Clone, PartialEq)]
pub struct SoFar {
    /// Finished trials, and running ones: these are censored at the updates they have had, before
    /// their cutoff.
    pub trials: Vec<PointTrials>,
    /// Trials that have ended.
    pub finished: u64,
    /// Trials that have begun and not ended.
    pub running: u64,
    /// Files that are damaged; their rows are missing above.
    pub damaged: Vec<SetAside>,
}

impl SoFar {
    /// Each trial once: finished if it is, else as it was seen last.
    pub fn of(finished: Vec<Record>, running: Vec<Record>) -> Self {
        let mut all: Vec<(bool, Record)> =
            finished.into_iter().map(|record| (false, record)).collect();
        all.extend(running.into_iter().map(|record| (true, record)));
        all.sort_by(|(a_runs, a), (b_runs, b)| {
            a.order(b).then(
                (a_runs, Reverse(a.row.outcome.updates))
                    .cmp(&(b_runs, Reverse(b.row.outcome.updates))),
            )
        });
        all.dedup_by(|(_, later), (_, earlier)| later.is_of_the_trial_of(earlier));
        let running = all.iter().filter(|(runs, _)| *runs).count() as u64;
        let finished = all.len() as u64 - running;
        let of_point = |all: &[(bool, Record)]| PointTrials {
            point: PointKey::clone(&all[0].1.point),
            rows: all.iter().map(|(_, record)| record.row.clone()).collect(),
        };
        let same_point = |a: &(bool, Record), b: &(bool, Record)| a.1.point == b.1.point;
        let trials = all.chunk_by(same_point).map(of_point).collect();
        Self {
            trials,
            finished,
            running,
            damaged: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::experiment::store::Row;
    use crate::solver::course::Course;
    use crate::solver::{Ending, Outcome, Value};

    fn record(trial: u32, updates: u64, ending: Ending) -> Record {
        let point = Arc::new(PointKey::new("pair", [("n", Value::Integer(8))]));
        let absorption_time = (ending == Ending::Absorbed).then_some(updates);
        let row = Row {
            seed: 1,
            trial,
            cutoff: 100,
            outcome: Outcome {
                absorption_time,
                updates: Some(updates),
                ..Outcome::ended(ending)
            },
        };
        Record {
            point,
            row,
            repeat: 0,
            seconds: f64::NAN,
            course: Course::default(),
        }
    }

    #[test]
    fn a_trial_counts_once_and_as_finished_if_it_is() {
        let finished = vec![
            record(2, 50, Ending::Absorbed),
            record(0, 70, Ending::Absorbed),
            record(2, 50, Ending::Absorbed),
        ];
        let running = vec![
            record(0, 60, Ending::Censored),
            record(1, 30, Ending::Censored),
            record(1, 40, Ending::Censored),
        ];
        let so_far = SoFar::of(finished, running);
        assert_eq!((so_far.finished, so_far.running), (2, 1));
        let rows: Vec<_> = so_far.trials[0]
            .rows
            .iter()
            .map(|row| (row.trial, row.outcome.updates, row.outcome.ending))
            .collect();
        assert_eq!(
            rows,
            [
                (0, Some(70), Ending::Absorbed),
                (1, Some(40), Ending::Censored),
                (2, Some(50), Ending::Absorbed)
            ]
        );
    }
}
