//! How many trials the points of a sweep have: a number, or `{ min, max, precision }`, so that each
//! point goes on until its mean is known well enough.

use super::Refused;
use super::tree::{Entry, Table};

const NUMBER: &str = "an integer from 1 to 4294967295";
const NUMBER_OR_PRECISION: &str = "an integer from 1 to 4294967295, or {min, max, precision}";
const ONE: &str = "1, since every trial would be the same; repeats times it several times";

/// Least trials of a point whose number is decided by its own rows: with fewer, the normal law says
/// little of their mean.
const LEAST_MIN: u32 = 30;

/// The number of a point's trials is decided by its rows: batches of trial order until the mean is
/// known to `precision`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sequential {
    /// Trials of the first batch under each seed, at least 30.
    pub min: u32,
    /// Relative half width of the 95 % interval that is enough; between 0 and 1.
    pub precision: f64,
}

/// Trials of a point under each seed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trials {
    /// At most, where they are sequential.
    pub trials: u32,
    pub sequential: Option<Sequential>,
}

/// Where nothing is drawn at random, or nothing said of a search.
pub(super) const ONE_TRIAL: Trials = Trials {
    trials: 1,
    sequential: None,
};

/// Of an algorithm that draws at random; a search has no absorption time whose mean could be known,
/// and one trial where nothing is said.
pub(super) fn read(table: &Table, searches: bool) -> Result<Trials, Refused> {
    if searches && table.get("trials").is_none() {
        return Ok(ONE_TRIAL);
    }
    let allowed = if searches {
        NUMBER
    } else {
        NUMBER_OR_PRECISION
    };
    let entry = table.require("trials", allowed)?;
    match entry.table() {
        Some(table) if !searches => sequential(&table),
        _ => Ok(Trials {
            trials: whole(&entry, 1).ok_or_else(|| entry.refuse(allowed))?,
            sequential: None,
        }),
    }
}

/// What draws nothing at random has one trial.
pub(super) fn one(table: &Table) -> Result<Trials, Refused> {
    match table.get("trials") {
        Some(entry) if entry.integer(1, 1).is_none() => Err(entry.refuse(ONE)),
        _ => Ok(ONE_TRIAL),
    }
}

fn sequential(table: &Table) -> Result<Trials, Refused> {
    table.only(&["min", "max", "precision"])?;
    let from = |least: u32| format!("an integer from {least} to {}", u32::MAX);
    let bounded = |key: &str, least: u32, allowed: &str| {
        let entry = table.require(key, allowed)?;
        whole(&entry, least).ok_or_else(|| entry.refuse(allowed))
    };
    let min = bounded("min", LEAST_MIN, &from(LEAST_MIN))?;
    let trials = bounded("max", min, &format!("{}, not below min", from(min)))?;
    let allowed = "a number above 0 and below 1";
    let entry = table.require("precision", allowed)?;
    let precision = entry
        .real()
        .filter(|&precision| precision > 0.0 && precision < 1.0)
        .ok_or_else(|| entry.refuse(allowed))?;
    Ok(Trials {
        trials,
        sequential: Some(Sequential { min, precision }),
    })
}

/// The value as an integer from `least` on.
fn whole(entry: &Entry, least: u32) -> Option<u32> {
    entry
        .integer(least.into(), u32::MAX.into())
        .and_then(|value| u32::try_from(value).ok())
}
