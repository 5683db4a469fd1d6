//! The rows of a point in few bytes each, so that the 10⁷ of a large run fit into memory: column by
//! column, some thousand rows at a time, out of which each [`Row`] is made when it is asked for.

mod chunk;
mod packed;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use self::chunk::Chunk;
use crate::experiment::store::Row;
use crate::solver::Ending;
use crate::solver::outcome::Count;

/// Rows in a chunk: enough that what they have in common is stored once, and few enough to stand
/// in memory as they are while they are gathered.
const CHUNK: usize = 1 << 14;

/// Rows that are read and never changed; a clone shares them.
#[derive(Clone)]
pub struct Rows {
    chunks: Arc<[Chunk]>,
    length: usize,
}

/// Some of what a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers<const K: usize> {
    /// Updates, or checks or nodes, allowed.
    pub cutoff: u64,
    /// How the trial ended.
    pub ending: Ending,
    /// In the columns that were asked for.
    pub counts: [Option<Count>; K],
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
            length: self.full.iter().map(Chunk::len).sum(),
            chunks: self.full.into(),
        }
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
        self.iterate(true)
    }

    /// Every row without its board, which takes longer to make than all else together.
    pub fn without_boards(&self) -> Iter<'_> {
        self.iterate(false)
    }

    fn iterate(&self, with_boards: bool) -> Iter<'_> {
        Iter {
            rows: self,
            places: 0..self.length,
            with_boards,
        }
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
    pub fn range(&self, places: Range<usize>) -> Iter<'_> {
        debug_assert!(places.end <= self.length);
        Iter {
            places,
            ..self.iter()
        }
    }

    /// Seed and index of every trial.
    pub fn trials(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let places = 0..self.length;
        places.map(|at| self.chunks[at / CHUNK].trial(at % CHUNK))
    }

    /// The row at `index`, from 0.
    pub fn get(&self, index: usize) -> Option<Row> {
        (index < self.length).then(|| self.chunks[index / CHUNK].row(index % CHUNK, true))
    }

    /// The first row.
    pub fn first(&self) -> Option<Row> {
        self.get(0)
    }

    /// Bytes that the rows take, without those that allocation adds.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(Chunk::bytes).sum()
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

    /// Changes each.
    pub fn edit_each(&mut self, change: impl FnMut(&mut Row)) {
        self.edit(|rows| rows.iter_mut().for_each(change));
    }
}

impl Extend<Row> for RowsBuilder {
    fn extend<I: IntoIterator<Item = Row>>(&mut self, rows: I) {
        rows.into_iter().for_each(|row| self.push(row));
    }
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let mut builder = RowsBuilder::default();
        builder.extend(rows);
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
    /// The same rows without their boards.
    #[must_use]
    pub fn without_boards(self) -> Self {
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
        self.places.start = self
            .places
            .end
            .min(self.places.start.saturating_add(skipped));
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
    use crate::solver::outcome::{COLUMNS, Field};
    use crate::solver::{Ending, Outcome};

    const ENDINGS: [Ending; 4] = [
        Ending::Solved,
        Ending::Exhausted,
        Ending::Censored,
        Ending::Absorbed,
    ];

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
            let numbers = |row: Row| Numbers {
                cutoff: row.cutoff,
                ending: row.outcome.ending,
                counts: [row.outcome.entries, row.outcome.updates, None],
            };
            let expected = rows.iter().cloned().map(numbers);
            assert!(
                compact
                    .numbers(["entries", "updates", "solution"])
                    .eq(expected)
            );
            assert_eq!(compact.get(length / 2), rows.get(length / 2).cloned());
            assert_eq!(compact.get(length), None);
            assert_eq!(
                compact.iter().nth(length / 3),
                rows.get(length / 3).cloned()
            );
            assert_eq!(compact, rows.iter().cloned().collect());
        }
    }

    #[test]
    fn other_rows_are_not_equal() {
        let rows: Vec<Row> = (0..100).map(row).collect();
        let compact = Rows::from(rows.clone());
        assert_ne!(compact, Rows::from(rows[..99].to_vec()));
        let mut other = rows;
        other[50].outcome.moves = other[50]
            .outcome
            .moves
            .map_or(Some(1), |it| it.checked_add(1));
        assert_ne!(compact, Rows::from(other));
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
