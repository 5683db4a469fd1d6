//! How long trials will take, by the manifests of earlier runs: as long as those of the same point;
//! else as those of the same n and the nearest other values, simulated in the same way if there are
//! any; else by the factor a row that the two largest n give, or just four where one n is known.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::available_parallelism;

use itertools::Itertools;
use libm::pow;
use serde::Serialize;

use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::RESERVED;
use crate::experiment::store::{StoreError, catalog};
use crate::experiment::version::Code;
use crate::solver::Point;

/// The factor by which a row more makes a trial longer where one n is known, and at most where two
/// are: their times may be noise.
const A_ROW: f64 = 4.0;
/// The factor by which other values may differ to tell anything. (An ε four times as high has made
/// trials a thousand times as long.)
const FAR: f64 = 2.0;

/// The points of earlier runs, each with its way to be simulated, and the seconds of a trial.
pub(in crate::cli) struct Forecast {
    known: BTreeMap<(Point, Way), f64>,
    threads: usize,
}

/// Seconds, and what they rest on if not on trials of the same point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(in crate::cli) struct Foretold {
    pub seconds: f64,
    from: Option<String>,
}

/// What a plan takes.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Total {
    /// The time on the threads of this machine; null where nothing is known.
    seconds: Option<f64>,
    threads: usize,
    /// Points of which others tell.
    from_others: usize,
    unknown_points: usize,
}

impl Forecast {
    /// Reads the manifests of the complete runs in `results` and of the references. Of several
    /// runs those of this code count, then the newest.
    pub fn read(results: &Path) -> Result<Self, StoreError> {
        let reference = Path::new("results").join(RESERVED);
        let places = [results.to_owned(), results.join(RESERVED), reference];
        let folders = places.iter().unique().map(|it| catalog::runs(it));
        // Of a damaged run, and of a spec that this program reads otherwise, nothing is known.
        let runs = folders
            .flatten_ok()
            .filter_map_ok(|it| Some((it.manifest().ok()?, it.plan()?)));
        let mut runs = runs.collect::<Result<Vec<_>, _>>()?;
        runs.sort_by_cached_key(|(it, _)| (it.code() == Code::Present, it.ended.clone()));
        let points = runs.iter();
        let points = points.flat_map(|(it, plan)| it.points.iter().zip(&plan.points));
        // Rows that were taken over say nothing of how long they took.
        let known = points.filter_map(|(it, own)| Some((key(own), it.mean_seconds()?)));
        Ok(Self {
            known: known.collect(),
            threads: available_parallelism().map_or(1, usize::from),
        })
    }

    /// What so many trials of a point take, one after the other.
    pub fn point(&self, planned: &PlannedPoint, trials: u64) -> Option<Foretold> {
        let foretold = |seconds, from| {
            let seconds = seconds * trials as f64;
            Some(Foretold { seconds, from })
        };
        let own = key(planned);
        if let Some(seconds) = self.known.get(&own) {
            return foretold(*seconds, None);
        }
        // The nearest point of each n, one that is simulated in the same way first.
        let (point, mut rows) = (&planned.point, BTreeMap::new());
        for ((other, way), seconds) in &self.known {
            let found = ((*way != own.1, factor(other, point)), other, *seconds);
            let nearest: Option<&((bool, f64), _, _)> = rows.get(&n(other));
            if found.0.1 <= FAR && nearest.is_none_or(|it| found.0 < it.0) {
                rows.insert(n(other), found);
            }
        }
        if let Some((_, other, seconds)) = rows.get(&n(point)) {
            let axes = other.axes.by_column();
            let others = axes.filter(|(name, own)| point.axes.get(name) != Some(*own));
            let words = others.map(|(name, value)| format!("{name}={value}"));
            let words = Some(words.collect::<Vec<_>>()).filter(|words| !words.is_empty());
            let words = words.map_or("another way to simulate it".to_owned(), |it| it.join(" "));
            return foretold(*seconds, Some(words));
        }
        let mut largest = rows.iter().rev().map(|(n, it)| (*n, it.2));
        let (last, seconds) = largest.next()?;
        let (a_row, from) = match largest.next() {
            None => (A_ROW, format!("n = {last}")),
            Some((n, other)) => {
                let a_row = pow(seconds / other, 1.0 / (last - n) as f64);
                (a_row.clamp(1.0, A_ROW), format!("n = {n} and {last}"))
            }
        };
        let rows = n(point) as f64 - last as f64;
        foretold(seconds * pow(a_row, rows), Some(from))
    }

