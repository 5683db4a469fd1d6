//! Names that become files: none leaves its folder or collides with what `reines` puts there.

/// Names that `results/` keeps for itself.
pub const RESERVED: [&str; 2] = ["reference", "latest"];

/// Bytes, so that a name with its endings fits every common file system.
const LONGEST: usize = 100;

/// Checks the name of an experiment, which is the stem of its file and a folder in `results/`.
pub(super) fn check_experiment(name: &str) -> Result<(), String> {
    check(name)
        .map_err(|reason| format!("the file's stem {name:?} is the experiment's name: {reason}"))?;
    if RESERVED.iter().any(|reserved| looks_like(name, reserved)) {
        return Err(format!(
            "the file's stem {name:?} is the experiment's name: reserved, or looks like it; expected any other than reference and latest"
        ));
    }
    Ok(())
}

/// Whether `name` is `word` in any case, but perhaps for letters of another alphabet.
fn looks_like(name: &str, word: &str) -> bool {
    let same = |(a, b): (char, char)| !a.is_ascii() || a.eq_ignore_ascii_case(&b);
    let is_word =
        name.chars().count() == word.chars().count() && name.chars().zip(word.chars()).all(same);
    is_word && name.chars().any(|c| c.is_ascii())
}

/// Checks a name that becomes a file.
pub(super) fn check(name: &str) -> Result<(), String> {
    let inner = |c: char| (c.is_alphanumeric() && !is_stand_in(c)) || "-_.".contains(c);
    let fits = !name.is_empty() && name.len() <= LONGEST && name.chars().all(inner);
    if !fits || name.starts_with(['.', '-']) || name.ends_with('.') {
        return Err(format!(
            "expected 1 to {LONGEST} bytes of letters, digits, - _ and . that neither start with . or - nor end with ."
        ));
    }
    Ok(())
}

/// Letters that stand for others and look like them: some file systems hold both for the same name.
fn is_stand_in(c: char) -> bool {
    matches!(c, '\u{2070}'..='\u{209f}' | '\u{2100}'..='\u{214f}' | '\u{2460}'..='\u{24ff}' | '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{ffef}' | '\u{1d400}'..='\u{1d7ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_its_folder() {
        for name in ["epsilon", "size-2", "a_b.c", "régle", "ε", "2012"] {
            assert_eq!(check_experiment(name), Ok(()), "{name}");
        }
        let long = "a".repeat(101);
        let wrong = [
            ". .. ../x a/b a\\b .hidden -rf a. a:b",
            "\u{ff41}\u{ff0e} a\u{2215}b",
        ];
        let wrong = wrong.iter().flat_map(|it| it.split(' '));
        for name in wrong.chain(["", "a b", "a\n", "a\0b", &long]) {
            assert!(check(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn reserved_names_are_refused_in_any_case() {
        for name in ["reference", "Latest", "l\u{430}test", "refer\u{435}nce"] {
            assert!(check_experiment(name).is_err(), "{name}");
            assert_eq!(check(name), Ok(()), "a figure may have it");
        }
    }
}
