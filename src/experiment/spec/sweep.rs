//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff.

use std::collections::BTreeSet;

use super::error::{Mistakes, every};
use super::tree::Table;
use super::{Entry, Recorded, Refused, Sweep, course, range, variant};
use crate::solver::goal::Goal;
use crate::solver::{ALGORITHMS, Algorithm, Axis, Value, algorithm};

/// Keys of a sweep of an algorithm that searches.
const SEARCH_KEYS: [&str; 2] = ["goal", "repeats"];

pub(super) fn read(table: &mut Table) -> Result<Sweep, Refused> {
    let mut mistakes = Mistakes::default();
    let name = table.get("algorithm");
    let named = name.and_then(|entry| algorithm(entry.text("").ok()?));
    let allowed = named.map_or_else(all_keys, keys);
    mistakes.keep(table.only_of(&all_keys().concat(), &allowed.concat()));
    let sweep = match mistakes.keep(algorithm_of(table)) {
        Some(algorithm) => mistakes.keep(read_as(table, algorithm)),
        None => mistakes.keep(refuse_values(table)).and(None),
    };
    mistakes.or(sweep)
}

/// The algorithm that the sweep names.
fn algorithm_of(table: &Table) -> Result<&'static dyn Algorithm, Refused> {
    let names: Vec<_> = ALGORITHMS.iter().map(|it| it.name()).collect();
    let entry = table.require("algorithm", &format!("one of {}", names.join(", ")))?;
    let name = entry.word("algorithm", &names)?;
    algorithm(name).ok_or_else(|| entry.refuse("a registered algorithm"))
}

fn read_as(table: &Table, algorithm: &'static dyn Algorithm) -> Result<Sweep, Refused> {
    let mut mistakes = Mistakes::default();
    mistakes.keep(refuse_foreign_keys(table, algorithm));
    let searches = !algorithm.goals().is_empty();
    let variants = mistakes.value(variant::read(table, algorithm));
    let of = &variants.of;
    let is_random = of.iter().any(|variant| algorithm.is_random(variant));
    if is_random && !searches {
        mistakes.keep(table.require("trials", NUMBER_OR_PRECISION));
    }
    let trials = match is_random || of.is_empty() {
        true => trials(table, searches),
        false => {
            let one = table.get("trials").map(|entry| whole(&entry, 1, 1, ONE));
            one.map(|one| Ok((one?, None))).transpose()
        }
    };
    let (trials, sequential) = mistakes.value(trials).unwrap_or((1, None));
    let each = if searches { "" } else { " per trial" };
    let unit = format!(", in {}{each}", algorithm.cutoff_unit());
    let cutoff = mistakes.keep(cutoff(table, &unit));
    let sweep = Sweep {
        line: table.line(),
        algorithm,
        axes: mistakes.value(axes(table, algorithm, of)),
        goal: mistakes.value(goal(table, algorithm)),
        trials,
        sequential,
        cutoff: cutoff.unwrap_or_default(),
        repeats: match searches {
            true => mistakes.value(repeats(table)),
            false => None,
        },
        recorded: match course::records(algorithm) {
            true => mistakes.value(course::read(table, cutoff.unwrap_or(u64::MAX))),
            false => Recorded::default(),
        },
        variants,
    };
    mistakes.or(Some(sweep))
}

/// Refuses what is wrong whatever the algorithm is.
fn refuse_values(table: &Table) -> Result<(), Refused> {
    let mut mistakes = Mistakes::default();
    let names: BTreeSet<&str> = algorithm_axes().map(|axis| axis.name).collect();
    for name in names {
        let axes = algorithm_axes().filter(|axis| axis.name == name);
        let values = table.get(name).map(|it| range::on_one_of(axes, &it));
        mistakes.keep(values.transpose());
    }
    mistakes.keep(trials(table, false));
    if table.get("cutoff").is_some() {
        mistakes.keep(cutoff(table, ""));
    }
    mistakes.keep(repeats(table));
    mistakes.keep(course::read(table, u64::MAX));
    mistakes.or(Some(()))
}

