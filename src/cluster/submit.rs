//! What to submit for the shards that need a task: a job array, and after it the run that takes the
//! shards and finishes.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, bail};

use super::{
    Cut, SCRIPT, ShardState, ShardStatus, Task, ask, folder, job_name, numbers, queue, quote,
    quoted, statuses,
};
use crate::experiment::runner::Request;
use crate::experiment::shard::ranges;
use crate::experiment::spec::Refused;
use crate::experiment::store::atomic;
use crate::experiment::store::folder::RunFolder;

/// Slurm's default of `MaxArraySize`.
const DEFAULT_MAX_ARRAY_SIZE: u32 = 1001;

/// What is to be run, and with which options of Slurm.
pub struct Order<'a> {
    pub request: Request<'a>,
    pub program: &'a Path,
    pub shards: Option<u32>,
    /// Options of sbatch for both jobs.
    pub sbatch: &'a [String],
    /// Write and submit nothing.
    pub is_dry: bool,
}

/// Submits what is missing, and says what; or says what it would do now, as a shell would do it,
/// and where Slurm does not answer, for an empty queue and the usual configuration.
pub fn submit(order: &Order) -> anyhow::Result<String> {
    let (spec, run, is_dry) = (order.request.spec, order.request.folder(), order.is_dry);
    let (name, folder, job_name) = (&spec.name, folder(&run), job_name(&spec.name, &run));
    if run.is_complete() {
        let path = run.path().display();
        return Ok(format!("{name}: complete already in {path}\n"));
    }
    // First of all: without Slurm, nothing is written.
    let size = max_array_size();
    // Two submissions at once would submit each shard twice.
    let lock = (size.is_ok() && !is_dry).then(|| RunFolder::at(&folder).lock());
    let _lock = lock.transpose().context("cannot be submitted now")?;
    let asked = size.and_then(|size| Ok((size, queue(&job_name)?)));
    let no_slurm = "no Slurm answers here (--dry-run shows what it would be asked)";
    let (silence, (size, queue)) = match asked {
        Err(error) if is_dry => (Some(error), (DEFAULT_MAX_ARRAY_SIZE, Vec::new())),
        asked => (None, asked.context(no_slurm)?),
    };
    let cut = cut(order, &run, size)?;
    let shards = statuses(&run, cut, &queue)?;
    // A copy of the spec, so that the file may change before the jobs start, and their script.
    let copy = folder.join(format!("{name}.toml"));
    // A run that is meant itself is named by its folder.
    let named = match order.request.repeat {
        Some(_) => run.path(),
        None => &copy,
    };
    let script = script(order, named, cut)?;
    let mut said = String::new();
    for (path, text) in [(&copy, &spec.text), (&folder.join(SCRIPT), &script)] {
        if is_dry {
            said += &format!("# {}\n{text}\n", quote(&path.display().to_string()));
        } else {
            atomic::write(path, text.as_bytes()).with_context(|| path.display().to_string())?;
        }
    }
    said += &if is_dry {
        let folder = quote(&folder.display().to_string());
        format!("# submitted, in this order and from there\ncd {folder}\n")
    } else {
        let done = numbers(&shards, &[ShardState::Done]).len();
        format!("{name}: {done} of {} shards done before\n", cut.shards)
    };
    let jobs = jobs(order, &job_name, cut, &shards, &queue);
    for (what, words) in &jobs {
        said += &match is_dry {
            true => format!("sbatch {}\n", quoted(words)),
            false => format!("  {what} job {}\n", sbatch(words, &folder)?),
        };
    }
    if jobs.is_empty() {
        said += if is_dry { "# " } else { "  " };
        said += "nothing: every shard is done or under way, and the run that finishes is queued\n";
    }
    if let Some(error) = silence {
        let unknown = "Slurm was not asked what is queued and how large an array may be";
        said += &format!("# {unknown}: {error:#}\n");
    }
    Ok(said)
}

