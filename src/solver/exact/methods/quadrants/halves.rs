//! The two halves of the board: which diagonals the queen on a square takes, all ways to fill a
//! quarter, and half boards, made of a placement in the north and one in the south.
//!
//! A square of a half is (row, c): the row from the north, and how many columns of its half lie
//! between it and the cut. A diagonal that crosses the cut has the same bit seen from both halves.
//!
//! Rising diagonals are numbered by the row in which they pass the first column of the east,
//! falling ones by that row counted from the south. So the square (row, c) of the east is on the
//! rising diagonal row + c and the falling diagonal (n − 1 − row) + c; of the west it is on row − 1
//! − c and (n − 1 − row) − 1 − c. Diagonals 0 to n − 2 cross the cut. The long ones have the number
//! ⌊n/2⌋ − 1 in both directions.

use super::loops::Loops;
use super::table::List;

/// The bits of the long diagonals, rising and falling, which only squares of the west have: no
/// queen of the east stands on one.
const LONG: [u64; 2] = [1 << 60, 1 << 61];

/// Set where a queen of the west stands on the rising, or the falling, long diagonal outside of the
/// centre: its solutions count twice.
pub(super) const TWICE: [u64; 2] = [1 << 62, 1 << 63];

/// A diagonal, for odd n, of the west that does not cross the cut, but on which queens of both its
/// quarters can meet: from the middle row at the western edge to the southern end of the middle
/// column.
const OUTER: u64 = 1 << 59;

/// The bits of the squares of an n × n board, n ≥ 1.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    n: usize,
    /// The bit of each diagonal that crosses the cut, by its number, rising and falling.
    bits: Vec<[u32; 2]>,
}

impl Lines {
    pub fn new(n: usize) -> Self {
        let long = (n / 2).wrapping_sub(1);
        let mut by_distance: Vec<(usize, usize)> = (0..n.saturating_sub(1))
            .filter(|&number| number != long)
            .flat_map(|number| [(number, 0), (number, 1)])
            .collect();
        // Central diagonals are taken most often: they come last, so that the highest bits tell
        // most half boards apart.
        by_distance.sort_by_key(|&(number, _)| std::cmp::Reverse(number.abs_diff(long)));
        let mut bits = vec![[0; 2]; n];
        for (bit, (number, direction)) in (0..).zip(by_distance) {
            bits[number][direction] = bit;
        }
        Self { n, bits }
    }

    /// Bits of a half board that a half board of the other side may share: the lowest so many.
    pub fn n_shared(&self) -> usize {
        2 * self.n.saturating_sub(2)
    }

    /// Columns of the half.
    pub fn width(&self, side: Half) -> usize {
        match side {
            Half::West => self.n.div_ceil(2),
            Half::East => self.n / 2,
        }
    }

    /// Rows of the north; the south has the rest.
    pub fn n_north(&self) -> usize {
        self.n.div_ceil(2)
    }

    /// Within a half, the square (row, c) is on the diagonals of the numbers these + c; all of
    /// them, those that do not cross the cut included.
    pub fn shifts(&self, row: usize) -> [usize; 2] {
        [row, self.n - 1 - row]
    }

    /// The bits of a square; `None` where no queen is to stand.
    pub fn of(&self, side: Half, row: usize, c: usize) -> Option<u64> {
        let from_south = self.n - 1 - row;
        match side {
            Half::East => self.of_east([row + c, from_south + c]),
            Half::West => {
                let outer = if from_south == c { OUTER } else { 0 };
                let number = |row: usize| row.checked_sub(1 + c);
                Some(outer | self.of_west([number(row), number(from_south)]))
            }
        }
    }

    fn of_east(&self, numbers: [usize; 2]) -> Option<u64> {
        let bit = |direction: usize| match numbers[direction] {
            number if self.is_long(number) => None,
            number if number + 1 < self.n => Some(1 << self.bits[number][direction]),
            _ => Some(0),
        };
        Some(bit(0)? | bit(1)?)
    }

    fn of_west(&self, numbers: [Option<usize>; 2]) -> u64 {
        let is_long = |number: Option<usize>| number.is_some_and(|number| self.is_long(number));
        let is_centre = numbers.into_iter().all(is_long);
        let bit = |direction: usize| match numbers[direction] {
            Some(number) if !self.is_long(number) => 1 << self.bits[number][direction],
            Some(_) if is_centre => LONG[direction],
            Some(_) => LONG[direction] | TWICE[direction],
            None => 0,
        };
        bit(0) | bit(1)
    }

    fn is_long(&self, number: usize) -> bool {
        number + 1 == self.n / 2
    }
}

/// A half of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// The first ⌈n/2⌉ columns.
    West,
    /// The last ⌊n/2⌋ columns.
    East,
}

