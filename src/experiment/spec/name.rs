//! Names that become files and folders: none may leave its folder or collide with what `reines` puts there.

/// Names that `results/` keeps for itself.
const RESERVED: [&str; 2] = ["reference", "latest"];

/// Bytes, so that a name with its endings fits every common file system.
const LONGEST: usize = 100;

/// Checks the name of an experiment, which is the stem of its file and a folder in `results/`.
///
/// # Errors
/// A sentence that says what is allowed.
pub(super) fn check_experiment(name: &str) -> Result<(), String> {
    check(name).map_err(|reason| format!("the file's stem {name:?} is the experiment's name: {reason}"))?;
    if RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name)) {
        return Err(format!("the file's stem {name:?} is the experiment's name: reserved; allowed is any other than reference and latest"));
    }
    Ok(())
}

/// Checks a name that becomes a file.
///
/// # Errors
/// A sentence that says what is allowed.
pub(super) fn check(name: &str) -> Result<(), String> {
    let inner = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let fits = !name.is_empty() && name.len() <= LONGEST && name.chars().all(inner);
    if fits && !name.starts_with(['.', '-']) && !name.ends_with('.') {
        return Ok(());
    }
    Err(format!("allowed are 1 to {LONGEST} bytes of letters, digits, - _ and . that neither start with . or - nor end with ."))
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
        for name in ["", ".", "..", "../x", "a/b", "a\\b", "a b", "a\n", "a\0b", ".hidden", "-rf", "a.", "a:b", &long] {
            assert!(check(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn reserved_names_are_refused_in_any_case() {
        for name in ["reference", "latest", "Latest"] {
            assert!(check_experiment(name).is_err(), "{name}");
            assert_eq!(check(name), Ok(()), "a figure may have it");
        }
    }
}
