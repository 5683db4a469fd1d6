//! How long trials will take, by the manifests of earlier runs: as long as those of the same point;
//! else as those of the same n and the nearest other values, simulated in the same way if there are
//! any; else by the factor a row that the two largest n give, or just four where one n is known.
//! What other points tell is a range; and no trial takes longer than its cutoff does.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::available_parallelism;

use itertools::Itertools;
use libm::pow;
use serde::Serialize;

use crate::experiment::code_version::Code;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::RESERVED;
use crate::experiment::store::{StoreError, catalog};
use crate::results::point_key::PointKey;
use crate::solver::goal::Goal;
use crate::solver::{Point, local};

/// The factor by which a row more makes a trial longer where one n is known, and at most where two
/// are: their times may be noise.
const A_ROW: f64 = 4.0;
/// The factor by which other values may differ to tell anything. (An ε four times as high has made
/// trials a thousand times as long.)
const FAR: f64 = 2.0;
/// The factor between what points of other values foretell and either end of the range: 94 % of
/// 1 189 points of the reference, each left out, took a time within it.
const OF_VALUES: f64 = 3.0;
/// The same for each row of difference where no point of the same n is known: with both 94 % of
/// 1 211 points, of which those of their n and all larger ones were left out.
const OF_A_ROW: f64 = 2.0;
/// Rows of difference over which a time is foretold.
const MOST_ROWS: f64 = 16.0;
/// Updates of a local rule in a second, at least, however it is simulated: a tenth of what the
/// slowest of the table in docs/inside.md does.
const LEAST_SPEED: f64 = 7e6;
/// Seconds that a trial of a local rule takes beside its updates, at most.
const START: f64 = 2e-5;

/// The points of earlier runs, by what they run.
pub(in crate::cli) struct Forecast {
    known: BTreeMap<Kind, Vec<KnownPoint>>,
    /// Seconds of a trial of each point, in each way: to look through all others takes minutes for
    /// a plan of 10⁵ points.
    of_same: BTreeMap<PointKey, Vec<(Way, f64)>>,
    threads: usize,
}

/// Algorithm, variant and goal, of which no other tells anything.
type Kind = (String, String, Option<&'static str>);

/// How a point is simulated: its dynamics, and whether its trials are recorded.
type Way = (Option<&'static str>, bool);

/// A point that has run.
struct KnownPoint {
    values: Values,
    way: Way,
    /// Seconds of a trial.
    seconds: f64,
}

/// The values of a point on its axes, that of n apart.
struct Values {
    n: u64,
    others: Vec<(String, f64)>,
}

/// Seconds with the ends of their range, and what they rest on if not on trials of the same point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(in crate::cli) struct Foretold {
    from: Option<String>,
    high: f64,
    low: f64,
    pub seconds: f64,
}

/// What a plan takes.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Total {
    /// Points of which others tell.
    from_others: usize,
    /// The ends of the range of the time, equal to it where no other points tell of it.
    high: Option<f64>,
    low: Option<f64>,
    /// The time on the threads of this machine; null where nothing is known.
    seconds: Option<f64>,
    threads: usize,
    unknown_points: usize,
}

impl Forecast {
    /// Reads the manifests of the complete runs in `results` and of the references. Of several
    /// runs those of this code count, then the newest.
    pub fn read(results: &Path) -> Result<Self, StoreError> {
        let reference = Path::new("results").join(RESERVED);
        let places = [results.to_owned(), results.join(RESERVED), reference];
        let folders = places.iter().unique().map(|place| catalog::runs(place));
        // Of a damaged run, and of a spec that this program reads otherwise, nothing is known.
        let known = folders
            .flatten_ok()
            .filter_map_ok(|run| Some((run.manifest().ok()?, run.plan()?)));
        let mut runs = known.collect::<Result<Vec<_>, _>>()?;
        runs.sort_by_cached_key(|(run, _)| (run.code() == Code::Present, run.ended.clone()));
        let points = runs
            .iter()
            .flat_map(|(run, plan)| run.points.iter().zip(&plan.points));
        // Rows that were taken over say nothing of how long they took.
        let timed = points.filter_map(|(ran, planned)| Some((planned, ran.mean_seconds()?)));
        Ok(Self::of(timed))
    }

