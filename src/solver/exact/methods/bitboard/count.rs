//! Counting: half of the tree, cut into subtrees by the queens of the first rows.

use rayon::prelude::*;

use super::{Masks, squares};
use crate::Control;
use crate::exact::{Halt, MethodCounts, Search};

/// Rows that are filled before the tree is cut: some hundred subtrees, enough for the threads to
/// end together.
const FIRST_ROWS: usize = 3;

/// Counts the solutions of n ≥ 2 queens as twice those whose first queen, or for one in the middle
/// whose second, is in the lower half.
pub(super) fn by_symmetry(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    let subtrees = Subtrees::cut(n, search)?;
    if search.parallel() {
        subtrees.together(search)
    } else {
        subtrees.one_by_one(search)
    }
}

/// The boards with one more queen, mirror images left out.
fn next_row(
    n: usize,
    row: usize,
    boards: &[Masks],
    search: &mut Search<'_>,
) -> Result<Vec<Masks>, Halt> {
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

/// The subtrees of the boards, in their order.
struct Subtrees {
    boards: Vec<Masks>,
    rows_left: usize,
}

impl Subtrees {
    /// Fills the first rows and leaves the rest to the subtrees.
    fn cut(n: usize, search: &mut Search<'_>) -> Result<Self, Halt> {
        let rows = FIRST_ROWS.min(n);
        visit(search)?;
        let mut boards = vec![Masks::empty(n)];
        for row in 0..rows {
            boards = next_row(n, row, &boards, search)?;
        }
        Ok(Self {
            boards,
            rows_left: n - rows,
        })
    }

    fn one_by_one(&self, search: &mut Search<'_>) -> Result<(), Halt> {
        self.boards.iter().try_for_each(|&board| {
            let subtree = self.count(board, search.checks_left(), search.control())?;
            take(subtree, search)
        })
    }

    /// Counts the subtrees on every thread of the present pool. Each subtree may spend the whole
    /// budget; what the ones before it leave is computed afterwards, and the one in which the
    /// budget ends is counted again.
    fn together(&self, search: &mut Search<'_>) -> Result<(), Halt> {
        let allowed = search.checks_left();
        let control = search.control();
        let count = |&board: &Masks| self.count(board, allowed, control);
        let counted: Vec<Subtree> = self
            .boards
            .par_iter()
            .map(count)
            .collect::<Result<_, _>>()?;
        for (&board, subtree) in self.boards.iter().zip(counted) {
            let fits = subtree.tally.nodes <= search.checks_left();
            take(
                if fits {
                    subtree
                } else {
                    self.count(board, search.checks_left(), control)?
                },
                search,
            )?;
        }
        Ok(())
    }

    /// Counts one subtree, and stops at the exact node.
    fn count(&self, board: Masks, allowed: u64, control: &Control<'_>) -> Result<Subtree, Halt> {
        let mut subtree = Subtree {
            tally: Subtotal::default(),
            allowed,
            is_cut: false,
            polled: 0,
        };
        match subtree.descend(board, self.rows_left, control) {
            Err(Halt::Cutoff) => subtree.is_cut = true,
            ended => ended?,
        }
        control.poll(subtree.tally.nodes - subtree.polled)?;
        Ok(subtree)
    }
}

/// Adds a subtree and its mirror image to the search.
fn take(subtree: Subtree, search: &mut Search<'_>) -> Result<(), Halt> {
    search.absorb(subtree.tally.mirrored());
    if subtree.is_cut {
        Err(Halt::Cutoff)
    } else {
        Ok(())
    }
}

/// A subtree, its root not counted.
struct Subtree {
    tally: Subtotal,
    /// Nodes that may be visited.
    allowed: u64,
    /// It has more nodes than that.
    is_cut: bool,
    /// Nodes already reported to the progress display.
    polled: u64,
}

impl Subtree {
    fn descend(
        &mut self,
        masks: Masks,
        rows_left: usize,
        control: &Control<'_>,
    ) -> Result<(), Halt> {
        if rows_left == 0 {
            self.tally.solutions += 1;
            return Ok(());
        }
        if rows_left == KERNEL_ROWS && self.allowed - self.tally.nodes >= NODES_MAX {
            let Subtotal { nodes, solutions } = kernel(masks);
            self.tally.nodes += nodes;
            self.tally.solutions += solutions;
            return self.poll(control);
        }
        for child in masks.children() {
            if self.tally.nodes == self.allowed {
                return Err(Halt::Cutoff);
            }
            self.tally.nodes += 1;
            self.descend(child, rows_left - 1, control)?;
        }
        self.poll(control)
    }

    /// Early enough for the kernel, which adds many nodes at once, to stay within the interval.
    fn poll(&mut self, control: &Control<'_>) -> Result<(), Halt> {
        let n_new = self.tally.nodes - self.polled;
        if n_new >= Control::POLL_INTERVAL / 2 {
            self.polled = self.tally.nodes;
            control.poll(n_new)?;
        }
        Ok(())
    }
}

/// Rows left where the kernel takes over.
const KERNEL_ROWS: usize = 7;

/// The most nodes that seven rows can have: 7 columns are free, so at most 7 + 7·6 + … + 7! of
/// them.
const NODES_MAX: u64 = 13_699;

/// Nodes and solutions, counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Subtotal {
    /// The node at which the count starts is not among them.
    nodes: u64,
    solutions: u64,
}

