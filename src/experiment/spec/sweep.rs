//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff.

use super::tree::SpecTable;
use super::{Entry, Refused, Sweep, course, one_of, range, variant};
use crate::solver::goal::Goal;
use crate::solver::{ALGORITHMS, Algorithm, Axis, Value, algorithm};

/// Keys of a sweep of an algorithm that searches.
const SEARCH_KEYS: [&str; 2] = ["goal", "repeats"];

pub(super) fn read(table: &SpecTable) -> Result<Sweep, Refused> {
    let algorithm = algorithm_of(table)?;
    refuse_other_keys(table, algorithm)?;
    let variants = variant::read(table, algorithm)?;
    let axes = axes(table, algorithm, &variants.of)?;
    let is_random = variants.of.iter().any(|it| algorithm.is_random(it));
    let trials = trials(table, algorithm, is_random, &axes)?;
    let cutoff = cutoff(table, algorithm)?;
    let repeats = |it: Entry| whole(&it, 1, 1000, "an integer from 1 to 1000");
    Ok(Sweep {
        line: table.line(),
        algorithm,
        variants,
        axes,
        goal: goal(table, algorithm)?,
        trials,
        cutoff,
        repeats: table.optional("repeats", repeats)?,
        recorded: course::read(table, cutoff)?,
    })
}

/// The algorithm that the sweep names.
fn algorithm_of(table: &SpecTable) -> Result<&'static Algorithm, Refused> {
    let names: Vec<_> = ALGORITHMS.iter().map(|it| it.name).collect();
    let Some(entry) = table.get("algorithm") else {
        let mut all = Vec::new();
        for key in ALGORITHMS.iter().flat_map(|it| keys(it)) {
            if !all.contains(&key) {
                all.push(key);
            }
        }
        table.only(&all)?;
        return Err(table.missing("algorithm", &format!("one of {}", names.join(", "))));
    };
    if entry.list().is_some() {
        return Err(entry.refuse("one algorithm, and a second [[sweep]] for another"));
    }
    let name = entry.word("algorithm", &names)?;
    algorithm(name).ok_or_else(|| entry.refuse("a registered algorithm"))
}

/// The keys of every sweep, before those of its algorithm.
const KEYS: [&str; 3] = ["algorithm", "trials", "cutoff"];

/// The keys that a sweep of the algorithm may have, in the order in which a message lists them.
fn keys(algorithm: &Algorithm) -> Vec<&'static str> {
    let mut keys = KEYS.to_vec();
    keys.extend(algorithm.axes.iter().map(|axis| axis.name));
    keys.extend(further_keys(algorithm));
    keys
}

/// Those of a search, of variants, of courses.
fn further_keys(algorithm: &Algorithm) -> Vec<&'static str> {
    let (mut keys, searches) = (Vec::new(), searches(algorithm));
    if searches {
        keys.extend(SEARCH_KEYS);
    }
    keys.extend(variant::keys(algorithm));
    // A search writes down no course.
    if algorithm.records_course && !searches {
        keys.extend(course::KEYS);
    }
    keys
}

/// Refuses keys that no sweep of the algorithm has.
fn refuse_other_keys(table: &SpecTable, algorithm: &Algorithm) -> Result<(), Refused> {
    let own = keys(algorithm);
    let Some((key, entry)) = table.other_than(&own) else {
        return Ok(());
    };
    let others = ALGORITHMS.iter().filter(|it| keys(it).contains(&key));
    let others: Vec<_> = others.map(|it| it.name).collect();
    if others.is_empty() {
        return Err(entry.unknown_key(&own));
    }
    let (name, own, others) = (algorithm.name, own.join(", "), others.join(", "));
    Err(entry.error(&format!(
        "the algorithm {name} has no such key; expected one of {own}; {key} goes with {others}"
    )))
}

