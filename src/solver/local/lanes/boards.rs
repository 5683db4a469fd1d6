//! The boards of eight lanes, and the board of one of them on its own.

use super::layout::{BitLayout, Mask, bit_index, offset, seen, set};
use super::vector::{LANES, Words};
use crate::local::configuration::{CellState, Configuration};
use crate::rng::Generator;

/// Bits of the number of queens on a cell, at most [`MOST`](super::layout::MOST).
const PLANES: usize = 4;

/// Signals, queens and random numbers of eight trials; masks of W words.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Boards<const W: usize> {
    /// The cells with a signal, for each direction from which it comes.
    pub signals: [[Words; W]; 8],
    /// Cells with a queen.
    pub occupied: [Words; W],
    /// Cells with two and more.
    pub crowded: [Words; W],
    /// The bits of the number of queens on each cell, the lowest bit first.
    planes: [[Words; W]; PLANES],
    /// States of the generators.
    pub generators: [Words; 4],
}

/// The board of one lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane<const W: usize> {
    pub signals: [Mask<W>; 8],
    pub planes: [Mask<W>; PLANES],
    pub generator: Generator,
}

impl<const W: usize> Boards<W> {
    /// No queen anywhere.
    pub fn empty() -> Self {
        let none = [[0; LANES]; W];
        Self {
            signals: [none; 8],
            occupied: none,
            crowded: none,
            planes: [none; PLANES],
            generators: [[0; LANES]; 4],
        }
    }

    pub fn put(&mut self, lane: usize, board: &Lane<W>) {
        for w in 0..W {
            for direction in 0..8 {
                self.signals[direction][w][lane] = board.signals[direction][w];
            }
            for plane in 0..PLANES {
                self.planes[plane][w][lane] = board.planes[plane][w];
            }
            self.note_queens(lane, w);
        }
        self.set_generator(lane, board.generator);
    }

    pub fn take(&self, lane: usize) -> Lane<W> {
        Lane {
            signals: std::array::from_fn(|direction| self.signals(lane, direction)),
            planes: std::array::from_fn(|plane| self.planes[plane].map(|word| word[lane])),
            generator: self.generator(lane),
        }
    }

    /// The signals of one lane from one direction.
    #[inline]
    pub fn signals(&self, lane: usize, direction: usize) -> Mask<W> {
        std::array::from_fn(|w| self.signals[direction][w][lane])
    }

    /// Cells of one lane with a queen.
    #[inline]
    pub fn occupied(&self, lane: usize) -> Mask<W> {
        std::array::from_fn(|w| self.occupied[w][lane])
    }

    /// Cells of one lane with two queens and more.
    #[inline]
    pub fn crowded(&self, lane: usize) -> Mask<W> {
        std::array::from_fn(|w| self.crowded[w][lane])
    }

    #[inline]
    pub fn generator(&self, lane: usize) -> Generator {
        Generator(std::array::from_fn(|i| self.generators[i][lane]))
    }

    #[inline]
    pub fn set_generator(&mut self, lane: usize, generator: Generator) {
        (0..4).for_each(|i| self.generators[i][lane] = generator.0[i]);
    }

    /// Moves one queen of a lane from one cell to another, given by the indices of their bits.
    #[inline]
    pub fn move_queen(&mut self, lane: usize, from: usize, to: usize) {
        for (index, is_added) in [(from, false), (to, true)] {
            let (w, mut carried) = (index / 64, 1_u64 << (index % 64));
            for plane in &mut self.planes {
                let before = plane[w][lane];
                plane[w][lane] = before ^ carried;
                carried &= if is_added { before } else { !before };
            }
            self.note_queens(lane, w);
        }
    }

    /// Writes one signal of a lane.
    #[inline]
    pub fn set_signal(&mut self, lane: usize, direction: usize, index: usize, is_set: bool) {
        let word = &mut self.signals[direction][index / 64][lane];
        *word = *word & !(1 << (index % 64)) | u64::from(is_set) << (index % 64);
    }

