//! The way from a spec file to stored rows: what to run, running it, keeping what came out. No
//! statistics.

pub mod spec;

pub mod plan;

pub mod runner;

pub mod store;

pub mod provenance;

pub mod laws;

pub mod program;

pub(crate) mod version;
