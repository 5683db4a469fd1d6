//! How many moves the first solution takes, beside (N₁ / N₀) / P₁: N₀ and N₁ the placements without
//! and with one conflict, P₁ the share of time with one.

use super::{estimate, reals, relaxation_time};
use crate::analysis::estimate::Estimate;
use crate::analysis::share::share;
use crate::experiment::store::Row;
use crate::results::PointCourses;
use crate::solver::Point;
use crate::solver::board::Board;
use crate::solver::course::Course;
use crate::solver::density::{one_conflict_count, solution_count};
use crate::solver::local::configuration::Placement;

/// Moments up to so many relaxation times of the signals do not count: positions settle slowly.
pub const SETTLED: f64 = 100.0;

/// The law at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct HittingLaw {
    pub trials: usize,
    /// The number of trials that were cut off; their moves and moments up to there count.
    pub cut_off: usize,
    /// Updates per absorption.
    pub mean_time: f64,
    /// N₀.
    pub solutions: u64,
    /// N₁.
    pub one_conflict: u64,
    /// Moves up to the hit, or the cutoff, per hit.
    pub moves_at_hit: Estimate,
    /// Moments of the series after [`SETTLED`] relaxation times at which a trial was not absorbed.
    pub moments: u64,
    /// P₁: the share of them with one conflict.
    pub one_conflict_share: Estimate,
    /// C = moves at the hit · P₁ · N₀ / N₁, which is 1 if the law holds.
    pub constant: Estimate,
    /// `None` unless all trials wrote down their moves, were absorbed, and some hit from one
    /// conflict.
    pub factors: Option<Factors>,
}

/// The two factors of C, from every state up to the hit, the first ones included. πₖ is the share
/// of the moves that leave a placement with k conflicts, where π₀ = 1 / moves at the hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// P₁ / π₁: the mean wait for a move at one conflict, over the mean wait.
    pub wait_ratio: Estimate,
    /// (π₁ / N₁) / (π₀ / N₀): how often a placement with one conflict is left, over how often a
    /// solution is reached, each divided by their number.
    pub visit_ratio: Estimate,
    /// The share of the hits whose move left a placement with one conflict.
    pub hits_from_one: Estimate,
    /// The product of both ratios: moves at the hit · share of the time up to it with one
    /// conflict · N₀ / N₁.
    pub product: Estimate,
}

impl HittingLaw {
    /// `None` without moments late enough, without a hit, and for boards whose N₀ or N₁ is 0 or not
    /// known.
    pub fn of(PointCourses { point, trials }: &PointCourses) -> Option<Self> {
        let n = u32::try_from(point.integer("n")?).ok()?;
        let solutions = solution_count(n).filter(|&count| count > 0)?;
        let one_conflict = one_conflict_count(n).filter(|&count| count > 0)?;
        let odds = solutions as f64 / one_conflict as f64;
        let settled = SETTLED * relaxation_time(point)?;
        let sums: Vec<[f64; 4]> = trials.iter().map(|it| sums(it, settled)).collect();
        let estimate = |statistic: fn(&[f64; 4]) -> f64| estimate(&sums, statistic);
        let total = |of: fn(&Row) -> u64| trials.iter().map(|it| of(&it.0)).sum::<u64>() as f64;
        let absorbed = total(|row| u64::from(row.outcome.absorption_time.is_some()));
        Some(Self {
            trials: trials.len(),
            cut_off: trials.len() - absorbed as usize,
            mean_time: total(|row| row.outcome.updates.unwrap_or(0)) / absorbed,
            solutions,
            one_conflict,
            moves_at_hit: estimate(|[moves, hits, ..]| moves / hits)?,
            moments: sums.iter().map(|it| it[3]).sum::<f64>() as u64,
            one_conflict_share: estimate(|[.., one, moments]| one / moments)?,
            constant: estimate(|[moves, hits, one, moments]| moves / hits * one / moments)?
                .in_units(1.0 / odds),
            factors: Factors::of(point, trials, odds),
        })
    }
}

/// Moves up to the hit, hits; late moments with one conflict, late moments.
fn sums((row, course): &(Row, Course), settled: f64) -> [f64; 4] {
    let outcome = &row.outcome;
    let end = outcome.absorption_time.unwrap_or(u64::MAX);
    let is_late = |update: u64| update as f64 > settled && update < end;
    let late = || course.series.iter().filter(|it| is_late(it.update));
    reals([
        outcome.moves_at_hit.or(outcome.moves).unwrap_or(0),
        u64::from(outcome.hitting_time.is_some()),
        late().filter(|it| it.conflicts == 1).count() as u64,
        late().count() as u64,
    ])
}

impl Factors {
    fn of(point: &Point, trials: &[(Row, Course)], odds: f64) -> Option<Self> {
        let board = Board::new(usize::try_from(point.integer("n")?).ok()?);
        let sums = trials.iter().map(|it| to_hit(it, board).map(reals));
        let sums: Vec<[f64; 6]> = sums.collect::<Option<_>>()?;
        let from_one = sums.iter().map(|it| it[5]).sum::<f64>();
        Some(Self {
            wait_ratio: estimate(&sums, |[_, moves, updates, of_one, in_one, _]| {
                in_one / of_one / (updates / moves)
            })?,
            visit_ratio: estimate(&sums, |[hits, _, _, of_one, ..]| odds * of_one / hits)?,
            hits_from_one: share(from_one as u64, sums.len() as u64),
            product: estimate(&sums, |[hits, moves, updates, _, in_one, _]| {
                odds * moves / hits * in_one / updates
            })?,
        })
    }
}

