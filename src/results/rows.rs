//! The rows of a point: a range of the columns of a table. A column of numbers is a slice, copied
//! out of Polars when it is first asked for; a [`Row`] is made when it is asked for.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use polars::prelude::{ChunkAgg as _, Column, DataFrame, PolarsResult};

use super::PointTrials;
use crate::experiment::store::schema::{self, board, ending};
use crate::experiment::store::table::{Axes, Table, unexpected};
use crate::experiment::store::{OwnColumn, OwnColumns, Point, Record, Row};
use crate::solver::course::Course;
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::{Ending, Kind, Outcome, OwnValue};

/// Rows that are read and never changed; a clone shares them.
#[derive(Clone)]
pub struct Rows {
    columns: Arc<SharedColumns>,
    range: Range<usize>,
}

/// The columns of `trials.parquet` that say nothing of the point.
struct SharedColumns {
    seed: Vec<u64>,
    trial: Vec<u32>,
    cutoff: Vec<u64>,
    ending: Vec<Ending>,
    /// The column of that name, empty in rows of searches; `None` in a file without it.
    dynamics: Option<Column>,
    /// Each of [`COLUMNS`]; `None` where no row has a value, or the file of an earlier code version
    /// has no such column.
    facts: Vec<Option<Column>>,
    /// The numbers of those that were asked for.
    counts: [OnceLock<Vec<Option<u64>>>; COLUMNS.len()],
    /// The columns that algorithms have for themselves.
    own: Vec<OwnRows>,
}

/// A column that an algorithm has for itself, and its numbers where they were asked for.
struct OwnRows {
    name: String,
    kind: Kind,
    column: Column,
    counts: OnceLock<Vec<Option<u64>>>,
    reals: OnceLock<Vec<Option<f64>>>,
}

impl OwnRows {
    /// # Errors
    /// A column of another type, or with a value that it cannot have.
    fn of(name: &str, kind: Kind, column: &Column) -> PolarsResult<Self> {
        match kind {
            Kind::Count => refuse_negative(name, column)?,
            Kind::Text => drop(column.str()?),
            Kind::Real => {
                let mut reals = column.f64()?.iter().flatten();
                if let Some(other) = reals.find(|real| !real.is_finite()) {
                    return Err(unexpected(name, &other.to_string()));
                }
            }
        }
        Ok(Self {
            name: name.to_owned(),
            kind,
            column: column.clone(),
            counts: OnceLock::new(),
            reals: OnceLock::new(),
        })
    }

    fn counts(&self) -> Option<&[Option<u64>]> {
        let counts = self.column.i64().ok()?.iter();
        let copied = || counts.map(|count| count.map(i64::cast_unsigned)).collect();
        Some(self.counts.get_or_init(copied))
    }

    fn reals(&self) -> Option<&[Option<f64>]> {
        let reals = self.column.f64().ok()?.iter();
        Some(self.reals.get_or_init(|| reals.collect()))
    }

    fn value(&self, at: usize) -> Option<OwnValue> {
        match self.kind {
            Kind::Real => self.reals()?[at].map(OwnValue::Real),
            Kind::Count => self.counts()?[at].map(OwnValue::Count),
            Kind::Text => {
                let text = self.column.str().ok()?.get(at)?;
                Some(OwnValue::Text(text.into()))
            }
        }
    }
}

/// Refuses a number below 0 where there is none.
fn refuse_negative(name: &str, column: &Column) -> PolarsResult<()> {
    let least = column.i64()?.min();
    match least.filter(|least| *least < 0) {
        Some(least) => Err(unexpected(name, &least.to_string())),
        None => Ok(()),
    }
}

impl SharedColumns {
    fn of(mut frame: DataFrame, own: &OwnColumns) -> PolarsResult<Self> {
        let endings = frame.drop_in_place("outcome")?;
        let fact = |name, field| {
            let own = frame.column(name).ok();
            let own = own.filter(|own| own.null_count() < own.len());
            match field {
                Field::Count(..) => own.map_or(Ok(()), |own| refuse_negative(name, own))?,
                Field::Own(_) => unreachable!("no fact"),
                Field::Board(..) => own.map(Column::str).transpose()?.map_or((), drop),
            }
            Ok(own.cloned())
        };
        let facts = COLUMNS.iter().map(|column| fact(column.name, column.field));
        let own = own.iter().filter_map(|(name, OwnColumn { kind, .. })| {
            let column = frame.column(name).ok()?;
            Some(OwnRows::of(name, *kind, column))
        });
        let own = own.collect::<PolarsResult<_>>()?;
        Ok(Self {
            dynamics: frame.column("dynamics").ok().cloned(),
            seed: whole(&frame, "seed")?,
            trial: whole(&frame, "trial")?,
            cutoff: whole(&frame, "cutoff")?,
            ending: endings
                .str()?
                .iter()
                .map(ending)
                .collect::<PolarsResult<_>>()?,
            facts: facts.collect::<PolarsResult<_>>()?,
            counts: [const { OnceLock::new() }; COLUMNS.len()],
            own,
        })
    }

