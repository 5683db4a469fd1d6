//! The rows of several tables as those of one.

use std::collections::BTreeMap;
use std::ops::Range;

use polars::prelude::*;

use super::{GROUP, Table};
use crate::experiment::store::Point;

/// Where a trial's row is: the rank of its point, its seed and index, by which rows are sorted; the
/// table and the row in it.
type Row = (u32, u64, u32, u32, u32);

/// The rows of several tables with the same columns, by point, seed and trial. A trial that is in
/// several tables has the row of the first.
pub struct Joined<'t> {
    tables: &'t [Table],
    rows: Vec<Row>,
}

impl<'t> Joined<'t> {
    /// The rows of these tables.
    ///
    /// # Errors
    /// Two rows of one trial that differ elsewhere than in the column `but`.
    pub fn of(tables: &'t [Table], but: &str) -> PolarsResult<Self> {
        let all = tables.iter().flat_map(|table| &table.points);
        let mut points: Vec<&Point> = all.map(|(point, _)| point).collect();
        points.sort_by(|a, b| a.order(b));
        points.dedup();
        let mut rows = Vec::with_capacity(tables.iter().map(|it| it.frame.height()).sum());
        for (of, table) in (0..).zip(tables) {
            let (seeds, trials) = table.trials()?;
            for (point, range) in &table.points {
                let rank = points.partition_point(|it| it.order(point).is_lt()) as u32;
                let row = |at: usize| (rank, seeds[at], trials[at], of, at as u32);
                rows.extend(range.clone().map(row));
            }
        }
        rows.sort();
        let trial = |row: &Row| (row.0, row.1, row.2);
        let again = rows
            .windows(2)
            .filter(|pair| trial(&pair[0]) == trial(&pair[1]));
        let again: Vec<[Row; 2]> = again.map(|pair| [pair[0], pair[1]]).collect();
        for pairs in again.chunks(GROUP) {
            let side = |side: usize| {
                let rows: Vec<Row> = pairs.iter().map(|pair| pair[side]).collect();
                gathered(tables, &rows).map(|rows| rows.drop_many([but]))
            };
            let sides = [side(0)?, side(1)?];
            if !sides[0].equals_missing(&sides[1]) {
                let is_same = |at: &usize| {
                    let [one, other] = [0, 1].map(|side| sides[side].slice(*at as i64, 1));
                    one.equals_missing(&other)
                };
                let (rank, seed, trial, ..) =
                    pairs[(0..pairs.len()).take_while(is_same).count()][0];
                let point = points[rank as usize];
                let reason =
                    format!("trial {trial} of seed {seed} at {point} has two different rows");
                return Err(PolarsError::ComputeError(reason.into()));
            }
        }
        rows.dedup_by(|next, last| trial(next) == trial(last));
        Ok(Self { tables, rows })
    }

    /// How many trials there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows, so many at a time.
    pub fn slices(&self, rows: usize) -> impl Iterator<Item = PolarsResult<DataFrame>> {
        let slices = self.rows.chunks(rows);
        slices.map(|rows| gathered(self.tables, rows))
    }
}

/// These rows. In each table they lie close together.
fn gathered(tables: &[Table], rows: &[Row]) -> PolarsResult<DataFrame> {
    let mut spans: BTreeMap<u32, Range<usize>> = BTreeMap::new();
    for &(.., of, at) in rows {
        let at = at as usize;
        let span = spans.entry(of).or_insert(at..at);
        *span = span.start.min(at)..span.end.max(at + 1);
    }
    let slice = |of: u32, span: &Range<usize>| {
        let frame = &tables[of as usize].frame;
        frame.slice(span.start as i64, span.len())
    };
    let mut frame = tables[0].frame.clear();
    let mut starts = BTreeMap::new();
    for (&of, span) in &spans {
        starts.insert(of, (frame.height(), span.start));
        frame.vstack_mut_owned(slice(of, span))?;
    }
    let places = rows.iter().map(|(.., of, at)| {
        let (start, first) = starts[of];
        (start + *at as usize - first) as IdxSize
    });
    let places: Vec<IdxSize> = places.collect();
    if places
        .iter()
        .enumerate()
        .all(|(at, place)| *place == at as IdxSize)
        && frame.height() == rows.len()
    {
        return Ok(frame);
    }
    frame.rechunk_mut();
    frame.take(&IdxCa::from_vec("".into(), places))
}
