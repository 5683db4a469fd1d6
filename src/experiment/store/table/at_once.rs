//! Several tables written from the same rows in one pass.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};

use polars::error::{PolarsError, PolarsResult};

use super::TableWriter;
use crate::experiment::store::merge::Sink;
use crate::experiment::store::{Record, StoreError};

/// Batches that wait for a table to be written, beside the one that is being written.
const WAITING: usize = 1;

/// Writes the rows that `fill` gives into each table and ends it: `fill` runs on this thread and
/// each table is written on one of its own, so that rows are encoded while further ones are read.
/// Returns what `fill` does.
///
/// # Errors
/// Of a table that cannot be written, what `encoded` makes of it; else those of `fill`.
pub fn write_at_once<W: Write + Send>(
    writers: Vec<TableWriter<W>>,
    encoded: &dyn Fn(PolarsError) -> StoreError,
    fill: impl FnOnce(&mut Sink) -> Result<u64, StoreError>,
) -> Result<u64, StoreError> {
    thread::scope(|scope| {
        let started = writers
            .into_iter()
            .map(|writer| Table::start(scope, writer));
        let tables = started.collect::<io::Result<Vec<_>>>();
        let tables = tables.map_err(|error| encoded(error.into()))?;
        let filled = fill(&mut |batch| {
            let batch = Arc::new(batch);
            let mut given = tables.iter().map(|table| table.give(&batch));
            given.all(|given| given).then_some(()).ok_or_else(|| {
                // The table's own error, below, takes the place of this one.
                encoded(PolarsError::ComputeError("not all rows were taken".into()))
            })
        });
        let ended = tables.into_iter().map(Table::end).collect::<Vec<_>>();
        ended
            .into_iter()
            .collect::<PolarsResult<()>>()
            .map_err(encoded)?;
        filled
    })
}

/// A table that a thread writes.
struct Table<'scope> {
    batches: SyncSender<Arc<Vec<Record>>>,
    thread: ScopedJoinHandle<'scope, PolarsResult<()>>,
}

impl<'scope> Table<'scope> {
    fn start<W: Write + Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        writer: TableWriter<W>,
    ) -> io::Result<Self> {
        let (batches, received) = sync_channel(WAITING);
        let write = move || write_all(writer, &received);
        let thread = thread::Builder::new().spawn_scoped(scope, write)?;
        Ok(Self { batches, thread })
    }

    /// Whether the rows will be written: not after an error.
    fn give(&self, batch: &Arc<Vec<Record>>) -> bool {
        self.batches.send(Arc::clone(batch)).is_ok()
    }

    fn end(self) -> PolarsResult<()> {
        drop(self.batches);
        self.thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn write_all<W: Write>(
    mut writer: TableWriter<W>,
    batches: &Receiver<Arc<Vec<Record>>>,
) -> PolarsResult<()> {
    batches.iter().try_for_each(|batch| writer.write(&batch))?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::store::PointKey;
    use crate::experiment::store::table::{FurtherColumns, Layout};

    fn records(trials: u32) -> Vec<Record> {
        let point = Arc::new(PointKey::new("pair", []));
        (0..trials)
            .map(|trial| Record::bare(&point, trial))
            .collect()
    }

    fn encoded(error: PolarsError) -> StoreError {
        StoreError::Format {
            path: "table".into(),
            reason: error.to_string(),
        }
    }

    fn writer(layout: Layout, file: &mut Vec<u8>) -> TableWriter<&mut Vec<u8>> {
        TableWriter::new(layout, &FurtherColumns::default(), file).expect("a vector")
    }

    /// Two row groups and a piece.
    #[test]
    fn tables_have_the_bytes_that_each_has_alone() {
        let layouts = [Layout::Trials, Layout::Timings];
        let batch = Layout::Trials.batch();
        let records = records(2 * batch as u32 + 5);
        let mut files: [Vec<u8>; 2] = Default::default();
        let writers = files.iter_mut().zip(layouts);
        let writers = writers.map(|(file, layout)| writer(layout, file));
        let written = write_at_once(writers.collect(), &encoded, |sink| {
            let mut batches = records.chunks(batch);
            batches.try_for_each(|batch| sink(batch.to_vec()))?;
            Ok(7)
        });
        assert_eq!(written.expect("vectors can be written"), 7);
        for (file, layout) in files.iter().zip(layouts) {
            let mut alone = Vec::new();
            let mut writer = writer(layout, &mut alone);
            for batch in records.chunks(batch) {
                writer.write(batch).expect("a vector");
            }
            writer.finish().expect("a vector");
            assert!(*file == alone);
        }
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
        let writer = TableWriter::new(Layout::Part, &FurtherColumns::default(), Full);
        let mut taken = 0;
        let written = write_at_once(vec![writer.expect("a writer")], &encoded, |sink| {
            while taken < 1000 {
                sink(records(3))?;
                taken += 1;
            }
            Ok(taken)
        });
        let error = written.expect_err("nothing can be written").to_string();
        assert!(error.contains("the disk is full"), "{error}");
        assert!(taken <= 2 + WAITING as u64, "{taken} batches were taken");
    }

    #[test]
    fn what_the_rows_come_from_may_fail() {
        let mut file = Vec::new();
        let writer = TableWriter::new(Layout::Part, &FurtherColumns::default(), &mut file);
        let writers = vec![writer.expect("a writer")];
        let written = write_at_once(writers, &encoded, |sink| {
            sink(records(3))?;
            Err(encoded(PolarsError::ComputeError("damaged".into())))
        });
        let error = written.expect_err("the rows have an error").to_string();
        assert!(error.contains("damaged"), "{error}");
    }
}
