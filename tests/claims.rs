//! What the results page and the findings of the specs claim.

use crate::program::{experiments, root, text_of};

/// Words that say that two numbers were not told apart.
const NOT_SEEN: [&str; 6] = [
    "not differ",
    "no difference",
    "not significantly",
    "no trend",
    "no growth",
    "cannot be told",
];

/// The sentences of a template, cut outside of its expressions.
fn sentences(template: &str) -> impl Iterator<Item = &str> {
    let ends = |text: &str, index: usize| {
        let rest = &text[index..];
        rest.starts_with('\n') || rest.starts_with(". ")
    };
    let mut from = 0;
    let cuts: Vec<usize> = template
        .char_indices()
        .map(|(index, _)| index)
        .filter(|&index| ends(template, index) && is_outside(&template[..index]))
        .chain([template.len()])
        .collect();
    cuts.into_iter().map(move |cut| {
        let sentence = &template[from..cut];
        from = cut;
        sentence
    })
}

/// True where no expression is open.
fn is_outside(text: &str) -> bool {
    text.matches("{{").count() == text.matches("}}").count()
}

/// The smallest difference that would have been seen: a bound, a ratio with its interval, or an
/// interval that was typed.
fn has_bound(sentence: &str) -> bool {
    let typed = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit()) && {
            let inside = rest.split(')').next().unwrap_or_default();
            inside.contains(" to ") || inside.contains(" – ")
        }
    };
    ["| bound", "| interval"]
        .iter()
        .any(|filter| sentence.contains(filter))
        || sentence.split('(').skip(1).any(typed)
}

#[test]
fn who_says_no_difference_says_which_would_have_been_seen() {
    let mut files = experiments();
    files.push(root().join("docs/templates/results.md"));
    let mut without = Vec::new();
    for file in files {
        let text = text_of(&file);
        for sentence in sentences(&text) {
            let says = NOT_SEEN.iter().any(|words| sentence.contains(words));
            if says && !has_bound(sentence) {
                without.push(format!("{}: {}", file.display(), sentence.trim()));
            }
        }
    }
    assert_eq!(without, Vec::<String>::new(), "sentences without a bound");
}

#[test]
fn a_sentence_without_a_bound_is_found() {
    assert!(!has_bound("the two do not differ (p = 0.3)"));
    assert!(has_bound(
        "no difference: at most {{ ratio(a, b) | bound }}"
    ));
    assert!(has_bound("no trend: 1.19 (0.96 to 1.46)"));
    let template = "One. {{ at('a. b') }} no difference; of two\nthird";
    assert_eq!(sentences(template).count(), 3);
}
