//! Cells of tables together: ratios and pooled values.

use itertools::Itertools;
use minijinja::value::{Kwargs, Rest, Value};
use minijinja::{Environment, Error};

use super::lookup::{FoundCell, cell, invalid};
use crate::analysis::estimate::Estimate;
use crate::analysis::independent::{self, Pooled};

/// Adds `ratio`, `ratios`, `pooled` and `within`.
pub(super) fn add_to(environment: &mut Environment) {
    environment.add_function(
        "ratio",
        |numerator: Value, denominator: Value, keys: Kwargs| {
            let times: Option<f64> = keys.get("times")?;
            keys.assert_all_used()?;
            ratio(cell(&numerator)?, cell(&denominator)?, times.unwrap_or(1.0))
                .map(Value::from_object)
        },
    );
    environment.add_function(
        "ratios",
        |numerators: Vec<Value>, denominators: Vec<Value>| {
            if numerators.len() != denominators.len() {
                let (top, bottom) = (numerators.len(), denominators.len());
                return Err(invalid(format!(
                    "ratios of {top} and {bottom} cells; expected as many"
                )));
            }
            let pairs = numerators.iter().zip(&denominators);
            let ratio =
                |(top, bottom)| ratio(cell(top)?, cell(bottom)?, 1.0).map(Value::from_object);
            pairs.map(ratio).collect::<Result<Vec<Value>, Error>>()
        },
    );
    environment.add_function("pooled", |lists: Rest<Vec<Value>>| {
        let cells: Vec<&FoundCell> = lists.iter().flatten().map(cell).try_collect()?;
        pooled(&cells).map(Value::from_object)
    });
    environment.add_function("within", |low: f64, high: f64, lists: Rest<Vec<Value>>| {
        let cells: Vec<&FoundCell> = lists.iter().flatten().map(cell).try_collect()?;
        let estimates: Vec<_> = cells.iter().map(|cell| cell.estimate()).try_collect()?;
        let inside = |it: &&Estimate| low < it.low && it.high < high;
        let number = estimates.iter().filter(inside).count();
        Ok::<_, Error>(format!("{number} of {}", estimates.len()))
    });
}

/// A number that several cells give together, as a cell without a place of its own.
fn combined(name: &str, cells: &[&FoundCell], estimate: Estimate, p: Option<f64>) -> FoundCell {
    let parts = cells
        .iter()
        .map(|cell| format!("{} of {}", cell.column, cell.table));
    FoundCell {
        text: estimate.value.to_string(),
        line: 0,
        interval: Some((estimate.low, estimate.high)),
        p,
        table: parts.dedup().join(", "),
        column: name.to_owned(),
    }
}

/// Why cells cannot be combined.
fn no_logarithm(cells: &[&FoundCell]) -> Error {
    let names = cells
        .iter()
        .map(|cell| format!("{} of {}", cell.column, cell.table));
    invalid(format!(
        "{}: expected at least two numbers whose intervals are above 0",
        names.dedup().join(", ")
    ))
}

/// The ratio of two cells, times a number that is known exactly.
fn ratio(numerator: &FoundCell, denominator: &FoundCell, times: f64) -> Result<FoundCell, Error> {
    let both = [numerator, denominator];
    let scaled = |estimate: Estimate| estimate.map(|number| times * number);
    independent::ratio(&numerator.estimate()?, &denominator.estimate()?)
        .map(|estimate| combined("ratio", &both, scaled(estimate), None))
        .ok_or_else(|| no_logarithm(&both))
}

fn pooled(cells: &[&FoundCell]) -> Result<FoundCell, Error> {
    let estimates: Vec<_> = cells.iter().map(|cell| cell.estimate()).try_collect()?;
    independent::pooled(&estimates)
        .map(|Pooled { estimate, p }| combined("pooled value", cells, estimate, Some(p)))
        .ok_or_else(|| no_logarithm(cells))
}
