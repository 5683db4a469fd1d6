//! How long trials will take, by one rule: a trial takes as long as those of the same point took in
//! an earlier run; else at least as long as those of the nearest smaller n with the same other
//! values; else nothing is known.
//!
//! How much longer is not foretold: from n = 5 to 6 the mean time of the pair rule is multiplied by
//! 22 at ε = 0.01 and by 53 at ε = 0.1, from 6 to 7 by 1.1 and 15.

use std::collections::BTreeMap;
use std::thread::available_parallelism;

use serde::Serialize;

use crate::cli::shelf::Shelf;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::{Machine, PointTotals};
use crate::experiment::store::StoreError;
use crate::experiment::version::Code;
use crate::solver::Value;

/// What earlier runs say of the trials of points.
pub(in crate::cli) struct Forecast {
    /// The trials by everything but n, and by n, in the order of the runs: the last counts most.
    measured: BTreeMap<String, BTreeMap<u64, Vec<PointTimes>>>,
    threads: usize,
    unreadable: usize,
}

/// The trials of a point in an earlier run.
#[derive(Clone, Copy)]
struct PointTimes {
    /// Seconds of one.
    seconds: f64,
    /// True if another kind of processor ran them.
    is_elsewhere: bool,
    /// The cutoff, if one of them was stopped there: with a larger one they take longer.
    cut_off_at: Option<u64>,
}

/// Seconds that trials take together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct RunTime {
    seconds: f64,
    /// True if it is that of a smaller n, and so a lower bound.
    at_least: bool,
    /// True if another kind of processor took this time.
    is_elsewhere: bool,
}

/// What several points take together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(in crate::cli) struct Total {
    /// The processor seconds of all points of which something is known.
    seconds: f64,
    /// Points of which it is a lower bound.
    points_at_least: usize,
    unknown_points: usize,
    /// Points whose time another kind of processor took.
    points_elsewhere: usize,
    /// Threads of this machine.
    threads: usize,
    /// Earlier runs that are damaged, which tell nothing.
    damaged_runs: usize,
    /// The seconds that so many threads take; null where nothing is known.
    wall_seconds: Option<f64>,
    /// True if it takes these seconds or more.
    at_least: bool,
}

impl Forecast {
    /// Reads the manifest of every complete run in `results`, and in its `reference`; a damaged one
    /// is counted. Runs of this code count most, then those of this kind of processor, then newer
    /// ones.
    pub fn read(shelf: &Shelf) -> Result<Self, StoreError> {
        let (own, mut runs, mut unreadable) = (Machine::here(0).cpu, Vec::new(), 0);
        let found = shelf.reference()?.iter().chain(shelf.own()?);
        for shelved in found.filter(|it| it.folder.is_complete()) {
            let (run, Ok(read)) = (&shelved.folder, shelved.read()) else {
                unreadable += 1;
                continue;
            };
            let manifest = &read.manifest;
            let is_present = manifest.code() == Code::Present;
            // Of a spec that this program reads otherwise nothing is known.
            if let Some(plan) = run.plan() {
                let rank = (is_present, manifest.machine.cpu == own, &manifest.ended);
                runs.push((rank, plan, &manifest.points));
            }
        }
        runs.sort_by(|a, b| a.0.cmp(&b.0));
        let mut forecast = Self {
            measured: BTreeMap::new(),
            threads: available_parallelism().map_or(1, usize::from),
            unreadable,
        };
        for ((_, is_own, _), plan, points) in &runs {
            for (totals, planned) in points.iter().zip(&plan.points) {
                forecast.add(totals, planned, !is_own);
            }
        }
        Ok(forecast)
    }

    fn add(&mut self, totals: &PointTotals, planned: &PlannedPoint, is_elsewhere: bool) {
        // Rows that were taken over say nothing of how long they took.
        let Some(seconds) = totals.mean_seconds() else {
            return;
        };
        let (kind, n) = key(planned);
        let at = self.measured.entry(kind).or_default().entry(n).or_default();
        at.push(PointTimes {
            seconds,
            is_elsewhere,
            cut_off_at: (totals.censored > 0).then_some(planned.cutoff),
        });
    }

    /// Seconds that so many runs of trials at a point take.
    pub(super) fn run_time(&self, planned: &PlannedPoint, runs: u64) -> Option<RunTime> {
        let (kind, n) = key(planned);
        let by_n = self.measured.get(&kind)?;
        let last = |all: &[PointTimes]| all.iter().rfind(|it| it.lasted(planned)).copied();
        let mut below = by_n.range(..=n).rev();
        let (nearest, found) = below.find_map(|(n, all)| Some((*n, last(all)?)))?;
        Some(RunTime {
            seconds: found.seconds * runs as f64,
            at_least: nearest < n,
            is_elsewhere: found.is_elsewhere,
        })
    }

