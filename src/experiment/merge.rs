//! The shards of a run, put together: the bytes of a run in one piece.

use super::provenance::{self, Manifest, ShardRecord};
use super::runner::PlannedRun;
use super::runner::board::Board;
use super::shard::{Shard, ranges};
use super::store::StoreError::Unmerged;
use super::store::complete::CompleteRun;
use super::store::folder::{RunFolder, set_aside};
use super::store::parts::{FAN, Parts};
use super::store::shards::Shards;
use super::store::table::Reader;
use super::store::{Record, StoreError, catalog, schema};

/// Puts the shards of a run together: of the cut into `count`, or else of the only cut, or of the
/// first that is complete. Returns the manifest that this makes; none where the run was complete.
///
/// # Errors
/// What is missing, foreign or damaged; a damaged shard is moved aside, all else stays as it was.
pub fn merge(
    planned: &PlannedRun,
    count: Option<u32>,
) -> Result<(RunFolder, Option<Manifest>), StoreError> {
    let started = provenance::now();
    let run = planned.folder();
    if run.is_complete() {
        return complete(planned, run);
    }
    let shards = choose(planned, &run, count)?;
    let (missing, count) = (shards.missing(), shards.count);
    if !missing.is_empty() {
        let reason = format!(
            "not done yet: {} of the {count} shards from 0",
            ranges(&missing)
        );
        return Err(Unmerged(reason));
    }
    let locked = run.clone().lock()?;
    if run.is_complete() {
        // Another process merged them between the first check and the lock.
        return complete(planned, run);
    }
    locked.tidy()?;
    let mut parts = locked.parts_for_shards()?;
    let (records, rows) = gather(planned, &run, count, &mut parts)?;
    locked.save_spec(&planned.spec.text)?;
    // The merge itself runs no trial, so 0 threads; the shards' records name the machines that did.
    let manifest = Manifest {
        shards: records,
        ..planned.manifest(None, started, 0)
    };
    let manifest = locked.complete(&parts, rows, planned.plan, manifest)?;
    Ok((run, Some(manifest)))
}

fn complete(
    planned: &PlannedRun,
    run: RunFolder,
) -> Result<(RunFolder, Option<Manifest>), StoreError> {
    planned.accept(&run, &run.checked_manifest()?, None)?;
    Ok((run, None))
}

fn choose(planned: &PlannedRun, run: &RunFolder, count: Option<u32>) -> Result<Shards, StoreError> {
    if let Some(count) = count {
        return Shards::of(run, count);
    }
    let mut cuts = Shards::cuts(run)?;
    let complete = cuts.iter().position(|shards| shards.missing().is_empty());
    match (cuts.len(), complete) {
        (0, _) => Err(Unmerged(format!(
            "no shards of this plan and code version {} in {}{}",
            planned.plan.code_version(),
            run.path().display(),
            other_runs(planned)?
        ))),
        (_, Some(index)) => Ok(cuts.swap_remove(index)),
        (1, None) => Ok(cuts.swap_remove(0)),
        (_, None) => {
            let counts: Vec<String> = cuts.iter().map(|cut| cut.count.to_string()).collect();
            Err(Unmerged(format!(
                "{}: cut into {} shards, and no cut is complete: --shards says which one to take",
                run.path().display(),
                counts.join(" and into ")
            )))
        }
    }
}

/// The experiment's runs of other code versions or plans that have shards, in words.
fn other_runs(planned: &PlannedRun) -> Result<String, StoreError> {
    let mut runs = catalog::runs(planned.results)?;
    runs.retain(|entry| entry.experiment == planned.spec.name);
    runs.retain(|entry| entry.folder.shards().is_ok_and(|shards| !shards.is_empty()));
    let paths = runs
        .iter()
        .map(|entry| entry.folder.path().display().to_string());
    let paths: Vec<String> = paths.collect();
    Ok(match paths.is_empty() {
        true => String::new(),
        false => format!("; there are shards in {}", paths.join(", in ")),
    })
}

/// Reads the shards in groups, checks that their rows are the plan's trials, each once (of a
/// sequential point those that follow from its rows), and writes them into parts; returns their
/// number.
fn gather(
    planned: &PlannedRun,
    run: &RunFolder,
    count: u32,
    parts: &mut Parts,
) -> Result<(Vec<ShardRecord>, u64), StoreError> {
    let mut board = Board::new(planned.plan, None, planned.rule);
    let (mut records, mut strangers) = (Vec::new(), 0_u64);
    let all: Vec<Shard> = Shard::all(count).collect();
    for group in all.chunks(FAN) {
        let mut tables = Vec::new();
        for &shard in group {
            let (table, record) = open(planned, run, shard)?;
            tables.push(table);
            records.push(record);
        }
        parts.gather(tables, |record| {
            let trial = board.trial(record);
            let is_new =
                trial.is_some_and(|id| board.enter(id, record.row.outcome.absorption_time));
            strangers += u64::from(!is_new);
        })?;
    }
    let all = board.all;
    if strangers == 0 && board.surplus() == 0 && all.is_complete() {
        return Ok((records, all.finished));
    }
    Err(Unmerged(format!(
        "{}: the rows of the shards are not the trials of the plan",
        run.path().display()
    )))
}

/// A shard's rows, checked, and what the merged manifest keeps of the shard's own.
fn open(
    planned: &PlannedRun,
    run: &RunFolder,
    shard: Shard,
) -> Result<(Reader<Record>, ShardRecord), StoreError> {
    let folder = run.shard(shard);
    let opened = CompleteRun::at(folder.clone()).and_then(|run| {
        let table = run.table(schema::part())?;
        Ok((run.manifest, table))
    });
    match opened {
        Ok((manifest, table)) => {
            planned.refuse_foreign(&folder, &manifest, Some(shard))?;
            Ok((table, manifest.into()))
        }
        Err(reason) if reason.is_damage() => {
            let aside = set_aside(folder.path(), "damaged")?;
            let aside = aside.display();
            Err(Unmerged(format!(
                "{reason}; moved to {aside}, so that shard {shard} can run again"
            )))
        }
        Err(reason) => Err(reason),
    }
}
