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

use super::Method;

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
    use crate::solver::testing::assert_folder_is_listed;

    #[test]
    fn every_file_is_registered() {
        let names = METHODS.iter().map(|method| method.name);
        let of_files = names.filter(|&name| name != "distinct-cells");
        assert_folder_is_listed("exact/methods", of_files);
    }
}
