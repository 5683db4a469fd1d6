//! How long a plan will take, from the results of earlier runs on this kind of processor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use serde::Serialize;

use crate::analysis::mean::Mean;
use crate::analysis::run_time::{Basis, Forecast, History, PastTrials};
use crate::cli::progress::duration;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::{Machine, Manifest};
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::{Point, Row, StoreError};
use crate::experiment::version;
use crate::solver::{Dynamics, Ending};

/// The earlier runs that could be read, oldest first, and how many could not.
pub(in crate::cli) struct Earlier {
    runs: Vec<Run>,
    unreadable: usize,
    threads: usize,
}

struct Run {
    manifest: Manifest,
    points: Vec<TimedPoint>,
}

/// The trials of a point in an earlier run.
struct TimedPoint {
    point: Point,
    /// Nanoseconds of a trial.
    mean: Mean,
    /// Moves of all of them, where each row has them.
    moves: Option<u64>,
    /// The least cutoff at which one of them was cut off.
    cut_off_at: Option<u64>,
    /// `None` for a search, and where the run's plan cannot be made again.
    way: Option<Way>,
}

/// What the time of a trial depends on besides its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// The dynamics, by name.
    dynamics: &'static str,
    /// Not in lanes beside others, because the trial writes down its course: it takes some ten
    /// times as long.
    out_of_lanes: bool,
}

impl Way {
    /// How a plan runs the trials of a point.
    fn of(planned: &PlannedPoint) -> Option<Self> {
        Some(Self {
            dynamics: planned.dynamics_name()?,
            out_of_lanes: planned.dynamics == Dynamics::Lanes && !planned.recording().is_empty(),
        })
    }
}

impl TimedPoint {
    fn of(rows: &Rows, way: Option<Way>) -> Self {
        let cut_off = |row: &&Row| row.outcome.ending == Ending::Censored;
        let nanoseconds: Vec<u64> = rows.seconds.iter().map(|it| (it * 1e9) as u64).collect();
        Self {
            point: Point::clone(&rows.point),
            mean: Mean::of(&nanoseconds),
            moves: rows.rows.iter().map(|row| row.outcome.moves).sum(),
            cut_off_at: rows.rows.iter().filter(cut_off).map(|row| row.cutoff).min(),
            way,
        }
    }

    /// Whether none of its trials was cut off before the cutoff of the plan.
    fn ran_as_long_as(&self, planned: &PlannedPoint) -> bool {
        self.cut_off_at
            .is_none_or(|cutoff| cutoff >= planned.cutoff)
    }
}

/// The forecast of one point.
#[derive(Debug, Serialize)]
pub(super) struct PointTime {
    /// Trial seconds, added up over threads.
    pub seconds: f64,
    pub seconds_low: f64,
    /// `None`: no upper bound.
    pub seconds_high: Option<f64>,
    pub based_on: String,
}

impl Earlier {
    /// Reads every complete run in `results`, and in its `reference`, that was made on this kind of
    /// processor and has at most so many rows.
    ///
    /// # Errors
    /// A folder that cannot be listed. A damaged run is counted and left out.
    pub fn read(results: &Path, most_rows: u64) -> Result<Self, StoreError> {
        let cpu = Machine::here(0).cpu;
        let (mut runs, mut unreadable) = (Vec::new(), 0);
        // Where nothing has run yet, there is the reference that comes with the sources.
        let reference = catalog::runs(&results.join("reference"))?;
        for entry in reference
            .iter()
            .chain(&catalog::runs(results)?)
            .filter(|entry| entry.folder.is_complete())
        {
            match read(entry, &cpu, most_rows) {
                Ok(run) => runs.extend(run),
                Err(_) => unreadable += 1,
            }
        }
        runs.sort_by(|a, b| a.manifest.ended.cmp(&b.manifest.ended));
        Ok(Self {
            runs,
            unreadable,
            threads: available_parallelism().map_or(1, usize::from),
        })
    }

    /// One forecast per point of `plan`, where earlier results allow one.
    pub fn forecasts(&self, plan: &Plan) -> Vec<Option<Forecast>> {
        let at = |planned: &PlannedPoint| {
            let trials = planned.runs() * plan.seeds.len() as u64;
            self.history(planned).forecast(&planned.point, trials)
        };
        plan.points.iter().map(at).collect()
    }

