//! Shares of what the trials of a point have counted, pooled over its trials.

use super::bootstrap::Resampled;
use super::mean::Estimate;
use crate::experiment::store::Row;

/// Σ part / Σ whole over all trials, `count` giving both of a row; its interval is the bootstrap's
/// over trials ([`Resampled::interval`]). `None` where a row lacks one of them, or Σ whole = 0.
///
/// Of censored trials too it counts what was seen up to the cutoff: a share of what was simulated.
pub fn pooled_share(rows: &[Row], count: impl Fn(&Row) -> Option<[u64; 2]>) -> Option<Estimate> {
    let counted = |row: &Row| Some(count(row)?.map(|count| count as f64));
    let counts: Vec<[f64; 2]> = rows.iter().map(counted).collect::<Option<_>>()?;
    let whole: f64 = counts.iter().map(|[_, whole]| whole).sum();
    if whole == 0.0 {
        return None;
    }
    let resampled = Resampled::of(&counts);
    let share = |sums: &[f64; 2]| {
        if sums[1] > 0.0 {
            sums[0] / sums[1]
        } else {
            0.0
        }
    };
    Some(Estimate {
        value: share(resampled.total()),
        interval: resampled.interval(|sums, _| share(sums)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Ending, Outcome};

    /// By hand: (1 + 3) / (4 + 4), not the mean of 1/4 and 3/4 by chance: (1 + 6) / (2 + 10) too.
    #[test]
    fn shares_are_pooled() {
        let share = |counts: [[u64; 2]; 2]| {
            let rows: Vec<Row> = (0..2)
                .map(|trial| Row {
                    seed: 1,
                    trial,
                    cutoff: 10,
                    outcome: Outcome::ended(Ending::Absorbed),
                })
                .collect();
            pooled_share(&rows, |row| Some(counts[row.trial as usize]))
        };
        let value = |counts| share(counts).map(|share| share.value);
        assert_eq!(value([[1, 4], [3, 4]]), Some(0.5));
        assert_eq!(value([[1, 2], [6, 10]]), Some(7.0 / 12.0));
        assert_eq!(value([[0, 0], [0, 0]]), None);
        let interval = share([[1, 2], [6, 10]]).expect("a share").interval;
        assert!(interval.low <= 7.0 / 12.0 && interval.high >= 7.0 / 12.0);
    }
}
