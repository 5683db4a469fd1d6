//! How far each shard of a run is: by its files, and by Slurm where that answers.

use serde::Serialize;

use super::ClusterError;
use super::slurm::TaskStates;
use super::submission::Submission;
use crate::experiment::shard::{Shard, Shares};
use crate::experiment::store::folder::RunFolder;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Done,
    Running,
    /// Slurm has a task for it that has not begun it.
    Queued,
    /// Begun or submitted, not done, and nobody is at it now. What it has saved is kept.
    Failed,
    /// Never begun, and nobody is going to.
    Missing,
}

impl State {
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

    /// Whether somebody must be asked to run the shard.
    pub fn needs_a_task(self) -> bool {
        matches!(self, Self::Failed | Self::Missing)
    }
}

/// A shard's state and, unless it is done, the last task that was to run it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShardState {
    pub shard: u32,
    pub state: State,
    /// As Slurm writes it: `12_3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// What Slurm says of the task: `RUNNING`, `TIMEOUT`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slurm: Option<String>,
}

/// What is known besides the files.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub submissions: &'a [Submission],
    /// Tasks that wait or run; `None` where Slurm does not say.
    pub queue: Option<&'a TaskStates>,
    /// How tasks have ended; empty where Slurm does not say.
    pub history: &'a TaskStates,
}

/// The states of a run's `count` shards, in order.
///
/// # Errors
/// A folder that cannot be listed.
pub fn states(run: &RunFolder, count: u32, known: Known) -> Result<Vec<ShardState>, ClusterError> {
    let shares = Shares::of(run, count)?;
    let is_locked =
        |shard: &Shard| shares.begun.contains(&shard.index()) && run.shard(*shard).is_locked();
    Ok(Shard::all(count)
        .map(|shard| state(shard, &shares, known, || is_locked(&shard)))
        .collect())
}

fn state(shard: Shard, shares: &Shares, known: Known, is_locked: impl Fn() -> bool) -> ShardState {
    let index = shard.index();
    if shares.done.contains(&index) {
        return ShardState {
            shard: index,
            state: State::Done,
            task: None,
            slurm: None,
        };
    }
    let same_cut = || {
        known
            .submissions
            .iter()
            .rev()
            .filter(|submission| submission.shards == shares.count)
    };
    let tasks: Vec<_> = same_cut()
        .filter_map(|submission| submission.task(index))
        .collect();
    let queued = known
        .queue
        .and_then(|queue| tasks.iter().find_map(|task| Some((task, queue.get(task)?))));
    let last = || tasks.first().map(|task| (task, known.history.get(task)));
    let has_begun = shares.begun.contains(&index);
    let (state, task) = match queued {
        Some((task, slurm)) => (
            if is_waiting(slurm) || !has_begun {
                State::Queued
            } else {
                State::Running
            },
            Some((task, Some(slurm))),
        ),
        None if is_locked() => (State::Running, None),
        None if has_begun || (known.queue.is_some() && !tasks.is_empty()) => {
            (State::Failed, last())
        }
        None => (State::Missing, None),
    };
    let slurm = task.and_then(|(_, slurm)| slurm.cloned());
    ShardState {
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
    fn files_and_queue_together_tell_the_state() {
        let shares = Shares {
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
        let states: Vec<ShardState> = Shard::all(8)
            .map(|shard| state(shard, &shares, known, || shard.index() == 3))
            .collect();
        let found: Vec<_> = states
            .iter()
            .map(|state| {
                (
                    state.state.name(),
                    state.task.as_deref(),
                    state.slurm.as_deref(),
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
                state(shard, &shares, silent, || shard.index() == 3)
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
        // Of another cut, the submission says nothing.
        let other = Shares {
            count: 4,
            begun: [0].into(),
            done: [].into(),
        };
        assert_eq!(
            state(Shard::new(1, 4).unwrap(), &other, known, || false).state,
            State::Missing
        );
    }
}
