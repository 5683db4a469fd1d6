//! The list of the exhaustive methods: one file each, or one for several that differ little, its
//! `mod` line, and one line here. What a method counts as a check, a node and a failure, and its
//! greatest n, is in its file.

pub mod bitboard;
mod depth_first;
mod partial_lists;
mod permutations;
mod rows;

use super::Method;

/// Every exhaustive method, sorted by name.
pub static METHODS: &[Method] = &[
    depth_first::ATTACKS,
    depth_first::BACKTRACKING,
    bitboard::METHOD,
    depth_first::FILL,
    permutations::HEAP,
    depth_first::LINES,
    partial_lists::METHOD,
    permutations::LEXICOGRAPHIC,
    rows::METHOD,
];
