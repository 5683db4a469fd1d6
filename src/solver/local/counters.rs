//! What is counted of the moves of a trial: how many there are, and of which kinds
//! (docs/rules.md).

use super::configuration::{CellState, Configuration, Move};
use crate::solver::Outcome;
use crate::solver::board::{Board, Cell, Direction};
use crate::solver::placement::Placement;

/// Numbers of moves of one trial so far, and of entries into solutions.
///
/// A move from a to b is decided by the configuration before it. "Truly" means: with true signals
/// in the place of the stored ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counters {
    /// Queen moves.
    pub moves: u64,
    /// Moves that needed their coin of ε.
    dangerous: u64,
    /// Moves of a queen that truly was not threatened.
    needless: u64,
    /// Moves for which SAFEGO(b, δ(a, b)) was not what it truly was.
    deceived: u64,
    /// Times that the queens came to form a solution, the start included.
    pub entries: u64,
}

/// Of which kinds a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveKinds {
    /// It needed its coin of ε.
    pub dangerous: bool,
    /// The queen truly was not threatened.
    pub needless: bool,
    /// SAFEGO(b, δ(a, b)) was not what it truly was.
    pub deceived: bool,
}

/// Attacks between a queen that moves and the others, where it was and where it is.
#[derive(Debug, Clone, Copy)]
pub struct Attacks {
    /// On the cell that it has left.
    pub left: u32,
    /// On the cell that it has reached.
    pub met: u32,
}

impl Counters {
    /// Counts a move, with the queens per line and the configuration after the whole update.
    /// Returns its kinds.
    ///
    /// No rule writes, before it moves a queen, a signal on the destination, and after it no other
    /// than the one from the queen's side, which SAFEGO does not read: so SAFEGO is read off the
    /// configuration after the update.
    #[inline]
    pub fn queen_moved(
        &mut self,
        queen: Move,
        attacks: Attacks,
        placement: &Placement,
        x: &Configuration,
    ) -> MoveKinds {
        let side = side(x.board(), queen);
        let reached = CellState {
            queens: x[queen.to].queens - 1,
            ..x[queen.to]
        };
        let is_safe = attacks.met == 0 || {
            // Queens on the line of the move alone, and none of them ahead.
            let behind_or_ahead = u32::from(placement.on_line(queen.to, side)) - 1;
            attacks.met == behind_or_ahead && !sees(x, queen.to, side.opposite())
        };
        let kinds = MoveKinds {
            dangerous: !queen.certain,
            needless: attacks.left == 0,
            deceived: reached.safe_go(side) != is_safe,
        };
        self.count(kinds);
        kinds
    }

    /// Counts a move of these kinds.
    #[inline]
    pub fn count(&mut self, kinds: MoveKinds) {
        self.moves += 1;
        self.dangerous += u64::from(kinds.dangerous);
        self.needless += u64::from(kinds.needless);
        self.deceived += u64::from(kinds.deceived);
    }

    /// Puts the numbers into an outcome.
    pub fn write(self, outcome: &mut Outcome) {
        outcome.moves = Some(self.moves);
        outcome.dangerous_moves = Some(self.dangerous);
        outcome.needless_moves = Some(self.needless);
        outcome.deceived_moves = Some(self.deceived);
        outcome.entries = Some(self.entries);
    }
}

/// δ(from, to).
fn side(board: Board, Move { from, to, .. }: Move) -> Direction {
    Direction::ALL
        .into_iter()
        .find(|&direction| board.neighbour(to, direction) == from)
        .expect("a queen moves to an adjacent cell")
}

/// Whether there is a queen somewhere in a direction of a cell.
fn sees(x: &Configuration, cell: Cell, direction: Direction) -> bool {
    let board = x.board();
    let ((column, row), (dx, dy)) = (board.coordinates(cell), direction.step());
    // Steps to the edge.
    let room = |at: usize, step: i32| match step {
        0 => board.n(),
        1 => board.n() - 1 - at,
        _ => at,
    };
    (0..room(column, dx).min(room(row, dy)))
        .scan(cell, |at, _| {
            *at = board.neighbour(*at, direction);
            Some(*at)
        })
        .any(|cell| x[cell].queens >= 1)
}
