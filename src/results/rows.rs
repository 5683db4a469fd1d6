//! The rows of a point in few bytes each, so that the 10⁷ of a large run fit into memory: column by
//! column, some thousand rows at a time, out of which each [`Row`] is made when it is asked for.

mod packed;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
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
    /// Place in [`ENDINGS`].
    ending: Packed,
    /// Of each of [`COLUMNS`].
    facts: Vec<Facts>,
}

enum Facts {
    Counts(Packed),
    Boards {
        /// Which of the different boards a row has.
        which: Packed,
        /// Where each of these begins and ends in `queens`.
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

/// Some of what a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers<const K: usize> {
    /// Updates, or checks or nodes, allowed.
    pub cutoff: u64,
    /// How the trial ended.
    pub ending: Ending,
    /// In the columns that were asked for.
    pub counts: [Option<u64>; K],
}

/// Gathers [`Rows`].
#[derive(Default)]
pub struct RowsBuilder {
    full: Vec<Chunk>,
    /// Fewer than [`CHUNK`].
    open: Vec<Row>,
}

impl RowsBuilder {
    /// Adds a row.
    pub fn push(&mut self, row: Row) {
        self.open.push(row);
        if self.open.len() == CHUNK {
            self.close();
        }
    }

    fn close(&mut self) {
        self.full.push(Chunk::of(&self.open));
        self.open.clear();
    }

    /// The rows in the order in which they were added.
    pub fn finish(mut self) -> Rows {
        if !self.open.is_empty() {
            self.close();
        }
        Rows {
            length: self.full.iter().map(|chunk| chunk.length).sum(),
            chunks: self.full.into(),
        }
    }
}

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

    /// The row in a place below the number of rows.
    fn row(&self, at: usize, with_board: bool) -> Row {
        let (seed, trial) = self.trial(at);
        let mut outcome = Outcome::ended(self.ending(at));
        for (column, facts) in COLUMNS.iter().zip(&self.facts) {
            match (column.field, facts) {
                (Field::Count(_, put), Facts::Counts(counts)) => {
                    *put(&mut outcome) = counts.get(at);
                }
                (Field::Board(_, put), boards) if with_board => {
                    *put(&mut outcome) = boards.board(at);
                }
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

    fn ending(&self, at: usize) -> Ending {
        ENDINGS[always(&self.ending, at) as usize]
    }

    fn numbers<const K: usize>(&self, names: [&str; K]) -> impl Iterator<Item = Numbers<K>> + '_ {
        let columns = names.map(|name| {
            let place = COLUMNS.iter().position(|column| column.name == name)?;
            match &self.facts[place] {
                Facts::Counts(counts) => Some(counts),
                Facts::Boards { .. } => None,
            }
        });
        (0..self.length).map(move |at| Numbers {
            cutoff: always(&self.cutoff, at),
            ending: self.ending(at),
            counts: columns.map(|counts| counts?.get(at)),
        })
    }
}

/// Of a column that every row has.
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

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Every row, as it was.
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            rows: self,
            places: 0..self.length,
            with_boards: true,
        }
    }

    /// Every row without its board, which takes longer to make than all else together.
    pub(crate) fn without_boards(&self) -> Iter<'_> {
        self.iter().without_boards()
    }

    /// Of every row the numbers in the columns of these names, none where there is no such column
    /// of numbers: several times faster than whole rows.
    pub fn numbers<const K: usize>(
        &self,
        columns: [&'static str; K],
    ) -> impl Iterator<Item = Numbers<K>> + '_ {
        let chunks = self.chunks.iter();
        chunks.flat_map(move |chunk| chunk.numbers(columns))
    }

    /// The rows in these places, which must be there.
    pub(crate) fn range(&self, places: Range<usize>) -> Iter<'_> {
        debug_assert!(places.end <= self.length);
        Iter {
            places,
            ..self.iter()
        }
    }

    /// Seed and index of every trial.
    pub fn trials(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        (0..self.length).map(|at| self.trial(at))
    }

    /// Seed and index of the trial of the row at `index`, which must be there.
    pub fn trial(&self, index: usize) -> (u64, u32) {
        self.chunks[index / CHUNK].trial(index % CHUNK)
    }

    /// The row at `index`, from 0.
    pub fn get(&self, index: usize) -> Option<Row> {
        (index < self.length).then(|| self.chunks[index / CHUNK].row(index % CHUNK, true))
    }

    /// The first row.
    pub fn first(&self) -> Option<Row> {
        self.get(0)
    }
}

