//! The rows of a point: a range of the columns of a table, out of which a [`Row`] is made when it
//! is asked for. Columns of numbers are read as slices.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use polars::prelude::{DataFrame, PolarsResult, StringChunked, UInt64Chunked};

use super::PointTrials;
use crate::experiment::store::Row;
use crate::experiment::store::schema::{board, board_text, ending};
use crate::experiment::store::table::Table;
use crate::solver::outcome::{COLUMNS, Column, Field};
use crate::solver::{Ending, Outcome};

/// Rows that are read and never changed; a clone shares them.
#[derive(Clone)]
pub struct Rows {
    columns: Arc<RowColumns>,
    range: Range<usize>,
}

/// The columns of `trials.parquet` that say nothing of the point.
struct RowColumns {
    seed: Vec<u64>,
    trial: Vec<u32>,
    cutoff: Vec<u64>,
    ending: Vec<Ending>,
    /// The values of each of [`COLUMNS`].
    facts: Vec<ColumnValues>,
}

enum ColumnValues {
    /// No row has a value, or the file of an earlier code version has no such column.
    Nothing,
    Counts {
        /// 0 where a row has none.
        values: Vec<u64>,
        /// True for each row that has one; empty where all have.
        known: Vec<bool>,
    },
    /// Texts, of which few are asked for.
    Boards(StringChunked),
}

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

impl ColumnValues {
    fn of_frame(frame: &mut DataFrame, name: &str, field: Field) -> PolarsResult<Self> {
        let Ok(column) = frame.drop_in_place(name) else {
            return Ok(Self::Nothing);
        };
        Ok(match field {
            Field::Board(..) => Self::Boards(column.str()?.clone()),
            Field::Count(..) => Self::of_counts(column.u64()?),
        })
    }

    fn of_counts(counts: &UInt64Chunked) -> Self {
        if counts.null_count() == counts.len() {
            return Self::Nothing;
        }
        let counts = counts.rechunk();
        match counts.cont_slice() {
            Ok(values) => Self::Counts {
                values: values.to_vec(),
                known: Vec::new(),
            },
            Err(_) => Self::Counts {
                values: counts.iter().map(Option::unwrap_or_default).collect(),
                known: counts.iter().map(|count| count.is_some()).collect(),
            },
        }
    }

    #[inline]
    fn count(&self, at: usize) -> Option<u64> {
        match self {
            Self::Counts { values, known } if known.is_empty() || known[at] => Some(values[at]),
            _ => None,
        }
    }

    fn board(&self, at: usize) -> Option<Box<[u32]>> {
        match self {
            Self::Boards(texts) => board(texts.get(at)?),
            _ => None,
        }
    }
}

impl RowColumns {
    /// The columns of a table, each of which leaves the table's memory as it is taken.
    fn of_frame(mut frame: DataFrame) -> PolarsResult<Self> {
        let endings = frame.drop_in_place("outcome")?;
        let endings = endings.str()?.iter();
        let fact = |column: &Column| ColumnValues::of_frame(&mut frame, column.name, column.field);
        Ok(Self {
            ending: endings.map(ending).collect::<PolarsResult<_>>()?,
            facts: COLUMNS.iter().map(fact).collect::<PolarsResult<_>>()?,
            seed: frame.column("seed")?.u64()?.cont_slice()?.to_vec(),
            trial: frame.column("trial")?.u32()?.cont_slice()?.to_vec(),
            cutoff: frame.column("cutoff")?.u64()?.cont_slice()?.to_vec(),
        })
    }

    fn of_rows(rows: &[Row]) -> Self {
        let fact = |field: Field| match field {
            Field::Count(get, _) => {
                let counts = rows.iter().map(|row| *get(&row.outcome));
                ColumnValues::of_counts(&counts.collect())
            }
            Field::Board(get, _) => {
                let texts = rows.iter().map(|row| get(&row.outcome).as_deref());
                ColumnValues::Boards(texts.map(|it| it.map(board_text)).collect())
            }
        };
        Self {
            seed: rows.iter().map(|row| row.seed).collect(),
            trial: rows.iter().map(|row| row.trial).collect(),
            cutoff: rows.iter().map(|row| row.cutoff).collect(),
            ending: rows.iter().map(|row| row.outcome.ending).collect(),
            facts: COLUMNS.iter().map(|column| fact(column.field)).collect(),
        }
    }

    /// The row at an index below the number of rows, with the facts of some columns.
    #[inline(always)]
    fn row(&self, at: usize, mut columns: u32) -> Row {
        let mut outcome = Outcome::ended(self.ending[at]);
        while columns != 0 {
            let index = columns.trailing_zeros() as usize;
            columns &= columns - 1;
            match COLUMNS[index].field {
                Field::Count(_, put) => *put(&mut outcome) = self.facts[index].count(at),
                Field::Board(_, put) => *put(&mut outcome) = self.facts[index].board(at),
            }
        }
        Row {
            seed: self.seed[at],
            trial: self.trial[at],
            cutoff: self.cutoff[at],
            outcome,
        }
    }
}

