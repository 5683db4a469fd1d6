//! `reines count --density`: how rare solutions are, in exact arithmetic.

use std::process::ExitCode;

use super::Refused;
use super::number::whole;
use super::text::aligned;
use crate::cli::terminal;
use crate::solver::density::exact::{Definition, Fraction};
use crate::solver::density::solution_count;

/// Significant digits of what is printed.
const DIGITS: usize = 10;

const TITLES: [&str; 6] = ["n", "S(n)", "d(n)", "1/d(n)", "distinct", "per row"];

const CSV_COLUMNS: [&str; 6] = [
    "n",
    "solutions",
    "density",
    "inverse_density",
    "distinct",
    "per_row",
];

/// Prints a row for each side of `n`, a number or a range A..B with both ends.
pub fn print(n: &str, csv: bool) -> anyhow::Result<ExitCode> {
    let (first, last) = sides(n, 27)?;
    let titles = if csv { CSV_COLUMNS } else { TITLES };
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    rows.extend((first..=last).filter_map(row));
    let lines = match csv {
        true => rows.iter().map(|row| row.join(",")).collect(),
        false => aligned(0, 0, &rows),
    };
    terminal::print(lines)?;
    Ok(ExitCode::SUCCESS)
}

/// `A..B` or a single number, up to `most`.
pub fn sides(text: &str, most: u32) -> Result<(u32, u32), Refused> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let side = |text: &str| whole(1..=most)(text.trim_start_matches('=')).ok();
    match (side(first), side(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err(Refused::new(format!(
            "--n {text}: allowed is a number from 1 to {most} or a range A..B of them"
        ))),
    }
}

fn row(n: u32) -> Option<Vec<String>> {
    let [independent, distinct, per_row] = Definition::ALL.map(|definition| definition.at(n));
    let shown = |fraction: &Fraction| fraction.scientific(DIGITS);
    let inverse = independent
        .clone()?
        .inverse()
        .map_or_else(|| "inf".into(), |inverse| shown(&inverse));
    Some(vec![
        n.to_string(),
        solution_count(n)?.to_string(),
        shown(&independent?),
        inverse,
        shown(&distinct?),
        shown(&per_row?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_within_the_table() {
        assert_eq!(sides("4..12", 27).ok(), Some((4, 12)));
        assert_eq!(sides("4..=12", 27).ok(), Some((4, 12)));
        assert_eq!(sides("27", 27).ok(), Some((27, 27)));
        assert!(
            ["", "0..4", "4..28", "5..4", "4..", "x"]
                .iter()
                .all(|text| sides(text, 27).is_err())
        );
    }
}
