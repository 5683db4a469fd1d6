//! What every rule on pairs has in common: an update of a pair once both MOVEs are decided.

use super::configuration::{CellState, Configuration, Move};
use crate::solver::board::{Direction, Pair};

/// F = F_sign ∘ F_move for the answers MOVE(a → b) and MOVE(b → a), both found on `x`: exactly one
/// of them moves a queen, two would swap the queens and change nothing; signals come after the
/// move.
///
/// `certain(a, b, δ(a, b))` says whether a move from a cell in the first state to one in the second
/// needed no coin; it is found for the move that takes place only.
#[inline(always)]
pub fn update_pair(
    x: &mut Configuration,
    pair: Pair,
    moves: [bool; 2],
    certain: impl Fn(CellState, CellState, Direction) -> bool,
) -> Option<Move> {
    let Pair {
        a,
        b,
        from_a,
        from_b,
    } = pair;
    let moved = match moves {
        [true, false] => Some(Move {
            from: a,
            to: b,
            certain: certain(x[a], x[b], from_a),
        }),
        [false, true] => Some(Move {
            from: b,
            to: a,
            certain: certain(x[b], x[a], from_b),
        }),
        _ => None,
    };
    if let Some(queen) = moved {
        x.move_queen(queen);
    }
    let (signals_of_a, signals_of_b) = (
        x[a].signals.taking(from_b, x[b].shows()),
        x[b].signals.taking(from_a, x[a].shows()),
    );
    x.set_signals(a, signals_of_a);
    x.set_signals(b, signals_of_b);
    moved
}
