//! One way to name what a command is about: an experiment by its name, its spec or a run's folder;
//! of results also `latest`, `reference`, a code version or a commit.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Refused;
use super::terminal::say;
use super::text::counted;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Spec, did_you_mean};
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;
use crate::report;
use crate::results::runs::{self, CompleteRun, newest_first};

/// Where specs are looked for by the name of their experiment.
pub const SPECS: &str = "experiments";

/// The spec of an experiment: a file, else the one of this name in `experiments/`, else the one
/// that a run has kept, the largest of the present code.
pub fn spec(word: &Path, results: &Path) -> anyhow::Result<Spec> {
    let kinds = report::kinds();
    let is_spec = word.is_file() || word.extension() == Some(OsStr::new("toml"));
    // `.` is no name.
    if (is_spec && !word.ends_with("manifest.toml")) || word.file_name().is_none() {
        return Ok(spec::read(word, &kinds)?);
    }
    let name = experiment(word);
    if let Some(folder) = folder(word) {
        return Ok(kept_spec(&name, &folder, &folder.spec_text()?)?);
    }
    let file = Path::new(SPECS).join(format!("{name}.toml"));
    if file.is_file() {
        return Ok(spec::read(&file, &kinds)?);
    }
    let entries = catalog::runs(results)?;
    let own = entries.iter().filter(|it| it.experiment == name);
    let size = |it: &RunEntry| it.plan().map(|plan| plan.trials());
    match own.max_by_key(|it| (it.code() == Code::Present, size(it))) {
        Some(entry) => Ok(kept_spec(&name, &entry.folder, &entry.folder.spec_text()?)?),
        None => {
            let specs = spec_files(Path::new(SPECS)).unwrap_or_default();
            let specs: Vec<String> = specs.iter().map(|path| experiment(path)).collect();
            let results = results.display();
            let known = specs.iter().chain(entries.iter().map(|it| &it.experiment));
            let what = format!("no spec and no run of this name in {SPECS} and {results}");
            Err(unknown(&name, &what, known.map(String::as_str).collect()).into())
        }
    }
}

pub fn kept_spec(experiment: &str, folder: &RunFolder, text: &str) -> Result<Spec, Refused> {
    let file = folder.path().join("spec.toml").display().to_string();
    spec::parse(experiment, &file, text, &report::kinds())
}

/// The spec files of a folder; none where there is no folder.
pub fn spec_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?.map(|entry| Ok(entry?.path())),
    };
    let mut files = entries.collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.extension() == Some(OsStr::new("toml")));
    Ok(files)
}

/// The name of the experiment that is meant: by its spec, a folder of its runs, one of them or the
/// manifest of one, else the name itself.
pub fn experiment(word: &Path) -> String {
    let place = match folder(word) {
        Some(folder) => {
            let path = folder.path();
            let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            whole.parent().unwrap_or(&whole).to_owned()
        }
        None if word.extension() == Some(OsStr::new("toml")) => word.with_extension(""),
        None => word.to_owned(),
    };
    let name = place.file_name().unwrap_or(place.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The folder of a run that is meant by itself or by the manifest in it.
fn folder(word: &Path) -> Option<RunFolder> {
    let folder = if word.ends_with("manifest.toml") {
        word.parent()?
    } else {
        word
    };
    let mut own = ["spec.toml", "manifest.toml"].into_iter();
    let is_run = own.any(|it| folder.join(it).is_file());
    is_run.then(|| RunFolder::at(folder))
}

/// The complete run that is meant by its folder, if it is one.
pub fn own_run(word: &Path) -> Result<Option<CompleteRun>, StoreError> {
    let folder = folder(word).filter(RunFolder::is_complete);
    folder.map(CompleteRun::at).transpose()
}

/// The experiments of these that are meant, sorted, each once; all where no word is given. One of
/// another name is refused, with what it lacks.
pub fn experiments(
    words: &[PathBuf],
    known: &[&str],
    lacking: &str,
) -> Result<Vec<String>, Refused> {
    let mut names: Vec<String> = match words {
        [] => known.iter().map(|&name| name.to_owned()).collect(),
        words => words.iter().map(|word| experiment(word)).collect(),
    };
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(unknown(name, lacking, known.to_vec()));
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

fn unknown(name: &str, what: &str, mut known: Vec<&str>) -> Refused {
    known.sort_unstable();
    known.dedup();
    let near = did_you_mean(name, &known);
    let known = match known.join(", ") {
        none if none.is_empty() => "there is none".to_owned(),
        known => format!("there are {known}"),
    };
    Refused::new(format!("{name}: {what}; {known}{near}"))
}

/// The runs that are meant, by the names of their experiments, see [`run`]; where no word is given
/// that of each experiment.
pub fn newest(words: &[PathBuf], results: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let mut words = words.to_vec();
    if words.is_empty() {
        let all = runs::complete(results)?;
        words.extend(runs::experiments(&all).into_iter().map(PathBuf::from));
    }
    let found = words.iter().map(|word| run(word, results));
    let mut found = found.collect::<anyhow::Result<Vec<_>>>()?;
    found.sort_by_cached_key(|run| (run.manifest.experiment.clone(), place(run)));
    found.dedup_by_key(|run| place(run));
    Ok(found)
}

/// Where a run is, whatever it was called.
pub fn place(run: &CompleteRun) -> PathBuf {
    let path = run.folder.path();
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The run of an experiment: the newest complete one of the plan that it has now, else the newest
/// of another plan, as `--only` and `--quick` make them, and a line says so.
pub fn meant<'a>(word: &Path, results: &Path, runs: &'a [CompleteRun]) -> Option<&'a CompleteRun> {
    let name = experiment(word);
    // A spec with mistakes has no plan.
    let plan = spec(word, results).and_then(|spec| Ok(Plan::new(&spec)?.hash()));
    let plan = plan.ok();
    let run = choose(&name, plan.as_deref(), runs)?;
    if plan.is_some_and(|plan| plan != run.manifest.plan_hash) {
        let (folder, trials) = (run.folder.path(), counted(run.manifest.rows, "trial"));
        let folder = folder.display();
        say!("{name}: no complete run of its present plan; taken is one of {trials}, {folder}");
    }
    Some(run)
}

/// The newest run of this plan under the present code version; else the newest of this plan; else
/// the newest under the present code version; else the newest.
pub fn choose<'a>(
    experiment: &str,
    plan_hash: Option<&str>,
    runs: &'a [CompleteRun],
) -> Option<&'a CompleteRun> {
    let of_plan = |run: &CompleteRun| Some(run.manifest.plan_hash.as_str()) == plan_hash;
    let newest_last = newest_first(runs, experiment).into_iter().rev();
    newest_last.max_by_key(|run| (of_plan(run), run.manifest.code() == Code::Present))
}

