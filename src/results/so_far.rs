//! What an unfinished run has.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::PointTrials;
use super::rows::Rows;
use crate::experiment::plan::Plan;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::SetAside;
use crate::experiment::store::{Point, Record, Row, StoreError};

/// The trials of an unfinished run that have begun and are recorded in its files.
#[derive(Debug, Clone, PartialEq)]
pub struct SoFar {
    /// Finished trials, and running ones: these are censored at the updates they have had, before
    /// their cutoff.
    pub trials: Vec<PointTrials>,
    pub finished: u64,
    pub running: u64,
    /// Files that are damaged; their rows are missing above.
    pub damaged: Vec<SetAside>,
}

impl RunFolder {
    /// What an unfinished run of the plan has so far, its shards included: finished trials, and
    /// those that were running at the last save, which are censored before their cutoff; without
    /// their courses. All rows are in memory at once.
    pub fn so_far(&self, plan: &Plan) -> Result<SoFar, StoreError> {
        let (mut gathered, mut damaged) = (GatheredParts::default(), Vec::new());
        let mut finished = |records: &[Record]| {
            gathered.add(records, false);
            plan.has_finished(records)
        };
        damaged.extend(self.scan_parts(&mut finished)?);
        damaged.extend(self.scan_shards(&mut finished)?);
        let shards = self.shards()?.into_iter().map(|shard| self.shard(shard));
        for folder in std::iter::once(self.clone()).chain(shards) {
            damaged.extend(folder.scan_running(&mut |records| {
                gathered.add(records, true);
                plan.has_rows(records)
            })?);
        }
        if self.is_complete() {
            let reason = "the run was completed while it was read: the same command reads it whole";
            return Err(StoreError::format(self.path(), reason));
        }
        Ok(gathered.end(damaged))
    }
}

/// Rows of an unfinished run, from its files in whatever order these come, ordered by point.
#[derive(Default)]
struct GatheredParts(BTreeMap<Arc<Point>, OfPoint>);

#[derive(Default)]
struct OfPoint {
    /// Finished rows in batches of files, in few bytes each.
    finished: Vec<Rows>,
    /// Running trials by seed and trial, each as it was seen last.
    running: BTreeMap<(u64, u32), Row>,
}

impl GatheredParts {
    /// Adds rows of a file, of trials that have ended or that were running.
    fn add(&mut self, records: &[Record], are_running: bool) {
        for records in records.chunk_by(|a, b| Arc::ptr_eq(&a.point, &b.point)) {
            let of_point = self.0.entry(Arc::clone(&records[0].point));
            let OfPoint { finished, running } = of_point.or_default();
            let rows = records.iter().map(|record| record.row.clone());
            if !are_running {
                finished.push(rows.collect());
                continue;
            }
            for row in rows {
                let known = running.entry((row.seed, row.trial));
                let known = known.or_insert_with(|| row.clone());
                if row.outcome.updates > known.outcome.updates {
                    *known = row;
                }
            }
        }
    }

    /// Each trial once: finished if it is, else as it was seen last.
    fn end(self, damaged: Vec<SetAside>) -> SoFar {
        let mut so_far = SoFar {
            trials: Vec::new(),
            finished: 0,
            running: 0,
            damaged,
        };
        for (point, of_point) in self.0 {
            let point = Point::clone(&point);
            let (rows, [finished, running]) = of_point.each_once();
            so_far.finished += finished;
            so_far.running += running;
            so_far.trials.push(PointTrials { point, rows });
        }
        so_far
    }
}

impl OfPoint {
    /// The rows in order, each trial once, and how many of them are finished and running.
    fn each_once(self) -> (Rows, [u64; 2]) {
        let finished = self.finished.len() as u32;
        let mut batches = self.finished;
        batches.push(self.running.into_values().collect());
        let indices = batches.iter().zip(0_u32..);
        let indices = indices.flat_map(|(rows, batch)| (0..rows.len()).map(move |at| (batch, at)));
        let mut indices: Vec<(u32, u32)> = indices.map(|(batch, at)| (batch, at as u32)).collect();
        let trial = |&(batch, at): &(u32, u32)| batches[batch as usize].trial(at as usize);
        // Batches are sorted, which a stable sort makes use of; the running ones are last.
        indices.sort_by_key(trial);
        indices.dedup_by_key(|index| trial(index));
        let running = indices.iter().filter(|it| it.0 == finished).count() as u64;
        let row = |&(batch, at): &(u32, u32)| batches[batch as usize].row(at as usize, true);
        let rows = indices.iter().map(row).collect();
        (rows, [indices.len() as u64 - running, running])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Ending, Value};

    #[test]
    fn a_trial_counts_once_and_as_finished_if_it_is() {
        let point = Arc::new(Point::new("pair", [("n", Value::Integer(8))]));
        let record = |trial: u32, updates: u64, ending: Ending| {
            let mut record = Record::bare(&point, trial);
            record.row.outcome.ending = ending;
            record.row.outcome.updates = Some(updates);
            record
        };
        let finished = [(2, 50), (0, 70), (2, 50)].map(|(a, b)| record(a, b, Ending::Absorbed));
        let running = [(0, 60), (1, 30), (1, 40), (7, 1)]
            .map(|(trial, updates)| record(trial, updates, Ending::Censored));
        let mut gathered = GatheredParts::default();
        for (record, are_running) in [
            (&finished[0], false),
            (&running[0], true),
            (&finished[1], false),
            (&running[1], true),
            (&running[2], true),
            (&finished[2], false),
            (&running[3], true),
        ] {
            gathered.add(std::slice::from_ref(record), are_running);
        }
        let so_far = gathered.end(Vec::new());
        assert_eq!((so_far.finished, so_far.running), (2, 2));
        let rows = so_far.trials[0].rows.iter();
        let rows: Vec<_> = rows.map(|row| (row.trial, row.outcome.updates)).collect();
        assert_eq!(
            rows,
            [(0, Some(70)), (1, Some(40)), (2, Some(50)), (7, Some(1))]
        );
    }
}
