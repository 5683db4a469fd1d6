//! The variants of an algorithm that a sweep names: by acronym, as the product of choices, or as
//! conditions.

use itertools::Itertools;
use toml::Spanned;

use super::sweep::Laid;
use super::values::Scalar;
use super::{Refused, certain, one_of};
use crate::solver::Algorithm;
use crate::solver::variants::{Choice, Variants};

/// Key that names variants by their acronyms.
pub(super) const KEY: &str = "variant";

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
    let certain = algorithm.condition.map(|_| certain::KEY);
    choices.into_iter().flatten().chain(certain).collect()
}

/// The variants of a sweep; the default one where it names none.
pub(super) fn read(laid: &Laid, algorithm: &Algorithm) -> Result<SweptVariants, Refused> {
    let (source, keys) = (laid.source, &laid.keys);
    let (variants, named) = match (algorithm.variants, &keys.certain, &keys.variant) {
        (None, Some(found), _) if algorithm.condition.is_some() => {
            return certain::read(laid, found, algorithm);
        }
        (None, ..) => return Ok(SweptVariants::new(vec![String::new()], Vec::new())),
        (Some(variants), _, None) => return product(laid, variants),
        (Some(variants), _, Some(named)) => (variants, named),
    };
    let mut choices = variants.choices.iter();
    if let Some(choice) = choices.find_map(|it| keys.get(it.key)) {
        let beside = "variant stands beside it; expected variant or the choices it is made of";
        return Err(source.refuse(choice.span.clone(), beside));
    }
    let such_as = format!("an acronym such as {}", variants.default());
    let of = source.each(named, &such_as, |item| {
        let acronym = algorithm.variant(source.words(item, &such_as)?);
        acronym.map_err(|reason| source.refuse(item.span(), &reason))
    })?;
    Ok(SweptVariants::new(of, Vec::new()))
}

/// Every combination of the chosen words that can be.
fn product(laid: &Laid, variants: &Variants) -> Result<SweptVariants, Refused> {
    let words = |choice: &Choice| {
        let Some(values) = laid.keys.get(choice.key) else {
            return Ok(vec![choice.words[0]]);
        };
        let word = |it: &Spanned<Scalar>| laid.source.word(it, choice.key, choice.words);
        let words = laid.source.each(values, &one_of(choice.words), word)?;
        Ok(words.into_iter().sorted().collect())
    };
    let words: Vec<Vec<&str>> = variants.choices.iter().map(words).try_collect()?;
    let rows = words.into_iter().multi_cartesian_product();
    let rows = rows.map(|row| variants.acronym(&row));
    let (of, reasons): (Vec<_>, Vec<_>) = rows.partition_result();
    let (impossible, reason) = (reasons.len(), reasons.into_iter().next());
    match &reason {
        Some(reason) if of.is_empty() => {
            Err(laid.refuse(&format!("choices that cannot be combined: {reason}")))
        }
        _ => Ok(SweptVariants {
            impossible,
            reason,
            ..SweptVariants::new(of, Vec::new())
        }),
    }
}