impl Rows {
    /// The rows of each point of a `trials.parquet`.
    ///
    /// # Errors
    /// A column that is missing, or of another type.
    pub fn by_point(table: Table) -> PolarsResult<Vec<PointTrials>> {
        let columns = Arc::new(RowColumns::of_frame(table.frame)?);
        let of_point = |(point, range)| PointTrials {
            point,
            rows: Self {
                columns: Arc::clone(&columns),
                range,
            },
        };
        Ok(table.points.into_iter().map(of_point).collect())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// Every row, as it was.
    pub fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.len()).map(|at| self.row(at, true))
    }

    /// Every row without its board, which takes longer to make than all else together.
    pub(crate) fn without_boards(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.len()).map(|at| self.row(at, false))
    }

    /// Every row with the facts of these columns alone: the fewer, the faster.
    pub(crate) fn with_columns(&self, names: &[&str]) -> impl Iterator<Item = Row> + use<'_> {
        let bit = |name| COLUMNS.iter().position(|column| column.name == name);
        let columns = names.iter().filter_map(|name| bit(*name));
        let columns = columns.fold(0, |columns, index| columns | 1 << index);
        let range = self.range.clone();
        range.map(move |at| self.columns.row(at, columns))
    }

    /// The row at an index, which must be there, with or without its board.
    pub(crate) fn row(&self, at: usize, with_board: bool) -> Row {
        let columns = if with_board { ALL } else { ALL & !BOARDS };
        self.columns.row(self.range.start + at, columns)
    }

    /// Seed and index of every trial.
    pub fn trials(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        (0..self.len()).map(|at| self.trial(at))
    }

    /// Seed and index of the trial of the row at an index, which must be there.
    pub fn trial(&self, at: usize) -> (u64, u32) {
        let at = self.range.start + at;
        (self.columns.seed[at], self.columns.trial[at])
    }

    /// The cutoff of every row.
    pub(crate) fn cutoffs(&self) -> &[u64] {
        &self.columns.cutoff[self.range.clone()]
    }

    /// The ending of every row.
    pub(crate) fn endings(&self) -> &[Ending] {
        &self.columns.ending[self.range.clone()]
    }

    /// The numbers of the column of this name, if every row has one.
    pub(crate) fn integers(&self, name: &str) -> Option<&[u64]> {
        let index = COLUMNS.iter().position(|column| column.name == name)?;
        let ColumnValues::Counts { values, known } = &self.columns.facts[index] else {
            return None;
        };
        let has_all = known.is_empty() || known[self.range.clone()].iter().all(|is| *is);
        has_all.then(|| &values[self.range.clone()])
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
        let rows: Vec<Row> = rows.into_iter().collect();
        let columns = Arc::new(RowColumns::of_rows(&rows));
        Self {
            columns,
            range: 0..rows.len(),
        }
    }
}

impl From<Vec<Row>> for Rows {
    fn from(rows: Vec<Row>) -> Self {
        rows.into_iter().collect()
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::ParquetWriter;

    use super::*;
    use crate::experiment::store::schema::part;
    use crate::experiment::store::table::Axes;
    use crate::experiment::store::{Point, Record};
    use crate::solver::Value;

    /// Numbers of every size, and columns that are filled in some rows, in all, or in none.
    fn row(index: u64) -> Row {
        let endings = [
            Ending::Absorbed,
            Ending::Censored,
            Ending::Exhausted,
            Ending::Solved,
        ];
        let mut outcome = Outcome::ended(endings[(index % 7 % 4) as usize]);
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
                    *put(&mut outcome) = Some((0..=index % 6).map(queen).collect());
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

    #[test]
    fn rows_come_back_as_they_were() {
        for length in [0, 1, 2, 100] {
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

    /// The unknown column is one that a newer program might write.
    /// A known one of another type is refused by name.
    #[test]
    fn a_column_that_is_not_known_is_not_read() {
        let point = Point::new("pair", [("n", Value::Integer(8))]);
        let record = Record::bare(&Arc::new(point), 0);
        let with = |column: polars::prelude::Column| {
            let part = part(&Axes::default(), false, &[record.clone()]);
            let mut frame = part.expect("our own columns");
            frame.with_column(column).expect("as many rows");
            let mut bytes = Vec::new();
            let writer = ParquetWriter::new(&mut bytes);
            writer.finish(&mut frame).expect("written to memory");
            Rows::by_point(Table::of_bytes(bytes, 1, None).expect("a table of this schema"))
        };
        let unknown = polars::prelude::Column::new("of_tomorrow".into(), [7_u64]);
        let points = with(unknown).expect("as before");
        assert!(points[0].rows.iter().eq([record.row.clone()]));
        let error = with(polars::prelude::Column::new("moves".into(), [7_i32]));
        let error = error.expect_err("another type").to_string();
        assert!(error.contains("moves"), "{error}");
    }
}