/// The placements of one queen in each of some rows of a half, by the columns that they take.
#[derive(Debug, Default)]
pub(super) struct Quadrant {
    /// The index of the first placement of each set of columns, and the end of the last.
    starts: Vec<u32>,
    /// The diagonals of each placement.
    masks: Vec<u64>,
}

impl Quadrant {
    /// The rows are those of the bits of `rows`.
    pub fn new(lines: &Lines, side: Half, rows: u32) -> Self {
        let width = lines.width(side);
        let rows: Vec<HalfRow> = (0..u32::BITS as usize)
            .filter(|row| rows >> row & 1 == 1)
            .map(|row| HalfRow::new(lines, side, row))
            .collect();
        let mut found = Vec::new();
        place(&rows, Taken::default(), &mut found);
        Self::by_columns(width, &found)
    }

    fn by_columns(width: usize, found: &[(u32, u64)]) -> Self {
        let mut starts = vec![0; (1 << width) + 1];
        for &(columns, _) in found {
            starts[columns as usize + 1] += 1;
        }
        for set in 0..1 << width {
            starts[set + 1] += starts[set];
        }
        let mut next = starts.clone();
        let mut masks = vec![0; found.len()];
        for &(columns, mask) in found {
            let at = &mut next[columns as usize];
            masks[*at as usize] = mask;
            *at += 1;
        }
        Self { starts, masks }
    }

    /// The placements that take these columns.
    #[inline]
    pub fn with_columns(&self, columns: u32) -> &[u64] {
        let set = columns as usize;
        &self.masks[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}

/// A row of a half: where a queen may stand, and which diagonals it then takes.
struct HalfRow {
    /// The offsets of the numbers of its diagonals: in both directions they have the numbers
    /// `shifts` + c within the half.
    shifts: [usize; 2],
    allowed: u32,
    masks: Vec<u64>,
}

impl HalfRow {
    fn new(lines: &Lines, side: Half, row: usize) -> Self {
        let squares: Vec<_> = (0..lines.width(side))
            .map(|c| lines.of(side, row, c))
            .collect();
        let allowed = squares.iter().enumerate().fold(0, |allowed, (c, square)| {
            allowed | u32::from(square.is_some()) << c
        });
        Self {
            shifts: lines.shifts(row),
            allowed,
            masks: squares.iter().map(|square| square.unwrap_or(0)).collect(),
        }
    }
}

/// What the queens of a quarter have taken.
#[derive(Clone, Copy, Default)]
struct Taken {
    columns: u32,
    /// All diagonals within the half, those that do not cross the cut included.
    diagonals: [u64; 2],
    mask: u64,
}

fn place(rows: &[HalfRow], taken: Taken, found: &mut Vec<(u32, u64)>) {
    let Some((row, rest)) = rows.split_first() else {
        return found.push((taken.columns, taken.mask));
    };
    let [one, other] = row.shifts;
    let attacked = (taken.diagonals[0] >> one | taken.diagonals[1] >> other) as u32;
    let mut free = row.allowed & !(taken.columns | attacked);
    while free != 0 {
        let c = free.trailing_zeros();
        free &= free - 1;
        let diagonals = [
            taken.diagonals[0] | 1 << (one as u32 + c),
            taken.diagonals[1] | 1 << (other as u32 + c),
        ];
        let next = Taken {
            columns: taken.columns | 1 << c,
            diagonals,
            mask: taken.mask | row.masks[c as usize],
        };
        place(rest, next, found);
    }
}

/// The half boards of two quarters, a block at a time.
pub(super) struct Halves<'a> {
    pub north: &'a Quadrant,
    pub south: &'a Quadrant,
    /// The sets of columns that the north may take, one column for each of its rows.
    pub columns: &'a [u32],
    /// All columns of the half.
    pub all: u32,
    /// The number of placements of the north that are done for `columns[0]`.
    pub done: usize,
    /// The number of half boards of a block, at most.
    pub block: usize,
    pub instructions: Loops,
}

impl Halves<'_> {
    /// Replaces the contents of `block` by the next half boards. Returns whether more are left. No
    /// block need be full.
    pub fn next(&mut self, block: &mut List) -> bool {
        block.clear();
        while let Some((&columns, rest)) = self.columns.split_first() {
            let north = &self.north.with_columns(columns)[self.done..];
            let south = self.south.with_columns(self.all ^ columns);
            let space = self.block - block.len();
            let fits = space.checked_div(south.len()).unwrap_or(north.len());
            if fits < north.len() {
                // A quarter has far fewer placements than a block holds.
                assert!(
                    fits > 0 || !block.is_empty(),
                    "a block holds one row of pairs"
                );
                self.instructions.join(&north[..fits], south, block);
                self.done += fits;
                return true;
            }
            self.instructions.join(north, south, block);
            (self.columns, self.done) = (rest, 0);
        }
        false
    }
}
