//! Wall-clock times of searches, each timed several times.

use crate::experiment::store::{PointKey, PointTimings, PointTrials};
use crate::solver::Ending;
use crate::solver::goal::SearchCounts;

/// The times of one search. A deterministic method does the same work each time: what differs is what else the machine did meanwhile, so the
/// times are given from least to greatest and not as a mean with an error.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchTime {
    pub point: PointKey,
    /// Times taken.
    pub repeats: usize,
    /// Seconds.
    pub least: f64,
    /// Seconds; of an even number of times the lower of the middle two.
    pub median: f64,
    /// Seconds.
    pub greatest: f64,
    pub ending: Ending,
    pub counts: SearchCounts,
}

impl SearchTime {
    /// The times of every search that has rows and times; other algorithms are left out.
    pub fn of(trials: &[PointTrials], timings: &[PointTimings]) -> Vec<Self> {
        let searches = trials.iter().filter(|trials| trials.point.goal.is_some());
        let times = |point: &PointKey| timings.iter().find(|timings| timings.point == *point);
        searches.filter_map(|trials| Self::of_point(trials, times(&trials.point)?)).collect()
    }

    /// A search that was cut off ran for at least this long.
    pub fn is_lower_bound(&self) -> bool {
        self.ending.is_cut_off()
    }

    fn of_point(trials: &PointTrials, timings: &PointTimings) -> Option<Self> {
        // One that the clock stopped speaks for all: the times of a point are then lower bounds.
        let row = trials.rows.iter().find(|row| row.ending == Ending::TimedOut).or(trials.rows.first())?;
        let mut seconds: Vec<f64> = timings.seconds.iter().copied().filter(|seconds| seconds.is_finite()).collect();
        seconds.sort_by(f64::total_cmp);
        Some(Self {
            point: trials.point.clone(),
            repeats: seconds.len(),
            least: *seconds.first()?,
            median: seconds[(seconds.len() - 1) / 2],
            greatest: *seconds.last()?,
            ending: row.ending,
            counts: row.counts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{pair_key, searches, timings};

    #[test]
    fn times_go_from_least_to_greatest_and_damaged_ones_do_not_count() {
        let trials = &searches()[..1];
        let times = [(vec![0.3, f64::NAN, 0.1, 0.2, 0.5], (4, 0.1, 0.2, 0.5)), (vec![0.3, 0.1, 0.2], (3, 0.1, 0.2, 0.3))];
        for (seconds, expected) in times {
            let timings = [PointTimings { point: trials[0].point.clone(), seconds }];
            let found: Vec<_> =
                SearchTime::of(trials, &timings).iter().map(|time| (time.repeats, time.least, time.median, time.greatest)).collect();
            assert_eq!(found, [expected]);
        }
    }

    /// The clock may stop one seed's search and not another's.
    #[test]
    fn what_the_clock_stopped_is_a_lower_bound() {
        let mut trials = searches()[..1].to_vec();
        let timings = timings(&trials);
        assert!(!SearchTime::of(&trials, &timings)[0].is_lower_bound());
        let row = trials[0].rows[0].clone();
        trials[0].rows.push(crate::experiment::store::Row { seed: 2, ending: Ending::TimedOut, ..row });
        let time = &SearchTime::of(&trials, &timings)[0];
        assert!(time.is_lower_bound() && time.ending == Ending::TimedOut);
    }

    #[test]
    fn only_searches_have_run_times() {
        let mut trials = searches();
        let searches = trials.len();
        trials[0].point = pair_key(8, 0.01);
        assert_eq!(SearchTime::of(&trials, &timings(&trials)).len(), searches - 1);
    }
}
