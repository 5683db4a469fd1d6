//! The sources of each part of the program. A result depends on the part `engine` and on the part
//! that its algorithm names; a change of anything else leaves it valid.

/// A part: its name, its files and folders, and the other parts that it uses besides the engine,
/// with all that those use.
pub type Row = (&'static str, Names, Names);
type Names = &'static [&'static str];

/// `a/b` stands for `a/b.rs` and for all of `a/b/`, but for what has a row of its own. A file
/// without a row counts for nothing.
pub const PARTS: &[Row] = &[
    (ENGINE, &["src/experiment", "src/solver"], &[]),
    ("local", &["src/solver/local"], &[]),
    ("synchronous", &["src/solver/synchronous"], &["local"]),
    ("factor", &["src/solver/factor"], &[]),
    ("exact", &["src/solver/exact"], &[]),
    ("cp", &["src/solver/cp"], &[]),
    (CHOICE, CHOOSING, &[]),
    (NOTHING, CANNOT_REACH_A_ROW, &[]),
];

/// The part that every result depends on. The dependencies count for it.
pub const ENGINE: &str = "engine";

/// What chooses among algorithms and dynamics. It counts for nothing and may name every part: the
/// plan's hash has the names that were chosen, so another choice is another plan.
pub const CHOICE: &str = "choice";
const CHOOSING: &[&str] = &[
    // The list of the algorithms.
    "src/solver/registry",
    // Which dynamics a point has.
    "src/solver/dynamics",
];

/// What lies in a folder of the parts all the same. No part may name it.
pub const NOTHING: &str = "nothing";
const CANNOT_REACH_A_ROW: &[&str] = &[
    "src/experiment/spec/figure",
    "src/solver/density",
    "src/solver/local/changes",
];

/// Dependencies that no part may name, so that they count for nothing: they serve the command line
/// and the figures.
pub const OUTSIDE: &str = "anyhow base64 bytemuck clap clap_complete csv flate2 indicatif itertools \
    libc minijinja miniz_oxide once_cell plotters serde_json sha2 signal-hook simd-adler32 smallvec";
