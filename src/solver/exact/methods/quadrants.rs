//! Quarters of the board, filled one by one, joined to halves and then to boards: counts without
//! visiting a single solution.
//!
//! 1. The board is cut between two columns (west: ⌈n/2⌉ of them, east: ⌊n/2⌋). A *set of rows* says
//!    which rows have their queen in the east; the others have theirs in the west.
//! 2. Each half is cut between two rows. All placements of a quarter's queens are listed by the
//!    columns that they take; a placement in the north and one in the south make a *half board*
//!    when their columns complete each other and no diagonal meets. Of a half board only the
//!    2(n − 1) diagonals that lead to the other half are kept: one word.
//! 3. The solutions of a set of rows are the pairs of half boards, one of each side, that share no
//!    diagonal. They are counted 512 at a time: 512 half boards of the east are stored by diagonal
//!    instead of by board, so that a half board of the west meets them all in a few instructions.
//!
//! *Symmetry.* A solution has at most one queen on each long diagonal. A reflection in one of them
//! moves the queen of the other one from the one half to the other, so that as many solutions have
//! it in the east as in the west: only boards without such a queen in the east are counted, twice
//! for each such queen in the west outside of the centre. Upside down, such boards become such
//! boards: of a set of rows and its mirror image one is taken, and counts twice. All this leaves a
//! sixth to an eighth of the pairs.
//!
//! *Memory* is bounded: half boards come in blocks, and tables of placements are made for a few
//! sets of rows at a time (`count`).
//!
//! *Why it is fast.* A search visits each solution, and S(18) has 666 million of them; here pairs
//! of half boards are visited. There are more pairs than solutions, but 512 of them cost one step:
//! for each six of the diagonals that both halves may take, one table entry has the bits of the
//! eastern half boards that leave a set of these free, so that nine loads, eight ands of 512 bits
//! and a count of bits answer for 512 pairs (n = 27; four loads at n = 14). Half boards are sorted
//! by their most frequent diagonals, so that groups which cannot fit are left out as a whole.
//!
//! *Read* `rows.rs` (which sets of rows there are), `halves.rs` (diagonals as bits, quarters, half
//! boards), `table.rs` (512 half boards by diagonal), `count.rs` (what is held against what), and
//! last `loops.rs` (the same four loops for three kinds of processor).
//!
//! - checks: sets of rows taken up, mirror images left out: the cutoff, and what progress counts;
//! - nodes: none; no tree is walked, and no board seen;
//! - a cutoff is exact for any number of threads: the first sets of rows, in a fixed order, each
//!   whole. A censored count is theirs.
//!
//! The idea of joining quarters is public (E. Kluev, *N Queens Count Solutions*, and before it the
//! *deepgreen* pages on n queens); the arrangement here is our own.

mod count;
mod halves;
mod loops;
mod rows;
mod table;

pub use self::rows::n_sets;

use crate::exact::{Goal, Halt, Measures, Method, Search};

/// Side of the largest board: S(27) is the last that is known, and fits into 64 bits.
const N_MAX: usize = 27;

/// The entry in the list of methods.
pub const METHOD: Method = Method {
    name: "quadrants",
    definition: 1,
    doc: "quarters of the board joined to halves, and 512 halves at once held against one; counts only, on every thread it is given",
    measures: Measures {
        nodes: None,
        checks: Some("sets of rows given to one half of the board, mirror images left out"),
        failures: None,
    },
    goals: &[Goal::Count],
    n_max: N_MAX,
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    if n == 0 {
        return search.solution(&[]);
    }
    count::by_quadrants(n, search)
}
