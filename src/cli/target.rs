//! What an argument means: a name is looked up in `experiments`, here and in the results, a path
//! means what lies there. Here are the folder of specs, which of several meanings is taken, what no
//! argument means, and the message of a name that nothing has. Which run of an experiment is taken
//! is in `target/choice.rs`.

mod choice;

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use itertools::Itertools;

use super::exit_code::Unfinished;
use super::terminal::optional_message;
use super::text::first_of;
use super::user_files::refused;
use super::{Refused, run_command};
use crate::experiment::spec::{MAX_BYTES, RESERVED, Spec, did_you_mean};
use crate::experiment::store::atomic::{above, real_path, text_of};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::{RunFolder, entries};
use crate::experiment::store::{StoreError, catalog};
use crate::report::keys::FigureSpec;
use crate::report::parse;
use crate::solver::algorithm;

/// The folder in which specs are looked for by the name of their experiment.
pub const SPECS: &str = "experiments";

/// What is meant; a folder of results is each experiment in it.
#[derive(Debug, Clone)]
pub enum Target {
    /// The file of a spec, there or not, and the results where its runs are.
    Spec(PathBuf, PathBuf),
    /// The folder of a run.
    Run(RunFolder),
    /// An experiment by its name and the results where its runs are: no file has its spec, or that
    /// of which it is a copy with changes.
    Experiment(String, PathBuf),
}

/// What the arguments mean; without one each experiment that has a run.
pub fn targets(raws: &[PathBuf], results: &Path) -> anyhow::Result<Vec<Target>> {
    let targets = named_targets(raws, results)?.into_iter();
    Ok(targets.map(|(target, _)| target).collect())
}

/// An argument that means nothing, and why.
pub type Unknown = (String, anyhow::Error);

/// What the arguments mean that mean anything, and why the others do not, each under its name.
pub fn known_targets(
    raws: &[PathBuf],
    results: &Path,
) -> anyhow::Result<(Vec<Target>, Vec<Unknown>)> {
    if raws.is_empty() {
        return Ok((targets(raws, results)?, Vec::new()));
    }
    let mut known = Vec::new();
    let mut unknown = Vec::new();
    for raw in raws {
        match targets(std::slice::from_ref(raw), results) {
            Ok(targets) => known.extend(targets),
            Err(error) => unknown.push((raw.display().to_string(), error)),
        }
    }
    Ok((known, unknown))
}

/// What the arguments mean, and whether it was named: by itself, not with all others.
fn named_targets(raws: &[PathBuf], results: &Path) -> anyhow::Result<Vec<(Target, bool)>> {
    if raws.is_empty() {
        let names = experiments(results)?.into_iter();
        let targets = names.map(|name| (by_name(name, results), false));
        return Ok(targets.collect());
    }
    let mut all = Vec::new();
    for raw in raws {
        if let Some(target) = named(raw, results)? {
            all.push((target, true));
            continue;
        }
        if !raw.is_dir() {
            return Err(unknown(raw, results)?.into());
        }
        let names = experiments(raw)?;
        if names.is_empty() {
            return Err(refused(raw, "no run is in it; expected a folder of results").into());
        }
        let targets = names.into_iter().map(|name| of_results(name, raw));
        all.extend(targets.map(|target| (target, false)));
    }
    Ok(all)
}

/// The one thing that an argument means; none where it is a folder of results, or nothing.
fn named(raw: &Path, results: &Path) -> anyhow::Result<Option<Target>> {
    let is_manifest = raw.ends_with("manifest.toml");
    if is_manifest && raw.exists() {
        return Ok(Some(Target::Run(RunFolder::at(above(raw)))));
    }
    let text = raw.to_string_lossy();
    let is_bare = !text.contains(MAIN_SEPARATOR) && raw.file_name().is_some();
    if is_bare && let Some(target) = experiment_named(raw, results)? {
        if raw.is_dir() && (holds_run(raw) || is_experiment(raw)? || has_runs(raw)?) {
            let place = match &target {
                Target::Spec(file, _) => file.display().to_string(),
                _ => results.join(raw).display().to_string(),
            };
            optional_message!(
                "{text}: taken is the experiment of {place}; ./{text} means the folder"
            );
        }
        return Ok(Some(target));
    }

    if holds_run(raw) {
        return Ok(Some(Target::Run(RunFolder::at(raw))));
    }
    if raw.is_file() || is_toml(raw) {
        return Ok(Some(Target::Spec(raw.to_owned(), results.to_owned())));
    }
    // Without a slash at its end; `.` and `..` by their names.
    let folder: PathBuf = match raw.file_name() {
        Some(_) => raw.components().collect(),
        None => real_path(raw),
    };
    if is_experiment(&folder)? {
        return Ok(Some(of_results(last_of(&folder), above(&folder))));
    }
    let is_name = folder.components().count() == 1 && folder.file_name().is_some();
    if is_name && !raw.is_dir() {
        return experiment_named(&folder, results);
    }
    Ok(None)
}

