//! How far each shard of a run is: by its files, and by Slurm where it answers.

use serde::Serialize;

use super::ClusterError;
use super::slurm::TaskStates;
use super::submission::Submission;
use crate::experiment::shard::Shard;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards::Shards;

/// How far a shard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShardState {
    Done,
    Running,
    /// Slurm has a task that has not begun the shard yet.
    Queued,
    /// Begun or submitted, not done, and neither running nor queued. What it has saved is kept.
    Failed,
    /// Neither begun nor submitted.
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
    /// As Slurm writes it: `12_3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Slurm's state of the task: `RUNNING`, `TIMEOUT`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slurm: Option<String>,
}

/// What is known besides the files.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub submissions: &'a [Submission],
    /// Tasks that wait or run; `None` where Slurm does not answer.
    pub queue: Option<&'a TaskStates>,
    /// How tasks have ended; empty where Slurm keeps no accounts.
    pub history: &'a TaskStates,
}

/// The states of a run's `count` shards, in order.
///
/// # Errors
/// A folder that cannot be listed.
pub fn statuses(
    run: &RunFolder,
    count: u32,
    known: Known,
) -> Result<Vec<ShardStatus>, ClusterError> {
    let shards = Shards::of(run, count)?;
    let is_locked =
        |shard: &Shard| shards.begun.contains(&shard.index()) && run.shard(*shard).is_locked();
    Ok(Shard::all(count)
        .map(|shard| status(shard, &shards, known, || is_locked(&shard)))
        .collect())
}

fn status(
    shard: Shard,
    shards: &Shards,
    known: Known,
    is_locked: impl Fn() -> bool,
) -> ShardStatus {
    let index = shard.index();
    if shards.done.contains(&index) {
        return ShardStatus {
            shard: index,
            state: ShardState::Done,
            task: None,
            slurm: None,
        };
    }
    let same_cut = || {
        known
            .submissions
            .iter()
            .rev()
            .filter(|submission| submission.shards == shards.count)
    };
    let tasks: Vec<_> = same_cut()
        .filter_map(|submission| submission.task(index))
        .collect();
    let queued = known
        .queue
        .and_then(|queue| tasks.iter().find_map(|task| Some((task, queue.get(task)?))));
    let last = || tasks.first().map(|task| (task, known.history.get(task)));
    let has_begun = shards.begun.contains(&index);
    let (state, task) = match queued {
        Some((task, slurm)) => (
            if is_waiting(slurm) || !has_begun {
                ShardState::Queued
            } else {
                ShardState::Running
            },
            Some((task, Some(slurm))),
        ),
        None if is_locked() => (ShardState::Running, None),
        None if has_begun || (known.queue.is_some() && !tasks.is_empty()) => {
            (ShardState::Failed, last())
        }
        None => (ShardState::Missing, None),
    };
    let slurm = task.and_then(|(_, slurm)| slurm.cloned());
    ShardStatus {
        shard: index,
        state,
        task: task.map(|(task, _)| task.to_string()),
        slurm,
    }
}

