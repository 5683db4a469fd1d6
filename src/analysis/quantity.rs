//! What a trial measures, and what its row says of it.

use crate::analysis::quantile::Bounded;
use crate::experiment::store::Row;
use crate::experiment::store::rows::{Counts, Rows};
use crate::solver::Outcome;

/// What a trial measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Updates until the configuration is an absorbed one.
    AbsorptionTime,
    /// Updates until the positions first form a solution.
    HittingTime,
    /// Queen moves until absorption.
    Moves,
    /// Queen moves until the hit.
    MovesAtHit,
}

impl Quantity {
    /// Every quantity.
    pub const ALL: [Self; 4] = [
        Self::AbsorptionTime,
        Self::HittingTime,
        Self::Moves,
        Self::MovesAtHit,
    ];

    /// Name of the column of `trials.parquet`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AbsorptionTime => "absorption_time",
            Self::HittingTime => "hitting_time",
            Self::Moves => "moves",
            Self::MovesAtHit => "moves_at_hit",
        }
    }

    /// The quantity of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|quantity| quantity.name() == name)
    }

    /// The same, counted only until the hit.
    pub fn at_hit(self) -> Self {
        match self {
            Self::AbsorptionTime | Self::HittingTime => Self::HittingTime,
            Self::Moves | Self::MovesAtHit => Self::MovesAtHit,
        }
    }

    /// What a row says of it within the point's cutoff; `None` where the algorithm does not measure
    /// it.
    pub(crate) fn observed(self, row: &Row, cutoff: u64) -> Option<Bounded> {
        let Outcome {
            absorption_time,
            hitting_time,
            moves,
            moves_at_hit,
            updates,
            ..
        } = row.outcome;
        let measured = [absorption_time, hitting_time, moves, moves_at_hit];
        self.among(measured, updates, cutoff)
    }

    /// The same of a trial's numbers in the order of [`Self::ALL`], and its updates.
    fn among(
        self,
        [absorbed, hit, moves, moves_at_hit]: [Option<u64>; 4],
        updates: Option<u64>,
        cutoff: u64,
    ) -> Option<Bounded> {
        // A search makes no updates: its missing times are not cut-off ones.
        updates?;
        let time = |time: Option<u64>| Bounded {
            value: time.unwrap_or(cutoff).min(cutoff),
            at_least: time.is_none_or(|time| time > cutoff),
        };
        let until = |end: Option<u64>, moves: Option<u64>| {
            let at_least = end.is_none();
            moves.map(|value| Bounded { value, at_least })
        };
        match self {
            Self::AbsorptionTime => Some(time(absorbed)),
            // A hit comes no later than the absorption: who has been absorbed without one is of an
            // algorithm that measures none.
            Self::HittingTime => (absorbed.is_none() || hit.is_some()).then(|| time(hit)),
            Self::Moves => until(absorbed, moves),
            Self::MovesAtHit => until(moves_at_hit, moves_at_hit.or(moves)),
        }
    }

    /// What all rows say of it within the point's cutoff; `None` where a trial does not measure it.
    pub(crate) fn of_all(self, rows: &Rows, cutoff: u64) -> Option<Vec<Bounded>> {
        let updates = rows.count("updates")?;
        let columns = Self::ALL.map(|quantity| {
            let is_needed = self.needed().contains(&quantity);
            is_needed.then(|| rows.count(quantity.name())).flatten()
        });
        let mut observed = Vec::with_capacity(rows.len());
        let [absorbed, hit, moves, moves_at_hit] = columns;
        for at in 0..rows.len() {
            // One by one: a map over them takes three times as long.
            let numbers = [
                number(absorbed, at),
                number(hit, at),
                number(moves, at),
                number(moves_at_hit, at),
            ];
            observed.push(self.among(numbers, updates.get(at), cutoff)?);
        }
        Some(observed)
    }

    /// The quantities whose numbers [`Self::among`] uses for this one.
    fn needed(self) -> &'static [Self] {
        match self {
            Self::AbsorptionTime => &[Self::AbsorptionTime],
            Self::HittingTime => &[Self::AbsorptionTime, Self::HittingTime],
            Self::Moves => &[Self::AbsorptionTime, Self::Moves],
            Self::MovesAtHit => &[Self::Moves, Self::MovesAtHit],
        }
    }

    /// True of a number of updates.
    pub(super) fn is_time(self) -> bool {
        matches!(self, Self::AbsorptionTime | Self::HittingTime)
    }
}

/// The number of a row in a column that may be missing.
#[inline(always)]
fn number(column: Option<Counts>, row: usize) -> Option<u64> {
    column.and_then(|column| column.get(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Ending;

    /// Rows of every kind: absorbed, hit alone, cut off, without a hit; with moves and without.
    #[test]
    fn all_rows_at_once_are_the_rows_one_by_one() {
        let times = [None, Some(3), Some(9), Some(2000)];
        let mut rows = Vec::new();
        for (absorption_time, hitting_time, moves) in itertools::iproduct!(times, times, times) {
            rows.push(Row {
                seed: 1,
                trial: rows.len() as u32,
                cutoff: 1000,
                outcome: Outcome {
                    absorption_time,
                    hitting_time,
                    moves,
                    moves_at_hit: hitting_time.and(moves),
                    updates: Some(5),
                    ..Outcome::ended(Ending::Censored)
                },
            });
        }
        for quantity in Quantity::ALL {
            for some in [&rows[..], &rows[1..2], &rows[63..], &rows[20..40]] {
                let expected = some.iter().map(|row| quantity.observed(row, 1000));
                let expected: Option<Vec<Bounded>> = expected.collect();
                let found = quantity.of_all(&some.to_vec().into(), 1000);
                assert_eq!(found, expected, "{}", quantity.name());
            }
        }
    }
}