/// The one run that is meant: the one in a folder, by the folder or the manifest in it, or that of
/// an experiment, which may be named in the folder of its results, and is looked for in their
/// `reference` last.
pub fn run(word: &Path, results: &Path) -> anyhow::Result<CompleteRun> {
    if let Some(run) = own_run(word)? {
        return Ok(run);
    }
    if let Some(run) = newest_of(word, results)? {
        return Ok(run);
    }
    let entries = catalog::runs(results)?;
    let known = entries.iter().filter(|it| it.folder.is_complete());
    let known = known.map(|it| &*it.experiment).collect();
    let what = format!("no complete run in {}", results.display());
    Err(unknown(&experiment(word), &what, known).into())
}

/// The run that an experiment means, in the results that its folder is in; one of the reference
/// where there is no other.
fn newest_of(word: &Path, results: &Path) -> anyhow::Result<Option<CompleteRun>> {
    let name = experiment(word);
    let is_spec = word.extension() == Some(OsStr::new("toml"));
    let above = word.parent().filter(|it| !is_spec && it.is_dir());
    let results = above.unwrap_or(results);
    for results in [results, &results.join("reference")] {
        let entries = catalog::runs(results)?.into_iter();
        let own = entries.filter(|it| it.experiment == name && it.folder.is_complete());
        let runs = own.map(|it| CompleteRun::read(&it));
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        if let Some(run) = meant(word, results, &runs) {
            return Ok(Some(run.clone()));
        }
    }
    Ok(None)
}

/// The complete runs that a name means: `reference`, `latest`, a run's folder, a folder of results
/// or a code version; else the newest run of an experiment; else those of a commit, for which git
/// may have other names.
pub fn side(word: &str, results: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let mut found = runs::named(word, results)?;
    if found.is_empty() {
        found.extend(newest_of(Path::new(word), results)?);
    }
    if found.is_empty() {
        let commit = commit_of(word).unwrap_or_else(|| word.to_owned());
        found = runs::of_commit(&commit, results)?;
    }
    if found.is_empty() {
        let results = results.display();
        let refused = if ["latest", "reference"].contains(&word) {
            format!("{word}: no complete run in {results} yet; `reines run` makes one")
        } else {
            format!(
                "{word:?} names no complete run in {results}; allowed is an experiment, a run's \
                 folder, a folder of results, a code version, a commit, `reference` or `latest`"
            )
        };
        return Err(Refused::new(refused).into());
    }
    Ok(found)
}

/// The full commit that this name has in git, if there is git and such a commit.
fn commit_of(name: &str) -> Option<String> {
    let name = format!("{name}^{{commit}}");
    let options = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
    let output = Command::new("git").args(options).arg(name).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::version::PROGRAM;

    #[test]
    fn the_plan_comes_before_the_code_version_and_the_code_version_before_the_time() {
        let run = |plan_hash, day: u32, is_present| {
            let mut run = CompleteRun::example("a", plan_hash, &format!("2026-01-0{day}"), day);
            if is_present {
                let (_, engine) = PROGRAM.rsplit_once('-').expect("its digits");
                run.manifest.code_version = PROGRAM.to_owned();
                run.manifest.parts = [("engine".to_owned(), engine.to_owned())].into();
            }
            run
        };
        let runs = [
            run("other", 1, true),
            run("own", 2, true),
            run("own", 3, true),
            run("other", 4, true),
            run("own", 5, false),
        ];
        let chosen = |plan_hash, runs| choose("a", plan_hash, runs).map(|run| run.repeat);
        assert_eq!(chosen(Some("own"), &runs), Some(3));
        assert_eq!(chosen(Some("third"), &runs), Some(4));
        assert_eq!(chosen(None, &runs), Some(4));
        assert_eq!(chosen(Some("third"), &runs[4..]), Some(5));
        assert_eq!(chosen(Some("own"), &runs[3..]), Some(5));
        assert_eq!(chosen(Some("own"), &[]), None);
    }
}
