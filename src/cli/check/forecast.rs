//! How long trials will take, by the manifests of earlier runs: as long as those of the same point;
//! else as those of the same n and the nearest other values, by their ratios; else by the power of
//! n that two n give, at most or, where one is known, just four times as long a row.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::available_parallelism;

use itertools::Itertools;
use libm::{log, pow};
use serde::Serialize;

use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::RESERVED;
use crate::experiment::store::{StoreError, catalog};
use crate::experiment::version::Code;

/// The factor by which a row more makes a trial longer where one n is known.
const A_ROW: f64 = 4.0;
/// Two n nearer to each other than by this factor would foretell from noise.
const APART: f64 = 1.3;
/// How far other values may be for the power of n: a factor of 2 in one of them.
const NEAR: f64 = 0.7;
/// How far n, and other values, may be to tell anything: a factor of 4. (An ε six times as high has
/// made trials a thousand times as long.)
const FAR: f64 = 1.4;
/// What is added to values whose ratio counts, so that 0 has one.
const LEAST: f64 = 1e-6;
/// The distance of a point that is simulated in another way.
const OTHER_WAY: f64 = 5.0;

/// The points of earlier runs by all that foretells nothing of another, their algorithm, variant
/// and goal, and by what they are.
pub(in crate::cli) struct Forecast {
    known: BTreeMap<String, BTreeMap<String, EarlierPoint>>,
    threads: usize,
}

/// The trials of a point in an earlier run.
struct EarlierPoint {
    planned: PlannedPoint,
    /// Seconds of one.
    seconds: f64,
    /// The share of those that were cut off.
    censored: f64,
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
        let mut forecast = Self {
            known: BTreeMap::new(),
            threads: available_parallelism().map_or(1, usize::from),
        };
        for (manifest, plan) in &runs {
            for (totals, planned) in manifest.points.iter().zip(&plan.points) {
                // Rows that were taken over say nothing of how long they took.
                let Some(seconds) = totals.mean_seconds() else {
                    continue;
                };
                let trials = u64::from(planned.trials) * plan.seeds.len() as u64;
                let censored = totals.censored as f64 / trials as f64;
                forecast.add(planned.clone(), seconds, censored);
            }
        }
        Ok(forecast)
    }

    fn add(&mut self, planned: PlannedPoint, seconds: f64, censored: f64) {
        let of_kind = self.known.entry(kind(&planned)).or_default();
        of_kind.insert(
            key(&planned),
            EarlierPoint {
                planned,
                seconds,
                censored,
            },
        );
    }

    /// What so many trials of a point take, one after the other.
    pub fn point(&self, planned: &PlannedPoint, trials: u64) -> Option<Foretold> {
        let known = self.known.get(&kind(planned))?;
        // Trials that were cut off tell of the same point alone.
        let tells = |it: &&EarlierPoint| {
            let is_same = it.planned.point == planned.point;
            is_same || it.censored < 0.1 && it.apart(planned) <= FAR
        };
        let near = |it: &EarlierPoint| (it.n() - n(planned)).abs() * 1e3 + it.distance(planned);
        let nearest = || {
            let told = known.values().filter(tells);
            told.min_by(|a, b| near(a).total_cmp(&near(b)))
        };
        let one = known.get(&key(planned)).or_else(nearest)?;
        if log(one.n() / n(planned)).abs() > FAR {
            return None;
        }
        let rows = n(planned) - one.n();
        let is_apart = |it: &&EarlierPoint| {
            let ratio = it.n() / one.n();
            ratio.max(1.0 / ratio) >= APART && it.distance(&one.planned) <= NEAR
        };
        let others = known.values().filter(tells).filter(is_apart);
        let rows_to = |it: &EarlierPoint| (it.n() - one.n()).abs();
        let other = || others.min_by(|a, b| rows_to(a).total_cmp(&rows_to(b)));
        let (factor, from) = match (rows != 0.0).then(other) {
            None => (1.0, one.differing(planned)),
            Some(None) => (pow(A_ROW, rows), Some(format!("n = {}", one.n()))),
            Some(Some(other)) => {
                let power = log(one.seconds / other.seconds) / log(one.n() / other.n());
                let (least, most) = (one.n().min(other.n()), one.n().max(other.n()));
                let from = Some(format!("n = {least} and {most}"));
                let factor = pow(n(planned) / one.n(), power);
                (factor.min(pow(A_ROW, rows.max(0.0))), from)
            }
        };
        let longer = (planned.cutoff as f64 / one.planned.cutoff as f64).max(1.0);
        let seconds = one.seconds * (1.0 + one.censored * (longer - 1.0)) * factor;
        Some(Foretold {
            seconds: seconds * trials as f64,
            from,
        })
    }

    /// What the points of a plan take together: untimed trials share the threads, timed ones run
    /// alone.
    pub fn total(&self, plan: &Plan) -> Total {
        let (mut alone, mut beside, mut longest) = (0.0, 0.0, 0.0_f64);
        let points = plan.points.iter().map(|it| (it, self.point(it, 1)));
        let (mut from_others, mut known) = (0, 0);
        for (planned, told) in points.filter_map(|it| Some((it.0, it.1?))) {
            known += 1;
            from_others += usize::from(told.from.is_some());
            longest = longest.max(told.seconds);
            let sum = if planned.repeats.is_some() {
                &mut alone
            } else {
                &mut beside
            };
            *sum += told.seconds * (planned.runs() * plan.seeds.len() as u64) as f64;
        }
        let seconds = (alone + beside / self.threads as f64).max(longest);
        Total {
            seconds: (known > 0).then_some(seconds),
            threads: self.threads,
            from_others,
            unknown_points: plan.points.len() - known,
        }
    }
}

