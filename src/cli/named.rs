//! One way to name what a command is about: an experiment by its name or its spec's path; a run by
//! its folder; several runs by `latest`, `reference` or a folder of results.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use itertools::Itertools;

use super::terminal::remark;
use super::text::{counted, first_of};
use super::{Refused, output};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Spec, did_you_mean};
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::real_path;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::{RunFolder, entries};
use crate::experiment::version::Code;
use crate::report;
use crate::results::runs::{self, CompleteRun};

/// The folder in which specs are looked for by the name of their experiment.
pub const SPECS: &str = "experiments";

/// Refuses a folder that is not in these results, or is of their reference: what has its name here
/// is not what is meant.
pub fn refuse_elsewhere(words: &[PathBuf], results: &Path) -> Result<(), Refused> {
    let here = real_path(results);
    let is_elsewhere = |word: &PathBuf| {
        let is_folder = word.components().count() > 1 && word.exists() && !is_spec(word);
        let own = real_path(word);
        let within = own.strip_prefix(&here);
        is_folder && within.map_or(true, |it| it.starts_with("reference"))
    };
    let reason = format!("not in {}; expected --results FOLDER", results.display());
    match words.iter().find(|word| is_elsewhere(word)) {
        Some(word) => Err(output::refused(word, reason)),
        None => Ok(()),
    }
}

/// Refuses a folder of results that is named and not there; before the first run the usual one is
/// not.
pub fn refuse_missing(results: &Path) -> Result<(), Refused> {
    match results.is_dir() || results == Path::new("results") {
        true => Ok(()),
        false => Err(output::refused(results, "no such folder of results")),
    }
}

/// The spec of an experiment: a file, else the one of this name in `experiments/`, else the one
/// that a run has kept, the largest.
pub fn spec_of(word: &Path, results: &Path) -> anyhow::Result<Spec> {
    let kinds = report::kinds();
    let in_specs = Path::new(SPECS).join(word);
    if is_toml(word) && !word.exists() && word.components().count() == 1 && in_specs.is_file() {
        return Ok(spec::read(&in_specs, &kinds)?);
    }
    // `.` is no name.
    if is_spec(word) || word.file_name().is_none() {
        return Ok(spec::read(word, &kinds)?);
    }
    let name = experiment(word);
    if let Some(folder) = folder(word) {
        return kept_spec(&name, &folder);
    }
    let file = Path::new(SPECS).join(format!("{name}.toml"));
    // A path to nothing is no name.
    if file.is_file() && Path::new(&name).components().count() == 1 {
        return Ok(spec::read(&file, &kinds)?);
    }
    let entries = catalog::runs(results)?;
    let own = entries.iter().filter(|it| it.experiment == name);
    let size = |it: &RunFolder| it.plan().map(|plan| plan.trials());
    if let Some(run) = own.max_by_key(|it| (size(it), it.code() == Code::Present)) {
        return kept_spec(&name, run);
    }
    let mut known = with_runs(results, true)?;
    known.extend(
        spec_files(Path::new(SPECS))?
            .iter()
            .map(|it| experiment(it)),
    );
    let results = results.display();
    let what = format!("no spec and no run of this name in {SPECS} and {results}");
    Err(unknown(&name, &what, &known).into())
}

/// The spec that a run has kept; of a complete one as its manifest knows it.
pub fn kept_spec(experiment: &str, folder: &RunFolder) -> anyhow::Result<Spec> {
    let text = match folder.is_complete() {
        true => CompleteRun::at(folder.clone())?.spec_text()?,
        false => folder.spec_text()?,
    };
    let file = folder.spec_file().display().to_string();
    let kept = spec::parse(experiment, &file, &text, &report::kinds())?;
    Ok(with_present_words(kept))
}

/// The spec with the title, the place on the page and the finding that `experiments/NAME.toml` has
/// now, where that can be read: what a run has kept says what was simulated, and words that were
/// mended since are those to be read.
fn with_present_words(kept: Spec) -> Spec {
    let file = Path::new(SPECS).join(format!("{}.toml", kept.name));
    let present = file.is_file().then(|| spec::read(&file, &report::kinds()));
    match present {
        Some(Ok(present)) => Spec {
            title: present.title,
            group: present.group,
            rank: present.rank,
            finding: present.finding,
            ..kept
        },
        _ => kept,
    }
}

/// The spec files of a folder; none where there is no folder.
pub fn spec_files(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut files = entries(folder)?;
    files.retain(|path| is_toml(path));
    Ok(files)
}

fn is_toml(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("toml"))
}

/// True if a word means the file of a spec, there or not. A file of the name of a word for several
/// runs changes nothing.
pub fn is_spec(word: &Path) -> bool {
    let is_several = spec::RESERVED.iter().any(|it| word == Path::new(it));
    !is_several && (word.is_file() || is_toml(word)) && !word.ends_with("manifest.toml")
}

