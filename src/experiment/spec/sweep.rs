//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff. Where a
//! value follows another axis, it is read as a sweep for each value of that one.

use itertools::Itertools;

use super::formula::{self, At};
use super::tree::SpecTable;
use super::{Entry, MAX_POINTS, MAX_REPEATS, Refused, Sweep, course, one_of, range, variant};
use crate::solver::goal::Goal;
use crate::solver::{ALGORITHMS, Algorithm, Axis, Domain, Value, algorithm};

/// Keys of a sweep of an algorithm that searches.
const SEARCH_KEYS: [&str; 2] = ["goal", "repeats"];

/// An axis and values on it.
type Values = (&'static Axis, Vec<Value>);

/// The sweep as products of axes, one for each value of those that formulas follow; `points` counts
/// what they have, with those before.
pub(super) fn read(table: &SpecTable, points: &mut u64) -> Result<Vec<Sweep>, Refused> {
    let algorithm = algorithm_of(table)?;
    refuse_other_keys(table, algorithm)?;
    let variants = variant::read(table, algorithm)?;
    let own = own_axes(table, algorithm, &variants.of)?;
    let is_random = variants.of.iter().any(|it| algorithm.is_random(it));
    refuse_missing(table, algorithm, &own, is_random)?;
    let sizes = own.iter().find(|axis| axis.name == "n");
    let sizes = sizes.and_then(|n| Some(range::on(n, &table.get("n")?, &[])));
    let sizes = sizes.transpose()?.unwrap_or_default();
    let trials = trials(table, is_random, sizes.len())?;
    let cutoff = cutoff(table, algorithm)?;
    let repeats = |it: Entry| whole(&it, 1, MAX_REPEATS, "an integer from 1 to 1000");
    let repeats = table.optional("repeats", repeats)?;
    let goal = goal(table, algorithm)?;
    let mut sweeps = Vec::new();
    for fixed in combinations(table, &own)? {
        let at: Vec<_> = fixed
            .iter()
            .map(|(axis, value)| (axis.name, value.number()))
            .collect();
        let place = |(_, value): &(&Axis, Value)| sizes.iter().position(|it| it == value);
        let place = fixed
            .iter()
            .find(|(axis, _)| axis.name == "n")
            .and_then(place);
        let sweep = Sweep {
            line: table.line(),
            algorithm,
            variants: variants.clone(),
            axes: axes(table, &own, &fixed, &at)?,
            goal,
            trials: match place.and_then(|place| trials.get(place)) {
                Some(&own) if trials.len() > 1 => vec![own],
                _ => trials.clone(),
            },
            cutoff,
            repeats,
            recorded: course::read(table, cutoff, &at)?,
        };
        *points = points.saturating_add(sweep.size());
        if *points > MAX_POINTS {
            return Err(table.error(&format!(
                "[[sweep]]: {points} points of the spec up to here; expected at most {MAX_POINTS}"
            )));
        }
        sweeps.push(sweep);
    }
    Ok(sweeps)
}

/// Every combination of the values of the axes that formulas of the sweep follow; one of no values
/// where there is no formula.
fn combinations(
    table: &SpecTable,
    axes: &[&'static Axis],
) -> Result<Vec<Vec<(&'static Axis, Value)>>, Refused> {
    let is_real = |axis: &&&Axis| matches!(axis.domain, Domain::Real { .. });
    let keys = axes.iter().filter(is_real).map(|axis| axis.name);
    let entries = keys.chain([course::KEY]).filter_map(|key| table.get(key));
    let texts: Vec<&str> = entries.flat_map(|it| it.texts()).collect();
    let mut rows = vec![Vec::new()];
    for axis in axes {
        let names_it = |text: &&str| formula::names(text).any(|name| name == axis.name);
        let Some(entry) = table.get(axis.name).filter(|_| texts.iter().any(names_it)) else {
            continue;
        };
        let values = range::on(axis, &entry, &[])?;
        if (rows.len() * values.len()) as u64 > MAX_POINTS {
            return Err(entry.error(&format!("expected at most {MAX_POINTS} values to follow")));
        }
        let with = |row: &Vec<_>| {
            let with = |&value| [row.as_slice(), &[(*axis, value)]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(with).collect();
    }
    Ok(rows)
}

/// The algorithm that the sweep names.
fn algorithm_of(table: &SpecTable) -> Result<&'static Algorithm, Refused> {
    let names: Vec<_> = ALGORITHMS.iter().map(|it| it.name).collect();
    let Some(entry) = table.get("algorithm") else {
        table.only(&all_keys())?;
        return Err(table.missing("algorithm", &format!("one of {}", names.join(", "))));
    };
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

/// The keys that a sweep of the algorithm of this name may have; none if there is none.
pub(super) fn keys_of(name: &str) -> Vec<&'static str> {
    algorithm(name).map_or_else(Vec::new, keys)
}

/// The keys of the sweeps of all algorithms.
pub(super) fn all_keys() -> Vec<&'static str> {
    ALGORITHMS.iter().flat_map(|it| keys(it)).unique().collect()
}

/// True if the sweep that a table is may have the key; one of no algorithm may have any.
pub(super) fn takes(table: &SpecTable, key: &str) -> bool {
    let name = table.get("algorithm");
    let name = name.and_then(|it| it.text("").ok());
    let Some(algorithm) = name.and_then(algorithm) else {
        return true;
    };
    let variants = || variant::read(table, algorithm).map(|it| it.of);
    let is_of_some =
        |is: &dyn Fn(&str) -> bool| variants().map_or(true, |all| all.iter().any(|it| is(it)));
    keys(algorithm).contains(&key)
        && match key {
            "trials" => is_of_some(&|it| algorithm.is_random(it)),
            axis if algorithm.axes.iter().any(|it| it.name == axis) => {
                is_of_some(&|it| algorithm.has_axis(it, axis))
            }
            other => variant::goes(table, algorithm, other),
        }
}

/// The rank of a key of `[defaults]`, the first ones lowest: what a sweep takes depends on its
/// algorithm, then on its variants.
pub(super) fn rank(key: &str) -> u8 {
    match key {
        "algorithm" => 0,
        key if ALGORITHMS.iter().any(|it| variant::keys(it).contains(&key)) => 1,
        _ => 2,
    }
}

/// The keys of a search, of variants, of courses.
fn further_keys(algorithm: &Algorithm) -> Vec<&'static str> {
    let (mut keys, searches) = (Vec::new(), algorithm.is_search);
    if searches {
        keys.extend(SEARCH_KEYS);
    }
    keys.extend(variant::keys(algorithm));
    // A search writes down no course.
    if algorithm.records_course && !searches {
        keys.push(course::KEY);
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

/// The axes that any of the variants has; the others' axes are refused.
fn own_axes(
    table: &SpecTable,
    algorithm: &'static Algorithm,
    variants: &[String],
) -> Result<Vec<&'static Axis>, Refused> {
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
    Ok(own)
}

/// Refuses a sweep that lacks keys which it must have, and names them all.
fn refuse_missing(
    table: &SpecTable,
    algorithm: &Algorithm,
    axes: &[&Axis],
    is_random: bool,
) -> Result<(), Refused> {
    let values = |axis: &&Axis| {
        let expected = format!(
            "{}, a list of them, {}",
            axis.domain,
            range::ranges(axis.domain)
        );
        (axis.name, expected)
    };
    let needs_trials = is_random && !algorithm.is_search;
    let trials = needs_trials.then(|| ("trials", NUMBER_OR_LIST.to_owned()));
    let needed = axes.iter().map(values).chain(trials);
    let needed = needed.chain([("cutoff", cutoffs(algorithm))]);
    let missing: Vec<(&str, String)> = needed.filter(|it| table.get(it.0).is_none()).collect();
    match &missing[..] {
        [] => Ok(()),
        [(key, expected)] => Err(table.missing(key, expected)),
        all => {
            let keys = all.iter().map(|it| it.0).join(", ");
            let each = all
                .iter()
                .map(|(key, expected)| format!("{key}: {expected}"));
            Err(table.error(&format!(
                "missing keys {keys}; expected {}",
                each.format("; ")
            )))
        }
    }
}

/// The values on each axis where others have a fixed one, and formulas these values.
fn axes(
    table: &SpecTable,
    own: &[&'static Axis],
    fixed: &[(&'static Axis, Value)],
    at: At,
) -> Result<Vec<Values>, Refused> {
    let values = own.iter().map(|axis| {
        let own = fixed.iter().find(|(it, _)| it.name == axis.name);
        let values = match own {
            Some((_, value)) => vec![*value],
            None => range::on(axis, &table.require(axis.name, "")?, at)?,
        };
        Ok((*axis, values))
    });
    values.collect()
}

/// What a cutoff may be: updates of a trial, or checks or nodes of a search.
fn cutoffs(algorithm: &Algorithm) -> String {
    let each = if algorithm.is_search {
        ""
    } else {
        " per trial"
    };
    let (most, unit) = (u64::MAX, algorithm.cutoff_unit);
    format!("an integer from 1 to {most}, in {unit}{each}")
}

fn cutoff(table: &SpecTable, algorithm: &Algorithm) -> Result<u64, Refused> {
    let allowed = cutoffs(algorithm);
    let entry = table.require("cutoff", &allowed)?;
    entry.integer(1, u64::MAX, &allowed)
}

/// What the search is for; `None` where the algorithm is none.
fn goal(table: &SpecTable, algorithm: &Algorithm) -> Result<Option<Goal>, Refused> {
    let Some(entry) = table.get("goal") else {
        return Ok(algorithm.is_search.then(Goal::default));
    };
    let names = Goal::EVERY.map(Goal::name);
    let name = entry.word("goal of this algorithm", &names)?;
    Ok(Goal::from_name(name))
}

const ONE: &str = "1, since every trial would be the same; repeats times it several times";

const NUMBER: &str = "an integer from 1 to 4294967295";
const NUMBER_OR_LIST: &str = "an integer from 1 to 4294967295, or a list of one for each n";

/// Trials of a point under each seed: a number, or a list of one for each of so many n, the least n
/// first. One where the key is missing, as it may be in a search and where nothing is drawn at
/// random.
fn trials(table: &SpecTable, is_random: bool, sizes: usize) -> Result<Vec<u32>, Refused> {
    let Some(entry) = table.get("trials") else {
        return Ok(vec![1]);
    };
    if !is_random {
        return Ok(vec![whole(&entry, 1, 1, ONE)?]);
    }
    let Some(items) = entry.list() else {
        return Ok(vec![whole(&entry, 1, u32::MAX, NUMBER_OR_LIST)?]);
    };
    if items.len() != sizes {
        let more = match sizes {
            0 => String::new(),
            sizes => format!(", or {sizes}, one for each n, the least n first"),
        };
        let found = items.len();
        return Err(entry.error(&format!("a list of {found}; expected one number{more}")));
    }
    if let Some(written) = table.get("n").and_then(|n| n.list()) {
        let order = written.iter().map(|it| it.real(|_| true, ""));
        if !order.collect::<Result<Vec<f64>, _>>()?.is_sorted() {
            let reason = "n does not ascend; expected the least n first, beside a list of trials";
            return Err(entry.error(reason));
        }
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