fn algorithm_axes() -> impl Iterator<Item = &'static Axis> {
    ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes())
}

fn is_axis(key: &str) -> bool {
    algorithm_axes().any(|axis| axis.name == key)
}

/// The keys that a sweep of the algorithm may have, in the order in which a message lists them:
/// those of every sweep, axes, those of a search, of variants, of courses.
fn keys(algorithm: &dyn Algorithm) -> [Vec<&'static str>; 5] {
    let searches = !algorithm.goals().is_empty();
    let records = course::records(algorithm);
    [
        vec!["algorithm", "trials", "cutoff"],
        algorithm.axes().iter().map(|axis| axis.name).collect(),
        SEARCH_KEYS.iter().filter(|_| searches).copied().collect(),
        variant::keys(algorithm),
        course::KEYS.into_iter().filter(|_| records).collect(),
    ]
}

/// The same of all algorithms.
fn all_keys() -> [Vec<&'static str>; 5] {
    let mut all: [Vec<&str>; 5] = Default::default();
    for algorithm in ALGORITHMS.iter() {
        for (all, own) in all.iter_mut().zip(keys(*algorithm)) {
            let new: Vec<_> = own.into_iter().filter(|key| !all.contains(key)).collect();
            all.extend(new);
        }
    }
    all
}

/// Refuses the keys of the sweep that only other algorithms have.
fn refuse_foreign_keys(table: &Table, algorithm: &dyn Algorithm) -> Result<(), Refused> {
    let name = algorithm.name();
    let (own, all) = (keys(algorithm), all_keys().concat());
    let (axes, own) = (&own[1], own.concat());
    let refused = |(key, entry): (&str, Entry)| match key {
        key if is_axis(key) => entry.error(&format!(
            "the algorithm {name} has no such axis; expected one of {}",
            axes.join(", ")
        )),
        key if SEARCH_KEYS.contains(&key) => entry.error(&format!(
            "`{key}` applies only to search algorithms, and {name} is none"
        )),
        key if course::KEYS.contains(&key) => course::refuse(key, &entry, algorithm),
        _ => variant::refuse(&entry, algorithm),
    };
    let foreign = all.into_iter().filter(|key| !own.contains(key));
    let foreign = foreign.filter_map(|key| Some((key, table.get(key)?)));
    Refused::all(foreign.map(refused).collect())
}

/// The values on the axes that any of the variants has; the others' axes are refused.
fn axes(
    table: &Table,
    algorithm: &'static dyn Algorithm,
    variants: &[String],
) -> Result<Vec<(&'static Axis, Vec<Value>)>, Refused> {
    let is_had = |axis: &&Axis| {
        // Where they cannot be read, that is the mistake, and an axis may be one of another.
        let has_axis = |variant: &String| algorithm.has_axis(variant, axis.name);
        match variants {
            [] => table.get(axis.name).is_some(),
            variants => variants.iter().any(has_axis),
        }
    };
    let (own, others): (Vec<&Axis>, Vec<&Axis>) = algorithm.axes().iter().partition(is_had);
    let names: Vec<_> = own.iter().map(|axis| axis.name).collect();
    let mut mistakes = Mistakes::default();
    for entry in others.iter().filter_map(|axis| table.get(axis.name)) {
        mistakes.keep::<()>(Err(entry.error(&format!(
            "the variant {} of {} has no such axis; expected one of {}",
            variants.join(", "),
            algorithm.name(),
            names.join(", ")
        ))));
    }
    let values = mistakes.value(every(own.into_iter().map(|axis| {
        let entry = table.require(axis.name, &range::allowed_on(axis))?;
        Ok((axis, range::on(axis, &entry)?))
    })));
    mistakes.or(Some(values))
}

