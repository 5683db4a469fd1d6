//! Shards as tasks of Slurm: how far each is, by its files and by the queue, and what to submit.
//!
//! Nothing here reaches a result: a task is `reines run --shard i/K`, and every queue that gives a
//! task an index can run it (docs/clusters.md). Of a submission nothing is kept but the script that
//! its jobs run; the queue finds them by a name that no other run has.

pub mod state;

pub mod submit;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::experiment::store::folder::RunFolder;

/// The folder for the script, a copy of the spec and what jobs print, within a run's.
fn folder(run: &RunFolder) -> PathBuf {
    run.path().join("slurm")
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

/// A task that waits or runs.
pub struct Task {
    /// As Slurm writes it: `12_3`, or `12` for a job that is no array.
    pub id: String,
    /// Its place in the array; none for a job that is no array.
    pub index: Option<u32>,
    /// `RUNNING`, `PENDING`, …
    pub state: String,
}

impl Task {
    /// A line `12_3|RUNNING` or `13|PENDING`.
    fn read(line: &str) -> Option<Self> {
        let (id, state) = line.trim().split_once('|')?;
        let index = id.split_once('_').map(|(_, index)| index.parse());
        Some(Self {
            id: id.to_owned(),
            index: index.transpose().ok()?,
            state: state.to_owned(),
        })
    }
}

fn max_array_size() -> anyhow::Result<u32> {
    let config = ask("scontrol", &["show", "config"], None)?;
    match parse_max_array_size(&config) {
        Some(0) => bail!("this Slurm has no job arrays: MaxArraySize is 0"),
        Some(size) => Ok(size),
        None => bail!("scontrol answered {config:?}, where MaxArraySize is missing"),
    }
}

/// The tasks that wait or run under this name.
fn queue(name: &str) -> anyhow::Result<Vec<Task>> {
    let name = format!("--name={name}");
    let options = ["--noheader", "--array", "--format=%i|%T", &name];
    let text = ask("squeue", &options, None)?;
    Ok(text.lines().filter_map(Task::read).collect())
}

/// Submits a job from `folder`, where its output goes, and returns its number.
fn sbatch(arguments: &[String], folder: &Path) -> anyhow::Result<String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let text = ask("sbatch", &arguments, Some(folder))?;
    // `job` or `job;cluster`
    let job = text.trim().split(';').next().unwrap_or_default();
    if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
        bail!("sbatch answered {text:?}, which is not the number of a job");
    }
    Ok(job.to_owned())
}

fn ask(program: &str, arguments: &[&str], folder: Option<&Path>) -> anyhow::Result<String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder.unwrap_or(Path::new(".")));
    let output = command.output();
    let output = output.with_context(|| format!("{program} cannot be started"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{program} failed: {}",
            message.lines().last().unwrap_or_default()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn parse_max_array_size(config: &str) -> Option<u32> {
    let values = config.lines().filter_map(|line| line.split_once('='));
    let mut sizes = values.filter(|(key, _)| key.trim() == "MaxArraySize");
    sizes.find_map(|(_, value)| value.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_slurm_are_read() {
        let config = "Configuration data as of 2026-01-01T00:00:00\nMaxArraySize            = 1001\nMaxBatchRequeue         = 5\n";
        assert_eq!(parse_max_array_size(config), Some(1001));
        assert_eq!(parse_max_array_size("MaxJobCount = 10000\n"), None);
        let lines = ["12_3|RUNNING", "13|PENDING", "nonsense", "12_[4-7]|PENDING"];
        let found = lines.map(|line| Task::read(line).map(|it| (it.id, it.index, it.state)));
        let task = |id: &str, index, state: &str| Some((id.to_owned(), index, state.to_owned()));
        let (array, job) = (
            task("12_3", Some(3), "RUNNING"),
            task("13", None, "PENDING"),
        );
        assert_eq!(found, [array, job, None, None]);
    }
}
