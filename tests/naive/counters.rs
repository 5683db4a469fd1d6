//! The counters of a trial, from the definitions: every move is judged by a copy of the board whose
//! signals are the true ones.

use reines::solver::{Ending, Outcome};

use super::{At, D, Naive, delta};

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counters {
    pub moves: u64,
    pub dangerous: u64,
    pub needless: u64,
    pub deceived: u64,
    pub entries: u64,
}

/// A move as it was decided: whether it needed its coin, was needless, deceived.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decided {
    pub from: At,
    pub to: At,
    pub dangerous: bool,
    pub needless: bool,
    pub deceived: bool,
}

impl Counters {
    /// Counts a move that is decided on this board, on which it has not taken place.
    pub fn decided(&mut self, board: &Naive, (from, to): (At, At), needed_coin: bool) -> Decided {
        let truth = with_true_signals(board);
        let d = delta(from, to);
        let decided = Decided {
            from,
            to,
            dangerous: needed_coin,
            needless: truth.safe_stay(from),
            deceived: board.safe_go(to, d) != truth.safe_go(to, d),
        };
        self.moves += 1;
        self.dangerous += u64::from(decided.dangerous);
        self.needless += u64::from(decided.needless);
        self.deceived += u64::from(decided.deceived);
        decided
    }

    /// What a trial gave that ended at a time, absorbed or not, with the time and moves of its hit.
    pub fn outcome(
        &self,
        (time, absorbed): (u64, bool),
        hit: Option<(u64, u64)>,
        solution: Option<Box<[u32]>>,
    ) -> Outcome {
        Outcome {
            absorption_time: absorbed.then_some(time),
            hitting_time: hit.map(|it| it.0),
            moves: Some(self.moves),
            moves_at_hit: hit.map(|it| it.1),
            updates: Some(time),
            solution,
            dangerous_moves: Some(self.dangerous),
            needless_moves: Some(self.needless),
            deceived_moves: Some(self.deceived),
            entries: Some(self.entries),
            ..Outcome::ended([Ending::Censored, Ending::Absorbed][usize::from(absorbed)])
        }
    }
}

/// The same queens with every signal true.
pub fn with_true_signals(board: &Naive) -> Naive {
    let mut truth = board.clone();
    for c in board.all_cells() {
        truth.cell_mut(c).signals = std::array::from_fn(|d| sees(board, c, d));
    }
    truth
}

/// True if there is a queen somewhere in direction `d` of `c`.
fn sees(board: &Naive, c: At, d: usize) -> bool {
    let mut at = (c.0 + D[d].0, c.1 + D[d].1);
    while board.inside(at) && board.cell(at).queens == 0 {
        at = (at.0 + D[d].0, at.1 + D[d].1);
    }
    board.inside(at)
}
