//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff.

use super::error::Mistakes;
use super::tree::Table;
use super::{Entry, Refused, Sweep, course, did_you_mean, range, variant};
use crate::solver::goal::Goal;
use crate::solver::{ALGORITHMS, Algorithm, Axis, Value, algorithm};

/// Keys of a sweep of an algorithm that searches.
const SEARCH_KEYS: [&str; 2] = ["goal", "repeats"];

pub(super) fn read(table: &Table) -> Result<Sweep, Refused> {
    let name = table.get("algorithm");
    let named = name.and_then(|entry| algorithm(entry.text("").ok()?));
    let allowed = named.map_or_else(all_keys, keys);
    table.only_of(&all_keys().concat(), &allowed.concat())?;
    let names: Vec<_> = ALGORITHMS.iter().map(|it| it.name()).collect();
    let entry = table.require("algorithm", &format!("one of {}", names.join(", ")))?;
    let name = entry.word("algorithm", &names)?;
    let algorithm = algorithm(name).ok_or_else(|| entry.refuse("a registered algorithm"))?;
    refuse_foreign_keys(table, &entry, algorithm)?;
    let mut mistakes = Mistakes::default();
    let variants = mistakes.keep(variant::read(table, algorithm));
    let of = variants.as_ref().map_or(&[][..], |variants| &variants.of);
    let axes = axes(table, algorithm, of, &mut mistakes);
    let searches = !algorithm.goals().is_empty();
    let goal = mistakes.keep(goal(table, algorithm));
    let repeats = table.get("repeats");
    let repeats = repeats.map(|it| whole(&it, 1, 1000, "an integer from 1 to 1000"));
    let repeats = mistakes.keep(repeats.transpose());
    let is_random = of.iter().any(|variant| algorithm.is_random(variant));
    let trials = mistakes.keep(match is_random {
        _ if of.is_empty() => Ok((1, None)),
        true => trials(table, searches),
        false => {
            let one = table.get("trials").map(|entry| whole(&entry, 1, 1, ONE));
            one.transpose().map(|_| (1, None))
        }
    });
    let cutoff = mistakes.keep(cutoff(table, algorithm));
    let recorded = mistakes.keep(course::read(table, cutoff.unwrap_or(u64::MAX)));
    let sweep = || {
        let (trials, sequential) = trials?;
        Some(Sweep {
            line: table.line(),
            algorithm,
            variants: variants?,
            axes,
            goal: goal?,
            trials,
            sequential,
            cutoff: cutoff?,
            repeats: repeats?,
            recorded: recorded?,
        })
    };
    mistakes.or(sweep())
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

/// Refuses the first key that other algorithms have and this one has not.
fn refuse_foreign_keys(
    table: &Table,
    named: &Entry,
    algorithm: &dyn Algorithm,
) -> Result<(), Refused> {
    let (own, all, name) = (keys(algorithm), all_keys(), algorithm.name());
    let foreign = all
        .iter()
        .zip(&own)
        .enumerate()
        .flat_map(|(kind, (all, own))| {
            let foreign = all.iter().filter(|key| !own.contains(key));
            foreign.filter_map(move |key| Some((kind, *key, table.get(key)?)))
        });
    let foreign: Vec<_> = foreign.collect();
    let Some((kind, key, entry)) = foreign.first() else {
        return Ok(());
    };
    // An algorithm of nearly that name that has these axes is what was meant.
    let has_all = |other: &&&dyn Algorithm| {
        let keys = keys(**other).concat();
        foreign.iter().all(|(_, key, _)| keys.contains(key))
    };
    let fitting = ALGORITHMS.iter().filter(has_all).map(|it| it.name());
    let fitting: Vec<_> = fitting.collect();
    let meant = did_you_mean(name, &fitting);
    if *kind == 1 && !meant.is_empty() {
        let keys: Vec<_> = foreign.iter().map(|(_, key, _)| *key).collect();
        let keys = keys.join(", ");
        let allowed = format!("allowed is an algorithm that has them{meant}");
        return Err(named.error(&format!("it has no {keys}; {allowed}")));
    }
    Err(match kind {
        1 => entry.error(&format!(
            "the algorithm {name} has no such axis; allowed are {}",
            own[1].join(", ")
        )),
        2 => entry.error(&format!(
            "the algorithm {name} is no search; allowed is no such key"
        )),
        3 => variant::refuse(entry, algorithm),
        _ => course::refuse(key, entry, algorithm),
    })
}

/// The values on the axes that any of the variants has; the others' axes are refused.
fn axes(
    table: &Table,
    algorithm: &'static dyn Algorithm,
    variants: &[String],
    mistakes: &mut Mistakes,
) -> Vec<(&'static Axis, Vec<Value>)> {
    let is_had = |axis: &&Axis| {
        // Where they cannot be read, that is the mistake.
        variants.is_empty() || variants.iter().any(|it| algorithm.has_axis(it, axis.name))
    };
    let (own, others): (Vec<&Axis>, Vec<&Axis>) = algorithm.axes().iter().partition(is_had);
    if let Some(entry) = others.iter().find_map(|axis| table.get(axis.name)) {
        let own: Vec<_> = own.iter().map(|axis| axis.name).collect();
        mistakes.keep::<()>(Err(entry.error(&format!(
            "the variant {} of {} has no such axis; allowed are {}",
            variants.join(", "),
            algorithm.name(),
            own.join(", ")
        ))));
    }
    let values = |axis: &'static Axis| {
        let entry = table.require(axis.name, &range::allowed_on(axis));
        mistakes.keep(entry.and_then(|entry| Ok((axis, range::on(axis, &entry)?))))
    };
    own.into_iter().filter_map(values).collect()
}

