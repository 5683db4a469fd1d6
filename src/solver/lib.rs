//! The algorithms, and the types that all of them share. Free of files, TOML and clocks. Where a
//! decision is: `process` (the end of a trial), `dynamics` (the limits of `auto`), `board` (the
//! largest side), `outcome/columns`, `registry` (the list of algorithms), `rng`.
//!
//! An [`Algorithm`] is data: name, axes, columns and one function, behind [`prepare`], that makes
//! trials of a point ready to run ([`Prepared`]). Those that simulate a process share one driver
//! ([`process`]); [`local::run_side_by_side`] alone runs several trials at once. Whether queens
//! form a solution is said in [`solution`]; names and meanings of columns are in [`outcome`].
//!
//! To be read in this order: [`point`], [`outcome`], [`mod@algorithm`], [`rng`], [`process`], then
//! a short algorithm ([`min_conflicts`]), [`local`], [`exact`] and [`cp`]. Streams, columns and the
//! order of draws are formats: rows of earlier versions rest on them. What is fast, and held by
//! instruction counts, is `local/rejection_free`, `local/lanes`, `exact/methods/bitboard.rs` and
//! the propagators.
//!
//! # Adding an algorithm
//! One file with an [`Algorithm`], its `mod` line, and its name in the list of [`registry`]; for an
//! exhaustive method see [`exact`], for a branching [`cp::branching`], for a local rule [`local`].
//! Another package hands one in ([`Registry::with`]):
//! ```
//! use reines_solver::{board::Board, local::configuration::Configuration, rng::TrialStream, *};
//! const GUESS: Algorithm = Algorithm {
//!     name: "guess",
//!     axes: &[Axis::side(8)],
//!     is_only_stepwise: true,
//!     columns: &[Column::named("updates"), Column::named("solution")],
//!     version: "1.0",
//!     prepare: &|point, _| {
//!         let (point, board) = (point.clone(), Board::new(point.side()));
//!         Box::new(move |key, cutoff, _| {
//!             let mut random = TrialStream::new("guess/1", key.seed, &point, key.trial);
//!             let mut guess = || Configuration::random_start(board, &mut random).solution();
//!             let found = (1..=cutoff).find_map(|update| Some((update, guess()?)));
//!             let mut outcome = Outcome::ended(Ending::Censored);
//!             (outcome.updates, outcome.solution) = found.unzip();
//!             Ok((outcome, Course::default()))
//!         })
//!     },
//!     ..Algorithm::UNNAMED
//! };
//! ALGORITHMS.with(GUESS);
//! let run = prepare(&Point::new("guess", [("n", Value::Integer(4))]), None);
//! let (outcome, _) = run(Key { seed: 1, trial: 0 }, 100_000, &Control::unstopped())?;
//! assert!(outcome.solution.is_some());
//! # Ok::<(), TrialError>(())
//! ```

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
pub mod min_conflicts;
pub mod outcome;
pub mod point;
pub mod process;
pub mod registry;
pub mod rng;
pub mod solution;
pub mod synchronous;
#[cfg(test)]
mod tests;
pub mod variants;

/// The parts of the sources with their hashes, from which code versions are made: `hash name used
/// used …` of each, `;` between them (src/solver/build.rs).
pub const PARTS: &str = env!("REINES_PARTS");

/// BLAKE3 over the bytes of the files of which this package was built: 64 hexadecimal digits.
pub const STAMP: &str = env!("REINES_SOLVER_STAMP");

pub use self::algorithm::{
    Algorithm, Control, Interrupted, Key, LANES_PER_THREAD, Prepared, TrialError, TrialResult,
    TrialSource,
};
pub use self::course::{Change, Course, Observation, QueenMove, Signal, Tally};
pub use self::dynamics::{Dynamics, DynamicsChoice};
pub use self::outcome::{Column, Ending, Kind, Outcome, OwnValue};
pub use self::point::{Axis, AxisValues, Domain, Point, Value};
pub use self::registry::{ALGORITHMS, Registry, algorithm, draws, prepare, symbol};
