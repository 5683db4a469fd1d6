//! The dynamics in lanes: many trials of one point side by side, one in each lane of the
//! processor's wide registers, boards as bit masks. Times, moves and solutions have exactly the
//! distribution that [`super::stepwise`] gives them.
//!
//! A step draws, in each lane, one of its open sites (those that an update changes) or one of a
//! constant number of *slots*, which stand for what the other sites may add (`draw.rs`). Nothing is
//! kept up to date from one step to the next but the board: the open sites are found anew by masks
//! (`moves.rs`, `pairs.rs`, `cells.rs`). How many updates come before the draw follows from the
//! number of open sites (`waits.rs`).
//!
//! A trial is a function of its point, seed and index alone: neither the lanes beside it nor the
//! processor's instructions matter (`vector`).

// Loops over the words of a board take the same word of several masks.
#![allow(clippy::needless_range_loop)]

mod boards;
pub(super) mod cells;
mod draw;
mod follow;
mod kernel;
mod layout;
mod moves;
pub(super) mod pairs;
mod team;
mod trial;
mod vector;
mod waits;

#[cfg(test)]
mod tests;

use self::kernel::Kernel;
use self::team::Team;
pub use self::vector::Instructions;
use super::configuration::Configuration;
use crate::{Control, Course, Interrupted, Key, Outcome, Point, Prepared, TrialSource};

/// Runs trials of one point until their source has no more, each to its absorption or the cutoff,
/// by instructions that the processor has. Another start than its own is the first trial's. Where
/// the control records, there is no other trial, and the instructions are
/// [`Instructions::OneLane`].
pub type SideBySide = fn(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: &mut dyn TrialSource,
    start: Option<Configuration>,
    control: &Control,
) -> Result<(), Interrupted>;

/// [`SideBySide`] of a rule's kernel, on boards of W words.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop, or the source does.
pub fn run<K: Kernel<W>, const W: usize>(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: &mut dyn TrialSource,
    start: Option<Configuration>,
    control: &Control,
) -> Result<(), Interrupted> {
    Team::<K, W>::new(point, cutoff, instructions).run(trials, start, control)
}

/// The entry for boards of this side, of a table that begins with boards of one word; `None` where
/// n is above [`n_max`].
pub fn on_boards_of<T: Copy>(table: &[T], n: u64) -> Option<T> {
    let is_within = n_max(table).is_some_and(|most| n <= most);
    is_within.then(|| table[layout::words(n as usize) - 1])
}

/// The greatest n of a board in lanes; `None` where the table is empty.
pub fn n_max<T>(table: &[T]) -> Option<u64> {
    (!table.is_empty()).then(|| layout::stride(table.len()) as u64)
}

/// Trials with no others beside them, from their own starts or from another one.
pub(super) fn one_alone(lanes: SideBySide, point: Point, start: Option<Configuration>) -> Prepared {
    Box::new(move |key, cutoff, control| {
        let mut one = OneTrial {
            waiting: Some(key),
            gave: None,
        };
        let (one_lane, start) = (Instructions::OneLane, start.clone());
        lanes(one_lane, &point, cutoff, &mut one, start, control)?;
        Ok(one.gave.expect("a trial that is not interrupted ends"))
    })
}

/// A source of one trial.
struct OneTrial {
    waiting: Option<Key>,
    gave: Option<(Outcome, Course)>,
}

impl TrialSource for OneTrial {
    fn next(&mut self, _: usize) -> Option<Key> {
        self.waiting.take()
    }

    fn ended(&mut self, _: usize, gave: (Outcome, Course)) -> Result<(), Interrupted> {
        self.gave = Some(gave);
        Ok(())
    }
}