    /// What the points of a plan take together: untimed trials share the threads, timed ones run
    /// alone.
    pub fn total(&self, plan: &Plan) -> Total {
        let points = plan.points.iter();
        let told = points.filter_map(|it| Some((it, self.point(it, 1)?)));
        let told: Vec<_> = told.collect();
        let sum = |are_timed| -> f64 {
            let is_own = |it: &&(&PlannedPoint, _)| it.0.repeats.is_some() == are_timed;
            let runs = |planned: &PlannedPoint| (planned.runs() * plan.seeds.len() as u64) as f64;
            let own = told.iter().filter(is_own);
            own.map(|(it, trial)| trial.seconds * runs(it)).sum()
        };
        let longest = told.iter().map(|it| it.1.seconds).fold(0.0, f64::max);
        let seconds = (sum(true) + sum(false) / self.threads as f64).max(longest);
        Total {
            seconds: (!told.is_empty()).then_some(seconds),
            threads: self.threads,
            from_others: told.iter().filter(|it| it.1.from.is_some()).count(),
            unknown_points: plan.points.len() - told.len(),
        }
    }
}

/// How a point is simulated: its dynamics, and whether its trials are recorded.
type Way = (Option<&'static str>, bool);

fn key(planned: &PlannedPoint) -> (Point, Way) {
    let way = (planned.dynamics_name(), planned.moments().is_empty());
    (planned.point.clone(), way)
}

fn n(point: &Point) -> u64 {
    point.integer("n").unwrap_or(1)
}

/// The product of the ratios of all values but n; infinite where one of two values is 0, and for
/// another algorithm, variant or goal, which tells nothing.
fn factor(one: &Point, other: &Point) -> f64 {
    let [kind, others] = [one, other].map(|point| (&point.algorithm, &point.variant, point.goal));
    if kind != others {
        return f64::INFINITY;
    }
    let axes = one.axes.by_column().filter(|it| it.0 != "n");
    let both = axes.filter_map(|(name, own)| Some((own, other.axes.get(name)?)));
    let both = both.filter(|(a, b)| a != b);
    let ratio = both.map(|(a, b)| a.number() / b.number());
    ratio.map(|it| it.max(1.0 / it)).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::DynamicsChoice;

    fn plan(sweep: &str) -> Plan {
        let text = format!("seed = 1\n[[sweep]]\n{sweep}\ncutoff = 1000\n");
        Plan::example(&text, DynamicsChoice::Auto)
    }

    fn pair(n: &str, epsilon: &str) -> Plan {
        plan(&format!(
            "algorithm = \"pair\"\nn = {n}\nepsilon = {epsilon}\ntrials = 10"
        ))
    }

    fn forecast(plan: &Plan, seconds: &[f64]) -> Forecast {
        let points = plan.points.iter().map(key);
        Forecast {
            known: points.zip(seconds.iter().copied()).collect(),
            threads: 4,
        }
    }

    /// Of 2 s at n = 4 and 18 s at n = 6 a trial takes three times as long a row: 6 s at 5, 162 s
    /// at 8. Of 2 s and 2 s it takes 2 s at any n, of 2 s at n = 4 alone 32 s at 6. ε = 0.15 is
    /// nearer to 0.1 than 0.05 is, but simulated step by step, and 0 is near to nothing.
    #[test]
    fn the_nearest_values_or_two_n_or_one_foretell() {
        let [thrice, steep, level] = [[2.0, 18.0, 0.0], [2.0, 99.0, 0.0], [9.0, 2.0, 2.0]];
        let cases = [
            ("[4, 6]", "0.1", thrice, "4", 20.0, ""),
            ("4", "[0, 0.05, 0.15]", level, "4", 20.0, "epsilon=0.05"),
            ("[4, 6]", "0.1", thrice, "5", 60.0, "n = 4 and 6"),
            ("[4, 6]", "0.1", thrice, "8", 1620.0, "n = 4 and 6"),
            ("[4, 6]", "0.1", steep, "7", 3960.0, "n = 4 and 6"),
            ("[3, 4, 6]", "0.1", level, "9", 20.0, "n = 4 and 6"),
            ("4", "0.1", thrice, "6", 320.0, "n = 4"),
            ("4", "0.1", thrice, "3", 5.0, "n = 4"),
        ];
        for (known, epsilon, seconds, n, sum, expected) in cases {
            let known = forecast(&pair(known, epsilon), &seconds);
            let told = known.point(&pair(n, "0.1").points[0], 10);
            let Foretold { seconds, from } = told.expect("known");
            assert!((seconds - sum).abs() < 1e-9, "{n}: {seconds}");
            assert_eq!(from.unwrap_or_default(), expected);
        }
    }

    /// Four threads share 10 trials of 2 s, and no sum is below a trial; five timed ones run alone.
    #[test]
    fn untimed_trials_share_the_threads() {
        let timed = plan("algorithm = \"lines\"\nn = 4\nrepeats = 5");
        let pair = pair("4", "0.1");
        for (known, planned, seconds) in [
            (&pair, &pair, Some(5.0)),
            (&pair, &pair.clone().capped(1), Some(2.0)),
            (&timed, &timed, Some(10.0)),
            (&pair, &timed, None),
        ] {
            assert_eq!(forecast(known, &[2.0]).total(planned).seconds, seconds);
        }
    }
}