impl Subtotal {
    /// The counts of a subtree together with its mirror image, whose nodes are not visited.
    fn mirrored(self) -> MethodCounts {
        MethodCounts {
            solutions: 2 * self.solutions,
            nodes: self.nodes,
            checks: self.nodes,
            failures: 0,
        }
    }
}

/// Counts everything below a board with [`KERNEL_ROWS`] rows left, where nearly all nodes are: one
/// loop inside the other, without recursion, board, budget or poll.
#[inline(never)]
fn kernel(masks: Masks) -> Subtotal {
    let mut tally = Subtotal::default();
    OneMore::<OneMore<OneMore<OneMore<OneMore<LastTwo>>>>>::count(masks, &mut tally);
    tally
}

/// The rows from one on, to the last. One type for each number of rows makes the compiler write one
/// loop inside the other.
trait RowsLeft {
    fn count(masks: Masks, tally: &mut Subtotal);
}

/// A row, with the rows `Below` it.
struct OneMore<Below>(std::marker::PhantomData<Below>);

impl<Below: RowsLeft> RowsLeft for OneMore<Below> {
    #[inline(always)]
    fn count(masks: Masks, tally: &mut Subtotal) {
        for queen in squares(masks.free()) {
            tally.nodes = tally.nodes.wrapping_add(1); // at most NODES_MAX
            Below::count(masks.place(queen), tally);
        }
    }
}

/// The last two rows, without a branch: two columns are left, and the queens take them in one order
/// or the other.
struct LastTwo;

impl RowsLeft for LastTwo {
    #[inline(always)]
    fn count(masks: Masks, tally: &mut Subtotal) {
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
        tally.nodes = tally
            .nodes
            .wrapping_add(has(here, low) + has(here, high) + solutions + mirrored);
        tally.solutions = tally.solutions.wrapping_add(solutions + mirrored);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Goal, SearchRequest};

    fn search<'a>(
        n: usize,
        visit: &'a mut dyn FnMut(&[usize]),
        control: &'a Control<'a>,
    ) -> Search<'a> {
        Search::new(SearchRequest::new(n, Goal::Count), visit, control)
    }

    /// Three queens in the first three rows stand in (n − 3)(n² − 6n + 12) ways (OEIS A061989), of
    /// which one half is left, up to the largest board, which fills its masks.
    #[test]
    fn the_first_rows_are_cut_in_half() {
        let control = Control::unstopped();
        for n in 3..=32 {
            let visit = &mut |_: &[usize]| {};
            let subtrees = Subtrees::cut(n, &mut search(n, visit, &control)).expect("no cutoff");
            assert_eq!(
                2 * subtrees.boards.len(),
                (n - 3) * (n * n + 12 - 6 * n),
                "n = {n}"
            );
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
}
