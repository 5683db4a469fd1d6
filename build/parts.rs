//! Which sources count for what. A result depends on the part `engine` and on the parts that its
//! algorithms use; a change of any other part leaves it valid.

/// A file or folder, and the part that it counts for. The longest path that fits a file counts; a
/// file that none fits counts for nothing. `a/b` fits `a/b.rs` and all of `a/b/`.
///
/// `a/b/*` makes each module of `a/b/` a part of its own, named as the second column says, with the
/// module's name for `*` and `-` for `_`. Then `a/b.rs` is the list of these modules: its lines
/// `mod x;` and `x::ENTRY,` count for the part of x, all other tokens for the part of `a/b.rs`.
pub const PARTS: &[(&str, &str)] = &[
    ("src/experiment", ENGINE),
    // What figures show has no effect on rows, and no algorithm uses this part.
    ("src/experiment/spec/figure", "figures"),
    // Decides how many trials a sequential point has.
    ("src/analysis/sequential", ENGINE),
    ("src/solver", ENGINE),
    ("src/solver/density", "density"),
    ("src/solver/local", "local"),
    ("src/solver/local/relaxation", "relaxation"),
    ("src/solver/local/watch", "watch"),
    ("src/solver/local/rules/*", "*"),
    ("src/solver/synchronous", "synchronous"),
    ("src/solver/factor", "factor"),
    ("src/solver/exact", "exact"),
    ("src/solver/exact/methods/*", "*"),
    ("src/solver/cp", "cp"),
    ("src/solver/cp/branching/*", "cp-*"),
];

/// The part that every result depends on. The dependencies count for it.
pub const ENGINE: &str = "engine";

/// Files that choose among parts, or list them, and so may name parts that theirs does not depend
/// on: what is chosen, the algorithm and the dynamics of each point, is in the plan's hash. No
/// other file of the engine may use another part. The reader of specs only hands on what the part
/// `figures` reads.
pub const CHOOSING: &[&str] = &[
    "src/experiment/spec.rs",
    "src/solver/dynamics.rs",
    "src/solver/local/rules.rs",
    "src/solver/registry.rs",
];

/// Dependencies that no file which counts may name, so that they count for nothing: they serve the
/// command line and the figures.
pub const OUTSIDE: &[&str] = &[
    "anyhow",
    "base64",
    "clap",
    "clap_complete",
    "clap_mangen",
    "ctrlc",
    "dejavu",
    "gif",
    "indicatif",
    "minijinja",
    "miniz_oxide",
    "plotters",
    "polars-arrow",
    "proc-macro2",
    "resvg",
    "serde_json",
    "sha2",
    "svg2pdf",
];