fn kind(planned: &PlannedPoint) -> String {
    let it = &planned.point;
    format!("{} {} {:?}", it.algorithm, it.variant, it.goal)
}

/// What it is, and how it is simulated.
fn key(planned: &PlannedPoint) -> String {
    let way = (planned.dynamics_name(), planned.moments().is_empty());
    format!("{} {way:?}", planned.point)
}

fn n(planned: &PlannedPoint) -> f64 {
    planned.point.integer("n").unwrap_or(1) as f64
}

impl EarlierPoint {
    fn n(&self) -> f64 {
        n(&self.planned)
    }

    fn is_other_way(&self, planned: &PlannedPoint) -> bool {
        let way = |it: &PlannedPoint| (it.dynamics_name(), it.moments().is_empty());
        way(&self.planned) != way(planned)
    }

    /// How far a point is, but for n: the sum of the logarithms of the ratios of its values.
    fn apart(&self, planned: &PlannedPoint) -> f64 {
        let axes = self.planned.point.axes.by_column().filter(|it| it.0 != "n");
        let both = axes.filter_map(|(name, own)| Some((own, planned.point.axes.get(name)?)));
        let ratio = both.map(|(own, other)| (own.number() + LEAST) / (other.number() + LEAST));
        ratio.map(|it| log(it).abs()).sum()
    }

    /// How far it is, also in the way to simulate it.
    fn distance(&self, planned: &PlannedPoint) -> f64 {
        self.apart(planned) + OTHER_WAY * f64::from(u8::from(self.is_other_way(planned)))
    }

    /// The values that another point has not, or the other way to simulate it.
    fn differing(&self, planned: &PlannedPoint) -> Option<String> {
        let axes = self.planned.point.axes.by_column();
        let axes = axes.filter(|(name, own)| planned.point.axes.get(name).as_ref() != Some(own));
        let words = axes.map(|(name, own)| format!("{name}={own}")).join(" ");
        let way = self
            .is_other_way(planned)
            .then(|| "another way to simulate it".to_owned());
        Some(words).filter(|words| !words.is_empty()).or(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::DynamicsChoice;

    fn plan(sweep: &str) -> Plan {
        let text = format!("seed = 1\n[[sweep]]\n{sweep}\ncutoff = 1000\n");
        Plan::example(&text, DynamicsChoice::Auto)
    }

    fn pair(n: &str, epsilon: f64) -> Plan {
        plan(&format!(
            "algorithm = \"pair\"\nn = {n}\nepsilon = {epsilon}\ntrials = 10"
        ))
    }

    fn forecast(plan: Plan, seconds: &[f64]) -> Forecast {
        let mut forecast = Forecast {
            known: BTreeMap::new(),
            threads: 4,
        };
        for (planned, &seconds) in plan.points.into_iter().zip(seconds) {
            forecast.add(planned, seconds, 0.0);
        }
        forecast
    }

    /// Of 2 s at n = 4 and 32 s at n = 8 a trial takes n⁴ / 128 s: 10.125 s at 6, 512 s at 16.
    #[test]
    fn two_n_give_a_power_and_one_a_factor() {
        let of = |forecast: &Forecast, n: &str, epsilon, trials| {
            let told = forecast
                .point(&pair(n, epsilon).points[0], trials)
                .expect("known");
            (told.seconds, told.from.unwrap_or_default())
        };
        let both = forecast(pair("[4, 8]", 0.1), &[2.0, 32.0]);
        assert_eq!(of(&both, "4", 0.1, 10), (20.0, String::new()));
        assert_eq!(of(&both, "8", 0.2, 1), (32.0, "epsilon=0.1".to_owned()));
        for (n, seconds) in [("6", 10.125), ("16", 512.0)] {
            let (told, from) = of(&both, n, 0.1, 1);
            let is_near = (told - seconds).abs() < 1e-9;
            assert!(is_near && from == "n = 4 and 8", "{told} {from}");
        }
        let one = forecast(pair("4", 0.1), &[2.0]);
        assert_eq!(of(&one, "3", 0.1, 1), (0.5, "n = 4".to_owned()));
        assert_eq!(one.point(&pair("4", 0.6).points[0], 1), None);
    }

    /// Four threads share 10 trials of 2 s, and no sum is below a trial; five timed ones run alone.
    #[test]
    fn untimed_trials_share_the_threads() {
        let timed = plan("algorithm = \"lines\"\nn = 4\nrepeats = 5");
        for (known, planned, seconds) in [
            (pair("4", 0.1), pair("4", 0.1), Some(5.0)),
            (pair("4", 0.1), pair("4", 0.1).capped(1), Some(2.0)),
            (timed.clone(), timed.clone(), Some(10.0)),
            (pair("4", 0.1), timed, None),
        ] {
            assert_eq!(forecast(known, &[2.0]).total(&planned).seconds, seconds);
        }
    }
}