/// Updates, or checks or nodes.
fn cutoff(table: &Table, algorithm: &dyn Algorithm) -> Result<u64, Refused> {
    let each = if algorithm.goals().is_empty() {
        " per trial"
    } else {
        ""
    };
    let (most, unit) = (u64::MAX, algorithm.cutoff_unit());
    let allowed = format!("an integer from 1 to {most}, in {unit}{each}");
    let entry = table.require("cutoff", &allowed)?;
    entry.integer(1, most, &allowed)
}

/// What the search is for: counting, or what else it can be asked for, where nothing is said;
/// `None` where the algorithm has no goals.
fn goal(table: &Table, algorithm: &dyn Algorithm) -> Result<Option<Goal>, Refused> {
    let goals = algorithm.goals();
    let Some(entry) = table.get("goal") else {
        return Ok(Goal::default_of(goals));
    };
    let names: Vec<_> = goals.iter().map(|goal| goal.name()).collect();
    let name = entry.word("goal of this algorithm", &names)?;
    Ok(Goal::from_name(name))
}

const NUMBER: &str = "an integer from 1 to 4294967295";
const NUMBER_OR_PRECISION: &str = "an integer from 1 to 4294967295, or {min, max, precision}";
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

/// Of an algorithm that draws at random; a search has no absorption time whose mean could be known,
/// and one trial where nothing is said.
fn trials(table: &Table, searches: bool) -> Result<Trials, Refused> {
    if searches && table.get("trials").is_none() {
        return Ok((1, None));
    }
    let allowed = match searches {
        true => NUMBER,
        false => NUMBER_OR_PRECISION,
    };
    let entry = table.require("trials", allowed)?;
    match entry.table() {
        Some(table) if !searches => sequential(&table),
        _ => Ok((whole(&entry, 1, u32::MAX, allowed)?, None)),
    }
}

fn sequential(table: &Table) -> Result<Trials, Refused> {
    table.only(&["min", "max", "precision"])?;
    let bounded = |key: &str, least: u32, more: &str| {
        let allowed = format!("an integer from {least} to {}{more}", u32::MAX);
        whole(&table.require(key, &allowed)?, least, u32::MAX, &allowed)
    };
    let min = bounded("min", LEAST_MIN, "")?;
    let trials = bounded("max", min, ", not below min")?;
    let allowed = "a number above 0 and below 1";
    let entry = table.require("precision", allowed)?;
    let precision = entry.real(|it| it > 0.0 && it < 1.0, allowed)?;
    Ok((trials, Some(Sequential { min, precision })))
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
