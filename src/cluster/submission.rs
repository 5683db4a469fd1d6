//! What has been submitted of a run: `slurm/submissions.toml` in its folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ClusterError;
use super::slurm::Task;
use crate::experiment::store::atomic;
use crate::experiment::store::folder::RunFolder;

const FOLDER: &str = "slurm";
const FILE: &str = "submissions.toml";
const LOCK: &str = "lock";

/// One job array, the merge job after it, or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// UTC, RFC 3339.
    pub submitted: String,
    /// Shards that the run is cut into.
    pub shards: u32,
    /// Stride of the array: task t runs the shards t, t + tasks, t + 2 tasks, …
    pub tasks: u32,
    /// The array's number, and the tasks in it as Slurm writes them: `0-2,5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_job: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub array: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_job: Option<String>,
}

impl Submission {
    /// The task that runs a shard, if one was submitted.
    pub fn task(&self, shard: u32) -> Option<Task> {
        let index = shard % self.tasks.max(1);
        let submitted = self.array.split(',').any(|range| includes(range, index));
        self.array_job
            .clone()
            .filter(|_| submitted)
            .map(|job| Task {
                job,
                index: Some(index),
            })
    }
}

/// Whether `3` or `2-5` includes a number.
fn includes(range: &str, number: u32) -> bool {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    matches!((first.parse::<u32>(), last.parse::<u32>()), (Ok(first), Ok(last)) if (first..=last).contains(&number))
}

#[derive(Default, Serialize, Deserialize)]
struct Submissions {
    #[serde(default)]
    submission: Vec<Submission>,
}

/// The folder for scripts, output and submissions within a run's.
pub fn folder(run: &RunFolder) -> PathBuf {
    run.path().join(FOLDER)
}

/// All submissions of a run, oldest first; none where there is no file of them.
///
/// # Errors
/// A file that cannot be read.
pub fn read(run: &RunFolder) -> Result<Vec<Submission>, ClusterError> {
    let path = folder(run).join(FILE);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|source| ClusterError::Io {
            path: path.clone(),
            source,
        })?,
    };
    let submissions: Submissions =
        toml::from_str(&text).map_err(|error| ClusterError::Submissions {
            path,
            reason: error.message().into(),
        })?;
    Ok(submissions.submission)
}

/// Writes all submissions of a run, oldest first.
///
/// # Errors
/// Any of the file system's.
pub fn write(run: &RunFolder, submissions: Vec<Submission>) -> Result<(), ClusterError> {
    let path = folder(run).join(FILE);
    let text = toml::to_string(&Submissions {
        submission: submissions,
    })
    .map_err(|error| ClusterError::Submissions {
        path: path.clone(),
        reason: error.to_string(),
    })?;
    write_file(&path, &text)
}

/// Writes a file whole or not at all.
///
/// # Errors
/// Any of the file system's.
pub fn write_file(path: &Path, text: &str) -> Result<(), ClusterError> {
    atomic::write(path, text.as_bytes()).map_err(|source| ClusterError::Io {
        path: path.into(),
        source,
    })
}

/// Makes the folder and takes it for this process until the returned file is dropped: two
/// submissions at once would submit each shard twice.
///
/// # Errors
/// [`ClusterError::Busy`] when another process has it.
pub fn lock(run: &RunFolder) -> Result<File, ClusterError> {
    let folder = folder(run);
    let path = folder.join(LOCK);
    let failed = |source| ClusterError::Io {
        path: path.clone(),
        source,
    };
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = File::options()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ClusterError::Busy(run.path().into())),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission() -> Submission {
        let (array_job, merge_job) = (Some("12".into()), Some("13".into()));
        Submission {
            submitted: "2026-01-01T00:00:00Z".into(),
            shards: 20,
            tasks: 8,
            array_job,
            array: "0-2,5".into(),
            merge_job,
        }
    }

    #[test]
    fn shards_are_found_in_the_tasks_that_run_them() {
        let tasks: Vec<Option<u32>> = [0, 2, 3, 5, 8, 10, 11, 13]
            .map(|shard| submission().task(shard).and_then(|task| task.index))
            .into();
        assert_eq!(
            tasks,
            [
                Some(0),
                Some(2),
                None,
                Some(5),
                Some(0),
                Some(2),
                None,
                Some(5)
            ]
        );
        assert_eq!(
            Submission {
                array_job: None,
                ..submission()
            }
            .task(0),
            None
        );
    }

    #[test]
    fn submissions_are_read_back_and_a_truncated_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::at(folder.path());
        assert_eq!(read(&run).unwrap(), []);
        let lock = lock(&run).unwrap();
        assert!(matches!(super::lock(&run), Err(ClusterError::Busy(_))));
        drop(lock);
        let only_merge = Submission {
            array_job: None,
            array: String::new(),
            ..submission()
        };
        let submissions = vec![submission(), only_merge];
        write(&run, submissions.clone()).unwrap();
        assert_eq!(read(&run).unwrap(), submissions);
        let path = super::folder(&run).join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() / 2 + 3]).unwrap();
        assert!(read(&run).unwrap_err().to_string().contains(FILE));
    }
}
