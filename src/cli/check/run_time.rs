//! How long a plan will take, from the results of earlier runs on this kind of processor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use serde::Serialize;

use crate::analysis::run_time::{Basis, Forecast, History, PastTrials};
use crate::cli::progress::duration;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::{Machine, Manifest};
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::store::{PointKey, Row, StoreError};
use crate::experiment::version;
use crate::solver::{Dynamics, Ending};

/// The earlier runs that could be read, oldest first, and how many could not.
pub(super) struct Earlier {
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
    point: PointKey,
    rows: Vec<Row>,
    /// Of each trial, in the order of the rows.
    seconds: Vec<f64>,
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
    /// processor.
    ///
    /// # Errors
    /// A folder that cannot be listed. A damaged run is counted and left out.
    pub fn read(results: &Path) -> Result<Self, StoreError> {
        let cpu = Machine::here(0).cpu;
        let (mut runs, mut unreadable) = (Vec::new(), 0);
        // Where nothing has run yet, there is the reference that comes with the sources.
        let reference = catalog::runs(&results.join("reference"))?;
        for entry in reference
            .iter()
            .chain(&catalog::runs(results)?)
            .filter(|entry| entry.folder.is_complete())
        {
            match read(entry, &cpu) {
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
            self.history(planned)
                .forecast(&PointKey::of(&planned.point), trials)
        };
        plan.points.iter().map(at).collect()
    }

    /// Mean moves of the trials of a point in the newest run that has trials of it which were not
    /// cut off earlier, of the present code; `None` where there is none.
    pub fn mean_moves(&self, planned: &PlannedPoint) -> Option<f64> {
        let key = PointKey::of(&planned.point);
        let moves = |run: &Run| -> Option<f64> {
            let code = (&run.manifest.code_version, &run.manifest.parts);
            let trials = run.points.iter().find(|it| it.point == key)?;
            let is_usable = version::changed_at(&planned.point, code.0, code.1).is_empty()
                && !trials.rows.is_empty()
                && trials.rows.iter().all(|row| is_as_long(row, planned));
            let moves = trials.rows.iter().map(|row| row.outcome.moves);
            let sum: u64 = moves.sum::<Option<u64>>().filter(|_| is_usable)?;
            Some(sum as f64 / trials.rows.len() as f64)
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
            let ran_as_long = |it: &&TimedPoint| it.rows.iter().all(|row| is_as_long(row, planned));
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
                        seconds: it.seconds.clone(),
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

/// Whether the trial was not cut off before the cutoff of the plan.
fn is_as_long(row: &Row, planned: &PlannedPoint) -> bool {
    row.outcome.ending != Ending::Censored || row.cutoff >= planned.cutoff
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

/// `None` for a run of another kind of processor, or by a graphics processor.
fn read(entry: &RunEntry, cpu: &str) -> Result<Option<Run>, StoreError> {
    let manifest = entry.folder.manifest()?;
    if manifest.machine.cpu != cpu || manifest.machine.device.is_some() {
        return Ok(None);
    }
    let way = ways(entry, &manifest);
    let mut points: Vec<TimedPoint> = Vec::new();
    entry.folder.records(&manifest, &mut |records| {
        for record in records {
            let is_of = |last: &&mut TimedPoint| last.point == *record.point;
            if points.last_mut().filter(is_of).is_none() {
                let (point, rows) = (PointKey::clone(&record.point), Vec::new());
                points.push(TimedPoint {
                    way: way(&point),
                    point,
                    rows,
                    seconds: Vec::new(),
                });
            }
            let last = points
                .last_mut()
                .expect("one was pushed where there was none");
            last.rows.push(record.row);
            last.seconds.push(record.seconds);
        }
        Ok(())
    })?;
    Ok(Some(Run { points, manifest }))
}

/// How the trials of each point of a run ran, which its plan says; where all ran alike, the
/// manifest.
fn ways(entry: &RunEntry, manifest: &Manifest) -> impl Fn(&PointKey) -> Option<Way> + use<> {
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
    let ways = points
        .filter_map(|planned| Some((PointKey::of(&planned.point).to_string(), Way::of(&planned)?)));
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
