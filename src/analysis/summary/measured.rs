//! What a trial measures, and the numbers of its row that this is made of.

use crate::analysis::survival::Observed;
use crate::experiment::store::Row;
use crate::results::rows::{Numbers, Rows};
use crate::solver::Ending;

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

    /// What a row says of it within the point's cutoff, or up to now where the trial is still
    /// running; `None` where the algorithm does not measure it.
    pub fn observed(self, row: &Row, cutoff: u64) -> Option<Observed> {
        Measured::of(row).observed(self, cutoff)
    }
}

/// What a trial measured: the few numbers of its row that a [`Quantity`] needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Updates allowed.
    pub cutoff: u64,
    /// Whether the trial was still running when its row was taken.
    pub is_running: bool,
    updates: Option<u64>,
    absorption_time: Option<u64>,
    hitting_time: Option<u64>,
    moves: Option<u64>,
    moves_at_hit: Option<u64>,
}

impl Measured {
    /// Of a row.
    pub fn of(row: &Row) -> Self {
        let facts = &row.outcome;
        Self {
            cutoff: row.cutoff,
            is_running: row.is_running(),
            updates: facts.updates,
            absorption_time: facts.absorption_time,
            hitting_time: facts.hitting_time,
            moves: facts.moves,
            moves_at_hit: facts.moves_at_hit,
        }
    }

    /// Of all rows, in their order.
    pub fn all(rows: &Rows) -> impl Iterator<Item = Self> + '_ {
        let columns = [
            "updates",
            "absorption_time",
            "hitting_time",
            "moves",
            "moves_at_hit",
        ];
        rows.numbers(columns).map(Self::of_numbers)
    }

    fn of_numbers(numbers: Numbers<5>) -> Self {
        let Numbers {
            cutoff,
            ending,
            counts: [updates, absorption_time, hitting_time, moves, moves_at_hit],
        } = numbers;
        Self {
            cutoff,
            is_running: ending == Ending::Censored && updates.is_some_and(|it| it < cutoff),
            updates,
            absorption_time,
            hitting_time,
            moves,
            moves_at_hit,
        }
    }

    /// What is said of a quantity within the point's cutoff, or up to now where the trial is still
    /// running; `None` where the algorithm does not measure it.
    #[inline]
    pub fn observed(&self, quantity: Quantity, cutoff: u64) -> Option<Observed> {
        // A search makes no updates: its missing times are not cut-off ones.
        let updates = self.updates?;
        let seen = if self.is_running {
            updates.min(cutoff)
        } else {
            cutoff
        };
        let time = |time: Option<u64>| Observed {
            value: time.map_or(seen, |time| time.min(cutoff)),
            cut_off: time.is_none_or(|time| time > cutoff),
        };
        match quantity {
            Quantity::AbsorptionTime => Some(time(self.absorption_time)),
            // A hit comes no later than the absorption: who has been absorbed without one is of an
            // algorithm that measures none.
            Quantity::HittingTime
                if self.absorption_time.is_some() && self.hitting_time.is_none() =>
            {
                None
            }
            Quantity::HittingTime => Some(time(self.hitting_time)),
            Quantity::Moves => Some(Observed {
                value: self.moves?,
                cut_off: self.absorption_time.is_none(),
            }),
            Quantity::MovesAtHit => Some(Observed {
                value: self.moves_at_hit.or(self.moves)?,
                cut_off: self.moves_at_hit.is_none(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{searches, sweep_over_epsilon, synchronous_steps};

    /// The fast way to all rows against the plain one, for trials that ended, that were cut off,
    /// and that still run, and for searches.
    #[test]
    fn all_rows_measure_what_each_does() {
        let mut points = [sweep_over_epsilon(), searches(), synchronous_steps()].concat();
        points[0].rows.edit(|rows| {
            for row in rows.iter_mut().step_by(3) {
                row.outcome.ending = Ending::Censored;
                (row.outcome.absorption_time, row.outcome.updates) = (None, Some(7));
            }
        });
        let mut n_running = 0;
        for point in &points {
            let expected: Vec<Measured> = point.rows.iter().map(|row| Measured::of(&row)).collect();
            assert!(Measured::all(&point.rows).eq(expected.iter().copied()));
            n_running += expected.iter().filter(|it| it.is_running).count();
        }
        assert!(n_running > 10);
    }
}