#[cfg(test)]
impl Rows {
    /// Bytes that the columns take.
    fn bytes(&self) -> usize {
        let of_facts = |facts: &Facts| match facts {
            Facts::Counts(counts) => counts.bytes(),
            Facts::Boards {
                which,
                ends,
                queens,
            } => which.bytes() + size_of_val(&**ends) + queens.bytes(),
        };
        let of_chunk = |it: &Chunk| {
            let own = [&it.seed, &it.trial, &it.cutoff, &it.ending].map(Packed::bytes);
            own.into_iter()
                .chain(it.facts.iter().map(of_facts))
                .sum::<usize>()
        };
        self.chunks.iter().map(of_chunk).sum()
    }

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
        let mut builder = RowsBuilder::default();
        rows.into_iter().for_each(|row| builder.push(row));
        builder.finish()
    }
}

impl From<Vec<Row>> for Rows {
    fn from(rows: Vec<Row>) -> Self {
        rows.into_iter().collect()
    }
}

/// Rows in their order, each made when it is asked for.
#[derive(Clone)]
pub struct Iter<'a> {
    rows: &'a Rows,
    places: Range<usize>,
    with_boards: bool,
}

impl Iter<'_> {
    #[must_use]
    pub(crate) fn without_boards(self) -> Self {
        Self {
            with_boards: false,
            ..self
        }
    }
}

impl Iterator for Iter<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let at = self.places.next()?;
        let chunk = &self.rows.chunks[at / CHUNK];
        Some(chunk.row(at % CHUNK, self.with_boards))
    }

    fn nth(&mut self, skipped: usize) -> Option<Row> {
        let start = self.places.start.saturating_add(skipped);
        self.places.start = self.places.end.min(start);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Rows {
    type Item = Row;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
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
        for (place, column) in COLUMNS.iter().enumerate() {
            let place = place as u64;
            let is_filled = index % 3 < place % 4 || place.is_multiple_of(5);
            match column.field {
                Field::Count(_, put) if is_filled => {
                    let number = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    *put(&mut outcome) = Some(number >> (place * 5 % 64));
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

    /// Of whatever length, about the ends of chunks too.
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
            let expected = rows.iter().map(|row| Numbers {
                cutoff: row.cutoff,
                ending: row.outcome.ending,
                counts: [row.outcome.entries, row.outcome.updates, None],
            });
            let numbers = compact.numbers(["entries", "updates", "solution"]);
            assert!(numbers.eq(expected));
            let (half, third) = (length / 2, length / 3);
            assert_eq!(compact.get(half), rows.get(half).cloned());
            assert_eq!(compact.get(length), None);
            assert_eq!(compact.iter().nth(third), rows.get(third).cloned());
        }
    }

    /// Rows as those of the pair rule at n = 8: times below 2²², moves below 2¹², 92 boards.
    #[test]
    fn a_row_of_a_local_rule_takes_a_few_bytes() {
        let row = |trial: u32| {
            let time = u64::from(trial).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let time = Some(time >> 42);
            Row {
                seed: 2012,
                trial,
                cutoff: 1_000_000_000,
                outcome: Outcome {
                    absorption_time: time,
                    hitting_time: time.map(|it| it / 2),
                    moves: time.map(|it| it >> 10),
                    moves_at_hit: time.map(|it| it >> 11),
                    updates: time,
                    solution: Some((0..8).map(|x| (trial % 92 + x) % 8).collect()),
                    ..Outcome::ended(Ending::Absorbed)
                },
            }
        };
        let rows: Rows = (0..100_000).map(row).collect();
        assert!(rows.bytes() < 17 * rows.len(), "{} bytes", rows.bytes());
        assert!(rows.iter().eq((0..100_000).map(row)));
    }
}
