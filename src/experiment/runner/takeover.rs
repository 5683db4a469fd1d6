//! What other runs have already, of this experiment and of others beside it in the results: when a
//! spec gains points, trials or seeds, only the new trials run, and no trial runs twice because it
//! stands in two specs.
//!
//! A row is taken over when it is the row of the very same trial: the same point, seed and index,
//! the same dynamics at its point, and the same code of the engine and of the parts that the point
//! depends on. With another cutoff a trial that ended before both cutoffs is the same trial, and
//! its row gets ours; one that was cut off, or took as long as ours at least, runs again. Where our
//! plan asks for the course of the trial, the other one must ask for the same, up to the same
//! cutoff; where it does not, the row is taken without its course. Which dynamics a run had at each
//! point follows from its plan, which its spec and its folder's name give back; of which code it
//! is, from its manifest, or where it is unfinished from its code version as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use itertools::Itertools;
use polars::prelude::{BooleanChunked, Column, DataFrame, NewChunkedArray, PolarsResult};

use super::finished::Finished;
use super::{Remark, Request};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::Manifest;
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::Parts;
use crate::experiment::store::schema::{self, TRIALS};
use crate::experiment::store::table::Table;
use crate::experiment::version;
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
        let Some(theirs) = Some(&run).filter(|_| from != own).and_then(Theirs::of) else {
            continue;
        };
        let (rows, cut_off, broken) = take_from(&theirs, finished, parts)?;
        let changes = match run.experiment == request.spec.name {
            true => changes(&theirs, request.plan, cut_off).join("; "),
            false => String::new(),
        };
        all += rows;
        if rows > 0 {
            let from = from.clone();
            remarks.push(Remark::TakenOver { from, rows });
        }
        let refusal = |reason| Remark::NotTakenOver { from, reason };
        match broken {
            Some(reason) => remarks.push(refusal(reason)),
            None if changes.is_empty() => {}
            None if rows > 0 => remarks.push(refusal(format!("the rest, since {changes}"))),
            None => refused = Some(refusal(changes)),
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
struct Theirs<'a> {
    run: &'a RunFolder,
    plan: Plan,
    /// The parts whose code has changed since, by algorithm.
    changed: BTreeMap<String, Vec<String>>,
}

impl<'a> Theirs<'a> {
    /// `None` where none of its rows can be those of this program.
    fn of(run: &'a RunFolder) -> Option<Self> {
        let manifest = run.own_manifest().ok();
        let is_of_other_engine = |manifest: &Manifest| !version::has_this_engine(&manifest.parts);
        if manifest.as_ref().is_some_and(is_of_other_engine) {
            return None;
        }
        let plan = run.plan()?;
        let parts = match manifest {
            Some(manifest) => manifest.parts,
            // It is not complete, or damaged, which is said when its rows are read.
            None => (plan.code_version() == run.code_version).then(|| plan.parts())?,
        };
        let names: BTreeSet<&String> = plan.points.iter().map(|it| &it.point.algorithm).collect();
        let changed = |name| version::changed_of(name, &run.code_version, &parts);
        let changed = names.into_iter().map(|name| (name.clone(), changed(name)));
        let changed: BTreeMap<_, _> = changed.collect();
        let agrees = changed.values().any(Vec::is_empty);
        agrees.then_some(Self { run, plan, changed })
    }

    /// The parts at a point whose code has changed since.
    fn changed_at(&self, planned: &PlannedPoint) -> &[String] {
        let changed = self.changed.get(&planned.point.algorithm);
        changed.map_or(&[], Vec::as_slice)
    }
}

/// Takes the rows of the missing trials from one run: how many, whether its cutoffs kept rows back,
/// and why it could not be read.
fn take_from(
    theirs: &Theirs,
    finished: &mut Finished,
    parts: &mut Parts,
) -> Result<(u64, bool, Option<String>), StoreError> {
    let (folder, ours) = (theirs.run, finished.plan);
    let is_theirs = |point: &PlannedPoint| {
        let other = theirs.plan.at(&point.point);
        other.is_some_and(|other| is_same(point, other) && theirs.changed_at(point).is_empty())
    };
    let same: Vec<bool> = ours.points.iter().map(is_theirs).collect();
    if !same.contains(&true) {
        return Ok((0, true, None));
    }
    let (mut taken, mut cut_off) = (0, false);
    // A failure to save is ours; it is told apart from a failure to read, which is theirs.
    let mut failed = None;
    let mut take = |part: Table| {
        for rows in missing(&part, finished, &same, &mut cut_off)? {
            let rows = parts.aligned(&rows)?;
            if rows.frame.height() > 0 && failed.is_none() {
                finished.enter_all(&rows)?;
                taken += rows.frame.height() as u64;
                failed = parts.write([Ok(rows.frame)]).err();
            }
        }
        Ok(())
    };
    // The run itself will set aside what is damaged when it goes on.
    let mut read = match folder.is_complete() {
        true => Ok(()),
        false => folder.scan_parts(&mut take).map(drop),
    };
    // It may have ended meanwhile, and its parts are gone then.
    if read.is_ok() && folder.is_complete() {
        read = CompleteRun::read(folder).and_then(|run| {
            let taken = take(run.part()?);
            taken.map_err(|error| run.wrong_table(TRIALS, error))
        });
    }
    let broken = read.err().map(|error| error.to_string());
    failed.map_or(Ok((taken, cut_off, broken)), Err)
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
    let is_recorded = a.recorded.is_empty() || a.recorded == b.recorded && a.cutoff == b.cutoff;
    // Times are taken anew: those of another day are no repeats of today's.
    a.dynamics == b.dynamics && a.repeats.is_none() && is_recorded
}

/// What keeps rows of one plan from being those of the other, in words; other cutoffs only where
/// they kept rows back.
fn changes(theirs: &Theirs, ours: &Plan, cut_off: bool) -> Vec<String> {
    let mut changes = Vec::new();
    let pairs = ours.points.iter();
    let pairs = pairs.filter_map(|it| Some((it, theirs.plan.at(&it.point)?)));
    let pairs: Vec<_> = pairs.collect();
    let changed = pairs.iter().flat_map(|(point, _)| theirs.changed_at(point));
    let changed = changed.sorted().dedup().join(", ");
    if !changed.is_empty() {
        changes.push(format!("the code of {changed} has changed"));
    }
    let mut differ = |what: &str, are_other: &dyn Fn(&PlannedPoint, &PlannedPoint) -> bool| {
        let mut others = pairs
            .iter()
            .filter(|(point, other)| are_other(point, other));
        if let Some((first, _)) = others.next() {
            let more = match others.count() {
                0 => String::new(),
                more => format!(", as at {more} other points"),
            };
            changes.push(format!("the {what} at {} is another{more}", first.point));
        }
    };
    differ("cutoff", &|a, b| cut_off && a.cutoff != b.cutoff);
    differ("dynamics", &|a, b| a.dynamics != b.dynamics);
    differ("series", &|a, b| {
        !a.recorded.is_empty() && a.recorded != b.recorded
    });
    if changes.is_empty() && pairs.is_empty() {
        changes.push("it has none of the points".into());
    }
    changes
}
