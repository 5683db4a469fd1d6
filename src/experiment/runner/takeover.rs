//! What other runs have already, of this experiment and of others beside it in the results: when a
//! spec gains points, trials or seeds, only the new trials run, and no trial runs twice because it
//! stands in two specs.
//!
//! A row is taken over when it is the row of the very same trial: the same point, seed and index,
//! dynamics, and code of the engine and of the parts that the point depends on. With another cutoff
//! a trial that ended before both cutoffs is the same trial, and its row gets ours. Where our plan
//! asks for the course of the trial, the other one must ask for the same, up to the same cutoff;
//! where it does not, the row is taken without its course. Which dynamics a run had follows from
//! its plan, of which code it is from its manifest, or if it is unfinished from its code version.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use polars::prelude::{
    BooleanChunked, Column, DataFrame, Int64Chunked, NewChunkedArray, PolarsResult,
};

use super::finished::Finished;
use super::{Remark, Request};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::program::Programs;
use crate::experiment::provenance::Manifest;
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::Parts;
use crate::experiment::store::schema::{self, SERIES, TIMINGS, TRIALS};
use crate::experiment::store::table::Table;
use crate::experiment::version::{self, PartHashes};
use crate::solver::{Dynamics, Ending, Point};

/// Takes the rows of the plan's missing trials from every other run in the results folder, until
/// `stop` is set, and saves them as parts of this one; returns what there is to say of them. Why
/// rows do not fit is said of runs of this experiment only.
///
/// # Errors
/// A results folder that cannot be listed, and rows that cannot be saved. A run that cannot be read
/// is passed over with a remark.
pub fn take(
    request: &Request,
    (own, old): (&Path, Option<RunFolder>),
    stop: &AtomicBool,
    finished: &mut Finished,
    parts: &mut Parts,
) -> Result<Vec<Remark>, StoreError> {
    let mut remarks = Vec::new();
    let mut refused = None;
    let mut all = 0;
    let hash = request.plan.hash();
    let mut runs = catalog::runs(request.results)?;
    // One that was set aside under its own name is among them already.
    runs.retain(|run| run.path() != own && old.as_ref().is_none_or(|old| old.path() != run.path()));
    let others = runs.iter().map(|run| (run, false));
    let others = others.chain(old.iter().map(|old| (old, true)));
    for (run, is_old) in others {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let from = run.path().to_path_buf();
        let Some(theirs) = OtherRun::of(run, (request.plan, &hash), is_old) else {
            continue;
        };
        let taken = take_from(&theirs, finished, parts)?;
        all += taken.rows;
        if taken.rows > 0 {
            let from = from.clone();
            let rows = taken.rows;
            remarks.push(Remark::TakenOver { from, rows });
        }
        remarks.extend(taken.seconds_lost(&from));
        let is_own = run.experiment == request.spec.name;
        let change = || {
            let change = theirs.change(request.plan, taken.cut_off);
            change.filter(|_| is_own)
        };
        let refusal = |reason| Remark::NotTakenOver { from, reason };
        match taken.broken {
            Some(reason) => remarks.push(refusal(reason)),
            None if taken.rows > 0 => {
                let change = change().map(|change| format!("the rest, since {change}"));
                remarks.extend(change.map(refusal));
            }
            None => refused = change().map(refusal).or(refused),
        }
    }
    // One run of other parameters is worth a word when nothing fits; ten are not, nor is one when
    // others fit.
    if all == 0 {
        remarks.extend(refused);
    }
    Ok(remarks)
}

/// What another run ran, and of which code.
struct OtherRun<'a> {
    run: &'a RunFolder,
    code_version: String,
    plan: Plan,
    parts: PartHashes,
    /// True for the same run, as it was before it was set aside.
    is_old: bool,
}

impl<'a> OtherRun<'a> {
    /// The run by its manifest, or if it is not complete by its folder's name. `None` where none of
    /// its rows can be those of this program. `ours` is our plan with its hash: one of this hash is
    /// known even if the spec is lost. Of another plan whose spec is lost its rows tell the points.
    fn of(run: &'a RunFolder, (ours, own_hash): (&Plan, &str), is_old: bool) -> Option<Self> {
        // It is not complete, or damaged, which is said when its rows are read.
        let manifest = run.manifest().ok();
        let is_of_engine = |manifest: &Manifest| version::has_this_engine(&manifest.parts);
        if !manifest.as_ref().is_none_or(is_of_engine) {
            return None;
        }
        let (code_version, hash) = match &manifest {
            Some(it) => (it.code_version.clone(), &it.plan_hash),
            None => (run.code_version.clone(), &run.plan_hash),
        };
        let plan = match run.plan_of(hash) {
            _ if hash == own_hash => ours.clone(),
            Some(plan) => plan,
            // Where nothing tells it, reading the rows says what is wrong.
            None => plan_of_rows(run).or_else(|| run.plan())?,
        };
        let parts = match manifest {
            Some(it) => it.parts,
            None if plan.code_version() == code_version => plan.parts(),
            None => return None,
        };
        Some(Self {
            run,
            code_version,
            plan,
            parts,
            is_old,
        })
    }

