//! Boards as masks: which bit of which word is which cell.
//!
//! A board takes W words of 64 bits; its rows follow each other with a stride that depends on W
//! alone. A shift may carry a bit over the end of its row, so what was shifted is always taken
//! together with the mask of the cells that have a neighbour there.

use super::vector::Bits;
use crate::bits;
use crate::board::{Board, Cell, Direction};
use crate::local::configuration::Move;

/// The mask of some cells of one board.
pub type Mask<const W: usize> = [u64; W];

/// The number of bits from one row to the next.
#[inline(always)]
pub const fn stride(words: usize) -> usize {
    match words {
        1 => 8,
        2 => 11,
        _ => 13,
    }
}

/// The greatest side of a board in lanes: 169 cells in 3 words.
pub const MOST: usize = stride(3);

/// How many words a board of this side takes, which is at most [`MOST`].
pub const fn words(n: usize) -> usize {
    assert!(n <= MOST, "a board in lanes is at most 13 cells wide");
    match n {
        0..=8 => 1,
        9..=11 => 2,
        _ => 3,
    }
}

/// The difference between the bit index of the neighbour in this direction and the cell's own.
#[inline(always)]
pub const fn offset(words: usize, direction: usize) -> i32 {
    let (dx, dy) = Direction::ALL[direction].step();
    dy * stride(words) as i32 + dx
}

/// The bit of another cell for each cell, namely of the cell whose index differs by `offset`: a
/// neighbour, if there is one.
#[inline(always)]
pub fn seen<B: Bits, const W: usize>(x: &[B; W], offset: i32) -> [B; W] {
    let mut result = [B::none(); W];
    let by = offset.unsigned_abs();
    for w in 0..W {
        result[w] = if offset > 0 {
            if w + 1 < W {
                x[w].down_from(x[w + 1], by)
            } else {
                x[w].down(by)
            }
        } else if w > 0 {
            x[w].up_from(x[w - 1], by)
        } else {
            x[w].up(by)
        };
    }
    result
}

/// The masks that a board's side decides.
#[derive(Debug, Clone)]
pub struct BitLayout<const W: usize> {
    pub board: Board,
    /// The cells that have a neighbour in each direction.
    pub has_neighbour: [Mask<W>; 8],
    /// The cells that a queen on a cell attacks in all directions but one, by the cell's bit index
    /// and the direction left out.
    pub sights: Box<[[Mask<W>; 8]]>,
}

impl<const W: usize> BitLayout<W> {
    pub fn on(board: Board) -> Self {
        let mut has_neighbour = [[0; W]; 8];
        let mut rays = vec![[[0; W]; 8]; 64 * W];
        for cell in board.cells() {
            let index = bit_index::<W>(board, cell);
            for direction in board.directions(cell).iter() {
                set(&mut has_neighbour[direction as usize], index);
                let mut at = cell;
                while board.directions(at).contains(direction) {
                    at = board.neighbour(at, direction);
                    set(
                        &mut rays[index][direction as usize],
                        bit_index::<W>(board, at),
                    );
                }
            }
        }
        let all_but = |rays: &[Mask<W>; 8]| {
            std::array::from_fn(|direction| {
                let others = (0..8).filter(|&it| it != direction);
                others.fold([0; W], |sum: Mask<W>, it| {
                    std::array::from_fn(|w| sum[w] | rays[it][w])
                })
            })
        };
        Self {
            board,
            has_neighbour,
            sights: rays.iter().map(all_but).collect(),
        }
    }

    /// The cell with this bit index.
    pub fn cell(&self, index: usize) -> Cell {
        self.board.cell(index % stride(W), index / stride(W))
    }

    /// The same move, its cells in place of their bits.
    pub fn on_cells(&self, moved: Move<usize>) -> Move {
        Move {
            from: self.cell(moved.from),
            to: self.cell(moved.to),
            side: moved.side,
            is_safe: moved.is_safe,
            is_certain: moved.is_certain,
        }
    }

    /// The bits of one row, the first column lowest.
    #[inline]
    pub fn row(&self, mask: &Mask<W>, y: usize) -> u64 {
        let (word, by) = (y * stride(W) / 64, y * stride(W) % 64);
        let mut row = mask[word] >> by;
        if by + self.board.n() > 64 {
            row |= mask[word + 1] << (64 - by);
        }
        row & ((1 << self.board.n()) - 1)
    }
}

