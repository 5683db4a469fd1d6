//! Every variant's solutions against a search that shares nothing with the kernel.

use reines::solver::Ending;
use reines::solver::cp::variant::{Model, VARIANTS, Variant};
use reines::solver::goal::Goal;

use super::{Visitor, run, variant};

/// A board of at most 16 lines: four bits for each line's column, the first line's highest, so that
/// codes sort as boards do.
type Code = u64;

fn code(board: &[u32]) -> Code {
    let with = |code, &column| code << 4 | Code::from(column);
    board.iter().fold(0, with)
}

fn column(code: Code, n: usize, line: usize) -> Code {
    code >> (4 * (n - 1 - line)) & 15
}

/// Every board, ascending: the next line's columns are tried from the left against all lines
/// before.
fn boards(n: usize) -> Vec<Code> {
    fn extend(board: &mut Vec<u32>, n: u32, found: &mut Vec<Code>) {
        let line = board.len() as u32;
        if line == n {
            return found.push(code(board));
        }
        for column in 0..n {
            let misses = |(&other, above): (&u32, u32)| {
                other != column && other.abs_diff(column) != line - above
            };
            if board.iter().zip(0..).all(misses) {
                board.push(column);
                extend(board, n, found);
                board.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(&mut Vec::new(), n as u32, &mut found);
    found
}

/// Solutions in the order in which the search finds them.
fn solutions(n: usize, variant: Variant) -> Vec<Code> {
    let mut found = Vec::new();
    let mut visitor = Visitor(|board: &[u32]| found.push(code(board)));
    let (counts, ending) = run(n, variant, Goal::All, u64::MAX, &mut visitor);
    let (solutions, nodes) = (counts.solutions, 2 * counts.solutions + counts.failures - 1);
    let expected = (Ending::Exhausted, found.len() as u64, counts.nodes);
    assert_eq!((ending, solutions, nodes), expected, "{variant} n = {n}");
    found
}

/// Each board once; with symmetry, one of each mirrored pair.
fn agrees(n: usize, variant: Variant, boards: &[Code]) {
    let mut found = solutions(n, variant);
    found.sort_unstable();
    let chosen = |board: &&Code| {
        !variant.symmetry || n == 1 || column(**board, n, 0) < column(**board, n, n - 1)
    };
    let told = format!("{variant} n = {n}: {} boards", found.len());
    assert!(found.iter().eq(boards.iter().filter(chosen)), "{told}");
    let is_half = 2 * found.len() == boards.len();
    assert!(!variant.symmetry || n == 1 || is_half, "{told}");
}

/// All variants but the naive ones; S(n) from OEIS A000170 holds the enumerator to the same.
fn all_variants() -> impl Iterator<Item = Variant> {
    VARIANTS.all().into_iter().map(|acronym| variant(&acronym))
}

#[test]
fn every_variant_finds_every_board() {
    let counts = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200];
    for (n, count) in (1..).zip(counts).take(crate::effort(6, 12)) {
        let boards = boards(n);
        assert_eq!(boards.len(), count);
        all_variants()
            .filter(|variant| variant.model != Model::Naive)
            .for_each(|variant| agrees(n, variant, &boards));
    }
}

/// n! labellings of each board: S(n) · n! solutions.
#[test]
fn naive_model_counts_labellings() {
    for (n, labellings) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
        let boards = boards(n);
        for variant in all_variants().filter(|variant| variant.model == Model::Naive) {
            let mut found = solutions(n, variant);
            // Queens 0 and n − 1 of a labelling stand anywhere: in half of all labellings the first
            // has the smaller column.
            let halves = if variant.symmetry && n > 1 { 2 } else { 1 };
            let expected = boards.len() * labellings;
            assert_eq!(found.len() * halves, expected, "{variant} n = {n}");
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, boards, "{variant} n = {n}");
        }
    }
}

/// Lexicographic search finds the boards in lexicographic order.
#[test]
fn lexicographic_search_is_lexicographic() {
    let boards = boards(8);
    for acronym in ["PN_PL", "PB_PL", "PA_PL", "PS_PL", "AN_PL", "AA_DL"] {
        assert_eq!(solutions(8, variant(acronym)), boards, "{acronym}");
    }
}
