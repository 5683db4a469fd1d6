//! Names that become files: none leaves its folder or collides with what `reines` puts there. The
//! name of a changed experiment says what is changed.

use super::SIGNS;

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

/// A name for what is changed, `epsilon-with-trials-50`: other changes have other names.
pub(super) fn changed(base: &str, words: &[String]) -> String {
    if words.is_empty() {
        return base.to_owned();
    }
    let mut words = words.join("-");
    for (sign, word, _) in SIGNS {
        words = words.replace(sign, word);
    }
    let pieces = words.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let pieces: Vec<&str> = pieces.filter(|it| !it.is_empty()).collect();
    let name = format!("{base}-with-{}", pieces.join("-").trim_end_matches('.'));
    if name.len() <= LONGEST_EXPERIMENT {
        return name;
    }
    let hash = blake3::hash(words.as_bytes()).to_hex();
    let kept: String = name.chars().take(LONGEST_EXPERIMENT / 2).collect();
    format!("{}-{}", kept.trim_end_matches(['-', '.']), &hash[..8])
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

    #[test]
    fn a_changed_experiment_has_a_name_that_says_so() {
        let words = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        for (given, expected) in [
            ("trials=50|seed=7", "a-with-trials-50-seed-7"),
            ("n=\"8..10\"", "a-with-n-8..10"),
            ("n<=8,eta!=0", "a-with-n-to-8-eta-not-0"),
            ("epsilon=[0.1, 0.2]", "a-with-epsilon-0.1-0.2"),
        ] {
            assert_eq!(changed("a", &words(given)), expected);
        }
        let long = format!("epsilon=[{}]", "0.125, ".repeat(40));
        let [one, other] = [&long, &(long.clone() + &long)].map(|it| changed("a", &words(it)));
        assert!(one.len() <= LONGEST_EXPERIMENT && one != other, "{one}");
    }
}
