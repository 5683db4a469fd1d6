//! The list of the exhaustive methods: one file each, its `mod` line, and one line here.

pub mod attacks;
pub mod backtracking;
pub mod bitboard;
pub mod cells;
pub mod construction;
pub mod fill;
pub mod heap;
pub mod lines;
pub mod partial_lists;
pub mod permutations;
pub mod rows;

use super::method::Method;

/// Every exhaustive method.
pub static METHODS: &[Method] = &[
    attacks::METHOD,
    backtracking::METHOD,
    bitboard::METHOD,
    cells::CELLS,
    cells::DISTINCT_CELLS,
    construction::METHOD,
    fill::METHOD,
    heap::METHOD,
    lines::METHOD,
    partial_lists::METHOD,
    permutations::METHOD,
    rows::METHOD,
];

/// The method of this registry name, if there is one.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_registered() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/solver/exact/methods");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the sources are where the tests were built")
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .map(|path| {
                path.file_stem()
                    .expect("a file has a name")
                    .to_string_lossy()
                    .replace('_', "-")
            })
            .collect();
        let names: BTreeSet<String> = METHODS
            .iter()
            .map(|method| method.name.to_owned())
            .filter(|name| name != "distinct-cells")
            .collect();
        assert_eq!(names, files);
    }

    #[test]
    fn methods_are_found_by_name() {
        assert!(
            METHODS
                .iter()
                .all(|listed| method(listed.name).is_some_and(|found| found.doc == listed.doc))
        );
        assert!(method("bogo").is_none());
    }
}
