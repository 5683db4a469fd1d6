//! What to submit for the shards that need a task: a job array, and a merge after it.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::state::{Cut, SCRIPT, ShardState, ShardStatus, job_name, statuses};
use super::{Task, folder, quote};
use crate::experiment::runner::PlannedRun;
use crate::experiment::shard::ranges;
use crate::experiment::spec::Refused;
use crate::experiment::store::atomic;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards::Shards;

/// Slurm's default of `MaxArraySize`.
const DEFAULT_MAX_ARRAY_SIZE: u32 = 1001;

/// Shards of a run without `--shards`.
const DEFAULT_SHARDS: u32 = 16;

/// What is to be run, and with which options of Slurm.
pub struct Order<'a> {
    pub planned: PlannedRun<'a>,
    pub program: &'a Path,
    /// Options of `run` and `merge` that decide the plan.
    pub options: &'a [String],
    pub shards: Option<u32>,
    /// Options of sbatch for both jobs.
    pub sbatch: &'a [String],
}

/// What would be written and submitted.
struct Proposal {
    cut: Cut,
    /// Shards by state before the submission.
    states: Vec<ShardStatus>,
    /// The shards that get a task.
    submitted: Vec<u32>,
    /// A copy of the spec, so that the file may change before the jobs start, and their script.
    files: [(PathBuf, String); 2],
    /// Tasks of the array, as Slurm writes them, `0-2,5`; empty where no shard needs one.
    tasks: String,
    /// The arguments of sbatch for the array and for the merge, where each is needed.
    jobs: [Option<Vec<String>>; 2],
}

