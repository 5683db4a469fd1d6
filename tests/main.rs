//! The integration tests, one binary: the library and the program from outside.

mod program;

/// Cases of each fuzz test; `verify` has more.
const CASES: u64 = 500;

/// One in so many forged tables is tried; `verify` tries all.
const FORGERIES: usize = 4;

/// Trials of each small point that are held against the naive implementation; `verify` has more.
const NAIVE_TRIALS: u32 = 1;

/// The side up to which the constraint models are searched for all boards; `verify` goes to 12.
const LARGEST_BOARD: usize = 6;

/// By how much larger boards the slower exhaustive methods search; `verify` goes further.
const FURTHER: usize = 0;

mod house;

mod same_bytes;

mod runs;

mod store;

mod damage;

mod faults;

mod system;

mod signals;

mod hostile;

mod lanes;

mod code_version;

mod partial;

mod courses;

mod sequential;

mod cluster;

mod exact;

mod frozen;

mod searches;

mod figures;

mod figure_choices;

mod search_figures;

mod solve;

mod replay;

mod boards;

mod spec;

mod refused;

mod transcripts;

mod spec_files;

mod spec_fuzz;

mod plan;

mod check;

mod changes;

mod export;

mod readme;

mod pack;

mod disk_space;

mod workflows;

mod diff;

mod diff_against;

mod naive;

mod paper;

mod constraint_models;

mod cp;

mod output;

mod docs;

mod pages;
