//! The variants of an algorithm that a sweep names: by acronym, as the product of choices, or as
//! conditions.

use std::collections::BTreeSet;

use super::tree::{Entry, SpecTable};
use super::{Refused, certain};
use crate::solver::Algorithm;
use crate::solver::variants::{Choice, Variants};

/// Key that names variants by their acronyms.
const BY_ACRONYM: &str = "variant";

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

/// The keys by which a sweep of the algorithm names variants; none where it has none.
pub(super) fn keys(algorithm: &Algorithm) -> Vec<&'static str> {
    if algorithm.condition.is_some() {
        return vec![certain::KEY];
    }
    let choices = algorithm.variants.map(|variants| variants.choices);
    choices.map_or_else(Vec::new, |choices| {
        let own = choices.iter().map(|choice| choice.key);
        std::iter::once(BY_ACRONYM).chain(own).collect()
    })
}

/// True if a default of the key may stand in the table: an acronym beside no choice, a choice
/// beside no acronym, and any other key.
pub(super) fn goes(table: &SpecTable, algorithm: &Algorithm, key: &str) -> bool {
    let keys = keys(algorithm);
    let mut choices = keys.iter().filter(|it| **it != BY_ACRONYM);
    match key {
        BY_ACRONYM => choices.all(|it| table.get(it).is_none()),
        key => !choices.any(|it| *it == key) || table.get(BY_ACRONYM).is_none(),
    }
}

/// The variants that `table` names; the default one where it names none.
pub(super) fn read(table: &SpecTable, algorithm: &Algorithm) -> Result<SweptVariants, Refused> {
    let Some(variants) = algorithm.variants else {
        if algorithm.condition.is_some() {
            return certain::read(table, algorithm);
        }
        return Ok(SweptVariants {
            of: vec![String::new()],
            ..SweptVariants::default()
        });
    };
    let Some(named) = table.get(BY_ACRONYM) else {
        return product(table, variants);
    };
    let mut choices = variants.choices.iter();
    if let Some(choice) = choices.find_map(|choice| table.get(choice.key)) {
        return Err(
            choice.error("variant stands beside it; expected variant or the choices it is made of")
        );
    }
    let such_as = format!("an acronym such as {}", variants.default());
    let acronym = |entry: &Entry| {
        let acronym = entry.text(&such_as)?.to_owned();
        let checked = variants.indices(&acronym);
        checked.map_err(|reason| entry.error(&reason))?;
        Ok(acronym)
    };
    let items = named.items(&format!("{such_as}, or a list of them"))?;
    let of: BTreeSet<String> = items.iter().map(acronym).collect::<Result<_, _>>()?;
    Ok(SweptVariants {
        of: of.into_iter().collect(),
        ..SweptVariants::default()
    })
}

/// Every combination of the chosen words that can be.
fn product(table: &SpecTable, variants: &Variants) -> Result<SweptVariants, Refused> {
    let mut rows: Vec<Vec<&str>> = vec![Vec::new()];
    for choice in variants.choices {
        let words = words(table, choice)?;
        rows = rows
            .iter()
            .flat_map(|row| words.iter().map(|&word| [row.as_slice(), &[word]].concat()))
            .collect();
    }
    let (mut of, mut reasons) = (Vec::new(), Vec::new());
    for row in &rows {
        match variants.acronym(row) {
            Ok(acronym) => of.push(acronym),
            Err(reason) => reasons.push(reason),
        }
    }
    let (impossible, reason) = (reasons.len(), reasons.into_iter().next());
    if let ([], Some(reason)) = (&of[..], &reason) {
        return Err(table.error(&format!(
            "[[sweep]] whose choices cannot be combined: {reason}"
        )));
    }
    of.sort();
    Ok(SweptVariants {
        of,
        impossible,
        reason,
        names: Vec::new(),
    })
}

/// What the sweep says of one choice; its default where it says nothing.
fn words<'a>(table: &SpecTable, choice: &'a Choice) -> Result<Vec<&'a str>, Refused> {
    let Some(entry) = table.get(choice.key) else {
        return Ok(vec![choice.words[0]]);
    };
    let allowed = format!("one of {}, or a list of them", choice.words.join(", "));
    let items = entry.items(&allowed)?;
    let words = items.iter().map(|item| word(item, choice));
    let words: BTreeSet<&str> = words.collect::<Result<_, _>>()?;
    Ok(words.into_iter().collect())
}

fn word<'a>(entry: &Entry, choice: &'a Choice) -> Result<&'a str, Refused> {
    match choice.words[..] {
        [no @ "false", yes @ "true"] => {
            let is = entry.boolean("true or false")?;
            Ok(if is { yes } else { no })
        }
        _ => entry.word(choice.key, choice.words),
    }
}
