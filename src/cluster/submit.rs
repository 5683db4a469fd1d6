//! What to submit to Slurm for the shards that need a task: a job array, and a merge after it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::ClusterError;
use super::script::Script;
use super::slurm::{self, DEFAULT_MAX_ARRAY_SIZE, Task, TaskStates};
use super::state::{self, Known, ShardStatus};
use super::submission::{self, Submission};
use crate::experiment::provenance;
use crate::experiment::shard::ranges;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards::Shards;

/// Shards of a run without `--shards`.
pub const DEFAULT_SHARDS: u32 = 16;

/// What is to be run, and with which options of Slurm.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    pub experiment: &'a str,
    /// The spec's text: the jobs run a copy, so that the file may change before they start.
    pub spec: &'a str,
    pub run: &'a RunFolder,
    pub results: &'a Path,
    /// Pieces of the plan: of more shards, some would be empty.
    pub pieces: u64,
    pub program: &'a Path,
    /// Of the plan: under another one the jobs refuse to run.
    pub code_version: &'a str,
    /// Options of `run` and `merge` that decide the plan.
    pub options: &'a [String],
    pub shards: Option<u32>,
    /// Processors of a task, which are its threads.
    pub cpus: u16,
    /// Options of sbatch for both jobs.
    pub sbatch: Vec<String>,
}

/// What would be written and submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub shards: u32,
    pub tasks: u32,
    /// Shards by state before the submission.
    pub states: Vec<ShardStatus>,
    pub files: Vec<(PathBuf, String)>,
    /// The tasks and the arguments of sbatch; `None`: no shard needs a task.
    pub array: Option<(String, Vec<String>)>,
    /// The arguments of sbatch, without what it depends on; `None`: a merge is in the queue
    /// already.
    pub merge: Option<Vec<String>>,
    /// Arrays in the queue, which the merge awaits too.
    pub awaited: BTreeSet<String>,
}

impl Proposal {
    /// The shards that get a task.
    pub fn submitted(&self) -> Vec<u32> {
        self.states
            .iter()
            .filter(|shard| shard.state.needs_a_task())
            .map(|shard| shard.shard)
            .collect()
    }

    /// The merge's arguments when the array's number is known.
    pub fn merge_arguments(&self, array_job: Option<&str>) -> Option<Vec<String>> {
        let jobs: Vec<&str> = array_job
            .into_iter()
            .chain(self.awaited.iter().map(String::as_str))
            .collect();
        let dependency =
            (!jobs.is_empty()).then(|| format!("--dependency=afterany:{}", jobs.join(":")));
        let merge = self.merge.as_ref()?;
        let (script, options) = merge.split_last()?;
        Some(
            options
                .iter()
                .cloned()
                .chain(dependency)
                .chain([script.clone()])
                .collect(),
        )
    }
}

/// The names of a run's jobs: the array's and the merge's.
pub fn job_names(experiment: &str) -> [String; 2] {
    [
        format!("reines-{experiment}"),
        format!("reines-{experiment}-merge"),
    ]
}

/// Submits the proposal of [`propose`] and adds it to the run's submissions.
///
/// # Errors
/// What Slurm refuses; a file that cannot be written.
pub fn submit(order: &Order) -> Result<(Proposal, Submission), ClusterError> {
    // First of all: without Slurm, nothing is written.
    let max_array_size = slurm::max_array_size()?;
    let _alone = submission::lock(order.run)?;
    let queue = slurm::queue(&job_names(order.experiment))?;
    let mut submissions = submission::read(order.run)?;
    let proposal = propose(order, &submissions, max_array_size, &queue)?;
    for (path, text) in &proposal.files {
        submission::write_file(path, text)?;
    }
    let folder = submission::folder(order.run);
    let Proposal { shards, tasks, .. } = proposal;
    let mut new = Submission {
        submitted: provenance::now(),
        shards,
        tasks,
        array_job: None,
        array: String::new(),
        merge_job: None,
    };
    if let Some((array, arguments)) = &proposal.array {
        new.array_job = Some(slurm::sbatch(arguments, &folder)?);
        new.array.clone_from(array);
        // At once: were the merge refused, the array would still be known.
        submission::write(order.run, [submissions.as_slice(), &[new.clone()]].concat())?;
    }
    if let Some(arguments) = proposal.merge_arguments(new.array_job.as_deref()) {
        new.merge_job = Some(slurm::sbatch(&arguments, &folder)?);
    }
    if new.array_job.is_some() || new.merge_job.is_some() {
        submissions.push(new.clone());
        submission::write(order.run, submissions)?;
    }
    Ok((proposal, new))
}

