//! The complete points of an unfinished run.

use polars::prelude::PolarsResult;

use super::points::{CourseEntries, Entries};
use super::rows::Rows;
use super::{PointCourses, PointTrials};
use crate::experiment::plan::Plan;
use crate::experiment::store::StoreError;
use crate::experiment::store::folder::{RunFolder, SetAside};
use crate::experiment::store::schema::{self, MOVES, SERIES, TRIALS};
use crate::experiment::store::stored::Stored;
use crate::experiment::store::table::{Table, joined};

/// The points of an unfinished run whose trials have all ended and are saved. The trials that a
/// point has before that say too little of it: the short ones end first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompletePoints {
    pub trials: Vec<PointTrials>,
    /// The courses of those that wrote one down.
    pub courses: Vec<PointCourses>,
    /// What is damaged, whose rows are missing above.
    pub damaged: Vec<SetAside>,
}

impl RunFolder {
    /// The complete points of an unfinished run of the plan. All rows are in memory at once.
    pub fn complete_points(&self, plan: &Plan) -> Result<CompletePoints, StoreError> {
        let mut saved = Saved::default();
        let damaged = self.scan_parts(&mut |part| saved.add(part))?;
        if self.is_complete() {
            let reason = "the run was completed while it was read: the same command reads it whole";
            return Err(StoreError::format(self.path(), reason));
        }
        let wrong = |reason: String| StoreError::format(self.path(), reason);
        let trials = saved.complete(plan);
        let trials = trials.map_err(|error| wrong(error.to_string()))?;
        let courses = saved.courses().map_err(|error| wrong(error.to_string()))?;
        let courses = courses.of(&trials);
        Ok(CompletePoints {
            courses: courses.map_err(|(name, reason)| wrong(format!("{name}: {reason}")))?,
            trials,
            damaged,
        })
    }
}

/// The tables of the parts of a run.
#[derive(Default)]
struct Saved {
    trials: Vec<Table>,
    series: Vec<Table>,
    moves: Vec<Table>,
}

impl Saved {
    fn add(&mut self, part: &Stored) -> Result<(), StoreError> {
        part.check().next().map_or(Ok(()), Err)?;
        let trials = part.table(TRIALS)?;
        let read = |name| part.has(name).then(|| part.table(name)).transpose();
        let (series, moves) = (read(SERIES)?, read(MOVES)?);
        self.trials.push(trials);
        self.series.extend(series);
        self.moves.extend(moves);
        Ok(())
    }

    /// The complete points; a trial may come twice.
    fn complete(&self, plan: &Plan) -> PolarsResult<Vec<PointTrials>> {
        let Some(table) = as_one(&self.trials)? else {
            return Ok(Vec::new());
        };
        let mut points = Rows::by_point(table)?;
        points.retain(|PointTrials { point, rows }| {
            let all = plan.at(point).map(|planned| u64::from(planned.trials));
            all.map(|trials| trials * plan.seeds.len() as u64) == Some(rows.len() as u64)
        });
        Ok(points)
    }

    fn courses(&self) -> PolarsResult<CourseEntries> {
        let series = as_one(&self.series)?.map(|table| Entries::of(&schema::series(), table));
        let moves = as_one(&self.moves)?.map(|table| Entries::of(&schema::moves(), table));
        Ok(CourseEntries {
            series: series.transpose()?,
            moves: moves.transpose()?,
        })
    }
}

/// The rows of tables as one, in which each trial is once.
fn as_one(tables: &[Table]) -> PolarsResult<Option<Table>> {
    let Some(first) = tables.first() else {
        return Ok(None);
    };
    let mut all = first.frame.clear();
    joined(tables, false, &mut |table| {
        all.vstack_mut_owned(table.frame).map(drop)
    })?;
    all.rechunk_mut();
    Table::of(all).map(Some)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::experiment::store::Record;
    use crate::experiment::store::table::Axes;
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
            let mut records = [Record::bare(&points[point], trial)];
            let mut tables = schema::tables(&Axes::default(), &mut records).expect("a table");
            let (_, frame) = tables.swap_remove(0);
            saved
                .trials
                .push(Table::of(frame).expect("our own columns"));
        }
        let complete = saved.complete(&plan).expect("our own columns");
        assert_eq!(complete.len(), 1, "n = 5 lacks trial 1");
        assert_eq!(complete[0].point, *points[0]);
        let trials: Vec<_> = complete[0].rows.iter().map(|row| row.trial).collect();
        assert_eq!(trials, [0, 1, 2]);
    }
}
