//! The integration tests, one binary: linking once is cheaper than linking many times.

mod naive;
