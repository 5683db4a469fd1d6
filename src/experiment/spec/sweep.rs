//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff.

use super::error::SpecError;
use super::tree::Table;
use super::trials::{self, Trials};
use super::{Entry, Sweep, axis, course, variant};
use crate::solver::goal::Goal;
use crate::solver::{ALGORITHMS, Algorithm, Axis, Value, algorithm};

const REPEATS: &str = "an integer from 1 to 1000";

/// Keys of a sweep of an algorithm that searches.
const SEARCH_KEYS: [&str; 2] = ["goal", "repeats"];

pub(super) fn read(table: &Table) -> Result<Sweep, SpecError> {
    table.only_of(&known_keys(), &allowed_keys(table))?;
    let names: Vec<_> = ALGORITHMS
        .iter()
        .map(|algorithm| algorithm.name())
        .collect();
    let entry = table.require("algorithm", &format!("one of {}", names.join(", ")))?;
    let name = entry.word("algorithm", &names)?;
    let algorithm = algorithm(name).ok_or_else(|| entry.refuse("a registered algorithm"))?;
    refuse_foreign_axes(table, algorithm)?;
    let variants = variant::read(table, algorithm)?;
    let axes = axes(table, algorithm, &variants.of)?;
    let searches = !algorithm.goals().is_empty();
    if !searches {
        refuse_search_keys(table, algorithm)?;
    }
    let goal = searches.then(|| goal(table, algorithm)).transpose()?;
    let repeats = table.get("repeats").map(repeats).transpose()?;
    let is_random = variants
        .of
        .iter()
        .any(|variant| algorithm.is_random(variant));
    let Trials { trials, sequential } = if is_random {
        trials::read(table, searches)?
    } else {
        trials::one(table)?
    };
    let cutoff = whole(table, "cutoff", u64::MAX, &cutoff_allowed(algorithm))?;
    let recorded = course::read(table, algorithm, cutoff)?;
    Ok(Sweep {
        line: table.line(),
        algorithm,
        variants,
        axes,
        goal,
        trials,
        sequential,
        cutoff,
        repeats,
        recorded,
    })
}

/// The values on the axes that any of the variants has; the others' axes are refused.
fn axes(
    table: &Table,
    algorithm: &'static dyn Algorithm,
    variants: &[String],
) -> Result<Vec<(&'static Axis, Vec<Value>)>, SpecError> {
    let is_had = |axis: &&Axis| variants.iter().any(|it| algorithm.has_axis(it, axis.name));
    let (own, others): (Vec<&Axis>, Vec<&Axis>) = algorithm.axes().iter().partition(is_had);
    if let Some(entry) = others.iter().find_map(|axis| table.get(axis.name)) {
        let own: Vec<_> = own.iter().map(|axis| axis.name).collect();
        return Err(entry.error(&format!(
            "the variant {} of {} has no such axis; allowed are {}",
            variants.join(", "),
            algorithm.name(),
            own.join(", ")
        )));
    }
    own.into_iter()
        .map(|axis| {
            let entry = table.require(axis.name, &axis::allowed(axis))?;
            Ok((axis, axis::values(axis, &entry)?))
        })
        .collect()
}

fn cutoff_allowed(algorithm: &dyn Algorithm) -> String {
    let each = if algorithm.goals().is_empty() {
        " per trial"
    } else {
        ""
    };
    format!(
        "an integer from 1 to {}, in {}{each}",
        u64::MAX,
        algorithm.cutoff_unit()
    )
}

/// What the search is for: counting, or what else it can be asked for, where nothing is said.
fn goal(table: &Table, algorithm: &dyn Algorithm) -> Result<Goal, SpecError> {
    let goals = algorithm.goals();
    let Some(entry) = table.get("goal") else {
        return Ok(Goal::default_of(goals).expect("an algorithm that searches has a goal"));
    };
    let names: Vec<_> = goals.iter().map(|goal| goal.name()).collect();
    let name = entry.word("goal of this algorithm", &names)?;
    Goal::from_name(name).ok_or_else(|| entry.refuse(&names.join(", ")))
}

fn repeats(entry: Entry) -> Result<u32, SpecError> {
    entry
        .integer(1, 1000)
        .and_then(|n| u32::try_from(n).ok())
        .ok_or_else(|| entry.refuse(REPEATS))
}

fn refuse_search_keys(table: &Table, algorithm: &dyn Algorithm) -> Result<(), SpecError> {
    let entry = SEARCH_KEYS.iter().find_map(|key| table.get(key));
    entry.map_or(Ok(()), |entry| {
        Err(entry.error(&format!(
            "the algorithm {} is no search; allowed is no such key",
            algorithm.name()
        )))
    })
}

/// A positive integer at `key`.
fn whole(table: &Table, key: &str, max: u64, allowed: &str) -> Result<u64, SpecError> {
    let entry = table.require(key, allowed)?;
    entry.integer(1, max).ok_or_else(|| entry.refuse(allowed))
}

/// What a sweep of any algorithm may have, in the order in which a message lists it.
fn known_keys() -> Vec<&'static str> {
    let mut keys = vec!["algorithm", "trials", "cutoff"];
    for axis in ALGORITHMS
        .iter()
        .rev()
        .flat_map(|algorithm| algorithm.axes())
    {
        if !keys.contains(&axis.name) {
            keys.push(axis.name);
        }
    }
    keys.extend(SEARCH_KEYS);
    keys.extend(variant::keys());
    keys.extend(course::KEYS);
    keys
}

/// Those of them that the algorithm of this sweep may have; all where it names none.
fn allowed_keys(table: &Table) -> Vec<&'static str> {
    let named = table
        .get("algorithm")
        .and_then(|entry| algorithm(entry.text("").ok()?));
    let Some(algorithm) = named else {
        return known_keys();
    };
    let mut keys = vec!["algorithm", "trials", "cutoff"];
    keys.extend(algorithm.axes().iter().map(|axis| axis.name));
    if !algorithm.goals().is_empty() {
        keys.extend(SEARCH_KEYS);
    }
    keys.extend(
        algorithm
            .variants()
            .map(variant::keys_of)
            .into_iter()
            .flatten(),
    );
    if course::records(algorithm) {
        keys.extend(course::KEYS);
    }
    keys
}

/// Refuses an axis that another algorithm has and this one has not.
fn refuse_foreign_axes(table: &Table, algorithm: &dyn Algorithm) -> Result<(), SpecError> {
    let own: Vec<_> = algorithm.axes().iter().map(|axis| axis.name).collect();
    for axis in ALGORITHMS
        .iter()
        .flat_map(|other| other.axes())
        .filter(|axis| !own.contains(&axis.name))
    {
        if let Some(entry) = table.get(axis.name) {
            return Err(entry.error(&format!(
                "the algorithm {} has no such axis; allowed are {}",
                algorithm.name(),
                own.join(", ")
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::outcome::COLUMNS;

    /// A key of a sweep has one meaning, and so has a column of the results.
    #[test]
    fn no_axis_has_the_name_of_another_key_or_column() {
        let mut taken = vec!["algorithm", "trials", "cutoff", "seed", "trial", "outcome"];
        taken.extend(["repeat", "seconds"]);
        taken.extend(SEARCH_KEYS);
        taken.extend(variant::keys());
        taken.extend(course::KEYS);
        taken.extend(COLUMNS.iter().map(|column| column.name));
        for axis in ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes()) {
            assert!(!taken.contains(&axis.name), "{}", axis.name);
        }
    }
}