    /// What is known of these points, of equal ones the last.
    fn of<'p>(points: impl Iterator<Item = (&'p PlannedPoint, f64)>) -> Self {
        let points = points.map(|(planned, seconds)| (&planned.point, way(planned), seconds));
        let mut latest: Vec<(&Point, Way, f64)> = points.collect();
        // Stable, and soon done: those of a run are sorted.
        latest.sort_by(|a, b| a.0.order(b.0).then_with(|| a.1.cmp(&b.1)));
        let mut known: BTreeMap<Kind, Vec<KnownPoint>> = BTreeMap::new();
        let mut of_same: BTreeMap<PointKey, Vec<(Way, f64)>> = BTreeMap::new();
        for equal in latest.chunk_by(|a, b| a.1 == b.1 && a.0 == b.0) {
            let (point, way, seconds) = equal[equal.len() - 1];
            let same = of_same.entry(PointKey::of(point)).or_default();
            same.push((way, seconds));
            let values = Values::of(point);
            known.entry(kind(point)).or_default().push(KnownPoint {
                values,
                way,
                seconds,
            });
        }
        Self {
            known,
            of_same,
            threads: available_parallelism().map_or(1, usize::from),
        }
    }

    /// What a trial of each point of a plan takes, where anything is known of it.
    pub fn trials(&self, plan: &Plan) -> Vec<Option<Foretold>> {
        plan.points.iter().map(|point| self.trial(point)).collect()
    }

    /// What a trial of a point takes.
    fn trial(&self, planned: &PlannedPoint) -> Option<Foretold> {
        let point = &planned.point;
        let known = self.known.get(&kind(point))?;
        let values = Values::of(point);
        let way = way(planned);
        let of_same = self
            .of_same
            .get(&PointKey::of(point))
            .map_or(&[][..], Vec::as_slice);
        if let Some((_, seconds)) = of_same.iter().find(|(known, _)| *known == way) {
            return Some(Foretold::of(*seconds, None, 1.0).within_cutoff(planned));
        }

        // The nearest point of each n, one that is simulated in the same way first.
        let mut rows: BTreeMap<u64, ((bool, f64), &KnownPoint)> = BTreeMap::new();
        for other in known {
            let distance = (other.way != way, other.values.factor(&values));
            let nearest = rows.get(&other.values.n);
            if distance.1 <= FAR && nearest.is_none_or(|nearest| distance < nearest.0) {
                rows.insert(other.values.n, (distance, other));
            }
        }
        let foretold = match rows.get(&values.n) {
            Some((_, other)) => Foretold::of(
                other.seconds,
                Some(other.values.other_than(&values)),
                OF_VALUES,
            ),
            None => by_rows(&values, rows.values().map(|row| row.1))?,
        };
        Some(foretold.within_cutoff(planned))
    }

    /// What the points of a plan take together.
    pub fn total(&self, plan: &Plan) -> Total {
        self.total_of(plan, &self.trials(plan))
    }

    /// The same of [`Self::trials`]: untimed trials share the threads, timed ones run alone.
    pub fn total_of(&self, plan: &Plan, trials: &[Option<Foretold>]) -> Total {
        let points = plan.points.iter().zip(trials);
        let foretold = points.filter_map(|(planned, trial)| Some((planned, trial.as_ref()?)));
        let told: Vec<(&PlannedPoint, &Foretold)> = foretold.collect();
        let sum = |seconds: fn(&Foretold) -> f64| {
            let [mut alone, mut shared, mut longest] = [0.0_f64; 3];
            for (planned, trial) in &told {
                let runs = (planned.runs() * plan.seeds.len() as u64) as f64;
                let sum = if planned.repeats.is_some() {
                    &mut alone
                } else {
                    &mut shared
                };
                *sum += seconds(trial) * runs;
                longest = longest.max(seconds(trial));
            }
            let all = (alone + shared / self.threads as f64).max(longest);
            (!told.is_empty()).then_some(all)
        };
        Total {
            from_others: told.iter().filter(|told| told.1.from.is_some()).count(),
            high: sum(|told| told.high),
            low: sum(|told| told.low),
            seconds: sum(|told| told.seconds),
            threads: self.threads,
            unknown_points: plan.points.len() - told.len(),
        }
    }
}

