//! What searches cost: counts and wall-clock times, of one search or over the trials of a random
//! one. Here are the median and the range of times, quartiles of random searches, backtracks (nodes
//! + failures), and time for each node.

use std::collections::BTreeMap;

use super::quantile::{Bounded, Ordered, Quantile};
use crate::experiment::store::rows::{PointTimings, PointTrials};
use crate::experiment::store::{Point, Row};
use crate::solver::{Ending, algorithm};

/// The searches of one point.
///
/// A deterministic method does the same work each time: its rows agree, whatever their seed, and
/// count as one search that was timed several times. What differs then is what else the machine did
/// meanwhile, so its times go from the least to the greatest. A random search has trials that
/// differ: its numbers are the median of the trials with their quartiles.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSummary {
    pub point: Point,
    /// True if the trials are draws of a random search.
    pub is_random: bool,
    /// How the trials ended and how many did so, in the order of the rows.
    pub endings: Vec<(Ending, usize)>,
    /// The least that any trial was allowed; what is counted there, the algorithm's documentation
    /// says.
    pub cutoff: u64,
    pub solutions: Option<Spread>,
    pub checks: Option<Spread>,
    pub nodes: Option<Spread>,
    pub failures: Option<Spread>,
    /// Nodes + failures: steps back of a search with binary branching, as in the constraint lab's
    /// table.
    pub backtracks: Option<Spread>,
    /// `None` where no time is known.
    pub time: Option<SearchTime>,
    /// Searches whose times are lost: other trials of the run have theirs, or had them.
    pub untimed: usize,
}

/// Wall-clock times of a point's searches.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchTime {
    /// Times taken of one search, or of each trial of a random one.
    pub repeats: usize,
    /// Nanoseconds. Of a random search: over its trials, each with the median of its repeats.
    pub nanoseconds: Spread,
    /// Picoseconds for each node; a search that was cut off counts like any other, since its rate
    /// is known. `None` without nodes.
    pub picoseconds_per_node: Option<Spread>,
}

/// A middle value and what lies about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// The lower quartile over the trials of a random search; the least of the repeats of a timed
    /// one.
    pub low: Bounded,
    /// The median; of an even number of values the lower of the middle two.
    pub median: Bounded,
    /// Upper quartile, or the greatest of the repeats.
    pub high: Bounded,
    /// 95 % interval of the median, only of a random search: ends without a value where there are
    /// too few trials.
    pub interval: Option<Quantile>,
}

impl SearchSummary {
    /// Every search of `trials`, with its times where `timings` has them; other algorithms are left
    /// out.
    pub fn of(trials: &[PointTrials], timings: &[PointTimings]) -> Vec<Self> {
        let timings: BTreeMap<&Point, &PointTimings> = timings
            .iter()
            .rev()
            .map(|timing| (&timing.point, timing))
            .collect();
        let search = |point_trials: &PointTrials| {
            let is_there = point_trials.point.goal.is_some() && !point_trials.rows.is_empty();
            let times = timings.get(&point_trials.point).copied();
            is_there.then(|| Self::of_point(point_trials, times))
        };
        trials.iter().filter_map(search).collect()
    }

    /// Board side; 0 where the search has none.
    pub fn n(&self) -> u64 {
        self.point.integer("n").unwrap_or_default()
    }

    pub fn trials(&self) -> usize {
        self.endings.iter().map(|(_, trials)| trials).sum()
    }

    /// Trials that were cut off.
    pub fn cut_off(&self) -> usize {
        let cut_off = self.endings.iter().filter(|ending| ending.0.is_cut_off());
        cut_off.map(|cut_off| cut_off.1).sum()
    }

