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

mod existing;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub use self::existing::existing;
use super::{Remark, Request};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::Manifest;
use crate::experiment::store::catalog;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::{Record, StoreError};
use crate::experiment::version::{self, Code};
use crate::solver::Ending;
use crate::solver::course::Course;

/// Takes a row, if it is of a trial of the plan at a marked point; whether it is a new one.
pub type Taker<'a> = dyn FnMut(Record, &[bool]) -> Result<bool, StoreError> + 'a;

/// Gives `take` the rows of the plan's trials from every other run in the results folder, until
/// `stop` is set; returns what there is to say of them. Why rows do not fit is said of runs of this
/// experiment only.
///
/// # Errors
/// A results folder that cannot be listed, and those of `take`. A run that cannot be read is passed
/// over with a remark.
pub fn scan(
    request: &Request,
    (own, old): (&Path, Option<RunFolder>),
    stop: &AtomicBool,
    take: &mut Taker,
) -> Result<Vec<Remark>, StoreError> {
    let (mut remarks, mut refused, mut all) = (Vec::new(), None, 0);
    let is_stopped = || stop.load(Ordering::Relaxed);
    for run in catalog::runs(request.results)?.into_iter().chain(old) {
        if is_stopped() {
            break;
        }
        let from = run.path().to_path_buf();
        let Some(theirs) = Some(&run).filter(|_| from != own).and_then(Theirs::of) else {
            continue;
        };
        let (rows, cut_off, broken) = take_from(&theirs, request.plan, &is_stopped, take)?;
        let changes = match run.experiment == request.spec.name {
            true => changes(&theirs, request.plan, cut_off).join("; "),
            false => String::new(),
        };
        all += rows;
        if rows > 0 {
            let from = from.clone();
            remarks.push(Remark::TakenOver { from, rows });
        }
        if let Some(reason) = broken {
            remarks.push(Remark::NotTakenOver { from, reason });
        } else if !changes.is_empty() && rows > 0 {
            let reason = format!("the rest, since {changes}");
            remarks.push(Remark::NotTakenOver { from, reason });
        } else if !changes.is_empty() {
            let reason = changes;
            refused = Some(Remark::NotTakenOver { from, reason });
        }
    }
    // One run of other parameters is worth a word when nothing fits; ten are not, nor is one when
    // others fit.
    if all == 0 {
        remarks.extend(refused);
    }
    Ok(remarks)
}

/// The pieces of the plan, as runs with `--only` have made them, which hold nothing that the
/// complete run does not hold.
pub fn spare_pieces(request: &Request, own: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let is_spare = |run: &RunFolder| {
        let is_other = run.experiment == request.spec.name && run.path() != own;
        is_other
            && run.code() == Code::Present
            && run
                .planned()
                .is_some_and(|(spec, plan)| spec.only.is_some() && plan.is_piece_of(request.plan))
    };
    let runs = catalog::runs(request.results)?.into_iter();
    Ok(runs
        .filter(is_spare)
        .map(|run| run.path().to_path_buf())
        .collect())
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
        let mut changed = BTreeMap::new();
        for PlannedPoint { point, .. } in &plan.points {
            let name = &point.algorithm;
            if !changed.contains_key(name) {
                let parts = version::changed_of(name, &run.code_version, &parts);
                changed.insert(name.clone(), parts);
            }
        }
        let agrees = changed.values().any(Vec::is_empty);
        agrees.then_some(Self { run, plan, changed })
    }

    /// The parts at a point whose code has changed since.
    fn changed_at(&self, planned: &PlannedPoint) -> &[String] {
        let changed = self.changed.get(&planned.point.algorithm);
        changed.map_or(&[], Vec::as_slice)
    }
}

