//! Shards as tasks of Slurm: how far each is, by its files and by the queue; [`submit`] has what is
//! submitted.
//!
//! Nothing here reaches a result: a task is `reines run --shard i/K`, and every queue that gives a
//! task an index can run it (docs/clusters.md). Of a submission nothing is kept but the script that
//! its jobs run; the queue finds them by a name that no other run has.

pub mod submit;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use itertools::Itertools;
use serde::Serialize;

use crate::experiment::shard::Shard;
use crate::experiment::store::atomic::real_path;
use crate::experiment::store::folder::RunFolder;

/// How far a shard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShardState {
    Done,
    Running,
    /// Slurm has a task that has not begun the shard yet.
    Queued,
    /// Some trials have run, but the shard is neither done nor running nor queued. What it has
    /// saved is kept.
    Failed,
    /// The shard has not begun.
    Missing,
}

impl ShardState {
    pub const ALL: [Self; 5] = {
        use ShardState::*;
        [Done, Running, Queued, Failed, Missing]
    };

    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A shard's state and, unless it is done, the last task for it.
#[derive(Debug, Serialize)]
pub struct ShardStatus {
    pub shard: u32,
    pub state: ShardState,
    /// The task as Slurm writes it: `12_3`. What it has printed is in `slurm/array-12_3.out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Slurm's state of a task in the queue: `RUNNING`, `PENDING`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    slurm: Option<String>,
}

/// A run cut into shards, for an array in which task t of T runs the shards t, t + T, t + 2T, …
#[derive(Debug, Clone, Copy)]
struct Cut {
    shards: u32,
    tasks: u32,
}

/// The script of a run's jobs, in its [`folder`]. It says the two numbers of the cut, a line each.
const SCRIPT: &str = "job.sh";

impl Cut {
    /// The cut of the run's jobs, from the script that they run.
    fn submitted(run: &RunFolder) -> anyhow::Result<Option<Self>> {
        let path = folder(run).join(SCRIPT);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| path.display().to_string())?,
        };
        let mut lines = text.lines();
        let mut number = |key: &str| lines.find_map(|it| it.strip_prefix(key)?.parse().ok());
        let numbers = number("shards=").zip(number("tasks=").filter(|tasks| *tasks > 0));
        Ok(numbers.map(|(shards, tasks)| Self { shards, tasks }))
    }

    /// The cut of which the largest part is done, if shards were begun.
    fn begun(run: &RunFolder) -> anyhow::Result<Option<Self>> {
        let mut done = BTreeMap::<u32, u64>::new();
        for shard in run.shards()? {
            *done.entry(shard.count()).or_default() += u64::from(run.shard(shard).is_complete());
        }
        let share = |(count, done): &(u32, u64)| u64::from(u32::MAX) * done / u64::from(*count);
        Ok(done.into_iter().max_by_key(share).map(|it| Self::of(it.0)))
    }

    /// A task for each shard.
    fn of(shards: u32) -> Self {
        let tasks = shards;
        Self { shards, tasks }
    }
}

/// The shards of a run in the cut of its jobs, else in the one of which most is done; none where it
/// is complete or not cut. And why Slurm was not asked for its jobs.
pub fn of_run(run: &RunFolder) -> anyhow::Result<(Vec<ShardStatus>, Option<String>)> {
    if run.is_complete() {
        return Ok((Vec::new(), None));
    }
    let submitted = Cut::submitted(run)?;
    let queue = match submitted {
        Some(_) => queue(&job_name(&run.experiment, run)),
        None => Ok(Vec::new()),
    };
    let remark = queue.as_ref().err();
    let remark = remark.map(|error| format!("from files alone: {error:#}"));
    let cut = submitted.or(Cut::begun(run)?);
    let shards = cut.map(|cut| statuses(run, cut, &queue.unwrap_or_default()));
    Ok((shards.transpose()?.unwrap_or_default(), remark))
}

/// The shards that are in one of these states.
pub fn numbers(shards: &[ShardStatus], states: &[ShardState]) -> Vec<u32> {
    let shards = shards.iter().filter(|it| states.contains(&it.state));
    shards.map(|it| it.shard).collect()
}

