//! Pages in HTML: [`page`] is the page of experiments, `pages/experiments.rs` what it says of them.

pub(crate) mod experiments;

pub mod page;
