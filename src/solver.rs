//! Words that every room shares, and the algorithms. Knows no file, no TOML, no clock.
//!
//! # Adding an algorithm
//! One file with a type that implements [`Algorithm`], its `mod` line, and one line in
//! [`registry::LISTED`]; for an exhaustive method see [`exact`].

pub mod algorithm;
pub mod board;
pub mod construction;
pub mod control;
pub mod cp;
pub mod density;
pub mod dynamics;
pub mod exact;
pub mod goal;
pub mod local;
pub mod outcome;
pub mod placement;
pub mod point;
pub mod registry;
pub mod rng;
pub mod variants;

pub use self::algorithm::{Algorithm, Job};
pub use self::control::{Control, Gauge, Interrupted};
pub use self::dynamics::{Dynamics, DynamicsChoice};
pub use self::outcome::{Column, Ending, Outcome};
pub use self::point::{Axis, AxisValues, Domain, Point, Value};
pub use self::registry::{ALGORITHMS, LISTED, algorithm, symbol};