/// Whether a task in the queue has not been given a node.
fn is_waiting(slurm: &str) -> bool {
    slurm == "PENDING" || slurm.starts_with("REQUEUE")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::slurm::Task;

    fn known(queue: &[(u32, &str)]) -> TaskStates {
        queue
            .iter()
            .map(|&(index, state)| {
                (
                    Task {
                        job: "12".into(),
                        index: Some(index),
                    },
                    state.to_owned(),
                )
            })
            .collect()
    }

    #[test]
    fn files_and_queue_together_give_the_state() {
        let shards = Shards {
            count: 8,
            begun: [0, 1, 2, 3].into(),
            done: [0].into(),
        };
        let submission = Submission {
            submitted: "2026-01-01T00:00:00Z".into(),
            shards: 8,
            tasks: 8,
            array_job: Some("12".into()),
            array: "0-6".into(),
            merge_job: None,
        };
        let queue = known(&[(1, "RUNNING"), (4, "PENDING"), (5, "RUNNING")]);
        let history = known(&[(2, "TIMEOUT"), (6, "NODE_FAIL")]);
        let submissions = [submission];
        let known = Known {
            submissions: &submissions,
            queue: Some(&queue),
            history: &history,
        };
        let statuses: Vec<ShardStatus> = Shard::all(8)
            .map(|shard| status(shard, &shards, known, || shard.index() == 3))
            .collect();
        let found: Vec<_> = statuses
            .iter()
            .map(|status| {
                (
                    status.state.name(),
                    status.task.as_deref(),
                    status.slurm.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("done", None, None),
                ("running", Some("12_1"), Some("RUNNING")),
                ("failed", Some("12_2"), Some("TIMEOUT")),
                ("running", None, None),
                ("queued", Some("12_4"), Some("PENDING")),
                ("queued", Some("12_5"), Some("RUNNING")),
                ("failed", Some("12_6"), Some("NODE_FAIL")),
                ("missing", None, None),
            ]
        );
        // Without Slurm only files and locks count.
        let silent = Known {
            queue: None,
            history: &TaskStates::new(),
            ..known
        };
        let names: Vec<_> = Shard::all(8)
            .map(|shard| {
                status(shard, &shards, silent, || shard.index() == 3)
                    .state
                    .name()
            })
            .collect();
        assert_eq!(
            names,
            [
                "done", "failed", "failed", "running", "missing", "missing", "missing", "missing"
            ]
        );
        // The submission is of another cut.
        let other = Shards {
            count: 4,
            begun: [0].into(),
            done: [].into(),
        };
        assert_eq!(
            status(Shard::new(1, 4).unwrap(), &other, known, || false).state,
            ShardState::Missing
        );
    }

    /// The states of a task in the queue are those of `squeue --format=%T`.
    #[test]
    fn a_shard_whose_task_waits_is_queued_even_if_it_has_begun() {
        let submissions = [Submission {
            submitted: "2026-01-01T00:00:00Z".into(),
            shards: 2,
            tasks: 2,
            array_job: Some("12".into()),
            array: "0-1".into(),
            merge_job: None,
        }];
        let shards = Shards {
            count: 2,
            begun: [0].into(),
            done: [].into(),
        };
        for (slurm, begun) in [
            ("PENDING", ShardState::Queued),
            ("REQUEUED", ShardState::Queued),
            ("REQUEUE_FED", ShardState::Queued),
            ("REQUEUE_HOLD", ShardState::Queued),
            ("RUNNING", ShardState::Running),
            ("COMPLETING", ShardState::Running),
            ("SUSPENDED", ShardState::Running),
        ] {
            let queue = known(&[(0, slurm), (1, slurm)]);
            let known = Known {
                submissions: &submissions,
                queue: Some(&queue),
                history: &TaskStates::new(),
            };
            let state = |shard| status(shard, &shards, known, || false).state;
            let found: Vec<ShardState> = Shard::all(2).map(state).collect();
            assert_eq!(found, [begun, ShardState::Queued], "{slurm}");
        }
    }

    #[test]
    fn a_failed_shard_has_the_task_that_was_submitted_last() {
        let submission = |job: &str, array: &str| Submission {
            submitted: "2026-01-01T00:00:00Z".into(),
            shards: 2,
            tasks: 2,
            array_job: Some(job.into()),
            array: array.into(),
            merge_job: None,
        };
        let submissions = [submission("12", "0-1"), submission("20", "1")];
        let shards = Shards {
            count: 2,
            begun: [0, 1].into(),
            done: [].into(),
        };
        let known = Known {
            submissions: &submissions,
            queue: Some(&TaskStates::new()),
            history: &TaskStates::new(),
        };
        let task = |shard| status(shard, &shards, known, || false).task;
        let found: Vec<Option<String>> = Shard::all(2).map(task).collect();
        assert_eq!(found, [Some("12_0".into()), Some("20_1".into())]);
    }
}
