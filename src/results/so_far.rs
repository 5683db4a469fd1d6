//! What an unfinished run has.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::iter::Peekable;
use std::sync::Arc;

use super::PointTrials;
use super::rows::{Iter, Rows, RowsBuilder};
use crate::experiment::plan::Plan;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::SetAside;
use crate::experiment::store::{Point, Record, RecordKey, Row, StoreError, schema};

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

impl RunFolder {
    /// What an unfinished run of the plan has so far, its shards included: finished trials, and
    /// those that were running at the last save, which are censored before their cutoff; without
    /// their courses. All rows are in memory at once.
    ///
    /// # Errors
    /// As [`Self::look_at_parts`].
    pub fn so_far(&self, plan: &Plan) -> Result<SoFar, StoreError> {
        let (mut gathering, mut damaged) = (Gathering::default(), Vec::new());
        let shards = self.shards()?.into_iter().map(|shard| self.shard(shard));
        for folder in std::iter::once(self.clone()).chain(shards) {
            if folder.is_complete() {
                damaged.extend(folder.rows_of_shard(&mut gathering)?);
            }
            damaged.extend(folder.look_at_parts(&mut |records| {
                gathering.add(records, false);
                plan.has_rows(records)
            })?);
            damaged.extend(folder.look_at_running(&mut |records| {
                gathering.add(records, true);
                plan.has_rows(records)
            })?);
        }
        Ok(gathering.end(damaged))
    }

    /// Adds the rows of a complete shard, unless it is damaged.
    fn rows_of_shard(&self, gathering: &mut Gathering) -> Result<Option<SetAside>, StoreError> {
        let mut read = || -> Result<(), StoreError> {
            let table = CompleteRun::at(self.clone())?.table(schema::part())?;
            for batch in table {
                gathering.add(&batch?, false);
            }
            Ok(())
        };
        match read() {
            Ok(()) => Ok(None),
            Err(error) if error.is_damage() => Ok(Some(SetAside {
                path: self.path().to_path_buf(),
                reason: error.to_string(),
            })),
            Err(error) => Err(error),
        }
    }
}

/// Gathers the rows of an unfinished run from its files, in whatever order these come, in few bytes
/// each and without their courses.
#[derive(Default)]
struct Gathering {
    strands: Vec<Strand>,
    /// That of the row that was added last.
    open: Option<Open>,
}

/// Rows of one point, sorted: those of a file, or of several that follow each other.
struct Strand {
    point: Arc<Point>,
    /// Whether the trials were running.
    are_running: bool,
    rows: Rows,
}

/// A strand that may go on.
struct Open {
    last: RecordKey,
    are_running: bool,
    rows: RowsBuilder,
}

impl Gathering {
    /// Adds rows of a file, which are sorted, of trials that have ended or that were running.
    pub fn add(&mut self, records: &[Record], are_running: bool) {
        for record in records {
            let key = record.key();
            match &mut self.open {
                Some(open) if open.goes_on_with(&key, are_running) => open.last = key,
                _ => self.begin(key, are_running),
            }
            if let Some(open) = &mut self.open {
                open.rows.push(record.row.clone());
            }
        }
    }

    /// Begins a strand. The rows of the one before are made small: a file may have many points.
    fn begin(&mut self, last: RecordKey, are_running: bool) {
        let next = Open {
            last,
            are_running,
            rows: RowsBuilder::default(),
        };
        let before = self.open.replace(next);
        self.strands.extend(before.map(Open::finish));
    }

    /// Each trial once: finished if it is, else as it was seen last.
    pub fn end(mut self, damaged: Vec<SetAside>) -> SoFar {
        let mut so_far = SoFar {
            trials: Vec::new(),
            finished: 0,
            running: 0,
            damaged,
        };
        self.strands.extend(self.open.map(Open::finish));
        self.strands.sort_by(|a, b| a.point.order(&b.point));
        let mut strands = self.strands.into_iter().peekable();
        while let Some(first) = strands.next() {
            let point = Arc::clone(&first.point);
            let mut of_point = vec![first];
            while let Some(next) = strands.next_if(|next| next.point == point) {
                of_point.push(next);
            }
            let rows = each_once(&of_point, &mut so_far);
            let point = Point::clone(&point);
            so_far.trials.push(PointTrials { point, rows });
        }
        so_far
    }
}

impl Open {
    fn goes_on_with(&self, next: &RecordKey, are_running: bool) -> bool {
        let RecordKey { point, place } = &self.last;
        self.are_running == are_running && *place < next.place && *point == next.point
    }

    fn finish(self) -> Strand {
        Strand {
            point: self.last.point,
            are_running: self.are_running,
            rows: self.rows.finish(),
        }
    }
}

/// The rows of one point in order, each trial once; counts them.
fn each_once(strands: &[Strand], count: &mut SoFar) -> Rows {
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
    let mut rows: Vec<Peekable<Iter>> =
        strands.iter().map(|it| it.rows.iter().peekable()).collect();
    let mut heads = BinaryHeap::new();
    for (at, rows) in rows.iter_mut().enumerate() {
        heads.extend(place(rows, strands[at].are_running).map(|place| Reverse((place, at))));
    }
    let (mut kept, mut last) = (RowsBuilder::default(), None);
    while let Some(mut least) = heads.peek_mut() {
        let Reverse(((seed, trial, are_running, _), at)) = *least;
        let row = rows[at].next();
        match place(&mut rows[at], strands[at].are_running) {
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
        let point = Arc::new(Point::new("pair", [("n", Value::Integer(8))]));
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