impl Foretold {
    /// Seconds, which may be so many times more or less.
    fn of(seconds: f64, from: Option<String>, factor: f64) -> Self {
        Self {
            from,
            high: seconds * factor,
            low: seconds / factor,
            seconds,
        }
    }

    /// The same of so many trials.
    pub fn times(&self, trials: u64) -> Self {
        let trials = trials as f64;
        Self {
            from: self.from.clone(),
            high: self.high * trials,
            low: self.low * trials,
            seconds: self.seconds * trials,
        }
    }

    /// No more than what the cutoff of a local rule allows.
    fn within_cutoff(self, planned: &PlannedPoint) -> Self {
        if local::rule(&planned.point.algorithm).is_none() {
            return self;
        }
        let most = START + planned.cutoff as f64 / LEAST_SPEED;
        Self {
            high: self.high.min(most),
            low: self.low.min(most),
            seconds: self.seconds.min(most),
            ..self
        }
    }
}

/// What points of other n tell, in the order of these, the nearest one of each.
fn by_rows<'k>(
    values: &Values,
    nearest: impl DoubleEndedIterator<Item = &'k KnownPoint>,
) -> Option<Foretold> {
    let mut largest = nearest.rev().map(|point| (point.values.n, point.seconds));
    let (last, seconds) = largest.next()?;
    let (a_row, from) = match largest.next() {
        None => (A_ROW, format!("n = {last}")),
        Some((n, other)) => {
            let a_row = pow(seconds / other, 1.0 / (last - n) as f64);
            (a_row.clamp(1.0, A_ROW), format!("n = {n} and {last}"))
        }
    };
    let rows = values.n as f64 - last as f64;
    // Over so many rows the range would say nothing.
    if rows.abs() > MOST_ROWS {
        return None;
    }
    let factor = OF_VALUES * pow(OF_A_ROW, rows.abs());
    Some(Foretold::of(seconds * pow(a_row, rows), Some(from), factor))
}

fn kind(point: &Point) -> Kind {
    (
        point.algorithm.clone(),
        point.variant.clone(),
        point.goal.map(Goal::name),
    )
}

fn way(planned: &PlannedPoint) -> Way {
    (planned.dynamics_name(), planned.moments().is_empty())
}

impl Values {
    fn of(point: &Point) -> Self {
        let others = point
            .axes
            .by_column()
            .filter(|by_column| by_column.0 != "n");
        Self {
            n: point.integer("n").unwrap_or(1),
            others: others
                .map(|(name, it)| (name.to_owned(), it.number()))
                .collect(),
        }
    }

    /// The pairs of values on axes that both have, and that differ.
    fn differing<'v>(&'v self, other: &'v Self) -> impl Iterator<Item = (&'v str, [f64; 2])> {
        self.others.iter().filter_map(|(name, value)| {
            let (_, theirs) = other.others.iter().find(|other| other.0 == *name)?;
            (value != theirs).then_some((&**name, [*value, *theirs]))
        })
    }

    /// The product of the ratios of all values but n; infinite where one of two values is 0.
    fn factor(&self, other: &Self) -> f64 {
        let ratios = self.differing(other).map(|(_, [a, b])| a / b);
        ratios.map(|ratio| ratio.max(1.0 / ratio)).product()
    }

    /// What differs from another point of this n, as `epsilon=0.05`.
    fn other_than(&self, other: &Self) -> String {
        let words = self.differing(other);
        let words = words
            .map(|(name, [value, _])| format!("{name}={value}"))
            .join(" ");
        if words.is_empty() {
            return "trials of other dynamics".to_owned();
        }
        words
    }
}

#[cfg(test)]
mod tests;
