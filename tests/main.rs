//! The integration tests, one binary: the library and the program from outside, in groups by what
//! they hold. With `THOROUGH=1` in the environment some go much further (`make verify`).

mod program;

/// How far a test goes: in `make test`, and with `THOROUGH=1`.
fn effort<T>(usual: T, thorough: T) -> T {
    if std::env::var("THOROUGH").is_ok_and(|it| it == "1") {
        thorough
    } else {
        usual
    }
}

// Modules, comments, and what makes a result old.
mod code_version;
mod house;

// The same bytes in every way; what runs again; pieces.
mod courses;
mod frozen;
mod links;
mod meant;
mod same_bytes;
mod stale;
mod store;

// Files that are damaged, forged, gone, of another run.
mod damage;

// Any sequence of actions on a folder, against a fresh one.
mod state;

// A system call that fails, a full disk, a kill, Ctrl-C.
mod faults;
mod signals;
mod system;

// Algorithms that are programs.
mod programs;

// Specs, refused and read, and their plans.
mod plan;
mod refused;
mod spec;
mod spec_fuzz;

// Rules, methods and propagators, against second implementations, theory and the texts; rates.
mod cp;
mod exact;
mod naive;
mod paper;
mod rates;
mod theory;

// Figures, their tables, pages, and what they claim.
mod browser;
mod claims;
mod figure_fuzz;
mod figures;
mod forms;
mod pages;

// What commands print, and the docs.
mod check;
mod contributing;
mod density;
mod diff;
mod diff_against;
mod diff_rates;
mod export;
mod library;
mod package;
mod readme;
mod replay;
mod searches;
mod transcripts;
mod workflows;
