//! The rows of complete runs, point by point: a range of the columns of a table, which share it. A
//! column of numbers is read when it is first asked for (`columns`); a [`Row`] is made when it is
//! asked for. Read alone: no run writes or takes over by what is here.

mod columns;

mod counts;

mod runs;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use polars::prelude::{PolarsError, PolarsResult};

use self::columns::SharedColumns;
pub(crate) use self::counts::{Counts, MISSING};
use crate::experiment::store::table::{Axes, Table, TableFile};
use crate::experiment::store::{OwnColumn, OwnColumns, Point, Record, Row, schema};
use crate::solver::course::Course;
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::{Ending, Outcome};

/// Rows that are read and never changed; a clone shares them.
#[derive(Clone)]
pub struct Rows {
    columns: Arc<SharedColumns>,
    range: Range<usize>,
}

impl Rows {
    /// The rows of each point of a `trials.parquet`, with these columns that algorithms have for
    /// themselves.
    ///
    /// # Errors
    /// A column that is missing, of another type, or without a value where each row has one.
    pub fn by_point(table: Table, own: &OwnColumns) -> PolarsResult<Vec<PointTrials>> {
        let columns = SharedColumns::of(&table, own)?;
        Ok(Self::of_points(columns, table.points))
    }

    /// The same of a file: of its columns those are in memory that are asked for.
    ///
    /// # Errors
    /// Those of [`Rows::by_point`], and bytes that are no table.
    pub fn of_file(file: TableFile, own: &OwnColumns) -> PolarsResult<Vec<PointTrials>> {
        let mut points = Vec::new();
        let columns = SharedColumns::of_file(file, own, |table, rows| {
            add_points(&mut points, table, rows);
        })?;
        Ok(Self::of_points(columns, points))
    }

    /// The same of a file of which columns are read and looked at when they are asked for: whoever
    /// has used the rows asks whether one was `refused`.
    ///
    /// # Errors
    /// Those of [`Rows::of_file`] in the columns that every figure needs.
    pub fn on_demand(file: TableFile, own: &OwnColumns) -> PolarsResult<Vec<PointTrials>> {
        let mut points = Vec::new();
        let columns = SharedColumns::on_demand(file, own, |table, rows| {
            add_points(&mut points, table, rows);
        })?;
        Ok(Self::of_points(columns, points))
    }

    /// Why a column of the run that was asked for is refused: what was made of it says nothing.
    pub(crate) fn refused(&self) -> Option<&PolarsError> {
        self.columns.refused()
    }

    fn of_points(columns: SharedColumns, points: Vec<(Point, Range<usize>)>) -> Vec<PointTrials> {
        let columns = Arc::new(columns);
        let of_point = |(point, range)| PointTrials {
            point,
            rows: Self {
                columns: Arc::clone(&columns),
                range,
            },
        };
        points.into_iter().map(of_point).collect()
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
        let (seed, trial) = self.trial(at);
        let at = self.range.start + at;
        let columns = &self.columns;
        let mut outcome = Outcome::ended(columns.endings[at]);
        for (index, column) in COLUMNS.iter().enumerate() {
            match column.field {
                Field::Count(_, put) => {
                    let counts = columns.counts(index);
                    *put(&mut outcome) = counts.and_then(|counts| counts.get(at));
                }
                Field::Board(_, put) if has_board => *put(&mut outcome) = columns.board(index, at),
                Field::Board(..) | Field::Own(_) => {}
            }
        }
        for (name, value) in columns.own_values(at) {
            outcome.own.set(name.to_owned(), value);
        }
        Row {
            seed,
            trial,
            cutoff: columns.cutoffs.at(at),
            outcome,
        }
    }

    /// Seed and index of the trial of the row at an index, which must be there.
    pub fn trial(&self, at: usize) -> (u64, u32) {
        self.columns.trial(self.range.start + at)
    }

    /// The name of the dynamics of the first row, in which all rows of a point were run; `None` of
    /// searches.
    pub(crate) fn dynamics(&self) -> Option<&str> {
        self.columns.dynamics(self.range.start)
    }