/// The name of the experiment that is meant: by its spec, a folder of its runs, one of them or the
/// manifest of one, else the name itself.
pub fn experiment(word: &Path) -> String {
    // A path to nothing names none, though its last part may be the name of one.
    if word.components().count() > 1 && !word.exists() {
        return word.display().to_string();
    }
    let path = match folder(word) {
        Some(folder) => real_path(&folder.path().join("..")),
        None if is_toml(word) => word.with_extension(""),
        None => word.to_owned(),
    };
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The folder of a run that is meant by itself or by the manifest in it.
pub fn folder(word: &Path) -> Option<RunFolder> {
    let folder = match word.ends_with("manifest.toml") {
        true => word.parent()?,
        false => word,
    };
    let mut own = ["spec.toml", "manifest.toml"].into_iter();
    let is_run = own.any(|it| folder.join(it).exists());
    is_run.then(|| RunFolder::at(folder))
}

/// True if a run is meant by one of the words, or if there is no word.
pub fn is_meant(words: &[PathBuf], run: &RunFolder) -> bool {
    let is = |word: &PathBuf| match folder(word) {
        Some(own) => real_path(own.path()) == real_path(run.path()),
        None => experiment(word) == run.experiment,
    };
    words.is_empty() || words.iter().any(is)
}

/// The experiments of these that are meant, sorted, each once; all where no word is given. One of
/// another name is refused, with what it lacks.
pub fn experiments(
    words: &[PathBuf],
    known: &[&str],
    lacking: &str,
) -> Result<Vec<String>, Refused> {
    let names: Vec<String> = match words {
        [] => known.iter().map(|&name| name.to_owned()).collect(),
        words => words.iter().map(|word| experiment(word)).collect(),
    };
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(unknown(name, lacking, known));
    }
    Ok(names.into_iter().sorted().dedup().collect())
}

fn unknown(name: &str, what: &str, known: &[impl AsRef<str>]) -> Refused {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).sorted().dedup().collect();
    // Of a path the last part.
    let last = name.rsplit('/').next().unwrap_or(name);
    let near = did_you_mean(last, &known);
    let known = match nearest(last, &known) {
        none if none.is_empty() => "there is none".to_owned(),
        known => format!("there are {known}"),
    };
    Refused::new(format!("{name}: {what}; {known}{near}"))
}

/// All words or, of many, the nearest to one, in the order given, and how many more there are.
fn nearest(word: &str, known: &[&str]) -> String {
    const MOST: usize = 5;
    // A longer one is no name, and the comparison is quadratic.
    let word = word.get(..64).unwrap_or(word).to_lowercase();
    let mut ranked: Vec<&str> = known.to_vec();
    let distance = |name: &&str| 1.0 - strsim::jaro_winkler(&word, name);
    ranked.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    ranked.truncate(MOST);
    ranked.sort_unstable();
    match known.len() - ranked.len() {
        0 => ranked.join(", "),
        more => format!("{} and {more} more", ranked.join(", ")),
    }
}

/// The runs that are meant, see [`meant`], the newest of each experiment where a word means
/// several; each once. Where no word is given that of each experiment.
pub fn newest(words: &[PathBuf], results: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let mut words = words.to_vec();
    if words.is_empty() {
        words.extend(with_runs(results, false)?.into_iter().map(PathBuf::from));
    }
    let mut found = Vec::new();
    for word in &words {
        found.extend(runs::latest(&meant(word, results)?));
    }
    found.sort_by_cached_key(|run| {
        (
            run.manifest.experiment.clone(),
            real_path(run.folder.path()),
        )
    });
    found.dedup_by_key(|run| real_path(run.folder.path()));
    let of_other_code = |run: &&CompleteRun| run.manifest.code() != Code::Present;
    let (all, others) = (found.len(), found.iter().filter(of_other_code).count());
    if others > 0 {
        remark!(
            "made by other code than this program: {others} of {}",
            counted(all, "run")
        );
    }
    Ok(found)
}

/// The experiments that have a complete run, or any run.
pub fn with_runs(results: &Path, any: bool) -> Result<Vec<String>, StoreError> {
    let mut entries = catalog::runs(results)?;
    entries.retain(|it| any || it.is_complete());
    let names = entries.into_iter().map(|it| it.experiment);
    Ok(names.dedup().collect())
}

/// The one run that is meant, see [`meant`].
pub fn run(word: &Path, results: &Path) -> anyhow::Result<CompleteRun> {
    let mut runs = meant(word, results)?;
    match runs.len() {
        1 => Ok(runs.swap_remove(0)),
        _ => Err(one_of(word, &runs.iter().map(path).collect::<Vec<_>>()).into()),
    }
}

