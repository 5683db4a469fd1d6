//! Names that become files: none leaves its folder or collides with what `reines` puts there.

/// Names that `results/` keeps for itself.
pub const RESERVED: [&str; 2] = ["reference", "latest"];

/// Bytes of a figure's name, so that with its endings it fits every common file system.
const LONGEST: usize = 100;

/// Bytes of an experiment's name, so that its figures may begin with it.
const LONGEST_EXPERIMENT: usize = 70;

/// Checks the name of an experiment, which is the stem of its file and a folder in `results/`.
pub(super) fn check_experiment(name: &str) -> Result<(), String> {
    let checked = match RESERVED.iter().any(|it| name.eq_ignore_ascii_case(it)) {
        true => Err("expected none of reference, latest, which are reserved".to_owned()),
        false => check_to(LONGEST_EXPERIMENT, name),
    };
    checked.map_err(|reason| format!("the file's stem {name:?} is the experiment's name; {reason}"))
}

/// Checks a name that becomes a file.
pub(super) fn check(name: &str) -> Result<(), String> {
    check_to(LONGEST, name)
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
        let wrong = [
            ". .. ../x a/b a\\b .hidden -rf a. a:b",
            "régle ε \u{ff41}\u{ff0e} a\u{2215}b",
        ];
        let wrong = wrong.iter().flat_map(|it| it.split(' '));
        for name in wrong.chain(["", "a b", "a\n", "a\0b", &long]) {
            assert!(check(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn reserved_names_are_refused_in_any_case() {
        for name in ["reference", "Latest"] {
            assert!(check_experiment(name).is_err(), "{name}");
            assert_eq!(check(name), Ok(()), "a figure may have it");
        }
    }
}