/// What [`submit`] would do now; writes nothing. Where Slurm does not answer, an empty queue and
/// the usual configuration are assumed.
///
/// # Errors
/// As [`propose`].
pub fn rehearse(order: &Order) -> Result<(Proposal, Option<ClusterError>), ClusterError> {
    let asked = slurm::queue(&job_names(order.experiment))
        .and_then(|queue| Ok((queue, slurm::max_array_size()?)));
    let (queue, max_array_size, silence) = match asked {
        Ok((queue, size)) => (queue, size, None),
        Err(error) => (TaskStates::new(), DEFAULT_MAX_ARRAY_SIZE, Some(error)),
    };
    Ok((
        propose(order, &submission::read(order.run)?, max_array_size, &queue)?,
        silence,
    ))
}

/// Which shards need a task, which tasks run them, and with which arguments they are submitted.
///
/// # Errors
/// A cut other than the run's; paths that a script cannot name.
pub fn propose(
    order: &Order,
    earlier: &[Submission],
    max_array_size: u32,
    queue: &TaskStates,
) -> Result<Proposal, ClusterError> {
    let shards = choose_cut(order, earlier)?;
    let tasks = shards.min(max_array_size);
    let known = Known {
        submissions: earlier,
        queue: Some(queue),
        history: &TaskStates::new(),
    };
    let states = state::statuses(order.run, shards, known)?;
    let wanted: BTreeSet<u32> = states
        .iter()
        .filter(|shard| shard.state.needs_a_task())
        .map(|shard| shard.shard % tasks)
        .collect();
    let array = ranges(&wanted.into_iter().collect::<Vec<_>>());
    let folder = submission::folder(order.run);
    let files = files(order, &folder, shards, tasks)?;
    let script = |index: usize| text(&files[index].0).map(str::to_owned);
    let array = if array.is_empty() {
        None
    } else {
        Some((array.clone(), array_arguments(order, &array, script(1)?)))
    };
    let merge = merge_arguments(order, script(2)?);
    let merge_waits = earlier
        .iter()
        .filter_map(|submission| submission.merge_job.clone())
        .any(|job| queue.contains_key(&Task { job, index: None }));
    let merge = (array.is_some() || !merge_waits).then_some(merge);
    Ok(Proposal {
        shards,
        tasks,
        states,
        files,
        array,
        merge,
        awaited: arrays_in_queue(earlier, queue),
    })
}

/// The cut that the run has, else the one of `--shards`.
fn choose_cut(order: &Order, earlier: &[Submission]) -> Result<u32, ClusterError> {
    let cuts = Shards::cuts(order.run)?;
    let begun = earlier
        .last()
        .map(|submission| submission.shards)
        .or_else(|| cuts.first().map(|shards| shards.count));
    match (order.shards, begun) {
        (Some(asked), Some(begun)) if asked != begun => Err(ClusterError::OtherCut {
            run: order.run.path().into(),
            begun,
            asked,
        }),
        (Some(count), _) | (None, Some(count)) => Ok(count),
        (None, None) => Ok(DEFAULT_SHARDS
            .min(u32::try_from(order.pieces).unwrap_or(u32::MAX))
            .max(1)),
    }
}

/// The spec's copy and the two scripts.
fn files(
    order: &Order,
    folder: &Path,
    shards: u32,
    tasks: u32,
) -> Result<Vec<(PathBuf, String)>, ClusterError> {
    let spec = folder.join(format!("{}.toml", order.experiment));
    let script = Script {
        program: text(order.program)?,
        spec: text(&spec)?,
        results: text(order.results)?,
        shards,
        tasks,
        code_version: order.code_version,
        options: order.options,
    };
    let (array, merge) = (script.array(), script.merge());
    Ok(vec![
        (spec, order.spec.to_owned()),
        (folder.join("array.sh"), array),
        (folder.join("merge.sh"), merge),
    ])
}

fn array_arguments(order: &Order, array: &str, script: String) -> Vec<String> {
    let [name, _] = job_names(order.experiment);
    let own = [
        format!("--job-name={name}"),
        format!("--array={array}"),
        "--output=array-%A_%a.out".into(),
    ];
    common_arguments(order, own, order.cpus, script)
}

fn merge_arguments(order: &Order, script: String) -> Vec<String> {
    let [_, name] = job_names(order.experiment);
    common_arguments(
        order,
        [format!("--job-name={name}"), "--output=merge-%j.out".into()],
        1,
        script,
    )
}

