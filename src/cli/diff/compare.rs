//! Comparing the two runs of an experiment, some points at a time.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::Compared;
use super::pair::Pair;
use crate::analysis::comparison::{Comparison, PointComparison, seconds_ratio};
use crate::experiment::store::StoreError;
use crate::results::PointTrials;
use crate::results::course_comparison::CourseComparison;
use crate::results::points::Points;

/// Points are compared side by side once they have so many rows together.
const ROWS: usize = 1 << 17;

/// Compares the runs of a pair; their rows are kept where something is `drawn` of them.
///
/// # Errors
/// A damaged run.
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
