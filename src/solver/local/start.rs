//! The board that a trial starts with: queens on random cells, or the position that its variant has
//! behind the condition (`from` and rows), or one that is given; and the trial's random stream.
//! Here are the form of a position in a spec (`Q`, 2 to 9, `.`), its message, and the domain tag of
//! the stream.

use super::board;
use super::configuration::Configuration;
use crate::board::{Board, Cell};
use crate::rng::{RandomSource, TrialStream};
use crate::{Dynamics, Key, Point};

impl Configuration {
    /// The start of a trial: n queens, each on a cell drawn uniformly and independently of the
    /// others, no signal.
    pub fn random_start(board: Board, random: &mut impl RandomSource) -> Self {
        let n = board.n() as u64;
        let mut draw = || {
            let number = random.below(n * n);
            board.cell((number % n) as usize, (number / n) as usize)
        };
        let cells: Vec<Cell> = (0..n).map(|_| draw()).collect();
        Self::with_queens(board, cells)
    }
}

/// The start of a trial of a local rule that draws it, as all do but those of [`super::prepare`]
/// with another one.
pub fn start(point: &Point, dynamics: Dynamics, key: Key) -> Configuration {
    own_start(point, dynamics, key).0
}

/// The queens that a character of a position stands for.
fn queens(drawn: char) -> u32 {
    drawn.to_digit(10).unwrap_or((drawn == 'Q').into())
}

/// What a variant has behind its condition for trials that start in a position of so many rows and
/// queens: `from`, the rows from the north, and `true` if all signals are true in place of none.
///
/// # Errors
/// What is expected of a position.
pub fn variant_from(drawn: &[String], are_true: bool) -> Result<String, &'static str> {
    let without_blanks = |row: &String| row.split_whitespace().collect();
    let rows: Vec<String> = drawn.iter().map(without_blanks).collect();
    let n = rows.len();
    let is_cell = |letter: char| ".Q23456789".contains(letter);
    let is_row = |row: &String| row.len() == n && row.chars().all(is_cell);
    let n_queens: u32 = rows.concat().chars().map(queens).sum();
    if n_queens as usize != n || !rows.iter().all(is_row) {
        return Err("expected n rows of n cells with n queens: Q, or 2 to 9 of them; . is free");
    }
    let signals = if are_true { " true" } else { "" };
    Ok(format!("{FROM}{}{signals}", rows.join("/")))
}

const FROM: &str = "from ";

/// The condition's part of a variant, empty for `safe`.
pub fn condition_of(variant: &str) -> &str {
    let parts = variant.split_once(FROM);
    parts.map_or(variant, |(condition, _)| condition.trim_end())
}

/// The start that a point's variant names.
fn named_start(point: &Point) -> Option<Configuration> {
    let (_, rows) = point.variant.split_once(FROM)?;
    let board = board(point);
    let drawn_cells = rows.replace('/', "");
    let mut queen_cells = Vec::new();
    for (cell, drawn) in board.cells().zip(drawn_cells.chars()) {
        queen_cells.extend((0..queens(drawn)).map(|_| cell));
    }
    let mut start = Configuration::with_queens(board, queen_cells);
    if rows.ends_with(" true") {
        let truth = start.true_signals();
        for cell in board.cells() {
            start.set_signals(cell, truth[cell.index()]);
        }
    }
    Some(start)
}

/// A trial's own start, and the random stream after it.
pub(super) fn own_start(
    point: &Point,
    dynamics: Dynamics,
    key: Key,
) -> (Configuration, TrialStream) {
    let mut stream = stream(point, dynamics, key);
    let random = || Configuration::random_start(board(point), &mut stream);
    (named_start(point).unwrap_or_else(random), stream)
}

/// The stream of a trial. The number in its domain tag changes when the same words of a stream
/// would give another trial.
pub(super) fn stream(point: &Point, dynamics: Dynamics, key: Key) -> TrialStream {
    let number = if dynamics == Dynamics::Lanes { 2 } else { 1 };
    let domain = format!("reines/local/{}/{number}", dynamics.name());
    TrialStream::new(&domain, key.seed, point, key.trial)
}

/// The boards at which trials start.
pub(super) enum Start {
    /// Each in its own random start.
    Own,
    /// Here, after the random numbers of its own start.
    Given(Configuration),
    /// Here, and no start is drawn.
    Placed(Configuration),
}
