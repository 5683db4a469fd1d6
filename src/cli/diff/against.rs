//! `reines diff --against REV`: an earlier revision, built and run here.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, bail};

use super::pair::{self, Pair, Pairs};
use super::{Args, BadInput};
use crate::experiment::store::catalog;
use crate::experiment::version::{self, Code};

/// A folder kept between calls: `worktree` with the revision checked out, `target` with its build
/// (so that only the first call builds the libraries), and the results of each commit.
const HOME: &str = "target/against";

/// The pairs of runs of every spec, A of the revision and B of the present program, and a line for
/// each spec that the revision cannot run.
///
/// # Errors
/// A revision that git does not find or cargo cannot build; a run that fails.
pub fn pairs(args: &Args, revision: &str) -> anyhow::Result<(Vec<Pair>, Vec<String>)> {
    let specs = specs(&args.names)?;
    let home = repository()?.join(HOME);
    let commit = commit_of(revision)
        .ok_or_else(|| BadInput(format!("git finds no revision {revision:?}")))?;
    let program = build(&commit, &home)?;
    eprintln!(
        "A: {revision}, {}; B: this program, reines {}",
        version(&program)?,
        version::PROGRAM
    );
    let results = home.join("results").join(&commit);
    let mut refused = Vec::new();
    for spec in &specs {
        let output = run(&program, spec, &results, args.quick)?;
        if output.status.code() == Some(2) {
            refused.push(format!(
                "{revision} cannot run {}: {}",
                spec.display(),
                String::from_utf8_lossy(&output.stderr).trim()
            ));
            continue;
        }
        let own = run(&std::env::current_exe()?, spec, &args.results, args.quick)?;
        for (output, whose) in [(&output, revision), (&own, "this program")] {
            if !output.status.success() {
                bail!(
                    "{whose} failed on {}: {}",
                    spec.display(),
                    String::from_utf8_lossy(&output.stderr).trim()
                );
            }
        }
    }
    let names: Vec<String> = specs
        .iter()
        .filter_map(|spec| Some(spec.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let (mut a, mut b) = (
        catalog::complete(&results)?,
        catalog::complete(&args.results)?,
    );
    a.retain(|run| names.contains(&run.manifest.experiment));
    b.retain(|run| {
        names.contains(&run.manifest.experiment) && run.manifest.code() == Code::Present
    });
    let Pairs { pairs, same } = pair::paired(a, b);
    refused.extend(same);
    Ok((pairs, refused))
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

fn repository() -> anyhow::Result<PathBuf> {
    let output = Command::new("git")
        .args(["rev-parse", "--show-toplevel"])
        .output()
        .context("git")?;
    if !output.status.success() {
        return Err(BadInput("--against needs a git checkout of this program".to_owned()).into());
    }
    Ok(PathBuf::from(
        String::from_utf8_lossy(&output.stdout).trim(),
    ))
}

/// Checks the commit out and builds it; the output of cargo and git goes to standard error.
fn build(commit: &str, home: &Path) -> anyhow::Result<PathBuf> {
    let (worktree, target) = (home.join("worktree"), home.join("target"));
    std::fs::create_dir_all(home).with_context(|| home.display().to_string())?;
    let mut git = Command::new("git");
    if worktree.join(".git").exists() {
        git.arg("-C")
            .arg(&worktree)
            .args(["checkout", "--quiet", "--detach", "--force", commit]);
    } else {
        git.args(["worktree", "add", "--quiet", "--detach", "--force"])
            .arg(&worktree)
            .arg(commit);
    }
    succeed(&mut git)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    succeed(
        Command::new(cargo)
            .args(["build", "--release", "--locked", "--target-dir"])
            .arg(&target)
            .current_dir(&worktree),
    )?;
    Ok(target.join("release/reines"))
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    // Standard output belongs to the comparison.
    let status = command
        .stdout(std::io::stderr())
        .status()
        .with_context(|| format!("{command:?}"))?;
    if status.success() {
        Ok(())
    } else {
        bail!("{command:?} failed: {status}")
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

fn run(program: &Path, spec: &Path, results: &Path, quick: bool) -> anyhow::Result<Output> {
    let mut command = Command::new(program);
    command
        .arg("run")
        .arg(spec)
        .arg("--quiet")
        .arg("--results")
        .arg(results);
    if quick {
        command.arg("--quick");
    }
    command
        .output()
        .with_context(|| program.display().to_string())
}
