//! Which two runs of an experiment are compared, and comparing them, point by point.

use rayon::prelude::*;

use super::{Compared, RunSide};
use crate::analysis::comparison::{Comparison, PointComparison, seconds_ratio};
use crate::experiment::store::atomic::real_path;
use crate::experiment::version;
use crate::results::course_comparison::CourseComparison;
use crate::results::runs::CompleteRun;
use crate::results::{PointTrials, in_common};

/// The two runs of one experiment that are compared.
pub struct RunPair {
    pub experiment: String,
    pub a: CompleteRun,
    pub b: CompleteRun,
}

impl RunPair {
    /// True if both sides are one and the same folder.
    fn is_one_folder(&self) -> bool {
        let [a, b] = [&self.a, &self.b].map(|run| real_path(run.folder.path()));
        a == b
    }

    /// The parts of the sources that both sides depend on and that differ; `None` where a side does
    /// not name its parts and is of another code version.
    fn changed(&self) -> Option<Vec<String>> {
        let (a, b) = (&self.a.manifest, &self.b.manifest);
        let are_known = !a.parts.is_empty() && !b.parts.is_empty();
        (are_known || a.code_version == b.code_version)
            .then(|| version::differing(&a.parts, &b.parts))
    }
}

/// The two runs of each experiment that both sides have; two single runs are a pair under any
/// names.
pub fn paired(a: &[CompleteRun], b: &[CompleteRun]) -> Vec<RunPair> {
    let is_one_pair = a.len() + b.len() == 2;
    let name = |run: &CompleteRun| run.manifest.experiment.clone();
    let pair = |one: &CompleteRun| {
        let other = b.iter().find(|it| is_one_pair || name(it) == name(one))?;
        Some(RunPair {
            experiment: name(one),
            a: one.clone(),
            b: other.clone(),
        })
    };
    a.iter().filter_map(pair).collect()
}

/// Compares the runs of a pair.
pub fn compare(pair: RunPair) -> anyhow::Result<Compared> {
    let (a, b) = (pair.a.points()?, pair.b.points()?);
    // Of two machines a ratio of times would say which is the faster one.
    let machines = [&pair.a, &pair.b].map(|run| &run.manifest.machine);
    let is_one_machine = machines[0].cpu == machines[1].cpu && machines[0].os == machines[1].os;
    let seconds = match pair.is_one_folder() || !is_one_machine {
        true => None,
        false => {
            let [a, b] =
                [(&pair.a, &a), (&pair.b, &b)].map(|(run, it)| run.timings_of_searches(it));
            seconds_ratio(&a?, &b?)
        }
    };
    let definitions = [&pair.a, &pair.b].map(|run| &run.manifest.definitions);
    let both: Vec<_> = in_common(&a, &b, |x, y| x.point.order(&y.point)).collect();
    let compare = |(x, y): (&PointTrials, &PointTrials)| PointComparison::of(definitions, x, y);
    let points: Vec<PointComparison> = both.into_par_iter().map(compare).collect();
    let courses = CourseComparison::of(&pair.a, &pair.b)?;
    Ok(Compared {
        words: String::new(),
        same_folder: pair.is_one_folder(),
        changed: pair.changed(),
        comparison: Comparison {
            only_in_a: a.len() - points.len(),
            only_in_b: b.len() - points.len(),
            points,
        },
        courses: Some(courses).filter(|it| it.trials + it.other_rows > 0),
        seconds_ratio: seconds,
        a: RunSide::of(&pair.a),
        b: RunSide::of(&pair.b),
        experiment: pair.experiment,
    })
}

impl RunSide {
    fn of(run: &CompleteRun) -> Self {
        let manifest = &run.manifest;
        Self {
            folder: run.folder.path().display().to_string(),
            code_version: manifest.code_version.clone(),
            commit: manifest.commit.clone(),
            dirty: manifest.dirty,
        }
    }
}