    /// True if its rows at a point of another plan are those of this plan, as far as its table of
    /// trials alone says; with or without the course that is asked for.
    fn has_rows_of(&self, ours: &Plan, planned: &PlannedPoint) -> bool {
        let Some(other) = self.plan.at(&planned.point) else {
            return false;
        };
        // Times are taken anew: those of another day are no repeats of today's.
        let is_timed_anew = planned.repeats.is_some() && !self.is_old;
        planned.dynamics == other.dynamics
            && !is_timed_anew
            && has_course(planned, other)
            && self.changed_at(planned, ours).is_empty()
    }

    /// The parts at a point whose code has changed since.
    fn changed_at(&self, planned: &PlannedPoint, ours: &Plan) -> Vec<String> {
        let algorithm = ours.algorithm(&planned.point);
        version::changed_of(algorithm, &self.code_version, &self.parts)
    }

    /// What keeps rows of the first point that differs from being those of our plan, in words;
    /// another cutoff only where it kept rows back.
    fn change(&self, ours: &Plan, cut_off: bool) -> Option<String> {
        ours.points.iter().find_map(|planned| {
            let point = &planned.point;
            let other = self.plan.at(point)?;
            let changed = self.changed_at(planned, ours);
            let what = match () {
                () if !changed.is_empty() => {
                    return Some(format!("the code of {} has changed", changed.join(", ")));
                }
                () if planned.dynamics != other.dynamics => "dynamics",
                () if cut_off && planned.cutoff != other.cutoff => "cutoff",
                () if !has_course(planned, other) => "series",
                () => return None,
            };
            Some(format!("the {what} at {point} is another"))
        })
    }
}

/// What the tables of a complete run tell of its plan: the points with their dynamics and cutoffs,
/// and when their trials wrote down their courses.
fn plan_of_rows(run: &RunFolder) -> Option<Plan> {
    let run = CompleteRun::open(run).ok()?;
    let table = run.table(TRIALS).ok()?;
    let recorded = recorded_in(&run).unwrap_or_default();
    let recorded_at = |point: &Point| {
        let at = recorded.binary_search_by(|(other, _)| other.order(point));
        at.map_or_else(|_| [].into(), |at| Arc::clone(&recorded[at].1))
    };
    let dynamics = table.frame.column("dynamics").ok()?.str().ok()?;
    let cutoffs = table.frame.column("cutoff").ok()?.i64().ok()?;
    let points = table.points.iter().map(|(point, range)| {
        let name = dynamics.get(range.start);
        Some(PlannedPoint {
            point: point.clone(),
            first: 0,
            trials: range.len() as u32,
            cutoff: u64::try_from(cutoffs.get(range.start)?).ok()?,
            dynamics: name.and_then(Dynamics::from_name),
            repeats: None,
            recorded: recorded_at(point),
        })
    });
    let points = points.collect::<Option<Vec<_>>>()?;
    Some(Plan {
        points,
        seeds: Vec::new(),
        slowed: Vec::new(),
        programs: Programs::default(),
    })
}

/// The points of which there are courses, in their order, and the numbers of updates after which
/// their trials wrote these down: those of a point's first trial, which all have. `None` without a
/// sound table of courses.
fn recorded_in(run: &CompleteRun) -> Option<Vec<(Point, Arc<[u64]>)>> {
    let table = run.table(SERIES).ok()?;
    let updates = table.frame.column("update").ok()?.i64().ok()?;
    let trials = table.trials().ok()?;
    let mut recorded = Vec::new();
    for (point, range) in &table.points {
        let first = trials.at(range.start);
        let of_first = range.clone().take_while(|&row| trials.at(row) == first);
        let moments = of_first.map(|row| updates.get(row).map(i64::cast_unsigned));
        recorded.push((point.clone(), moments.collect::<Option<_>>()?));
    }
    Some(recorded)
}

/// What was taken from one run.
#[derive(Default)]
struct Taken {
    rows: u64,
    /// True if its cutoffs kept rows back.
    cut_off: bool,
    /// Why it, or its table of courses, could not be read.
    broken: Option<String>,
    /// Searches whose times are lost, and why.
    untimed: u64,
    lost: Option<String>,
}

impl Taken {
    fn seconds_lost(&self, from: &Path) -> Option<Remark> {
        let reason = self.lost.clone().filter(|_| self.untimed > 0)?;
        Some(Remark::SecondsLost {
            from: from.to_path_buf(),
            searches: self.untimed,
            reason,
        })
    }
}

