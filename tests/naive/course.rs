//! The course of a trial, from the definitions: every observable from scratch, on coordinates.

use std::collections::BTreeMap;

use reines::solver::{Course, Observation, QueenMove, Tally};

use super::counters::{Decided, with_true_signals};
use super::{At, D, Naive, delta};

/// The state of this board after so many updates.
pub fn observation(board: &Naive, tally: Option<Tally>, update: u64) -> Observation {
    let truth = with_true_signals(board);
    let signals: Vec<(At, usize)> = board
        .all_cells()
        .into_iter()
        .flat_map(|c| (0..8).map(move |d| (c, d)))
        .filter(|&(c, d)| board.inside((c.0 + D[d].0, c.1 + D[d].1)))
        .collect();
    let is_true = |&&(c, d): &&(At, usize)| board.cell(c).signals[d] == truth.cell(c).signals[d];
    Observation {
        update,
        signals: signals.len() as u32,
        true_signals: signals.iter().filter(is_true).count() as u32,
        threatened: threatened(board),
        attacked: threatened(&truth),
        safe_cells: safe_cells(board),
        truly_safe_cells: safe_cells(&truth),
        safe_moves: safe_moves(board),
        conflicts: conflicts(board),
        moves: board.counters.moves,
        tally,
    }
}

/// A move of this update, with the board after the whole update.
pub fn queen_move(board: &Naive, update: u64, decided: Decided) -> QueenMove {
    let number = |(x, y): At| (y * board.n + x) as u32;
    QueenMove {
        update,
        from: number(decided.from),
        to: number(decided.to),
        dangerous: decided.dangerous,
        needless: decided.needless,
        deceived: decided.deceived,
        threatened: threatened(board),
    }
}

/// The moments up to `last`, of a state that has not changed since the last call.
pub fn observe_until(
    course: &mut Course,
    moments: &[u64],
    (board, tally): (&Naive, Option<Tally>),
    last: u64,
) {
    while let Some(&moment) = moments.get(course.series.len())
        && moment <= last
    {
        course.series.push(observation(board, tally, moment));
    }
}

fn threatened(board: &Naive) -> u32 {
    let queens = board.queens();
    queens.iter().filter(|&&c| !board.safe_stay(c)).count() as u32
}

fn safe_cells(board: &Naive) -> u32 {
    let is_safe = |&c: &At| board.cell(c).queens == 0 && board.cell(c).signals == [false; 8];
    board.all_cells().into_iter().filter(is_safe).count() as u32
}

pub fn safe_moves(board: &Naive) -> u32 {
    let cells = board.all_cells();
    let pairs = cells
        .iter()
        .flat_map(|&a| cells.iter().map(move |&b| (a, b)));
    let is_safe = |&(a, b): &(At, At)| {
        (a.0 - b.0).abs().max((a.1 - b.1).abs()) == 1
            && board.cell(a).queens >= 1
            && !board.safe_stay(a)
            && board.safe_go(b, delta(a, b))
    };
    pairs.filter(is_safe).count() as u32
}

/// Σ k(k − 1)/2 over the lines: rows, columns and both kinds of diagonals, by name.
fn conflicts(board: &Naive) -> u32 {
    let mut lines: BTreeMap<(char, i64), u32> = BTreeMap::new();
    for (x, y) in board.queens() {
        for line in [('r', y), ('c', x), ('s', x + y), ('d', x - y)] {
            *lines.entry(line).or_default() += 1;
        }
    }
    lines.values().map(|k| k * (k - 1) / 2).sum()
}
