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

    #[test]
    fn every_file_is_registered() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/solver/cp/branching");
        let files = std::fs::read_dir(directory).expect("the sources are here");
        let mut stems: Vec<String> = files
            .map(|file| {
                file.expect("readable")
                    .path()
                    .file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .replace('_', "-")
            })
            .collect();
        let mut words: Vec<&str> = HEURISTICS.iter().map(|heuristic| heuristic.word).collect();
        stems.sort();
        words.sort_unstable();
        assert_eq!(
            words, stems,
            "one file and one place in the list per heuristic"
        );
        let mut letters: Vec<char> = HEURISTICS
            .iter()
            .map(|heuristic| heuristic.letter)
            .collect();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), HEURISTICS.len());
    }
}
