//! The variants of an algorithm that a sweep names: by acronym, as the product of choices, or as
//! conditions: which moves of threatened queens need no coin.

use itertools::Itertools;

use super::{Refused, Sweep};
use crate::solver::Algorithm;

/// Key that names variants by their acronyms.
pub(super) const KEY: &str = "variant";

/// The key of a sweep whose algorithm takes conditions.
pub(super) const CERTAIN: &str = "certain";

/// Variants of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweptVariants {
    /// Acronyms or conditions, sorted, without duplicates; one empty one where the algorithm has no
    /// variants, and for SAFEGO.
    pub of: Vec<String>,
    /// Combinations of the choices that cannot be, and are left out.
    pub impossible: usize,
    /// Why one of them cannot be.
    pub reason: Option<String>,
    /// The names of conditions, each with its condition: for legends and `--only` alone, in no
    /// point, stream or hash.
    pub names: Vec<(String, String)>,
}

impl SweptVariants {
    pub(super) fn new(of: Vec<String>, names: Vec<(String, String)>) -> Self {
        Self {
            of: of.into_iter().sorted().collect(),
            names,
            ..Self::default()
        }
    }
}

/// The keys by which a sweep of the algorithm names variants; none where it has none.
pub(super) fn keys(algorithm: &Algorithm) -> Vec<&'static str> {
    let choices = algorithm.variants.map(|it| it.choices.iter());
    let choices = choices.map(|it| [KEY].into_iter().chain(it.map(|choice| choice.key)));
    let certain = algorithm.condition.map(|_| CERTAIN);
    choices.into_iter().flatten().chain(certain).collect()
}

/// Refuses one name of two conditions of a spec, and two names of one.
pub(super) fn check_names(file: &str, sweeps: &[Sweep]) -> Result<(), Refused> {
    let named = sweeps.iter().flat_map(|sweep| {
        let names = sweep.variants.names.iter();
        names.map(|named| (named, sweep.line))
    });
    // A formula makes as many sweeps as it has values.
    let named = named.unique_by(|it| it.0);
    for (((other, one), _), ((name, condition), line)) in named.tuple_combinations() {
        let reason = match (name == other, condition == one) {
            (true, _) => format!("certain.{name} names two conditions"),
            (_, true) => format!("certain.{name} and certain.{other} are one condition"),
            _ => continue,
        };
        let reason = format!("{reason}; expected one name for each condition");
        return Err(Refused::of_place(file, (line, 1), reason));
    }
    Ok(())
}

/// Checks a name, which stands for its condition in `--only variant=NAME`.
pub(super) fn check(name: &str, algorithm: &Algorithm) -> Result<(), String> {
    if algorithm.variant(name).is_ok() {
        return Err("the name is a condition itself; expected another".to_owned());
    }
    let is_foreign = |c: char| c.is_control() || ",=!<>≤≥\"".contains(c);
    let is_long = !(1..=40).contains(&name.chars().count());
    if is_long || name.trim() != name || name.contains(is_foreign) {
        let expected = "expected a name of 1 to 40 characters";
        return Err(format!("{expected}, none of them , = ! < > ≤ ≥ or a quote"));
    }
    Ok(())
}
