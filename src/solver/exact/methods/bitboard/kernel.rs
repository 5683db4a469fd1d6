//! The last seven rows, where nearly all nodes are: one loop inside the other, without recursion,
//! board, budget or poll.

use super::masks::{Masks, squares};
use crate::solver::exact::MethodCounts;

/// Rows left where the kernel takes over.
pub(super) const ROWS: usize = 7;

/// The most nodes that seven rows can have: 7 columns are free, so at most 7 + 7·6 + … + 7! of
/// them.
pub(super) const NODES_MAX: u64 = 13_699;

/// Nodes and solutions, counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Subtotal {
    /// The node at which the count starts is not among them.
    pub nodes: u64,
    pub solutions: u64,
}

impl Subtotal {
    /// The counts of a subtree together with its mirror image, whose nodes are not visited.
    pub fn mirrored(self) -> MethodCounts {
        MethodCounts {
            solutions: 2 * self.solutions,
            nodes: self.nodes,
            checks: self.nodes,
            failures: 0,
        }
    }
}

/// Everything below a board with [`ROWS`] rows left.
#[inline(never)]
pub(super) fn count(masks: Masks) -> Subtotal {
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

    #[test]
    fn the_most_nodes_are_those_of_seven_rooks() {
        let arrangements = |rows: u64| (ROWS as u64 - rows + 1..=ROWS as u64).product::<u64>();
        assert_eq!((1..=ROWS as u64).map(arrangements).sum::<u64>(), NODES_MAX);
    }
}