    fn of_point(trials: &PointTrials, timings: Option<&PointTimings>) -> Self {
        // Searches are few beside the trials of a local rule.
        let rows: &[Row] = &trials.rows.iter().collect::<Vec<_>>();
        let known = algorithm(&trials.point.algorithm)
            .map(|algorithm| algorithm.is_random(&trials.point.variant));
        // Of a search that is no longer in the registry, rows that differ are draws.
        let differs = || rows.iter().any(|row| row.outcome != rows[0].outcome);
        let is_random = known.unwrap_or_else(differs);
        let count = |count: fn(&Row) -> Option<u64>| {
            let values = rows.iter().map(|row| Some(bounded(row, count(row)?)));
            Some(Spread::of(values.collect::<Option<Vec<_>>>()?, is_random))
        };
        let mut endings: Vec<(Ending, usize)> = Vec::new();
        for Row { outcome, .. } in rows {
            match endings.iter_mut().find(|ending| ending.0 == outcome.ending) {
                Some((_, trials)) => *trials += 1,
                None => endings.push((outcome.ending, 1)),
            }
        }
        Self {
            point: trials.point.clone(),
            is_random,
            endings,
            cutoff: rows.iter().map(|row| row.cutoff).min().unwrap_or_default(),
            solutions: count(|row| row.outcome.solutions),
            checks: count(|row| row.outcome.checks),
            nodes: count(|row| row.outcome.nodes),
            failures: count(|row| row.outcome.failures),
            backtracks: count(|row| Some(row.outcome.nodes? + row.outcome.failures?)),
            time: timings.and_then(|timings| SearchTime::of(rows, timings, is_random)),
            untimed: timings.map_or(0, |timings| {
                let times = timings.seconds.iter();
                times.filter(|seconds| seconds.is_empty()).count()
            }),
        }
    }
}

/// What a row counts; the true number is this or more where the search was cut off.
fn bounded(row: &Row, value: u64) -> Bounded {
    let at_least = row.outcome.ending.is_cut_off();
    Bounded { value, at_least }
}

impl SearchTime {
    fn of(rows: &[Row], timings: &PointTimings, is_random: bool) -> Option<Self> {
        let mut repeats = Vec::new();
        let mut times = Vec::new();
        let mut rates = Vec::new();
        for (row, seconds) in rows.iter().zip(&timings.seconds) {
            // Without damaged ones.
            let seconds = seconds.iter().filter(|seconds| seconds.is_finite());
            let mut own: Vec<u64> = seconds
                .map(|second| (second * 1e9).round() as u64)
                .collect();
            own.sort_unstable();
            repeats.push(own.len());
            if is_random && !own.is_empty() {
                own = vec![own[(own.len() - 1) / 2]];
            }
            let nodes = row.outcome.nodes.filter(|&nodes| nodes > 0);
            let rate = |time: &u64| Some(Bounded::exactly(time.saturating_mul(1000) / nodes?));
            rates.extend(own.iter().map(rate));
            times.extend(own.iter().map(|&time| bounded(row, time)));
        }
        let rates: Option<Vec<Bounded>> = rates.into_iter().collect();
        (!times.is_empty()).then(|| Self {
            repeats: if is_random {
                repeats.into_iter().max().unwrap_or_default()
            } else {
                repeats.into_iter().sum()
            },
            nanoseconds: Spread::of(times, is_random),
            picoseconds_per_node: rates.map(|rates| Spread::of(rates, is_random)),
        })
    }
}

