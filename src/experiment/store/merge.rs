//! Many sorted tables read as one, in memory that depends on the number of tables, not of rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::path::PathBuf;
use std::sync::Arc;
use std::vec::IntoIter;

use super::checked::CheckedFile;
use super::folder::table_error;
use super::table::{FurtherColumns, MOST_IN_COURSES, TableReader};
use super::{Place, PointKey, Record, StoreError};

/// A table whose bytes were checked, and where it comes from.
pub struct Source {
    path: PathBuf,
    reader: TableReader<CheckedFile>,
    batch: IntoIter<Record>,
    /// The row that comes next, once reading has begun.
    head: Option<Record>,
}

impl Source {
    /// A reader of `path`, of which nothing has been read yet.
    pub(super) fn new(path: PathBuf, reader: TableReader<CheckedFile>) -> Self {
        Self {
            path,
            reader,
            batch: Vec::new().into_iter(),
            head: None,
        }
    }

    /// The columns beyond those of every table.
    pub fn further(&self) -> &FurtherColumns {
        self.reader.further()
    }

    /// The same rows, their courses left unread and empty.
    #[must_use]
    pub(super) fn without_courses(self) -> Self {
        Self {
            reader: self.reader.without_courses(),
            ..self
        }
    }

    /// The next rows, those of one row group; `None` after the last.
    ///
    /// # Errors
    /// A file that cannot be read; a table of another schema.
    pub(super) fn pull_batch(&mut self) -> Result<Option<Vec<Record>>, StoreError> {
        self.reader
            .next_batch()
            .map_err(|error| table_error(&self.path, error))
    }

    /// The head, in whose place the next row comes; none before the first and after the last.
    ///
    /// # Errors
    /// A table of another schema, or whose rows are not sorted.
    fn pull(&mut self) -> Result<Option<Record>, StoreError> {
        if self.batch.as_slice().is_empty() {
            self.batch = self.pull_batch()?.unwrap_or_default().into_iter();
        }
        Ok(std::mem::replace(&mut self.head, self.batch.next()))
    }

    /// Where the head belongs among the rows of this point, if it is one of them. The rows of a
    /// batch share their point, so it is compared as text between batches alone.
    fn place_at(&self, point: &Arc<PointKey>) -> Option<Place> {
        let head = self.head.as_ref()?;
        (Arc::ptr_eq(&head.point, point) || head.point == *point).then(|| head.place())
    }

    fn error(&self, reason: impl ToString) -> StoreError {
        StoreError::Format {
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }
}

/// The columns of any source beyond those of every table.
pub fn further(sources: &[Source]) -> FurtherColumns {
    FurtherColumns::of_all(sources.iter().map(|source| source.further().clone()))
}

/// Passes the rows of all sources to `sink` in order, each run of a trial once, `batch` of them at
/// a time (fewer where their courses are long) and at last the rest; returns their number.
///
/// # Errors
/// A source that is not sorted; two different rows of one trial; those of a source or the sink.
pub fn merge(mut sources: Vec<Source>, batch: usize, sink: &mut Sink) -> Result<u64, StoreError> {
    for source in &mut sources {
        source.pull()?;
    }
    let mut outlet = Outlet::new(batch, sink);
    // Points are compared as text once for each of them, and their rows as numbers.
    while let Some(point) = least_point(&sources) {
        merge_point(&mut sources, &point, &mut |record, source| {
            outlet.put(record, source)
        })?;
    }
    outlet.finish()
}

/// Takes rows of a table, some thousands at a time.
pub type Sink<'a> = dyn FnMut(Vec<Record>) -> Result<(), StoreError> + 'a;

/// The first of the points whose rows come next.
fn least_point(sources: &[Source]) -> Option<Arc<PointKey>> {
    let points = sources
        .iter()
        .filter_map(|it| Some(&it.head.as_ref()?.point));
    points.min_by(|a, b| a.order(b)).map(Arc::clone)
}

/// Passes all rows of the point, which is that of the first rows, to `put` in order, and where each
/// comes from.
fn merge_point(
    sources: &mut [Source],
    point: &Arc<PointKey>,
    put: &mut dyn FnMut(Record, &Source) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let places = sources.iter().enumerate();
    let mut heads: BinaryHeap<Reverse<(Place, usize)>> = places
        .filter_map(|(index, source)| Some(Reverse((source.place_at(point)?, index))))
        .collect();
    while let Some(mut least) = heads.peek_mut() {
        let Reverse((place, index)) = &mut *least;
        let source = &mut sources[*index];
        let Some(record) = source.pull()? else {
            unreachable!("what is in the heap is the place of a head");
        };
        // Of the row's own point, which is the same object where this one is only equal.
        if let Some(next) = source.place_at(&record.point) {
            *place = next;
            drop(least);
        } else {
            PeekMut::pop(least);
        }
        put(record, source)?;
    }
    Ok(())
}

/// Rows in order on their way to the sink, each run of a trial once.
struct Outlet<'a, 'b> {
    batch: usize,
    waiting: Vec<Record>,
    /// Observations and moves of those that wait.
    in_courses: usize,
    rows: u64,
    sink: &'a mut Sink<'b>,
}

impl<'a, 'b> Outlet<'a, 'b> {
    fn new(batch: usize, sink: &'a mut Sink<'b>) -> Self {
        Self {
            batch,
            waiting: Vec::new(),
            in_courses: 0,
            rows: 0,
            sink,
        }
    }

    /// Adds a row, unless it is there, and passes on those before it when they are enough.
    fn put(&mut self, record: Record, source: &Source) -> Result<(), StoreError> {
        let last = self.waiting.last();
        match last.filter(|last| last.is_of_the_trial_of(&record)) {
            Some(last) if last.row != record.row || last.course != record.course => {
                return Err(source.error(contradiction(&record)));
            }
            Some(last) if last.repeat == record.repeat => return Ok(()),
            _ => {}
        }
        let entries = record.course.entries();
        let is_too_long = self.in_courses + entries > MOST_IN_COURSES && !self.waiting.is_empty();
        if self.waiting.len() == self.batch || is_too_long {
            let next = Vec::with_capacity(self.waiting.len());
            (self.sink)(std::mem::replace(&mut self.waiting, next))?;
            self.in_courses = 0;
        }
        self.in_courses += entries;
        self.waiting.push(record);
        self.rows += 1;
        Ok(())
    }

    /// Passes on the rest; returns the number of all rows.
    fn finish(self) -> Result<u64, StoreError> {
        (self.sink)(self.waiting)?;
        Ok(self.rows)
    }
}

fn contradiction(record: &Record) -> String {
    let Record { point, row, .. } = record;
    format!(
        "trial {} of seed {} at {point} has two different rows",
        row.trial, row.seed
    )
}
