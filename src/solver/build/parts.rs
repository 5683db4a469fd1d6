//! The sources of each part of the solver. A result depends on the part `engine` and on the part
//! that its algorithm names; a change of anything else leaves it valid.

/// A part: its name, its files and folders, and the other parts that it uses besides the engine,
/// with all that those use.
pub type Row = (&'static str, Names, Names);
type Names = &'static [&'static str];

/// `a/b` stands for `a/b.rs` and for all of `a/b/`, but for what has a row of its own. What has no
/// row counts for [`ENGINE`].
pub const PARTS: &[Row] = &[
    ("local", &["local"], &[]),
    ("synchronous", &["synchronous"], &["local"]),
    ("factor", &["factor"], &[]),
    ("exact", &["exact"], &[]),
    ("cp", &["cp"], &[]),
    (CHOICE, CHOOSING, &[]),
    (NOTHING, CANNOT_REACH_A_ROW, &[]),
];

/// The part that every result depends on.
pub const ENGINE: &str = "engine";

/// What chooses among algorithms and dynamics. It counts for nothing and may name every part: the
/// plan's hash has the names that were chosen, so another choice is another plan.
pub const CHOICE: &str = "choice";
const CHOOSING: &[&str] = &[
    // The list of the algorithms.
    "registry", // Which dynamics a point has.
    "dynamics",
];

/// What lies in the solver's folder all the same. No part may name it.
pub const NOTHING: &str = "nothing";
const CANNOT_REACH_A_ROW: &[&str] = &["build", "density"];