/// The counts of a trial up to its hit: its one hit, moves and updates, those from one conflict,
/// and whether the move that hit came from one. Found from the last placement, which is known,
/// backwards; `None` for a trial that was cut off, and where its moves are not written down.
fn to_hit((row, course): &(Row, Course), board: Board) -> Option<[u64; 6]> {
    let outcome = &row.outcome;
    let moves = usize::try_from(outcome.moves_at_hit?).ok()?;
    if course.moves.len() as u64 != outcome.moves? {
        return None;
    }
    let before = conflicts_before(course, outcome.solution.as_deref()?, board)?;
    let (mut at, mut of_one, mut in_one, mut hits_from_one) = (0, 0, 0, 0);
    for (made, &conflicts) in course.moves.iter().zip(before.get(..moves)?) {
        let stood = made.update.checked_sub(at)?;
        at = made.update;
        hits_from_one = u64::from(conflicts == 1);
        of_one += hits_from_one;
        in_one += hits_from_one * stood;
    }
    Some([1, moves as u64, at, of_one, in_one, hits_from_one])
}

/// The conflicts before each move, of a trial that ends in this solution: the row of the queen in
/// each column. `None` where the moves do not lead there.
fn conflicts_before(course: &Course, solution: &[u32], board: Board) -> Option<Vec<u32>> {
    let n = board.n() as u32;
    let cell = |index: u32| board.cell((index % n) as usize, (index / n) as usize);
    let mut queens = vec![0_u8; board.n() * board.n()];
    let mut placement = Placement::empty(board);
    for (column, &row) in (0..n).zip(solution) {
        let index = row.checked_mul(n)?.checked_add(column)?;
        *queens.get_mut(index as usize)? += 1;
        placement.add(cell(index));
    }
    let back = course.moves.iter().rev().map(|made| {
        let left = queens.get_mut(made.to as usize)?;
        *left = left.checked_sub(1)?;
        *queens.get_mut(made.from as usize)? += 1;
        placement.remove(cell(made.to));
        placement.add(cell(made.from));
        Some(placement.attacks())
    });
    let mut before: Vec<u32> = back.collect::<Option<_>>()?;
    before.reverse();
    Some(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, course_trial, pair_key};
    use crate::solver::QueenMove;

    /// n = 4: from three conflicts to one, to a solution, out of it and back into it. The row of
    /// the queen in each column is 1, 3, 0, 2 in the end.
    fn of_four(moves: &[(u64, u32, u32)]) -> (Row, Course) {
        let (mut row, mut course) = course_trial(0, (Some(70), 1000), &[], |_| 0);
        let made = |&(update, from, to): &(u64, u32, u32)| QueenMove {
            update,
            from,
            to,
            ..QueenMove::default()
        };
        course.moves = moves.iter().map(made).collect();
        row.outcome.solution = Some([1, 3, 0, 2].into());
        row.outcome.moves = Some(moves.len() as u64);
        row.outcome.moves_at_hit = Some(2);
        row.outcome.hitting_time = Some(30);
        (row, course)
    }

    #[test]
    fn conflicts_are_found_backwards_and_count_up_to_the_hit() {
        let moves = [(10, 1, 0), (30, 0, 4), (50, 4, 8), (60, 8, 4)];
        let trial = of_four(&moves);
        let board = Board::new(4);
        let before = conflicts_before(&trial.1, &[1, 3, 0, 2], board);
        // By hand; after the third move the queens of a2 and d2 share a row, and a2 sees b1, c4.
        assert_eq!(before.expect("they lead there")[..3], [3, 1, 0]);
        assert_eq!(to_hit(&trial, board), Some([1, 2, 30, 1, 20, 1]));
        let elsewhere = of_four(&[(10, 1, 0), (30, 0, 5)]);
        assert_eq!(to_hit(&elsewhere, board), None);
        // Of this one trial: 2 moves, 2/3 of the time at one conflict.
        let found = Factors::of(&pair_key(4, 0.01), &[trial], 0.25).expect("a hit");
        let found = [
            found.wait_ratio,
            found.visit_ratio,
            found.hits_from_one,
            found.product,
        ];
        let expected = [4.0 / 3.0, 0.25, 1.0, 1.0 / 3.0];
        assert_close(&found.map(|it| it.value), &expected, 1e-12);
    }

    /// The expected values are by hand: of two trials one hits after 30 moves, the other is cut off
    /// after 20; of the moments after 100 relaxation times at n = 8, 231 840 updates, and before
    /// the end, three of four are at one conflict.
    #[test]
    fn the_constant_is_of_late_moments_and_of_moves_up_to_the_hit() {
        let moments = [200_000, 300_000, 400_000, 500_000];
        let mut trials = vec![
            course_trial(0, (Some(450_000), 1_000_000), &moments, |_| 30),
            course_trial(1, (None, 400_000), &moments, |_| 20),
        ];
        trials[0].0.outcome.moves = Some(33);
        for (_, course) in &mut trials {
            course.series.iter_mut().for_each(|it| it.conflicts = 1);
        }
        trials[1].1.series[2].conflicts = 2;
        let point = pair_key(8, 0.01);
        let law = HittingLaw::of(&PointCourses { point, trials }).expect("late moments");
        assert_eq!((law.trials, law.cut_off, law.moments), (2, 1, 4));
        assert_eq!((law.solutions, law.factors), (92, None));
        let found = [law.moves_at_hit, law.one_conflict_share, law.constant];
        let expected = [50.0, 0.75, 37.5 * 92.0 / law.one_conflict as f64];
        assert_close(&found.map(|it| it.value), &expected, 1e-12);
    }
}
