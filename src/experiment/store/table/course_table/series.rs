//! The rows of `series.parquet`: an observation each.

use polars::prelude::*;

use super::super::decode::unexpected;
use super::super::number;
use super::{Entry, EntryRow, first_difference, whole};
use crate::solver::course::{Course, Observation};

impl Entry for Observation {
    const FILE: &'static str = "series.parquet";
    const MAY_DIFFER_IN_UPDATES: bool = true;

    fn of(course: &Course) -> &[Self] {
        &course.series
    }

    fn update(&self) -> u64 {
        self.update
    }

    fn may_follow(&self, other: &Self) -> bool {
        self.update > other.update
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
        let (updates, moves) = (
            whole("update", frame.column("update")?.u64()?.iter())?,
            whole("moves", frame.column("moves")?.u64()?.iter())?,
        );
        let shares = whole("true_signals", frame.column("true_signals")?.f64()?.iter())?;
        let mut entries: Vec<Self> = std::iter::zip(updates, moves)
            .map(|(update, moves)| blank(update, moves))
            .collect();
        for (name, of) in COUNTS {
            for (entry, value) in entries
                .iter_mut()
                .zip(whole(name, frame.column(name)?.u32()?.iter())?)
            {
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
