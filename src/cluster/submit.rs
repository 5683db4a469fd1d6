//! What to submit for the shards that need a task: a job array, and a merge after it.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::slurm::{self, DEFAULT_MAX_ARRAY_SIZE, Task};
use super::state::{Cut, SCRIPT, ShardStatus, job_name, statuses};
use super::{folder, quote};
use crate::experiment::shard::ranges;
use crate::experiment::spec::Refused;
use crate::experiment::store::atomic;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards::Shards;
use anyhow::{Context, bail};

/// Shards of a run without `--shards`.
const DEFAULT_SHARDS: u32 = 16;

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
    /// Options of sbatch for both jobs.
    pub sbatch: &'a [String],
}

/// What would be written and submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub cut: Cut,
    /// Shards by state before the submission.
    pub states: Vec<ShardStatus>,
    pub files: Vec<(PathBuf, String)>,
    /// Tasks of the array, as Slurm writes them, `0-2,5`; empty where no shard needs one.
    pub tasks: String,
    /// The arguments of sbatch for the array and for the merge, where each is needed.
    pub array: Option<Vec<String>>,
    pub merge: Option<Vec<String>>,
}

impl Proposal {
    /// The shards that get a task.
    pub fn submitted(&self) -> Vec<u32> {
        let needing = self.states.iter().filter(|it| it.state.needs_a_task());
        needing.map(|it| it.shard).collect()
    }
}

