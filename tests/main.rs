//! The integration tests, one binary: the library and the program from outside.

mod program;

mod pipeline;

mod exact;

mod frozen;

mod searches;

mod solve;

mod spec;

mod spec_errors;

mod spec_files;

mod spec_fuzz;

mod plan;

mod check;

mod naive;

mod paper;