/// An array of tasks for the shards that need one, and the run that finishes: what is said of each
/// job, and the arguments of sbatch.
fn jobs(
    order: &Order,
    job_name: &str,
    cut: Cut,
    shards: &[ShardStatus],
    queue: &[Task],
) -> Vec<(String, Vec<String>)> {
    let name = format!("--job-name={job_name}");
    // The user's options come last, so that they override the others.
    let words = |own: &str, last: &[&str]| -> Vec<String> {
        let common = "--parsable --open-mode=append --nodes=1 --ntasks=1 --cpus-per-task=1";
        let options = common.split(' ').chain([&*name]).chain(own.split(' '));
        let options = options.chain(order.sbatch.iter().map(String::as_str));
        let words = options.chain([SCRIPT]).chain(last.iter().copied());
        words.map(str::to_owned).collect()
    };
    let mut jobs = Vec::new();
    let needed = numbers(shards, &[ShardState::Failed, ShardState::Missing]);
    if !needed.is_empty() {
        let tasks: BTreeSet<u32> = needed.iter().map(|it| it % cut.tasks).collect();
        let tasks = ranges(&tasks.into_iter().collect::<Vec<_>>());
        let own = format!("--array={tasks} --output=array-%A_%a.out");
        let what = format!("shards {} as tasks {tasks} of", ranges(&needed));
        jobs.push((what, words(&own, &[])));
    }
    let last_waits = queue.iter().any(|(id, _)| !id.contains('_'));
    if !jobs.is_empty() || !last_waits {
        // It begins when no earlier job of the name is left.
        let own = "--dependency=singleton --output=run-%j.out";
        let what = "run, when they have ended, as".to_owned();
        jobs.push((what, words(own, &["finish"])));
    }
    jobs
}

/// The cut that the run has, else the one of `--shards`.
fn cut(order: &Order, run: &RunFolder, max_array_size: u32) -> anyhow::Result<Cut> {
    // Of more shards than the plan has pieces, some would be empty.
    let usual = order.request.plan.pieces().clamp(1, 16) as u32;
    let present = Cut::submitted(run)?.or(Cut::begun(run)?);
    // The tasks of an earlier submission keep their shards, whatever Slurm allows now.
    let cut = present.unwrap_or(Cut::of(order.shards.unwrap_or(usual)));
    if let Some(asked) = order.shards.filter(|asked| *asked != cut.shards) {
        let (path, shards) = (run.path().display(), cut.shards);
        return Err(Refused::new(format!(
            "{path}: this run is cut into {shards} shards already, and {asked} would start it over; \
             expected no --shards, or shards/ and slurm/ removed there first"
        )).into());
    }
    let tasks = cut.tasks.min(max_array_size);
    Ok(Cut { tasks, ..cut })
}

/// The script of both jobs. Every text from outside is in single quotes, and is expanded in double
/// quotes only.
fn script(order: &Order, spec: &Path, cut: Cut) -> Result<String, Refused> {
    Ok(format!(
        include_str!("job.sh"),
        shards = cut.shards,
        tasks = cut.tasks,
        reines = word(order.program)?,
        spec = word(spec)?,
        results = word(order.request.results)?,
        code_version = order.request.plan.code_version(),
    ))
}

fn word(path: &Path) -> Result<String, Refused> {
    let reason = "a batch script cannot name this path; expected one in UTF-8";
    let refused = || Refused::new(format!("{}: {reason}", path.display()));
    Ok(quote(path.to_str().ok_or_else(refused)?))
}

/// How many tasks an array may have.
fn max_array_size() -> anyhow::Result<u32> {
    let config = ask("scontrol", ["show", "config"], Path::new("."))?;
    let values = config.lines().filter_map(|line| line.split_once('='));
    let mut sizes = values.filter(|(key, _)| key.trim() == "MaxArraySize");
    match sizes.find_map(|(_, value)| value.trim().parse().ok()) {
        Some(0) => bail!("this Slurm has no job arrays: MaxArraySize is 0"),
        Some(size) => Ok(size),
        None => bail!("scontrol answered {config:?}; expected a line MaxArraySize = …"),
    }
}

/// Submits a job from `folder`, where its output goes, and returns its number.
fn sbatch(arguments: &[String], folder: &Path) -> anyhow::Result<String> {
    let arguments = arguments.iter().map(String::as_str);
    let text = ask("sbatch", arguments, folder)?;
    // `job` or `job;cluster`
    let job = text.trim().split(';').next().unwrap_or_default();
    if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
        bail!("sbatch answered {text:?}; expected the number of a job");
    }
    Ok(job.to_owned())
}
