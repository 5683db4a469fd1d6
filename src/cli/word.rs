//! What an argument means: a name is looked up in `experiments`, here and in the results, a path
//! means what lies there.

use std::path::{Path, PathBuf};

use itertools::Itertools;

use super::output::refused;
use super::terminal::remark;
use super::text::{counted, first_of};
use super::{Refused, Unfinished, run_command};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, RESERVED, Spec, did_you_mean};
use crate::experiment::store::atomic::{above, real_path};
use crate::experiment::store::folder::{RunFolder, entries};
use crate::experiment::store::{StoreError, catalog};
use crate::experiment::version::Code;
use crate::report::figure::Figure;
use crate::report::parse;
use crate::results::runs::{self, CompleteRun};

/// The folder in which specs are looked for by the name of their experiment.
pub const SPECS: &str = "experiments";

/// What is meant; a folder of results is each experiment in it.
#[derive(Debug, Clone)]
pub enum Word {
    /// The file of a spec, there or not, and the results where its runs are.
    Spec(PathBuf, PathBuf),
    /// The folder of a run.
    Run(RunFolder),
    /// An experiment by its name and the results where its runs are: its spec is what they have
    /// kept.
    Experiment(String, PathBuf),
}

/// What the arguments mean; without one each experiment that has a run.
pub fn words(raws: &[PathBuf], results: &Path) -> anyhow::Result<Vec<Word>> {
    let mut raws = raws.to_vec();
    if raws.is_empty() {
        raws.extend(experiments(results)?.into_iter().map(PathBuf::from));
    }
    let words = raws.iter().map(|raw| meant(raw, results));
    words.flatten_ok().collect()
}

/// An argument that means nothing, and why.
pub type Unknown = (String, anyhow::Error);

/// What the arguments mean that mean anything, and why the others do not, each under its name.
pub fn known_words(raws: &[PathBuf], results: &Path) -> anyhow::Result<(Vec<Word>, Vec<Unknown>)> {
    if raws.is_empty() {
        return Ok((words(raws, results)?, Vec::new()));
    }
    let mut known = Vec::new();
    let mut unknown = Vec::new();
    for raw in raws {
        match meant(raw, results) {
            Ok(words) => known.extend(words),
            Err(error) => unknown.push((raw.display().to_string(), error)),
        }
    }
    Ok((known, unknown))
}

fn meant(raw: &Path, results: &Path) -> anyhow::Result<Vec<Word>> {
    let is_manifest = raw.ends_with("manifest.toml");
    let run = if is_manifest { above(raw) } else { raw };
    let mut kept = ["spec.toml", "manifest.toml"].iter();
    if kept.any(|it| run.join(it).exists()) {
        return Ok(vec![Word::Run(RunFolder::at(run))]);
    }
    // Without a slash at its end.
    let plain: PathBuf = raw.components().collect();
    let (mut files, mut folders) = (vec![raw.to_owned()], vec![plain.clone()]);
    if plain.components().count() == 1 {
        let (specs, stem) = (Path::new(SPECS), format!("{}.toml", plain.display()));
        files.extend([specs.join(raw), specs.join(&stem), stem.into()]);
        folders.insert(0, results.join(&plain));
    }
    let file = files.into_iter().find(|it| it.is_file());
    if let Some(file) = file.or_else(|| is_toml(raw).then(|| raw.to_owned())) {
        return Ok(vec![Word::Spec(file, results.to_owned())]);
    }
    for folder in folders {
        let experiment = Word::Experiment(last_of(&folder), above(&folder).to_owned());
        let runs = experiment.folders()?;
        // A run that was copied into a folder of results makes no experiment of it.
        let is_own = |run: &RunFolder| foreign(run).is_none();
        let are_strays = || Ok::<_, StoreError>(!catalog::runs(&folder)?.is_empty());
        if runs.iter().any(is_own) || !runs.is_empty() && !are_strays()? {
            return Ok(vec![experiment]);
        }
    }
    if !raw.is_dir() {
        return Err(unknown(raw, results)?.into());
    }
    let names = experiments(raw)?;
    if names.is_empty() {
        return Err(refused(raw, "no run is in it; expected a folder of results").into());
    }
    let of = |name| Word::Experiment(name, raw.to_owned());
    Ok(names.into_iter().map(of).collect())
}

