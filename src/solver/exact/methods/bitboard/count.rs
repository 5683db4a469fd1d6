//! Counting: half of the tree, cut into subtrees by the queens of the first rows.

use rayon::prelude::*;

use super::kernel::{self, Subtotal};
use super::masks::{Masks, squares};
use crate::solver::Control;
use crate::solver::exact::{Halt, Search};

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
        if rows_left == kernel::ROWS && self.allowed - self.tally.nodes >= kernel::NODES_MAX {
            let Subtotal { nodes, solutions } = kernel::count(masks);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::exact::{Goal, Request};

    fn search<'a>(
        n: usize,
        visit: &'a mut dyn FnMut(&[usize]),
        control: &'a Control<'a>,
    ) -> Search<'a> {
        Search::new(Request::new(n, Goal::Count), visit, control)
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
}
