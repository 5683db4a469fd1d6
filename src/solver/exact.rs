//! The exhaustive methods of the source texts, side by side: how much work each does for the same
//! boards.
//!
//! A board is written as the texts write it, one queen per row: element r is the column of the
//! queen in row r, both counted from 0.
//!
//! # Adding a method
//! One file in `methods/` with a [`Method`], its `mod` line, and one line in [`methods::METHODS`].

pub(crate) mod algorithm;
pub mod methods;
pub mod symmetry;

mod attack;
mod depth_first;
mod method;
mod search;

pub use self::method::{Measures, Method, MethodCounts};
pub use self::search::{Halt, Request, Search};

pub use super::goal::Goal;

use super::{Control, Interrupted};

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Searched to the end: what was found is all there is.
    Exhausted,
    /// Stopped at its first solution, as it was meant to.
    Solved,
    /// Stopped at its cutoff: what was found is a lower bound.
    Censored,
}

/// The facts of one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exploration {
    /// How the search ended.
    pub end: End,
    /// What it counted.
    pub counts: MethodCounts,
}

/// Runs `method` on `request` and shows each board found to `visit` (none when the goal is
/// [`Goal::Count`]).
///
/// # Errors
/// [`Interrupted`] when `control` is stopped before the search has ended.
///
/// # Panics
/// When the method does not have the goal, or the board is larger than its limit.
pub fn explore(
    method: &Method,
    request: Request,
    visit: &mut dyn FnMut(&[usize]),
    control: &Control<'_>,
) -> Result<Exploration, Interrupted> {
    let (name, n) = (method.name, request.n);
    assert!(
        method.goals.contains(&request.goal),
        "{name} cannot be asked for {:?}",
        request.goal
    );
    assert!(
        n <= method.n_max,
        "{name} takes boards up to n = {}, not {n}",
        method.n_max
    );
    let mut search = Search::new(request, visit, control);
    let end = match (method.search)(n, &mut search) {
        Ok(()) => End::Exhausted,
        Err(Halt::Found) => End::Solved,
        Err(Halt::Cutoff) => End::Censored,
        Err(Halt::Interrupted) => return Err(Interrupted),
    };
    Ok(Exploration {
        end,
        counts: search.finish(),
    })
}

/// Every solution of the n × n board, in the order in which `method` finds them.
///
/// # Errors
/// [`Interrupted`] when `control` is stopped.
///
/// # Panics
/// As [`explore`].
pub fn all_boards(
    method: &Method,
    n: usize,
    control: &Control<'_>,
) -> Result<Vec<Vec<usize>>, Interrupted> {
    let mut boards = Vec::new();
    explore(
        method,
        Request::new(n, Goal::All),
        &mut |board| boards.push(board.to_vec()),
        control,
    )?;
    Ok(boards)
}
