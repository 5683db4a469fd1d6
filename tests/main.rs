//! The integration tests, one binary: the library and the program from outside. The groups below
//! are the lines of the list in docs/inside.md.

mod program;

/// Cases of each fuzz test; `verify` has more.
const CASES: u64 = 500;

/// Trials of each small point that are held against the naive implementation; `verify` has more.
const NAIVE_TRIALS: u32 = 1;

/// The side up to which the constraint models are searched for all boards; `verify` goes to 12.
const LARGEST_BOARD: usize = 6;

/// The increase of n up to which the slower exhaustive methods search; `verify` goes further.
const FURTHER: usize = 0;

mod code_version;
mod house;

mod courses;
mod frozen;
mod same_bytes;
mod store;

mod damage;

mod faults;
mod partial;
mod signals;
mod system;

mod plan;
mod refused;
mod spec;
mod spec_fuzz;

mod constraint_models;
mod cp;
mod exact;
mod naive;
mod paper;
mod searches;

mod claims;
mod figures;
mod pages;
mod search_figures;

mod check;
mod count;
mod diff;
mod diff_against;
mod export;
mod guessed;
mod library;
mod output;
mod package;
mod readme;
mod replay;
mod transcripts;
mod workflows;
