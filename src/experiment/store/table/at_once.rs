//! Several tables written from the same records in one pass.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};

use polars::error::{PolarsError, PolarsResult};

use super::{MOST_IN_COURSES, TableRow, Writer};
use crate::experiment::store::{Record, StoreError};

/// Records that are handed over together, unless their courses are long.
const BATCH: usize = 1 << 13;

/// Batches that wait for a table to be written, beside the one that is being written.
const WAITING: usize = 1;

/// A table that records are written to.
pub trait Output: Send {
    /// Adds what the table has of a record.
    ///
    /// # Errors
    /// As [`Writer::write`].
    fn write(&mut self, record: &Record) -> PolarsResult<()>;

    /// Ends the table; returns the number of its rows.
    ///
    /// # Errors
    /// As [`Writer::finish`].
    fn finish(self: Box<Self>) -> PolarsResult<u64>;
}

impl<R: TableRow, W: Write + Send> Output for Writer<R, W> {
    fn write(&mut self, record: &Record) -> PolarsResult<()> {
        self.write(record)
    }

    fn finish(self: Box<Self>) -> PolarsResult<u64> {
        (*self).finish()
    }
}

/// Writes the records into each of the tables and ends it: each table is written on a thread of its
/// own, so that rows are encoded while further ones are read. Returns the rows of each.
///
/// # Errors
/// Of a table that cannot be written, what `encoded` makes of it; else that of the records.
pub fn write_at_once(
    tables: Vec<Box<dyn Output + '_>>,
    encoded: &dyn Fn(PolarsError) -> StoreError,
    mut records: impl Iterator<Item = Result<Record, StoreError>>,
) -> Result<Vec<u64>, StoreError> {
    thread::scope(|scope| {
        let started = tables.into_iter().map(|table| start(scope, table));
        let started = started.collect::<io::Result<Vec<_>>>();
        let (senders, threads): (Vec<_>, Vec<_>) = started
            .map_err(|error| encoded(error.into()))?
            .into_iter()
            .unzip();
        let mut failed = None;
        loop {
            let batch = next_batch(&mut records).unwrap_or_else(|error| {
                failed = Some(error);
                Vec::new()
            });
            let batch = Arc::new(batch);
            let give = |table: &SyncSender<_>| table.send(Arc::clone(&batch)).is_ok();
            // A table that takes no more has failed, which it says at its end.
            if batch.is_empty() || !senders.iter().all(give) {
                break;
            }
        }
        drop(senders);
        let join = |thread: ScopedJoinHandle<_>| {
            let ended = thread.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let ended: Vec<PolarsResult<u64>> = threads.into_iter().map(join).collect();
        let rows = ended.into_iter().collect::<PolarsResult<_>>();
        let rows = rows.map_err(encoded)?;
        failed.map_or(Ok(rows), Err)
    })
}

type Batch = Arc<Vec<Record>>;

fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    mut table: Box<dyn Output + 'scope>,
) -> io::Result<(
    SyncSender<Batch>,
    ScopedJoinHandle<'scope, PolarsResult<u64>>,
)> {
    let (sender, batches): (_, Receiver<Batch>) = sync_channel(WAITING);
    let write = move || {
        for batch in batches {
            batch.iter().try_for_each(|record| table.write(record))?;
        }
        table.finish()
    };
    let thread = thread::Builder::new().spawn_scoped(scope, write)?;
    Ok((sender, thread))
}

/// Some records; none after the last.
fn next_batch(
    records: &mut impl Iterator<Item = Result<Record, StoreError>>,
) -> Result<Vec<Record>, StoreError> {
    let (mut batch, mut entries) = (Vec::new(), 0);
    while batch.len() < BATCH && entries < MOST_IN_COURSES {
        let Some(record) = records.next().transpose()? else {
            break;
        };
        entries += record.course.entries();
        batch.push(record);
    }
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::store::table::{Axes, GROUP};
    use crate::experiment::store::{Point, schema};

    fn records(trials: u32) -> Vec<Record> {
        let point = Arc::new(Point::new("pair", []));
        (0..trials)
            .map(|trial| Record::bare(&point, trial))
            .collect()
    }

    fn encoded(error: PolarsError) -> StoreError {
        StoreError::format("table".as_ref(), error)
    }

    fn outputs(files: &mut [Vec<u8>; 2]) -> Vec<Box<dyn Output + '_>> {
        let axes = Axes::default();
        let [trials, timings] = files;
        let trials = Writer::new(schema::trials(), &axes, trials).expect("a vector");
        let timings = Writer::new(schema::timings(), &axes, timings).expect("a vector");
        vec![Box::new(trials), Box::new(timings)]
    }

    /// Two row groups and a piece.
    #[test]
    fn tables_have_the_bytes_that_each_has_alone() {
        let records = records(2 * GROUP as u32 + 5);
        let (mut files, mut alone) = <([Vec<u8>; 2], [Vec<u8>; 2])>::default();
        let written = write_at_once(
            outputs(&mut files),
            &encoded,
            records.iter().cloned().map(Ok),
        );
        let rows = records.len() as u64;
        assert_eq!(written.expect("vectors can be written"), [rows, rows]);
        for mut table in outputs(&mut alone) {
            for record in &records {
                table.write(record).expect("a vector");
            }
            table.finish().expect("a vector");
        }
        assert!(files == alone);
    }

    /// Of which nothing can be written.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is full"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_table_that_cannot_be_written_ends_all_with_its_error() {
        let writer = Writer::new(schema::part(), &Axes::default(), Full).expect("a writer");
        let mut taken = 0;
        let record = records(1).swap_remove(0);
        let endless = (0..).map(|trial| {
            taken += 1;
            let mut record = record.clone();
            record.row.trial = trial;
            Ok(record)
        });
        let written = write_at_once(vec![Box::new(writer)], &encoded, endless);
        let error = written.expect_err("nothing can be written").to_string();
        assert!(error.contains("the disk is full"), "{error}");
        assert!(taken <= 8 * BATCH, "{taken} records were taken");
    }

    #[test]
    fn what_the_rows_come_from_may_fail() {
        let mut files = Default::default();
        let damaged = Err(encoded(PolarsError::ComputeError("damaged".into())));
        let records = records(3).into_iter().map(Ok).chain([damaged]);
        let written = write_at_once(outputs(&mut files), &encoded, records);
        let error = written.expect_err("the rows have an error").to_string();
        assert!(error.contains("damaged"), "{error}");
    }
}
