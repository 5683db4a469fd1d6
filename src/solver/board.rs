//! The board: cells, the eight directions, and pairs of adjacent cells. Here are the largest side
//! of a board of the local rules (64), the order and names of the eight directions, the numbering
//! of cells and of pairs, and which cells are neighbours.
//!
//! Coordinates are the source text's: `c = (x, y)`, `0 ≤ x, y < n`, N is −y and E is +x.
//!
//! Cells are numbered on a board with a border one cell wide around it. The border holds neither
//! queens nor signals, ever, so a border neighbour reads as 0: a rule may read across the edge
//! without a test for it.

use super::bits;

/// Side of the largest board.
pub const N_MAX: usize = 64;

/// A cell of some board, by its number on the board with its border.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    /// Index in arrays of [`Board::n_indices`] elements.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One of the eight directions of the source's set D, in its order, with (Δx, Δy): a direction and
/// its opposite add up to 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// (−1, −1).
    NW,
    /// (0, −1).
    N,
    /// (1, −1).
    NE,
    /// (−1, 0).
    W,
    /// (1, 0).
    E,
    /// (−1, 1).
    SW,
    /// (0, 1).
    S,
    /// (1, 1).
    SE,
}

impl Direction {
    /// All of them, in order.
    pub const ALL: [Self; 8] = [
        Self::NW,
        Self::N,
        Self::NE,
        Self::W,
        Self::E,
        Self::SW,
        Self::S,
        Self::SE,
    ];

    /// The direction that points the other way.
    pub const fn opposite(self) -> Self {
        Self::ALL[7 - self as usize]
    }

    /// `(Δx, Δy)` of one step this way.
    pub const fn step(self) -> (i32, i32) {
        match self {
            Self::NW => (-1, -1),
            Self::N => (0, -1),
            Self::NE => (1, -1),
            Self::W => (-1, 0),
            Self::E => (1, 0),
            Self::SW => (-1, 1),
            Self::S => (0, 1),
            Self::SE => (1, 1),
        }
    }
}

/// A set of directions, one bit for each: the signals on a cell, or the neighbours that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Directions(u8);

impl Directions {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All eight.
    pub const ALL: Self = Self(0xFF);

    /// The set that holds the direction number `d` where bit `d` is set.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Bit `d` is set where the set holds the direction number `d`.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of one direction.
    pub const fn only(direction: Direction) -> Self {
        // A rotation, because a shift would check in the hottest loops that a direction is below 8.
        Self(1_u8.rotate_left(direction as u32))
    }

    /// True if the set holds no direction.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of directions in it.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if the set holds `direction`.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & Self::only(direction).0 != 0
    }

    /// Directions in one of the sets, or in both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Directions in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// This set with `direction` removed.
    #[must_use]
    pub const fn without(self, direction: Direction) -> Self {
        Self(self.0 & !Self::only(direction).0)
    }

    /// This set with `direction` in it if `present`, else without.
    #[must_use]
    pub const fn with(self, direction: Direction, present: bool) -> Self {
        self.taking(direction, if present { Self::ALL } else { Self::NONE })
    }

    /// This set with `direction` in it or not, as in `other`.
    #[must_use]
    pub const fn taking(self, direction: Direction, other: Self) -> Self {
        let only = Self::only(direction).0;
        Self(self.0 & !only | other.0 & only)
    }

    /// Directions that are in exactly one of the two sets.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// The opposites of the directions in the set.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self(self.0.reverse_bits())
    }

    /// The direction of rank `rank` in the set, counted from 0 in the order of [`Direction::ALL`].
    ///
    /// # Panics
    /// When the set has no direction of that rank.
    pub fn nth(self, rank: u64) -> Direction {
        let bit = bits::of_rank(self.0.into(), rank);
        Direction::ALL[bit.trailing_zeros() as usize]
    }

    /// The directions of the set in the order of [`Direction::ALL`].
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        bits::ones(self.0.into()).map(|bit| Direction::ALL[bit & 7])
    }
}

/// Two adjacent cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// One cell.
    pub a: Cell,
    /// The other.
    pub b: Cell,
    /// δ(a, b): the direction in which `a` lies, seen from `b`.
    pub from_a: Direction,
    /// δ(b, a), its opposite.
    pub from_b: Direction,
}

/// An n × n board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    n: usize,
    /// The difference between a neighbour's index and the cell's own, modulo 2¹⁶, for each
    /// direction.
    offsets: [u16; 8],
}

impl Board {
    /// The board of this side.
    ///
    /// # Panics
    /// When `n` is not in 1 ..= 64.
    pub fn new(n: usize) -> Self {
        assert!(
            (1..=N_MAX).contains(&n),
            "a board's side is from 1 to {N_MAX}, not {n}"
        );
        let width = n as i32 + 2;
        let offset =
            |direction: Direction| (direction.step().1 * width + direction.step().0) as u16;
        Self {
            n,
            offsets: Direction::ALL.map(offset),
        }
    }

    /// Side of the board, and number of queens.
    pub fn n(self) -> usize {
        self.n
    }

    /// Cells of the board with its border: the length of arrays indexed by [`Cell::index`].
    pub fn n_indices(self) -> usize {
        self.width() * self.width()
    }

