//! The algorithms, and the types that all of them share. Free of files, TOML and clocks.
//!
//! # Adding an algorithm
//! One file with a type that implements [`Algorithm`], its `mod` line, and one line in the list of
//! [`registry`]; for an exhaustive method see [`exact`], for a branching [`cp::branching`], for a
//! local rule [`local`].

pub mod algorithm;
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
pub mod registry;
pub mod rng;
pub mod synchronous;
#[cfg(test)]
pub(crate) mod testing;
pub mod variants;

/// The parts of the sources with their hashes, from which code versions are made: `name hash used
/// used …` of each, `;` between them (src/solver/build).
pub const PARTS: &str = env!("REINES_PARTS");

pub use self::algorithm::{
    Algorithm, Control, Interrupted, Job, LANES_PER_THREAD, TrialSource, Trials,
};
pub use self::course::{Course, Observation, QueenMove, Recording};
pub use self::dynamics::{Dynamics, DynamicsChoice};
pub use self::outcome::{Column, Ending, Outcome};
pub use self::point::{Axis, AxisValues, Domain, Point, Value};
pub use self::registry::{ALGORITHMS, algorithm, symbol};
