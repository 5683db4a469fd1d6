//! Bit masks of columns and diagonals: a row is tested at once, and only safe squares are visited.
//! Here are the greatest n, the use of several threads for a count, and the rows that are filled
//! first.
//!
//! The masks of a row move one column along for the next (`Attacks`), so a node costs a few
//! instructions. Boards come in lexicographic order. A count visits half of the tree, by the mirror
//! symmetry: its first rows level by level, then what is below each board.
//!
//! - checks, nodes: nodes of the tree that were visited, that is safe partial boards, the empty and
//!   the complete ones included. A count to the end visits the root, one half of the others, and
//!   for odd n the middle square of the first row.
//! - a censored count is that of the first nodes, in the order of the boards after the first rows.

use rayon::prelude::*;

use crate::bits::ones;
use crate::exact::{ALGORITHM, Counts, Goal, Halt, Method, Search};
use crate::{Algorithm, Axis, Column};

const VISITED: &str = "tree nodes visited, the root included; half of them when counting";

/// The entry in the list of methods.
pub const METHOD: Method = Method {
    algorithm: Algorithm {
        name: "bitboard",
        doc: "bit masks of columns and diagonals; counts half the tree by mirror symmetry",
        axes: &[Axis::side(u32::BITS as u64)],
        columns: &[
            Column::named("solution"),
            Column::named("solutions"),
            Column::named("nodes").meaning(VISITED),
            Column::named("checks").meaning(VISITED),
        ],
        ..ALGORITHM
    },
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    // Below 2 there is no mirror image to leave out.
    if search.goal() == Goal::Count && n >= 2 {
        return by_symmetry(n, search);
    }
    walk(n, Attacks::empty(n), &mut Vec::with_capacity(n), search)
}

/// The whole tree below `masks`, board by board.
fn walk(
    n: usize,
    masks: Attacks,
    queens: &mut Vec<usize>,
    search: &mut Search<'_>,
) -> Result<(), Halt> {
    search.check()?;
    search.node()?;
    if queens.len() == n {
        return search.solution(queens);
    }
    for queen in squares(masks.free()) {
        queens.push(queen.trailing_zeros() as usize);
        walk(n, masks.place(queen), queens, search)?;
        queens.pop();
    }
    Ok(())
}

/// What the queens above leave of a row: bit c is set where column c is taken by …
#[derive(Debug, Clone, Copy)]
struct Attacks {
    /// … a queen in this column, or by the edge of the board: columns from n on are taken.
    columns: u32,
    /// … a diagonal that runs towards higher columns.
    rising: u32,
    /// … a diagonal that runs towards lower columns.
    falling: u32,
}

impl Attacks {
    /// The first row of an empty board.
    ///
    /// # Panics
    /// When n > 32.
    fn empty(n: usize) -> Self {
        assert!(
            n <= u32::BITS as usize,
            "a row of {n} columns does not fit into its mask"
        );
        let board = (1_u64 << n) - 1;
        Self {
            columns: !(board as u32),
            rising: 0,
            falling: 0,
        }
    }

    /// The safe squares of the row.
    #[inline(always)]
    fn free(self) -> u32 {
        !(self.columns | self.rising | self.falling)
    }

    /// The next row, after a queen on the square with this bit.
    #[inline(always)]
    fn place(self, queen: u32) -> Self {
        Self {
            columns: self.columns | queen,
            rising: (self.rising | queen) << 1,
            falling: (self.falling | queen) >> 1,
        }
    }

    /// The next row after a queen on each safe square in turn, lowest column first.
    #[inline(always)]
    fn children(self) -> impl Iterator<Item = Self> {
        squares(self.free()).map(move |queen| self.place(queen))
    }
}

/// The bits of a set, one at a time, lowest first.
#[inline(always)]
fn squares(set: u32) -> impl Iterator<Item = u32> {
    ones(set.into()).map(|column| 1 << column)
}

/// Rows that are filled level by level. Their number is a part of what a censored count is.
const FIRST_ROWS: usize = 3;