/// The number of rows that one run has given, whether its cutoffs kept others back, and why it
/// could not be read.
fn take_from(
    theirs: &Theirs,
    ours: &Plan,
    is_stopped: &dyn Fn() -> bool,
    take: &mut Taker,
) -> Result<(u64, bool, Option<String>), StoreError> {
    let folder = theirs.run;
    let is_theirs = |point: &PlannedPoint| {
        let other = theirs.plan.at(&point.point);
        other.is_some_and(|other| is_same(point, other) && theirs.changed_at(point).is_empty())
    };
    let same: Vec<bool> = ours.points.iter().map(is_theirs).collect();
    if !same.contains(&true) || !have_a_seed_in_common(ours, &theirs.plan) {
        return Ok((0, true, None));
    }
    let (mut rows, mut cut_off, mut failed) = (0, false, None);
    // A failure to save is ours; it is told apart from a failure to read, which is theirs.
    let mut admit = |mut record: Record| {
        let planned = ours.at(&record.point);
        if planned.is_some_and(|planned| planned.recorded.is_empty()) {
            record.course = Course::default();
        }
        if let Some(planned) = planned
            && planned.cutoff != record.row.cutoff
        {
            if !ended_before(&record, planned.cutoff) {
                cut_off = true;
                return;
            }
            record.row.cutoff = planned.cutoff;
        }
        match take(record, &same) {
            Ok(is_new) => rows += u64::from(is_new),
            Err(error) => failed = failed.take().or(Some(error)),
        }
    };
    let read = if folder.is_complete() {
        CompleteRun::read(folder).and_then(|run| {
            let trials = run.timed_trials()?.with_courses(&run)?;
            let mut trials = trials.take_while(|_| !is_stopped());
            trials.try_for_each(|record| record.map(&mut admit))
        })
    } else {
        let damaged = folder.scan_parts(&mut |records| {
            let mut records = records.iter().take_while(|_| !is_stopped());
            records.by_ref().cloned().for_each(&mut admit);
            true
        });
        // The run itself will set them aside when it goes on.
        damaged.map(drop)
    };
    let broken = read.err().map(|error| error.to_string());
    failed.map_or(Ok((rows, cut_off, broken)), Err)
}

/// True if a trial ended before its own cutoff and this one, so that neither changes what it did.
fn ended_before(record: &Record, cutoff: u64) -> bool {
    let outcome = &record.row.outcome;
    let length = match outcome.ending {
        Ending::Absorbed => outcome.absorption_time,
        // What a search has done is counted in checks, or in nodes.
        Ending::Exhausted | Ending::Solved => outcome.checks.max(outcome.nodes),
        Ending::Censored => None,
    };
    length.is_some_and(|length| length < cutoff.min(record.row.cutoff))
}

/// True if rows of `b` are rows of `a`.
fn is_same(a: &PlannedPoint, b: &PlannedPoint) -> bool {
    let is_recorded = a.recorded.is_empty() || a.recorded == b.recorded && a.cutoff == b.cutoff;
    // Times are taken anew: those of another day are no repeats of today's.
    a.dynamics == b.dynamics && a.repeats.is_none() && is_recorded
}

/// What keeps rows of one plan from being those of the other, in words; other cutoffs only where
/// they kept rows back.
fn changes<'a>(theirs: &Theirs, ours: &'a Plan, cut_off: bool) -> Vec<String> {
    let mut changes = Vec::new();
    let pair = |point: &'a PlannedPoint| Some((point, theirs.plan.at(&point.point)?));
    let pairs = || ours.points.iter().filter_map(pair);
    let changed = pairs().flat_map(|(point, _)| theirs.changed_at(point));
    let changed: BTreeSet<&String> = changed.collect();
    if !changed.is_empty() {
        let parts: Vec<&str> = changed.into_iter().map(String::as_str).collect();
        changes.push(format!("the code of {} has changed", parts.join(", ")));
    }
    if !have_a_seed_in_common(ours, &theirs.plan) {
        let [ours, theirs] = [ours, &theirs.plan].map(seeds);
        changes.push(format!("the seed is {ours}, there it is {theirs}"));
    }
    let mut changed = |what: &str, value: &dyn Fn(&PlannedPoint) -> String| {
        let mut differing = pairs().filter(|(point, other)| value(point) != value(other));
        if let Some((point, other)) = differing.next() {
            let more = match differing.count() {
                0 => String::new(),
                more => format!(" (and at {more} other points)"),
            };
            let (at, ours, theirs) = (&point.point, value(point), value(other));
            changes.push(format!(
                "the {what} at {at} is {ours}, there it is {theirs}{more}"
            ));
        }
    };
    if cut_off {
        changed("cutoff", &|point| point.cutoff.to_string());
    }
    changed("dynamics", &|point| {
        point.dynamics_name().unwrap_or_default().to_owned()
    });
    let lacks = |(point, other): (&PlannedPoint, &PlannedPoint)| {
        !point.recorded.is_empty() && point.recorded != other.recorded
    };
    if pairs().any(lacks) {
        changed("recording", &|point| point.recorded.to_string());
    }
    if changes.is_empty() && pairs().next().is_none() {
        changes.push("it has none of the points".into());
    }
    changes
}

fn have_a_seed_in_common(ours: &Plan, theirs: &Plan) -> bool {
    ours.seeds.iter().any(|seed| theirs.seeds.contains(seed))
}

fn seeds(plan: &Plan) -> String {
    let seeds = plan.seeds.iter().map(u64::to_string);
    seeds.collect::<Vec<_>>().join(", ")
}