impl Word {
    /// The name of the experiment.
    pub fn name(&self) -> String {
        match self {
            Self::Spec(file, _) if is_toml(file) => last_of(&file.with_extension("")),
            Self::Spec(file, _) => last_of(file),
            // A copy may lie anywhere.
            Self::Run(run) => {
                let folder = |_| last_of(&real_path(&run.path().join("..")));
                run.manifest().map_or_else(folder, |it| it.experiment)
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

    /// The run whose spec is meant where there is no file: the largest, since `--only` and
    /// `--quick` make smaller ones.
    fn kept(&self) -> Result<RunFolder, StoreError> {
        let trials = |run: &RunFolder| run.plan().map(|plan| plan.trials());
        let runs = self.folders()?.into_iter();
        let run = runs.max_by_key(|run| (trials(run), run.code() == Code::Present));
        Ok(run.expect("it is meant by its runs"))
    }

    /// The spec that is meant.
    pub fn spec(&self) -> anyhow::Result<Spec> {
        if let Self::Spec(file, _) = self {
            return Ok(spec::read(file)?);
        }
        let run = self.kept()?;
        let text = if run.is_complete() {
            CompleteRun::at(run.clone())?.spec_text()?
        } else {
            run.spec_text()?
        };
        let file = run.spec_file().display().to_string();
        Ok(spec::parse_shown(&self.name(), &file, &text)?)
    }

    /// Refuses a kept spec of which this program does not make the run's plan.
    pub fn refuse_lost_plan(&self, spec: &Spec) -> anyhow::Result<()> {
        let run = self.kept()?;
        if run.is_complete() {
            CompleteRun::at(run)?.plan()?;
        } else if Plan::new(spec)?.hash() != run.plan_hash {
            let reason = format!("this program makes no plan {} of it", run.plan_hash);
            return Err(Refused::of_file(&spec.file, reason).into());
        }
        Ok(())
    }

    /// The hash of the plan that is meant; none of a spec with an error.
    pub fn plan_hash(&self) -> Result<Option<String>, StoreError> {
        if let Self::Spec(..) = self {
            let plan = self.spec().and_then(|spec| Ok(Plan::new(&spec)?));
            return Ok(plan.ok().map(|plan| plan.hash()));
        }
        let run = self.kept()?;
        let manifest = run.manifest().ok();
        Ok(Some(manifest.map_or(run.plan_hash, |it| it.plan_hash)))
    }

    /// The complete run that every command takes, by [`runs::choose`]: one of the reference where
    /// there is no other. A line says so if it is not of the present plan.
    pub fn run(&self) -> anyhow::Result<Option<CompleteRun>> {
        self.run_of(self.plan_hash()?)
    }

    /// The same where the plan of this hash is meant.
    pub fn run_of(&self, plan: Option<String>) -> anyhow::Result<Option<CompleteRun>> {
        let mut complete = self.folders()?;
        complete.retain(RunFolder::is_complete);
        if let Self::Run(_) = self {
            return Ok(complete.pop().map(CompleteRun::at).transpose()?);
        }
        let is_own = |run: &RunFolder| last_of(above(above(run.path()))) != RESERVED;
        if complete.iter().any(is_own) {
            complete.retain(is_own);
        }
        let mut runs = Vec::new();
        for run in complete {
            match CompleteRun::read(&run) {
                Err(error @ StoreError::Foreign { .. }) => remark!("warning: {error}"),
                run => runs.push(run?),
            }
        }
        let name = self.name();
        let run = runs::choose(plan.as_deref(), &runs);
        if let (Some(run), Some(plan)) = (run, plan)
            && run.manifest.plan_hash != plan
        {
            let (folder, trials) = (run.folder.path(), counted(run.manifest.rows, "trial"));
            let words = format!("taken is one of {trials}, {}", folder.display());
            remark!("{name}: no complete run of its present plan; {words}");
        }
        Ok(run.cloned())
    }
}

/// The complete runs that are meant, each once: one for each experiment.
pub fn runs(raws: &[PathBuf], results: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let mut runs = Vec::new();
    for word in words(raws, results)? {
        let run = word.run()?;
        if run.is_none() && !raws.is_empty() {
            let name = word.name();
            let command = run_command(results, &name);
            let reason = format!("{name}: no complete run; `{command}` makes one");
            return Err(Unfinished(reason).into());
        }
        runs.extend(run);
    }
    let path = |run: &CompleteRun| real_path(run.folder.path());
    Ok(runs.into_iter().unique_by(path).collect())
}

/// The experiments that have runs in a folder of results, sorted.
pub fn experiments(results: &Path) -> anyhow::Result<Vec<String>> {
    if !results.is_dir() && results != Path::new("results") {
        return Err(refused(results, "no such folder of results").into());
    }
    let runs = catalog::runs(results)?;
    // Where all are others' they are not left aside, but told of one by one.
    let has_own = runs.iter().any(|it| foreign(it).is_none());
    let own = runs.iter().filter(|it| !has_own || foreign(it).is_none());
    let names: Vec<String> = own.map(|it| it.experiment.clone()).dedup().collect();
    let others = runs.iter().filter(|it| !names.contains(&it.experiment));
    for run in others.chain(&catalog::runs_of(results, "")?) {
        if let Some(error) = foreign(run) {
            remark!("warning: {error}");
        }
    }
    Ok(names)
}

/// Why a run is ignored, if it is another's that was copied or moved to where it is.
fn foreign(run: &RunFolder) -> Option<StoreError> {
    run.refuse_foreign(&run.manifest().ok()?).err()
}

/// The figures of a spec; of one that a run has kept those that can be read.
pub fn figures(spec: &Spec) -> Result<Vec<Figure>, Refused> {
    if !spec.is_kept {
        return parse::read(spec);
    }
    let (figures, unread): (_, Vec<Refused>) =
        parse::read_each(spec)?.into_iter().partition_result();
    for error in unread {
        remark!("{error}; the figure is left out");
    }
    Ok(figures)
}

/// The spec files that there are; none without their folder.
pub fn spec_files() -> Result<Vec<PathBuf>, StoreError> {
    let mut files = entries(Path::new(SPECS))?;
    files.retain(|path| is_toml(path));
    Ok(files)
}

/// True for the name of a spec file, which is not one that an editor or a file system has hidden.
fn is_toml(path: &Path) -> bool {
    let is_hidden = ["._", ".#"].iter().any(|it| last_of(path).starts_with(it));
    path.extension().is_some_and(|it| it == "toml") && !is_hidden
}

fn last_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into()
}

fn unknown(raw: &Path, results: &Path) -> anyhow::Result<Refused> {
    let stem = |it: PathBuf| last_of(&it.with_extension(""));
    let specs = spec_files()?.into_iter().map(stem);
    let known = specs.chain(experiments(results)?).sorted().dedup();
    let known: Vec<String> = known.collect();
    let names: Vec<&str> = known.iter().map(|it| &**it).collect();
    let near = did_you_mean(&last_of(raw), &names);
    let there = if known.is_empty() {
        "none".to_owned()
    } else {
        first_of(5, ", ", known)
    };
    let (results, what) = (results.display(), "no spec and no run of this name in");
    let reason = format!("{what} {SPECS} and {results}; there are {there}{near}");
    Ok(refused(raw, reason))
}
