//! The count: set of rows by set of rows, on one thread or on all.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::halves::{Half, Halves, Lines, Quadrant, TWICE};
use super::loops::{self, Loops};
use super::table::{DiagonalTable, LANES, Sorted};
use super::{Block, Unit, blocks, row_set, subsets};
use crate::exact::{Counts, Halt, Search};
use crate::{Control, Interrupted};

/// How many half boards are held at a time; smaller in tests, where it must not matter.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    /// The number of half boards of each side that are in memory at once: 2 MB, and as much twice
    /// to sort them. What is joined at once fits into a list of 2¹⁸ with them.
    block: usize,
    /// The number of eastern half boards in one table.
    group: usize,
}

const SIZES: Sizes = Sizes {
    block: 250_000,
    group: LANES,
};

/// Counts the solutions of n ≥ 1 queens.
pub(super) fn by_quadrants(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    let board = CutBoard::new(n, SIZES, loops::best());
    let spare = Spare::default();
    for mut block in blocks(n) {
        let (n_sets, left) = (block.n_sets(), search.checks_left());
        block.truncate(left);
        board.count_block(&block, &spare, search)?;
        if n_sets > left {
            return Err(Halt::Cutoff);
        }
    }
    Ok(())
}

/// What all sets of rows have in common.
struct CutBoard {
    n: usize,
    lines: Lines,
    /// The sets of columns, by side and number of columns: those of so many columns of that half.
    columns: [Vec<Vec<u32>>; 2],
    sizes: Sizes,
    instructions: Loops,
}

impl CutBoard {
    fn new(n: usize, sizes: Sizes, instructions: Loops) -> Self {
        let lines = Lines::new(n);
        let columns = [Half::West, Half::East].map(|side| {
            let width = lines.width(side);
            (0..=width).map(|k| subsets(width, k)).collect()
        });
        Self {
            n,
            lines,
            columns,
            sizes,
            instructions,
        }
    }

    fn count_block(
        &self,
        block: &Block,
        spare: &Spare,
        search: &mut Search<'_>,
    ) -> Result<(), Halt> {
        let (parallel, control) = (search.parallel(), search.control());
        let north = |&rows: &u32| Quarters::new(self, rows, row_set(0..self.lines.n_north()));
        let norths: Vec<Quarters> = if parallel {
            block.norths.par_iter().map(north).collect()
        } else {
            block.norths.iter().map(north).collect()
        };
        let count = |unit: &Unit| {
            let mut scratch = spare.take(self);
            let counted = self.count_unit(unit, &norths, &mut scratch, control);
            spare.put_back(scratch);
            counted
        };
        let counted: Vec<Counts> = if parallel {
            block
                .units
                .par_iter()
                .map(count)
                .collect::<Result<_, _>>()?
        } else {
            block.units.iter().map(count).collect::<Result<_, _>>()?
        };
        counted.into_iter().for_each(|counts| search.absorb(counts));
        Ok(())
    }

    /// The sets of rows with one southern part.
    fn count_unit(
        &self,
        unit: &Unit,
        norths: &[Quarters],
        scratch: &mut Scratch,
        control: &Control<'_>,
    ) -> Result<Counts, Interrupted> {
        let south = Quarters::new(self, unit.south, row_set(self.lines.n_north()..self.n));
        let mut counts = Counts::default();
        for &(at, multiplicity) in &unit.members {
            let poll = || control.poll(0);
            let solutions = self.count_set(&norths[at], &south, scratch, &poll)?;
            counts += Counts {
                solutions: multiplicity * solutions,
                checks: 1,
                ..Counts::default()
            };
            control.poll(1)?;
        }
        Ok(counts)
    }

    /// The solutions of one set of rows, those that stand for others counted as often.
    fn count_set(
        &self,
        north: &Quarters,
        south: &Quarters,
        scratch: &mut Scratch,
        poll: &dyn Fn() -> Result<(), Interrupted>,
    ) -> Result<u64, Interrupted> {
        let mut solutions = 0;
        let mut east = self.halves(north, south, Half::East);
        loop {
            let more_east = east.next(&mut scratch.east.boards);
            let keys = SortBits::new(self, scratch.east.boards.len());
            scratch.east.sort(keys.bits(), self.instructions);
            // Made again for each block of the east: that costs little beside the pairs of a block.
            let mut west = self.halves(north, south, Half::West);
            loop {
                let more_west = west.next(&mut scratch.west.boards);
                solutions += scratch.count_pairs(self, keys, poll)?;
                if !more_west {
                    break;
                }
            }
            if !more_east {
                return Ok(solutions);
            }
        }
    }

    /// The half boards of one side.
    fn halves<'a>(&'a self, north: &'a Quarters, south: &'a Quarters, side: Half) -> Halves<'a> {
        let (quarters, columns) = match side {
            Half::West => ([&north.west, &south.west], &self.columns[0][north.n_west]),
            Half::East => ([&north.east, &south.east], &self.columns[1][north.n_east]),
        };
        Halves {
            north: quarters[0],
            south: quarters[1],
            columns,
            all: (1 << self.lines.width(side)) - 1,
            done: 0,
            block: self.sizes.block,
            instructions: self.instructions,
        }
    }
}

/// The placements of both quarters of the north, or of the south.
struct Quarters {
    west: Quadrant,
    east: Quadrant,
    /// Rows of the west.
    n_west: usize,
    /// Rows of the east.
    n_east: usize,
}

