//! The variants of an algorithm that a sweep names: by acronym, as the product of choices, or as
//! conditions: which moves of threatened queens need no coin.

use itertools::Itertools;
use toml::Spanned;

use super::sweep::Laid;
use super::values::Scalar;
use super::{Refused, Sweep, one_of};
use crate::solver::Algorithm;
use crate::solver::variants::{Choice, Variants};

/// Key that names variants by their acronyms.
pub(super) const KEY: &str = "variant";

/// The key of a sweep whose algorithm takes conditions.
pub(super) const CERTAIN: &str = "certain";

const CONDITIONS: &str = "a condition such as \"safe or b.signals < a.signals\", a list of them, or a table of names and conditions";

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

/// The variants of a sweep; the default one where it names none.
pub(super) fn read(laid: &Laid, algorithm: &Algorithm) -> Result<SweptVariants, Refused> {
    let (source, values) = (laid.source, &laid.values);
    let (named, such_as) = match (algorithm.variants, values.get(KEY), values.get(CERTAIN)) {
        (None, _, Some(named)) if algorithm.condition.is_some() => (named, CONDITIONS.to_owned()),
        (None, ..) => return Ok(SweptVariants::new(vec![String::new()], Vec::new())),
        (Some(variants), None, _) => return product(laid, variants),
        (Some(variants), Some(named), _) => {
            let mut choices = variants.choices.iter();
            if let Some(choice) = choices.find_map(|it| values.get(it.key)) {
                let beside =
                    "variant stands beside it; expected variant or the choices it is made of";
                return Err(source.refuse(choice.span.clone(), beside));
            }
            (named, format!("an acronym such as {}", variants.default()))
        }
    };
    let form = |item: &Spanned<Scalar>| {
        let form = algorithm.variant(source.words(item, &such_as)?);
        form.map_err(|reason| source.refuse(item.span(), &reason))
    };
    let of = source.each(named, &such_as, form)?;
    let are_conditions = algorithm.condition.is_some();
    if are_conditions && of.len() < named.items.len() {
        return Err(source.expected(named.span.clone(), "each condition once"));
    }
    let names = laid.names.iter().zip(&named.items);
    let names = names.filter(|_| are_conditions);
    let names = names.map(|(name, item)| {
        check(name, algorithm).map_err(|reason| source.refuse(item.span(), &reason))?;
        Ok((name.clone(), form(item)?))
    });
    Ok(SweptVariants::new(of, names.try_collect()?))
}

/// Every combination of the chosen words that can be.
fn product(laid: &Laid, variants: &Variants) -> Result<SweptVariants, Refused> {
    let words = |choice: &Choice| {
        let Some(values) = laid.values.get(choice.key) else {
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

/// Refuses one name of two conditions of a spec, and two names of one.
pub(super) fn check_names(file: &str, sweeps: &[Sweep]) -> Result<(), Refused> {
    let named = sweeps.iter().flat_map(|it| {
        let names = it.variants.names.iter();
        names.map(|named| (named, it.line))
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
fn check(name: &str, algorithm: &Algorithm) -> Result<(), String> {
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
