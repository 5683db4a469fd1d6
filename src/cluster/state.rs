//! How far each shard of a run is: by its files, and by Slurm's queue where jobs were submitted.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use anyhow::Context;
use serde::Serialize;

use super::Task;
use crate::experiment::shard::Shard;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards::Shards;

/// How far a shard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShardState {
    Done,
    Running,
    /// Slurm has a task that has not begun the shard yet.
    Queued,
    /// Begun, not done, and neither running nor queued. What it has saved is kept.
    Failed,
    /// Not begun.
    Missing,
}

impl ShardState {
    pub const ALL: [Self; 5] = [
        Self::Done,
        Self::Running,
        Self::Queued,
        Self::Failed,
        Self::Missing,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Running => "running",
            Self::Queued => "queued",
            Self::Failed => "failed",
            Self::Missing => "missing",
        }
    }

    /// Whether the shard is to be submitted.
    pub fn needs_a_task(self) -> bool {
        matches!(self, Self::Failed | Self::Missing)
    }
}

/// A shard's state and, unless it is done, the last task for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShardStatus {
    pub shard: u32,
    pub state: ShardState,
    /// As Slurm writes it: `12_3`. What it has printed is in `slurm/array-12_3.out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Slurm's state of a task in the queue: `RUNNING`, `PENDING`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slurm: Option<String>,
}

/// A run cut into shards, for an array in which task t of T runs the shards t, t + T, t + 2T, …
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    pub shards: u32,
    pub tasks: u32,
}

/// The script of a run's jobs. It begins with the two numbers of the cut, a line each.
pub const SCRIPT: &str = "job.sh";