impl Quarters {
    /// `rows` go to the east, the others of `all` to the west.
    fn new(board: &CutBoard, rows: u32, all: u32) -> Self {
        let others = all & !rows;
        Self {
            west: Quadrant::new(&board.lines, Half::West, others),
            east: Quadrant::new(&board.lines, Half::East, rows),
            n_west: others.count_ones() as usize,
            n_east: rows.count_ones() as usize,
        }
    }
}

/// The highest shared bits, by which half boards are put in order.
#[derive(Clone, Copy)]
struct SortBits {
    n_shared: usize,
    n_bits: usize,
}

impl SortBits {
    /// More for more groups of the east: a bit halves the groups that have it in common.
    fn new(board: &CutBoard, n_east: usize) -> Self {
        let n_shared = board.lines.n_shared();
        let n_groups = n_east.div_ceil(board.sizes.group).max(1);
        // One more bit than tells them apart; among few half boards no order pays.
        let n_bits = match n_groups.ilog2() as usize {
            0 => 0,
            log => (log + 1).min(n_shared),
        };
        Self { n_shared, n_bits }
    }

    fn bits(self) -> impl Iterator<Item = u64> {
        (self.n_shared - self.n_bits..self.n_shared).map(|bit| 1 << bit)
    }

    fn of(self, board: u64) -> usize {
        (board >> (self.n_shared - self.n_bits)) as usize & ((1 << self.n_bits) - 1)
    }

    /// Numbers of keys.
    fn len(self) -> usize {
        1 << self.n_bits
    }
}

/// The half boards of one set of rows, reused for the next.
struct Scratch {
    east: Sorted,
    west: Sorted,
    table: DiagonalTable,
    /// The index of the first half board of each run in the west, and the end of the last run. A
    /// run has the half boards that count equally often (1, 2, 2 or 4 times) and have the same key.
    runs: Vec<usize>,
}

impl Scratch {
    /// The compatible pairs of a block of the east, in order, and one of the west.
    fn count_pairs(
        &mut self,
        board: &CutBoard,
        keys: SortBits,
        poll: &dyn Fn() -> Result<(), Interrupted>,
    ) -> Result<u64, Interrupted> {
        self.west.sort(keys.bits().chain(TWICE), board.instructions);
        self.find_runs(keys);
        let mut solutions = 0;
        for group in self.east.boards.chunks(board.sizes.group) {
            poll()?;
            self.table.fill(group);
            let common = group
                .iter()
                .fold(keys.len() - 1, |all, &it| all & keys.of(it));
            solutions += self.count_group(keys, common);
        }
        Ok(solutions)
    }

    fn find_runs(&mut self, keys: SortBits) {
        let boards = &self.west.boards;
        let run_of = |&board: &u64| {
            (board >> TWICE[0].trailing_zeros()) as usize * keys.len() + keys.of(board)
        };
        self.runs.clear();
        self.runs.push(0);
        let mut at = 0;
        for run in 0..4 * keys.len() {
            at += boards[at..].partition_point(|board| run_of(board) <= run);
            self.runs.push(at);
        }
    }

    /// All of the group have the bits `common` in their keys.
    fn count_group(&self, keys: SortBits, common: usize) -> u64 {
        let mut solutions = 0;
        for (times, runs) in [1, 2, 2, 4].into_iter().zip(0..) {
            let is_apart = |key: &usize| key & common == 0;
            let mut key = 0;
            while let Some(first) = (key..keys.len()).find(is_apart) {
                key = (first..keys.len())
                    .find(|key| !is_apart(key))
                    .unwrap_or(keys.len());
                let [from, to] = [first, key].map(|key| self.runs[runs * keys.len() + key]);
                if from < to {
                    solutions += times * self.table.count(&self.west.boards[from..to]);
                }
            }
        }
        solutions
    }
}

/// The scratch that no thread uses at present: as many as there are threads, at most.
#[derive(Default)]
struct Spare(Mutex<Vec<Scratch>>);

impl Spare {
    fn take(&self, board: &CutBoard) -> Scratch {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| Scratch {
            east: Sorted::default(),
            west: Sorted::default(),
            table: DiagonalTable::new(board.lines.n_shared(), board.instructions),
            runs: Vec::new(),
        })
    }

    fn put_back(&self, scratch: Scratch) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(scratch);
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::Control;
    use crate::exact::{Goal, SearchRequest};

    /// A000170, n = 1 … 13.
    const SOLUTIONS: [u64; 13] = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712];

    /// Counts by all instructions are the same with blocks and groups that are too small for the
    /// half boards of many sets of rows, so that keys leave some out, and with those that are used.
    #[test]
    fn sizes_and_instructions_change_no_count() {
        let control = Control::unstopped();
        for instructions in loops::present() {
            for (n, solutions) in (1..).zip(SOLUTIONS) {
                // A block must hold what one placement of the north may be joined with.
                let small = |block, group| Sizes { block, group };
                for sizes in [small(24, 24), small(77, 4), SIZES] {
                    let visit = &mut |_: &[usize]| {};
                    let request = SearchRequest::new(n, Goal::Count);
                    let mut search = Search::new(request, visit, &control);
                    let (board, spare) = (CutBoard::new(n, sizes, instructions), Spare::default());
                    for rows in blocks(n) {
                        let counted = board.count_block(&rows, &spare, &mut search);
                        counted.expect("not stopped");
                    }
                    let found = search.finish().solutions;
                    assert_eq!(found, solutions, "n = {n}, {sizes:?}, {instructions:?}");
                }
            }
        }
    }
}
