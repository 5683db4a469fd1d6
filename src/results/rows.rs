//! The rows of a point in few bytes each, so that the 10⁷ of a large run fit into memory: column by
//! column, some thousand rows at a time, out of which each [`Row`] is made when it is asked for.

mod packed;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use self::packed::Packed;
use crate::experiment::store::Row;
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::{Ending, Outcome};

/// Rows in a chunk: enough that what they have in common is stored once, and few enough to stand
/// in memory as they are while they are gathered.
const CHUNK: usize = 1 << 14;

/// Rows that are read and never changed; a clone shares them.
#[derive(Clone)]
pub struct Rows {
    chunks: Arc<[Chunk]>,
    length: usize,
}

/// Some thousand rows, column by column.
struct Chunk {
    length: usize,
    seed: Packed,
    trial: Packed,
    cutoff: Packed,
    /// The index of the ending in [`ENDINGS`].
    ending: Packed,
    /// The values of each of [`COLUMNS`].
    facts: Vec<Facts>,
}

enum Facts {
    Counts(Packed),
    Boards {
        /// The number of the row's board among the different boards.
        which: Packed,
        /// The offset in `queens` at which each board ends and the next one begins.
        ends: Vec<usize>,
        /// The boards one after the other.
        queens: Packed,
    },
}

const ENDINGS: [Ending; 4] = [
    Ending::Absorbed,
    Ending::Censored,
    Ending::Exhausted,
    Ending::Solved,
];

/// Each of [`COLUMNS`] has its bit.
const ALL: u32 = (1 << COLUMNS.len()) - 1;
/// The bits of the columns that are boards.
const BOARDS: u32 = {
    let (mut boards, mut index) = (0, 0);
    while index < COLUMNS.len() {
        boards |= (matches!(COLUMNS[index].field, Field::Board(..)) as u32) << index;
        index += 1;
    }
    boards
};

impl Chunk {
    fn of(rows: &[Row]) -> Self {
        let packed = |number: &dyn Fn(&Row) -> Option<u64>| {
            Packed::of(&rows.iter().map(number).collect::<Vec<_>>())
        };
        let facts = |field: Field| match field {
            Field::Count(get, _) => Facts::Counts(packed(&|row| *get(&row.outcome))),
            Field::Board(get, _) => {
                Facts::boards(rows.iter().map(|row| get(&row.outcome).as_deref()))
            }
        };
        let ending = |row: &Row| ENDINGS.iter().position(|it| *it == row.outcome.ending);
        Self {
            length: rows.len(),
            seed: packed(&|row| Some(row.seed)),
            trial: packed(&|row| Some(row.trial.into())),
            cutoff: packed(&|row| Some(row.cutoff)),
            ending: packed(&|row| Some(ending(row)? as u64)),
            facts: COLUMNS.iter().map(|column| facts(column.field)).collect(),
        }
    }

    /// The row at an index below the number of rows, with the facts of some columns. Inlined, since
    /// it is asked for 10⁷ times.
    #[inline(always)]
    fn row(&self, at: usize, mut columns: u32) -> Row {
        let (seed, trial) = self.trial(at);
        let mut outcome = Outcome::ended(ENDINGS[always(&self.ending, at) as usize]);
        while columns != 0 {
            let index = columns.trailing_zeros() as usize;
            columns &= columns - 1;
            match (COLUMNS[index].field, &self.facts[index]) {
                (Field::Count(_, put), Facts::Counts(counts)) => {
                    *put(&mut outcome) = counts.get(at);
                }
                (Field::Board(_, put), boards) => *put(&mut outcome) = boards.board(at),
                _ => {}
            }
        }
        Row {
            seed,
            trial,
            cutoff: always(&self.cutoff, at),
            outcome,
        }
    }

    fn trial(&self, at: usize) -> (u64, u32) {
        (always(&self.seed, at), always(&self.trial, at) as u32)
    }
}

/// The number in a column that every row has.
fn always(numbers: &Packed, at: usize) -> u64 {
    numbers.get(at).expect("every row has one")
}

