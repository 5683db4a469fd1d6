//! All ways to fill a quarter of the board, and half boards: a placement of the north and one of
//! the south.

use super::instructions::Loops;
use super::lines::{Half, Lines};
use super::list::List;

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
        let rows: Vec<Row> = (0..u32::BITS as usize)
            .filter(|row| rows >> row & 1 == 1)
            .map(|row| Row::new(lines, side, row))
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
struct Row {
    /// The offsets of the numbers of its diagonals: in both directions they have the numbers
    /// `shifts` + c within the half.
    shifts: [usize; 2],
    allowed: u32,
    masks: Vec<u64>,
}

impl Row {
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

fn place(rows: &[Row], taken: Taken, found: &mut Vec<(u32, u64)>) {
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
    north: &'a Quadrant,
    south: &'a Quadrant,
    /// The sets of columns that the north may take, and all columns.
    columns: &'a [u32],
    all: u32,
    /// Placements of the north that are done for `columns[0]`.
    done: usize,
    /// Half boards of a block, at most.
    block: usize,
    instructions: Loops,
}

impl<'a> Halves<'a> {
    /// `columns`: sets of columns with one for each row of the north, of `width` columns.
    pub fn new(
        [north, south]: [&'a Quadrant; 2],
        columns: &'a [u32],
        width: usize,
        (block, instructions): (usize, Loops),
    ) -> Self {
        Self {
            north,
            south,
            columns,
            all: (1 << width) - 1,
            done: 0,
            block,
            instructions,
        }
    }

    /// Replaces the contents of `block` by the next half boards. Returns whether more are left. No
    /// block need be full.
    pub fn next(&mut self, block: &mut List) -> bool {
        block.clear();
        while let Some((&columns, rest)) = self.columns.split_first() {
            let north = &self.north.with_columns(columns)[self.done..];
            let south = self.south.with_columns(self.all ^ columns);
            let room = self.block - block.len();
            let fits = room.checked_div(south.len()).unwrap_or(north.len());
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
