//! The shares of a run, put together: the bytes of a run in one piece.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use super::Shard;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::{self, Manifest, ShardRecord};
use crate::experiment::runner::ledger::Ledger;
use crate::experiment::runner::{self, Request};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::merge::Source;
use crate::experiment::store::parts::{FAN, Parts};
use crate::experiment::store::{Record, StoreError, catalog};

/// How a merge ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// The run was complete before.
    AlreadyComplete(RunFolder),
    Complete {
        folder: RunFolder,
        shards: u32,
        rows: u64,
        /// Runs of trials with a time limit, which have rows of their own.
        timed_rows: u64,
    },
}

/// Why a merge did not take place. Nothing that a share wrote is lost.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no shards of this plan and code version {code_version} in {}{}", run.display(), other_runs(others))]
    NoShards {
        run: PathBuf,
        code_version: String,
        others: Vec<String>,
    },
    #[error("{}: cut into {} shards, and no cut is complete: --shards says which one to take", run.display(), listed(counts))]
    SeveralCuts { run: PathBuf, counts: Vec<u32> },
    #[error("{} of {count} shards are not done: {}", missing.len(), ranges(missing))]
    Missing { missing: Vec<u32>, count: u32 },
    #[error("{}: its {key} is {found}, not {expected}: shards of other code versions, plans or cuts are not merged", path.display())]
    Foreign {
        path: PathBuf,
        key: &'static str,
        found: String,
        expected: String,
    },
    #[error("{reason}; moved to {}, so that shard {shard} can run again", aside.display())]
    Damaged {
        shard: Shard,
        reason: StoreError,
        aside: PathBuf,
    },
    #[error("{}: the rows of the shards are not the trials of the plan", run.display())]
    NotThePlan { run: PathBuf },
}

/// The shares of one run that have begun, and of these the ones that are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shares {
    pub count: u32,
    pub begun: BTreeSet<u32>,
    pub done: BTreeSet<u32>,
}

impl Shares {
    /// The shares of a run when it is cut into `count`.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn of(run: &RunFolder, count: u32) -> Result<Self, StoreError> {
        let begun: Vec<Shard> = run
            .shards()?
            .into_iter()
            .filter(|shard| shard.count() == count)
            .collect();
        let done = begun
            .iter()
            .filter(|&&shard| run.shard(shard).is_complete())
            .map(Shard::index)
            .collect();
        Ok(Self {
            count,
            begun: begun.iter().map(Shard::index).collect(),
            done,
        })
    }

    /// Every way in which a run has been cut, fewest shares first.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn cuts(run: &RunFolder) -> Result<Vec<Self>, StoreError> {
        let counts: BTreeSet<u32> = run.shards()?.iter().map(Shard::count).collect();
        counts
            .into_iter()
            .map(|count| Self::of(run, count))
            .collect()
    }

    /// The shares that are not done.
    pub fn missing(&self) -> Vec<u32> {
        (0..self.count)
            .filter(|index| !self.done.contains(index))
            .collect()
    }
}

/// Puts the shares of the request's plan together: of the cut into `count`, or else of the only
/// cut, or of the first that is complete.
///
/// # Errors
/// What is missing, foreign or damaged; a damaged share is moved aside, everything else is left as
/// it was.
pub fn merge(request: &Request, count: Option<u32>) -> Result<Merged, MergeError> {
    let started = provenance::now();
    let run = catalog::folder(
        request.results,
        &request.spec.name,
        &request.plan.code_version(),
        &request.plan.hash(),
        1,
    );
    if run.is_complete() {
        return Ok(Merged::AlreadyComplete(run));
    }
    let shares = choose(request, &run, count)?;
    let missing = shares.missing();
    if !missing.is_empty() {
        return Err(MergeError::Missing {
            missing,
            count: shares.count,
        });
    }
    let locked = run.clone().lock()?;
    if run.is_complete() {
        // Another process merged them between the look and the lock.
        return Ok(Merged::AlreadyComplete(run));
    }
    let mut parts = locked.parts_for_shards()?;
    let (records, rows) = gather(request, &run, shares.count, &mut parts)?;
    locked.save_spec(&request.spec.text)?;
    // The merge itself runs no trial, so 0 threads; which machines did, the shards' records say.
    let manifest = Manifest {
        shards: records,
        ..runner::manifest(request, started, 0)
    };
    let manifest = locked.complete(&parts, rows, &runner::timed_points(request.plan), manifest)?;
    locked.remove_shards()?;
    Ok(Merged::Complete {
        folder: run,
        shards: shares.count,
        rows: manifest.rows,
        timed_rows: manifest.timed_rows,
    })
}

