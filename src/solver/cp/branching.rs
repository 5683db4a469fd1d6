//! The list of the branching heuristics: one file each, its `mod` line, and one line here.

mod dom_wdeg;
mod dual_dom;
mod lexicographic;
mod min_domain;
mod random;

use super::heuristic::Heuristic;

/// Every heuristic, in the order of the lab's table; the first is the default.
pub static HEURISTICS: &[Heuristic] = &[
    lexicographic::HEURISTIC,
    random::HEURISTIC,
    min_domain::HEURISTIC,
    dom_wdeg::HEURISTIC,
    dual_dom::HEURISTIC,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::testing::assert_folder_is_listed;

    #[test]
    fn every_file_is_registered() {
        let words = HEURISTICS.iter().map(|heuristic| heuristic.word);
        assert_folder_is_listed("cp/branching", words);
        let mut letters: Vec<char> = HEURISTICS
            .iter()
            .map(|heuristic| heuristic.letter)
            .collect();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), HEURISTICS.len());
    }
}
