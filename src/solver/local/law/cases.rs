//! The cases in which the law of an update is enumerated: which states of which cells, in groups
//! that have names. The kinds of states in the names of groups (empty, signals alone, safe queen,
//! threatened queen) are here.

use super::sheet::Sheet;
use crate::board::{Board, Cell, Directions};
use crate::local::configuration::CellState;
use crate::local::sites::LocalRule;
use crate::rng::{Generator, RandomSource as _};

/// The cases of a rule, in blocks.
pub trait Cases: LocalRule {
    /// The names of the groups, each once.
    fn groups() -> Vec<String>;

    /// How many blocks there are.
    const BLOCKS: usize;

    /// The number of the first block whose cases are drawn; all blocks before it are not.
    const FIRST_DRAWN: usize;

    /// The side of the board of a block.
    fn side(block: usize) -> usize;

    /// Calls `visit` with each case of a block: the board, the site that is updated, and the number
    /// of the group. The rule is one on the block's board.
    fn visit(&self, block: usize, visit: &mut dyn FnMut(&Sheet, Self::Site, usize));
}

/// The number of states of a cell: 0, 1 or 2 queens, which stand for more, and any signals.
pub const N_STATES: usize = 3 << 8;

/// The state of this number.
pub fn state(number: usize) -> CellState {
    CellState {
        queens: (number >> 8) as u8,
        signals: Directions::from_bits(number as u8),
    }
}

/// The kinds of states by which cases are grouped.
pub const KINDS: [&str; 4] = ["empty", "signals alone", "safe queen", "threatened queen"];

/// The kind of a state, from the numbers of queens and signals alone: a rule may take another one
/// for safe.
pub fn kind(state: CellState) -> usize {
    match (state.queens, state.signals.is_empty()) {
        (0, true) => 0,
        (0, false) => 1,
        (1, true) => 2,
        _ => 3,
    }
}

/// The site whose signals these cells have.
pub fn site<R: LocalRule>(rule: &R, cells: &[Cell]) -> Option<R::Site> {
    let mut sites = rule.sites().iter().copied();
    sites.find(|&site| {
        let own = rule.signal_cells(site);
        let own = own.as_ref();
        own.len() == cells.len() && cells.iter().all(|cell| own.contains(cell))
    })
}

/// Every cell of a board in a state that is drawn: with many or few queens and signals, so that
/// cells without any are drawn often.
pub fn drawn(board: Board, random: &mut Generator) -> Sheet {
    let mut sheet = Sheet::empty(board);
    // In sixteenths.
    let [of_signal, of_queen] =
        [[0, 1, 4, 8], [1, 2, 4, 8]].map(|all| all[random.below(4) as usize]);
    for cell in board.cells() {
        let is_set = |_: &u32| random.below(16) < of_signal;
        let bits = (0..8).filter(is_set).fold(0, |bits, bit| bits | 1 << bit);
        let has_queen = random.below(16) < of_queen;
        let queens = if has_queen {
            1 + (random.below(4) == 0) as u8
        } else {
            0
        };
        let signals = Directions::from_bits(bits);
        sheet.put(cell, CellState { queens, signals });
    }
    sheet
}