impl Spread {
    /// The spread over the trials of a random search, or over the repeats of another one.
    fn of(mut values: Vec<Bounded>, is_random: bool) -> Self {
        values.sort_unstable_by_key(|value| (value.value, value.at_least));
        if !is_random {
            return Self {
                low: values[0],
                median: values[(values.len() - 1) / 2],
                high: values[values.len() - 1],
                interval: None,
            };
        }
        let ordered = Ordered::of_bounded(&values);
        let [low, median, high] = [25, 50, 75].map(|percent| ordered.quantile(percent));
        Self {
            low: low.value,
            median: median.value,
            high: high.value,
            interval: Some(median),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{pair_key, searches, timings};
    use crate::experiment::store::rows::Rows;
    use crate::solver::Outcome;

    /// A search whose trials have these nodes, cut off at 1000; each takes its nodes in seconds and
    /// so many more.
    fn summary(variant: &str, nodes: &[u64], more: &[f64]) -> SearchSummary {
        let point = Point {
            algorithm: "cp".into(),
            variant: variant.into(),
            ..searches()[0].point.clone()
        };
        let row = |(&nodes, trial): (&u64, u32)| Row {
            seed: 1,
            trial,
            cutoff: 1000,
            outcome: Outcome {
                solutions: Some(1),
                nodes: Some(nodes),
                failures: Some(nodes / 2),
                ..Outcome::ended(match nodes {
                    1000 => Ending::Censored,
                    _ => Ending::Solved,
                })
            },
        };
        let seconds = |&nodes: &u64| more.iter().map(|more| nodes as f64 + more).collect();
        let rows: Rows = nodes.iter().zip(0..).map(row).collect();
        let timings = [PointTimings {
            point: point.clone(),
            rows: rows.clone(),
            seconds: nodes.iter().map(seconds).collect(),
        }];
        SearchSummary::of(&[PointTrials { point, rows }], &timings).remove(0)
    }

    /// Repeats, and whole seconds.
    fn timed(search: &SearchSummary) -> (usize, [(u64, bool); 3]) {
        let time = search.time.as_ref().expect("it was timed");
        let it = &time.nanoseconds;
        let seconds = |it: Bounded| (it.value / 1_000_000_000, it.at_least);
        (time.repeats, [it.low, it.median, it.high].map(seconds))
    }

    /// One search is timed several times, under whatever seeds; damaged times do not count. Of an
    /// even number of repeats of a random one the lower of the two in the middle: a time that was
    /// measured.
    #[test]
    fn times_go_from_least_to_greatest() {
        let search = summary("PN_PL", &[100, 100], &[0.0, 1.0, f64::NAN, -1.0]);
        assert!(!search.is_random);
        let expected = [99, 100, 101].map(|it| (it, false));
        assert_eq!(timed(&search), (6, expected));
        let rate = search.time.and_then(|time| time.picoseconds_per_node);
        let second = Bounded::exactly(1_000_000_000_000);
        assert_eq!(rate.map(|rate| rate.median), Some(second));
        let single = summary("PN_PR", &[10], &[2.0, 0.0]);
        assert_eq!(timed(&single), (2, [(10, false); 3]));
    }

    /// The expected values are by hand: of 9 trials the quartiles have the ranks 3 and 7, the
    /// median rank 5 and its interval ranks 2 and 8 (P(B ≤ 1) = 0.0195). Two trials that were cut
    /// off at 1000 are the last of them, whatever their position in the rows.
    #[test]
    fn random_searches_have_medians_over_trials_with_those_cut_off_in_their_place() {
        let nodes = [70, 1000, 30, 10, 20, 1000, 60, 50, 40];
        let search = summary("PN_PR", &nodes, &[0.0, 1.0, -1.0]);
        let counts = (search.trials(), search.cut_off(), search.cutoff);
        assert_eq!((search.is_random, counts), (true, (9, 2, 1000)));
        assert_eq!(search.endings, [(Ending::Solved, 7), (Ending::Censored, 2)]);
        assert_eq!(timed(&search), (3, [30, 50, 70].map(|it| (it, false))));
        let interval = search.nodes.and_then(|it| it.interval).expect("random");
        // Rank 8 is of one that was cut off.
        assert_eq!((interval.low, interval.high), (Bounded::exactly(20), None));
        let backtracks = search.backtracks.map(|backtracks| backtracks.median);
        assert_eq!(backtracks, Some(Bounded::exactly(75)));
        let search = summary("PN_PR", &[10, 1000, 1000], &[0.0]);
        assert_eq!(timed(&search).1[1], (1000, true));
    }

    #[test]
    fn other_algorithms_are_left_out_and_untimed_searches_kept() {
        let mut trials = searches();
        let searches = trials.len();
        trials[0].point = pair_key(8, 0.01);
        let timed = SearchSummary::of(&trials, &timings(&trials));
        assert_eq!(timed.len(), searches - 1);
        let untimed = SearchSummary::of(&trials, &[]);
        assert!(untimed.iter().all(|search| search.time.is_none()));
    }
}
