//! What other runs of an experiment have already: when a spec gains points, trials or seeds, only
//! the new trials run.
//!
//! A row is taken over when it is the row of the very same trial: the same code version, point,
//! seed and index, and the same cutoff and dynamics at its point. Which dynamics a run had at each
//! point, its plan says, which its spec and its folder's name give back.

use std::path::Path;

use super::ledger::{Ledger, TrialId};
use super::{Remark, Request};
use crate::experiment::plan::{Plan, PlannedPoint, key_order};
use crate::experiment::provenance::CODE_VERSION;
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::store::{Record, StoreError};

/// Takes a row of the plan; says whether it was new.
pub type Taker<'a> = dyn FnMut(Record, TrialId) -> Result<bool, StoreError> + 'a;

/// Gives `take` the rows of the plan's trials from every other run of the experiment under this
/// code version; returns what there is to say of them.
///
/// # Errors
/// A results folder that cannot be listed, and those of `take`. A run that cannot be read is passed
/// over with a remark.
pub fn take_over(
    request: &Request,
    own: &Path,
    take: &mut Taker,
) -> Result<Vec<Remark>, StoreError> {
    let is_candidate = |entry: &RunEntry| {
        entry.experiment == request.run.spec.name
            && entry.code_version == CODE_VERSION
            && entry.folder.path() != own
    };
    let (mut remarks, mut refused, mut rows) = (Vec::new(), None, 0);
    for entry in catalog::runs(request.run.results)?
        .into_iter()
        .filter(is_candidate)
    {
        let from = entry.folder.path().to_path_buf();
        let Some(theirs) = entry.plan() else { continue };
        let changes = changes(&theirs, request.run.plan);
        let taken = take_from(&entry, &theirs, request, take)?;
        rows += taken.rows;
        if taken.rows > 0 {
            remarks.push(Remark::TakenOver {
                from: from.clone(),
                rows: taken.rows,
            });
        }
        if let Some(reason) = taken.broken {
            remarks.push(Remark::NotTakenOver { from, reason });
        } else if !changes.is_empty() && taken.rows > 0 {
            remarks.push(Remark::NotTakenOver {
                from,
                reason: format!("the rest, since {}", changes.join("; ")),
            });
        } else if !changes.is_empty() {
            refused = Some(Remark::NotTakenOver {
                from,
                reason: changes.join("; "),
            });
        }
    }
    // One run of other parameters is worth a word when nothing fits; ten are not, nor is one when
    // others fit.
    if rows == 0 {
        remarks.extend(refused);
    }
    Ok(remarks)
}

/// What one run has given.
struct Taken {
    rows: u64,
    /// Why it could not be read.
    broken: Option<String>,
}

fn take_from(
    entry: &RunEntry,
    theirs: &Plan,
    request: &Request,
    take: &mut Taker,
) -> Result<Taken, StoreError> {
    let ours = request.run.plan;
    let same: Vec<bool> = ours
        .points
        .iter()
        .map(|point| counterpart(point, theirs).is_some_and(|other| is_same(point, other)))
        .collect();
    if !same.contains(&true) || !ours.seeds.iter().any(|seed| theirs.seeds.contains(seed)) {
        return Ok(Taken {
            rows: 0,
            broken: None,
        });
    }
    let ledger = Ledger::new(ours, request.shard, request.run.rule);
    let (mut rows, mut failed) = (0, None);
    let mut admit = |records: Vec<Record>| {
        for record in records {
            if let Some(id) = ledger.trial(&record).filter(|id| same[id.point]) {
                rows += u64::from(take(record, id)?);
            }
        }
        Ok::<(), StoreError>(())
    };
    let mut keep_first = |result: Result<(), StoreError>| failed = failed.take().or(result.err());
    let read = if entry.folder.is_complete() {
        // A failure to save is ours; it is told apart from a failure to read, which is theirs.
        entry.folder.manifest().and_then(|manifest| {
            entry.folder.records(&manifest, &mut |records| {
                keep_first(admit(records));
                Ok(())
            })
        })
    } else {
        let damaged = entry
            .folder
            .look_at_parts(&mut |records| keep_first(admit(records.to_vec())));
        // The run itself will set them aside when it goes on.
        damaged.map(drop)
    };
    match failed {
        Some(error) => Err(error),
        None => Ok(Taken {
            rows,
            broken: read.err().map(|error| error.to_string()),
        }),
    }
}

/// The same point in another plan.
fn counterpart<'a>(point: &PlannedPoint, plan: &'a Plan) -> Option<&'a PlannedPoint> {
    let found = plan
        .points
        .binary_search_by(|other| key_order(&other.point, &point.point))
        .ok()?;
    Some(&plan.points[found])
}

fn is_same(a: &PlannedPoint, b: &PlannedPoint) -> bool {
    // Times are taken anew: those of another day are no repeats of today's. So is what the clock
    // may have stopped.
    let has_limit = [a, b]
        .iter()
        .any(|planned| planned.timing.time_limit.is_some());
    a.cutoff == b.cutoff && a.dynamics == b.dynamics && !a.timing.is_alone() && !has_limit
}

/// What keeps rows of one plan from being those of the other, in words.
fn changes(theirs: &Plan, ours: &Plan) -> Vec<String> {
    let mut changes = Vec::new();
    if !ours.seeds.iter().any(|seed| theirs.seeds.contains(seed)) {
        changes.push(format!(
            "the seed is {}, there it is {}",
            seeds(&ours.seeds),
            seeds(&theirs.seeds)
        ));
    }
    let pairs = || {
        ours.points
            .iter()
            .filter_map(|point| counterpart(point, theirs).map(|other| (point, other)))
    };
    let mut changed = |what: &str, value: &dyn Fn(&PlannedPoint) -> String| {
        let mut differing = pairs().filter(|(point, other)| value(point) != value(other));
        if let Some((point, other)) = differing.next() {
            let more = match differing.count() {
                0 => String::new(),
                more => format!(" (and at {more} other points)"),
            };
            changes.push(format!(
                "the {what} at {} is {}, there it is {}{more}",
                point.point,
                value(point),
                value(other)
            ));
        }
    };
    changed("cutoff", &|point| point.cutoff.to_string());
    changed("dynamics", &|point| point.dynamics.name().to_owned());
    changed("time limit", &|point| {
        point
            .timing
            .time_limit
            .map_or_else(|| "none".to_owned(), |limit| limit.to_string())
    });
    if changes.is_empty() && pairs().next().is_none() {
        changes.push("it has none of the points".into());
    }
    changes
}

fn seeds(seeds: &[u64]) -> String {
    seeds
        .iter()
        .map(u64::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
