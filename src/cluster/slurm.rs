//! Slurm, by its own commands. Arguments are passed one by one, never through a shell.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Slurm's default of `MaxArraySize`.
pub const DEFAULT_MAX_ARRAY_SIZE: u32 = 1001;

/// A task that waits or runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// As Slurm writes it: `12_3`, or `12` for a job that is no array.
    pub id: String,
    /// Its place in the array; none for a job that is no array.
    pub index: Option<u32>,
    /// `RUNNING`, `PENDING`, …
    pub state: String,
}

/// The largest number of tasks in an array.
///
/// # Errors
/// No Slurm, or an answer without the number.
pub fn max_array_size() -> anyhow::Result<u32> {
    let config = ask("scontrol", &["show", "config"], None)?;
    match parse_max_array_size(&config) {
        Some(0) => bail!("this Slurm has no job arrays: MaxArraySize is 0"),
        Some(size) => Ok(size),
        None => bail!("scontrol answered {config:?}, where MaxArraySize is missing"),
    }
}

/// The tasks that wait or run under this name.
///
/// # Errors
/// No Slurm, or one that does not answer.
pub fn queue(name: &str) -> anyhow::Result<Vec<Task>> {
    let name = format!("--name={name}");
    let options = ["--noheader", "--array", "--format=%i|%T", &name];
    let text = ask("squeue", &options, None)?;
    Ok(text.lines().filter_map(task).collect())
}

/// Submits a job from `folder`, where its output goes, and returns its number.
///
/// # Errors
/// A job that Slurm refuses.
pub fn sbatch(arguments: &[String], folder: &Path) -> anyhow::Result<String> {
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
        bail!("{program} failed: {}", message.trim().replace('\n', "; "));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn parse_max_array_size(config: &str) -> Option<u32> {
    let values = config.lines().filter_map(|line| line.split_once('='));
    let mut sizes = values.filter(|(key, _)| key.trim() == "MaxArraySize");
    sizes.find_map(|(_, value)| value.trim().parse().ok())
}

/// A line `12_3|RUNNING` or `13|PENDING`.
fn task(line: &str) -> Option<Task> {
    let (id, state) = line.trim().split_once('|')?;
    let index = match id.split_once('_') {
        Some((_, index)) => Some(index.parse().ok()?),
        None => None,
    };
    Some(Task {
        id: id.to_owned(),
        index,
        state: state.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_slurm_are_read() {
        let config = "Configuration data as of 2026-01-01T00:00:00\nMaxArraySize            = 1001\nMaxBatchRequeue         = 5\n";
        assert_eq!(parse_max_array_size(config), Some(1001));
        assert_eq!(parse_max_array_size("MaxJobCount = 10000\n"), None);
        let found = ["12_3|RUNNING", "13|PENDING", "nonsense", "12_[4-7]|PENDING"].map(task);
        let task = |id: &str, index, state: &str| {
            let (id, state) = (id.to_owned(), state.to_owned());
            Some(Task { id, index, state })
        };
        let expected = [
            task("12_3", Some(3), "RUNNING"),
            task("13", None, "PENDING"),
        ];
        assert_eq!(found[..2], expected);
        assert_eq!(found[2..], [None, None]);
    }
}