fn path(run: &CompleteRun) -> PathBuf {
    run.folder.path().to_owned()
}

/// The error of a word that means several runs where one is needed.
pub fn one_of(word: &Path, runs: &[PathBuf]) -> Refused {
    let folders = runs.iter().map(|it| it.display().to_string());
    let folders = first_of(5, ", ", folders.collect());
    let reason = format!("{} runs; expected one of {folders}", runs.len());
    output::refused(word, reason)
}

/// The runs that a word means, at least one.
pub fn meant(word: &Path, results: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let found = found(word, results)?;
    match found.is_empty() {
        true => Err(no_run(word, results, "")?.into()),
        false => Ok(found),
    }
}

/// The runs that a word means, none where it means nothing: the run in a folder; that of an
/// experiment, of the plan that it has now, else of another plan, as `--only` and `--quick` make
/// them, and a line says so; else [`several`].
pub fn found(word: &Path, results: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let plan = present_plan(word, results);
    let Some(run) = of_plan(word, results, plan.as_deref())? else {
        return Ok(several(word, results)?);
    };
    if folder(word).is_none() && plan.is_some_and(|plan| plan != run.manifest.plan_hash) {
        let (folder, trials) = (run.folder.path(), counted(run.manifest.rows, "trial"));
        let (name, folder) = (experiment(word), folder.display());
        remark!("{name}: no complete run of its present plan; taken is one of {trials}, {folder}");
    }
    Ok(vec![run])
}

/// The error of a word that means no run; a command may have more words for runs.
pub fn no_run(word: &Path, results: &Path, more: &str) -> Result<Refused, StoreError> {
    let known = with_runs(results, false)?;
    let results = results.display();
    let what = format!(
        "no complete run in {results}; expected a run's folder, a folder of results, {more}\
         `latest`, `reference` or an experiment that has one"
    );
    Ok(unknown(&word.display().to_string(), &what, &known))
}

/// The complete runs of `reference`, `latest` or a folder; none for another word.
fn several(word: &Path, results: &Path) -> Result<Vec<CompleteRun>, StoreError> {
    // Without a slash at its end.
    let name: PathBuf = word.components().collect();
    match &*name.to_string_lossy() {
        "reference" => runs::complete(&results.join("reference")),
        "latest" => Ok(runs::latest(&runs::complete(results)?)),
        _ if word.is_dir() => runs::complete(word),
        _ => Ok(Vec::new()),
    }
}

/// The words, with the folder of the newest run of each experiment for one that means [`several`].
pub fn each_run(words: &[PathBuf], results: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut each = Vec::new();
    for word in words {
        let runs = match is_spec(word) || folder(word).is_some() {
            true => Vec::new(),
            false => runs::latest(&several(word, results)?),
        };
        each.extend(runs.iter().map(path));
        each.extend(runs.is_empty().then(|| word.clone()));
    }
    Ok(each)
}

/// The hash of the plan that an experiment has now. A spec with an error has none.
pub fn present_plan(word: &Path, results: &Path) -> Option<String> {
    let plan = spec_of(word, results).and_then(|spec| Ok(Plan::new(&spec)?.hash()));
    plan.ok()
}

/// The run in a folder; else that of an experiment, by [`runs::choose`], which may be named in the
/// folder of its results, and is looked for in their `reference` last. One that cannot be read may
/// be the one that is meant, unless another of the same code and plan is found.
pub fn of_plan(
    word: &Path,
    results: &Path,
    plan: Option<&str>,
) -> anyhow::Result<Option<CompleteRun>> {
    if let Some(folder) = folder(word).filter(RunFolder::is_complete) {
        return Ok(Some(CompleteRun::at(folder)?));
    }
    let name = experiment(word);
    let above = word.parent().filter(|it| !is_toml(word) && it.is_dir());
    let results = above.unwrap_or(results);
    for results in [results, &results.join("reference")] {
        let (mut runs, mut unread) = (Vec::new(), Vec::new());
        for folder in catalog::runs(results)? {
            if folder.experiment == name && folder.is_complete() {
                match CompleteRun::read(&folder) {
                    Ok(run) => runs.push(run),
                    Err(error) => unread.push((folder, error)),
                }
            }
        }
        let run = runs::choose(&name, plan, &runs);
        for (folder, error) in unread {
            let is_same = |run: &CompleteRun| {
                let it = &run.manifest;
                [&it.experiment, &it.code_version, &it.plan_hash] == folder.names()
            };
            if !run.is_some_and(is_same) {
                return Err(error.into());
            }
            remark!("warning: {name}: left out: {error}");
        }
        if run.is_some() {
            return Ok(run.cloned());
        }
    }
    Ok(None)
}
