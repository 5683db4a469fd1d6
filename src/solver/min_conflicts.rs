//! Min-conflicts, a yardstick that sees the whole board (Minton, Johnston, Philips and Laird, AAAI
//! 1990): one queen in each row, and no restarts. The start has a uniform column in each row; a
//! move takes a random attacked queen to a random one of the other columns with the fewest
//! attackers, never its own. Its time and its cutoff count moves.

use super::rng::{RandomSource as _, TrialStream};
use super::{Algorithm, Axis, Column, Course, Ending, Outcome, Point, Prepared};

/// The entry in the list of algorithms.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "min-conflicts",
    doc: "one queen a row; a random attacked one goes to a column where the fewest others attack it",
    axes: &[Axis::side(64)],
    is_only_stepwise: true,
    columns: &[
        Column::named("absorption_time")
            .meaning("until the queens form a solution, which ends the trial; null when censored"),
        Column::named("hitting_time"),
        Column::named("moves"),
        Column::named("moves_at_hit"),
        Column::named("updates").meaning("one move each"),
        Column::named("solution"),
    ],
    part: "min_conflicts",
    warning: Some(crate::construction::has_none),
    prepare: &|point, _| prepare(point.clone()),
    ..Algorithm::UNNAMED
};

fn prepare(point: Point) -> Prepared {
    Box::new(move |key, cutoff, control| {
        let mut random = TrialStream::new("reines/min-conflicts/1", key.seed, &point, key.trial);
        let n = point.side();
        let mut moves = 0;
        let drawn = random.several_below(n as u64, n).into_iter();
        let mut columns: Vec<usize> = drawn.map(|column| column as usize).collect();
        let mut one_of = |all: &[usize]| all[random.below(all.len() as u64) as usize];
        let ending = loop {
            let is_attacked = |&y: &usize| attackers(&columns, columns[y], y) > 0;
            let attacked: Vec<usize> = (0..n).filter(is_attacked).collect();
            match attacked.is_empty() {
                true => break Ending::Absorbed,
                false if moves == cutoff => break Ending::Censored,
                false => control.poll(1)?,
            }
            let y = one_of(&attacked);
            // Not its own column, even where no other is better: else some boards would be traps.
            let others = (0..n).filter(|&x| x != columns[y]);
            let attacked_there: Vec<(usize, usize)> =
                others.map(|x| (attackers(&columns, x, y), x)).collect();
            let fewest = attacked_there.iter().map(|(count, _)| *count).min();
            let is_best = |(count, _): &&(usize, usize)| Some(*count) == fewest;
            let best = attacked_there.iter().filter(is_best);
            columns[y] = one_of(&best.map(|(_, x)| *x).collect::<Vec<usize>>());
            moves += 1;
        };
        let found = (ending == Ending::Absorbed).then_some(moves);
        let outcome = Outcome {
            absorption_time: found,
            hitting_time: found,
            moves: Some(moves),
            moves_at_hit: found,
            updates: Some(moves),
            solution: found.map(|_| super::outcome::rows_of_columns(&columns)),
            ..Outcome::ended(ending)
        };
        Ok((outcome, Course::default()))
    })
}

/// The queens of other rows that attack the square (x, y).
fn attackers(columns: &[usize], x: usize, y: usize) -> usize {
    let attacks = |&(r, &c): &(usize, &usize)| c == x || c.abs_diff(x) == r.abs_diff(y);
    let others = columns.iter().enumerate().filter(|(row, _)| *row != y);
    others.filter(attacks).count()
}

#[cfg(test)]
mod tests {
    use crate::tests::{mean, run};
    use crate::{Dynamics, Point, Value};

    /// The moves from a random board by first-step analysis, on the attacks of pairs of queens:
    /// m = 1 + the mean of m over what may follow, or 0, again and again from 0.
    fn expected(n: i32) -> f64 {
        let boards = 0..n.pow(n as u32);
        let column = |board: i32, y: i32| board / n.pow(y as u32) % n;
        let attacks = |board, y, x| {
            let pair = |r: i32| [0, r - y, y - r].contains(&(column(board, r) - x));
            (0..n).filter(|&r| r != y && pair(r)).count()
        };
        let mut m = vec![0.0; boards.len()];
        for _ in 0..400 {
            let mean = |all: Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
            let of = |board: i32| {
                let rows = (0..n).filter(|&y| attacks(board, y, column(board, y)) > 0);
                let after = |y: i32| {
                    let mut to: Vec<i32> = (0..n).filter(|&x| x != column(board, y)).collect();
                    let fewest = to.iter().map(|&x| attacks(board, y, x)).min();
                    to.retain(|&x| Some(attacks(board, y, x)) == fewest);
                    let moved = |x| board + (x - column(board, y)) * n.pow(y as u32);
                    mean(to.iter().map(|&x| m[moved(x) as usize]).collect())
                };
                let after: Vec<f64> = rows.map(after).collect();
                if after.is_empty() {
                    0.0
                } else {
                    1.0 + mean(after)
                }
            };
            m = boards.clone().map(of).collect();
        }
        m.iter().sum::<f64>() / m.len() as f64
    }

    /// n = 4 and 5, 4000 trials each, |Z| < 4.5: a false failure has probability 7·10⁻⁶ for each n
    /// (fixed seed).
    #[test]
    fn mean_moves_are_those_of_the_markov_chain() {
        for n in [4, 5] {
            let point = Point::new("min-conflicts", [("n", Value::Integer(n))]);
            let outcome = |trial| run(&point, Dynamics::Stepwise, trial, u64::MAX);
            let moves = |trial| outcome(trial).moves_at_hit.expect("solved") as f64;
            let (mean, squared_error) = mean((0..4000).map(moves));
            let z = (mean - expected(n as i32)) / squared_error.sqrt();
            assert!(z.abs() < 4.5, "n = {n}: {mean}, Z = {z}");
        }
    }
}
