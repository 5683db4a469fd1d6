//! Boards as masks: one word of 64 bits, whose rows follow each other with a stride of 8. The
//! largest board of lanes (n = 8) is here.
//!
//! A shift may carry a bit over the end of its row, so what was shifted is always taken together
//! with the mask of the cells that have a neighbour there.

use crate::board::{Board, Cell, Direction};

/// The greatest side of a board in lanes.
pub const N_MAX: usize = 8;

/// The difference between the bit index of the neighbour in this direction and the cell's own.
const fn offset(direction: usize) -> i32 {
    let (dx, dy) = Direction::ALL[direction].step();
    dy * N_MAX as i32 + dx
}

/// The bit of its neighbour in this direction for each cell that has one.
#[inline(always)]
pub const fn seen(mask: u64, direction: usize) -> u64 {
    let by = offset(direction);
    if by > 0 { mask >> by } else { mask << -by }
}

/// (x, y) of the cell with this bit index.
#[inline(always)]
pub const fn coordinates(index: u32) -> (usize, usize) {
    (index as usize % N_MAX, index as usize / N_MAX)
}

/// The bits of any of the masks.
#[inline(always)]
pub fn any(masks: [u64; 8]) -> u64 {
    let mut any = 0;
    for d in 0..8 {
        any |= masks[d];
    }
    any
}

/// The masks that a board's side decides.
#[derive(Debug, Clone)]
pub struct Layout {
    pub board: Board,
    /// The cells that have a neighbour in each direction.
    pub has_neighbour: [u64; 8],
    /// The cells that a queen on a cell attacks in all directions but one, by the cell's bit index
    /// and the direction left out.
    pub sights: Box<[[u64; 8]; 64]>,
    /// The bit of each cell by [`Cell::index`]; 0 beyond the edge.
    bits: Box<[u64]>,
}

impl Layout {
    /// The layout of a board of at most [`N_MAX`] rows.
    pub fn on(board: Board) -> Self {
        assert!(board.n() <= N_MAX, "a board in lanes has at most 64 cells");
        let mut layout = Self {
            board,
            has_neighbour: [0; 8],
            sights: Box::new([[0; 8]; 64]),
            bits: vec![0; board.n_indices()].into(),
        };
        for cell in board.cells() {
            let (x, y) = board.coordinates(cell);
            layout.bits[cell.index()] = 1 << (N_MAX * y + x);
        }
        for cell in board.cells() {
            let bit = layout.bit(cell);
            for direction in board.directions(cell).iter() {
                layout.has_neighbour[direction as usize] |= bit;
                let mut ray = 0;
                let mut at = board.neighbour(cell, direction);
                while layout.bit(at) != 0 {
                    ray |= layout.bit(at);
                    at = board.neighbour(at, direction);
                }
                let sights = &mut layout.sights[bit.trailing_zeros() as usize];
                for (other, sight) in sights.iter_mut().enumerate() {
                    *sight |= if other == direction as usize { 0 } else { ray };
                }
            }
        }
        layout
    }

    /// The bit of a cell; 0 for one beyond the edge.
    #[inline(always)]
    pub fn bit(&self, cell: Cell) -> u64 {
        self.bits[cell.index()]
    }

    /// The cell with this bit index.
    #[inline(always)]
    pub fn cell(&self, index: u32) -> Cell {
        let (x, y) = coordinates(index);
        self.board.cell(x, y)
    }
}

/// The signals of a board by direction, and what they and the queens say of each cell.
#[derive(Debug, Clone, Copy)]
pub struct Masks {
    signals: [u64; 8],
    occupied: u64,
    /// A queen that is not SAFESTAY.
    pub threatened: u64,
    /// No queen and no signal.
    clear: u64,
    /// No queen and one signal.
    single: u64,
}

impl Masks {
    /// The masks that follow from the signals by direction, the cells with a queen and those with
    /// two or more.
    #[inline(always)]
    pub fn of(signals: [u64; 8], occupied: u64, crowded: u64) -> Self {
        let mut any = 0;
        let mut two = 0;
        for d in 0..8 {
            two |= any & signals[d];
            any |= signals[d];
        }
        Self {
            signals,
            occupied,
            threatened: occupied & (crowded | any),
            clear: !(occupied | any),
            single: any & !two & !occupied,
        }
    }

    /// The cells whose signal from this direction is not what an update would write.
    #[inline(always)]
    pub fn stale(&self, direction: usize, has_neighbour: u64) -> u64 {
        let signals = self.signals[direction];
        (seen(signals | self.occupied, direction) ^ signals) & has_neighbour
    }

    /// The cells with a queen for whom a move in this direction is certain: threatened, and SAFEGO
    /// for one who comes from there.
    #[inline(always)]
    pub fn leaves(&self, direction: usize, has_neighbour: u64) -> u64 {
        let safe = self.clear | self.single & self.signals[7 - direction];
        self.threatened & seen(safe, direction) & has_neighbour
    }
}
