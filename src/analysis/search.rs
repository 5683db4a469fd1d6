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

    const SECOND: u64 = 1_000_000_000;

    fn row(seed: u64, trial: u32, nodes: u64, ending: Ending) -> Row {
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

    /// Each trial takes its nodes in seconds, then 1 s more and 1 s less.
    fn summary(variant: &str, rows: Vec<Row>) -> SearchSummary {
        let point = Point {
            algorithm: "cp".into(),
            variant: variant.into(),
            ..searches()[0].point.clone()
        };
        let times = |row: &Row| {
            let seconds = row.outcome.nodes.expect("rows of this test have nodes") as f64;
            TrialTimes {
                seed: row.seed,
                trial: row.trial,
                seconds: vec![seconds, seconds + 1.0, seconds - 1.0],
            }
        };
        let timings = [PointTimings {
            point: point.clone(),
            trials: rows.iter().map(times).collect(),
        }];
        SearchSummary::of(
            &[PointTrials {
                point,
                rows: rows.into(),
            }],
            &timings,
        )
        .remove(0)
    }

    fn seconds(spread: &Spread) -> [(u64, bool); 3] {
        [spread.low, spread.median, spread.high]
            .map(|bounded| (bounded.value / SECOND, bounded.at_least))
    }

    #[test]
    fn times_of_one_search_go_from_least_to_greatest_and_damaged_ones_do_not_count() {
        let trials = &searches()[..1];
        let times = [
            (vec![3.0, f64::NAN, 1.0, 2.0, 5.0], 4, [1, 2, 5]),
            (vec![3.0, 1.0, 2.0], 3, [1, 2, 3]),
        ];
        for (seconds_taken, repeats, expected) in times {
            let trial = TrialTimes {
                seed: 1,
                trial: 0,
                seconds: seconds_taken,
            };
            let timings = [PointTimings {
                point: trials[0].point.clone(),
                trials: vec![trial],
            }];
            let time = SearchSummary::of(trials, &timings)
                .remove(0)
                .time
                .expect("it was timed");
            assert_eq!(
                (time.repeats, seconds(&time.nanoseconds)),
                (repeats, expected.map(|seconds| (seconds, false)))
            );
        }
    }

    #[test]
    fn the_same_search_under_two_seeds_is_one() {
        let search = summary(
            "PN_PL",
            vec![
                row(1, 0, 100, Ending::Solved),
                row(2, 0, 100, Ending::Solved),
            ],
        );
        assert!(!search.is_random);
        let time = search.time.expect("it was timed");
        assert_eq!(
            (time.repeats, seconds(&time.nanoseconds)),
            (6, [(99, false), (100, false), (101, false)])
        );
        assert_eq!(
            time.picoseconds_per_node.map(|rate| rate.median.value),
            Some(1000 * SECOND)
        );
        assert_eq!(search.nodes.and_then(|nodes| nodes.interval), None);
    }

    /// By hand: of 9 trials the quartiles have the ranks 3 and 7, the median rank 5 and its
    /// interval ranks 2 and 8 (P(B ≤ 1) = 0.0195). Two trials that were cut off at 1000 are the
    /// last of them, whatever their place in the rows.
    #[test]
    fn random_searches_have_medians_over_trials_with_those_cut_off_in_their_place() {
        let nodes = [70, 1000, 30, 10, 20, 1000, 60, 50, 40];
        let ending = |nodes| {
            if nodes == 1000 {
                Ending::Censored
            } else {
                Ending::Solved
            }
        };
        let search = summary(
            "PN_PR",
            nodes
                .iter()
                .zip(0..)
                .map(|(&nodes, trial)| row(7, trial, nodes, ending(nodes)))
                .collect(),
        );
        assert!(search.is_random);
        assert_eq!(
            (search.trials(), search.cut_off(), search.cutoff),
            (9, 2, 1000)
        );
        assert_eq!(search.endings, [(Ending::Solved, 7), (Ending::Censored, 2)]);
        let exact = |value| Bounded {
            value,
            at_least: false,
        };
        let spread = search.nodes.expect("a search has nodes");
        assert_eq!(
            [spread.low, spread.median, spread.high],
            [30, 50, 70].map(exact)
        );
        let interval = spread.interval.expect("of a random search");
        assert_eq!(
            (interval.low, interval.high),
            (
                exact(20),
                Some(Bounded {
                    value: 1000,
                    at_least: true
                })
            )
        );
        assert_eq!(
            search.backtracks.map(|backtracks| backtracks.median),
            Some(exact(75))
        );
        let time = search.time.expect("it was timed");
        assert_eq!(
            (time.repeats, seconds(&time.nanoseconds)),
            (3, [(30, false), (50, false), (70, false)])
        );
    }

    /// Of an even number of repeats the lower of the two in the middle, as everywhere: a time that
    /// was measured.
    #[test]
    fn a_trial_repeated_twice_has_the_shorter_time() {
        let point = Point {
            algorithm: "cp".into(),
            variant: "PN_PR".into(),
            ..searches()[0].point.clone()
        };
        let rows = vec![row(1, 0, 10, Ending::Solved)];
        let trials = vec![TrialTimes {
            seed: 1,
            trial: 0,
            seconds: vec![5.0, 3.0],
        }];
        let timings = [PointTimings {
            point: point.clone(),
            trials,
        }];
        let search = SearchSummary::of(
            &[PointTrials {
                point,
                rows: rows.into(),
            }],
            &timings,
        )
        .remove(0);
        let time = search.time.expect("it was timed");
        assert_eq!(seconds(&time.nanoseconds), [(3, false); 3]);
    }

    #[test]
    fn a_median_among_trials_cut_off_is_a_lower_bound() {
        let search = summary(
            "PN_PR",
            vec![
                row(1, 0, 10, Ending::Solved),
                row(1, 1, 1000, Ending::Censored),
                row(1, 2, 1000, Ending::Censored),
            ],
        );
        let median = search.nodes.expect("a search has nodes").median;
        assert_eq!(
            median,
            Bounded {
                value: 1000,
                at_least: true
            }
        );
        assert!(
            search
                .time
                .expect("it was timed")
                .nanoseconds
                .median
                .at_least
        );
    }

    #[test]
    fn one_trial_of_a_random_search_says_nothing_of_the_median() {
        let search = summary("PN_PR", vec![row(1, 0, 10, Ending::Solved)]);
        let interval = search
            .nodes
            .and_then(|nodes| nodes.interval)
            .expect("of a random search");
        assert_eq!((interval.low.value, interval.high), (0, None));
    }

    #[test]
    fn other_algorithms_are_left_out_and_untimed_searches_kept() {
        let mut trials = searches();
        let searches = trials.len();
        trials[0].point = pair_key(8, 0.01);
        assert_eq!(
            SearchSummary::of(&trials, &timings(&trials)).len(),
            searches - 1
        );
        assert!(
            SearchSummary::of(&trials, &[])
                .iter()
                .all(|search| search.time.is_none())
        );
    }
}
