//! Names that become files: none leaves its folder or collides with what `reines` puts there. The
//! name of a changed experiment says what is changed. Here are the longest names of experiments (70
//! bytes) and figures (100), the characters that they may have, the reserved name `reference`, and
//! when a name ends with a hash.

use super::number::{range_in, real_in};
use super::set::KEYS;
use super::{SIGNS, sweep};
use crate::experiment::program::Programs;
use crate::solver::goal::Goal;
use crate::solver::{ALGORITHMS, Algorithm};

/// The name that `results/` keeps for itself.
pub const RESERVED: &str = "reference";

/// Bytes of a figure's name, so that with its endings it fits every common file system.
const LONGEST: usize = 100;

/// Bytes of an experiment's name, so that its figures may begin with it.
const LONGEST_EXPERIMENT: usize = 70;

/// Checks the name of an experiment, which is the stem of its file and a folder in `results/`.
pub(super) fn check_experiment(name: &str) -> Result<(), String> {
    let checked = if name.eq_ignore_ascii_case(RESERVED) {
        Err("expected another: it is reserved".to_owned())
    } else {
        check_to(LONGEST_EXPERIMENT, name)
    };
    checked.map_err(|reason| format!("the file's stem {name:?} is the experiment's name; {reason}"))
}

/// Checks a name that becomes a file.
pub fn check(name: &str) -> Result<(), String> {
    check_to(LONGEST, name)
}

/// A name for what is changed, `epsilon-with-trials-50`: other changes have other names. Where
/// these words do not say all of the change, and where they are too long, a hash of the base and
/// the whole change stands at the end.
pub(super) fn changed(base: &str, words: &[String]) -> String {
    if words.is_empty() {
        return base.to_owned();
    }
    let mut said = words.join("-");
    for (sign, word, _) in SIGNS {
        said = said.replace(sign, word);
    }
    let pieces = said.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    let name = format!("{base}-with-{}", pieces.join("-").trim_end_matches('.'));
    let says_all = words.iter().all(|word| is_plain(word)) && !ends_like_hash(&name);
    if says_all && name.len() <= LONGEST_EXPERIMENT {
        return name;
    }
    let whole = [&[base.to_owned()], words].concat().join("\n");
    let hash = &blake3::hash(whole.as_bytes()).to_hex()[..HASH_DIGITS];
    let fits = name.len() + 1 + HASH_DIGITS <= LONGEST_EXPERIMENT;
    let most = if fits {
        name.len()
    } else {
        LONGEST_EXPERIMENT / 2
    };
    let kept: String = name.chars().take(most).collect();
    format!("{}-{hash}", kept.trim_end_matches(['-', '.']))
}

/// Hexadecimal digits of a hash in a name.
const HASH_DIGITS: usize = 8;

/// True for a name that might be another one's with its hash.
fn ends_like_hash(name: &str) -> bool {
    let last = name.rsplit('-').next().unwrap_or_default();
    last.len() == HASH_DIGITS && last.bytes().all(|byte| b"0123456789abcdef".contains(&byte))
}

/// True for `key=value` of which the words in a name say all: the key, and then each item of the
/// value, in an order in which no other change has the same words.
fn is_plain(word: &str) -> bool {
    let Some((key, value)) = word.split_once('=') else {
        return false;
    };
    let list = value
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match list {
        None => is_plain_item(key, value),
        // A list of one is another change than its item.
        Some(_) if TEXTS.contains(&key) => false,
        Some(items) => {
            items.contains(',') && items.split(',').all(|item| is_plain_item(key, item.trim()))
        }
    }
}

/// The keys whose value is a text for people.
pub const TEXTS: [&str; 4] = ["title", "source", "group", "finding"];

/// True of a number, `true` and `false`, and in quotes of a range, a word that specs know, or of a
/// text a single word. Signs, underscores and blanks would be lost.
fn is_plain_item(key: &str, item: &str) -> bool {
    let is_token = |text: &str| {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '.';
        !text.ends_with('.') && text.chars().all(is_inner)
    };
    let quoted = item
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match quoted {
        None if item == "true" || item == "false" => true,
        // Of a negative exponent the sign stands in the name.
        None => real_in(item).is_some() && is_token(&item.replacen("e-", "e", 1)),
        Some(text) if TEXTS.contains(&key) => {
            let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
            is_word && is_token(text) && !known_keys().contains(&text)
        }
        Some(text) => is_known_word(text) || range_in(text).is_some() && is_token(text),
    }
}

/// The keys of a spec and of its sweeps.
fn known_keys() -> Vec<&'static str> {
    KEYS.into_iter()
        .chain(sweep::keys(&Programs::default()))
        .collect()
}

/// True of the words that a spec may choose: none of them is others, joined by a dash.
fn is_known_word(word: &str) -> bool {
    let is_named = |algorithm: &Algorithm| {
        let variants = algorithm
            .variants
            .filter(|_| algorithm.variant(word).is_ok());
        let mut choices = algorithm
            .variants
            .iter()
            .flat_map(|variant| variant.choices);
        let is_chosen = choices.any(|choice| choice.words.contains(&word));
        algorithm.name == word || variants.is_some() || is_chosen
    };
    Goal::from_name(word).is_some() || ALGORITHMS.iter().any(is_named)
}

