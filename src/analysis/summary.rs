//! The rows of a point in a few numbers, each with its uncertainty.

use super::mean::Mean;
use super::quantile::{Ordered, Quantile};
use crate::experiment::store::{PointKey, PointTrials, Row};

/// The quantiles of a [`Summary`], in per cent.
pub const PERCENTS: [u32; 5] = [5, 25, 50, 75, 95];

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
    pub const ALL: [Self; 4] = [Self::AbsorptionTime, Self::HittingTime, Self::Moves, Self::MovesAtHit];

    /// Name of the column of `trials.parquet`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AbsorptionTime => "absorption_time",
            Self::HittingTime => "hitting_time",
            Self::Moves => "moves",
            Self::MovesAtHit => "moves_at_hit",
        }
    }

    /// The same, counted only until the hit.
    pub fn at_hit(self) -> Self {
        match self {
            Self::AbsorptionTime | Self::HittingTime => Self::HittingTime,
            Self::Moves | Self::MovesAtHit => Self::MovesAtHit,
        }
    }

    /// What a row says of it within the point's cutoff, or up to now where the trial is still running; `None` where the algorithm does not
    /// measure it.
    fn observed(self, row: &Row, cutoff: u64) -> Option<Observed> {
        let seen = row.updates.filter(|_| row.is_running()).map_or(cutoff, |updates| updates.min(cutoff));
        let time = |time: Option<u64>| Observed {
            value: time.map_or(seen, |time| time.min(cutoff)),
            cut_off: time.is_none_or(|time| time > cutoff),
        };
        match self {
            Self::AbsorptionTime => Some(time(row.absorption_time)),
            Self::HittingTime => Some(time(row.hitting_time)),
            Self::Moves => Some(Observed { value: row.moves?, cut_off: row.absorption_time.is_none() }),
            Self::MovesAtHit => Some(Observed { value: row.moves_at_hit.or(row.moves)?, cut_off: row.moves_at_hit.is_none() }),
        }
    }
}

/// One trial's value of a quantity, or the value at the cutoff.
struct Observed {
    value: u64,
    cut_off: bool,
}

/// One quantity over all trials of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub quantity: Quantity,
    /// Trials whose event (absorption, or the first hit) did not happen within the cutoff.
    pub censored: u64,
    /// Mean of X, the quantity's value at its event; with censored trials the restricted mean E[X at min(event, cutoff)], a lower bound. A trial
    /// that is still running counts with X so far: every trial that was begun is in the mean, none more than it may, so that is a lower bound too.
    pub mean: Mean,
    /// At [`PERCENTS`].
    pub quantiles: [Quantile; 5],
}

impl Summary {
    /// Whether the mean is only a lower bound: a censored trial is never averaged as if it had ended.
    pub fn is_lower_bound(&self) -> bool {
        self.censored > 0
    }

    fn of(quantity: Quantity, rows: &[Row], cutoff: u64) -> Option<Self> {
        let observed: Vec<Observed> = rows.iter().map(|row| quantity.observed(row, cutoff)).collect::<Option<_>>()?;
        let values: Vec<u64> = observed.iter().map(|observed| observed.value).collect();
        let censored = observed.iter().filter(|observed| observed.cut_off).count();
        // Of a trial that is still running, the rank is as unknown as that of a cut-off trial's moves.
        let is_common_cutoff = !rows.iter().any(Row::is_running);
        let ordered = match quantity {
            Quantity::AbsorptionTime | Quantity::HittingTime if is_common_cutoff => Ordered::times(&values, censored),
            _ => Ordered::counts(&values, censored),
        };
        let quantiles = PERCENTS.map(|percent| ordered.quantile(percent));
        Some(Self { quantity, censored: censored as u64, mean: Mean::of(&values), quantiles })
    }
}

/// Every quantity of a point, all its seeds pooled.
#[derive(Debug, Clone, PartialEq)]
pub struct PointSummary {
    pub point: PointKey,
    pub trials: u64,
    /// Updates allowed per trial; where rows differ, the least: later events count as censored at it.
    pub cutoff: u64,
    /// In the order of [`Quantity::ALL`], without those that the algorithm does not measure.
    summaries: Vec<Summary>,
}

