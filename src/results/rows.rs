//! The rows of a point: a range of the columns of a table, out of which a [`Row`] is made when it
//! is asked for.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use polars::prelude::{DataFrame, PolarsResult, StringChunked};

use super::PointTrials;
use crate::experiment::store::schema::{self, board, ending};
use crate::experiment::store::table::{Axes, Table};
use crate::experiment::store::{Point, Record, Row};
use crate::solver::course::Course;
use crate::solver::outcome::{COLUMNS, Column, Field};
use crate::solver::{Ending, Outcome};

/// Rows that are read and never changed; a clone shares them.
#[derive(Clone)]
pub struct Rows {
    columns: Arc<Columns>,
    range: Range<usize>,
}

/// The columns of `trials.parquet` that say nothing of the point: plain numbers, since each is read
/// many times.
struct Columns {
    seed: Vec<u64>,
    trial: Vec<u32>,
    cutoff: Vec<u64>,
    ending: Vec<Ending>,
    /// Each of [`COLUMNS`]; `None` where no row has a value, or the file of an earlier code version
    /// has no such column.
    facts: Vec<Option<Fact>>,
}

enum Fact {
    /// The values, 0 where a row has none; and whether each row has one, empty where all have.
    Counts(Vec<u64>, Vec<bool>),
    /// Texts, of which few are asked for.
    Boards(StringChunked),
}

impl Columns {
    /// The columns of a table, each of which leaves the table's memory as it is taken.
    fn of(mut frame: DataFrame) -> PolarsResult<Self> {
        let endings = frame.drop_in_place("outcome")?;
        let fact = |column: &Column| {
            let own = frame.drop_in_place(column.name).ok();
            let Some(own) = own.filter(|own| own.null_count() < own.len()) else {
                return Ok(None);
            };
            if let Field::Board(..) = column.field {
                return Ok(Some(Fact::Boards(own.str()?.clone())));
            }
            let counts = own.u64()?;
            let values = counts.iter().map(Option::unwrap_or_default).collect();
            let known = match counts.null_count() {
                0 => Vec::new(),
                _ => counts.iter().map(|count| count.is_some()).collect(),
            };
            Ok(Some(Fact::Counts(values, known)))
        };
        let facts = COLUMNS.iter().map(fact).collect::<PolarsResult<_>>()?;
        let endings = endings.str()?.iter();
        Ok(Self {
            seed: frame.column("seed")?.u64()?.cont_slice()?.to_vec(),
            trial: frame.column("trial")?.u32()?.cont_slice()?.to_vec(),
            cutoff: frame.column("cutoff")?.u64()?.cont_slice()?.to_vec(),
            ending: endings.map(ending).collect::<PolarsResult<_>>()?,
            facts,
        })
    }

    #[inline]
    fn count(&self, index: usize, at: usize) -> Option<u64> {
        match &self.facts[index] {
            Some(Fact::Counts(values, known)) if known.is_empty() || known[at] => Some(values[at]),
            _ => None,
        }
    }

    fn board(&self, index: usize, at: usize) -> Option<Box<[u32]>> {
        match &self.facts[index] {
            Some(Fact::Boards(texts)) => board(texts.get(at)?),
            _ => None,
        }
    }
}

impl Rows {
    /// The rows of each point of a `trials.parquet`.
    ///
    /// # Errors
    /// A column that is missing, of another type, or without a value where each row has one.
    pub fn by_point(table: Table) -> PolarsResult<Vec<PointTrials>> {
        let columns = Arc::new(Columns::of(table.frame)?);
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
    pub fn iter(&self) -> impl Iterator<Item = Row> + use<'_> {
        self.with_facts(facts(|_| true))
    }

    /// Every row without its board, which takes longer to make than all else together.
    pub(crate) fn without_boards(&self) -> impl Iterator<Item = Row> + use<'_> {
        self.with_facts(facts(|fact| matches!(fact.field, Field::Count(..))))
    }

    /// Every row with the facts of these columns alone: the fewer, the faster.
    pub(crate) fn with_columns(&self, names: &[&str]) -> impl Iterator<Item = Row> + use<'_> {
        self.with_facts(facts(|fact| names.contains(&fact.name)))
    }

    fn with_facts(&self, facts: Vec<usize>) -> impl Iterator<Item = Row> + use<'_> {
        (0..self.len()).map(move |at| self.row(at, &facts))
    }

    /// The row at an index, which must be there, with some of its [`facts`].
    #[inline]
    pub(crate) fn row(&self, at: usize, facts: &[usize]) -> Row {
        let ((seed, trial), at) = (self.trial(at), self.range.start + at);
        let columns = &self.columns;
        let mut outcome = Outcome::ended(columns.ending[at]);
        for &index in facts {
            match COLUMNS[index].field {
                Field::Count(_, put) => *put(&mut outcome) = columns.count(index, at),
                Field::Board(_, put) => *put(&mut outcome) = columns.board(index, at),
            }
        }
        Row {
            seed,
            trial,
            cutoff: columns.cutoff[at],
            outcome,
        }
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

    /// The numbers of the column of this name, of each row that has one.
    pub(crate) fn counts(&self, name: &str) -> impl Iterator<Item = Option<u64>> + use<'_> {
        let index = COLUMNS.iter().position(|column| column.name == name);
        let range = self.range.clone();
        range.map(move |at| self.columns.count(index?, at))
    }
}

/// The indices in [`COLUMNS`] of those that are meant.
pub(crate) fn facts(is_meant: impl Fn(&Column) -> bool) -> Vec<usize> {
    (0..COLUMNS.len())
        .filter(|at| is_meant(&COLUMNS[*at]))
        .collect()
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
        let point = Arc::new(Point::new("", []));
        let record = |row| Record {
            point: Arc::clone(&point),
            row,
            dynamics: None,
            seconds: Vec::new(),
            course: Course::default(),
        };
        let records: Vec<Record> = rows.into_iter().map(record).collect();
        let part = schema::part(&Axes::default(), false, &records);
        let columns = part.and_then(Columns::of);
        Self {
            columns: Arc::new(columns.expect("our own columns, of a point without axes")),
            range: 0..records.len(),
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
            let part = part(&Axes::default(), false, std::slice::from_ref(&record));
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