/// The experiment of this name: that of a spec here, or that of runs in the results.
fn experiment_named(name: &Path, results: &Path) -> anyhow::Result<Option<Target>> {
    let spec = |file| Some(Target::Spec(file, results.to_owned()));
    if is_toml(name) {
        let files = [name.to_owned(), Path::new(SPECS).join(name)];
        let file = files.into_iter().find(|file| file.is_file());
        return Ok(file.and_then(spec));
    }
    let name_text = name.to_string_lossy();
    if let Some(file) = spec_in(Path::new(""), &name_text) {
        return Ok(spec(file));
    }
    let has_runs = is_experiment(&results.join(name))?;
    Ok(has_runs.then(|| of_results(name_text.into(), results)))
}

/// The experiment of this name, which has runs in the results.
pub fn by_name(name: String, results: &Path) -> Target {
    match spec_in(Path::new(""), &name) {
        Some(file) => Target::Spec(file, results.to_owned()),
        None => of_results(name, results),
    }
}

/// The experiment of this name in a folder of results: its spec stands in the folder that holds
/// these results.
pub fn of_results(name: String, results: &Path) -> Target {
    match spec_in(&holder(results), &name) {
        Some(file) => Target::Spec(file, results.to_owned()),
        None => Target::Experiment(name, results.to_owned()),
    }
}

/// The file of the spec of this name that belongs to a folder: in its folder of specs, else in
/// itself.
fn spec_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let file = format!("{name}.toml");
    let files = [folder.join(SPECS).join(&file), folder.join(&file)];
    files.into_iter().find(|file| file.is_file())
}

/// The folder that holds a folder of results; the present one has no name.
fn holder(results: &Path) -> PathBuf {
    match results.file_name() {
        Some(_) => results.parent().unwrap_or(Path::new("")).to_owned(),
        None => results.join(".."),
    }
}

/// True if a folder is that of a run, complete or not.
fn holds_run(folder: &Path) -> bool {
    let kept = ["spec.toml", "manifest.toml"];
    kept.iter().any(|name| folder.join(name).exists())
}

/// True if there are runs in the folders of a folder.
fn has_runs(folder: &Path) -> Result<bool, StoreError> {
    Ok(!catalog::runs(folder)?.is_empty())
}

/// True if a folder is that of an experiment: with runs of its own, or with others' that were
/// moved there. A run that was copied into a folder of results makes no experiment of it.
fn is_experiment(folder: &Path) -> Result<bool, StoreError> {
    let results = above(folder).to_owned();
    let runs = Target::Experiment(last_of(folder), results).folders()?;
    let has_own = runs.iter().any(|run| moved(run).is_none());
    Ok(has_own || !runs.is_empty() && !has_runs(folder)?)
}

impl Target {
    /// The name of the experiment.
    pub fn name(&self) -> String {
        match self {
            Self::Spec(file, _) if is_toml(file) => last_of(&file.with_extension("")),
            Self::Spec(file, _) => last_of(file),
            // A copy may lie anywhere.
            Self::Run(run) => {
                let folder = |_| last_of(&real_path(&run.path().join("..")));
                run.manifest()
                    .map_or_else(folder, |manifest| manifest.experiment)
            }
            Self::Experiment(name, _) => name.clone(),
        }
    }

    /// The folders of its runs, complete or not, those of the reference last.
    pub fn folders(&self) -> Result<Vec<RunFolder>, StoreError> {
        let results = match self {
            Self::Run(run) => return Ok(vec![run.clone()]),
            Self::Spec(_, results) | Self::Experiment(_, results) => results,
        };
        let mut runs = catalog::runs_of(results, &self.name())?;
        runs.extend(catalog::runs_of(&results.join(RESERVED), &self.name())?);
        Ok(runs)
    }
}

/// The complete runs that are meant, each once, and the names of conditions by which points of them
/// may be selected.
pub struct MeantRuns {
    pub all: Vec<CompleteRun>,
    /// Each with its condition, as the present specs have them.
    pub names: Vec<(String, String)>,
}