impl PointSummary {
    /// `None` where there are no rows.
    pub fn of(trials: &PointTrials) -> Option<Self> {
        let cutoff = trials.rows.iter().map(|row| row.cutoff).min()?;
        // A search has none of these: its missing times are not cut-off ones.
        let quantities = Quantity::ALL.into_iter().filter(|_| trials.point.goal.is_none());
        let summaries = quantities.filter_map(|quantity| Summary::of(quantity, &trials.rows, cutoff)).collect();
        Some(Self { point: trials.point.clone(), trials: trials.rows.len() as u64, cutoff, summaries })
    }

    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// `None` where the algorithm does not measure `quantity`.
    pub fn quantity(&self, quantity: Quantity) -> Option<&Summary> {
        self.summaries.iter().find(|summary| summary.quantity == quantity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::quantile::Bounded;
    use crate::analysis::synthetic::pair_key;
    use crate::solver::Ending;
    use crate::solver::goal::SearchCounts;

    fn row(absorption_time: Option<u64>, hitting_time: Option<u64>, moves: u64, moves_at_hit: Option<u64>) -> Row {
        let ending = if absorption_time.is_some() { Ending::Absorbed } else { Ending::Censored };
        let updates = absorption_time.unwrap_or(1000);
        Row {
            seed: 1,
            trial: 0,
            ending,
            cutoff: 1000,
            absorption_time,
            hitting_time,
            moves: Some(moves),
            moves_at_hit,
            updates: Some(updates),
            solution: None,
            counts: SearchCounts::default(),
        }
    }

    fn summarized(rows: Vec<Row>) -> PointSummary {
        PointSummary::of(&PointTrials { point: pair_key(8, 0.01), rows }).expect("there are rows")
    }

    fn mean(summary: &PointSummary, quantity: Quantity) -> (f64, u64) {
        let summary = summary.quantity(quantity).expect("the rows have it");
        (summary.mean.value, summary.censored)
    }

    #[test]
    fn complete_trials_have_plain_means() {
        let summary = summarized(vec![row(Some(100), Some(90), 8, Some(7)), row(Some(200), Some(160), 4, Some(4))]);
        assert_eq!(Quantity::ALL.map(|quantity| mean(&summary, quantity)), [(150.0, 0), (125.0, 0), (6.0, 0), (5.5, 0)]);
        assert!(!summary.summaries()[0].is_lower_bound());
    }

    /// By hand: min(T, 1000) of 100, 1000, 1000, 300; the second trial hit at 700, the third never.
    #[test]
    fn censored_trials_count_with_their_cutoff_and_are_counted() {
        let rows = vec![
            row(Some(100), Some(100), 5, Some(5)),
            row(None, Some(700), 20, Some(9)),
            row(None, None, 30, None),
            row(Some(300), Some(200), 5, Some(2)),
        ];
        let summary = summarized(rows);
        assert_eq!(Quantity::ALL.map(|quantity| mean(&summary, quantity)), [(600.0, 2), (500.0, 1), (15.0, 2), (11.5, 1)]);
        let [.., upper] = summary.summaries()[0].quantiles;
        assert_eq!(upper.value, Bounded { value: 1000, at_least: true });
        assert!(summary.summaries()[2].quantiles[0].value.at_least, "a censored trial's final moves have no rank");
    }

    #[test]
    fn under_two_cutoffs_the_least_counts() {
        let mut early = row(None, None, 3, None);
        early.cutoff = 150;
        let summary = summarized(vec![early, row(Some(100), Some(90), 8, Some(7)), row(Some(900), Some(800), 8, Some(7))]);
        assert_eq!(summary.cutoff, 150);
        assert_eq!(mean(&summary, Quantity::AbsorptionTime), (400.0 / 3.0, 2));
    }

    /// By hand: 100, 300, and a trial that has run for 40 updates of 1000 so far. Without the last the mean would be biased short.
    #[test]
    fn a_running_trial_counts_as_censored_where_it_is() {
        let mut running = row(None, None, 2, None);
        running.updates = Some(40);
        let summary = summarized(vec![row(Some(100), Some(100), 5, Some(5)), running, row(Some(300), Some(200), 6, Some(2))]);
        assert_eq!(summary.cutoff, 1000);
        assert_eq!(mean(&summary, Quantity::AbsorptionTime), (440.0 / 3.0, 1));
        assert_eq!(mean(&summary, Quantity::MovesAtHit), (3.0, 1));
        assert!(summary.summaries()[0].is_lower_bound());
        assert!(summary.summaries()[0].quantiles.iter().all(|quantile| quantile.value.at_least), "its final rank is unknown");
    }

    #[test]
    fn what_an_algorithm_does_not_measure_has_no_summary() {
        let mut bare = row(Some(100), None, 0, None);
        bare.moves = None;
        let summary = summarized(vec![bare]);
        assert_eq!(summary.quantity(Quantity::Moves), None);
        assert_eq!(summary.quantity(Quantity::MovesAtHit), None);
        assert_eq!(PointSummary::of(&PointTrials { point: pair_key(8, 0.01), rows: vec![] }), None);
    }
}