    /// What a whole plan takes.
    pub fn of_plan(&self, plan: &Plan) -> Total {
        let seeds = plan.seeds.len() as u64;
        let times = plan.points.iter();
        self.total(times.map(|planned| self.run_time(planned, planned.runs() * seeds)))
    }

    /// What several points take together.
    pub(super) fn total(&self, times: impl Iterator<Item = Option<RunTime>>) -> Total {
        let mut total = Total {
            threads: self.threads,
            damaged_runs: self.unreadable,
            ..Total::default()
        };
        for time in times {
            let Some(time) = time else {
                total.unknown_points += 1;
                continue;
            };
            total.seconds += time.seconds;
            total.points_at_least += usize::from(time.at_least);
            total.points_elsewhere += usize::from(time.is_elsewhere);
        }
        total.at_least = total.unknown_points + total.points_at_least > 0;
        let is_unknown = total.seconds == 0.0 && total.unknown_points > 0;
        total.wall_seconds = (!is_unknown).then(|| total.seconds / self.threads as f64);
        total
    }
}

impl PointTimes {
    /// True if none was stopped before the cutoff of the plan.
    fn lasted(&self, planned: &PlannedPoint) -> bool {
        self.cut_off_at.is_none_or(|it| it >= planned.cutoff)
    }
}

/// What a point is besides its n, and its n. Trials of other dynamics take another time, and those
/// that write down their course run outside of lanes.
fn key(planned: &PlannedPoint) -> (String, u64) {
    let way = planned.dynamics_name().unwrap_or_default();
    let records = !planned.moments().is_empty();
    let (point, n) = match planned.point.integer("n") {
        None => (planned.point.clone(), 0),
        Some(n) => (planned.point.with("n", Value::Integer(0)), n),
    };
    (format!("{point} {way} {records}"), n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::Plan;
    use crate::solver::DynamicsChoice;

    fn plan(n: &str, epsilon: &str, cutoff: u64) -> Plan {
        let text = format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = {n}\nepsilon = {epsilon}\ntrials = 10\ncutoff = {cutoff}\n"
        );
        Plan::example(&text, DynamicsChoice::Auto)
    }

    fn measured(plan: &Plan, seconds: &[f64], censored: u64) -> Forecast {
        let mut forecast = Forecast {
            measured: BTreeMap::new(),
            threads: 4,
            unreadable: 0,
        };
        for (planned, &seconds) in plan.points.iter().zip(seconds) {
            let totals = PointTotals {
                point: planned.point.to_string(),
                censored,
                timed: 10,
                seconds_sum: 10.0 * seconds,
            };
            forecast.add(&totals, planned, false);
        }
        forecast
    }

    /// Two seconds at n = 5 are a lower bound at n = 7; nothing is known of another ε, of a smaller
    /// n, and of a larger cutoff where trials were stopped.
    #[test]
    fn a_larger_n_takes_at_least_as_long() {
        let known = plan("[5, 9]", "0.1", 1000);
        let forecast = measured(&known, &[2.0, 3.0], 0);
        let at = |plan: &Plan| forecast.run_time(&plan.points[0], 10);
        let time = |at_least| RunTime {
            seconds: 20.0,
            at_least,
            is_elsewhere: false,
        };
        assert_eq!(at(&known), Some(time(false)));
        assert_eq!(at(&plan("7", "0.1", 1000)), Some(time(true)));
        assert_eq!(at(&plan("4", "0.1", 1000)), None);
        assert_eq!(at(&plan("5", "0.2", 1000)), None);
        assert_eq!(at(&plan("5", "0.1", 5000)), Some(time(false)));
        let stopped = measured(&known, &[2.0, 3.0], 1);
        let longer = plan("5", "0.1", 5000);
        assert_eq!(stopped.run_time(&longer.points[0], 10), None);
    }

    #[test]
    fn a_total_never_says_more_than_is_known() {
        let time = |seconds, at_least| {
            Some(RunTime {
                seconds,
                at_least,
                is_elsewhere: false,
            })
        };
        let forecast = measured(&plan("5", "0.1", 1000), &[], 0);
        for (times, wall_seconds, at_least) in [
            (vec![time(400.0, false)], Some(100.0), false),
            (
                vec![time(400.0, false), time(80.0, true)],
                Some(120.0),
                true,
            ),
            (vec![time(400.0, false), None], Some(100.0), true),
            (vec![None], None, true),
        ] {
            let total = forecast.total(times.into_iter());
            assert_eq!(
                (total.wall_seconds, total.at_least),
                (wall_seconds, at_least)
            );
        }
    }
}
