//! What searches cost: counts and wall-clock times, of one search or over the trials of a random
//! one.

use super::quantile::{Bounded, Ordered, Quantile};
use crate::experiment::store::{Point, Row};
use crate::results::{PointTimings, PointTrials};
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
    /// Whether the trials are draws of a random search.
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
    /// Of a random search the lower quartile over the trials; of a timed one the least of the
    /// repeats.
    pub low: Bounded,
    /// Of an even number of values the lower of the middle two.
    pub median: Bounded,
    /// Upper quartile, or the greatest of the repeats.
    pub high: Bounded,
    /// 95 % interval of the median, only of a random search: ends without a value where there are
    /// too few trials.
    pub interval: Option<Quantile>,
}

/// A value, and whether the search was cut off there, so that the true one is this or more.
type Measured = (u64, bool);

impl SearchSummary {
    /// Every search of `trials`, with its times where `timings` has them; other algorithms are left
    /// out.
    pub fn of(trials: &[PointTrials], timings: &[PointTimings]) -> Vec<Self> {
        let searches = trials
            .iter()
            .filter(|trials| trials.point.goal.is_some() && !trials.rows.is_empty());
        let times = |point: &Point| timings.iter().find(|timings| timings.point == *point);
        searches
            .map(|trials| Self::of_point(trials, times(&trials.point)))
            .collect()
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
        self.endings
            .iter()
            .filter(|(ending, _)| ending.is_cut_off())
            .map(|(_, trials)| trials)
            .sum()
    }

    fn of_point(trials: &PointTrials, timings: Option<&PointTimings>) -> Self {
        // Searches are few beside the trials of a local rule.
        let rows: &[Row] = &trials.rows.iter().collect::<Vec<_>>();
        // Of a search that is no longer in the registry, rows that differ are draws.
        let differs = || {
            rows.windows(2)
                .any(|pair| !is_same_search(&pair[0], &pair[1]))
        };
        let known = algorithm(&trials.point.algorithm)
            .map(|algorithm| algorithm.is_random(&trials.point.variant));
        let is_random = known.unwrap_or_else(differs);
        let count = |count: fn(&Row) -> Option<u64>| {
            let values: Option<Vec<Measured>> = rows
                .iter()
                .map(|row| Some((count(row)?, row.outcome.ending.is_cut_off())))
                .collect();
            values.map(|values| {
                if is_random {
                    Spread::over_trials(&values)
                } else {
                    Spread::of_repeats(&values)
                }
            })
        };
        Self {
            point: trials.point.clone(),
            is_random,
            endings: endings(rows),
            cutoff: rows.iter().map(|row| row.cutoff).min().unwrap_or_default(),
            solutions: count(|row| row.outcome.solutions),
            checks: count(|row| row.outcome.checks),
            nodes: count(|row| row.outcome.nodes),
            failures: count(|row| row.outcome.failures),
            backtracks: count(|row| Some(row.outcome.nodes? + row.outcome.failures?)),
            time: timings.and_then(|timings| SearchTime::of(rows, timings, is_random)),
        }
    }
}

impl SearchTime {
    fn of(rows: &[Row], timings: &PointTimings, is_random: bool) -> Option<Self> {
        let timed: Vec<(&Row, Vec<u64>)> = rows
            .iter()
            .map(|row| (row, nanoseconds(row, timings)))
            .filter(|(_, times)| !times.is_empty())
            .collect();
        let repeats = timed.iter().map(|(_, times)| times.len());
        let repeats = if is_random {
            repeats.max()?
        } else {
            repeats.sum()
        };
        let rate = |row: &Row, nanoseconds: u64| {
            let nodes = row.outcome.nodes.filter(|&nodes| nodes > 0)?;
            Some((nanoseconds.saturating_mul(1000) / nodes, false))
        };
        let (times, rates): (Vec<Measured>, Vec<Option<Measured>>) = timed
            .iter()
            .flat_map(|(row, times)| {
                let times = if is_random {
                    vec![times[(times.len() - 1) / 2]]
                } else {
                    times.clone()
                };
                times
                    .into_iter()
                    .map(|time| ((time, row.outcome.ending.is_cut_off()), rate(row, time)))
            })
            .unzip();
        let spread = |values: &[Measured]| {
            if is_random {
                Spread::over_trials(values)
            } else {
                Spread::of_repeats(values)
            }
        };
        let rates: Option<Vec<Measured>> = rates.into_iter().collect();
        (repeats > 0).then(|| Self {
            repeats,
            nanoseconds: spread(&times),
            picoseconds_per_node: rates.map(|rates| spread(&rates)),
        })
    }
}

impl Spread {
    /// Quartiles and the median with its interval.
    fn over_trials(values: &[Measured]) -> Self {
        let ordered = Ordered::with_bounds(values);
        let [low, median, high] = [25, 50, 75].map(|percent| ordered.quantile(percent));
        Self {
            low: low.value,
            median: median.value,
            high: high.value,
            interval: Some(median),
        }
    }

    /// Of one search, several times: from the least to the greatest.
    fn of_repeats(values: &[Measured]) -> Self {
        let mut values = values.to_vec();
        values.sort_unstable();
        let at = |index: usize| Bounded {
            value: values[index].0,
            at_least: values[index].1,
        };
        Self {
            low: at(0),
            median: at((values.len() - 1) / 2),
            high: at(values.len() - 1),
            interval: None,
        }
    }
}

fn is_same_search(a: &Row, b: &Row) -> bool {
    a.outcome == b.outcome
}

