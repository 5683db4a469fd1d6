//! The way from a spec file to stored rows: what to run, running it, keeping what came out. No
//! statistics, no figures, and nothing that one algorithm alone has.
//!
//! To be read in this order: [`spec`] (the text of a file, checked), [`plan`] (its points and
//! trials), [`program`] (algorithms in other languages), [`runner`] (the trials that are missing,
//! on all threads), [`store`] (the files of a run), [`manifest`] (what stands beside the rows: by
//! which program, where, which files), `code_version` (what makes a result old) and [`laws`].
//!
//! Three texts are formats, held by frozen files and by docs/inside.md: what a plan's hash is made
//! of (`plan/hash.rs`), the manifest, and the columns of the tables (`store/schema.rs`). Messages
//! of a spec's errors are held by `tests/refused`.

pub mod spec;

pub mod plan;

pub mod runner;

pub mod store;

pub mod manifest;

pub mod laws;

pub mod program;

pub(crate) mod code_version;
