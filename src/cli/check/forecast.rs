//! How long trials will take, by one rule: a trial takes as long as those of the same point took in
//! an earlier run; else at most four times as long, for each row more, as those of the nearest
//! smaller n with the same other values; else nothing is known.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use serde::Serialize;

use crate::cli::progress::duration;
use crate::cli::text::counted;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::{Machine, PointTotals};
use crate::experiment::store::{StoreError, catalog};
use crate::experiment::version::Code;
use crate::solver::Value;

/// The mean time of a local rule is multiplied by 3.5 or less for each row more, where ε is the
/// best or smaller.
const MOST_GROWTH: f64 = 4.0;

/// What earlier runs say of the trials of points.
pub(in crate::cli) struct Forecast {
    /// By everything but n, and by n, in the order of the runs: the last counts most.
    measured: BTreeMap<String, BTreeMap<u64, Vec<Measured>>>,
    threads: usize,
    unreadable: usize,
}

/// The trials of a point in an earlier run.
#[derive(Clone, Copy)]
struct Measured {
    /// Seconds of one.
    seconds: f64,
    /// Moves of one, where each row has them.
    moves: Option<f64>,
    /// True if another kind of processor ran them.
    is_elsewhere: bool,
    /// The cutoff, if one of them was stopped there: with a larger one they take longer.
    cut_off_at: Option<u64>,
}

/// Seconds that trials take together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct RunTime {
    pub seconds: f64,
    /// True if this is a bound, which the times at a smaller n give.
    pub is_bound: bool,
    /// True if another kind of processor took this time.
    pub is_elsewhere: bool,
}

/// Seconds of several points together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Total {
    /// Where the same point was measured.
    pub seconds: f64,
    /// Of further points at most.
    pub at_most: f64,
    pub unknown_points: usize,
    /// Points whose time another kind of processor took.
    pub points_elsewhere: usize,
}