    /// Seconds of a trial of each point of `plan`, where earlier results say it.
    pub fn of_a_trial(&self, plan: &Plan) -> Vec<Option<f64>> {
        let runs = |planned: &PlannedPoint| planned.runs() as f64 * plan.seeds.len() as f64;
        let forecasts = self.forecasts(plan).into_iter().zip(&plan.points);
        let seconds = |(forecast, planned): (Option<Forecast>, &PlannedPoint)| {
            forecast.map(|it| it.seconds / runs(planned))
        };
        forecasts.map(seconds).collect()
    }

    /// Mean moves of the trials of a point in the newest run that has trials of it which were not
    /// cut off earlier, of the present code; `None` where there is none.
    pub fn mean_moves(&self, planned: &PlannedPoint) -> Option<f64> {
        let key = &planned.point;
        let moves = |run: &Run| -> Option<f64> {
            let code = (&run.manifest.code_version, &run.manifest.parts);
            let trials = run.points.iter().find(|it| it.point == *key)?;
            let is_usable = version::changed_at(&planned.point, code.0, code.1).is_empty()
                && trials.ran_as_long_as(planned);
            let sum = trials.moves.filter(|_| is_usable)?;
            Some(sum as f64 / trials.mean.trials as f64)
        };
        self.runs.iter().rev().find_map(moves)
    }

    /// What an estimate for `planned` rests on: trials that ran in the same way, none of them cut
    /// off earlier than its cutoff.
    fn history(&self, planned: &PlannedPoint) -> History {
        let (mut records, present) = (Vec::new(), version::PROGRAM.to_owned());
        for Run { manifest, points } in &self.runs {
            let its = &manifest.code_version;
            let changed = version::changed_at(&planned.point, its, &manifest.parts);
            let code_version = if changed.is_empty() { &present } else { its };
            let same_way = |it: &&TimedPoint| it.way == Way::of(planned);
            let ran_as_long = |it: &&TimedPoint| it.ran_as_long_as(planned);
            let same_rule = |it: &&TimedPoint| it.point.algorithm == planned.point.algorithm;
            records.extend(
                points
                    .iter()
                    .filter(same_way)
                    .filter(same_rule)
                    .filter(ran_as_long)
                    .map(|it| PastTrials {
                        point: it.point.clone(),
                        code_version: code_version.clone(),
                        mean: it.mean,
                    }),
            );
        }
        History {
            records,
            code_version: present,
        }
    }

    /// The whole plan in a sentence.
    pub fn in_words(&self, plan: &Plan, forecasts: &[Option<Forecast>]) -> String {
        let known: Vec<&Forecast> = forecasts.iter().flatten().collect();
        let unreadable = if self.unreadable > 0 {
            format!("; {} damaged runs left out", self.unreadable)
        } else {
            String::new()
        };
        if known.is_empty() {
            return format!(
                "run time: unknown, no earlier results of these points on this kind of processor{unreadable}"
            );
        }
        let seconds: f64 = known.iter().map(|forecast| forecast.seconds).sum();
        let unknown = forecasts.len() - known.len();
        let rest = if unknown > 0 {
            format!(", and {unknown} points of unknown length")
        } else {
            String::new()
        };
        let bases: BTreeSet<&str> = known.iter().map(|forecast| kind(&forecast.basis)).collect();
        let bases = bases.into_iter().collect::<Vec<_>>().join("; ");
        let threads = self.threads;
        let most = if plan
            .points
            .iter()
            .any(|planned| planned.sequential.is_some())
        {
            "at most "
        } else {
            ""
        };
        format!(
            "run time: {most}about {} of trials, {} on {threads} threads{rest}; from earlier results on this kind of processor ({bases}), if it is as busy as then{unreadable}",
            about(seconds),
            about(seconds / threads as f64)
        )
    }
}

impl PointTime {
    pub fn of(forecast: &Forecast) -> Self {
        let high = forecast.interval.high;
        let based_on = match &forecast.basis {
            Basis::SameCode { trials } => {
                format!("{trials} trials of this point, this code version")
            }
            Basis::OtherCode {
                code_version,
                trials,
            } => format!("{trials} trials of this point, code version {code_version}"),
            Basis::Growth { sides } => {
                let sides: Vec<String> = sides.iter().map(u64::to_string).collect();
                format!("growth with n, from n = {}", sides.join(", "))
            }
        };
        let seconds_high = high.is_finite().then_some(high);
        Self {
            seconds: forecast.seconds,
            seconds_low: forecast.interval.low,
            seconds_high,
            based_on,
        }
    }