/// The values on the axes that any of the variants has; the others' axes are refused.
fn axes(
    table: &SpecTable,
    algorithm: &'static Algorithm,
    variants: &[String],
) -> Result<Vec<(&'static Axis, Vec<Value>)>, Refused> {
    let is_had = |axis: &&Axis| variants.iter().any(|it| algorithm.has_axis(it, axis.name));
    let (own, others): (Vec<&Axis>, Vec<&Axis>) = algorithm.axes.iter().partition(is_had);
    if let Some(entry) = others.iter().find_map(|axis| table.get(axis.name)) {
        let names: Vec<_> = own.iter().map(|axis| axis.name).collect();
        return Err(entry.error(&format!(
            "the variant {} of {} has no such axis; expected {}",
            variants.join(", "),
            algorithm.name,
            one_of(&names)
        )));
    }
    let values = own.into_iter().map(|axis| {
        let expected = format!("{}, a list of them, {}", axis.domain, range::RANGES);
        let entry = table.require(axis.name, &expected)?;
        Ok((axis, range::on(axis, &entry)?))
    });
    values.collect()
}

/// Updates of a trial, or checks or nodes of a search.
fn cutoff(table: &SpecTable, algorithm: &Algorithm) -> Result<u64, Refused> {
    let each = if searches(algorithm) {
        ""
    } else {
        " per trial"
    };
    let (most, unit) = (u64::MAX, algorithm.cutoff_unit);
    let allowed = format!("an integer from 1 to {most}, in {unit}{each}");
    table
        .require("cutoff", &allowed)?
        .integer(1, most, &allowed)
}

fn searches(algorithm: &Algorithm) -> bool {
    !algorithm.goals.is_empty()
}

/// What the search is for: counting, or what else it can be asked for, where nothing is said;
/// `None` where the algorithm has no goals.
fn goal(table: &SpecTable, algorithm: &Algorithm) -> Result<Option<Goal>, Refused> {
    let goals = algorithm.goals;
    let Some(entry) = table.get("goal") else {
        return Ok(Goal::default_of(goals));
    };
    let names: Vec<_> = goals.iter().map(|goal| goal.name()).collect();
    let name = entry.word("goal of this algorithm", &names)?;
    Ok(Goal::from_name(name))
}

const ONE: &str = "1, since every trial would be the same; repeats times it several times";

const NUMBER: &str = "an integer from 1 to 4294967295";
const NUMBER_OR_LIST: &str = "an integer from 1 to 4294967295, or a list of one for each n";

/// Trials of a point under each seed: a number, or a list of one for each n, the least n first. One
/// where the key is missing, as it may be in a search and where nothing is drawn at random.
fn trials(
    table: &SpecTable,
    algorithm: &Algorithm,
    is_random: bool,
    axes: &[(&'static Axis, Vec<Value>)],
) -> Result<Vec<u32>, Refused> {
    let Some(entry) = table.get("trials") else {
        return match is_random && !searches(algorithm) {
            true => Err(table.missing("trials", NUMBER_OR_LIST)),
            false => Ok(vec![1]),
        };
    };
    if !is_random {
        return Ok(vec![whole(&entry, 1, 1, ONE)?]);
    }
    let Some(items) = entry.list() else {
        return Ok(vec![whole(&entry, 1, u32::MAX, NUMBER_OR_LIST)?]);
    };
    let sizes = axes.iter().find(|(axis, _)| axis.name == "n");
    let sizes = sizes.map_or(0, |(_, sizes)| sizes.len());
    if items.len() != sizes {
        let more = match sizes {
            0 => String::new(),
            sizes => format!(", or {sizes}, one for each n, the least n first"),
        };
        let found = items.len();
        return Err(entry.error(&format!("a list of {found}; expected one number{more}")));
    }
    let each = items.iter().map(|item| whole(item, 1, u32::MAX, NUMBER));
    each.collect()
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
        let mut taken = [
            &KEYS[..],
            &["seed", "trial", "outcome", "repeat", "seconds"],
        ]
        .concat();
        taken.extend(ALGORITHMS.iter().flat_map(|it| further_keys(it)));
        taken.extend(COLUMNS.iter().map(|column| column.name));
        for axis in ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes) {
            assert!(!taken.contains(&axis.name), "{}", axis.name);
        }
    }
}