/// Submits the proposal of [`propose`]: it, and the numbers of the jobs for array and merge.
///
/// # Errors
/// What Slurm refuses; a file that cannot be written.
pub fn submit(order: &Order) -> anyhow::Result<(Proposal, [Option<String>; 2])> {
    // First of all: without Slurm, nothing is written.
    let max_array_size = slurm::max_array_size()?;
    let _alone = lock(order.run)?;
    let queue = slurm::queue(&job_name(order.experiment, order.run)?)?;
    let proposal = propose(order, max_array_size, &queue)?;
    for (path, text) in &proposal.files {
        atomic::write(path, text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    let sent = |arguments: &Option<Vec<String>>| {
        let send = |arguments: &Vec<String>| slurm::sbatch(arguments, &folder(order.run));
        arguments.as_ref().map(send).transpose()
    };
    let jobs = [sent(&proposal.array)?, sent(&proposal.merge)?];
    Ok((proposal, jobs))
}

/// What [`submit`] would do now; writes nothing. Where Slurm does not answer, and says why, an
/// empty queue and the usual configuration are assumed.
///
/// # Errors
/// As [`propose`].
pub fn rehearse(order: &Order) -> anyhow::Result<(Proposal, Option<anyhow::Error>)> {
    let asked = slurm::max_array_size()
        .and_then(|size| Ok((slurm::queue(&job_name(order.experiment, order.run)?)?, size)));
    let (queue, max_array_size, silence) = match asked {
        Ok((queue, size)) => (queue, size, None),
        Err(error) => (Vec::new(), DEFAULT_MAX_ARRAY_SIZE, Some(error)),
    };
    Ok((propose(order, max_array_size, &queue)?, silence))
}

/// Which shards need a task, which tasks run them, and with which arguments they are submitted.
///
/// # Errors
/// A cut other than the run's; paths that a script cannot name.
fn propose(order: &Order, max_array_size: u32, queue: &[Task]) -> anyhow::Result<Proposal> {
    let cut = cut(order, max_array_size)?;
    let states = statuses(order.run, cut, queue)?;
    let needing = states.iter().filter(|it| it.state.needs_a_task());
    let wanted: BTreeSet<u32> = needing.map(|it| it.shard % cut.tasks).collect();
    let tasks = ranges(&wanted.into_iter().collect::<Vec<_>>());
    let spec = folder(order.run).join(format!("{}.toml", order.experiment));
    let script = folder(order.run).join(SCRIPT);
    let name = job_name(order.experiment, order.run)?;
    // The user's options come last, so that they override the others.
    let arguments = |own: &[&str], words: &[&str]| -> Result<Vec<String>, Refused> {
        let name = format!("--job-name={name}");
        let common = [
            "--parsable",
            "--open-mode=append",
            "--nodes=1",
            "--ntasks=1",
            "--cpus-per-task=1",
            &name,
        ];
        let sbatch = order.sbatch.iter().map(String::as_str);
        let words = [text(&script)?].into_iter().chain(words.iter().copied());
        let all = common.into_iter().chain(own.iter().copied());
        Ok(all.chain(sbatch).chain(words).map(str::to_owned).collect())
    };
    let array = format!("--array={tasks}");
    let array = arguments(&[&array, "--output=array-%A_%a.out"], &[])?;
    let array = (!tasks.is_empty()).then_some(array);
    // It begins when no earlier job of the name is left.
    let merge = ["--dependency=singleton", "--output=merge-%j.out"];
    let merge = arguments(&merge, &["merge"])?;
    let merge_waits = queue.iter().any(|task| task.index.is_none());
    let merge = (array.is_some() || !merge_waits).then_some(merge);
    let text = script_text(order, &spec, cut)?;
    Ok(Proposal {
        cut,
        states,
        files: vec![(spec, order.spec.to_owned()), (script, text)],
        tasks,
        array,
        merge,
    })
}

/// The cut that the run has, else the one of `--shards`.
fn cut(order: &Order, max_array_size: u32) -> anyhow::Result<Cut> {
    let submitted = Cut::submitted(order.run)?.map(|cut| cut.shards);
    let begun = Shards::cuts(order.run)?.first().map(|cut| cut.count);
    let shards = match (order.shards, submitted.or(begun)) {
        (Some(asked), Some(begun)) if asked != begun => {
            return Err(Refused::new(format!(
                "{}: this run is cut into {begun} shards already; {asked} would start it over: \
                 leave --shards out, or remove shards/ and slurm/ there first",
                order.run.path().display()
            ))
            .into());
        }
        (asked, begun) => asked.or(begun).unwrap_or_else(|| {
            let pieces = u32::try_from(order.pieces).unwrap_or(u32::MAX);
            DEFAULT_SHARDS.min(pieces).max(1)
        }),
    };
    Ok(Cut {
        shards,
        tasks: shards.min(max_array_size),
    })
}

/// The script of both jobs. Every text from outside is in single quotes, and is expanded in double
/// quotes only.
fn script_text(order: &Order, spec: &Path, cut: Cut) -> Result<String, Refused> {
    let Cut { shards, tasks } = cut;
    let options: Vec<String> = order.options.iter().map(|option| quote(option)).collect();
    let [reines, spec, results] = [order.program, spec, order.results].map(text);
    Ok(format!(
        r#"#!/bin/bash
shards={shards}
tasks={tasks}
# Written by `reines submit`, which makes it anew each time and reads the two numbers again.
set -u
reines={reines}
spec={spec}
results={results}
# Since the submission the program may have been built anew; shards of two code versions are not
# merged.
options=(--code-version {code_version} {options})

# The last job puts the shards together, or names those that are missing.
if [ "${{1-}}" = merge ]; then
    exec "$reines" merge "$spec" --results "$results" --shards "$shards" "${{options[@]}}"
fi
# Each task runs every `tasks`-th shard from its own index on; one that is done costs nothing. Asked
# to end, the program saves what is finished, and no further shard is begun.
stopped=0 failed=0
trap 'stopped=1' TERM INT
for ((shard = SLURM_ARRAY_TASK_ID; shard < shards; shard += tasks)); do
    "$reines" run "$spec" --results "$results" --shard "$shard/$shards" \
        --threads "${{SLURM_CPUS_PER_TASK:-1}}" "${{options[@]}}" || failed=$?
    [ "$stopped" = 0 ] || exit 1
done
exit "$failed"
"#,
        reines = quote(reines?),
        spec = quote(spec?),
        results = quote(results?),
        code_version = quote(order.code_version),
        options = options.join(" "),
    ))
}

fn text(path: &Path) -> Result<&str, Refused> {
    path.to_str().ok_or_else(|| {
        let reason = "a batch script can name only paths that are valid UTF-8";
        Refused::new(format!("{}: {reason}", path.display()))
    })
}

/// Makes the folder and takes it for this process until the returned file is dropped: two
/// submissions at once would submit each shard twice.
fn lock(run: &RunFolder) -> anyhow::Result<File> {
    let path = folder(run).join("lock");
    let open = || {
        fs::create_dir_all(folder(run))?;
        File::options().create(true).append(true).open(&path)
    };
    let file = open().with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!(
                "{}: another process is submitting this run",
                run.path().display()
            )
        }
        Err(TryLockError::Error(error)) => Err(error).context(path.display().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Output};

    use super::*;

    fn order<'a>(run: &'a RunFolder, shards: Option<u32>, options: &'a [String]) -> Order<'a> {
        Order {
            experiment: "a",
            spec: "seed = 1\n",
            run,
            results: Path::new("/r"),
            pieces: 10_000,
            program: Path::new("/bin/reines"),
            code_version: "0.1.0-1a2b3c4d",
            options,
            shards,
            sbatch: &[],
        }
    }

    fn task(id: &str, index: Option<u32>, state: &str) -> Task {
        let (id, state) = (id.to_owned(), state.to_owned());
        Task { id, index, state }
    }

    #[test]
    fn more_shards_than_an_array_holds_come_in_chunks() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = RunFolder::at(folder.path());
        for (shards, cut, tasks) in [
            (Some(8), (8, 8), "0-7"),
            (Some(1001), (1001, 1001), "0-1000"),
            (Some(2500), (2500, 1001), "0-1000"),
            (None, (16, 16), "0-15"),
        ] {
            let proposal = propose(&order(&run, shards, &[]), 1001, &[]).expect("a proposal");
            let found = (proposal.cut.shards, proposal.cut.tasks);
            assert_eq!((found, &*proposal.tasks), (cut, tasks));
        }
        let there = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(there, 0, "a proposal writes nothing");
    }

    #[test]
    fn only_shards_that_need_a_task_are_submitted_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = RunFolder::at(folder.path());
        let begin = |shard: u32, is_done: bool| {
            let path = folder.path().join(format!("shards/{shard}-of-6"));
            fs::create_dir_all(&path).expect("writable");
            if is_done {
                fs::write(path.join("manifest.toml"), "").expect("writable");
            }
        };
        begin(0, true);
        [1, 2].iter().for_each(|shard| begin(*shard, false));
        let queue = [
            task("12_1", Some(1), "RUNNING"),
            task("12_5", Some(5), "PENDING"),
            task("13", None, "PENDING"),
        ];
        let proposal = propose(&order(&run, None, &[]), 1001, &queue).expect("a proposal");
        assert_eq!(proposal.submitted(), [2, 3, 4]);
        assert_eq!(proposal.tasks, "2-4");
        let merge = proposal.merge.expect("one after the new array");
        assert!(
            merge.contains(&"--dependency=singleton".to_owned()),
            "{merge:?}"
        );
        // Everything done or under way, and a merge waits: nothing to submit.
        [2, 3, 4].iter().for_each(|shard| begin(*shard, true));
        let proposal = propose(&order(&run, Some(6), &[]), 1001, &queue).expect("a proposal");
        assert_eq!((proposal.array, proposal.merge), (None, None));
        // Another cut would start over, be it begun or only submitted.
        let other = |run| propose(&order(run, Some(7), &[]), 1001, &queue).is_err();
        assert!(other(&run));
        fs::remove_dir_all(folder.path().join("shards")).expect("our own");
        assert!(!other(&run));
        fs::create_dir(super::folder(&run)).expect("writable");
        let (path, text) = &proposal.files[1];
        fs::write(path, text).expect("writable");
        assert!(other(&run));
        let alone = lock(&run).expect("nobody has it");
        assert!(lock(&run).is_err());
        drop(alone);
    }

    const HOSTILE: [&str; 8] = [
        "a b",
        "it's",
        "$(touch pwned)",
        "`touch pwned`",
        "a\nb; touch pwned",
        "\\",
        "*",
        "'; touch pwned; '",
    ];

    fn bash(script: &str, word: &str, folder: &Path) -> Output {
        let mut bash = Command::new("bash");
        let bash = bash.args(["-c", script, "bash", word]);
        let output = bash
            .env("SLURM_ARRAY_TASK_ID", "1")
            .current_dir(folder)
            .output();
        output.expect("bash starts")
    }

    #[test]
    fn each_task_runs_its_shards_and_no_word_of_a_path_is_run() {
        // In place of the program: writes its arguments on a line.
        let program = "#!/bin/bash\nprintf '<%s>' \"$@\" >> calls; echo >> calls\n";
        for text in HOSTILE {
            let folder = tempfile::tempdir().expect("a folder");
            let reines = folder.path().join(text.replace('/', "_"));
            fs::write(&reines, program).expect("writable");
            let executable = Command::new("chmod").arg("+x").arg(&reines).status();
            assert!(executable.is_ok_and(|it| it.success()));
            let run = RunFolder::at(folder.path());
            let options = ["--quick".to_owned(), text.to_owned()];
            let order = Order {
                program: &reines,
                results: Path::new(text),
                code_version: text,
                ..order(&run, None, &options)
            };
            let cut = Cut {
                shards: 7,
                tasks: 3,
            };
            let script = script_text(&order, Path::new(text), cut).expect("UTF-8");
            for word in ["", "merge"] {
                let output = bash(&script, word, folder.path());
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{said}");
            }
            let calls = fs::read_to_string(folder.path().join("calls")).expect("calls");
            let shard = |i: u32| {
                format!(
                    "<run><{text}><--results><{text}><--shard><{i}/7><--threads><1><--code-version><{text}><--quick><{text}>\n"
                )
            };
            let merge = format!(
                "<merge><{text}><--results><{text}><--shards><7><--code-version><{text}><--quick><{text}>\n"
            );
            assert_eq!(calls, [shard(1), shard(4), merge].concat());
            assert!(!folder.path().join("pwned").exists(), "{text:?}");
        }
    }

    #[test]
    fn a_quoted_word_is_read_back_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        for text in HOSTILE.into_iter().chain([""]) {
            let output = bash(&format!("printf %s {}", quote(text)), "", folder.path());
            assert_eq!(String::from_utf8_lossy(&output.stdout), text);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