impl Cut {
    /// That of the run's jobs, by the script that they run.
    pub fn submitted(run: &RunFolder) -> anyhow::Result<Option<Self>> {
        let path = super::folder(run).join(SCRIPT);
        let named = || path.display().to_string();
        if !path.try_exists().with_context(named)? {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(named)?;
        let number = |key: &str| {
            text.lines()
                .find_map(|it| it.strip_prefix(key)?.parse().ok())
        };
        let numbers = number("shards=").zip(number("tasks="));
        Ok(numbers.map(|(shards, tasks)| Self { shards, tasks }))
    }
}

/// The name of a run's jobs, the same for the array and the merge, and that of no other run.
pub fn job_name(experiment: &str, run: &RunFolder) -> io::Result<String> {
    let path = std::path::absolute(run.path())?;
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    Ok(format!("reines-{experiment}-{}", &hash[..8]))
}

/// The shards of a run in the cut of its jobs, else in the one of which most is done; none where it
/// is not cut. And why Slurm was not asked for its jobs.
pub fn of_run(
    experiment: &str,
    run: &RunFolder,
) -> anyhow::Result<(Vec<ShardStatus>, Option<String>)> {
    if let Some(cut) = Cut::submitted(run)? {
        let (queue, remark) = match super::queue(&job_name(experiment, run)?) {
            Ok(queue) => (queue, None),
            Err(error) => (Vec::new(), Some(format!("from files alone: {error:#}"))),
        };
        return Ok((statuses(run, cut, &queue)?, remark));
    }
    let share = |cut: &Shards| u64::from(u32::MAX) * cut.done.len() as u64 / u64::from(cut.count);
    let cut = Shards::cuts(run)?.into_iter().max_by_key(share);
    let statuses = cut.map(|Shards { count, .. }| {
        let (shards, tasks) = (count, count);
        statuses(run, Cut { shards, tasks }, &[])
    });
    Ok((statuses.transpose()?.unwrap_or_default(), None))
}

/// The states of a run's shards in a cut, in order.
pub fn statuses(run: &RunFolder, cut: Cut, queue: &[Task]) -> anyhow::Result<Vec<ShardStatus>> {
    let shards = Shards::of(run, cut.shards)?;
    let printed = printed(run);
    let status = |shard: Shard| {
        let index = shard.index();
        let task_index = index % cut.tasks.max(1);
        let has_begun = shards.begun.contains(&index);
        let queued = queue.iter().find(|task| task.index == Some(task_index));
        let last = printed.get(&task_index);
        let (state, task) = match queued {
            _ if shards.done.contains(&index) => (ShardState::Done, None),
            Some(Task { id, state, .. }) if is_waiting(state) || !has_begun => {
                (ShardState::Queued, Some(id.clone()))
            }
            Some(task) => (ShardState::Running, Some(task.id.clone())),
            None if !has_begun => (ShardState::Missing, None),
            None if run.shard(shard).is_locked() => (ShardState::Running, None),
            None => (
                ShardState::Failed,
                last.map(|job| format!("{job}_{task_index}")),
            ),
        };
        let is_there = state != ShardState::Done;
        let slurm = queued.filter(|_| is_there).map(|task| task.state.clone());
        ShardStatus {
            shard: index,
            state,
            task,
            slurm,
        }
    };
    Ok(Shard::all(cut.shards).map(status).collect())
}

/// Whether a task in the queue has not been given a node.
fn is_waiting(slurm: &str) -> bool {
    slurm == "PENDING" || slurm.starts_with("REQUEUE")
}

/// The last job of each task that has printed something, by the names of the files.
fn printed(run: &RunFolder) -> BTreeMap<u32, u64> {
    let files = fs::read_dir(super::folder(run)).into_iter().flatten();
    let task = |name: &str| -> Option<(u32, u64)> {
        let task = name.strip_prefix("array-")?.strip_suffix(".out")?;
        let (job, index) = task.split_once('_')?;
        Some((index.parse().ok()?, job.parse().ok()?))
    };
    let mut tasks: Vec<(u32, u64)> = files
        .flatten()
        .filter_map(|it| task(&it.file_name().to_string_lossy()))
        .collect();
    tasks.sort_unstable();
    tasks.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run's folder with these files.
    fn run(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for file in files.iter().map(|file| folder.path().join(file)) {
            fs::create_dir_all(file.parent().expect("within the run's")).expect("writable");
            fs::write(file, "").expect("writable");
        }
        folder
    }

    fn task(index: u32, state: &str) -> Task {
        Task::read(&format!("12_{index}|{state}")).expect("a task")
    }

    fn found(folder: &tempfile::TempDir, cut: Cut, queue: &[Task]) -> Vec<String> {
        let statuses = statuses(&RunFolder::at(folder.path()), cut, queue).expect("readable");
        let line = |it: &ShardStatus| {
            let task = it.task.as_deref().unwrap_or("-");
            let slurm = it.slurm.as_deref().unwrap_or("-");
            format!("{} {task} {slurm}", it.state.name())
        };
        statuses.iter().map(line).collect()
    }

    #[test]
    fn files_and_queue_together_give_the_state() {
        let folder = run(&[
            "shards/0-of-6/manifest.toml",
            "shards/1-of-6/lock",
            "shards/2-of-6/lock",
            "shards/5-of-6/lock",
            "slurm/array-9_2.out",
            "slurm/array-12_1.out",
            "slurm/array-12_2.out",
            "slurm/array-11_2.out",
        ]);
        let cut = |tasks| Cut { shards: 6, tasks };
        let queue = [
            task(1, "RUNNING"),
            task(3, "PENDING"),
            task(4, "RUNNING"),
            task(5, "REQUEUED"),
        ];
        assert_eq!(
            found(&folder, cut(6), &queue),
            [
                "done - -",
                "running 12_1 RUNNING",
                "failed 12_2 -",
                "queued 12_3 PENDING",
                "queued 12_4 RUNNING",
                "queued 12_5 REQUEUED",
            ]
        );
        // Without Slurm, by files alone; and each task of two has three of the shards.
        let alone = ["done", "failed", "failed", "missing", "missing", "failed"];
        let names = found(&folder, cut(6), &[]);
        let names: Vec<&str> = names.iter().filter_map(|it| it.split(' ').next()).collect();
        assert_eq!(names, alone);
        let halves = found(&folder, cut(2), &[task(1, "RUNNING")]);
        assert_eq!(
            halves[3..],
            ["queued 12_1 RUNNING", "missing - -", "running 12_1 RUNNING"]
        );
    }
}
