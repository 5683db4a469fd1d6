//! `series.parquet` and `moves.parquet`: what the trials of a complete run wrote down of their
//! course, a row for each observation and for each move.

mod moves;
mod series;

use std::io::Write;
use std::sync::Arc;
use std::vec::IntoIter;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;

use super::decode::{Frames, points, present, unexpected};
use super::{Bytes, FurtherColumns, Keyed, PointKey, Record, TableError, batched, key_columns};
use crate::solver::course::Course;

/// Rows in a row group.
const BATCH: usize = 1 << 16;

/// What a row of one of the two tables is made of.
pub trait Entry: Copy + PartialEq + Sized {
    /// Name of the file.
    const FILE: &'static str;

    /// Whether two recordings of one trial may have them at different updates.
    const MAY_DIFFER_IN_UPDATES: bool;

    /// Those of a course.
    fn of(course: &Course) -> &[Self];

    /// Number of updates after which it is.
    fn update(&self) -> u64;

    /// Whether it may come right after the other in a course.
    fn may_follow(&self, other: &Self) -> bool;

    /// The first thing in which another one differs: its column and both values.
    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)>;

    /// The columns beside the key.
    fn columns(rows: &[EntryRow<Self>]) -> Vec<Column>;

    /// The entries of a table's rows.
    ///
    /// # Errors
    /// A table of another schema.
    fn read(frame: &DataFrame) -> PolarsResult<Vec<Self>>;
}

/// A row of one of the two tables.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryRow<E> {
    point: Arc<PointKey>,
    seed: u64,
    trial: u32,
    entry: E,
}

impl<E> Keyed for EntryRow<E> {
    fn point(&self) -> &PointKey {
        &self.point
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn trial(&self) -> u32 {
        self.trial
    }
}

/// Writes one of the two tables: its bytes depend on the rows alone, whatever records they come in.
pub struct EntryWriter<E: Entry, W: Write> {
    further: FurtherColumns,
    writer: BatchedWriter<W>,
    waiting: Vec<EntryRow<E>>,
    rows: u64,
}

impl<E: Entry, W: Write> EntryWriter<E, W> {
    /// A writer for records that need no further columns than these.
    ///
    /// # Errors
    /// Polars' own, none of which a writer that works can cause.
    pub fn new(further: &FurtherColumns, writer: W) -> PolarsResult<Self> {
        Ok(Self {
            further: further.clone(),
            writer: batched(&frame::<E>(further, &[])?, writer)?,
            waiting: Vec::new(),
            rows: 0,
        })
    }

