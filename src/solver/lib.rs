//! The algorithms, and the types that all of them share. Free of files, TOML and clocks.
//!
//! An [`Algorithm`] is data: name, axes, columns and one function, behind [`prepare`], that makes
//! trials of a point ready to run ([`Prepared`]). Those that simulate a process share one driver
//! ([`process`]); [`local::run_side_by_side`] alone runs several trials at once.
//!
//! # Adding an algorithm
//! One file with an [`Algorithm`], its `mod` line, and its name in the list of [`registry`]; for an
//! exhaustive method see [`exact`], for a branching [`cp::branching`], for a local rule [`local`].

pub mod algorithm;
pub(crate) mod bits;
pub mod board;
pub(crate) mod construction;
pub mod course;
pub mod cp;
pub mod density;
pub mod dynamics;
pub mod exact;
pub mod factor;
pub mod goal;
pub mod local;
pub mod outcome;
pub mod point;
pub mod process;
pub mod registry;
pub mod rng;
pub mod synchronous;
#[cfg(test)]
mod tests;
pub mod variants;

/// The parts of the sources with their hashes, from which code versions are made: `hash name used
/// used …` of each, `;` between them (src/solver/build.rs).
pub const PARTS: &str = env!("REINES_PARTS");

pub use self::algorithm::{
    Algorithm, Control, Interrupted, Key, LANES_PER_THREAD, Prepared, TrialResult, TrialSource,
};
pub use self::course::{Change, Course, Observation, QueenMove, Signal};
pub use self::dynamics::{Dynamics, DynamicsChoice};
pub use self::outcome::{Column, Ending, Outcome};
pub use self::point::{Axis, AxisValues, Domain, Point, Value};
pub use self::registry::{ALGORITHMS, algorithm, prepare, symbol};