/// Counts the solutions of n ≥ 2 queens as twice those whose first queen, or for one in the middle
/// whose second, is in the lower half.
fn by_symmetry(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    let rows_left = n - FIRST_ROWS.min(n);
    let boards = first_rows(n, search)?;
    if search.may_share() {
        return by_parts(&boards, rows_left, search);
    }
    boards
        .into_iter()
        .try_for_each(|board| descend(board, rows_left, search))
}

/// Counts what is below these boards on all threads of the pool.
fn by_parts(boards: &[Attacks], rows_left: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    let (request, control) = search.of_part();
    let parts = boards.par_iter().map(|&board| {
        let visit = &mut |_: &[usize]| {};
        let mut part = Search::new(request, visit, control);
        descend(board, rows_left, &mut part)?;
        Ok::<Counts, Halt>(part.finish())
    });
    let counts = parts.try_reduce(Counts::default, |mut sum, part| {
        sum += part;
        Ok(sum)
    })?;
    search.add_parts(counts);
    Ok(())
}

/// The boards with their first rows filled, mirror images left out.
fn first_rows(n: usize, search: &mut Search<'_>) -> Result<Vec<Attacks>, Halt> {
    visit(search)?;
    let mut boards = vec![Attacks::empty(n)];
    for row in 0..FIRST_ROWS.min(n) {
        boards = next_row(n, row, &boards, search)?;
    }
    Ok(boards)
}

/// The boards with one more queen, mirror images left out.
fn next_row(
    n: usize,
    row: usize,
    boards: &[Attacks],
    search: &mut Search<'_>,
) -> Result<Vec<Attacks>, Halt> {
    let middle = 1_u32 << (n / 2);
    let lower = middle - 1;
    let mut extended = Vec::new();
    for masks in boards {
        let allowed = match row {
            // For even n the middle bit belongs to the upper half.
            0 if n.is_multiple_of(2) => lower,
            0 => lower | middle,
            1 if !n.is_multiple_of(2) && masks.columns & middle != 0 => lower,
            _ => u32::MAX,
        };
        for queen in squares(masks.free() & allowed) {
            visit(search)?;
            extended.push(masks.place(queen));
        }
    }
    Ok(extended)
}

fn visit(search: &mut Search<'_>) -> Result<(), Halt> {
    search.check()?;
    search.node()
}

/// Counts what is below a board, and its mirror image's solutions too.
fn descend(masks: Attacks, rows_left: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    if rows_left == 0 {
        return search.add(Counts {
            solutions: 2,
            ..Counts::default()
        });
    }
    if rows_left == KERNEL_ROWS && search.checks_left() >= NODES_MAX {
        return search.add(kernel(masks));
    }
    for child in masks.children() {
        visit(search)?;
        descend(child, rows_left - 1, search)?;
    }
    Ok(())
}

/// Rows left where the kernel takes over.
const KERNEL_ROWS: usize = 7;

/// The most nodes that seven rows can have: 7 columns are free, so at most 7 + 7·6 + … + 7! of
/// them.
const NODES_MAX: u64 = 13_699;

/// Counts everything below a board with [`KERNEL_ROWS`] rows left, where nearly all nodes are, as
/// [`descend`] does: one loop inside the other, without recursion, board, budget or poll.
#[inline(never)]
fn kernel(masks: Attacks) -> Counts {
    let mut counts = Counts::default();
    OneMore::<OneMore<OneMore<OneMore<OneMore<LastTwo>>>>>::count(masks, &mut counts);
    Counts {
        solutions: 2 * counts.solutions,
        checks: counts.nodes,
        ..counts
    }
}

/// The rows from one on, to the last. One type for each number of rows makes the compiler write one
/// loop inside the other.
trait RowsLeft {
    fn count(masks: Attacks, counts: &mut Counts);
}

/// A row, with the rows `Below` it.
struct OneMore<Below>(std::marker::PhantomData<Below>);

