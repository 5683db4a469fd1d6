//! The boards of L trials, and that of one lane as a rule sees it. Here lanes decide whether queens
//! form a solution (for one trial alone `solution.rs` does).

use super::layout::{Layout, Masks, N_MAX};
use crate::board::{Board, Cell, Directions};
use crate::local::configuration::{CellState, Cells, Configuration};

/// Bits of the number of queens on a cell, at most [`N_MAX`].
const PLANES: usize = 4;

/// Signals and queens of L trials: words by lane, with a bit for each cell.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Boards<const L: usize> {
    /// The cells with a signal, for each direction from which it comes.
    pub signals: [[u64; L]; 8],
    /// Cells with a queen.
    pub occupied: [u64; L],
    /// Cells with two and more.
    pub crowded: [u64; L],
    /// The bits of the number of queens on each cell, the lowest bit first.
    planes: [[u64; L]; PLANES],
}

impl<const L: usize> Boards<L> {
    /// No queen anywhere.
    pub fn empty() -> Self {
        Self {
            signals: [[0; L]; 8],
            occupied: [0; L],
            crowded: [0; L],
            planes: [[0; L]; PLANES],
        }
    }

    /// The masks of a lane.
    #[inline(always)]
    pub fn masks(&self, lane: usize) -> Masks {
        let mut signals = [0; 8];
        for d in 0..8 {
            signals[d] = self.signals[d][lane];
        }
        Masks::of(signals, self.occupied[lane], self.crowded[lane])
    }

    /// Takes the board out of a lane.
    pub fn clear(&mut self, lane: usize) {
        for words in self.signals.iter_mut().chain(&mut self.planes) {
            words[lane] = 0;
        }
        (self.occupied[lane], self.crowded[lane]) = (0, 0);
    }

    /// Puts the board of a configuration into a lane.
    pub fn put(&mut self, lane: usize, x: &Configuration, layout: &Layout) {
        self.clear(lane);
        for cell in x.board().cells() {
            let bit = layout.bit(cell);
            for direction in x[cell].signals.iter() {
                self.signals[direction as usize][lane] |= bit;
            }
            (0..x[cell].queens).for_each(|_| self.change_queens(lane, bit, true));
        }
    }

    /// The state of the cell of a lane with this bit.
    pub fn state(&self, lane: usize, bit: u64) -> CellState {
        let number = |masks: &[[u64; L]]| {
            let is_set = |words: &[u64; L]| u8::from(words[lane] & bit != 0);
            let masks = masks.iter().enumerate();
            masks.fold(0, |number, (at, words)| number | is_set(words) << at)
        };
        CellState {
            queens: number(&self.planes),
            signals: Directions::from_bits(number(&self.signals)),
        }
    }

    /// Adds a queen to a cell of a lane or removes one.
    #[inline(always)]
    fn change_queens(&mut self, lane: usize, bit: u64, is_added: bool) {
        let mut carried = bit;
        for words in &mut self.planes {
            let before = words[lane];
            words[lane] ^= carried;
            carried &= if is_added { before } else { !before };
        }
        let [one, two, four, eight] = &self.planes;
        self.crowded[lane] = two[lane] | four[lane] | eight[lane];
        self.occupied[lane] = one[lane] | self.crowded[lane];
    }

    /// The signals of each cell of a row, counted from the border, a byte for each: 8 × 8 bits,
    /// transposed (Warren, Hacker's Delight, 7-3).
    #[inline(always)]
    fn signals_of_row(&self, lane: usize, y: usize) -> u64 {
        let by = (N_MAX * y).wrapping_sub(N_MAX) as u32;
        let mut bits = 0;
        for d in 0..8 {
            bits |= (self.signals[d][lane].unbounded_shr(by) & 0xFF) << (8 * d);
        }
        for (by, half) in [
            (7, 0x00AA_00AA_00AA_00AA),
            (14, 0x0000_CCCC_0000_CCCC),
            (28, 0x0000_0000_F0F0_F0F0),
        ] {
            let unlike = (bits ^ bits >> by) & half;
            bits ^= unlike ^ unlike << by;
        }
        bits
    }

