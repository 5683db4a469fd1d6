//! Slurm, by its own commands. Arguments are passed one by one, never through a shell.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;

use super::ClusterError;

/// Slurm's default of `MaxArraySize`.
pub const DEFAULT_MAX_ARRAY_SIZE: u32 = 1001;

/// A task of a job array: the array's number and the task's index; no index for a job of one task.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    pub job: String,
    pub index: Option<u32>,
}

impl fmt::Display for Task {
    /// As Slurm writes it: `12_3`, or `12` without an index.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "{}_{index}", self.job),
            None => f.write_str(&self.job),
        }
    }
}

/// Slurm's state of each task: `RUNNING`, `PENDING`, `TIMEOUT`, …
pub type TaskStates = BTreeMap<Task, String>;

/// The largest number of tasks in an array.
///
/// # Errors
/// No Slurm, or an answer without the number.
pub fn max_array_size() -> Result<u32, ClusterError> {
    let text = ask("scontrol", &["show", "config"], None)?;
    match parse_max_array_size(&text) {
        Some(0) => Err(ClusterError::NoArrays(0)),
        Some(size) => Ok(size),
        None => Err(ClusterError::Answer {
            program: "scontrol",
            found: text,
            expected: "a configuration with MaxArraySize",
        }),
    }
}

/// The user's tasks that wait or run under these names.
///
/// # Errors
/// No Slurm, or one that does not answer.
pub fn queue(names: &[String]) -> Result<TaskStates, ClusterError> {
    let names = format!("--name={}", names.join(","));
    ask(
        "squeue",
        &["--noheader", "--array", "--format=%i|%T", &names],
        None,
    )
    .map(|text| parse_states(&text))
}

/// The last states of jobs; none where Slurm keeps no accounts.
pub fn history(jobs: &[String]) -> TaskStates {
    let jobs = format!("--jobs={}", jobs.join(","));
    let answer = ask(
        "sacct",
        &[
            "--noheader",
            "--allocations",
            "--array",
            "--parsable2",
            "--format=JobID,State",
            &jobs,
        ],
        None,
    )
    .or_else(|_| {
        ask(
            "sacct",
            &[
                "--noheader",
                "--allocations",
                "--parsable2",
                "--format=JobID,State",
                &jobs,
            ],
            None,
        )
    });
    answer.map(|text| parse_states(&text)).unwrap_or_default()
}

/// Submits a job from `folder`, where its output goes, and returns its number.
///
/// # Errors
/// A job that Slurm refuses.
pub fn sbatch(arguments: &[String], folder: &Path) -> Result<String, ClusterError> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let text = ask("sbatch", &arguments, Some(folder))?;
    // `job` or `job;cluster`
    let job = text.trim().split(';').next().unwrap_or_default();
    if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ClusterError::Answer {
            program: "sbatch",
            found: text,
            expected: "the number of a job",
        });
    }
    Ok(job.to_owned())
}

fn ask(
    program: &'static str,
    arguments: &[&str],
    folder: Option<&Path>,
) -> Result<String, ClusterError> {
    let mut command = Command::new(program);
    command.args(arguments);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let output = command
        .output()
        .map_err(|source| ClusterError::Absent { program, source })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr)
            .trim()
            .replace('\n', "; ");
        return Err(ClusterError::Refused { program, message });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn parse_max_array_size(config: &str) -> Option<u32> {
    let values = config.lines().filter_map(|line| line.split_once('='));
    values
        .filter(|(key, _)| key.trim() == "MaxArraySize")
        .find_map(|(_, value)| value.trim().parse().ok())
}

/// Lines `12_3|RUNNING` or `13|PENDING`; others are left out.
fn parse_states(text: &str) -> TaskStates {
    let line = |line: &str| {
        let (id, state) = line.trim().split_once('|')?;
        let (job, index) = match id.split_once('_') {
            Some((job, index)) => (job, Some(index.parse().ok()?)),
            None => (id, None),
        };
        // `CANCELLED by 1000`
        let state = state.split_whitespace().next()?;
        Some((
            Task {
                job: job.into(),
                index,
            },
            state.to_owned(),
        ))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_slurm_are_read() {
        let config = "Configuration data as of 2026-01-01T00:00:00\nMaxArraySize            = 1001\nMaxBatchRequeue         = 5\n";
        assert_eq!(parse_max_array_size(config), Some(1001));
        assert_eq!(parse_max_array_size("MaxJobCount = 10000\n"), None);
        let states = parse_states(
            "12_3|RUNNING\n12_10|PENDING\n13|PENDING\n11_0|CANCELLED by 1000\nnonsense\n12_[4-7]|PENDING\n",
        );
        let task = |job: &str, index| Task {
            job: job.into(),
            index,
        };
        let expected = [
            (task("11", Some(0)), "CANCELLED"),
            (task("12", Some(3)), "RUNNING"),
            (task("12", Some(10)), "PENDING"),
            (task("13", None), "PENDING"),
        ];
        assert_eq!(
            states,
            expected
                .map(|(task, state)| (task, state.to_owned()))
                .into()
        );
    }
}
