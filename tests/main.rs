//! The integration tests, one binary: the library and the program from outside.

mod program;

/// Kills of a run in each test of `kills`; `verify` has more.
const KILLS: u32 = 10;

mod pipeline;

mod shards;

mod cluster;

mod kills;

mod disk;

mod spec;

mod spec_errors;

mod spec_files;

mod spec_fuzz;

mod plan;

mod check;

mod naive;

mod paper;
