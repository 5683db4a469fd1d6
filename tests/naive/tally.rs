//! What is counted inside a trial, from the definitions: every state is looked at afresh.

use reines::solver::Tally;

use super::counters::Decided;
use super::course::safe_moves;
use super::{At, Naive};

/// The tally of a trial so far, and its last state.
pub struct Recount {
    pub tally: Tally,
    before: Option<State>,
}

/// A state and what there is to say of it.
struct State {
    board: Naive,
    is_blocked: bool,
}

impl Recount {
    pub fn new() -> Self {
        Self {
            tally: Tally::default(),
            before: None,
        }
    }

    /// An update of this board follows.
    pub fn before_update(&mut self, board: &Naive) {
        let last = self.before.take();
        let was_blocked = last.as_ref().is_some_and(|state| state.is_blocked);
        let same = last.filter(|state| state.board.cells == board.cells);
        let state = same.unwrap_or_else(|| State {
            is_blocked: safe_moves(board) == 0,
            board: board.clone(),
        });
        self.tally.blocked_updates += u64::from(state.is_blocked);
        self.tally.blocked_stretches += u64::from(state.is_blocked && !was_blocked);
        self.before = Some(state);
    }

    /// A queen has moved in the update, which has made this board.
    pub fn moved(&mut self, move_made: Decided, after: &Naive) {
        let state = self.before.as_ref().expect("the state before the update");
        if !state.is_blocked {
            self.tally.choices += 1;
            self.tally.dangerous_choices += u64::from(move_made.dangerous);
        }
        self.tally.informed_moves += u64::from(state.board.signals_are_true());
        if !state.board.is_solution() && is_near_solution(&state.board) {
            self.tally.chances += 1;
            self.tally.missed_chances += u64::from(!after.is_solution());
        }
    }
}

/// True if a queen that goes to some cell beside its own makes a solution.
fn is_near_solution(board: &Naive) -> bool {
    let makes_one = |from: At, to: At| {
        let mut moved = board.clone();
        moved.cell_mut(from).queens -= 1;
        moved.cell_mut(to).queens += 1;
        moved.is_solution()
    };
    let queens = board.queens().into_iter();
    let moves =
        queens.flat_map(|from| board.neighbours(from).into_iter().map(move |to| (from, to)));
    moves.into_iter().any(|(from, to)| makes_one(from, to))
}
