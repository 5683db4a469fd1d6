//! Many sorted tables read as one, in memory that depends on the number of tables, not of rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;

use super::table::{OneByOne, Reader, TableRow};
use super::{Place, Point, Record, StoreError};

/// The records of all tables in order, each run of a trial once, up to an error.
pub struct Merged {
    tables: Vec<OneByOne<Record>>,
    /// Which tables have a record of the point that is being read next, and where it belongs.
    heads: BinaryHeap<Reverse<(Place, usize)>>,
    /// What was read last: given when it is known that the next one does not contradict it.
    last: Option<Record>,
}

impl Merged {
    /// The records of these tables.
    pub fn new(tables: Vec<Reader<Record>>) -> Self {
        Self {
            tables: tables.into_iter().map(Reader::one_by_one).collect(),
            heads: BinaryHeap::new(),
            last: None,
        }
    }

    /// The least head, and which table it is of. Points are compared as text once for each of
    /// them, and their rows as numbers.
    fn pull(&mut self) -> Result<Option<(Record, usize)>, StoreError> {
        if self.heads.is_empty() {
            let heads = self.tables.iter_mut().map(OneByOne::peek);
            let heads: Vec<_> = heads.collect::<Result<_, _>>()?;
            let points = heads.iter().flatten().map(|head| &head.point);
            let Some(point) = points.min().cloned() else {
                return Ok(None);
            };
            for (at, table) in self.tables.iter_mut().enumerate() {
                let place = place_at(table, &point)?;
                self.heads.extend(place.map(|place| Reverse((place, at))));
            }
        }
        let Some(mut least) = self.heads.peek_mut() else {
            return Ok(None);
        };
        let Reverse((place, at)) = &mut *least;
        let at = *at;
        let table = &mut self.tables[at];
        let Some(record) = table.next().transpose()? else {
            return Ok(None);
        };
        // Of the record's own point, which is the same object where another one is only equal.
        match place_at(table, &record.point)? {
            Some(next) => *place = next,
            None => drop(PeekMut::pop(least)),
        }
        Ok(Some((record, at)))
    }

    fn next_record(&mut self) -> Result<Option<Record>, StoreError> {
        while let Some((record, at)) = self.pull()? {
            let last = self.last.as_ref();
            match last.filter(|it| it.trial() == record.trial()) {
                Some(last) if last.row != record.row || last.course != record.course => {
                    let reason = format!("{} has two different rows", record.trial_in_words());
                    return Err(StoreError::format(self.tables[at].path(), reason));
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

/// Where the next record belongs among those of this point, if it is one of them. The records of a
/// batch share their point, so it is compared as text between batches alone.
fn place_at(table: &mut OneByOne<Record>, point: &Arc<Point>) -> Result<Option<Place>, StoreError> {
    let head = table.peek()?.filter(|head| head.point == *point);
    Ok(head.map(Record::place))
}
