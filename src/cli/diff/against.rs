//! `reines diff --against REV`: an earlier revision, built and run here.

mod build;

mod code;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, bail};

use self::build::Home;
use self::code::Code;
use super::pair::{self, Pair, Pairs};
use super::{Args, BadInput};
use crate::cli::terminal::say;
use crate::experiment::plan::Plan;
use crate::experiment::spec;
use crate::experiment::store::catalog::{self, CompleteRun};
use crate::experiment::version;

/// What came of it.
pub enum Against {
    /// Every plan has the same code version under both programs, so that the rows are the same.
    SameCode {
        /// The plans.
        specs: usize,
    },
    /// The pairs of runs of every other spec, A of the revision and B of the present program, and a
    /// line for each spec that the revision cannot run.
    Pairs(Vec<Pair>, Vec<String>),
}

/// Builds the revision, and runs with it and with the present program every spec whose plan has
/// another code version there, as the revision's sources say. Of what stands in its reference
/// results, run by that code, nothing is run again.
///
/// # Errors
/// A revision that git does not find or cargo cannot build; a run that fails.
pub fn against(args: &Args, revision: &str) -> anyhow::Result<Against> {
    let specs = specs(&args.names)?;
    let commit = commit_of(revision)
        .ok_or_else(|| BadInput(format!("git finds no revision {revision:?}")))?;
    let home = Home::lock()?;
    let sources = home.check_out(&commit)?;
    let (same, specs) = with_same_code(Code::of(&sources).as_ref(), specs);
    if specs.is_empty() {
        return Ok(Against::SameCode { specs: same.len() });
    }
    for spec in same {
        let spec = spec.display();
        say!("{spec}: not run, both sides have the same code version");
    }
    let kept = kept_runs(&sources)?;
    let is_kept = |spec: &PathBuf| kept.iter().any(|run| is_run_of(run, spec));
    let program = match specs.iter().all(is_kept) {
        true => None,
        false => Some(home.build(args.quick)?),
    };
    if let Some(program) = &program {
        let (a, b) = (version(program)?, version::PROGRAM);
        say!("A: {revision}, {a}; B: this program, reines {b}");
    }
    let own = std::env::current_exe()?;
    let results = home.path.join("results").join(&commit);
    let mut refused = Vec::new();
    for spec in &specs {
        let shown = spec.display();
        match program.as_ref().filter(|_| !is_kept(spec)) {
            None => say!("{shown}: A is the reference run of {revision}"),
            Some(program) => {
                let ran = run(program, spec, &results, args.quick, "A")?;
                if ran.status.code() == Some(2) {
                    let error = ran.error();
                    refused.push(format!("{revision} cannot run {shown}: {error}"));
                    continue;
                }
                ran.refuse_failure(revision, spec)?;
            }
        }
        let ran = run(&own, spec, &args.results, args.quick, "B")?;
        ran.refuse_failure("this program", spec)?;
    }
    let names: Vec<String> = specs
        .iter()
        .filter_map(|spec| Some(spec.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let (mut a, mut b) = (
        catalog::complete(&results)?,
        catalog::complete(&args.results)?,
    );
    a.extend(kept);
    a.retain(|run| names.contains(&run.manifest.experiment));
    b.retain(|run| {
        names.contains(&run.manifest.experiment) && run.manifest.code() == version::Code::Present
    });
    let Pairs { pairs, same } = pair::paired(a, b);
    refused.extend(same);
    Ok(Against::Pairs(pairs, refused))
}

/// The specs of whose plans a revision has the code of this program, and the others. A spec that is
/// none for this program is named when it is run.
fn with_same_code(code: Option<&Code>, specs: Vec<PathBuf>) -> (Vec<PathBuf>, Vec<PathBuf>) {
    specs.into_iter().partition(|spec| {
        let plan = plan(spec);
        code.zip(plan)
            .is_some_and(|(code, plan)| code.agrees_on(&plan))
    })
}

fn plan(spec: &Path) -> Option<Plan> {
    let spec = spec::read(spec, &crate::report::kinds()).ok()?;
    Plan::new(&spec).ok()
}

/// The complete runs that a revision has in its own `results/reference`, as far as its own code has
/// made them: what the program that is built of it would run again.
fn kept_runs(sources: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let Some(code) = Code::of(sources) else {
        return Ok(Vec::new());
    };
    let mut runs = catalog::complete(&sources.join("results/reference"))?;
    runs.retain(|run| code.made(&run.manifest));
    Ok(runs)
}

/// Whether it is a run of the spec's whole plan.
fn is_run_of(run: &CompleteRun, spec: &Path) -> bool {
    let name = spec.file_stem().map(|it| it.to_string_lossy());
    name.is_some_and(|name| name == run.manifest.experiment)
        && plan(spec).is_some_and(|plan| plan.hash() == run.manifest.plan_hash)
}

/// The full commit that this name has in git, if there is git and such a commit.
pub fn commit_of(revision: &str) -> Option<String> {
    let arguments = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &format!("{revision}^{{commit}}"),
    ]
    .map(str::to_owned);
    let output = Command::new("git").args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The files named, or all in `experiments/`; a bare name means its file there.
fn specs(names: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let experiments = Path::new("experiments");
    let file = |name: &String| {
        let path = PathBuf::from(name);
        if path.exists() {
            path
        } else {
            experiments.join(format!("{name}.toml"))
        }
    };
    let mut specs: Vec<PathBuf> = names.iter().map(file).collect();
    if specs.is_empty() {
        let entries = std::fs::read_dir(experiments).context("experiments")?;
        specs = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|it| it == "toml"))
            .collect();
        specs.sort();
    }
    match specs.iter().find(|spec| !spec.exists()) {
        Some(missing) => {
            Err(BadInput(format!("{}: there is no such spec", missing.display())).into())
        }
        None => Ok(specs),
    }
}

/// What `--version` prints.
fn version(program: &Path) -> anyhow::Result<String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| program.display().to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.trim().to_owned())
}

/// What a program said on standard error, and how it ended.
struct Ran {
    status: ExitStatus,
    lines: Vec<String>,
}

impl Ran {
    /// # Errors
    /// What it said last, where it did not succeed.
    fn refuse_failure(&self, whose: &str, spec: &Path) -> anyhow::Result<()> {
        if self.status.success() {
            return Ok(());
        }
        bail!("{whose} failed on {}: {}", spec.display(), self.error())
    }

    /// The last line, which says what was wrong.
    fn error(&self) -> &str {
        self.lines.last().map_or("", |line| line.trim())
    }
}

/// Runs a spec with a program. What it says of its progress is passed on, with the side before it.
fn run(
    program: &Path,
    spec: &Path,
    results: &Path,
    quick: bool,
    side: &str,
) -> anyhow::Result<Ran> {
    let mut command = Command::new(program);
    command.arg("run").arg(spec).arg("--results").arg(results);
    if quick {
        command.arg("--quick");
    }
    let named = || program.display().to_string();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(named)?;
    let mut lines = Vec::new();
    for line in child
        .stderr
        .take()
        .into_iter()
        .flat_map(|said| BufReader::new(said).lines())
    {
        let line = line.with_context(named)?;
        say!("{side}: {line}");
        lines.push(line);
    }
    let status = child.wait().with_context(named)?;
    Ok(Ran { status, lines })
}
