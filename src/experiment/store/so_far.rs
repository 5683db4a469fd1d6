//! What an unfinished run has.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::iter::Peekable;
use std::sync::Arc;

use super::parts::SetAside;
use super::rows::{Iter, Rows, RowsBuilder};
use super::{PointKey, PointTrials, Record, RecordKey, Row};

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

/// Gathers the rows of an unfinished run from its files, in whatever order these come, in few bytes
/// each and without their courses.
#[derive(Default)]
pub struct Gathering {
    strands: Vec<Strand>,
    /// Of the row that was added last, and whether its trial was running.
    last: Option<(RecordKey, bool)>,
}

/// Rows of one point, sorted: those of a file, or of several that follow each other.
struct Strand {
    point: Arc<PointKey>,
    /// Whether the trials were running.
    are_running: bool,
    rows: RowsBuilder,
}

impl Gathering {
    /// Adds rows of a file, which are sorted, of trials that have ended or that were running.
    pub fn add(&mut self, records: &[Record], are_running: bool) {
        for record in records {
            let key = record.key();
            let goes_on = |(last, were_running): &(RecordKey, bool)| {
                last.point == key.point && last.place < key.place && *were_running == are_running
            };
            if !self.last.as_ref().is_some_and(goes_on) {
                self.strands.push(Strand {
                    point: Arc::clone(&record.point),
                    are_running,
                    rows: RowsBuilder::default(),
                });
            }
            let strand = self.strands.last_mut().expect("one was pushed first");
            strand.rows.push(record.row.clone());
            self.last = Some((key, are_running));
        }
    }

    /// Each trial once: finished if it is, else as it was seen last.
    pub fn end(mut self, damaged: Vec<SetAside>) -> SoFar {
        let mut so_far = SoFar {
            trials: Vec::new(),
            finished: 0,
            running: 0,
            damaged,
        };
        self.strands.sort_by(|a, b| a.point.order(&b.point));
        let mut strands = self.strands.into_iter().peekable();
        while let Some(first) = strands.next() {
            let point = Arc::clone(&first.point);
            let mut of_point = vec![first.finish()];
            while let Some(next) = strands.next_if(|next| next.point == point) {
                of_point.push(next.finish());
            }
            let rows = each_once(&of_point, &mut so_far);
            let point = PointKey::clone(&point);
            so_far.trials.push(PointTrials { point, rows });
        }
        so_far
    }
}

impl Strand {
    fn finish(self) -> (bool, Rows) {
        (self.are_running, self.rows.finish())
    }
}

/// The rows of one point in order, each trial once; counts them.
fn each_once(strands: &[(bool, Rows)], count: &mut SoFar) -> Rows {
    // Which row of a trial comes first: that of its end, else that of the most updates.
    let place = |rows: &mut Peekable<Iter>, are_running: bool| {
        let Row {
            seed,
            trial,
            ref outcome,
            ..
        } = *rows.peek()?;
        Some((seed, trial, are_running, Reverse(outcome.updates)))
    };
    let mut rows: Vec<Peekable<Iter>> = strands.iter().map(|it| it.1.iter().peekable()).collect();
    let mut heads = BinaryHeap::new();
    for (at, rows) in rows.iter_mut().enumerate() {
        heads.extend(place(rows, strands[at].0).map(|place| Reverse((place, at))));
    }
    let (mut kept, mut last) = (RowsBuilder::default(), None);
    while let Some(mut least) = heads.peek_mut() {
        let Reverse(((seed, trial, are_running, _), at)) = *least;
        let row = rows[at].next();
        match place(&mut rows[at], strands[at].0) {
            Some(next) => *least = Reverse((next, at)),
            None => drop(PeekMut::pop(least)),
        }
        if last != Some((seed, trial)) {
            kept.extend(row);
            *(if are_running {
                &mut count.running
            } else {
                &mut count.finished
            }) += 1;
            last = Some((seed, trial));
        }
    }
    kept.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let finished = [
            record(2, 50, Ending::Absorbed),
            record(0, 70, Ending::Absorbed),
            record(2, 50, Ending::Absorbed),
        ];
        let running = [
            record(0, 60, Ending::Censored),
            record(1, 30, Ending::Censored),
            record(1, 40, Ending::Censored),
        ];
        let mut gathering = Gathering::default();
        gathering.add(&finished[..2], false);
        gathering.add(&running[..1], true);
        gathering.add(&finished[2..], false);
        gathering.add(&running[1..], true);
        let so_far = gathering.end(Vec::new());
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
