//! The exit codes. 0 done; 1 a difference, an unfinished run, a figure that cannot be drawn, a
//! trial that was cut off (`solve`) or a failing disk; 2 bad input or damaged results (`verify` has
//! 1 for these); 3 nothing comparable, for `diff` also an unfinished run; 130 interrupted. Which
//! error has which of these is decided here; the codes of `diff` are in `diff/verdict.rs`.

use std::error::Error;

use super::Refused;
use crate::experiment::store::StoreError;
use crate::solver::{Interrupted, TrialError};

/// All is done.
pub const DONE: u8 = 0;

/// The trial of `solve` was cut off: it is unfinished. That a board has no solution is an answer.
pub const CUT_OFF: u8 = 1;

/// A run whose time was over; and whatever fails without a code of its own.
pub const UNFINISHED: u8 = 1;

/// Bad input or damaged results. In `diff` a 1 would say that something differs, so that whatever
/// fails there has this code.
pub const BAD_INPUT: u8 = 2;

/// Nothing could be compared; a side of `diff` has no complete run yet, or one that this program
/// does not read.
pub const NOT_COMPARABLE: u8 = 3;

/// A signal has asked the program to end, as shells expect it.
pub const INTERRUPTED: u8 = 130;

/// Why there are no rows of an experiment that is known: none of its runs is complete.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unfinished(pub String);

/// The exit code of a command that fails: 2 for what is refused, and for results that are damaged;
/// 3 for sound ones that this program does not read.
pub fn of(error: &anyhow::Error) -> u8 {
    let is_unread = |cause: &(dyn Error + 'static)| {
        let stored = cause.downcast_ref::<StoreError>();
        matches!(stored, Some(StoreError::Unread { .. }))
    };
    let is_bad = |cause: &(dyn Error + 'static)| {
        let stored = cause.downcast_ref::<StoreError>();
        cause.is::<Refused>() || stored.is_some_and(StoreError::is_damage)
    };
    let is_interrupted = |cause: &(dyn Error + 'static)| {
        let trial = cause.downcast_ref::<TrialError>();
        cause.is::<Interrupted>() || matches!(trial, Some(TrialError::Interrupted(_)))
    };
    if error.chain().any(is_bad) {
        BAD_INPUT
    } else if error.chain().any(is_unread) {
        NOT_COMPARABLE
    } else if error.chain().any(is_interrupted) {
        INTERRUPTED
    } else {
        UNFINISHED
    }
}
