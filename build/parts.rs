//! Which sources count for what. A result depends on the part `engine` and on the parts that its
//! algorithms name; a change of anything else leaves it valid.

/// A part: its name, its files and folders, and the other parts that it uses besides the engine,
/// with all that those use.
pub type Row = (&'static str, Names, Names);
type Names = &'static [&'static str];

/// `a/b` stands for `a/b.rs` and for all of `a/b/`, but for what has a row of its own. A file
/// without a row counts for nothing.
///
/// `a/b/*` makes each module of `a/b/` a part of its own, named as the first column says, with the
/// module's name for `*` and `-` for `_`.
pub const PARTS: &[Row] = &[
    (ENGINE, &["src/experiment", "src/solver"], &[]),
    // Decides how many trials a sequential point has.
    (ENGINE, &["src/analysis/sequential"], &[]),
    ("local", &["src/solver/local"], &[]),
    ("relaxation", &["src/solver/local/relaxation"], &["local"]),
    ("*", &["src/solver/local/rules/*"], &["local"]),
    (
        "on-pairs",
        &[
            "src/solver/local/sites/pairs",
            "src/solver/local/lanes/pairs",
        ],
        &["local"],
    ),
    (
        "on-cells",
        &[
            "src/solver/local/sites/cells",
            "src/solver/local/lanes/cells",
        ],
        &["local"],
    ),
    (
        "synchronous",
        &["src/solver/synchronous"],
        &["local", "on-cells"],
    ),
    ("factor", &["src/solver/factor"], &[]),
    ("exact", &["src/solver/exact"], &[]),
    ("*", &["src/solver/exact/methods/*"], &["exact"]),
    ("cp", &["src/solver/cp"], &[]),
    ("cp-*", &["src/solver/cp/branching/*"], &["cp"]),
    (CHOICE, CHOOSING, &[]),
    (NOTHING, CANNOT_REACH_A_ROW, &[]),
];

/// The part that every result depends on. The dependencies count for it.
pub const ENGINE: &str = "engine";

/// Lists of modules, and what chooses among them. They count for nothing and may name every part:
/// an entry says its own name in its own file, and the plan's hash has the names that were chosen,
/// of the algorithm, the variant and the dynamics. So another choice is another plan.
pub const CHOICE: &str = "choice";
const CHOOSING: &[&str] = &[
    "src/solver/registry",
    "src/solver/dynamics",
    "src/solver/local/rules",
    "src/solver/exact/methods",
    "src/solver/cp/branching",
];

/// What lies in a folder of the parts all the same. No part may name it.
pub const NOTHING: &str = "nothing";
const CANNOT_REACH_A_ROW: &[&str] = &[
    "src/experiment/spec/figure",
    "src/solver/density",
    "src/solver/local/watch",
];

/// Dependencies that no part may name, so that they count for nothing: they serve the command line
/// and the figures.
pub const OUTSIDE: &str = "anyhow base64 bytemuck clap clap_complete clap_mangen csv ctrlc dejavu \
    flate2 gif indicatif minijinja miniz_oxide once_cell plotters polars-arrow resvg serde_json sha2 \
    simd-adler32 smallvec svg2pdf toml_edit zip";