/// The index of a cell's bit, counted from the first bit of the first word.
pub fn bit_index<const W: usize>(board: Board, cell: Cell) -> usize {
    let (x, y) = board.coordinates(cell);
    y * stride(W) + x
}

#[inline]
pub fn get<const W: usize>(mask: &Mask<W>, index: usize) -> bool {
    mask[index / 64] >> (index % 64) & 1 == 1
}

#[inline]
pub fn set<const W: usize>(mask: &mut Mask<W>, index: usize) {
    mask[index / 64] |= 1 << (index % 64);
}

/// Number of cells in a mask.
#[inline]
pub fn count<const W: usize>(mask: &Mask<W>) -> u64 {
    mask.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// How many of eight masks have each bit, the lowest bit of the number first.
#[inline(always)]
pub fn number<B: Bits>(s: &[B; 8]) -> [B; 4] {
    let odd = [s[0] ^ s[1] ^ s[2], s[3] ^ s[4] ^ s[5], s[6] ^ s[7]];
    let twos = [
        B::two_of(s[0], s[1], s[2]),
        B::two_of(s[3], s[4], s[5]),
        s[6] & s[7],
        B::two_of(odd[0], odd[1], odd[2]),
    ];
    let odd_twos = twos[0] ^ twos[1] ^ twos[2];
    let fours = [B::two_of(twos[0], twos[1], twos[2]), odd_twos & twos[3]];
    [
        odd[0] ^ odd[1] ^ odd[2],
        odd_twos ^ twos[3],
        fours[0] ^ fours[1],
        fours[0] & fours[1],
    ]
}

/// The index of the bit of this rank in a mask, which has more than so many bits set.
#[inline]
pub fn index_of_rank<const W: usize>(mask: &Mask<W>, mut rank: u64) -> usize {
    for (word, &bits) in mask.iter().enumerate() {
        let here = u64::from(bits.count_ones());
        if rank < here {
            let bit = bits::of_rank(bits, rank);
            return 64 * word + bit.trailing_zeros() as usize;
        }
        rank -= here;
    }
    unreachable!("the mask has more cells than the rank")
}

/// The signals by direction, the cells with queens, and what they say of each cell.
#[derive(Debug, Clone, Copy)]
pub struct BoardMasks<B, const W: usize> {
    pub signals: [[B; W]; 8],
    pub occupied: [B; W],
    /// A queen that is not SAFESTAY.
    pub threatened: [B; W],
    /// No queen and no signal.
    pub clear: [B; W],
    /// No queen and one signal.
    pub single: [B; W],
}

impl<B: Bits, const W: usize> BoardMasks<B, W> {
    /// The masks that follow from the signals by direction, the cells with a queen and those with
    /// two or more.
    #[inline(always)]
    pub fn of(signals: [[B; W]; 8], occupied: [B; W], crowded: &[B; W]) -> Self {
        let none = [B::none(); W];
        let mut all = Self {
            signals,
            occupied,
            threatened: none,
            clear: none,
            single: none,
        };
        for w in 0..W {
            let s = [
                signals[0][w],
                signals[1][w],
                signals[2][w],
                signals[3][w],
                signals[4][w],
                signals[5][w],
                signals[6][w],
                signals[7][w],
            ];
            let parts = (
                B::any_of(s[0], s[1], s[2]),
                B::any_of(s[3], s[4], s[5]),
                s[6] | s[7],
            );
            let any = B::any_of(parts.0, parts.1, parts.2);
            let within = B::any_of(
                B::two_of(s[0], s[1], s[2]),
                B::two_of(s[3], s[4], s[5]),
                s[6] & s[7],
            );
            let two = within | B::two_of(parts.0, parts.1, parts.2);
            all.threatened[w] = occupied[w] & (crowded[w] | any);
            all.clear[w] = !(occupied[w] | any);
            all.single[w] = any & !two & !occupied[w];
        }
        all
    }

    /// SAFEGO of each cell for a queen that comes from this direction.
    #[inline(always)]
    pub fn safe_from(&self, direction: usize) -> [B; W] {
        let mut safe = [B::none(); W];
        for w in 0..W {
            safe[w] = self.clear[w] | self.single[w] & self.signals[direction][w];
        }
        safe
    }
}