/// Checks a name of at most so many bytes.
fn check_to(longest: usize, name: &str) -> Result<(), String> {
    let inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let fits = !name.is_empty() && name.len() <= longest && name.chars().all(inner);
    if !fits || name.starts_with(['.', '-']) || name.ends_with('.') {
        return Err(format!(
            "expected 1 to {longest} ASCII letters, digits, - _ and . that neither start with . or - nor end with ."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_its_folder() {
        for name in ["epsilon", "size-2", "a_b.c", "2012"] {
            assert_eq!(check_experiment(name), Ok(()), "{name}");
        }
        let long = "a".repeat(101);
        let wrong = ". a/b a\\b .hidden -rf a. a:b régle ε \u{ff41}\u{ff0e} a\u{2215}b";
        for name in wrong.split(' ').chain(["a b", "a\n", &long]) {
            assert!(check(name).is_err(), "{name:?}");
        }
        for name in ["reference", "Reference"] {
            assert!(check_experiment(name).is_err(), "{name}");
            assert_eq!(check(name), Ok(()), "a figure may have it");
        }
    }

    fn words(text: &str) -> Vec<String> {
        text.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn a_changed_experiment_has_a_name_that_says_so() {
        for (given, expected) in [
            ("trials=50|seed=7", "a-with-trials-50-seed-7"),
            ("n=\"8..10\"", "a-with-n-8..10"),
            ("epsilon=[0.1, 0.2]", "a-with-epsilon-0.1-0.2"),
            (
                "epsilon=1e-3|symmetry=true",
                "a-with-epsilon-1e-3-symmetry-true",
            ),
            (
                "variant=[\"PN_PL\", \"AN_DC\"]|branching=\"min-domain\"",
                "a-with-variant-PN-PL-AN-DC-branching-min-domain",
            ),
            ("title=\"x\"", "a-with-title-x"),
        ] {
            assert_eq!(changed("a", &words(given)), expected);
        }
        let certain = changed("a", &words("certain=\"b.queens != 0\""));
        assert!(
            certain.starts_with("a-with-certain-b.queens-not-0-"),
            "{certain}"
        );
    }

    /// Pairs of changes, of bases with them, which have one name where signs are lost.
    #[test]
    fn two_changes_never_have_one_name() {
        let long = format!("epsilon=[{}]", "0.125, ".repeat(40));
        let longer = long.clone() + &long;
        let base = "long-name-of-an-experiment-of-queens";
        let pairs = [
            (
                "a",
                "certain=\"b.queens - a.signals > 1\"",
                "a",
                "certain=\"b.queens + a.signals > 1\"",
            ),
            ("a", "epsilon=\"0.1 * n\"", "a", "epsilon=\"0.1 / n\""),
            (
                "a",
                "epsilon=\"0.1*(n/8)^-1.5\"",
                "a",
                "epsilon=\"0.1*(n/8)^1.5\"",
            ),
            ("a", "seeds=1_0", "a", "seeds=[1, 0]"),
            ("a", "cutoff=1e+3", "a", "cutoff=1e-3"),
            ("a", "title=\"b seed 7\"", "a", "title=\"b\"|seed=7"),
            ("a", "title=\"seed\"|seed=7", "a", "title=\"seed seed 7\""),
            ("a", "title=\"a b\"", "a", "title=\"a-b\""),
            ("a", "trials=[5]", "a", "trials=5"),
            ("a", &long, "a", &longer),
            (
                &format!("{base}-left"),
                &long,
                &format!("{base}-right"),
                &long,
            ),
        ];
        for (base, change, other_base, other) in pairs {
            let name = changed(base, &words(change));
            let other = changed(other_base, &words(other));
            assert_ne!(name, other, "{change}");
            for name in [name, other] {
                assert_eq!(check_to(LONGEST_EXPERIMENT, &name), Ok(()), "{name}");
            }
        }
        // What ends like a hash has one itself, so that it is no other's.
        let hashed = changed("a", &words("title=\"x y\""));
        let end = hashed.rsplit('-').next().expect("a hash");
        assert_ne!(
            changed("a", &words(&format!("title=\"x\"|rank={end}"))),
            hashed
        );
    }

    /// All texts of up to four of these signs as the value of a key: no two have one name.
    #[test]
    fn short_texts_have_names_of_their_own() {
        let signs = [
            "0", "1", ".", "-", "+", "_", " ", "\"", "[", "]", ",", "n", "e",
        ];
        let mut values = vec![String::new()];
        let mut names = std::collections::BTreeMap::new();
        for _ in 0..4 {
            let longer = values
                .iter()
                .flat_map(|value| signs.map(|sign| value.clone() + sign));
            values = longer.collect();
            for value in &values {
                let name = changed("a", &[format!("group={value}")]);
                if let Some(other) = names.insert(name.to_lowercase(), value.clone()) {
                    panic!("{value:?} and {other:?}: {name}");
                }
            }
        }
        assert!(names.len() > 30_000);
    }

    /// Else a list of words could be read as another one.
    #[test]
    fn no_known_word_is_others_joined() {
        let choices = ALGORITHMS.iter().filter_map(|it| it.variants);
        let choices = choices.flat_map(|it| it.choices).flat_map(|it| it.words);
        let names = ALGORITHMS.iter().map(|it| it.name);
        for word in choices.copied().chain(names) {
            let parts: Vec<&str> = word.split('-').collect();
            let is_known = parts.iter().all(|part| is_known_word(part));
            assert!(parts.len() == 1 || !is_known, "{word}");
        }
    }
}
