//! The dynamics in lanes: many trials of one point side by side, on boards of at most 64 cells,
//! each a bit in a few words. Times, moves and solutions have exactly the distribution that
//! [`super::stepwise`] gives them.
//!
//! A step draws, in each lane, one of its open sites (those that an update changes) or one of a
//! constant number of *slots*, which stand for what the other sites may add (`draw.rs`). Nothing is
//! kept up to date from one step to the next but the board: the open sites are found anew by masks
//! (`layout.rs`, `batch/step.rs`), which also write the signals; where a queen may move, the rule's
//! own update does all. How many updates come before the draw follows from the number of open sites
//! (`waits.rs`).
//!
//! Memory has words by lane, and a step is plain code in loops over the lanes, of which the
//! compiler makes vector code. A trial is a function of its point, seed and index alone: neither
//! the lanes beside it nor the processor's instructions matter.
//!
//! To be read in this order: `kernel`, `layout`, `batch`, `batch/step.rs` (measure before and after
//! a change of it), `side_by_side`, `single`.

// Loops over lanes take the same lane of several arrays.
#![allow(clippy::needless_range_loop)]

mod batch;
mod boards;
mod cells;
mod draw;
mod instructions;
mod kernel;
mod layout;
mod pairs;
mod side_by_side;
mod single;
mod waits;

#[cfg(test)]
mod tests;

pub(super) use self::batch::{AT_ONCE, AssumedInLanes, Place, wrong_slots};
pub use self::instructions::Instructions;
pub(super) use self::kernel::{InLanes, Kernel};
#[cfg(test)]
pub(super) use self::layout::Layout;
pub use self::layout::N_MAX;
pub(super) use self::side_by_side::run;
pub(super) use self::single::SingleLane;
use crate::{Control, Interrupted, Point, TrialSource};

/// Runs trials of one point until their source has no more, each to its absorption or the cutoff,
/// by instructions that the processor has.
pub type SideBySide = fn(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: &mut dyn TrialSource,
    control: &Control,
) -> Result<(), Interrupted>;
