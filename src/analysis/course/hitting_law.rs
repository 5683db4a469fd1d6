//! How many moves the first solution takes, beside (N₁ / N₀) / P₁: N₀ and N₁ the placements without
//! and with one conflict, P₁ the share of time with one.

use super::relaxation_time;
use crate::analysis::jackknife::jackknife;
use crate::analysis::mean::Estimate;
use crate::analysis::share::wilson;
use crate::experiment::store::Row;
use crate::results::PointCourses;
use crate::solver::Point;
use crate::solver::board::Board;
use crate::solver::course::Course;
use crate::solver::density::one_conflict::one_conflict_count;
use crate::solver::density::solution_count;
use crate::solver::local::configuration::Placement;

/// Moments up to so many relaxation times of the signals do not count: positions settle slowly.
pub const SETTLED: f64 = 100.0;

/// The law at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct HittingLaw {
    /// Number of trials.
    pub trials: usize,
    /// Of these, cut off: their moves and moments up to there count.
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

/// What C is made of, from every state up to the hit, the first ones included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// Moves an update at all times, over those at one conflict.
    pub rate: Estimate,
    /// N₀ / N₁ over the share of the moves from one conflict that hit.
    pub chance: Estimate,
    /// Share of the hits that come from one conflict.
    pub entries: Estimate,
    /// Of all three: moves at the hit · share of the time up to it with one conflict · N₀ / N₁.
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
    let counts = [
        outcome.moves_at_hit.or(outcome.moves).unwrap_or(0),
        u64::from(outcome.hitting_time.is_some()),
        late().filter(|it| it.conflicts == 1).count() as u64,
        late().count() as u64,
    ];
    counts.map(|count| count as f64)
}

/// `None` where there is nothing to take a share of.
fn estimate<const K: usize>(rows: &[[f64; K]], of: impl Fn(&[f64; K]) -> f64) -> Option<Estimate> {
    let found = jackknife(|| rows.iter().copied(), |sums, _| of(sums))?;
    found.value.is_finite().then(|| found.estimate())
}

impl Factors {
    fn of(point: &Point, trials: &[(Row, Course)], odds: f64) -> Option<Self> {
        let board = Board::new(usize::try_from(point.integer("n")?).ok()?);
        let to_hits: Option<Vec<ToHit>> = trials.iter().map(|it| ToHit::of(it, board)).collect();
        let sums: Vec<[f64; 5]> = to_hits?.into_iter().map(ToHit::numbers).collect();
        let hits = sums.len() as u64;
        let from_one = sums.iter().map(|it| it[4]).sum::<f64>();
        Some(Self {
            rate: estimate(&sums, |[moves, updates, of_one, in_one, _]| {
                moves / updates / (of_one / in_one)
            })?,
            chance: estimate(&sums, |[.., of_one, _, from_one]| odds * of_one / from_one)?,
            entries: Estimate {
                value: from_one / hits as f64,
                interval: wilson(from_one as u64, hits),
            },
            product: jackknife(
                || sums.iter().copied(),
                |[moves, updates, _, in_one, _], hits| odds * moves / hits * in_one / updates,
            )?
            .estimate(),
        })
    }
}

/// A trial up to its hit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct ToHit {
    moves: u64,
    updates: u64,
    /// Moves from one conflict.
    moves_from_one: u64,
    /// Updates with one conflict.
    updates_in_one: u64,
    /// Whether the move that hit came from one conflict.
    hits_from_one: bool,
}

impl ToHit {
    /// From the last placement, which is known, backwards. `None` for a trial that was cut off, and
    /// where its moves are not written down.
    fn of((row, course): &(Row, Course), board: Board) -> Option<Self> {
        let outcome = &row.outcome;
        let moves = usize::try_from(outcome.moves_at_hit?).ok()?;
        if course.moves.len() as u64 != outcome.moves? {
            return None;
        }
        let before = conflicts_before(course, outcome.solution.as_deref()?, board)?;
        let mut found = Self::default();
        for (made, &conflicts) in course.moves.iter().zip(before.get(..moves)?) {
            let stood = made.update.checked_sub(found.updates)?;
            found.updates = made.update;
            found.moves += 1;
            found.hits_from_one = conflicts == 1;
            if conflicts == 1 {
                found.moves_from_one += 1;
                found.updates_in_one += stood;
            }
        }
        Some(found)
    }

    fn numbers(self) -> [f64; 5] {
        let numbers = [
            self.moves,
            self.updates,
            self.moves_from_one,
            self.updates_in_one,
            u64::from(self.hits_from_one),
        ];
        numbers.map(|number| number as f64)
    }
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
    use crate::analysis::synthetic::{Draws, course_trial, pair_key};
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
        let expected = ToHit {
            moves: 2,
            updates: 30,
            moves_from_one: 1,
            updates_in_one: 20,
            hits_from_one: true,
        };
        assert_eq!(ToHit::of(&trial, board), Some(expected));
        let elsewhere = of_four(&[(10, 1, 0), (30, 0, 5)]);
        assert_eq!(ToHit::of(&elsewhere, board), None);
        // Of this one trial: 2 moves, 2/3 of the time at one conflict.
        let odds = 0.25;
        let factors = Factors::of(&pair_key(4, 0.01), &[trial], odds).expect("a hit");
        let Factors {
            rate,
            chance,
            entries,
            product,
        } = factors;
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(close(rate.value, 4.0 / 3.0) && close(chance.value, odds));
        assert!(close(entries.value, 1.0) && close(product.value, odds * 4.0 / 3.0));
    }

    /// A chain that is at one conflict with probability p at each late moment, at none before, and
    /// hits after a geometric number of moves of mean μ: C is μ p N₀ / N₁. Its interval holds that
    /// in 95 % of 1000 sets of 50 trials; threshold 4 standard errors (fixed seed).
    #[test]
    fn of_a_chain_the_constant_is_known_and_covered() {
        const MEAN: f64 = 500.0;
        const SHARE: f64 = 0.2;
        let mut draws = Draws::new(31);
        // 100 relaxation times at n = 8 are 231 840 updates.
        let moments: Vec<u64> = (1..=40).map(|step| step * 20_000).collect();
        let mut trial = |index: u32| {
            let moves = draws.exponential(MEAN);
            let end = 1000 * moves + 1;
            let (mut row, mut course) = course_trial(index, (Some(end), 1 << 40), &moments, |_| 0);
            (row.outcome.moves, row.outcome.moves_at_hit) = (Some(moves + 3), Some(moves));
            for state in &mut course.series {
                let is_one = (draws.exponential(1e6) as f64) < -1e6 * libm::log(1.0 - SHARE);
                state.conflicts = u32::from(is_one && state.update > 231_840);
            }
            (row, course)
        };
        let known = MEAN * SHARE * 92.0 / one_conflict_count(8).expect("known") as f64;
        let mut covers = || {
            let trials = (0..50).map(&mut trial).collect();
            let point = pair_key(8, 0.01);
            let law = HittingLaw::of(&PointCourses { point, trials }).expect("late moments");
            assert_eq!((law.trials, law.cut_off, law.factors), (50, 0, None));
            law.constant.interval.contains(known)
        };
        let covered = (0..1000).filter(|_| covers()).count() as f64;
        let z = (covered / 1000.0 - 0.95) / (0.95_f64 * 0.05 / 1000.0).sqrt();
        assert!(z.abs() < 4.0, "{covered} of 1000");
    }
}