    /// True if the queens of a lane form a solution.
    #[inline]
    pub fn is_solution(&self, lane: usize, n: usize) -> bool {
        let occupied = self.occupied[lane];
        // Most often it is a column that is missing.
        let folded = occupied | occupied >> 32;
        let folded = folded | folded >> 16;
        (folded | folded >> 8) & ((1 << n) - 1) == (1 << n) - 1
            && self.crowded[lane] == 0
            && has_no_attack(occupied, n)
    }

    /// The row of the queen in each column, if the queens of a lane form a solution.
    pub fn solution(&self, lane: usize, n: usize) -> Option<Box<[u32]>> {
        let row_of = |x: usize| {
            let column = self.occupied[lane] >> x & 0x0101_0101_0101_0101;
            column.trailing_zeros() / N_MAX as u32
        };
        let is_solution = self.is_solution(lane, n);
        is_solution.then(|| (0..n).map(row_of).collect())
    }
}

/// n queens, where no two are on one cell, do not attack each other.
fn has_no_attack(occupied: u64, n: usize) -> bool {
    let mut columns = 0;
    let mut falling = 0;
    let mut rising = 0;
    (0..n).all(|y| {
        let row = occupied >> (N_MAX * y) & 0xFF;
        let attacked = columns | falling >> (n - y) | rising >> y;
        columns |= row;
        falling |= row << (n - y);
        rising |= row << y;
        row.count_ones() == 1 && row & attacked == 0
    })
}

/// Cells of a board with its border, and 8 more.
const CELLS: usize = (N_MAX + 2) * (N_MAX + 2) + 8;

/// The board of one lane around a cell: three rows.
pub struct Lane<'a, const L: usize> {
    boards: &'a mut Boards<L>,
    lane: usize,
    layout: &'a Layout,
    /// The signals of these rows, as bits, by [`Cell::index`].
    signals: [u8; CELLS],
}

impl<'a, const L: usize> Lane<'a, L> {
    #[inline(always)]
    pub fn around(boards: &'a mut Boards<L>, lane: usize, layout: &'a Layout, index: u32) -> Self {
        let mut around = Self {
            boards,
            lane,
            layout,
            signals: [0; CELLS],
        };
        // Counted from the border.
        let y = index as usize / N_MAX;
        let width = layout.board.width();
        for y in [y, y + 1, y + 2] {
            let row = around.boards.signals_of_row(lane, y).to_le_bytes();
            around.signals[y * width + 1..][..N_MAX].copy_from_slice(&row);
        }
        around
    }
}

impl<const L: usize> Cells for Lane<'_, L> {
    #[inline(always)]
    fn board(&self) -> Board {
        self.layout.board
    }

    /// A cell with more than two queens is said to have two.
    #[inline(always)]
    fn state(&self, cell: Cell) -> CellState {
        let bit = self.layout.bit(cell);
        let is = |words: &[u64; L]| u8::from(words[self.lane] & bit != 0);
        CellState {
            queens: is(&self.boards.occupied) + is(&self.boards.crowded),
            signals: Directions::from_bits(self.signals[cell.index()]),
        }
    }

    #[inline(always)]
    fn set_signals(&mut self, cell: Cell, signals: Directions) {
        let before = std::mem::replace(&mut self.signals[cell.index()], signals.bits());
        for direction in Directions::from_bits(before).difference(signals).iter() {
            self.boards.signals[direction as usize][self.lane] ^= self.layout.bit(cell);
        }
    }

    #[inline(always)]
    fn move_queen(&mut self, from: Cell, to: Cell) {
        for (cell, is_added) in [(from, false), (to, true)] {
            self.boards
                .change_queens(self.lane, self.layout.bit(cell), is_added);
        }
    }
}
