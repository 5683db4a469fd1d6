//! The conditions of a sweep: which moves of threatened queens need no coin.

use itertools::Itertools;

use super::sweep::Laid;
use super::values::Values;
use super::variant::SweptVariants;
use super::{Refused, Sweep};
use crate::solver::Algorithm;

/// The key of a sweep whose algorithm takes conditions.
pub(super) const KEY: &str = "certain";

const EXPECTED: &str = "a condition such as \"safe or b.signals < a.signals\", a list of them, or a table of names and conditions";

/// The conditions of a sweep, each in its one form, and their names, if they have any.
pub(super) fn read(
    laid: &Laid,
    found: &Values,
    algorithm: &Algorithm,
) -> Result<SweptVariants, Refused> {
    let source = laid.source;
    let of = source.each(found, EXPECTED, |item| {
        let form = algorithm.variant(source.words(item, EXPECTED)?);
        form.map_err(|reason| source.refuse(item.span(), &reason))
    })?;
    if of.len() < found.items.len() {
        return Err(source.expected(found.span.clone(), "each condition once"));
    }
    for (name, item) in laid.names.iter().zip(&found.items) {
        check(name, algorithm).map_err(|reason| source.refuse(item.span(), &reason))?;
    }
    let names = laid.names.iter().cloned().zip(of.clone()).collect();
    Ok(SweptVariants::new(of, names))
}

/// Refuses one name of two conditions of a spec, and two names of one.
pub(super) fn check_names(file: &str, sweeps: &[Sweep]) -> Result<(), Refused> {
    let own = |sweep: &'_ Sweep| sweep.variants.names.clone().into_iter();
    let named = sweeps.iter();
    let named = named.flat_map(|sweep| own(sweep).map(|it| (it, (sweep.line, 1))));
    // A formula makes as many sweeps as it has values.
    let named = named.unique_by(|it| it.0.clone()).collect_vec();
    for (at, ((name, condition), place)) in named.iter().enumerate() {
        let mut earlier = named[..at].iter().map(|it| &it.0);
        let Some((other, _)) = earlier.find(|it| it.0 == *name || it.1 == *condition) else {
            continue;
        };
        let reason = match name == other {
            true => format!("certain.{name} names two conditions"),
            false => format!("certain.{name} and certain.{other} are one condition"),
        };
        let reason = format!("{reason}; expected one name for each condition");
        return Err(Refused::of_place(file, *place, reason));
    }
    Ok(())
}

/// Checks a name, which stands for its condition in `--only variant=NAME`.
fn check(name: &str, algorithm: &Algorithm) -> Result<(), String> {
    if algorithm.variant(name).is_ok() {
        return Err("the name is a condition itself; expected another".to_owned());
    }
    let is_foreign = |c: char| c.is_control() || ",=!<>≤≥\"".contains(c);
    let is_long = !(1..=40).contains(&name.chars().count());
    match is_long || name.trim() != name || name.contains(is_foreign) {
        false => Ok(()),
        true => Err("expected a name of 1 to 40 characters, none of them , = ! < > ≤ ≥ or a quote"),
    }
    .map_err(str::to_owned)
}