/// The states of a run's shards in a cut, in order.
fn statuses(run: &RunFolder, cut: Cut, queue: &[Task]) -> anyhow::Result<Vec<ShardStatus>> {
    let (begun, printed) = (run.shards()?, printed(run));
    let status = |shard: Shard| {
        let (index, has_begun) = (shard.index(), begun.contains(&shard));
        let is_done = has_begun && run.shard(shard).is_complete();
        let own = index % cut.tasks;
        let in_array = format!("_{own}");
        let queued = queue
            .iter()
            .find(|(id, _)| !is_done && id.ends_with(&in_array));
        // Whether a task has been given a node.
        let is_placed = |slurm: &str| slurm != "PENDING" && !slurm.starts_with("REQUEUE");
        let state = match queued {
            _ if is_done => ShardState::Done,
            Some((_, slurm)) if has_begun && is_placed(slurm) => ShardState::Running,
            Some(_) => ShardState::Queued,
            None if !has_begun => ShardState::Missing,
            None if run.shard(shard).is_locked() => ShardState::Running,
            None => ShardState::Failed,
        };
        let last = printed.get(&own).filter(|_| state == ShardState::Failed);
        let last = last.map(|job| format!("{job}{in_array}"));
        let (task, slurm) = queued.cloned().unzip();
        ShardStatus {
            shard: index,
            state,
            task: task.or(last),
            slurm,
        }
    };
    Ok(Shard::all(cut.shards).map(status).collect())
}

/// The last job of each task that has printed something, by the names of the files.
fn printed(run: &RunFolder) -> BTreeMap<u32, u64> {
    let task = |file: DirEntry| {
        let name = file.file_name().into_string().ok()?;
        let id = name.strip_prefix("array-")?.strip_suffix(".out")?;
        let (job, index) = id.split_once('_')?;
        Some((index.parse().ok()?, job.parse().ok()?))
    };
    let files = fs::read_dir(folder(run)).into_iter().flatten().flatten();
    let tasks: BTreeSet<(u32, u64)> = files.filter_map(task).collect();
    // Of the jobs of a task the last one stays.
    tasks.into_iter().collect()
}

/// The folder for the script, a copy of the spec and what jobs print, within a run's.
fn folder(run: &RunFolder) -> PathBuf {
    run.path().join("slurm")
}

/// The name of a run's jobs, the same for the array and the run after it, and that of no other run.
fn job_name(experiment: &str, run: &RunFolder) -> String {
    let path = real_path(run.path());
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    format!("reines-{experiment}-{}", &hash[..8])
}

/// What waits or runs, as Slurm writes it: `12_3`, or `13` for a job that is no array; and its
/// state: `RUNNING`, `PENDING`, …
type Task = (String, String);

/// The tasks that wait or run under this name.
fn queue(name: &str) -> anyhow::Result<Vec<Task>> {
    let name = format!("--name={name}");
    let options = ["--noheader", "--array", "--format=%i|%T", &name];
    let text = ask("squeue", options, Path::new("."))?;
    let tasks = text.lines().filter_map(|line| line.trim().split_once('|'));
    let tasks = tasks.map(|(id, state)| (id.to_owned(), state.to_owned()));
    Ok(tasks.collect())
}

/// What a program of Slurm prints, run in a folder.
fn ask<'a>(
    program: &str,
    arguments: impl IntoIterator<Item = &'a str>,
    folder: &Path,
) -> anyhow::Result<String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.with_context(|| format!("{program} cannot be started"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let last = message.lines().last().unwrap_or_default();
        bail!("{program} failed: {last}");
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A word that a shell reads back as `text`, for every text.
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// [`quote`]d words, with spaces between them.
pub fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run has one job name, by whatever links its results are named.
    #[test]
    fn links_to_a_run_do_not_change_the_name_of_its_jobs() {
        let folder = tempfile::tempdir().expect("the system has a temporary folder");
        let [real, link] = ["real", "link"].map(|name| folder.path().join(name));
        fs::create_dir(&real).expect("it can be made");
        std::os::unix::fs::symlink(&real, &link).expect("it can be made");
        // The run is not there yet.
        let name = |results: &Path| job_name("a", &RunFolder::at(results.join("a/1")));
        assert_eq!(name(&real), name(&link));
    }

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let texts = [
            "", "a b", "it's", "$(ls)", "`ls`", "a\nb;ls", "\\", "*", "';ls'",
        ];
        let script = format!("printf '%s|' {}", quoted(&texts.map(str::to_owned)));
        let read = ask("bash", ["-c", &script], Path::new("/")).expect("bash starts");
        assert_eq!(read, texts.map(|text| format!("{text}|")).concat());
    }
}
