//! The rows of several tables as those of one.

use std::collections::BTreeMap;
use std::ops::Range;

use polars::prelude::*;

use super::{GROUP, Table};
use crate::solver::Ending;

/// A row: the rank of its point and dynamics, its seed and trial, by which rows are sorted; among
/// those of one trial the rank of its range; and its index in the table.
type Row = (u32, u64, u32, u32, u32);

/// The rows of several tables with the same columns, by point, dynamics, seed and trial. A trial
/// that is in several tables has the row with the largest cutoff, of several the first.
pub struct Joined<'t> {
    tables: &'t [Table],
    /// The table of each range.
    of: Vec<usize>,
    rows: Vec<Row>,
}

/// Why tables cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// A column is missing, or of another type.
    #[error(transparent)]
    Polars(#[from] PolarsError),
    /// Two rows of a trial in two tables, whose indices are given, cannot both be right.
    #[error("{trial} has two different rows")]
    #[allow(missing_docs)]
    Differ { trial: String, tables: [usize; 2] },
}

impl<'t> Joined<'t> {
    /// The rows of these tables.
    ///
    /// # Errors
    /// Two rows of one trial that differ elsewhere than in the columns `but`. With another cutoff a
    /// trial that ended before both is the same.
    pub fn of(tables: &'t [Table], but: &[&str]) -> Result<Self, JoinError> {
        let mut ranges = Vec::new();
        for (of, table) in tables.iter().enumerate() {
            let dynamics = table.frame.column("dynamics")?.str()?;
            let cutoffs = table.frame.column("cutoff")?.i64()?;
            for (point, range) in &table.points {
                let (dynamics, cutoff) = (dynamics.get(range.start), cutoffs.get(range.start));
                ranges.push((point, dynamics, cutoff, of, range.clone()));
            }
        }
        ranges.sort_by(|a, b| {
            let points = a.0.order(b.0).then(a.1.cmp(&b.1));
            points.then(b.2.cmp(&a.2)).then(a.3.cmp(&b.3))
        });
        let mut rows = Vec::with_capacity(ranges.iter().map(|it| it.4.len()).sum());
        let are_same =
            |a: usize, b: usize| (ranges[a].0, ranges[a].1) == (ranges[b].0, ranges[b].1);
        let mut rank = 0;
        for (at, (_, _, _, of, range)) in ranges.iter().enumerate() {
            rank += u32::from(at > 0 && !are_same(at - 1, at));
            let trials = tables[*of].trials()?;
            for row in range.clone() {
                let (seed, trial) = trials.at(row);
                rows.push((rank, seed, trial, at as u32, row as u32));
            }
        }
        rows.sort();
        let of = ranges.iter().map(|it| it.3).collect();
        let mut joined = Self { tables, of, rows };
        let pairs = joined.rows.array_windows();
        let again = pairs.filter(|[a, b]| is_same_trial(a, b));
        let again: Vec<[Row; 2]> = again.copied().collect();
        for pairs in again.chunks(GROUP) {
            if let Some(differing) = joined.differing(pairs, but)? {
                let ranges = differing.map(|row| &ranges[row.3 as usize]);
                let ((_, seed, trial, ..), point) = (differing[0], ranges[0].0);
                return Err(JoinError::Differ {
                    trial: format!("trial {trial} of seed {seed} at {point}"),
                    tables: ranges.map(|range| range.3),
                });
            }
        }
        joined.rows.dedup_by(|next, last| is_same_trial(next, last));
        Ok(joined)
    }

    /// The first pair of rows that cannot both be right.
    fn differing(&self, pairs: &[[Row; 2]], but: &[&str]) -> PolarsResult<Option<[Row; 2]>> {
        let side = |side: usize| {
            let rows: Vec<Row> = pairs.iter().map(|pair| pair[side]).collect();
            self.gathered(&rows)
        };
        let (first, other) = (side(0)?, side(1)?);
        let [larger, smaller] = [&first, &other].map(|it| it.column("cutoff")?.i64());
        let (larger, smaller) = (larger?, smaller?);
        let endings = other.column("outcome")?.str()?;
        let but = || but.iter().copied().chain(["cutoff"]);
        let [one, two] = [&first, &other].map(|it| it.drop_many(but()));
        let are_same = |at: usize, rows: usize| {
            let [one, two] = [&one, &two].map(|it| it.slice(at as i64, rows));
            one.equals_missing(&two)
        };
        if are_same(0, pairs.len()) {
            return Ok(None);
        }
        let is_wrong = |at: &usize| {
            // What was cut off earlier says nothing of its end.
            let is_cut_off = smaller.get(*at) < larger.get(*at)
                && endings.get(*at) == Some(Ending::Censored.name());
            !is_cut_off && !are_same(*at, 1)
        };
        Ok((0..pairs.len()).find(is_wrong).map(|at| pairs[at]))
    }

    /// How many trials there are.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The rows, so many at a time.
    pub fn slices(&self, rows: usize) -> impl Iterator<Item = PolarsResult<DataFrame>> {
        self.rows.chunks(rows).map(|rows| self.gathered(rows))
    }

    /// The columns of these rows, which lie close together in each table.
    fn gathered(&self, rows: &[Row]) -> PolarsResult<DataFrame> {
        let mut spans: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for &(_, _, _, range, at) in rows {
            let at = at as usize;
            let span = spans.entry(self.of[range as usize]).or_insert(at..at);
            *span = span.start.min(at)..span.end.max(at + 1);
        }
        let mut frame = self.tables[0].frame.clear();
        // Of each table, by how much its rows have moved.
        let mut shifts = BTreeMap::new();
        for (&of, span) in &spans {
            shifts.insert(of, frame.height() as i64 - span.start as i64);
            let rows = self.tables[of].frame.slice(span.start as i64, span.len());
            frame.vstack_mut_owned(rows)?;
        }
        let place = |row: &Row| (shifts[&self.of[row.3 as usize]] + i64::from(row.4)) as IdxSize;
        if frame.height() == rows.len() && rows.iter().map(place).eq(0..rows.len() as IdxSize) {
            return Ok(frame);
        }
        frame.rechunk_mut();
        frame.take(&IdxCa::from_vec(
            "".into(),
            rows.iter().map(place).collect(),
        ))
    }
}

fn is_same_trial(a: &Row, b: &Row) -> bool {
    (a.0, a.1, a.2) == (b.0, b.1, b.2)
}
