//! Which diagonals a queen takes, as bits of one word.
//!
//! A square of a half is (row, c): the row from the north, and how many columns of its half lie
//! between it and the cut. A diagonal that crosses the cut has the same bit seen from both halves.
//!
//! Rising diagonals are numbered by the row in which they pass the first column of the east,
//! falling ones by that row counted from the south. So the square (row, c) of the east is on the
//! rising diagonal row + c and the falling diagonal (n − 1 − row) + c; of the west it is on row − 1
//! − c and (n − 1 − row) − 1 − c. Diagonals 0 to n − 2 cross the cut. The long ones have the number
//! ⌊n/2⌋ − 1 in both directions.

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
    places: Vec<[u32; 2]>,
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
        let mut places = vec![[0; 2]; n];
        for (place, (number, direction)) in (0..).zip(by_distance) {
            places[number][direction] = place;
        }
        Self { n, places }
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
            number if number + 1 < self.n => Some(1 << self.places[number][direction]),
            _ => Some(0),
        };
        Some(bit(0)? | bit(1)?)
    }

    fn of_west(&self, numbers: [Option<usize>; 2]) -> u64 {
        let is_long = |number: Option<usize>| number.is_some_and(|number| self.is_long(number));
        let is_centre = numbers.into_iter().all(is_long);
        let bit = |direction: usize| match numbers[direction] {
            Some(number) if !self.is_long(number) => 1 << self.places[number][direction],
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
