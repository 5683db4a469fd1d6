//! What a trial measures, and what its row says of it. Here is decided whether an event of a trial
//! counts within its cutoff, and what times and moves a trial has that was cut off.

use std::borrow::Cow;

use crate::analysis::quantile::Bounded;
use crate::experiment::store::Row;
use crate::experiment::store::rows::{Counts, MISSING, Rows};
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
        match self {
            Self::AbsorptionTime => Some(within(absorbed, cutoff)),
            // A hit comes no later than the absorption: who has been absorbed without one is of an
            // algorithm that measures none.
            Self::HittingTime => (absorbed.is_none() || hit.is_some()).then(|| within(hit, cutoff)),
            Self::Moves => up_to(absorbed, moves),
            Self::MovesAtHit => up_to(moves_at_hit, moves_at_hit.or(moves)),
        }
    }

    /// The values of [`Self::of_all`] and how many of them are lower bounds: in a fourth of the
    /// time, and where they stand in a column, which needs no memory.
    pub(crate) fn values_of_all(self, rows: &Rows, cutoff: u64) -> Option<(Cow<'_, [u64]>, usize)> {
        if !rows.are_counted("updates") {
            return None;
        }
        let column = |quantity: Self| rows.count(quantity.name());
        match self {
            Self::AbsorptionTime => Some(times(column(self), rows.len(), cutoff)),
            Self::HittingTime => {
                let hit = column(self);
                let absorbed = column(Self::AbsorptionTime);
                let is_unknown = has_absorbed_without(hit, absorbed);
                (!is_unknown).then(|| times(hit, rows.len(), cutoff))
            }
            Self::Moves => {
                let absorbed = column(Self::AbsorptionTime);
                let moves = column(self)?.whole()?;
                let n_absorbed = absorbed.map_or(0, Counts::n_present);
                Some((moves.into(), rows.len() - n_absorbed))
            }
            Self::MovesAtHit => moves_until(column(self), column(Self::Moves)),
        }
    }

    /// What all rows say of it within the point's cutoff; `None` where a trial does not measure it.
    pub(crate) fn of_all(self, rows: &Rows, cutoff: u64) -> Option<Vec<Bounded>> {
        // A search makes no updates: its missing times are not cut-off ones.
        if !rows.are_counted("updates") {
            return None;
        }
        let columns = Self::ALL.map(|quantity| {
            let is_needed = self.needed().contains(&quantity);
            is_needed.then(|| rows.count(quantity.name())).flatten()
        });
        let mut observed = Vec::with_capacity(rows.len());
        let [absorbed, hit, moves, moves_at_hit] = columns;
        // As `among` does it, which takes three times as long.
        for at in 0..rows.len() {
            observed.push(match self {
                Self::AbsorptionTime => within(number(absorbed, at), cutoff),
                Self::HittingTime => {
                    let hit = number(hit, at);
                    if hit.is_none() && number(absorbed, at).is_some() {
                        return None;
                    }
                    within(hit, cutoff)
                }
                Self::Moves => up_to(number(absorbed, at), number(moves, at))?,
                Self::MovesAtHit => {
                    let until_hit = number(moves_at_hit, at);
                    up_to(until_hit, until_hit.or_else(|| number(moves, at)))?
                }
            });
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

/// The times within the cutoff, and how many are not; without a column all are not.
fn times(column: Option<Counts<'_>>, n_rows: usize, cutoff: u64) -> (Cow<'_, [u64]>, usize) {
    let Some(column) = column else {
        return (vec![cutoff; n_rows].into(), n_rows);
    };
    let times = column.or_missing();
    // What is missing is above each cutoff.
    let n_above = times.iter().filter(|time| **time > cutoff).count();
    if n_above == 0 {
        return (times.into(), 0);
    }
    let within = times.iter().map(|&time| time.min(cutoff));
    (within.collect(), n_above)
}

/// True if a trial was absorbed and has no hit: it is of an algorithm that measures none.
fn has_absorbed_without(hit: Option<Counts>, absorbed: Option<Counts>) -> bool {
    let Some(absorbed) = absorbed else {
        return false;
    };
    let Some(hit) = hit else {
        return absorbed.n_present() > 0;
    };
    if hit.whole().is_some() {
        return false;
    }
    let mut both = hit.or_missing().iter().zip(absorbed.or_missing());
    both.any(|(&hit, &absorbed)| hit == MISSING && absorbed != MISSING)
}

/// The moves until the hit, where there is none all moves, and how many trials have none; `None`
/// where a trial has neither.
fn moves_until<'r>(
    hit: Option<Counts<'r>>,
    moves: Option<Counts<'r>>,
) -> Option<(Cow<'r, [u64]>, usize)> {
    let Some(hit) = hit else {
        let moves = moves?.whole()?;
        return Some((moves.into(), moves.len()));
    };
    if let Some(until_hit) = hit.whole() {
        return Some((until_hit.into(), 0));
    }
    let mut until = Vec::with_capacity(hit.len());
    let mut n_without = 0;
    for (&hit, &all) in hit.or_missing().iter().zip(moves?.or_missing()) {
        let has_none = hit == MISSING;
        n_without += usize::from(has_none);
        until.push(if has_none { all } else { hit });
    }
    let is_known = !until.contains(&MISSING);
    is_known.then_some((until.into(), n_without))
}

/// A time within the cutoff.
#[inline(always)]
fn within(time: Option<u64>, cutoff: u64) -> Bounded {
    match time {
        Some(time) if time <= cutoff => Bounded {
            value: time,
            at_least: false,
        },
        _ => Bounded {
            value: cutoff,
            at_least: true,
        },
    }
}

/// The moves up to an event, which may not have happened; `None` where they are not known.
#[inline(always)]
fn up_to(event: Option<u64>, moves: Option<u64>) -> Option<Bounded> {
    let at_least = event.is_none();
    let value = moves?;
    Some(Bounded { value, at_least })
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
                let rows: Rows = some.to_vec().into();
                let found = quantity.of_all(&rows, 1000);
                assert_eq!(found, expected, "{}", quantity.name());
                let values = quantity.values_of_all(&rows, 1000);
                let expected = expected.map(|all| {
                    let values: Vec<u64> = all.iter().map(|bounded| bounded.value).collect();
                    let bounds = all.iter().filter(|bounded| bounded.at_least);
                    (values.into(), bounds.count())
                });
                assert_eq!(values, expected, "{}", quantity.name());
            }
        }
    }
}