    /// Adds the rows of a trial.
    ///
    /// # Errors
    /// Those of the writer underneath; a point with a value that its axis' column cannot hold.
    pub fn write(&mut self, record: &Record) -> PolarsResult<()> {
        for &entry in E::of(&record.course) {
            self.waiting.push(EntryRow {
                point: Arc::clone(&record.point),
                seed: record.row.seed,
                trial: record.row.trial,
                entry,
            });
            if self.waiting.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes what is left and the footer; returns the number of rows.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn finish(mut self) -> PolarsResult<u64> {
        self.flush()?;
        self.writer.finish()?;
        Ok(self.rows)
    }

    fn flush(&mut self) -> PolarsResult<()> {
        if !self.waiting.is_empty() {
            self.rows += self.waiting.len() as u64;
            self.writer
                .write_batch(&frame(&self.further, &self.waiting)?)?;
            self.waiting.clear();
        }
        Ok(())
    }
}

fn frame<E: Entry>(further: &FurtherColumns, rows: &[EntryRow<E>]) -> PolarsResult<DataFrame> {
    let mut columns = key_columns(further, rows)?;
    columns.extend(E::columns(rows));
    DataFrame::new(rows.len(), columns)
}

/// Reads one of the two tables trial by trial.
pub struct EntryReader<E, B> {
    frames: Frames<B>,
    batch: IntoIter<EntryRow<E>>,
    next: Option<EntryRow<E>>,
}

impl<E: Entry, B: Bytes> EntryReader<E, B> {
    /// A reader of checked bytes.
    ///
    /// # Errors
    /// Bytes that are no such table.
    pub fn new(source: B) -> Result<Self, TableError> {
        let mut reader = Self {
            frames: Frames::new(source, BATCH)?,
            batch: Vec::new().into_iter(),
            next: None,
        };
        reader.next = reader.pull()?;
        Ok(reader)
    }

    /// All rows of the table.
    pub fn rows(&self) -> u64 {
        self.frames.rows()
    }

    /// The trial of the next row; `None` after the last.
    pub fn trial(&self) -> Option<(&PointKey, u64, u32)> {
        let next = self.next.as_ref()?;
        Some((&next.point, next.seed, next.trial))
    }

    /// The entries of this trial, if the next row is of it; none otherwise.
    ///
    /// # Errors
    /// A table of another schema; entries that are not in the order of their updates, or there
    /// twice.
    pub fn take(&mut self, record: &Record) -> Result<Vec<E>, TableError> {
        let mut entries = Vec::new();
        let mut own = None::<Arc<PointKey>>;
        while let Some(next) = self.next.take_if(|next| {
            (next.seed, next.trial) == (record.row.seed, record.row.trial)
                && (own
                    .as_ref()
                    .is_some_and(|own| Arc::ptr_eq(own, &next.point))
                    || next.point == record.point)
        }) {
            if entries
                .last()
                .is_some_and(|last| !next.entry.may_follow(last))
            {
                let update = next.entry.update().to_string();
                return Err(unexpected("update", &update).into());
            }
            entries.push(next.entry);
            own = Some(next.point);
            self.next = self.pull()?;
        }
        Ok(entries)
    }

    fn pull(&mut self) -> Result<Option<EntryRow<E>>, TableError> {
        if let Some(row) = self.batch.next() {
            return Ok(Some(row));
        }
        let Some(frame) = self.frames.next()? else {
            return Ok(None);
        };
        let (seed, trial) = (frame.column("seed")?.u64()?, frame.column("trial")?.u32()?);
        let entries = E::read(&frame)?;
        let mut rows = Vec::with_capacity(entries.len());
        for (i, (point, entry)) in points(&frame)?.into_iter().zip(entries).enumerate() {
            rows.push(EntryRow {
                point,
                seed: present("seed", seed.get(i))?,
                trial: present("trial", trial.get(i))?,
                entry,
            });
        }
        self.batch = rows.into_iter();
        Ok(self.batch.next())
    }
}

/// The values of a column, none of them missing.
fn whole<T>(column: &str, values: impl Iterator<Item = Option<T>>) -> PolarsResult<Vec<T>> {
    values.map(|value| present(column, value)).collect()
}

/// The first pair that differs.
fn first_difference(
    pairs: Vec<(&'static str, u64, u64)>,
) -> Option<(&'static str, String, String)> {
    let (name, a, b) = pairs.into_iter().find(|(_, a, b)| a != b)?;
    Some((name, a.to_string(), b.to_string()))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::solver::Value;
    use crate::solver::course::{Observation, QueenMove};

    fn record(trial: u32, observations: u64, moves: u64) -> Record {
        let observation = |update| Observation {
            signals: 3,
            true_signals: (update % 4) as u32,
            threatened: trial,
            attacked: 4,
            safe_cells: 5,
            truly_safe_cells: 6,
            safe_moves: 7,
            conflicts: 8,
            update,
            moves: update / 2,
        };
        let queen_move = |update| QueenMove {
            update,
            from: 1,
            to: 2,
            dangerous: update % 2 == 0,
            needless: update % 3 == 0,
            deceived: update % 5 == 0,
            threatened: trial,
        };
        let point = Arc::new(PointKey::new("pair", [("n", Value::Integer(8))]));
        Record {
            course: Course {
                series: (0..observations).map(observation).collect(),
                moves: (1..=moves).map(queen_move).collect(),
            },
            ..Record::bare(&point, trial)
        }
    }

    fn bytes<E: Entry>(records: &[Record]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = EntryWriter::<E, _>::new(&FurtherColumns::default(), &mut bytes)
            .expect("a vector can be written");
        for record in records {
            writer.write(record).expect("a vector can be written");
        }
        writer.finish().expect("a vector can be written");
        bytes
    }

    fn read<E: Entry>(bytes: Vec<u8>, records: &[Record]) -> Vec<Vec<E>> {
        let mut reader = EntryReader::<E, _>::new(Cursor::new(bytes)).expect("our own file");
        let taken = records
            .iter()
            .map(|record| reader.take(record).expect("our own file"))
            .collect();
        assert_eq!(reader.trial(), None, "every row is of a trial");
        taken
    }

    /// A trial across the border of a row group, and trials without a row.
    #[test]
    fn what_was_written_is_read_trial_by_trial() {
        let moves = BATCH as u64 + 7;
        let records = [
            record(0, 0, 5),
            record(1, 3, 0),
            record(2, 3, moves),
            record(4, 0, 0),
            record(7, 2, 1),
        ];
        let series = read::<Observation>(bytes::<Observation>(&records), &records);
        let moves = read::<QueenMove>(bytes::<QueenMove>(&records), &records);
        for (record, (series, moves)) in records.iter().zip(series.into_iter().zip(moves)) {
            assert!(record.course == Course { series, moves });
        }
    }

    /// At a point of one trial the rows of two seeds are neighbours with the same number.
    #[test]
    fn neighbours_differ_in_the_seed_or_in_the_point_alone() {
        let first = record(0, 2, 3);
        let (mut seed, mut point) = (record(0, 3, 1), record(0, 1, 2));
        seed.row.seed = 2;
        point.row.seed = 2;
        point.point = Arc::new(PointKey::new("pair", [("n", Value::Integer(9))]));
        let records = [first, seed, point];
        let taken = read::<QueenMove>(bytes::<QueenMove>(&records), &records);
        let own = records.iter().map(|record| &record.course.moves);
        assert!(own.eq(&taken));
    }

    #[test]
    fn a_share_that_no_count_gives_is_refused() {
        let mut odd = record(0, 1, 0);
        odd.course.series[0].signals = 0;
        odd.course.series[0].true_signals = 0;
        let whole = bytes::<Observation>(&[odd.clone()]);
        let mut frame = ParquetReader::new(Cursor::new(whole.clone()))
            .finish()
            .expect("our own file");
        assert_eq!(
            frame.column("true_signals").unwrap().f64().unwrap().get(0),
            Some(1.0)
        );
        assert_eq!(
            read::<Observation>(whole, &[odd.clone()]),
            [odd.course.series]
        );
        let half = Column::new("true_signals".into(), [0.4]);
        frame.with_column(half).expect("as many rows");
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .finish(&mut frame)
            .expect("written to memory");
        assert!(EntryReader::<Observation, _>::new(Cursor::new(bytes)).is_err());
    }

    /// Columns and types, in the order of the file, as the documentation has them.
    #[test]
    fn the_documentation_has_every_column() {
        fn assert_documented<E: Entry>() {
            let key = key_columns::<EntryRow<E>>(&FurtherColumns::default(), &[]);
            let key = key.expect("no rows").len();
            let frame = frame::<E>(&FurtherColumns::default(), &[]).expect("no rows");
            let columns = frame.columns().iter().skip(key).map(|column| {
                let kind = match column.dtype() {
                    DataType::Boolean => "bool".to_owned(),
                    DataType::UInt32 => "u32".to_owned(),
                    other => other.to_string(),
                };
                (column.name().to_string(), kind)
            });
            let text = include_str!("../../../../docs/data.md");
            let start = format!("`{}` has a row for each", E::FILE);
            let section = text.split(&start).nth(1).expect("a section on the file");
            let table = section.lines().skip_while(|line| !line.starts_with("|---"));
            let lines = table.skip(1).take_while(|line| line.starts_with('|'));
            let documented = lines.flat_map(|line| {
                let mut cells = line.split('|').skip(1).map(str::trim);
                let (names, kind) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
                let name = |name: &str| (name.trim_matches('`').to_owned(), kind.to_owned());
                names.split(", ").map(name).collect::<Vec<_>>()
            });
            assert!(columns.eq(documented), "{}", E::FILE);
        }
        assert_documented::<Observation>();
        assert_documented::<QueenMove>();
    }
}