impl<Below: RowsLeft> RowsLeft for OneMore<Below> {
    #[inline(always)]
    fn count(masks: Attacks, counts: &mut Counts) {
        for queen in squares(masks.free()) {
            counts.nodes = counts.nodes.wrapping_add(1); // at most NODES_MAX
            Below::count(masks.place(queen), counts);
        }
    }
}

/// The last two rows, without a branch: two columns are left, and the queens take them in one order
/// or the other.
struct LastTwo;

impl RowsLeft for LastTwo {
    #[inline(always)]
    fn count(masks: Attacks, counts: &mut Counts) {
        let columns = !masks.columns;
        let low = columns & columns.wrapping_neg();
        let high = columns ^ low;
        let here = masks.free();
        let below = columns & !(masks.rising << 1 | masks.falling >> 1);
        let has = |set: u32, square: u32| u64::from(set & square != 0);
        // Queens in neighbouring columns and rows attack each other.
        let apart = u64::from(low << 1 != high);
        let solutions = apart & has(here, low) & has(below, high);
        let mirrored = apart & has(here, high) & has(below, low);
        counts.nodes = counts
            .nodes
            .wrapping_add(has(here, low) + has(here, high) + solutions + mirrored);
        counts.solutions = counts.solutions.wrapping_add(solutions + mirrored);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::Control;
    use crate::exact::{SearchRequest, explore};

    /// Three queens in the first three rows stand in (n − 3)(n² − 6n + 12) ways (OEIS A061989), of
    /// which one half is left, up to the largest board, which fills its masks.
    #[test]
    fn the_first_rows_are_cut_in_half() {
        let control = Control::unstopped();
        for n in 3..=32 {
            let visit = &mut |_: &[usize]| {};
            let request = SearchRequest::new(n, Goal::Count);
            let boards = first_rows(n, &mut Search::new(request, visit, &control));
            let n_boards = boards.expect("no cutoff").len();
            assert_eq!(2 * n_boards, (n - 3) * (n * n + 12 - 6 * n), "n = {n}");
        }
    }

    #[test]
    fn the_most_nodes_are_those_of_seven_rooks() {
        let arrangements =
            |rows: u64| (KERNEL_ROWS as u64 - rows + 1..=KERNEL_ROWS as u64).product::<u64>();
        assert_eq!(
            (1..=KERNEL_ROWS as u64).map(arrangements).sum::<u64>(),
            NODES_MAX
        );
    }

    /// The plain count, board by board, and the one on all threads of a pool have the same numbers,
    /// with a cutoff too; solutions are OEIS A000170.
    #[test]
    fn a_shared_count_is_the_plain_one() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let pool = pool.expect("three threads");
        for (n, solutions) in [(2, 0), (3, 0), (4, 2), (9, 352), (12, 14_200), (13, 73_712)] {
            for cutoff in [u64::MAX, 100] {
                let request = SearchRequest {
                    cutoff,
                    ..SearchRequest::new(n, Goal::Count)
                };
                let stop = AtomicBool::new(false);
                let count = |is_shared: bool| {
                    let steps = AtomicU64::new(0);
                    let control = Control::new(&stop, &steps);
                    let control = if is_shared {
                        control.sharing_work()
                    } else {
                        control
                    };
                    let found = explore(&METHOD, request, &mut |_| {}, &control);
                    let (counts, ending) = found.expect("no stop is asked for");
                    (counts, ending, steps.into_inner())
                };
                let plain = count(false);
                assert_eq!(pool.install(|| count(true)), plain, "n = {n}");
                if cutoff == u64::MAX {
                    assert_eq!(plain.0.solutions, solutions, "n = {n}");
                }
            }
        }
    }

    /// A count on several threads ends when a stop is asked for.
    #[test]
    fn a_shared_count_is_stopped() {
        let stop = AtomicBool::new(true);
        let steps = AtomicU64::new(0);
        let control = Control::new(&stop, &steps).sharing_work();
        let request = SearchRequest::new(18, Goal::Count);
        explore(&METHOD, request, &mut |_| {}, &control).expect_err("a stop was asked for");
    }
}
