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
use std::sync::atomic::{AtomicBool, Ordering};

use polars::prelude::{BooleanChunked, Column, DataFrame, NewChunkedArray, PolarsResult};

use super::finished::Finished;
use super::{Remark, Request};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::Parts;
use crate::experiment::store::schema::{self, SERIES, TIMINGS, TRIALS};
use crate::experiment::store::table::Table;
use crate::experiment::version::{self, PartHashes};
use crate::solver::Ending;

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
    let (mut remarks, mut refused, mut all) = (Vec::new(), None, 0);
    for run in catalog::runs(request.results)?.into_iter().chain(old) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let from = run.path().to_path_buf();
        let Some(theirs) = Some(&run).filter(|_| from != own).and_then(OtherRun::of) else {
            continue;
        };
        let (rows, cut_off, broken) = take_from(&theirs, finished, parts)?;
        all += rows;
        if rows > 0 {
            let from = from.clone();
            remarks.push(Remark::TakenOver { from, rows });
        }
        let is_own = run.experiment == request.spec.name;
        let change = || theirs.change(request.plan, cut_off).filter(|_| is_own);
        let refusal = |reason| Remark::NotTakenOver { from, reason };
        match broken {
            Some(reason) => remarks.push(refusal(reason)),
            None if rows > 0 => {
                let change = change().map(|it| format!("the rest, since {it}"));
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
    plan: Plan,
    parts: PartHashes,
}

impl<'a> OtherRun<'a> {
    /// `None` where none of its rows can be those of this program.
    fn of(run: &'a RunFolder) -> Option<Self> {
        let parts = CompleteRun::read(run).ok().map(|it| it.manifest.parts);
        let is_of_engine = parts.as_ref().is_none_or(version::has_this_engine);
        let plan = is_of_engine.then(|| run.plan())??;
        // It is not complete, or damaged, which is said when its rows are read.
        let of_plan = || (plan.code_version() == run.code_version).then(|| plan.parts());
        let parts = parts.or_else(of_plan)?;
        Some(Self { run, plan, parts })
    }

    /// The parts at a point whose code has changed since.
    fn changed_at(&self, planned: &PlannedPoint) -> Vec<String> {
        let algorithm = &planned.point.algorithm;
        version::changed_of(algorithm, &self.run.code_version, &self.parts)
    }

    /// What keeps rows of the first point that differs from being those of our plan, in words;
    /// another cutoff only where it kept rows back.
    fn change(&self, ours: &Plan, cut_off: bool) -> Option<String> {
        ours.points.iter().find_map(|own| {
            let (point, other) = (&own.point, self.plan.at(&own.point)?);
            let changed = self.changed_at(own);
            let what = match () {
                () if !changed.is_empty() => {
                    return Some(format!("the code of {} has changed", changed.join(", ")));
                }
                () if own.dynamics != other.dynamics => "dynamics",
                () if cut_off && own.cutoff != other.cutoff => "cutoff",
                () if !has_course(own, other) => "series",
                () => return None,
            };
            Some(format!("the {what} at {point} is another"))
        })
    }
}

/// Takes the rows of the missing trials from one run: how many, whether its cutoffs kept rows back,
/// and why it could not be read.
fn take_from(
    theirs: &OtherRun,
    finished: &mut Finished,
    parts: &mut Parts,
) -> Result<(u64, bool, Option<String>), StoreError> {
    let (folder, ours) = (theirs.run, finished.plan);
    let is_theirs = |point: &PlannedPoint| {
        let other = theirs.plan.at(&point.point);
        other.is_some_and(|other| is_same(point, other)) && theirs.changed_at(point).is_empty()
    };
    let same: Vec<bool> = ours.points.iter().map(is_theirs).collect();
    if !same.contains(&true) {
        return Ok((0, true, None));
    }
    let (mut found, mut cut_off) = (Vec::new(), false);
    let mut take = |part: Table| {
        for rows in missing(&part, finished, &same, &mut cut_off)? {
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
        folder.scan_parts(&mut take).map(drop)
    };
    let mut held_up = Vec::new();
    // It may have ended meanwhile, and its parts are gone then.
    if read.is_ok() && folder.is_complete() {
        read = CompleteRun::read(folder).and_then(|run| {
            held_up.clone_from(&run.manifest.held_up);
            let taken = take(run.part(&[TIMINGS, SERIES])?);
            taken.map_err(|error| run.wrong_file(TRIALS, error))
        });
    }
    parts.held_up.extend(held_up);
    let mut taken = 0;
    for rows in found.into_iter().filter(|rows| rows.height() > 0) {
        taken += rows.height() as u64;
        parts.write([Ok(rows)])?;
    }
    Ok((taken, cut_off, read.err().map(|error| error.to_string())))
}

/// The rows of missing trials at the points that are the same: those whose course is asked for, and
/// others without one.
fn missing(
    part: &Table,
    finished: &Finished,
    same: &[bool],
    cut_off: &mut bool,
) -> PolarsResult<[DataFrame; 2]> {
    let count = |name| part.frame.column(name)?.u64();
    let (times, checks, nodes) = (count("absorption_time")?, count("checks")?, count("nodes")?);
    let endings = part.frame.column("outcome")?.str()?;
    // How long a trial took that was not cut off, in what its cutoff counts: of a search the
    // checks, or nodes.
    let length = |at| match Ending::from_name(endings.get(at)?)? {
        Ending::Absorbed => times.get(at),
        Ending::Exhausted | Ending::Solved => checks.get(at).max(nodes.get(at)),
        Ending::Censored => None,
    };
    let (seeds, trials) = part.trials()?;
    let mut cutoffs = count("cutoff")?.cont_slice()?.to_vec();
    let mut kept = [vec![false; seeds.len()], vec![false; seeds.len()]];
    for (point, range) in &part.points {
        let Some(point) = finished.plan.index_of(point).filter(|at| same[*at]) else {
            continue;
        };
        let planned = &finished.plan.points[point];
        let kept = &mut kept[usize::from(planned.recorded.is_empty())];
        for at in range.clone() {
            if !finished.is_missing(point, seeds[at], trials[at]) {
            } else if cutoffs[at] == planned.cutoff
                || length(at).is_some_and(|it| it < planned.cutoff.min(cutoffs[at]))
            {
                // Neither cutoff changes what it did.
                (cutoffs[at], kept[at]) = (planned.cutoff, true);
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

/// True if rows of `b` are rows of `a`.
fn is_same(a: &PlannedPoint, b: &PlannedPoint) -> bool {
    // Times are taken anew: those of another day are no repeats of today's.
    a.dynamics == b.dynamics && a.repeats.is_none() && has_course(a, b)
}

/// True if `b` has the course that `a` asks for.
fn has_course(a: &PlannedPoint, b: &PlannedPoint) -> bool {
    a.recorded.is_empty() || a.recorded == b.recorded && a.cutoff == b.cutoff
}
