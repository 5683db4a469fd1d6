//! Which runs a name stands for.

use std::path::Path;
use std::process::Command;

use crate::cli::BadInput;
use crate::experiment::provenance::Manifest;
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::{self, Code};

/// A complete run.
#[derive(Debug, Clone)]
pub struct ComparedRun {
    pub folder: RunFolder,
    pub manifest: Manifest,
}

/// The runs of one experiment that are held against each other.
#[derive(Debug)]
pub struct Pair {
    pub experiment: String,
    pub a: ComparedRun,
    pub b: ComparedRun,
}

impl Pair {
    /// The parts of the sources that both sides depend on and that differ; `None` where a side is
    /// from before they were kept and of another code version.
    pub fn changed(&self) -> Option<Vec<String>> {
        let (a, b) = (&self.a.manifest, &self.b.manifest);
        let are_known = !a.parts.is_empty() && !b.parts.is_empty();
        (are_known || a.code_version == b.code_version)
            .then(|| version::differing(&a.parts, &b.parts))
    }
}

/// Digits of a commit below which a name is not taken for one.
const LEAST_DIGITS: usize = 7;

/// The complete runs of a side: of a folder, a code version, a commit, `reference` or `latest`,
/// tried in this order.
///
/// # Errors
/// [`BadInput`] where there are none; damaged manifests.
pub fn named(name: &str, results: &Path) -> anyhow::Result<Vec<ComparedRun>> {
    let runs = if name == "reference" {
        complete_runs(&results.join("reference"))?
    } else if name == "latest" {
        latest(complete_runs(results)?)
    } else if RunFolder::at(name).is_complete() {
        let folder = RunFolder::at(name);
        vec![ComparedRun {
            manifest: folder.manifest()?,
            folder,
        }]
    } else if Path::new(name).is_dir() {
        complete_runs(Path::new(name))?
    } else {
        let mut all = complete_runs(results)?;
        all.extend(complete_runs(&results.join("reference"))?);
        of_code(name, all)
    };
    if runs.is_empty() {
        let results = results.display();
        let hint =
            "a run folder, a folder of results, a code version, a commit, `reference` or `latest`";
        return Err(BadInput(format!(
            "{name:?} stands for no complete run in {results}; allowed is {hint}"
        ))
        .into());
    }
    Ok(runs)
}

/// The complete runs of a results folder that this program would make alike.
///
/// # Errors
/// Damaged manifests.
pub fn of_this_program(results: &Path) -> Result<Vec<ComparedRun>, StoreError> {
    Ok(complete_runs(results)?
        .into_iter()
        .filter(|run| run.manifest.code() == Code::Present)
        .collect())
}

/// Pairs the runs of each experiment: the newest two of one plan if there are any, else the newest
/// of each side. Two single runs are a pair whatever they are called.
pub fn paired(a: Vec<ComparedRun>, b: Vec<ComparedRun>) -> Vec<Pair> {
    if let ([one], [other]) = (a.as_slice(), b.as_slice()) {
        return vec![pair(one, other)];
    }
    let mut names: Vec<&str> = a
        .iter()
        .map(|run| run.manifest.experiment.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .filter_map(|name| newest_pair(&newest_first(&a, name), &newest_first(&b, name)))
        .collect()
}

fn newest_pair(a: &[&ComparedRun], b: &[&ComparedRun]) -> Option<Pair> {
    let of_one_plan = a.iter().find_map(|run| {
        Some((
            run,
            b.iter()
                .find(|other| other.manifest.plan_hash == run.manifest.plan_hash)?,
        ))
    });
    let (a, b) = match of_one_plan {
        Some(found) => found,
        None => (a.first()?, b.first()?),
    };
    Some(pair(a, b))
}

fn pair(a: &ComparedRun, b: &ComparedRun) -> Pair {
    Pair {
        experiment: a.manifest.experiment.clone(),
        a: a.clone(),
        b: b.clone(),
    }
}

fn newest_first<'a>(runs: &'a [ComparedRun], experiment: &str) -> Vec<&'a ComparedRun> {
    let mut own: Vec<&ComparedRun> = runs
        .iter()
        .filter(|run| run.manifest.experiment == experiment)
        .collect();
    // RFC 3339 in UTC orders as text; the folder's name decides within a second.
    own.sort_by(|x, y| {
        (&y.manifest.ended, y.folder.path()).cmp(&(&x.manifest.ended, x.folder.path()))
    });
    own
}

/// Every complete run of a results folder.
///
/// # Errors
/// Damaged manifests.
pub fn complete_runs(results: &Path) -> Result<Vec<ComparedRun>, StoreError> {
    let complete = catalog::runs(results)?
        .into_iter()
        .filter(|entry| entry.folder.is_complete());
    complete
        .map(|entry| {
            Ok(ComparedRun {
                manifest: entry.folder.manifest()?,
                folder: entry.folder,
            })
        })
        .collect()
}

/// The newest run of each experiment.
fn latest(runs: Vec<ComparedRun>) -> Vec<ComparedRun> {
    let mut names: Vec<String> = runs
        .iter()
        .map(|run| run.manifest.experiment.clone())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
        .iter()
        .filter_map(|name| newest_first(&runs, name).first().map(|run| (*run).clone()))
        .collect()
}

fn of_code(name: &str, runs: Vec<ComparedRun>) -> Vec<ComparedRun> {
    let by_version = |run: &ComparedRun| run.manifest.is_of_version(name);
    if runs.iter().any(by_version) {
        return runs.into_iter().filter(by_version).collect();
    }
    let commit = commit_of(name).unwrap_or_else(|| name.to_owned());
    let is_commit =
        commit.len() >= LEAST_DIGITS && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    runs.into_iter()
        .filter(|run| is_commit && run.manifest.commit.starts_with(&commit))
        .collect()
}

/// The full commit that git knows by this name, if there is a git that does.
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