    /// The numbers of the column of this index; `None` where no row has one.
    fn count(&self, index: usize) -> Option<&[Option<u64>]> {
        let counts = self.facts[index].as_ref()?.i64().ok()?;
        // None is below 0, which was seen when the table was read.
        let copied = || match counts.cont_slice() {
            Ok(values) => values
                .iter()
                .map(|value| Some(value.cast_unsigned()))
                .collect(),
            Err(_) => {
                let values = counts.iter();
                values.map(|value| value.map(i64::cast_unsigned)).collect()
            }
        };
        Some(self.counts[index].get_or_init(copied))
    }

    fn board(&self, index: usize, at: usize) -> Option<Box<[u32]>> {
        board(self.facts[index].as_ref()?.str().ok()?.get(at)?)
    }
}

/// A column of whole numbers, one in each row.
///
/// # Errors
/// A number that is below 0 or above the largest of its kind; a null.
fn whole<N: TryFrom<i64>>(frame: &DataFrame, name: &str) -> PolarsResult<Vec<N>> {
    let numbers = frame.column(name)?.i64()?.cont_slice()?.iter();
    let held = numbers
        .map(|&number| N::try_from(number).map_err(|_| unexpected(name, &number.to_string())));
    held.collect()
}

impl Rows {
    /// The rows of each point of a `trials.parquet`, with these columns that algorithms have for
    /// themselves.
    ///
    /// # Errors
    /// A column that is missing, of another type, or without a value where each row has one.
    pub fn by_point(table: Table, own: &OwnColumns) -> PolarsResult<Vec<PointTrials>> {
        let columns = Arc::new(SharedColumns::of(table.frame, own)?);
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
        (0..self.len()).map(|at| self.row(at, true))
    }