/// Updates, or checks or nodes; `unit` says which.
fn cutoff(table: &Table, unit: &str) -> Result<u64, Refused> {
    let most = u64::MAX;
    let allowed = format!("an integer from 1 to {most}{unit}");
    let entry = table.require("cutoff", &allowed)?;
    entry.integer(1, most, &allowed)
}

fn repeats(table: &Table) -> Result<Option<u32>, Refused> {
    let repeats = table.get("repeats");
    let repeats = repeats.map(|it| whole(&it, 1, 1000, "an integer from 1 to 1000"));
    repeats.transpose()
}

/// What the search is for: counting, or what else it can be asked for, where nothing is said;
/// `None` where the algorithm has no goals.
fn goal(table: &Table, algorithm: &dyn Algorithm) -> Result<Option<Goal>, Refused> {
    let goals = algorithm.goals();
    let Some(entry) = table.get("goal").filter(|_| !goals.is_empty()) else {
        return Ok(Goal::default_of(goals));
    };
    let names: Vec<_> = goals.iter().map(|goal| goal.name()).collect();
    let name = entry.word("goal of this algorithm", &names)?;
    Ok(Goal::from_name(name))
}

const ONE: &str = "1, since every trial would be the same; repeats times it several times";

/// Least trials of a first batch: with fewer, the normal law says little of their mean.
const LEAST_MIN: u32 = 30;

/// A point's rows decide its trials: batches, until the mean is known to `precision`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sequential {
    /// Trials of the first batch under each seed, at least 30.
    pub min: u32,
    /// Relative half width of the 95 % interval that is enough; between 0 and 1.
    pub precision: f64,
}

/// Trials of a point under each seed: a number, or `{ min, max, precision }`, of which it is the
/// most, so that each point goes on until its mean is known well enough.
type Trials = (u32, Option<Sequential>);

const NUMBER: &str = "an integer from 1 to 4294967295";
const NUMBER_OR_PRECISION: &str = "an integer from 1 to 4294967295, or {min, max, precision}";

/// None where the key is missing; a search has no absorption time whose mean could be known.
fn trials(table: &Table, searches: bool) -> Result<Option<Trials>, Refused> {
    let trials = |entry: Entry| match entry.table() {
        _ if searches => Ok((whole(&entry, 1, u32::MAX, NUMBER)?, None)),
        Some(mut table) => sequential(&mut table),
        None => Ok((whole(&entry, 1, u32::MAX, NUMBER_OR_PRECISION)?, None)),
    };
    table.get("trials").map(trials).transpose()
}

fn sequential(table: &mut Table) -> Result<Trials, Refused> {
    let mut mistakes = Mistakes::default();
    mistakes.keep(table.only(&["min", "max", "precision"]));
    let bounded = |key: &str, least: u32, more: &str| {
        let allowed = format!("an integer from {least} to {}{more}", u32::MAX);
        whole(&table.require(key, &allowed)?, least, u32::MAX, &allowed)
    };
    let min = mistakes
        .keep(bounded("min", LEAST_MIN, ""))
        .unwrap_or(LEAST_MIN);
    let trials = mistakes.value(bounded("max", min, ", not below min"));
    let allowed = "a number above 0 and below 1";
    let precision = table.require("precision", allowed);
    let precision = precision.and_then(|it| it.real(|it| it > 0.0 && it < 1.0, allowed));
    let precision = mistakes.value(precision);
    mistakes.or(Some((trials, Some(Sequential { min, precision }))))
}

/// The value as an integer within these bounds.
fn whole(entry: &Entry, least: u32, most: u32, allowed: &str) -> Result<u32, Refused> {
    let value = entry.integer(least.into(), most.into(), allowed)?;
    u32::try_from(value).map_err(|_| entry.refuse(allowed))
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
        let [_, _, others @ ..] = all_keys();
        taken.extend(others.concat());
        taken.extend(COLUMNS.iter().map(|column| column.name));
        for axis in ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes()) {
            assert!(!taken.contains(&axis.name), "{}", axis.name);
        }
    }
}
