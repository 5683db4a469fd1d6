//! The variants of an algorithm that a sweep names: by acronym, as the product of choices, or as
//! conditions: which moves of threatened queens need no coin. Here are the keys `variant` and
//! `certain`, the default variant, the names of conditions (1 to 40 characters), and which
//! combinations are left out.

use itertools::Itertools;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::tree::items;
use super::{Refused, Sweep};
use crate::solver::Algorithm;
use crate::solver::variants::{Choice, Variants};

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
    let mut keys = Vec::new();
    if let Some(variants) = algorithm.variants {
        keys.push(KEY);
        keys.extend(variants.choices.iter().map(|choice| choice.key));
    }
    if algorithm.condition.is_some() {
        keys.push(CERTAIN);
    }
    keys
}

/// The variants of an upper table's choices over those that a lower one names: each with these
/// choices, and the others of its own. `None` where a word is none of its choice.
pub(super) fn with_choices<'a>(
    variants: &Variants,
    below: Spanned<DeValue<'a>>,
    chosen: &DeTable<'a>,
) -> Option<Spanned<DeValue<'a>>> {
    let choices = variants.choices.iter();
    let chosen_indices = choices.map(|choice| indices_of(choice, chosen));
    let chosen_indices: Vec<Vec<usize>> = chosen_indices.collect::<Option<_>>()?;

    let span = chosen.iter().next()?.1.span();
    let mut changed = Vec::new();
    for named in items(Some(below)) {
        let acronym = named.get_ref().as_str();
        let Some(Ok(own_indices)) = acronym.map(|acronym| variants.indices(acronym)) else {
            // It is told where it is read.
            changed.push(named);
            continue;
        };
        let mut each_choice = Vec::new();
        for (chosen, of_variant) in chosen_indices.iter().zip(own_indices) {
            each_choice.push(match &chosen[..] {
                [] => vec![of_variant],
                indices => indices.to_vec(),
            });
        }
        for indices in each_choice.into_iter().multi_cartesian_product() {
            let acronym = DeValue::String(variants.written(&indices).into());
            changed.push(Spanned::new(span.clone(), acronym));
        }
    }
    let changed = DeValue::Array(changed.into_iter().collect());
    Some(Spanned::new(span, changed))
}

/// The words of a choice that a table names, by their indices; none where it does not have the key.
/// `None` where a word is none of the choice, and for an empty list.
fn indices_of(choice: &Choice, chosen: &DeTable) -> Option<Vec<usize>> {
    let Some(found) = chosen.get(choice.key) else {
        return Some(Vec::new());
    };
    let mut indices = Vec::new();
    for word in items(Some(found.clone())) {
        let word = word_of(word.get_ref())?;
        indices.push(choice.words.iter().position(|known| *known == word)?);
    }
    (!indices.is_empty()).then_some(indices)
}

/// The word of a choice: a text, or `true` or `false`.
fn word_of<'v>(value: &'v DeValue) -> Option<&'v str> {
    match value {
        DeValue::Boolean(true) => Some("true"),
        DeValue::Boolean(false) => Some("false"),
        value => value.as_str(),
    }
}

/// Refuses one name of two conditions of a spec, and two names of one.
pub(super) fn check_names(file: &str, sweeps: &[Sweep]) -> Result<(), Refused> {
    let named = sweeps.iter().flat_map(|sweep| {
        let names = sweep.variants.names.iter();
        names.map(|named| (named, sweep.line))
    });
    // A formula makes as many sweeps as it has values.
    let named = named.unique_by(|(named, _)| *named);
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
