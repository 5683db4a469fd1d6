//! Tests of the rejection-free dynamics.

mod arithmetic;
mod exactness;