    /// The cutoff of every row, once for rows of the same that follow each other.
    pub(crate) fn cutoffs(&self) -> impl Iterator<Item = u64> + use<'_> {
        self.columns.cutoffs.of(self.range.clone())
    }

    /// The least cutoff of the rows; `None` where there is none.
    pub(crate) fn least_cutoff(&self) -> Option<u64> {
        self.cutoffs().min()
    }

    /// The ending of every row.
    pub(crate) fn endings(&self) -> &[Ending] {
        &self.columns.endings[self.range.clone()]
    }

    /// The whole number of every row in the column of this name; `None` where no row of the run has
    /// one.
    pub(crate) fn count(&self, name: &str) -> Option<Counts<'_>> {
        let counts = self.columns.counts_named(name)?;
        Some(counts.of(self.range.clone()))
    }

    /// True if every row has a whole number in the column of this name.
    pub(crate) fn are_counted(&self, name: &str) -> bool {
        self.columns.are_counted(name, self.range.clone())
    }

    /// The real number of every row in an own column of this name; `None` where no row of the run
    /// has one.
    pub(crate) fn reals(&self, name: &str) -> Option<&[Option<f64>]> {
        Some(&self.columns.reals_named(name)?[self.range.clone()])
    }

    /// True if an algorithm of the run has a column of this name for itself.
    pub(crate) fn has_own(&self, name: &str) -> bool {
        self.columns.has_own(name)
    }

    /// The names of the columns that algorithms of the run have for themselves.
    pub(crate) fn own_names(&self) -> impl Iterator<Item = &str> {
        self.columns.own_names()
    }

    /// The names of the own columns of numbers of which a row here has a value.
    pub(crate) fn own_numbers(&self) -> impl Iterator<Item = &str> {
        let names = self.columns.own_numbers();
        names.filter(move |name| self.filled(name) > 0)
    }

    /// How many rows have a value in the column of this name.
    pub(crate) fn filled(&self, name: &str) -> usize {
        self.columns.filled(name, self.range.clone())
    }
}

/// All rows of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTrials {
    /// What was run.
    pub point: Point,
    /// The rows of its trials.
    pub rows: Rows,
}

/// The wall-clock times of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTimings {
    /// What was run.
    pub point: Point,
    /// The rows of its trials.
    pub rows: Rows,
    /// The wall-clock times of each trial's repeats, in seconds.
    pub seconds: Vec<Vec<f64>>,
}

/// The trials of one point, ordered by seed, then trial, each with its course.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCourses {
    /// What was run.
    pub point: Point,
    /// The rows and courses of its trials.
    pub trials: Vec<(Row, Course)>,
}

impl PointCourses {
    /// Trials that were cut off: what they wrote down ends there.
    pub fn cut_off(&self) -> usize {
        let ends = self.trials.iter().map(|(row, _)| row.outcome.ending);
        ends.filter(|ending| ending.is_cut_off()).count()
    }
}