/// The complete runs that are meant: one for each experiment. One that was not named is left out
/// where its spec has an error, and a line says so.
pub fn runs(raws: &[PathBuf], results: &Path) -> anyhow::Result<MeantRuns> {
    let mut all = Vec::new();
    let mut names = Vec::new();
    for (target, is_named) in named_targets(raws, results)? {
        let run = match target.run_as(is_named) {
            Err(error) if !is_named && error.is::<Refused>() => {
                optional_message!(
                    "warning: {error}; the experiment {} is left out",
                    target.name()
                );
                continue;
            }
            run => run?,
        };
        let Some(run) = run else {
            if raws.is_empty() {
                continue;
            }
            let name = target.name();
            let command = run_command(results, &name);
            let reason = format!("{name}: no complete run; `{command}` makes one");
            return Err(Unfinished(reason).into());
        };
        names.extend(target.condition_names(&run));
        all.push(run);
    }
    let path = |run: &CompleteRun| real_path(run.folder.path());
    let all = all.into_iter().unique_by(path).collect();
    let names = names.into_iter().unique().collect();
    Ok(MeantRuns { all, names })
}

/// The experiments that have runs in a folder of results, sorted.
pub fn experiments(results: &Path) -> anyhow::Result<Vec<String>> {
    if !results.is_dir() && results != Path::new("results") {
        return Err(refused(results, "no such folder of results").into());
    }
    let runs = catalog::runs(results)?;
    let has_spec = |run: &&RunFolder| {
        let target = by_name(run.experiment.clone(), results);
        matches!(target, Target::Spec(..))
    };
    let has_own = runs.iter().any(|run| moved(run).is_none());
    // Where all were made under other names, each is what there is.
    let runs_of_experiments = runs
        .iter()
        .filter(|run| !has_own || moved(run).is_none() || has_spec(run));
    let names = runs_of_experiments.map(|run| run.experiment.clone());
    let names: Vec<String> = names.dedup().collect();
    let others = runs.iter().filter(|run| !names.contains(&run.experiment));
    for run in others.chain(&catalog::runs_of(results, "")?) {
        if let Some(error) = moved(run) {
            optional_message!("warning: {error}");
        }
    }
    Ok(names)
}

/// What is to be said of a run that was made under the name of another experiment, or of another
/// run, and was copied or moved to where it is.
fn moved(run: &RunFolder) -> Option<StoreError> {
    run.refuse_moved(&run.manifest().ok()?).err()
}

/// The figures of a spec; of one that a run has kept those that can be read.
pub fn figures(spec: &Spec) -> Result<Vec<FigureSpec>, Refused> {
    if !spec.is_kept {
        return parse::read(spec);
    }
    let (figures, unread): (_, Vec<Refused>) =
        parse::read_each(spec)?.into_iter().partition_result();
    for error in unread {
        optional_message!("{error}; the figure is left out");
    }
    Ok(figures)
}

/// The spec files that there are; none without their folder.
pub fn spec_files() -> Result<Vec<PathBuf>, StoreError> {
    let mut files = entries(Path::new(SPECS))?;
    files.retain(|path| is_toml(path));
    Ok(files)
}

/// The files of the present folder that are specs: other tools keep files of this ending there.
pub fn specs_here() -> Result<Vec<PathBuf>, StoreError> {
    let has_sweep = |path: &PathBuf| {
        let text = text_of(path, MAX_BYTES).unwrap_or_default();
        text.lines()
            .any(|line| line.trim_start().starts_with("[[sweep]]"))
    };
    let mut files = entries(Path::new("."))?;
    files.retain(|path| is_toml(path) && has_sweep(path));
    let name = |path: PathBuf| PathBuf::from(last_of(&path));
    Ok(files.into_iter().map(name).sorted().collect())
}

/// True for the name of a spec file, which is not one that an editor or a file system has hidden.
fn is_toml(path: &Path) -> bool {
    let is_hidden = ["._", ".#"]
        .iter()
        .any(|beginning| last_of(path).starts_with(beginning));
    path.extension()
        .is_some_and(|extension| extension == "toml")
        && !is_hidden
}

pub fn last_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into()
}

fn unknown(raw: &Path, results: &Path) -> anyhow::Result<Refused> {
    let stem = |path: PathBuf| last_of(&path.with_extension(""));
    let specs = spec_files()?.into_iter().map(stem);
    let known = specs.chain(experiments(results)?).sorted().dedup();
    let known: Vec<String> = known.collect();
    let names: Vec<&str> = known.iter().map(|name| &**name).collect();
    let name = last_of(raw);
    let hint = if algorithm(&name).is_some() {
        format!("; {name} is an algorithm, which a spec names: see `reines list algorithms`")
    } else {
        did_you_mean(&name, &names)
    };
    let there = if known.is_empty() {
        "none".to_owned()
    } else {
        first_of(5, ", ", known)
    };
    let results = results.display();
    let what = "no spec and no run of this name in";
    let reason = format!("{what} {SPECS} and {results}; there are {there}{hint}");
    Ok(refused(raw, reason))
}
