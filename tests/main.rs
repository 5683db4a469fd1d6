//! The integration tests, one binary: the library and the program from outside.

mod program;

mod pipeline;

mod cp;