impl Forecast {
    /// Reads the manifest of every complete run in `results`, and in its `reference`; a damaged one
    /// is counted. Runs of this code count most, then those of this kind of processor, then newer
    /// ones.
    pub fn read(results: &Path) -> Result<Self, StoreError> {
        let mut found = catalog::runs(&results.join("reference"))?;
        found.extend(catalog::runs(results)?);
        let (own, mut runs, mut unreadable) = (Machine::here(0).cpu, Vec::new(), 0);
        for run in found.iter().filter(|run| run.is_complete()) {
            let Ok(manifest) = run.own_manifest() else {
                unreadable += 1;
                continue;
            };
            let is_present = manifest.code() == Code::Present;
            // Of a spec that this program reads otherwise nothing is known.
            if let Some(plan) = run.plan() {
                let rank = (is_present, manifest.machine.cpu == own, manifest.ended);
                runs.push((rank, plan, manifest.points));
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
        let (kind, n) = key(planned);
        let at = self.measured.entry(kind).or_default().entry(n).or_default();
        at.push(Measured {
            seconds: totals.seconds,
            moves: totals.moves.map(|sum| sum as f64 / totals.trials as f64),
            is_elsewhere,
            cut_off_at: (totals.censored > 0).then_some(planned.cutoff),
        });
    }

    /// Seconds that so many runs of trials at a point take.
    pub(super) fn run_time(&self, planned: &PlannedPoint, runs: u64) -> Option<RunTime> {
        if runs == 0 {
            return Some(RunTime::NONE);
        }
        let (kind, n) = key(planned);
        let by_n = self.measured.get(&kind)?;
        let last = |all: &[Measured]| all.iter().rfind(|it| it.lasted(planned)).copied();
        let mut below = by_n.range(..=n).rev();
        let (nearest, found) = below.find_map(|(n, all)| Some((*n, last(all)?)))?;
        // How the time of a search grows is another question.
        if nearest < n && planned.point.goal.is_some() {
            return None;
        }
        let growth = libm::pow(MOST_GROWTH, (n - nearest) as f64);
        Some(RunTime {
            seconds: found.seconds * growth * runs as f64,
            is_bound: nearest < n,
            is_elsewhere: found.is_elsewhere,
        })
    }

    /// Moves of a trial of a point; `None` where there is no earlier one.
    pub(super) fn moves(&self, planned: &PlannedPoint) -> Option<f64> {
        let (kind, n) = key(planned);
        let mut found = self.measured.get(&kind)?.get(&n)?.iter();
        found.rfind(|it| it.lasted(planned))?.moves
    }

    /// The whole plan in a few words: `about 2 min 05 s`.
    pub fn in_short(&self, plan: &Plan) -> String {
        let seeds = plan.seeds.len() as u64;
        let times = plan.points.iter();
        let times = times.map(|planned| self.run_time(planned, planned.runs() * seeds));
        Total::of(times).in_short(self.threads as f64)
    }

    /// What a plan takes, in a sentence.
    pub(super) fn in_words(&self, total: &Total) -> String {
        let unreadable = match counted(self.unreadable, "damaged run") {
            _ if self.unreadable == 0 => String::new(),
            runs => format!("; {runs} left out"),
        };
        let threads = counted(self.threads, "thread");
        let rest = match (total.unknown_points, total.at_most > 0.0) {
            (0, false) => String::new(),
            (0, true) => {
                format!(", {MOST_GROWTH} times as long for each row more than was measured")
            }
            (unknown, _) => format!(", and {} of unknown length", counted(unknown, "point")),
        };
        let whose = match total.points_elsewhere {
            0 => String::new(),
            points => format!(
                ", of {} on another kind of processor",
                counted(points, "point")
            ),
        };
        let time = match total.in_short(self.threads as f64) {
            unknown if total.seconds + total.at_most == 0.0 => unknown,
            time => format!("{time} on {threads} by earlier runs{whose}{rest}"),
        };
        format!("run time: {time}{unreadable}")
    }
}

impl Measured {
    /// True if none was stopped before the cutoff of the plan.
    fn lasted(&self, planned: &PlannedPoint) -> bool {
        self.cut_off_at.is_none_or(|it| it >= planned.cutoff)
    }
}

impl RunTime {
    /// The time of no trials.
    const NONE: Self = Self {
        seconds: 0.0,
        is_bound: false,
        is_elsewhere: false,
    };

    /// `12 s`, `up to 12 s`.
    pub fn in_words(self) -> String {
        let up_to = if self.is_bound { "up to " } else { "" };
        format!("{up_to}{}", about(self.seconds))
    }
}

impl Total {
    pub fn of(times: impl Iterator<Item = Option<RunTime>>) -> Self {
        let mut total = Self::default();
        for time in times {
            total.points_elsewhere += usize::from(time.is_some_and(|it| it.is_elsewhere));
            match time {
                None => total.unknown_points += 1,
                Some(it) if it.is_bound => total.at_most += it.seconds,
                Some(it) => total.seconds += it.seconds,
            }
        }
        total
    }

    /// What so many threads take: a bound where one is known, and nothing that may be too little.
    fn in_short(&self, threads: f64) -> String {
        let [measured, all] =
            [self.seconds, self.seconds + self.at_most].map(|it| about(it / threads));
        match (self.unknown_points, self.at_most > 0.0) {
            (0, false) => format!("about {measured}"),
            (0, true) => format!("up to {all}"),
            _ if self.seconds > 0.0 => format!("at least {measured}"),
            _ => "unknown".to_owned(),
        }
    }
}

/// What a point is besides its n, and its n. Trials of other dynamics take another time, and those
/// that write down their course run outside of lanes.
fn key(planned: &PlannedPoint) -> (String, u64) {
    let way = planned.dynamics_name().unwrap_or_default();
    let records = !planned.recording().is_empty();
    let (point, n) = match planned.point.integer("n") {
        None => (planned.point.clone(), 0),
        Some(n) => (planned.point.with("n", Value::Integer(0)), n),
    };
    (format!("{point} {way} {records}"), n)
}

/// Two digits below ten seconds, whole seconds above, minutes and hours as a clock has them.
fn about(seconds: f64) -> String {
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else {
        duration(Duration::from_secs_f64(seconds.min(1e15).round()))
    }
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
                trials: 10,
                censored,
                seconds,
                seconds_error: None,
                moves: Some(30),
            };
            forecast.add(&totals, planned, false);
        }
        forecast
    }

    /// Two seconds at n = 5 are at most 2 · 4² at n = 7; nothing is known of another ε, of a
    /// smaller n, and of a larger cutoff where trials were stopped.
    #[test]
    fn a_larger_n_has_a_bound_and_nothing_else_has() {
        let known = plan("[5, 9]", "0.1", 1000);
        let forecast = measured(&known, &[2.0, 3.0], 0);
        let at = |plan: &Plan| forecast.run_time(&plan.points[0], 10);
        let same = RunTime {
            seconds: 20.0,
            is_bound: false,
            is_elsewhere: false,
        };
        assert_eq!(at(&known), Some(same));
        let bound = RunTime {
            seconds: 320.0,
            is_bound: true,
            is_elsewhere: false,
        };
        assert_eq!(at(&plan("7", "0.1", 1000)), Some(bound));
        assert_eq!(at(&plan("4", "0.1", 1000)), None);
        assert_eq!(at(&plan("5", "0.2", 1000)), None);
        assert_eq!(at(&plan("5", "0.1", 5000)), Some(same));
        let stopped = measured(&known, &[2.0, 3.0], 1);
        let longer = plan("5", "0.1", 5000);
        assert_eq!(stopped.run_time(&longer.points[0], 10), None);
        assert_eq!(forecast.moves(&known.points[0]), Some(3.0));
    }

    #[test]
    fn a_total_never_says_less_than_it_knows() {
        let time = |seconds, is_bound| {
            Some(RunTime {
                seconds,
                is_bound,
                is_elsewhere: false,
            })
        };
        for (times, words) in [
            (vec![time(400.0, false)], "about 1 min 40 s"),
            (
                vec![time(400.0, false), time(80.0, true)],
                "up to 2 min 00 s",
            ),
            (
                vec![time(400.0, false), time(80.0, true), None],
                "at least 1 min 40 s",
            ),
            (vec![time(80.0, true), None], "unknown"),
            (vec![None], "unknown"),
        ] {
            assert_eq!(Total::of(times.into_iter()).in_short(4.0), words);
        }
    }
}