    /// The length of a row, border included.
    pub fn width(self) -> usize {
        self.n + 2
    }

    /// The cell at (x, y).
    pub fn cell(self, x: usize, y: usize) -> Cell {
        debug_assert!(x < self.n && y < self.n);
        Cell(((y + 1) * self.width() + x + 1) as u16)
    }

    /// `(x, y)` of a cell of the board (not of its border).
    pub fn coordinates(self, cell: Cell) -> (usize, usize) {
        (
            cell.index() % self.width() - 1,
            cell.index() / self.width() - 1,
        )
    }

    /// The n² cells, row by row.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> {
        (0..self.n * self.n).map(move |index| self.cell(index % self.n, index / self.n))
    }

    /// The cell next to `cell` in this direction; it may belong to the border.
    #[inline]
    pub fn neighbour(self, cell: Cell, direction: Direction) -> Cell {
        Cell(cell.0.wrapping_add(self.offsets[direction as usize]))
    }

    /// The directions in which `cell` has a neighbour on the board.
    pub fn directions(self, cell: Cell) -> Directions {
        let (x, y) = self.coordinates(cell);
        let on_board = |at: usize, step: i32| (0..self.n as i32).contains(&(at as i32 + step));
        Direction::ALL
            .into_iter()
            .fold(Directions::NONE, |set, direction| {
                let (dx, dy) = direction.step();
                set.with(direction, on_board(x, dx) && on_board(y, dy))
            })
    }

    /// The number of cells of the board from `cell` on in this direction, itself not counted.
    pub fn steps_to_edge(self, cell: Cell, direction: Direction) -> usize {
        let (x, y) = self.coordinates(cell);
        let (dx, dy) = direction.step();
        let steps = |at: usize, step: i32| match step {
            0 => self.n,
            1 => self.n - 1 - at,
            _ => at,
        };
        steps(x, dx).min(steps(y, dy))
    }

    /// Number of unordered pairs of adjacent cells: `(4n − 2)(n − 1)`.
    pub fn n_pairs(self) -> usize {
        (4 * self.n - 2) * (self.n - 1)
    }

    /// The adjacent pair of this number: the source's bijection ("Choix des cases à mettre à
    /// jour").
    pub fn pair(self, number: usize) -> Pair {
        let n = self.n;
        let a = number / (n - 1);
        let b = number % (n - 1);
        let (first, second, from_a) = if a < n {
            ((b, a), (b + 1, a), Direction::W)
        } else if a < 2 * n {
            let column = a - n;
            ((column, b), (column, b + 1), Direction::N)
        } else if a < 3 * n - 1 {
            let i = a - 2 * n;
            ((i, b), (i + 1, b + 1), Direction::NW)
        } else {
            let i = a - (3 * n - 1);
            ((i, b + 1), (i + 1, b), Direction::SW)
        };
        Pair {
            a: self.cell(first.0, first.1),
            b: self.cell(second.0, second.1),
            from_a,
            from_b: from_a.opposite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: [usize; 6] = [1, 2, 3, 5, 8, 20];

    #[test]
    fn neighbours_are_one_step_away() {
        for n in SIDES {
            let board = Board::new(n);
            assert_eq!(board.cells().count(), n * n);
            for cell in board.cells() {
                let (x, y) = board.coordinates(cell);
                for direction in Direction::ALL {
                    let (dx, dy) = direction.step();
                    let (to_x, to_y) = (x as i32 + dx, y as i32 + dy);
                    let inside = to_x >= 0 && to_y >= 0 && to_x < n as i32 && to_y < n as i32;
                    assert_eq!(board.directions(cell).contains(direction), inside);
                    let neighbour = board.neighbour(cell, direction);
                    assert!(neighbour.index() < board.n_indices());
                    // The border is no cell.
                    assert_eq!(board.cells().any(|cell| cell == neighbour), inside);
                    assert!(
                        !inside || board.coordinates(neighbour) == (to_x as usize, to_y as usize)
                    );
                }
            }
        }
    }

    /// The source's division gives every unordered adjacent pair exactly once; the other list is
    /// made from the Chebyshev distance.
    #[test]
    fn pair_numbers_are_a_bijection() {
        for n in [1, 2, 3, 4, 5, 8, 11] {
            let board = Board::new(n);
            let mut drawn: Vec<_> = (0..board.n_pairs())
                .map(|number| {
                    let pair = board.pair(number);
                    // δ(a, b) is where a lies, seen from b.
                    assert_eq!(board.neighbour(pair.b, pair.from_a), pair.a);
                    assert_eq!(board.neighbour(pair.a, pair.from_b), pair.b);
                    (pair.a.min(pair.b), pair.a.max(pair.b))
                })
                .collect();
            drawn.sort_unstable();
            let distance = |a, b| {
                let ((ax, ay), (bx, by)) = (board.coordinates(a), board.coordinates(b));
                ax.abs_diff(bx).max(ay.abs_diff(by))
            };
            let adjacent: Vec<_> = board
                .cells()
                .flat_map(|a| board.cells().map(move |b| (a, b)))
                .filter(|&(a, b)| a < b && distance(a, b) == 1)
                .collect();
            assert_eq!(drawn, adjacent);
            assert_eq!(drawn.len(), (4 * n - 2) * (n - 1));
        }
    }
}
