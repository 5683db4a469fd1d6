//! The command line: the only room that speaks to a person.

pub mod check;
pub mod list;
mod text;