/// The user's options come last, so that they override the others.
fn common_arguments(
    order: &Order,
    own: impl IntoIterator<Item = String>,
    cpus: u16,
    script: String,
) -> Vec<String> {
    let task = [
        "--parsable".into(),
        "--open-mode=append".into(),
        "--nodes=1".into(),
        "--ntasks=1".into(),
        format!("--cpus-per-task={cpus}"),
    ];
    task.into_iter()
        .chain(own)
        .chain(order.sbatch.iter().cloned())
        .chain([script])
        .collect()
}

fn arrays_in_queue(earlier: &[Submission], queue: &TaskStates) -> BTreeSet<String> {
    let arrays = earlier
        .iter()
        .filter_map(|submission| submission.array_job.clone());
    arrays
        .filter(|job| queue.keys().any(|task| task.job == *job))
        .collect()
}

fn text(path: &Path) -> Result<&str, ClusterError> {
    path.to_str()
        .ok_or_else(|| ClusterError::NotText(path.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<'a>(run: &'a RunFolder, shards: Option<u32>) -> Order<'a> {
        Order {
            experiment: "a",
            spec: "seed = 1\n",
            run,
            results: Path::new("/r"),
            pieces: 10_000,
            program: Path::new("/bin/reines"),
            code_version: "0.1.0-1a2b3c4d",
            options: &[],
            shards,
            cpus: 2,
            sbatch: vec!["--partition=a b".into()],
        }
    }

    #[test]
    fn more_shards_than_an_array_holds_come_in_chunks() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::at(folder.path());
        for (shards, max, tasks, array) in [
            (8, 1001, 8, "0-7"),
            (1001, 1001, 1001, "0-1000"),
            (2500, 1001, 1001, "0-1000"),
        ] {
            let proposal =
                propose(&order(&run, Some(shards)), &[], max, &TaskStates::new()).unwrap();
            assert_eq!(
                (proposal.tasks, proposal.array.unwrap().0.as_str()),
                (tasks, array)
            );
        }
        assert_eq!(
            propose(&order(&run, None), &[], 1001, &TaskStates::new())
                .unwrap()
                .shards,
            DEFAULT_SHARDS
        );
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "a proposal writes nothing"
        );
    }

    #[test]
    fn only_shards_that_need_a_task_are_submitted_again() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::at(folder.path());
        for (shard, done) in [(0, true), (1, false), (2, false)] {
            let path = folder.path().join(format!("shards/{shard}-of-6"));
            std::fs::create_dir_all(&path).unwrap();
            if done {
                std::fs::write(path.join("manifest.toml"), "").unwrap();
            }
        }
        let first = Submission {
            submitted: "2026-01-01T00:00:00Z".into(),
            shards: 6,
            tasks: 6,
            array_job: Some("12".into()),
            array: "0-5".into(),
            merge_job: Some("13".into()),
        };
        let task = |job: &str, index| Task {
            job: job.into(),
            index,
        };
        let running = (task("12", Some(1)), "RUNNING".to_owned());
        let waiting = (task("12", Some(5)), "PENDING".to_owned());
        let merge = (task("13", None), "PENDING".to_owned());
        let queue = TaskStates::from([running, waiting, merge]);
        let proposal = propose(
            &order(&run, None),
            std::slice::from_ref(&first),
            1001,
            &queue,
        )
        .unwrap();
        assert_eq!(proposal.submitted(), [2, 3, 4]);
        assert_eq!(proposal.array.as_ref().unwrap().0, "2-4");
        let merge = proposal.merge_arguments(Some("20")).unwrap();
        assert!(
            merge.contains(&"--dependency=afterany:20:12".to_owned()),
            "{merge:?}"
        );
        assert!(
            merge.contains(&"--partition=a b".to_owned())
                && merge.last().unwrap().ends_with("merge.sh"),
            "{merge:?}"
        );
        // Everything done or under way, and a merge waits: nothing to submit.
        for shard in [2, 3, 4] {
            let path = folder.path().join(format!("shards/{shard}-of-6"));
            std::fs::create_dir_all(&path).unwrap();
            std::fs::write(path.join("manifest.toml"), "").unwrap();
        }
        let proposal = propose(
            &order(&run, Some(6)),
            std::slice::from_ref(&first),
            1001,
            &queue,
        )
        .unwrap();
        assert_eq!((proposal.array, proposal.merge), (None, None));
        // Another cut would start over.
        let error = propose(&order(&run, Some(7)), &[first], 1001, &queue).unwrap_err();
        assert!(error.is_bad_input(), "{error}");
    }
}