/// Takes the rows of the missing trials from one run. Where its table of trials is sound, and that
/// of times or courses is not, only these are lost.
fn take_from(
    theirs: &OtherRun,
    finished: &mut Finished,
    parts: &mut Parts,
) -> Result<Taken, StoreError> {
    let folder = theirs.run;
    let ours = finished.plan;
    let points = ours.points.iter();
    let mut same: Vec<bool> = points
        .map(|point| theirs.has_rows_of(ours, point))
        .collect();
    let mut taken = Taken::default();
    if !same.contains(&true) {
        taken.cut_off = true;
        return Ok(taken);
    }
    let mut found = Vec::new();
    let mut take = |part: Table, same: &[bool]| {
        for rows in missing(&part, finished, same, &mut taken.cut_off)? {
            let rows = parts.aligned(&rows)?;
            finished.enter_all(&rows)?;
            found.push(rows.frame);
        }
        Ok(())
    };
    // The run itself will set aside what is damaged when it goes on.
    let mut read = if folder.is_complete() {
        Ok(())
    } else {
        folder.scan_parts(&mut |part| take(part, &same)).map(drop)
    };
    let mut lost = Vec::new();
    let mut held_up = Vec::new();
    // It may have ended meanwhile, and its parts are gone then.
    if read.is_ok() && folder.is_complete() {
        read = CompleteRun::open(folder).and_then(|run| {
            let part;
            (part, lost) = run.sound_part()?;
            held_up.clone_from(&run.manifest.held_up);
            if lost.iter().any(|(name, _)| *name == SERIES) {
                let is_bare = ours.points.iter().map(|point| point.recorded.is_empty());
                same = same.iter().zip(is_bare).map(|(a, b)| *a && b).collect();
            }
            let entered = take(part, &same);
            entered.map_err(|error| run.wrong_file(TRIALS, error))
        });
    }
    // Of times that are lost nothing is said.
    let has_times = lost.iter().all(|(name, _)| *name != TIMINGS);
    parts
        .held_up
        .extend(held_up.into_iter().filter(|_| has_times));
    taken.broken = read.err().map(|error| error.to_string());
    for (name, error) in lost {
        if name == TIMINGS {
            taken.lost = Some(error.to_string());
        } else if ours.records_series() {
            taken.broken = Some(error.to_string());
        }
    }
    for rows in found.into_iter().filter(|rows| rows.height() > 0) {
        taken.rows += rows.height() as u64;
        taken.untimed +=
            searches_in(&rows).map_err(|error| StoreError::format(folder.path(), error))?;
        parts.write([Ok(rows)])?;
    }
    Ok(taken)
}

/// How many rows of a part are of searches.
fn searches_in(rows: &DataFrame) -> PolarsResult<u64> {
    let goals = rows.column("goal")?;
    Ok((goals.len() - goals.null_count()) as u64)
}

/// The rows of missing trials at the points that are the same: those whose course is asked for, and
/// others without one.
fn missing(
    part: &Table,
    finished: &Finished,
    same: &[bool],
    cut_off: &mut bool,
) -> PolarsResult<[DataFrame; 2]> {
    let count = |name| part.frame.column(name)?.i64();
    let endings = part.frame.column("outcome")?.str()?;
    // How long a trial took that was not cut off, in what its cutoff counts.
    let length = |columns: &[&Int64Chunked], at| match Ending::from_name(endings.get(at)?)? {
        Ending::Censored => None,
        _ => columns.iter().filter_map(|column| column.get(at)).max(),
    };
    let trials = part.trials()?;
    let mut cutoffs = count("cutoff")?.cont_slice()?.to_vec();
    let mut kept = [vec![false; trials.len()], vec![false; trials.len()]];
    for (point, range) in &part.points {
        let Some(point) = finished.plan.index_of(point).filter(|at| same[*at]) else {
            continue;
        };
        let planned = &finished.plan.points[point];
        let kept = &mut kept[usize::from(planned.recorded.is_empty())];
        // A spec has no cutoff that a column cannot hold.
        let cutoff = planned.cutoff.cast_signed();
        let algorithm = finished.plan.algorithm(&planned.point);
        let names = algorithm.map_or(&[][..], |algorithm| algorithm.lengths);
        let columns = names.iter().map(|name| count(name));
        let lengths: Vec<&Int64Chunked> = columns.collect::<PolarsResult<_>>()?;
        for at in range.clone() {
            let (seed, trial) = trials.at(at);
            if !finished.is_missing(point, seed, trial) {
            } else if cutoffs[at] == cutoff
                || length(&lengths, at).is_some_and(|length| length < cutoff.min(cutoffs[at]))
            {
                // Neither cutoff changes what it did.
                (cutoffs[at], kept[at]) = (cutoff, true);
            } else {
                *cut_off = true;
            }
        }
    }
    let mut own = part.frame.clone();
    own.with_column(Column::new("cutoff".into(), &cutoffs))?;
    let filtered = |frame: &DataFrame, kept: &[bool]| {
        frame.filter(&BooleanChunked::from_slice("".into(), kept))
    };
    let bare = schema::without_courses(&own);
    Ok([filtered(&own, &kept[0])?, filtered(&bare, &kept[1])?])
}

/// True if `b` has the course that `a` asks for.
fn has_course(a: &PlannedPoint, b: &PlannedPoint) -> bool {
    a.recorded.is_empty() || a.moments() == b.moments() && a.cutoff == b.cutoff
}
