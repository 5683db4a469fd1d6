//! Many sorted tables read as one, in memory that depends on the number of tables, not of rows.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::path::PathBuf;
use std::vec::IntoIter;

use super::checked::CheckedFile;
use super::folder::table_error;
use super::table::{FurtherColumns, MOST_IN_COURSES, TableReader};
use super::{PointKey, Record, StoreError};
use crate::solver::Ending;

/// A table whose bytes were checked, and where it comes from.
pub struct Source {
    path: PathBuf,
    reader: TableReader<CheckedFile>,
    batch: IntoIter<Record>,
}

impl Source {
    /// A reader of `path`, of which nothing has been read yet.
    pub(super) fn new(path: PathBuf, reader: TableReader<CheckedFile>) -> Self {
        Self {
            path,
            reader,
            batch: Vec::new().into_iter(),
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

    /// The next row; `None` after the last.
    ///
    /// # Errors
    /// A table of another schema.
    fn pull(&mut self) -> Result<Option<Record>, StoreError> {
        if let Some(record) = self.batch.next() {
            return Ok(Some(record));
        }
        self.batch = self.pull_batch()?.unwrap_or_default().into_iter();
        Ok(self.batch.next())
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
pub fn merge(
    sources: Vec<Source>,
    batch: usize,
    sink: &mut dyn FnMut(&[Record]) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    merge_some(sources, &|_| true, batch, sink)
}

/// As [`merge`], with the rows of some points alone.
///
/// # Errors
/// As [`merge`].
pub(super) fn merge_some(
    mut sources: Vec<Source>,
    is_wanted: &dyn Fn(&PointKey) -> bool,
    batch: usize,
    sink: &mut dyn FnMut(&[Record]) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    let mut heads = BinaryHeap::new();
    for (index, source) in sources.iter_mut().enumerate() {
        heads.extend(source.pull()?.map(|record| {
            Reverse(Head {
                record,
                source: index,
            })
        }));
    }
    let (mut waiting, mut rows): (Vec<Record>, u64) = (Vec::with_capacity(batch), 0);
    // Observations and moves of those that wait.
    let mut in_courses = 0;
    while let Some(Reverse(Head { record, source })) = heads.pop() {
        let next = sources[source].pull()?;
        if next
            .as_ref()
            .is_some_and(|next| next.order(&record).is_le())
        {
            return Err(sources[source].error("its rows are not sorted"));
        }
        heads.extend(next.map(|record| Reverse(Head { record, source })));
        if !is_wanted(&record.point) {
            continue;
        }
        match waiting
            .last()
            .filter(|last| last.is_of_the_trial_of(&record))
        {
            Some(last) if contradicts(last, &record) => {
                return Err(sources[source].error(contradiction(&record)));
            }
            Some(last) if last.repeat == record.repeat => {}
            _ => {
                let entries = in_courses + record.course.entries();
                in_courses = entries;
                if waiting.len() == batch || (entries > MOST_IN_COURSES && !waiting.is_empty()) {
                    sink(&waiting)?;
                    waiting.clear();
                    in_courses = record.course.entries();
                }
                waiting.push(record);
                rows += 1;
            }
        }
    }
    sink(&waiting)?;
    Ok(rows)
}

/// Whether two runs of a trial differ. Runs that the clock stopped may: each has come as far as it
/// has.
fn contradicts(a: &Record, b: &Record) -> bool {
    let may_differ = a.repeat != b.repeat
        && [a, b]
            .iter()
            .any(|record| record.row.outcome.ending == Ending::TimedOut);
    (a.row != b.row || a.course != b.course) && !may_differ
}

fn contradiction(record: &Record) -> String {
    let Record { point, row, .. } = record;
    format!(
        "trial {} of seed {} at {point} has two different rows",
        row.trial, row.seed
    )
}

/// The next row of a source.
struct Head {
    record: Record,
    source: usize,
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        self.record
            .order(&other.record)
            .then(self.source.cmp(&other.source))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}
