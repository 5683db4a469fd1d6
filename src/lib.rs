//! `reines`: a reproducible research pipeline for the n-queens problem solved by local rules.
//!
//! Data flows one way through the modules, listed here in reading order; no module uses one that is
//! below it:
//!
//! ```text
//! experiments/*.toml → experiment → solver → experiment (store) → results → analysis → report
//!                          cli runs them all and is the only module that prints
//! ```
//!
//! # The map
//! | module | what it has |
//! |---|---|
//! | [`solver`] | local rules and their dynamics, exhaustive methods, constraint models |
//! | [`experiment`] | specs, plans, the runner and the store, which reads rows, too |
//! | [`results`] | which runs are meant, the trials of several, audits of files |
//! | [`analysis`] | means, quantiles, fits and comparisons, each with its uncertainty |
//! | [`drawing`] | boards as SVG and as text, and positions read from text |
//! | [`report`] | figures and tables |
//! | [`pages`] | the page of experiments |
//! | [`replay`] | a trial run again, with its changes on a page that plays them |
//! | `theme` | colours, markers, dashes and sizes, of figures and pages |
//!
//! # An algorithm of another package
//! It has a random stream, a cutoff, an axis and a column of its own, and the whole command line:
//! `walk run walk.toml` runs its experiments, `walk report` draws them (`examples/own-algorithm`;
//! docs/programs.md has the same in other languages).
//!
#![doc = "```no_run"]
#![doc = include_str!("../examples/own-algorithm/main.rs")]
#![doc = "```"]
//!
//! # What another package may add
//! Algorithms, with axes and columns of their own ([`solver::Registry::with`], before
//! [`run_command_line`]): every command takes them as the shipped ones, `--version` names them.
//!
//! Not: an observable inside a trial of a local rule (`series.parquet`), another rule's sites, a
//! measure or a mark of a figure; these are changes of this package (CONTRIBUTING.md).
//!
//! # Invariants
//! 1. A trial is a function of its point's values, its trial index, the seed and the dynamics.
//!    Threads, order, resume, takeover and machine have no influence: `trials.parquet` of one plan
//!    and one code version is the same bytes everywhere. Wall-clock times are in a file of their
//!    own. No clock reaches a row.
//! 2. No file, TOML or clock in `solver`. No statistics in `experiment`. `analysis` never
//!    simulates. `report` computes nothing that `analysis` should. Only `cli` prints, uses clap or
//!    indicatif, and starts git and cargo, for `diff --rev`. Programs of specs are started by the
//!    trials that `run` and `solve` make of them, alone.
//! 3. Rows in the store are facts; everything else can be recomputed from them. Nothing is
//!    overwritten: a result belongs to the code version that made it.
//! 4. A censored trial is never averaged as if it had ended.
//! 5. No hash-map iteration, clock, thread id, environment or platform's libm reaches a result;
//!    parallel sums reduce in a fixed order.

#[cfg(not(unix))]
compile_error!("reines runs on Unix alone: its locks and renames are those of Unix");

pub use reines_solver as solver;

pub mod experiment;

pub mod results;

pub mod analysis;

pub mod drawing;

pub mod report;

pub mod pages;

mod html;

mod theme;

pub mod replay;

mod cli;

/// Runs the command line of this process, and returns its exit code. 0: done. 1: a difference, an
/// unfinished run, a figure that cannot be drawn, a trial of `solve` that was cut off, or a failing
/// disk. 2: bad input or damaged results, which `verify` answers with 1. 3: nothing comparable; in
/// `diff` also an unfinished run. 130: interrupted. The binary `reines` is this function.
pub fn run_command_line() -> std::process::ExitCode {
    cli::main()
}
