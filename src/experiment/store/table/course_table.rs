//! `series.parquet` and `moves.parquet`: what the trials of a complete run wrote down of their
//! course, a row for each observation and for each move.

use std::io::Write;
use std::sync::Arc;
use std::vec::IntoIter;

use polars::io::mmap::MmapBytesReader;
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;

use super::decode::{Frames, points, present, unexpected};
use super::{FurtherColumns, Keyed, PointKey, Record, batched, key_columns, number};
use crate::solver::course::{Course, Observation, QueenMove};

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
pub struct EntryReader<E, R> {
    frames: Frames<R>,
    batch: IntoIter<EntryRow<E>>,
    next: Option<EntryRow<E>>,
}

impl<E: Entry, R: MmapBytesReader> EntryReader<E, R> {
    /// A reader of checked bytes.
    ///
    /// # Errors
    /// Bytes that are no such table.
    pub fn new(source: R) -> PolarsResult<Self> {
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
    /// A table of another schema.
    pub fn take(&mut self, record: &Record) -> PolarsResult<Vec<E>> {
        let mut entries = Vec::new();
        let mut own = None::<Arc<PointKey>>;
        while let Some(next) = self.next.take_if(|next| {
            (next.seed, next.trial) == (record.row.seed, record.row.trial)
                && (own
                    .as_ref()
                    .is_some_and(|own| Arc::ptr_eq(own, &next.point))
                    || next.point == record.point)
        }) {
            entries.push(next.entry);
            own = Some(next.point);
            self.next = self.pull()?;
        }
        Ok(entries)
    }

    fn pull(&mut self) -> PolarsResult<Option<EntryRow<E>>> {
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

/// The values of a column of numbers, none of them missing.
macro_rules! values {
    ($frame:expr, $name:expr, $kind:ident) => {
        $frame
            .column($name)?
            .$kind()?
            .iter()
            .map(|value| present($name, value))
            .collect::<PolarsResult<Vec<_>>>()?
    };
}

/// A count of an [`Observation`]: its column and its place.
type Count = (&'static str, fn(&mut Observation) -> &mut u32);

/// The columns between `true_signals` and `moves`, in their order.
const COUNTS: [Count; 7] = [
    ("threatened", |it| &mut it.threatened),
    ("attacked", |it| &mut it.attacked),
    ("safe_cells", |it| &mut it.safe_cells),
    ("truly_safe_cells", |it| &mut it.truly_safe_cells),
    ("safe_moves", |it| &mut it.safe_moves),
    ("conflicts", |it| &mut it.conflicts),
    ("signals", |it| &mut it.signals),
];

impl Entry for Observation {
    const FILE: &'static str = "series.parquet";
    const MAY_DIFFER_IN_UPDATES: bool = true;

    fn of(course: &Course) -> &[Self] {
        &course.series
    }

    fn update(&self) -> u64 {
        self.update
    }

    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let (mut a, mut b) = (*self, *other);
        let mut pairs = vec![
            ("update", a.update, b.update),
            ("true_signals", a.true_signals.into(), b.true_signals.into()),
        ];
        pairs.extend(COUNTS.map(|(name, of)| (name, (*of(&mut a)).into(), (*of(&mut b)).into())));
        pairs.push(("moves", a.moves, b.moves));
        first_difference(pairs)
    }

    fn columns(rows: &[EntryRow<Self>]) -> Vec<Column> {
        let mut columns = vec![
            number("update", rows, |row| row.entry.update),
            number("true_signals", rows, |row| share(&row.entry)),
        ];
        let [counts @ .., signals] = COUNTS;
        let count = |(name, of): Count| {
            let values = rows.iter().map(|row| *of(&mut row.entry.clone()));
            Column::new(name.into(), values.collect::<Vec<u32>>())
        };
        columns.extend(counts.map(count));
        columns.push(number("moves", rows, |row| row.entry.moves));
        columns.push(count(signals));
        columns
    }

    fn read(frame: &DataFrame) -> PolarsResult<Vec<Self>> {
        let (updates, moves) = (values!(frame, "update", u64), values!(frame, "moves", u64));
        let shares = values!(frame, "true_signals", f64);
        let mut entries: Vec<Self> = std::iter::zip(updates, moves)
            .map(|(update, moves)| blank(update, moves))
            .collect();
        for (name, of) in COUNTS {
            for (entry, value) in entries.iter_mut().zip(values!(frame, name, u32)) {
                *of(entry) = value;
            }
        }
        for (entry, read) in entries.iter_mut().zip(shares) {
            // The share is that of an integer below 2³², which it gives back exactly.
            entry.true_signals = (read * f64::from(entry.signals)).round() as u32;
            if share(entry) != read {
                return Err(unexpected("true_signals", &read.to_string()));
            }
        }
        Ok(entries)
    }
}

/// Share of the signals that are true; 1 where there are none.
fn share(observation: &Observation) -> f64 {
    match observation.signals {
        0 => 1.0,
        signals => f64::from(observation.true_signals) / f64::from(signals),
    }
}

/// An observation whose counts are not known yet.
fn blank(update: u64, moves: u64) -> Observation {
    Observation {
        update,
        signals: 0,
        true_signals: 0,
        threatened: 0,
        attacked: 0,
        safe_cells: 0,
        truly_safe_cells: 0,
        safe_moves: 0,
        conflicts: 0,
        moves,
    }
}

impl Entry for QueenMove {
    const FILE: &'static str = "moves.parquet";
    const MAY_DIFFER_IN_UPDATES: bool = false;

    fn of(course: &Course) -> &[Self] {
        &course.moves
    }

    fn update(&self) -> u64 {
        self.update
    }

    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let pair = |name, of: fn(&Self) -> u64| (name, of(self), of(other));
        first_difference(vec![
            pair("update", |it| it.update),
            pair("from", |it| it.from.into()),
            pair("to", |it| it.to.into()),
            pair("dangerous", |it| it.dangerous.into()),
            pair("needless", |it| it.needless.into()),
            pair("deceived", |it| it.deceived.into()),
            pair("threatened", |it| it.threatened.into()),
        ])
    }

    fn columns(rows: &[EntryRow<Self>]) -> Vec<Column> {
        vec![
            number("update", rows, |row| row.entry.update),
            number("from", rows, |row| row.entry.from),
            number("to", rows, |row| row.entry.to),
            number("dangerous", rows, |row| row.entry.dangerous),
            number("needless", rows, |row| row.entry.needless),
            number("deceived", rows, |row| row.entry.deceived),
            number("threatened", rows, |row| row.entry.threatened),
        ]
    }

    fn read(frame: &DataFrame) -> PolarsResult<Vec<Self>> {
        let updates = values!(frame, "update", u64);
        let [from, to, threatened] = [
            values!(frame, "from", u32),
            values!(frame, "to", u32),
            values!(frame, "threatened", u32),
        ];
        let [dangerous, needless, deceived] = [
            values!(frame, "dangerous", bool),
            values!(frame, "needless", bool),
            values!(frame, "deceived", bool),
        ];
        let entry = |(i, update)| Self {
            update,
            from: from[i],
            to: to[i],
            dangerous: dangerous[i],
            needless: needless[i],
            deceived: deceived[i],
            threatened: threatened[i],
        };
        Ok(updates.into_iter().enumerate().map(entry).collect())
    }
}

fn first_difference(
    pairs: Vec<(&'static str, u64, u64)>,
) -> Option<(&'static str, String, String)> {
    let (name, a, b) = pairs.into_iter().find(|(_, a, b)| a != b)?;
    Some((name, a.to_string(), b.to_string()))
}