    /// True if there is a queen on the cell with this bit of a lane that is not SAFESTAY.
    #[inline]
    pub fn is_threatened(&self, lane: usize, index: usize) -> bool {
        let at = |words: &[Words; W]| words[index / 64][lane] >> (index % 64) & 1 == 1;
        at(&self.occupied) && (at(&self.crowded) || self.signals.iter().any(at))
    }

    #[inline]
    fn note_queens(&mut self, lane: usize, w: usize) {
        let crowded = (1..PLANES).fold(0, |any, plane| any | self.planes[plane][w][lane]);
        self.crowded[w][lane] = crowded;
        self.occupied[w][lane] = crowded | self.planes[0][w][lane];
    }

    /// True if the queens of a lane form a solution.
    #[inline]
    pub fn is_solution(&self, lane: usize, layout: &BitLayout<W>) -> bool {
        let (occupied, n) = (self.occupied(lane), layout.board.n());
        // Most often it is a column that is missing.
        let columns = if W == 1 {
            let folded = occupied[0] | occupied[0] >> 32;
            let folded = folded | folded >> 16;
            (folded | folded >> 8) & ((1 << n) - 1)
        } else {
            (0..n).fold(0, |columns, y| columns | layout.row(&occupied, y))
        };
        columns == (1 << n) - 1 && has_no_attack(&occupied, layout) && self.is_spread(lane)
    }

    fn is_spread(&self, lane: usize) -> bool {
        self.crowded(lane) == [0; W]
    }
}

/// n queens, where no two are on one cell, do not attack each other.
fn has_no_attack<const W: usize>(occupied: &Mask<W>, layout: &BitLayout<W>) -> bool {
    let n = layout.board.n();
    let (mut columns, mut falling, mut rising) = (0, 0, 0);
    for y in 0..n {
        let row = layout.row(occupied, y);
        let attacked = columns | falling >> (n - y) | rising >> y;
        if row.count_ones() != 1 || row & attacked != 0 {
            return false;
        }
        columns |= row;
        falling |= row << (n - y);
        rising |= row << y;
    }
    true
}

impl<const W: usize> Lane<W> {
    /// The board of a configuration.
    pub fn of(x: &Configuration, generator: Generator) -> Self {
        let board = x.board();
        let mut lane = Self {
            signals: [[0; W]; 8],
            planes: [[0; W]; PLANES],
            generator,
        };
        for cell in board.cells() {
            if x[cell] == CellState::default() {
                continue;
            }
            let at = bit_index::<W>(board, cell);
            for direction in x[cell].signals.iter() {
                set(&mut lane.signals[direction as usize], at);
            }
            for plane in (0..PLANES).filter(|plane| x[cell].queens >> plane & 1 == 1) {
                set(&mut lane.planes[plane], at);
            }
        }
        lane
    }

    /// The queens form a solution, and each signal is what an update would write, so that all of
    /// them are true.
    pub fn is_absorbed(&self, layout: &BitLayout<W>) -> bool {
        let occupied: Mask<W> =
            std::array::from_fn(|w| self.planes.iter().fold(0, |any, plane| any | plane[w]));
        let is_true = |direction: usize| {
            let signals = &self.signals[direction];
            let shown: Mask<W> = std::array::from_fn(|w| signals[w] | occupied[w]);
            let taken_over = seen(&shown, offset(W, direction));
            (0..W).all(|w| signals[w] == taken_over[w] & layout.has_neighbour[direction][w])
        };
        self.solution(layout).is_some() && (0..8).all(is_true)
    }

    /// The row of the queen in each column, if the queens form a solution.
    pub fn solution(&self, layout: &BitLayout<W>) -> Option<Box<[u32]>> {
        let [alone, more @ ..] = &self.planes;
        let is_spread = more.iter().all(|plane| *plane == [0; W]);
        if !is_spread || !has_no_attack(alone, layout) {
            return None;
        }
        let n = layout.board.n();
        let mut rows = vec![0; n];
        for y in 0..n {
            rows[layout.row(alone, y).trailing_zeros() as usize] = y as u32;
        }
        Some(rows.into())
    }
}
