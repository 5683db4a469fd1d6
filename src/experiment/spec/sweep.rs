//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff.

use super::error::SpecError;
use super::tree::Table;
use super::{Sweep, axis};
use crate::solver::{ALGORITHMS, Algorithm, algorithm};

const TRIALS: &str = "an integer from 1 to 4294967295";
const CUTOFF: &str = "an integer from 1 to 18446744073709551615, in updates per trial";

pub(super) fn read(table: &Table) -> Result<Sweep, SpecError> {
    table.only(&known_keys())?;
    let names: Vec<_> = ALGORITHMS.iter().map(|algorithm| algorithm.name()).collect();
    let entry = table.require("algorithm", &format!("one of {}", names.join(", ")))?;
    let name = entry.word("algorithm", &names)?;
    let algorithm = algorithm(name).ok_or_else(|| entry.refuse("a registered algorithm"))?;
    refuse_foreign_axes(table, algorithm)?;
    let axes = algorithm.axes().iter().map(|axis| {
        let entry = table.require(axis.name, &axis::allowed(axis))?;
        Ok((axis, axis::values(axis, &entry)?))
    });
    let axes = axes.collect::<Result<Vec<_>, SpecError>>()?;
    let trials = whole(table, "trials", u32::MAX.into(), TRIALS)?;
    let cutoff = whole(table, "cutoff", u64::MAX, CUTOFF)?;
    let trials = u32::try_from(trials).expect("bounded by u32::MAX");
    Ok(Sweep { line: table.line(), algorithm, axes, trials, cutoff })
}

/// A positive integer at `key`.
fn whole(table: &Table, key: &str, max: u64, allowed: &str) -> Result<u64, SpecError> {
    let entry = table.require(key, allowed)?;
    entry.integer(1, max).ok_or_else(|| entry.refuse(allowed))
}

/// What a sweep of any algorithm may have, in the order in which a message lists it.
fn known_keys() -> Vec<&'static str> {
    let mut keys = vec!["algorithm", "trials", "cutoff"];
    for axis in ALGORITHMS.iter().rev().flat_map(|algorithm| algorithm.axes()) {
        if !keys.contains(&axis.name) {
            keys.push(axis.name);
        }
    }
    keys
}

/// Refuses an axis that another algorithm has and this one has not.
fn refuse_foreign_axes(table: &Table, algorithm: &dyn Algorithm) -> Result<(), SpecError> {
    let own: Vec<_> = algorithm.axes().iter().map(|axis| axis.name).collect();
    for axis in ALGORITHMS.iter().flat_map(|other| other.axes()).filter(|axis| !own.contains(&axis.name)) {
        if let Some(entry) = table.get(axis.name) {
            return Err(entry.error(&format!("the algorithm {} has no such axis; allowed are {}", algorithm.name(), own.join(", "))));
        }
    }
    Ok(())
}