fn choose(request: &Request, run: &RunFolder, count: Option<u32>) -> Result<Shares, MergeError> {
    if let Some(count) = count {
        return Ok(Shares::of(run, count)?);
    }
    let mut cuts = Shares::cuts(run)?;
    let complete = cuts.iter().position(|shares| shares.missing().is_empty());
    match (cuts.len(), complete) {
        (0, _) => Err(MergeError::NoShards {
            run: run.path().into(),
            code_version: request.plan.code_version(),
            others: sharded_runs(request)?,
        }),
        (_, Some(index)) => Ok(cuts.swap_remove(index)),
        (1, None) => Ok(cuts.swap_remove(0)),
        (_, None) => Err(MergeError::SeveralCuts {
            run: run.path().into(),
            counts: cuts.iter().map(|shares| shares.count).collect(),
        }),
    }
}

/// The folders of the experiment's runs under other code versions or plans that have shares.
fn sharded_runs(request: &Request) -> Result<Vec<String>, StoreError> {
    let runs = catalog::runs(request.results)?
        .into_iter()
        .filter(|entry| entry.experiment == request.spec.name);
    let sharded = runs.filter(|entry| entry.folder.shards().is_ok_and(|shards| !shards.is_empty()));
    Ok(sharded
        .map(|entry| {
            format!(
                "code version {} plan {}",
                entry.code_version, entry.plan_hash
            )
        })
        .collect())
}

/// Reads the shares in groups, checks that their rows are the plan's trials, each once, of a
/// sequential point those that its rows ask for, and writes them into parts; returns their number.
fn gather(
    request: &Request,
    run: &RunFolder,
    count: u32,
    parts: &mut Parts,
) -> Result<(Vec<ShardRecord>, u64), MergeError> {
    let plan = request.plan;
    let mut ledger = Ledger::new(plan, None, request.rule);
    let not_the_plan = || MergeError::NotThePlan {
        run: run.path().into(),
    };
    let (mut records, mut strangers) = (Vec::new(), 0_u64);
    let all: Vec<Shard> = Shard::all(count).collect();
    for group in all.chunks(FAN) {
        let mut sources = Vec::new();
        for &shard in group {
            let (source, record) = open(run, shard, plan)?;
            sources.push(source);
            records.push(record);
        }
        parts.gather(sources, &mut |batch| {
            let is_new = |record: &&Record| {
                ledger
                    .trial(record)
                    .is_some_and(|id| ledger.enter(id, record.row.absorption_time))
            };
            strangers += (batch.len() - batch.iter().filter(is_new).count()) as u64;
            Ok(())
        })?;
    }
    let is_whole = strangers == 0 && ledger.surplus() == 0 && ledger.total() == ledger.expected();
    if is_whole {
        Ok((records, ledger.total()))
    } else {
        Err(not_the_plan())
    }
}

/// A share's rows, checked, and what the merged manifest keeps of its own.
fn open(run: &RunFolder, shard: Shard, plan: &Plan) -> Result<(Source, ShardRecord), MergeError> {
    let folder = run.shard(shard);
    let opened = folder.manifest().and_then(|manifest| {
        let rows = folder.shard_rows(&manifest)?;
        Ok((manifest, rows))
    });
    match opened {
        Ok((manifest, rows)) => {
            refuse_foreign(&folder, shard, plan, &manifest)?;
            Ok((rows, manifest.into()))
        }
        Err(reason) if is_damage(&reason) => Err(MergeError::Damaged {
            shard,
            reason,
            aside: folder.set_aside()?,
        }),
        Err(reason) => Err(reason.into()),
    }
}

/// Whether running the share again would help.
fn is_damage(error: &StoreError) -> bool {
    match error {
        StoreError::Format { .. } | StoreError::Checksum { .. } => true,
        StoreError::Io { source, .. } => source.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}

fn refuse_foreign(
    folder: &RunFolder,
    shard: Shard,
    plan: &Plan,
    manifest: &Manifest,
) -> Result<(), MergeError> {
    let found = manifest
        .shard
        .clone()
        .unwrap_or_else(|| "a whole run".into());
    let checks = [
        (
            "code version",
            manifest.code_version.clone(),
            plan.code_version(),
        ),
        ("plan hash", manifest.plan_hash.clone(), plan.hash()),
        ("shard", found, shard.to_string()),
    ];
    match checks
        .into_iter()
        .find(|(_, found, expected)| found != expected)
    {
        None => Ok(()),
        Some((key, found, expected)) => Err(MergeError::Foreign {
            path: folder.path().into(),
            key,
            found,
            expected,
        }),
    }
}

fn other_runs(others: &[String]) -> String {
    if others.is_empty() {
        String::new()
    } else {
        format!("; there are shards of {}", others.join(", of "))
    }
}

fn listed(counts: &[u32]) -> String {
    counts
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(" and into ")
}

/// `0-2,5,7-8`: ascending numbers, neighbours joined; also how Slurm writes the tasks of an array.
pub fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let text = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        single => single.iter().map(u32::to_string).collect(),
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[3], "3"),
            (&[0, 1], "0-1"),
            (&[0, 1, 2, 5, 7, 8], "0-2,5,7-8"),
        ] {
            assert_eq!(ranges(numbers), text);
        }
    }
}
