//! Revisions whose runs name no laws of their rules, and those whose runs cannot be read. Here is
//! decided when both sides run with `--dynamics stepwise` for that reason, and which commit is the
//! first whose runs are read.

use crate::experiment::code_version::{self, PartHashes};
use crate::experiment::laws::Laws;
use crate::experiment::store::StoreError;
use crate::experiment::store::folder::RunFolder;

/// The parts of the sources that have the rules with laws.
const RULES: [&str; 2] = ["local", "synchronous"];

/// The first commit of this repository whose runs are read: its layout has the number 3.
const FIRST_READ: &str = "90dbad73";

/// True if a fast dynamics might hide a change of a rule: A names no law where B does, and the code
/// of the rules has changed, or whether it has is not known.
pub fn may_hide_a_change(
    (parts_of_a, laws_of_a): (&PartHashes, &Laws),
    (parts_of_b, laws_of_b): (&PartHashes, &Laws),
) -> bool {
    if !laws_of_a.is_empty() || laws_of_b.is_empty() {
        return false;
    }
    let changed = code_version::differing(parts_of_a, parts_of_b);
    let is_of_rules = |part: &String| RULES.contains(&part.as_str());
    parts_of_a.is_empty() || changed.iter().any(is_of_rules)
}

/// Why no run of a folder of results can be read, in words.
pub fn why_unread(folders: &[RunFolder]) -> String {
    let manifests = folders.iter().map(RunFolder::manifest);
    let mut unread = manifests.filter_map(Result::err);
    match unread.next() {
        Some(error @ StoreError::Unread { .. }) => {
            format!("{error}; runs are read of commit {FIRST_READ} and later ones")
        }
        Some(error) => error.to_string(),
        None => "there is no complete run".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unknown_laws_of_changed_rules_are_run_step_by_step() {
        let laws: Laws = [(
            "pair".to_owned(),
            [("group".to_owned(), "1".to_owned())].into(),
        )]
        .into();
        let none = Laws::new();
        let parts = |local: &str, engine: &str| -> PartHashes {
            let parts = [("local", local), ("engine", engine)];
            let parts = parts.map(|(part, hash)| (part.to_owned(), hash.to_owned()));
            parts.into()
        };
        let present = parts("1", "1");
        let with_law = (&present, &laws);
        for (a, hides) in [
            ((&parts("2", "1"), &none), true),
            ((&parts("1", "2"), &none), false),
            ((&PartHashes::new(), &none), true),
            ((&parts("2", "1"), &laws), false),
        ] {
            assert_eq!(may_hide_a_change(a, with_law), hides, "{a:?}");
        }
        // A search has none on both sides.
        assert!(!may_hide_a_change(
            (&parts("2", "1"), &none),
            (&present, &none)
        ));
    }
}
