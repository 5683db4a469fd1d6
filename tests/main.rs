//! The integration tests, one module per subject, in one binary.

mod check;
mod list;
mod plan;
mod spec;
mod spec_errors;
mod spec_files;
mod spec_fuzz;
