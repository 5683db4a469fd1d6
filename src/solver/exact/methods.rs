//! The list of the exhaustive methods: one file each, its `mod` line, and one line here.

mod attacks;
mod backtracking;
pub(crate) mod bitboard;
mod cells;
mod construction;
mod fill;
mod heap;
mod lines;
mod partial_lists;
mod permutations;
pub(crate) mod quadrants;
mod rows;

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
    quadrants::METHOD,
    rows::METHOD,
];

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
        assert_eq!(names.len() + 1, METHODS.len(), "no name comes twice");
    }
}
