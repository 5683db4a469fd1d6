//! Many sorted tables read as one, in memory that depends on the number of tables, not of rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;
use std::vec::IntoIter;

use super::table::{Reader, TableRow};
use super::{Place, Point, Record, StoreError};

/// The records of all tables in order, each run of a trial once. After an error nothing more is to
/// be asked.
pub struct Merged {
    sources: Vec<Source>,
    /// Which sources have a record of the point that is being read next, and where it belongs.
    heads: BinaryHeap<Reverse<(Place, usize)>>,
    /// What was read last: given when it is known that the next one does not contradict it.
    last: Option<Record>,
}

/// A table, and what was read of it.
struct Source {
    reader: Reader<Record>,
    batch: IntoIter<Record>,
    /// The record that comes next.
    head: Option<Record>,
}

impl Merged {
    /// Reads the first rows of each table.
    pub fn new(tables: Vec<Reader<Record>>) -> Result<Self, StoreError> {
        let opened = tables.into_iter().map(|reader| {
            let (batch, head) = (Vec::new().into_iter(), None);
            let mut source = Source {
                reader,
                batch,
                head,
            };
            source.pull()?;
            Ok(source)
        });
        Ok(Self {
            sources: opened.collect::<Result<_, _>>()?,
            heads: BinaryHeap::new(),
            last: None,
        })
    }

    /// The least head, and which source it is of. Points are compared as text once for each of
    /// them, and their rows as numbers.
    fn pull(&mut self) -> Result<Option<(Record, usize)>, StoreError> {
        if self.heads.is_empty() {
            let heads = self.sources.iter().filter_map(|it| it.head.as_ref());
            let points = heads.map(|head| &head.point);
            let Some(point) = points.min_by(|a, b| a.order(b)).cloned() else {
                return Ok(None);
            };
            let places = self.sources.iter().enumerate();
            let places = places.filter_map(|(at, it)| Some(Reverse((it.place_at(&point)?, at))));
            self.heads.extend(places);
        }
        let Some(mut least) = self.heads.peek_mut() else {
            return Ok(None);
        };
        let Reverse((place, at)) = &mut *least;
        let at = *at;
        let source = &mut self.sources[at];
        let Some(record) = source.pull()? else {
            return Ok(None);
        };
        // Of the record's own point, which is the same object where another one is only equal.
        match source.place_at(&record.point) {
            Some(next) => *place = next,
            None => drop(PeekMut::pop(least)),
        }
        Ok(Some((record, at)))
    }

    fn next_record(&mut self) -> Result<Option<Record>, StoreError> {
        while let Some((record, at)) = self.pull()? {
            let last = self.last.as_ref();
            match last.filter(|it| it.is_of_the_trial_of(&record)) {
                Some(last) if last.row != record.row || last.course != record.course => {
                    let reason = format!("{} has two different rows", record.trial_in_words());
                    return Err(StoreError::format(self.sources[at].reader.path(), reason));
                }
                Some(last) if last.repeat == record.repeat => {}
                _ => {
                    if let Some(last) = self.last.replace(record) {
                        return Ok(Some(last));
                    }
                }
            }
        }
        Ok(self.last.take())
    }
}

impl Iterator for Merged {
    type Item = Result<Record, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}

impl Source {
    /// The head, in whose place the next record comes; none before the first and after the last.
    fn pull(&mut self) -> Result<Option<Record>, StoreError> {
        if self.batch.as_slice().is_empty() {
            let batch = self.reader.next().transpose()?;
            self.batch = batch.unwrap_or_default().into_iter();
        }
        Ok(std::mem::replace(&mut self.head, self.batch.next()))
    }

    /// Where the head belongs among the records of this point, if it is one of them. The records of
    /// a batch share their point, so it is compared as text between batches alone.
    fn place_at(&self, point: &Arc<Point>) -> Option<Place> {
        let head = self.head.as_ref()?;
        (Arc::ptr_eq(&head.point, point) || head.point == *point).then(|| head.place())
    }
}