impl Facts {
    /// A board for each row, or none; each different one is kept once.
    fn boards<'a>(boards: impl Iterator<Item = Option<&'a [u32]>>) -> Self {
        let (mut known, mut ends, mut queens) = (BTreeMap::new(), vec![0], Vec::new());
        let mut which = |board: &'a [u32]| {
            *known.entry(board).or_insert_with(|| {
                queens.extend(board.iter().map(|&queen| Some(u64::from(queen))));
                ends.push(queens.len());
                ends.len() as u64 - 2
            })
        };
        let which: Vec<Option<u64>> = boards.map(|board| board.map(&mut which)).collect();
        Self::Boards {
            which: Packed::of(&which),
            ends,
            queens: Packed::of(&queens),
        }
    }

    fn board(&self, at: usize) -> Option<Box<[u32]>> {
        let Self::Boards {
            which,
            ends,
            queens,
        } = self
        else {
            return None;
        };
        let which = which.get(at)? as usize;
        let queens = (ends[which]..ends[which + 1]).filter_map(|at| queens.get(at));
        Some(queens.map(|queen| queen as u32).collect())
    }
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Every row, as it was.
    pub fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.length).map(|at| self.row(at, true))
    }

    /// Every row without its board, which takes longer to make than all else together.
    pub(crate) fn without_boards(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.length).map(|at| self.row(at, false))
    }

    /// Every row with the facts of these columns alone: the fewer, the faster.
    pub(crate) fn with_columns(&self, names: &[&str]) -> impl Iterator<Item = Row> + use<'_> {
        let bit = |name| COLUMNS.iter().position(|column| column.name == name);
        let columns = names.iter().filter_map(|name| bit(*name));
        let columns = columns.fold(0, |columns, index| columns | 1 << index);
        (0..self.length).map(move |at| self.chunks[at / CHUNK].row(at % CHUNK, columns))
    }

    /// The row at an index, which must be there, with or without its board.
    pub(crate) fn row(&self, at: usize, with_board: bool) -> Row {
        let columns = if with_board { ALL } else { ALL & !BOARDS };
        self.chunks[at / CHUNK].row(at % CHUNK, columns)
    }

    /// Seed and index of every trial.
    pub fn trials(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        (0..self.length).map(|at| self.trial(at))
    }

    /// Seed and index of the trial of the row at an index, which must be there.
    pub fn trial(&self, at: usize) -> (u64, u32) {
        self.chunks[at / CHUNK].trial(at % CHUNK)
    }
}

#[cfg(test)]
impl Rows {
    /// Changes them as a vector: for tests of what other rows would give.
    pub fn edit(&mut self, change: impl FnOnce(&mut Vec<Row>)) {
        let mut rows: Vec<Row> = self.iter().collect();
        change(&mut rows);
        *self = rows.into();
    }

    pub(crate) fn edit_each(&mut self, change: impl FnMut(&mut Row)) {
        self.edit(|rows| rows.iter_mut().for_each(change));
    }
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let mut rows = rows.into_iter().fuse();
        let mut open = Vec::new();
        let chunks: Arc<[Chunk]> = std::iter::from_fn(|| {
            open.clear();
            open.extend(rows.by_ref().take(CHUNK));
            (!open.is_empty()).then(|| Chunk::of(&open))
        })
        .collect();
        let length = chunks.iter().map(|chunk| chunk.length).sum();
        Self { chunks, length }
    }
}

impl From<Vec<Row>> for Rows {
    fn from(rows: Vec<Row>) -> Self {
        rows.into_iter().collect()
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every size, and columns that are filled in some rows, in all, or in none.
    fn row(index: u64) -> Row {
        let mut outcome = Outcome::ended(ENDINGS[(index % 7 % 4) as usize]);
        for (position, column) in COLUMNS.iter().enumerate() {
            let position = position as u64;
            let is_filled = index % 3 < position % 4 || position.is_multiple_of(5);
            match column.field {
                Field::Count(_, put) if is_filled => {
                    let number = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    *put(&mut outcome) = Some(number >> (position * 5 % 64));
                }
                Field::Board(_, put) if is_filled => {
                    let queen = |x: u64| (index / 5 * x % 9) as u32;
                    *put(&mut outcome) = Some((0..index % 6).map(queen).collect());
                }
                _ => {}
            }
        }
        Row {
            seed: u64::MAX - index / 1000,
            trial: (index % 1000) as u32,
            cutoff: 1 << (index % 64),
            outcome,
        }
    }

    /// The lists here have lengths about the ends of chunks, too.
    #[test]
    fn rows_come_back_as_they_were() {
        for length in [0, 1, 2, 100, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 5] {
            let rows: Vec<Row> = (0..length as u64).map(row).collect();
            let compact = Rows::from(rows.clone());
            assert_eq!((compact.len(), compact.is_empty()), (length, length == 0));
            assert!(compact.iter().eq(rows.iter().cloned()), "{length} rows");
            let trials = rows.iter().map(|row| (row.seed, row.trial));
            assert!(compact.trials().eq(trials));
            let bare = rows.iter().cloned().map(|mut row| {
                row.outcome.solution = None;
                row
            });
            assert!(compact.without_boards().eq(bare));
            let moves = rows.iter().map(|row| Outcome {
                moves: row.outcome.moves,
                ..Outcome::ended(row.outcome.ending)
            });
            let found = compact.with_columns(&["moves"]).map(|row| row.outcome);
            assert!(found.eq(moves));
        }
    }

    #[test]
    fn each_different_board_is_kept_once() {
        let boards = [None, Some([1, 3, 0, 2]), Some([2, 0, 3, 1])].map(|it| it.map(Box::new));
        let rows = (0..1000).map(|row| boards[row % 3].as_ref().map(|it| &it[..]));
        let Facts::Boards { ends, .. } = Facts::boards(rows) else {
            panic!("boards")
        };
        assert_eq!(ends, [0, 4, 8]);
    }
}
