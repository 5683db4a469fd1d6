//! The conditions of a sweep: which moves of threatened queens need no coin.

use super::tree::{Entry, SpecTable, each_once};
use super::variant::SweptVariants;
use super::{Refused, Sweep};
use crate::solver::Algorithm;

/// The key of a sweep whose algorithm takes conditions.
pub(super) const KEY: &str = "certain";

const ALLOWED: &str = "a condition such as \"safe or b.signals < a.signals\", a list of them, or a table of names and conditions";

/// The conditions that `table` has, each in its one form, and their names; SAFEGO where it has
/// none.
pub(super) fn read(table: &SpecTable, algorithm: &Algorithm) -> Result<SweptVariants, Refused> {
    let Some(value) = table.get(KEY) else {
        return Ok(SweptVariants {
            of: vec![String::new()],
            ..SweptVariants::default()
        });
    };
    let (names, items) = match value.table() {
        Some(named) => named.entries().into_iter().unzip(),
        None => (Vec::new(), value.items(ALLOWED)?),
    };
    let condition = |entry: &Entry| {
        let text = entry.text(ALLOWED)?;
        algorithm
            .variant(text)
            .map_err(|reason| entry.error(&reason))
    };
    let mut of = each_once(&items, "condition", condition)?;
    if of.is_empty() {
        return Err(value.refuse(ALLOWED));
    }
    for (name, item) in names.iter().zip(&items) {
        check(name, algorithm).map_err(|reason| item.error(&reason))?;
    }
    let names = names.into_iter().map(str::to_owned);
    let names = names.zip(of.iter().cloned()).collect();
    of.sort();
    Ok(SweptVariants {
        of,
        names,
        ..SweptVariants::default()
    })
}

/// Refuses one name of two conditions of a spec, and two names of one.
pub(super) fn check_names(file: &str, sweeps: &[Sweep]) -> Result<(), Refused> {
    // Each once: a formula makes as many sweeps as it has values.
    let mut earlier: Vec<&(String, String)> = Vec::new();
    for sweep in sweeps {
        for named in &sweep.variants.names {
            if earlier.contains(&named) {
                continue;
            }
            let (name, condition) = named;
            let clashes = |(other_name, other): &&&(String, String)| {
                (name == other_name) != (condition == other)
            };
            if let Some((other_name, _)) = earlier.iter().find(clashes) {
                let reason = match name == other_name {
                    true => format!("certain.{name} names two conditions"),
                    false => format!("certain.{name} and certain.{other_name} are one condition"),
                };
                let reason = format!("{reason}; expected one name for each condition");
                return Err(Refused::of_line(file, sweep.line, reason));
            }
            earlier.push(named);
        }
    }
    Ok(())
}

/// Checks a name, which stands for its condition in `--only variant=NAME`.
fn check(name: &str, algorithm: &Algorithm) -> Result<(), String> {
    const LONGEST: usize = 40;
    if algorithm.variant(name).is_ok() {
        return Err("the name is a condition itself; expected another".to_owned());
    }
    let is_foreign = |c: char| c.is_control() || ",=!<>≤≥\"".contains(c);
    let length = name.chars().count();
    if !(1..=LONGEST).contains(&length) || name.trim() != name || name.contains(is_foreign) {
        return Err(format!(
            "expected a name of 1 to {LONGEST} characters, none of them , = ! < > ≤ ≥ or a quote"
        ));
    }
    Ok(())
}