    /// Every row without its board, which takes longer to make than all else together.
    pub(crate) fn without_boards(&self) -> impl Iterator<Item = Row> + use<'_> {
        (0..self.len()).map(|at| self.row(at, false))
    }

    /// The row at an index, which must be there, with or without its board.
    pub(crate) fn row(&self, at: usize, has_board: bool) -> Row {
        let ((seed, trial), at) = (self.trial(at), self.range.start + at);
        let columns = &self.columns;
        let mut outcome = Outcome::ended(columns.ending[at]);
        for (index, column) in COLUMNS.iter().enumerate() {
            match column.field {
                Field::Count(_, put) => {
                    *put(&mut outcome) = columns.count(index).and_then(|it| it[at]);
                }
                Field::Board(_, put) if has_board => *put(&mut outcome) = columns.board(index, at),
                Field::Board(..) | Field::Own(_) => {}
            }
        }
        for own in &columns.own {
            if let Some(value) = own.value(at) {
                outcome.own.set(own.name.clone(), value);
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

    /// The name of the dynamics of the first row, in which all rows of a point were run; `None` of
    /// searches.
    pub(crate) fn dynamics(&self) -> Option<&str> {
        let names = self.columns.dynamics.as_ref()?.str().ok()?;
        names.get(self.range.start)
    }

    /// The cutoff of every row.
    pub(crate) fn cutoffs(&self) -> &[u64] {
        &self.columns.cutoff[self.range.clone()]
    }

    /// The ending of every row.
    pub(crate) fn endings(&self) -> &[Ending] {
        &self.columns.ending[self.range.clone()]
    }

    /// The whole number of every row in the column of this name; `None` where no row of the run has
    /// one.
    pub(crate) fn count(&self, name: &str) -> Option<&[Option<u64>]> {
        let all = match index(name) {
            Some(index) => self.columns.count(index)?,
            None => self.own(name)?.counts()?,
        };
        Some(&all[self.range.clone()])
    }

    /// The real number of every row in an own column of this name; `None` where there is none.
    pub(crate) fn reals(&self, name: &str) -> Option<&[Option<f64>]> {
        Some(&self.own(name)?.reals()?[self.range.clone()])
    }

    /// True if an algorithm of the run has a column of this name for itself.
    pub(crate) fn has_own(&self, name: &str) -> bool {
        self.own(name).is_some()
    }

    /// The names of the own columns of numbers of which a row here has a value.
    pub(crate) fn own_numbers(&self) -> impl Iterator<Item = &str> {
        let own = self.columns.own.iter().filter(|own| own.kind != Kind::Text);
        let names = own.map(|own| own.name.as_str());
        names.filter(move |name| self.filled(name) > 0)
    }

    fn own(&self, name: &str) -> Option<&OwnRows> {
        self.columns.own.iter().find(|own| own.name == name)
    }

    /// How many rows have a value in the column of this name.
    pub(crate) fn filled(&self, name: &str) -> usize {
        let column = match index(name) {
            Some(index) => self.columns.facts[index].as_ref(),
            None => self.own(name).map(|own| &own.column),
        };
        let own = column.map(|column| column.slice(self.range.start as i64, self.len()));
        own.map_or(0, |own| own.len() - own.null_count())
    }
}

/// The index in [`COLUMNS`] of the column of this name.
fn index(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|column| column.name == name)
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

impl From<Vec<Row>> for Rows {
    fn from(rows: Vec<Row>) -> Self {
        rows.into_iter().collect()
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
        let own = own_columns_of(&records);
        let part = schema::part(&Axes::default(), &own, false, &records);
        let columns = part.and_then(|part| SharedColumns::of(part, &own));
        Self {
            columns: Arc::new(columns.expect("our own columns, of a point without axes")),
            range: 0..records.len(),
        }
    }
}

/// The own columns that any of the records has a value of; units and meanings are not known.
fn own_columns_of(records: &[Record]) -> OwnColumns {
    let mut own = OwnColumns::new();
    for (name, value) in records
        .iter()
        .flat_map(|record| record.row.outcome.own.iter())
    {
        if !own.contains_key(name) {
            let column = OwnColumn {
                kind: value.kind(),
                unit: String::new(),
                doc: String::new(),
            };
            own.insert(name.to_owned(), column);
        }
    }
    own
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
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
    use crate::solver::Value;

    /// Numbers of every size, and columns that are filled in some rows, in all, or in none.
    fn row(index: u64) -> Row {
        let endings = ["absorbed", "censored", "exhausted", "solved"];
        let ending = Ending::from_name(endings[(index % 7 % 4) as usize]);
        let mut outcome = Outcome::ended(ending.expect("its name"));
        for (position, column) in COLUMNS.iter().enumerate() {
            let position = position as u64;
            let is_filled = index % 3 < position % 4 || position.is_multiple_of(5);
            match column.field {
                Field::Count(_, put) if is_filled => {
                    let number = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    *put(&mut outcome) = Some(number >> (1 + position * 5 % 63));
                }
                Field::Board(_, put) if is_filled => {
                    let queen = |x: u64| (index / 5 * x % 9) as u32;
                    *put(&mut outcome) = Some((0..=index % 6).map(queen).collect());
                }
                _ => {}
            }
        }
        Row {
            seed: i64::MAX as u64 - index / 1000,
            trial: (index % 1000) as u32,
            cutoff: 1 << (index % 63),
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
            let later = Rows {
                range: length / 3..length,
                ..compact
            };
            for column in COLUMNS {
                let own = || rows[length / 3..].iter().map(|row| &row.outcome);
                let filled = own().filter(|it| column.is_filled(it)).count();
                assert_eq!(later.filled(column.name), filled, "{}", column.name);
                if let Some(counts) = later.count(column.name) {
                    assert!(own().map(|it| column.count(it)).eq(counts.iter().copied()));
                }
            }
        }
    }

    /// The unknown column is one that a newer program might write.
    /// A known one of another type is refused by name.
    #[test]
    fn a_column_that_is_not_known_is_not_read() {
        let point = Point::new("pair", [("n", Value::Integer(8))]);
        let record = Record::bare(&Arc::new(point), 0);
        let with = |column: Column| {
            let none = OwnColumns::new();
            let part = schema::part(
                &Axes::default(),
                &none,
                false,
                std::slice::from_ref(&record),
            );
            let mut frame = part.expect("our own columns");
            frame.with_column(column).expect("as many rows");
            let mut bytes = Vec::new();
            let writer = ParquetWriter::new(&mut bytes);
            writer.finish(&mut frame).expect("written to memory");
            Rows::by_point(
                Table::of_bytes(bytes, 1, None).expect("a table of this schema"),
                &none,
            )
        };
        let points = with(Column::new("of_tomorrow".into(), [7_u64]));
        let points = points.expect("as before");
        assert!(points[0].rows.iter().eq([record.row.clone()]));
        let error = with(Column::new("moves".into(), [7_i32]));
        let error = error.expect_err("another type").to_string();
        assert!(error.contains("moves"), "{error}");
    }
}
