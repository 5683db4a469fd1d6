//! The shards of a run, put together: the bytes of a run in one piece.

use std::path::PathBuf;

use super::plan::Plan;
use super::provenance::{self, Manifest, ShardRecord};
use super::runner::PlannedRun;
use super::runner::ledger::Ledger;
use super::shard::{Shard, ranges};
use super::store::folder::RunFolder;
use super::store::merge::Source;
use super::store::parts::{FAN, Parts};
use super::store::shards::Shards;
use super::store::{Record, StoreError, catalog};

/// How a merge ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// The run was complete before.
    AlreadyComplete(RunFolder),
    /// The run is complete now.
    Complete {
        /// The run's folder.
        folder: RunFolder,
        /// Shards that were put together.
        shards: u32,
        /// Rows of `trials.parquet`.
        rows: u64,
    },
}

/// Why a merge did not take place. Nothing that a shard wrote is lost.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file cannot be read or written, or another process runs or merges the plan.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No shard of the run has begun.
    #[error("no shards of this plan and code version {code_version} in {}{}", run.display(), other_runs(others))]
    NoShards {
        /// The run's folder.
        run: PathBuf,
        /// Of this program for the plan.
        code_version: String,
        /// Runs of the experiment that have shards, by code version and plan.
        others: Vec<String>,
    },
    /// There are shards of several cuts, and none of them is complete.
    #[error("{}: cut into {} shards, and no cut is complete: --shards says which one to take", run.display(), listed(counts))]
    SeveralCuts {
        /// The run's folder.
        run: PathBuf,
        /// Shards of each cut.
        counts: Vec<u32>,
    },
    /// Some shards are not done.
    #[error("{} of {count} shards are not done: {}", missing.len(), ranges(missing))]
    Missing {
        /// Those that are not done.
        missing: Vec<u32>,
        /// Shards of the cut.
        count: u32,
    },
    /// A shard's manifest is that of another run.
    #[error("{}: its {key} is {found}, not {expected}: shards of other code versions, plans or cuts are not merged", path.display())]
    Foreign {
        /// The shard's folder.
        path: PathBuf,
        /// What differs.
        key: &'static str,
        /// In the manifest.
        found: String,
        /// In this run.
        expected: String,
    },
    /// A shard's files do not have their checksums, or are gone.
    #[error("{reason}; moved to {}, so that shard {shard} can run again", aside.display())]
    Damaged {
        /// The damaged shard.
        shard: Shard,
        /// What is wrong.
        reason: StoreError,
        /// Where its folder is now.
        aside: PathBuf,
    },
    /// Every checksum is right, and the rows are not those of the plan's trials.
    #[error("{}: the rows of the shards are not the trials of the plan", run.display())]
    NotThePlan {
        /// The run's folder.
        run: PathBuf,
    },
}

/// Puts the shards of a run together: of the cut into `count`, or else of the only cut, or of the
/// first that is complete.
///
/// # Errors
/// What is missing, foreign or damaged; a damaged shard is moved aside, everything else is left as
/// it was.
pub fn merge(planned: &PlannedRun, count: Option<u32>) -> Result<Merged, MergeError> {
    let started = provenance::now();
    let run = planned.folder();
    if run.is_complete() {
        return complete(planned, run);
    }
    let shards = choose(planned, &run, count)?;
    let missing = shards.missing();
    if !missing.is_empty() {
        return Err(MergeError::Missing {
            missing,
            count: shards.count,
        });
    }
    let locked = run.clone().lock()?;
    if run.is_complete() {
        // Another process merged them between the first check and the lock.
        return complete(planned, run);
    }
    locked.tidy()?;
    let mut parts = locked.parts_for_shards()?;
    let (records, rows) = gather(planned, &run, shards.count, &mut parts)?;
    locked.save_spec(&planned.spec.text)?;
    // The merge itself runs no trial, so 0 threads; the shards' records name the machines that did.
    let manifest = Manifest {
        shards: records,
        ..planned.manifest(None, started, 0)
    };
    let manifest = locked.complete(&parts, rows, planned.course_tables(), manifest)?;
    Ok(Merged::Complete {
        folder: run,
        shards: shards.count,
        rows: manifest.rows,
    })
}

/// A run that is whole and this plan's; what a merge that was killed has left is removed.
fn complete(planned: &PlannedRun, run: RunFolder) -> Result<Merged, MergeError> {
    planned.refuse_foreign(&run, &run.checked_manifest()?, None)?;
    run.remove_leftovers()?;
    Ok(Merged::AlreadyComplete(run))
}

fn choose(planned: &PlannedRun, run: &RunFolder, count: Option<u32>) -> Result<Shards, MergeError> {
    if let Some(count) = count {
        return Ok(Shards::of(run, count)?);
    }
    let mut cuts = Shards::cuts(run)?;
    let complete = cuts.iter().position(|shards| shards.missing().is_empty());
    match (cuts.len(), complete) {
        (0, _) => Err(MergeError::NoShards {
            run: run.path().into(),
            code_version: planned.plan.code_version(),
            others: sharded_runs(planned)?,
        }),
        (_, Some(index)) => Ok(cuts.swap_remove(index)),
        (1, None) => Ok(cuts.swap_remove(0)),
        (_, None) => Err(MergeError::SeveralCuts {
            run: run.path().into(),
            counts: cuts.iter().map(|shards| shards.count).collect(),
        }),
    }
}

/// The experiment's runs under other code versions or plans that have shards.
fn sharded_runs(planned: &PlannedRun) -> Result<Vec<String>, StoreError> {
    let runs = catalog::runs(planned.results)?
        .into_iter()
        .filter(|entry| entry.experiment == planned.spec.name);
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

/// Reads the shards in groups, checks that their rows are the plan's trials, each once (of a
/// sequential point those that follow from its rows), and writes them into parts; returns their
/// number.
fn gather(
    planned: &PlannedRun,
    run: &RunFolder,
    count: u32,
    parts: &mut Parts,
) -> Result<(Vec<ShardRecord>, u64), MergeError> {
    let plan = planned.plan;
    let mut ledger = Ledger::new(plan, None, planned.rule);
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
                    .is_some_and(|id| ledger.enter(id, record.row.outcome.absorption_time))
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

/// A shard's rows, checked, and what the merged manifest keeps of the shard's own.
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
        Err(reason) if reason.is_damage() => Err(MergeError::Damaged {
            shard,
            reason,
            aside: folder.set_aside()?,
        }),
        Err(reason) => Err(reason.into()),
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
