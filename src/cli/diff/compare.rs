//! Which two runs of an experiment are compared, and comparing them, some points at a time.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::Compared;
use crate::analysis::comparison::{Comparison, PointComparison, seconds_ratio};
use crate::cli::named::place;
use crate::experiment::store::StoreError;
use crate::experiment::version;
use crate::results::PointTrials;
use crate::results::course_comparison::CourseComparison;
use crate::results::points::Points;
use crate::results::runs::{self, CompleteRun, newest_first};

/// The two runs of one experiment that are compared.
pub struct Pair {
    pub experiment: String,
    pub a: CompleteRun,
    pub b: CompleteRun,
}

impl Pair {
    /// The parts of the sources that both sides depend on and that differ; `None` where a side does
    /// not name its parts and is of another code version.
    pub fn changed(&self) -> Option<Vec<String>> {
        let (a, b) = (&self.a.manifest, &self.b.manifest);
        let are_known = !a.parts.is_empty() && !b.parts.is_empty();
        (are_known || a.code_version == b.code_version)
            .then(|| version::differing(&a.parts, &b.parts))
    }
}

/// The two runs of each experiment: the newest two of one plan if there are any, else the newest of
/// each side; never a folder with itself. Two single runs are a pair under any names. And the
/// experiments of which both sides have one and the same folder only, in words.
pub fn paired(a: &[CompleteRun], b: &[CompleteRun]) -> (Vec<Pair>, Vec<String>) {
    let sides = match (a, b) {
        ([one], [other]) => vec![(vec![one], vec![other])],
        _ => runs::experiments(a)
            .into_iter()
            .map(|name| (newest_first(a, name), newest_first(b, name)))
            .collect(),
    };
    let (mut pairs, mut same) = (Vec::new(), Vec::new());
    for (a, b) in sides {
        match newest_pair(&a, &b) {
            Some((a, b)) => pairs.push(Pair {
                experiment: a.manifest.experiment.clone(),
                a: a.clone(),
                b: b.clone(),
            }),
            None => same.extend(same_folder(&a, &b)),
        }
    }
    (pairs, same)
}

/// Of all that are two folders, those of one plan first, then the newest.
fn newest_pair<'r>(
    a: &[&'r CompleteRun],
    b: &[&'r CompleteRun],
) -> Option<(&'r CompleteRun, &'r CompleteRun)> {
    let all = a.iter().flat_map(|a| b.iter().map(|b| (*a, *b)));
    let two = all.filter(|(a, b)| place(a) != place(b));
    two.min_by_key(|(a, b)| a.manifest.plan_hash != b.manifest.plan_hash)
}

/// The experiment and the folder that both sides have, if there is one.
fn same_folder(a: &[&CompleteRun], b: &[&CompleteRun]) -> Option<String> {
    let both = a
        .iter()
        .find(|run| b.iter().any(|other| place(run) == place(other)))?;
    let (experiment, path) = (&both.manifest.experiment, both.folder.path().display());
    Some(format!("{experiment}: A and B are the same folder, {path}"))
}

/// Points are compared side by side once they have so many rows together.
const ROWS: usize = 1 << 17;

/// Compares the runs of a pair; their rows are kept where something is `drawn` of them.
pub fn compare(pair: Pair, drawn: bool) -> anyhow::Result<Compared> {
    // First, since the seconds of all trials are in memory at once.
    let [a, b] = [&pair.a, &pair.b].map(|run| run.timed_trials());
    let seconds = seconds_ratio(a?, b?)?;
    let definitions = [&pair.a, &pair.b].map(|run| &run.manifest.definitions);
    let mut sides = BothSides::open(&pair)?;
    let (mut points, mut trials) = (Vec::new(), [Vec::new(), Vec::new()]);
    loop {
        let both = sides.next_points()?;
        if both.is_empty() {
            break;
        }
        let compared = both
            .par_iter()
            .map(|(x, y)| PointComparison::of(definitions, x, y));
        points.extend(compared.collect::<Vec<_>>());
        for (x, y) in both.into_iter().filter(|_| drawn) {
            trials[0].push(x);
            trials[1].push(y);
        }
    }
    let comparison = Comparison {
        points,
        alone: sides.alone,
    };
    let courses = CourseComparison::of(&pair.a, &pair.b)?;
    Ok(Compared {
        comparison,
        trials,
        courses,
        seconds,
        pair,
    })
}

/// The points of two runs, which both are in the order of their tables.
struct BothSides {
    readers: [Points; 2],
    /// The next of each side.
    next: [Option<PointTrials>; 2],
    /// Points that only one side has, so far.
    alone: [usize; 2],
}

impl BothSides {
    fn open(pair: &Pair) -> Result<Self, StoreError> {
        let [a, b] = [&pair.a, &pair.b].map(|run| run.points());
        let mut sides = Self {
            readers: [a?, b?],
            next: [None, None],
            alone: [0, 0],
        };
        sides.advance([true, true])?;
        Ok(sides)
    }

    /// Some points that both sides have; none after the last.
    fn next_points(&mut self) -> Result<Vec<(PointTrials, PointTrials)>, StoreError> {
        let (mut points, mut rows) = (Vec::new(), 0);
        while rows < ROWS {
            let order = match &self.next {
                [None, None] => break,
                [Some(_), None] => Ordering::Less,
                [None, Some(_)] => Ordering::Greater,
                [Some(a), Some(b)] => a.point.order(&b.point),
            };
            let taken = [order.is_le(), order.is_ge()];
            if let [Some(a), Some(b)] = &mut self.next
                && order.is_eq()
            {
                rows += a.rows.len() + b.rows.len();
                points.push((a.clone(), b.clone()));
            } else {
                self.alone[usize::from(order.is_gt())] += 1;
            }
            self.advance(taken)?;
        }
        Ok(points)
    }

    /// Reads on where `taken` says so, both sides at once.
    fn advance(&mut self, taken: [bool; 2]) -> Result<(), StoreError> {
        let [of_a, of_b] = &mut self.readers;
        let (a, b) = rayon::join(
            || taken[0].then(|| of_a.next()),
            || taken[1].then(|| of_b.next()),
        );
        for (next, read) in self.next.iter_mut().zip([a, b]) {
            if let Some(read) = read {
                *next = None;
                *next = read.transpose()?;
            }
        }
        Ok(())
    }
}
