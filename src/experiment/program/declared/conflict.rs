//! What two programs of one spec cannot both have: their rows stand in one table. It says so for
//! names, kinds of axes, and types and units of columns.

use std::ops::Range;

use super::axes_and_columns::is_real;
use crate::experiment::spec::Refused;
use crate::experiment::spec::source::Source;
use crate::solver::{Algorithm, Column};

/// Refuses a program, whose name stands at `place`, that does not go with an earlier one.
pub(super) fn refuse(
    source: &Source,
    place: Range<usize>,
    program: &Algorithm,
    earlier: &Algorithm,
) -> Result<(), Refused> {
    match conflict(program, earlier) {
        Some(reason) => Err(source.refuse(place, &reason)),
        None => Ok(()),
    }
}

/// The first thing in which the two do not go together.
fn conflict(program: &Algorithm, earlier: &Algorithm) -> Option<String> {
    if program.name == earlier.name {
        return Some("another program has this name".to_owned());
    }
    axis_of_another_kind(program, earlier)
        .or_else(|| own_columns(program).find_map(|column| conflict_of_column(column, earlier)))
        .or_else(|| axis_that_is_a_column(program, earlier))
}

fn axis_of_another_kind(program: &Algorithm, earlier: &Algorithm) -> Option<String> {
    for axis in program.axes {
        let same_name = earlier.axes.iter().find(|other| other.name == axis.name);
        if same_name.is_some_and(|other| is_real(other.domain) != is_real(axis.domain)) {
            let integers = if is_real(axis.domain) {
                earlier.name
            } else {
                program.name
            };
            return Some(format!(
                "axis {}: the program {integers} has integers there and another one reals; expected the same kind of numbers",
                axis.name
            ));
        }
    }
    None
}

fn conflict_of_column(column: &Column, earlier: &Algorithm) -> Option<String> {
    let Column { name, unit, .. } = column;
    let other = earlier.name;
    let same_name = own_columns(earlier).find(|other| other.name == *name);
    if same_name.is_some_and(|same| same.kind() != column.kind() || same.unit != *unit) {
        return Some(format!(
            "column {name}: the program {other} has one of another type or unit; expected the same, or another name"
        ));
    }
    let is_axis = earlier.axes.iter().any(|axis| axis.name == *name);
    is_axis.then(|| format!("column {name}: the program {other} has an axis of this name"))
}

fn axis_that_is_a_column(program: &Algorithm, earlier: &Algorithm) -> Option<String> {
    let is_column = |name: &str| earlier.columns.iter().any(|column| column.name == name);
    let axis = program.axes.iter().find(|axis| is_column(axis.name))?;
    Some(format!(
        "axis {}: the program {} has a column of this name",
        axis.name, earlier.name
    ))
}

fn own_columns(algorithm: &Algorithm) -> impl Iterator<Item = &Column> {
    algorithm.columns.iter().filter(|column| column.is_own())
}