fn endings(rows: &[Row]) -> Vec<(Ending, usize)> {
    let mut endings: Vec<(Ending, usize)> = Vec::new();
    for row in rows {
        match endings
            .iter_mut()
            .find(|(ending, _)| *ending == row.outcome.ending)
        {
            Some((_, trials)) => *trials += 1,
            None => endings.push((row.outcome.ending, 1)),
        }
    }
    endings
}

/// The times of one trial in increasing order, without damaged ones.
fn nanoseconds(row: &Row, timings: &PointTimings) -> Vec<u64> {
    let own = timings
        .trials
        .iter()
        .filter(|times| (times.seed, times.trial) == (row.seed, row.trial));
    let seconds = own
        .flat_map(|times| &times.seconds)
        .filter(|seconds| seconds.is_finite());
    let mut times: Vec<u64> = seconds
        .map(|seconds| (seconds * 1e9).round() as u64)
        .collect();
    times.sort_unstable();
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{pair_key, searches, timings};
    use crate::results::TrialTimes;
    use crate::solver::Outcome;

    fn row(seed: u64, trial: u32, nodes: u64) -> Row {
        let ending = if nodes == 1000 {
            Ending::Censored
        } else {
            Ending::Solved
        };
        Row {
            seed,
            trial,
            cutoff: 1000,
            outcome: Outcome {
                solutions: Some(1),
                nodes: Some(nodes),
                failures: Some(nodes / 2),
                ..Outcome::ended(ending)
            },
        }
    }

    /// Each trial takes its nodes in seconds and so many more.
    fn summary(variant: &str, rows: Vec<Row>, more: &[f64]) -> SearchSummary {
        let point = Point {
            algorithm: "cp".into(),
            variant: variant.into(),
            ..searches()[0].point.clone()
        };
        let times = |row: &Row| {
            let nodes = row.outcome.nodes.expect("rows of this test have nodes") as f64;
            TrialTimes {
                seed: row.seed,
                trial: row.trial,
                seconds: more.iter().map(|more| nodes + more).collect(),
            }
        };
        let timings = [PointTimings {
            point: point.clone(),
            trials: rows.iter().map(times).collect(),
        }];
        let rows = rows.into();
        SearchSummary::of(&[PointTrials { point, rows }], &timings).remove(0)
    }

    /// Repeats, and whole seconds.
    fn timed(search: &SearchSummary) -> (usize, [(u64, bool); 3]) {
        let time = search.time.as_ref().expect("it was timed");
        let Spread {
            low, median, high, ..
        } = time.nanoseconds;
        let seconds = |it: Bounded| (it.value / 1_000_000_000, it.at_least);
        (time.repeats, [low, median, high].map(seconds))
    }

    fn exact(value: u64) -> Bounded {
        Bounded {
            value,
            at_least: false,
        }
    }

    /// One search is timed several times, under whatever seeds; damaged times do not count. Of an
    /// even number of repeats of a random one the lower of the two in the middle: a time that was
    /// measured.
    #[test]
    fn times_go_from_least_to_greatest() {
        let two_seeds = vec![row(1, 0, 100), row(2, 0, 100)];
        let search = summary("PN_PL", two_seeds, &[0.0, 1.0, f64::NAN, -1.0]);
        assert!(!search.is_random);
        assert_eq!(
            timed(&search),
            (6, [(99, false), (100, false), (101, false)])
        );
        let rate = search.time.and_then(|time| time.picoseconds_per_node);
        assert_eq!(rate.map(|rate| rate.median), Some(exact(1_000_000_000_000)));
        assert_eq!(search.nodes.and_then(|nodes| nodes.interval), None);
        let single = summary("PN_PR", vec![row(1, 0, 10)], &[2.0, 0.0]);
        assert_eq!(timed(&single), (2, [(10, false); 3]));
        let interval = single.nodes.and_then(|nodes| nodes.interval);
        let interval = interval.expect("of a random search");
        assert_eq!((interval.low.value, interval.high), (0, None));
    }

    /// By hand: of 9 trials the quartiles have the ranks 3 and 7, the median rank 5 and its
    /// interval ranks 2 and 8 (P(B ≤ 1) = 0.0195). Two trials that were cut off at 1000 are the
    /// last of them, whatever their place in the rows.
    #[test]
    fn random_searches_have_medians_over_trials_with_those_cut_off_in_their_place() {
        let nodes = [70, 1000, 30, 10, 20, 1000, 60, 50, 40];
        let rows = nodes.iter().zip(0..).map(|(&nodes, it)| row(7, it, nodes));
        let search = summary("PN_PR", rows.collect(), &[0.0, 1.0, -1.0]);
        assert!(search.is_random);
        assert_eq!(
            (search.trials(), search.cut_off(), search.cutoff),
            (9, 2, 1000)
        );
        assert_eq!(search.endings, [(Ending::Solved, 7), (Ending::Censored, 2)]);
        let at_least = Bounded {
            value: 1000,
            at_least: true,
        };
        assert_eq!(timed(&search), (3, [(30, false), (50, false), (70, false)]));
        let spread = search.nodes.expect("a search has nodes");
        let found = [spread.low, spread.median, spread.high];
        assert_eq!(found, [30, 50, 70].map(exact));
        let interval = spread.interval.expect("of a random search");
        assert_eq!((interval.low, interval.high), (exact(20), Some(at_least)));
        let backtracks = search.backtracks.map(|backtracks| backtracks.median);
        assert_eq!(backtracks, Some(exact(75)));
        let rows = [10, 1000, 1000].iter().zip(0..);
        let rows = rows.map(|(&nodes, it)| row(1, it, nodes)).collect();
        let search = summary("PN_PR", rows, &[0.0]);
        assert_eq!(timed(&search).1[1], (1000, true));
        assert_eq!(search.nodes.expect("nodes").median, at_least);
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
