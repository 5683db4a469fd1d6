//! The complete points of an unfinished run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{PointCourses, PointTrials};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::SetAside;
use crate::experiment::store::{Point, Record, RunKey, StoreError};

/// The points of an unfinished run whose trials have all ended and are saved. The trials that a
/// point has before that say too little of it: the short ones end first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompletePoints {
    pub trials: Vec<PointTrials>,
    /// The courses of those that wrote one down.
    pub courses: Vec<PointCourses>,
    /// Files that are damaged, whose rows are missing above.
    pub damaged: Vec<SetAside>,
}

impl RunFolder {
    /// The complete points of an unfinished run of the plan. All rows are in memory at once.
    pub fn complete_points(&self, plan: &Plan) -> Result<CompletePoints, StoreError> {
        let mut saved = Saved::default();
        let damaged = self.scan_parts(&mut |records| {
            saved.add(records);
            records.iter().all(|it| plan.has(it))
        })?;
        if self.is_complete() {
            let reason = "the run was completed while it was read: the same command reads it whole";
            return Err(StoreError::format(self.path(), reason));
        }
        Ok(CompletePoints {
            damaged,
            ..saved.complete(plan)
        })
    }
}

/// The rows of an unfinished run, from its files in whatever order these come.
#[derive(Default)]
struct Saved(BTreeMap<Arc<Point>, BTreeMap<RunKey, Record>>);

impl Saved {
    /// Adds rows of a file; a row may come twice.
    fn add(&mut self, records: &[Record]) {
        for records in records.chunk_by(|a, b| Arc::ptr_eq(&a.point, &b.point)) {
            let of_point = self.0.entry(Arc::clone(&records[0].point)).or_default();
            of_point.extend(records.iter().map(|it| (it.run_key(), it.clone())));
        }
    }

    fn complete(self, plan: &Plan) -> CompletePoints {
        let mut complete = CompletePoints::default();
        for (point, records) in self.0 {
            let runs = |it: &PlannedPoint| it.runs() * plan.seeds.len() as u64;
            if plan.at(&point).map(runs) != Some(records.len() as u64) {
                continue;
            }
            let point = Point::clone(&point);
            let records = records.into_values().filter(|it| it.repeat == 0);
            let (rows, trials): (Vec<_>, Vec<_>) = records
                .map(|it| (it.row.clone(), (it.row, it.course)))
                .unzip();
            if trials.iter().any(|(_, course)| course.entries() > 0) {
                let point = point.clone();
                complete.courses.push(PointCourses { point, trials });
            }
            let rows = rows.into_iter().collect();
            complete.trials.push(PointTrials { point, rows });
        }
        complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::DynamicsChoice;

    #[test]
    fn a_point_counts_when_all_its_trials_have_ended_and_each_of_them_once() {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.01\ntrials = 3\ncutoff = 9\n";
        let plan = Plan::example(text, DynamicsChoice::Auto);
        let points: Vec<_> = plan
            .points
            .iter()
            .map(|it| Arc::new(it.point.clone()))
            .collect();
        let mut saved = Saved::default();
        for (point, trial) in [(0, 2), (1, 0), (0, 0), (0, 2), (1, 2), (0, 1)] {
            saved.add(&[Record::bare(&points[point], trial)]);
        }
        let complete = saved.complete(&plan).trials;
        assert_eq!(complete.len(), 1, "n = 5 lacks trial 1");
        assert_eq!(complete[0].point, *points[0]);
        let trials: Vec<_> = complete[0].rows.iter().map(|row| row.trial).collect();
        assert_eq!(trials, [0, 1, 2]);
    }
}