/// Submits what is missing, and says what.
pub fn submit(order: &Order) -> anyhow::Result<String> {
    // First of all: without Slurm, nothing is written.
    let no_slurm = "no Slurm answers here (--dry-run shows what it would be asked)";
    let max_array_size = super::max_array_size().context(no_slurm)?;
    let (name, run) = (&order.planned.spec.name, order.planned.folder());
    let _alone = lock(&run)?;
    let queue = super::queue(&job_name(name, &run)?)?;
    let proposal = propose(order, max_array_size, &queue)?;
    for (path, text) in &proposal.files {
        atomic::write(path, text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    let sent = |arguments: &Option<Vec<String>>| {
        let send = |arguments: &Vec<String>| super::sbatch(arguments, &folder(&run));
        arguments.as_ref().map(send).transpose()
    };
    let [array, merge] = &proposal.jobs;
    let (array, merge) = (sent(array)?, sent(merge)?);
    let count = |state| {
        let own = proposal.states.iter().filter(|shard| shard.state == state);
        own.count()
    };
    let (done, shards) = (count(ShardState::Done), proposal.cut.shards);
    let tasks = match &array {
        Some(job) => format!(
            "shards {} as tasks {} of job {job}",
            ranges(&proposal.submitted),
            proposal.tasks
        ),
        None => format!(
            "no shard needs a task: {} running, {} queued",
            count(ShardState::Running),
            count(ShardState::Queued)
        ),
    };
    let after = match &merge {
        Some(job) => format!("merge as job {job}, when they have ended"),
        None => "a merge is queued already".to_owned(),
    };
    Ok(format!(
        "{name}: {done} of {shards} shards done before\n  {tasks}\n  {after}\n"
    ))
}

/// What [`submit`] would write and submit now, as a shell would do it. Where Slurm does not answer,
/// an empty queue and the usual configuration are assumed.
pub fn rehearse(order: &Order) -> anyhow::Result<String> {
    let (name, run) = (&order.planned.spec.name, order.planned.folder());
    let asked =
        super::max_array_size().and_then(|size| Ok((super::queue(&job_name(name, &run)?)?, size)));
    let (queue, max_array_size, silence) = match asked {
        Ok((queue, size)) => (queue, size, None),
        Err(error) => (Vec::new(), DEFAULT_MAX_ARRAY_SIZE, Some(error)),
    };
    let Proposal { files, jobs, .. } = propose(order, max_array_size, &queue)?;
    let mut text = String::new();
    for (path, content) in &files {
        text += &format!("# {}\n{content}\n", quote(&path.display().to_string()));
    }
    let folder = quote(&folder(&run).display().to_string());
    text += &format!("# submitted, in this order and from there\ncd {folder}\n");
    for arguments in jobs.iter().flatten() {
        let words: Vec<String> = arguments.iter().map(|word| quote(word)).collect();
        text += &format!("sbatch {}\n", words.join(" "));
    }
    if jobs == [None, None] {
        text += "# nothing: every shard is done or under way, and a merge is queued\n";
    }
    if let Some(error) = silence {
        text += &format!(
            "# Slurm was not asked what is queued and how large an array may be: {error:#}\n"
        );
    }
    Ok(text)
}

/// Which shards need a task, which tasks run them, and with which arguments they are submitted.
fn propose(order: &Order, max_array_size: u32, queue: &[Task]) -> anyhow::Result<Proposal> {
    let (name, run) = (&order.planned.spec.name, order.planned.folder());
    let cut = cut(order, &run, max_array_size)?;
    let states = statuses(&run, cut, queue)?;
    let needing = states.iter().filter(|it| it.state.needs_a_task());
    let submitted: Vec<u32> = needing.map(|it| it.shard).collect();
    let wanted: BTreeSet<u32> = submitted.iter().map(|it| it % cut.tasks).collect();
    let tasks = ranges(&wanted.into_iter().collect::<Vec<_>>());
    let spec = folder(&run).join(format!("{name}.toml"));
    let script = folder(&run).join(SCRIPT);
    let job_name = format!("--job-name={}", job_name(name, &run)?);
    // The user's options come last, so that they override the others.
    let arguments = |own: &[&str], words: &[&str]| -> Result<Vec<String>, Refused> {
        let common = [
            "--parsable",
            "--open-mode=append",
            "--nodes=1",
            "--ntasks=1",
            "--cpus-per-task=1",
            &job_name,
        ];
        let sbatch: Vec<&str> = order.sbatch.iter().map(String::as_str).collect();
        let all = [&common, own, &sbatch, &[text(&script)?], words].concat();
        Ok(all.into_iter().map(str::to_owned).collect())
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
        submitted,
        files: [(spec, order.planned.spec.text.clone()), (script, text)],
        tasks,
        jobs: [array, merge],
    })
}

/// The cut that the run has, else the one of `--shards`.
fn cut(order: &Order, run: &RunFolder, max_array_size: u32) -> anyhow::Result<Cut> {
    let submitted = Cut::submitted(run)?.map(|cut| cut.shards);
    let begun = Shards::cuts(run)?.first().map(|cut| cut.count);
    let shards = match (order.shards, submitted.or(begun)) {
        (Some(asked), Some(begun)) if asked != begun => {
            return Err(Refused::new(format!(
                "{}: this run is cut into {begun} shards already; {asked} would start it over: \
                 leave --shards out, or remove shards/ and slurm/ there first",
                run.path().display()
            ))
            .into());
        }
        // Of more shards than the plan has pieces, some would be empty.
        (asked, begun) => asked.or(begun).unwrap_or_else(|| {
            let pieces = u32::try_from(order.planned.plan.pieces()).unwrap_or(u32::MAX);
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
    let [reines, spec, results] = [order.program, spec, order.planned.results].map(text);
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
        code_version = order.planned.plan.code_version(),
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
    use crate::experiment::plan::Plan;
    use crate::experiment::spec;

    /// What `look` sees of an order of these shards in a folder of results.
    fn ordered<T>(results: &Path, shards: Option<u32>, look: impl FnOnce(Order) -> T) -> T {
        let text = "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = 4\nepsilon = 0.1\ntrials = 10_000\ncutoff = 1";
        let spec = spec::parse_without_figures("a", "a.toml", text).expect("a spec");
        let plan = Plan::new(&spec).expect("a plan");
        look(Order {
            planned: PlannedRun {
                spec: &spec,
                plan: &plan,
                results,
                rule: |_, _| true,
                command: &[],
            },
            program: Path::new("/bin/reines"),
            options: &[],
            shards,
            sbatch: &[],
        })
    }

    #[test]
    fn only_shards_that_need_a_task_are_submitted_again() {
        let results = tempfile::tempdir().expect("a folder");
        let run = ordered(results.path(), None, |order| order.planned.folder());
        let begin = |shard: u32, is_done: bool| {
            let path = run.path().join(format!("shards/{shard}-of-6"));
            fs::create_dir_all(&path).expect("writable");
            if is_done {
                fs::write(path.join("manifest.toml"), "").expect("writable");
            }
        };
        begin(0, true);
        [1, 2].iter().for_each(|shard| begin(*shard, false));
        let queue = ["12_1|RUNNING", "12_5|PENDING", "13|PENDING"];
        let queue = queue.map(|line| Task::read(line).expect("a task"));
        let propose = |shards| {
            ordered(results.path(), shards, |order| {
                propose(&order, 1001, &queue)
            })
        };
        let proposal = propose(None).expect("a proposal");
        assert_eq!(proposal.submitted, [2, 3, 4]);
        assert_eq!(proposal.tasks, "2-4");
        let merge = proposal.jobs[1].as_ref().expect("one after the new array");
        let singleton = "--dependency=singleton".to_owned();
        assert!(merge.contains(&singleton), "{merge:?}");
        let files = proposal.files;
        // Everything done or under way, and a merge waits: nothing to submit.
        [2, 3, 4].iter().for_each(|shard| begin(*shard, true));
        assert_eq!(propose(Some(6)).expect("a proposal").jobs, [None, None]);
        // Another cut would start over, be it begun or only submitted.
        assert!(propose(Some(7)).is_err());
        fs::remove_dir_all(run.path().join("shards")).expect("our own");
        assert!(propose(Some(7)).is_ok());
        let alone = lock(&run).expect("nobody has it");
        assert!(lock(&run).is_err());
        drop(alone);
        let [_, (path, text)] = files;
        fs::write(path, text).expect("writable");
        assert!(propose(Some(7)).is_err());
    }

    const HOSTILE: [&str; 9] = [
        "",
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
            let output = bash(&format!("printf %s {}", quote(text)), "", folder.path());
            assert_eq!(String::from_utf8_lossy(&output.stdout), text);
            let reines = folder.path().join(format!("program{text}"));
            fs::write(&reines, program).expect("writable");
            let executable = Command::new("chmod").arg("+x").arg(&reines).status();
            assert!(executable.is_ok_and(|it| it.success()));
            let options = ["--quick".to_owned(), text.to_owned()];
            let (script, version) = ordered(Path::new(text), None, |order| {
                let order = Order {
                    program: &reines,
                    options: &options,
                    ..order
                };
                let cut = Cut {
                    shards: 7,
                    tasks: 3,
                };
                let script = script_text(&order, Path::new(text), cut).expect("UTF-8");
                (script, order.planned.plan.code_version())
            });
            for word in ["", "merge"] {
                let output = bash(&script, word, folder.path());
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{said}");
            }
            let calls = fs::read_to_string(folder.path().join("calls")).expect("calls");
            let all = format!("<--code-version><{version}><--quick><{text}>\n");
            let shard = |i: u32| {
                format!("<run><{text}><--results><{text}><--shard><{i}/7><--threads><1>{all}")
            };
            let merge = format!("<merge><{text}><--results><{text}><--shards><7>{all}");
            assert_eq!(calls, [shard(1), shard(4), merge].concat());
            assert!(!folder.path().join("pwned").exists(), "{text:?}");
        }
    }
}
