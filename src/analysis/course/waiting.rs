//! Waits between moves, and runs of safe moves.

use itertools::Itertools;

use super::{estimate, relaxation_time};
use crate::analysis::estimate::Estimate;
use crate::results::PointCourses;
use crate::solver::Point;
use crate::solver::course::QueenMove;

/// Waits and runs that begin before so many relaxation times of the signals are of the transient.
const TRANSIENT: f64 = 2.0;

/// Name of the moves of whatever kind.
pub const ALL: &str = "all";

/// Moves that are waited for: their name, and which they are.
type Kind = (&'static str, fn(&QueenMove) -> bool);

/// Any, those that needed their coin of ε, and the others.
const KINDS: [Kind; 3] = [
    (ALL, |_| true),
    ("dangerous", |it| it.dangerous),
    ("safe", |it| !it.dangerous),
];

/// The waits in the trials of one point.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingTimes {
    pub point: Point,
    pub trials: usize,
    /// The number of trials that were cut off; their moves end there.
    pub cut_off: usize,
    /// Updates that are left out as the transient.
    pub transient: u64,
    /// The waits of each kind that has any.
    pub waits: Vec<Waits>,
    /// `None` without two dangerous moves in one trial.
    pub runs: Option<Runs>,
}

/// The waits between successive moves of one kind, pooled over the trials.
#[derive(Debug, Clone, PartialEq)]
pub struct Waits {
    pub kind: &'static str,
    /// Number of waits.
    pub gaps: u64,
    /// The mean wait, in updates.
    pub mean: Estimate,
    /// Standard deviation / mean, both of the pooled waits; 1 if they are exponential.
    pub variation: Estimate,
}

/// Runs of safe moves: their numbers between two successive dangerous moves of one trial, the first
/// of which comes after the transient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Runs {
    /// Number of runs, those of no safe move included.
    pub runs: u64,
    /// Share of runs without a safe move: P(0).
    pub none: Estimate,
    /// Share of runs of three or more: P(≥ 3). Tosses of a coin would give (1 − P(0))³.
    pub three_or_more: Estimate,
}

impl WaitingTimes {
    /// `None` without two moves in one trial after the transient.
    pub fn of(courses: &PointCourses) -> Option<Self> {
        let transient = TRANSIENT * relaxation_time(&courses.point).unwrap_or(0.0);
        let transient = transient.round() as u64;
        let moves: Vec<&[QueenMove]> = courses.trials.iter().map(|it| &*it.1.moves).collect();
        let waits = KINDS.map(|kind| waits(kind, &moves, transient));
        let waits: Vec<Waits> = waits.into_iter().flatten().collect();
        (!waits.is_empty()).then(|| Self {
            point: courses.point.clone(),
            trials: courses.trials.len(),
            cut_off: courses.cut_off(),
            transient,
            waits,
            runs: runs(&moves, transient),
        })
    }
}

fn waits((kind, is_own): Kind, moves: &[&[QueenMove]], transient: u64) -> Option<Waits> {
    let gaps_of = |moves: &&[QueenMove]| {
        let updates = moves.iter().filter(|it| is_own(it)).map(|it| it.update);
        let settled = updates.skip_while(|&update| update < transient);
        settled
            .tuple_windows()
            .map(|(one, next)| next - one)
            .collect()
    };
    let gaps: Vec<Vec<u64>> = moves.iter().map(gaps_of).collect();
    let sums = |gaps: &Vec<u64>| {
        let values = || gaps.iter().map(|&gap| gap as f64);
        let squares = values().map(|it| it * it);
        [gaps.len() as f64, values().sum(), squares.sum()]
    };
    let rows: Vec<[f64; 3]> = gaps.iter().map(sums).collect();
    let mean = estimate(&rows, |[count, sum, _]| sum / count)?;
    let variation = estimate(&rows, |[count, sum, squares]| {
        let mean = sum / count;
        (squares / count - mean * mean).max(0.0).sqrt() / mean
    })?;
    Some(Waits {
        kind,
        gaps: rows.iter().map(|row| row[0]).sum::<f64>() as u64,
        mean,
        variation,
    })
}

fn runs(moves: &[&[QueenMove]], transient: u64) -> Option<Runs> {
    let row = |moves: &&[QueenMove]| {
        let is_dangerous = |it: &QueenMove| it.dangerous && it.update >= transient;
        let indices: Vec<usize> = moves.iter().positions(is_dangerous).collect();
        let lengths = || indices.windows(2).map(|pair| pair[1] - pair[0] - 1);
        let count = |is: fn(usize) -> bool| lengths().filter(|&it| is(it)).count() as f64;
        [count(|_| true), count(|it| it == 0), count(|it| it >= 3)]
    };
    let rows: Vec<[f64; 3]> = moves.iter().map(row).collect();
    Some(Runs {
        runs: rows.iter().map(|row| row[0]).sum::<f64>() as u64,
        none: estimate(&rows, |[runs, none, _]| none / runs)?,
        three_or_more: estimate(&rows, |[runs, _, three]| three / runs)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{course_trial, moving, pair_key};

    fn of(moves: &[&[(u64, bool)]]) -> WaitingTimes {
        let trial = |(trial, moves): (usize, &&[(u64, bool)])| {
            let (row, course) = course_trial(trial as u32, (Some(90_000), 100_000), &[], |_| 0);
            (row, moving(course, moves))
        };
        let courses = PointCourses {
            point: pair_key(2, 0.01),
            trials: moves.iter().enumerate().map(trial).collect(),
        };
        WaitingTimes::of(&courses).expect("waits")
    }

    /// The expected waits are by hand; the transient of n = 2 is 2 · 1.38 · 6 · 2 = 33 updates.
    #[test]
    fn waits_and_runs_are_those_counted_by_hand() {
        let found = of(&[
            &[(10, true), (40, true), (50, false), (70, true)],
            &[(100, false), (130, false), (190, true)],
        ]);
        assert_eq!((found.trials, found.transient), (2, 33));
        let [all, dangerous, safe] = &found.waits[..] else {
            panic!("three kinds: {found:?}")
        };
        // 10, 20, 30, 60; variance 350.
        assert_eq!((all.kind, all.gaps, all.mean.value), (ALL, 4, 30.0));
        assert!((all.variation.value - 350.0_f64.sqrt() / 30.0).abs() < 1e-12);
        assert_eq!((dangerous.gaps, dangerous.mean.value), (1, 30.0));
        assert_eq!((safe.gaps, safe.mean.value), (1, 30.0));
        // Of one safe move from 40 to 70; that from 10 to 40 begins in the transient.
        let runs = found.runs.expect("runs");
        assert_eq!(
            (runs.runs, runs.none.value, runs.three_or_more.value),
            (1, 0.0, 0.0)
        );
    }
}