/// Adds the points of a piece of a table, which has these of its rows; one that began in the piece
/// before goes on.
fn add_points(points: &mut Vec<(Point, Range<usize>)>, piece: &Table, rows: Range<usize>) {
    for (point, range) in &piece.points {
        let end = rows.start + range.end;
        match points.last_mut() {
            Some((last, range)) if last == point => range.end = end,
            _ => points.push((point.clone(), rows.start + range.start..end)),
        }
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
        let table = part.and_then(Table::of);
        let columns = table.and_then(|table| SharedColumns::of(&table, &own));
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
    use polars::prelude::{Column, ParquetWriter};
    use rayon::prelude::*;

    use super::*;
    use crate::experiment::store::schema::TRIALS;
    use crate::experiment::store::table::{self, GROUP};
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
                    assert!(own().map(|it| column.count(it)).eq(counts.iter()));
                }
            }
        }
    }

    /// Rows of a file that is read in pieces, a point across the border of two, are those of the
    /// table that is read at once; on threads that ask for the same columns, too.
    #[test]
    fn rows_of_a_file_are_those_of_its_table() {
        let n_rows = (1 << 18) + 5;
        let points = [8, 9].map(|n| Arc::new(Point::new("pair", [("n", Value::Integer(n))])));
        let record = |index: u64| Record {
            row: row(index),
            ..Record::bare(&points[usize::from(index > 1000)], 0)
        };
        let records: Vec<Record> = (0..n_rows).map(record).collect();
        let axes = Axes::of(points.iter().map(|point| &**point));
        let none = OwnColumns::new();
        let part = schema::part(&axes, &none, false, &records).expect("our own columns");
        let rows = schema::rows_in(TRIALS, &part).expect("a part");
        let mut bytes = Vec::new();
        let written = table::write(&rows.clear(), [Ok(rows)], GROUP, None, &mut bytes);
        written.expect("a vector can be written");
        let file = || TableFile::of(bytes.clone(), n_rows, None).expect("our own bytes");
        let at_once = file().read(0..n_rows as usize).expect("our own bytes");
        let at_once = Rows::by_point(at_once, &none).expect("our own columns");
        let in_pieces = Rows::of_file(file(), &none).expect("our own columns");
        assert_same(&in_pieces, &at_once);
        let on_demand = Rows::on_demand(file(), &none).expect("our own columns");
        assert_same(&on_demand, &at_once);
        assert!(on_demand[0].rows.refused().is_none());
    }

    /// The rows of a file and those of its table, which has two points.
    fn assert_same(in_pieces: &[PointTrials], at_once: &[PointTrials]) {
        assert_eq!((in_pieces.len(), at_once.len()), (2, 2));
        let pairs = in_pieces.iter().zip(at_once);
        let all = (0..8).flat_map(|_| pairs.clone());
        all.collect::<Vec<_>>()
            .into_par_iter()
            .for_each(|(in_pieces, at_once)| {
                assert_eq!(in_pieces.point, at_once.point);
                for column in COLUMNS {
                    let name = column.name;
                    assert_eq!(in_pieces.rows.filled(name), at_once.rows.filled(name));
                    let counts = |rows: &Rows| Some(rows.count(name)?.iter().collect::<Vec<_>>());
                    assert!(counts(&in_pieces.rows) == counts(&at_once.rows), "{name}");
                }
                assert!(in_pieces.rows.cutoffs().eq(at_once.rows.cutoffs()));
                assert_eq!(in_pieces.rows.endings(), at_once.rows.endings());
                assert_eq!(in_pieces.rows.dynamics(), at_once.rows.dynamics());
            });
        for (in_pieces, at_once) in pairs {
            assert!(in_pieces.rows == at_once.rows, "{}", at_once.point);
        }
        assert!(in_pieces[0].rows.iter().eq((0..=1000).map(row)));
    }

    /// A column that it cannot be is refused when the file is read whole, and on demand as soon as
    /// it is asked for, not before.
    #[test]
    fn a_wrong_column_is_refused_when_it_is_asked_for() {
        let point = Arc::new(Point::new("pair", [("n", Value::Integer(8))]));
        let record = |index: u64| Record {
            row: row(index),
            ..Record::bare(&point, 0)
        };
        let records: Vec<Record> = (0..20).map(record).collect();
        let none = OwnColumns::new();
        let axes = Axes::of([&*point]);
        let part = schema::part(&axes, &none, false, &records).expect("our own columns");
        let mut rows = schema::rows_in(TRIALS, &part).expect("a part");
        let texts = Column::new("moves".into(), vec!["many"; records.len()]);
        rows.with_column(texts).expect("as many rows");
        let mut bytes = Vec::new();
        let written = table::write(&rows.clear(), [Ok(rows)], GROUP, None, &mut bytes);
        written.expect("a vector can be written");
        let file = || TableFile::of(bytes.clone(), 20, None).expect("our own bytes");

        assert!(Rows::of_file(file(), &none).is_err());
        let points = Rows::on_demand(file(), &none).expect("what every figure needs is right");
        let rows = &points[0].rows;
        assert!(rows.count("absorption_time").is_some() && rows.refused().is_none());
        let _ = rows.count("moves");
        let refused = rows.refused().expect("it was asked for").to_string();
        assert!(refused.contains("moves"), "{refused}");
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
