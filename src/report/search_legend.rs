//! The words under the curves of searches.

use super::legend::{Entry, Sample};
use super::panel::Mark;
use super::search_curves::{Measure, SearchCurve};
use super::series::search_name;
use crate::solver::cp::branching::HEURISTICS;
use crate::solver::cp::variant::{CONSTRAINTS, DECISIONS, MODELS, SYMMETRY, Variant};

/// A line for each curve, then what the marks of `measures` need explained: bars, lower bounds,
/// letters of the variants.
pub fn legend(curves: &[SearchCurve], measures: &[Measure]) -> Vec<Entry> {
    let has_nodes = measures
        .iter()
        .any(|measure| matches!(measure, Measure::Nodes | Measure::NodesPerBoard));
    let twin = |index: usize| {
        curves[..index]
            .iter()
            .find(|earlier| has_nodes && curves[index].covers(earlier))
    };
    let same = |index: usize| {
        twin(index).map_or_else(String::new, |twin| {
            format!(", the nodes of {}", search_name(&twin.last().point))
        })
    };
    let entry = |(index, curve): (usize, &SearchCurve)| {
        let text = format!(
            "{}{}{}",
            curve.label(),
            curve.trials_in_words(),
            same(index)
        );
        Entry::new(Sample::Curve(curve.style), text)
    };
    let mut entries: Vec<Entry> = curves.iter().enumerate().map(entry).collect();
    entries.extend(shared_entries(curves, measures));
    entries
}

/// Each only where it applies.
fn shared_entries(curves: &[SearchCurve], measures: &[Measure]) -> Vec<Entry> {
    let marks = |curve: &SearchCurve| {
        measures
            .iter()
            .flat_map(|&measure| curve.marks(measure))
            .collect::<Vec<Mark>>()
    };
    let has_bars = |curve: &SearchCurve| marks(curve).iter().any(|mark| mark.low < mark.high);
    let all = || curves.iter().flat_map(marks);
    let mut entries = Vec::new();
    if curves
        .iter()
        .any(|curve| !curve.is_random() && has_bars(curve))
    {
        entries.push(Entry::new(
            Sample::ErrorBar,
            "of a time: least to greatest repeat",
        ));
    }
    if curves
        .iter()
        .any(|curve| curve.is_random() && has_bars(curve))
    {
        entries.push(Entry::new(
            Sample::ErrorBar,
            "of a random search: quartiles over the trials",
        ));
    }
    if all().any(|mark| mark.high.is_infinite()) {
        entries.push(Entry::new(
            Sample::None,
            "a bar up to the frame: upper quartile cut off",
        ));
    }
    if all().any(|mark| mark.is_lower_bound) {
        entries.push(Entry::new(
            Sample::LowerBound,
            "lower bound: the search was cut off",
        ));
    }
    entries.extend(letters(curves).map(|text| Entry::new(Sample::None, text)));
    entries
}

/// What the letters of the curves' acronyms mean, if any has one.
fn letters(curves: &[SearchCurve]) -> Option<String> {
    let variants: Vec<Variant> = curves.iter().filter_map(SearchCurve::variant).collect();
    let branchings: Vec<(char, &str, char)> = HEURISTICS
        .iter()
        .map(|heuristic| (heuristic.letter, heuristic.word, heuristic.letter))
        .collect();
    let choices = [
        meanings("model", MODELS, &variants, |variant| variant.model),
        meanings("differences", CONSTRAINTS, &variants, |variant| {
            variant.constraints
        }),
        meanings("symmetry broken", SYMMETRY, &variants, |variant| {
            variant.symmetry
        }),
        meanings("decision", DECISIONS, &variants, |variant| variant.decision),
        meanings("branching", &branchings, &variants, |variant| {
            variant.branching.letter
        }),
    ];
    (!variants.is_empty()).then(|| format!("letters: {}", choices.join("; ")))
}

/// `model P=primal, A=primal-dual`: the letters that occur. Without spaces, so that no line ends
/// between a letter and its word.
fn meanings<T: PartialEq>(
    name: &str,
    letters: &[(char, &str, T)],
    variants: &[Variant],
    choice: fn(&Variant) -> T,
) -> String {
    let occurs = |value: &T| variants.iter().any(|variant| choice(variant) == *value);
    let words = letters
        .iter()
        .filter(|entry| occurs(&entry.2))
        .map(|(letter, word, _)| format!("{letter}={word}"));
    format!("{name} {}", words.collect::<Vec<_>>().join(", "))
}
