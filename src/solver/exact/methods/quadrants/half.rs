//! Half boards: a placement of the north and one of the south.

use super::instructions::Loops;
use super::list::List;
use super::quadrant::Quadrant;

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