    /// `12 s (9 s to 15 s)`.
    pub fn in_words(&self) -> String {
        let Self {
            seconds,
            seconds_low,
            seconds_high,
            ..
        } = self;
        let high = seconds_high.map_or_else(|| "?".to_owned(), about);
        format!("{} ({} to {high})", about(*seconds), about(*seconds_low))
    }
}

fn kind(basis: &Basis) -> &'static str {
    match basis {
        Basis::SameCode { .. } => "this code version",
        Basis::OtherCode { .. } => "other code versions",
        Basis::Growth { .. } => "growth with n where n is new",
    }
}

/// Two digits below ten seconds, whole seconds above, minutes and hours as a clock has them.
fn about(seconds: f64) -> String {
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else {
        duration(Duration::from_secs_f64(seconds.min(1e15).round()))
    }
}

/// The rows of a point, and the seconds of each.
struct Rows {
    point: Arc<Point>,
    rows: Vec<Row>,
    seconds: Vec<f64>,
}

/// `None` for a run of another kind of processor, and for one that is too large.
fn read(entry: &RunEntry, cpu: &str, most_rows: u64) -> Result<Option<Run>, StoreError> {
    let run = CompleteRun::at(entry.folder.clone())?;
    if run.manifest.machine.cpu != cpu || run.manifest.rows > most_rows {
        return Ok(None);
    }
    let way = ways(entry, &run.manifest);
    let (mut points, mut open) = (Vec::new(), None::<Rows>);
    let summed_up = |rows: &Rows| TimedPoint::of(rows, way(&rows.point));
    for record in run.timed_trials()? {
        let record = record?;
        if open.as_ref().is_none_or(|it| it.point != record.point) {
            points.extend(open.as_ref().map(summed_up));
            open = Some(Rows {
                point: Arc::clone(&record.point),
                rows: Vec::new(),
                seconds: Vec::new(),
            });
        }
        if let Some(open) = &mut open {
            open.rows.push(record.row);
            open.seconds.push(record.seconds);
        }
    }
    points.extend(open.as_ref().map(summed_up));
    let manifest = run.manifest;
    Ok(Some(Run { points, manifest }))
}

/// How the trials of each point of a run ran, which its plan says; where all ran alike, the
/// manifest.
fn ways(entry: &RunEntry, manifest: &Manifest) -> impl Fn(&Point) -> Option<Way> + use<> {
    let only = match manifest.dynamics.as_slice() {
        [only] => Dynamics::ALL.into_iter().find(|it| it.name() == only),
        _ => None,
    };
    let has_courses = manifest.series_rows + manifest.move_rows > 0;
    let alike = only
        .filter(|&only| only != Dynamics::Lanes || !has_courses)
        .map(|only| Way {
            dynamics: only.name(),
            out_of_lanes: false,
        });
    let plan = match alike {
        Some(_) => None,
        None => entry.plan(),
    };
    let points = plan.into_iter().flat_map(|plan| plan.points);
    let ways = points.filter_map(|planned| Some((planned.point.to_string(), Way::of(&planned)?)));
    let by_point: BTreeMap<String, Way> = ways.collect();
    move |point| match point.goal {
        Some(_) => None,
        None => alike.or_else(|| by_point.get(&point.to_string()).copied()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::mean::Interval;
    use crate::experiment::spec;

    #[test]
    fn the_threads_share_the_time_of_the_trials() {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5, 6]\nepsilon = 0.1\ntrials = 1\ncutoff = 1\n";
        let plan = Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap();
        let earlier = Earlier {
            runs: Vec::new(),
            unreadable: 0,
            threads: 4,
        };
        let of = |seconds: f64| {
            Some(Forecast {
                seconds,
                interval: Interval {
                    low: seconds,
                    high: seconds,
                },
                basis: Basis::SameCode { trials: 1 },
            })
        };
        let forecasts = [of(100.0), None, of(300.0)];
        let told = earlier.in_words(&plan, &forecasts);
        assert!(
            told.starts_with(
                "run time: about 6 min 40 s of trials, 1 min 40 s on 4 threads, and 1 points of unknown length;"
            ),
            "{told}"
        );
    }
}
