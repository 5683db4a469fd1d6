//! Which spec and which run of an experiment are meant: by the rule of docs/data.md, which all
//! commands share. Here are the lines that say so where no run is of the present plan, and the
//! warnings of runs that cannot be read; the rule itself is in `results/runs.rs`.

use std::path::{Path, PathBuf};

use super::{SPECS, Target, holder, last_of, of_results};
use crate::cli::terminal::optional_message;
use crate::cli::text::counted;
use crate::cli::{Refused, target};
use crate::experiment::code_version::Code;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, RESERVED, Spec};
use crate::experiment::store::atomic::above;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::{RunFolder, entries};
use crate::experiment::store::{StoreError, catalog};
use crate::results::runs::{self, Reason};

impl Target {
    /// The spec as it stands now: that of the file, or of an experiment that `-s` has made, that of
    /// the unchanged experiment's file under its changes. None of a run's folder, and where there
    /// is no such file.
    pub fn present(&self) -> anyhow::Result<Option<Spec>> {
        match self {
            Self::Spec(file, _) => Ok(Some(spec::read(file)?)),
            Self::Run(_) => Ok(None),
            Self::Experiment(name, results) => match self.kept() {
                Ok(Some(run)) => changed(name, results, &run),
                _ => Ok(None),
            },
        }
    }

    /// The present spec of the experiment of a run that is named by its folder, or is in a folder
    /// of the reference: that which stands beside the results, under the changes of `-s` that the
    /// run has kept; none where there is no such file.
    pub fn present_beside(&self) -> anyhow::Result<Option<Spec>> {
        let run = self.kept_run()?;
        let mut results = above(above(run.path()));
        if last_of(results) == RESERVED {
            results = above(results);
        }
        match of_results(self.name(), results) {
            Self::Spec(file, _) => Ok(Some(spec::read(&file)?)),
            _ => changed(&self.name(), results, &run),
        }
    }

    /// The spec that is meant: the present one, else that which the run has kept.
    pub fn spec(&self) -> anyhow::Result<Spec> {
        if let Some(spec) = self.present()? {
            return Ok(spec);
        }
        let run = self.kept_run()?;
        let text = if run.is_complete() {
            CompleteRun::at(run.clone())?.spec_text()?
        } else {
            run.spec_text()?
        };
        let file = run.spec_file().display().to_string();
        Ok(spec::parse_shown(&self.name(), &file, &text)?)
    }

    /// The plan of the present spec; where a complete run of it stands, its word is taken.
    pub fn plan(&self, spec: &Spec) -> Result<Plan, spec::Refused> {
        match self {
            Self::Spec(_, results) | Self::Experiment(_, results) => Plan::among(spec, results),
            Self::Run(_) => Plan::new(spec),
        }
    }

    /// Refuses a kept spec of which this program does not make the run's plan.
    pub fn refuse_lost_plan(&self, spec: &Spec) -> anyhow::Result<()> {
        let run = self.kept_run()?;
        if run.is_complete() {
            CompleteRun::at(run)?.plan()?;
        } else if self.plan(spec)?.hash() != run.plan_hash {
            let reason = format!("this program makes no plan {} of it", run.plan_hash);
            return Err(Refused::of_file(&spec.file, reason).into());
        }
        Ok(())
    }

    /// The hash of the plan that is meant; none of a spec with an error.
    pub fn plan_hash(&self) -> Result<Option<String>, StoreError> {
        match self.present() {
            Err(_) => return Ok(None),
            Ok(Some(spec)) => return Ok(self.plan(&spec).ok().map(|plan| plan.hash())),
            Ok(None) => {}
        }
        let run = self.kept()?;
        let hash = run.map(|run| {
            let manifest = run.manifest().ok();
            manifest.map_or(run.plan_hash, |manifest| manifest.plan_hash)
        });
        Ok(hash)
    }

    /// The names of the conditions of a run's points: those of the present spec, by what they stand
    /// for, or where none stands those that the run has kept.
    pub fn condition_names(&self, run: &CompleteRun) -> Vec<(String, String)> {
        let present = self.present().ok().flatten();
        let spec = present.or_else(|| run.plan().ok().map(|(spec, _)| spec));
        let names = spec.iter().flat_map(|spec| spec.condition_names());
        names.cloned().collect()
    }

    /// The complete run that every command takes, by [`runs::choose`]: one of the reference where
    /// there is no other. A line says which it is if it is not of the present plan and there are
    /// others. A damaged run that is not the one meant is left alone, and a line says so.
    ///
    /// # Errors
    /// A present spec that is refused, or one of its figures; the run that is meant is damaged.
    pub fn run(&self) -> anyhow::Result<Option<CompleteRun>> {
        self.run_as(true)
    }

    /// The same; if the experiment was not named by itself, no line says that the only run there is
    /// is not of the present plan, as in a folder of other results.
    pub(super) fn run_as(&self, is_named: bool) -> anyhow::Result<Option<CompleteRun>> {
        if let Self::Run(_) = self {
            return self.run_of(None);
        }
        let present = self.present()?;
        if let Some(spec) = &present {
            target::figures(spec)?;
        }
        let plan = present.as_ref().map(|spec| self.plan(spec)).transpose()?;
        let wanted = plan.map(|plan| Wanted::of(&plan, plan.hash()));
        self.run_meant(wanted.as_ref(), is_named)
    }

    /// The same where this plan of the present spec is meant, as that of a quick run, and its hash;
    /// none where there is no present spec.
    pub fn run_of(&self, plan: Option<(&Plan, &str)>) -> anyhow::Result<Option<CompleteRun>> {
        if let Self::Run(folder) = self {
            let run = folder
                .is_complete()
                .then(|| CompleteRun::at(folder.clone()));
            return Ok(run.transpose()?);
        }
        let wanted = plan.map(|(plan, hash)| Wanted::of(plan, hash.to_owned()));
        self.run_meant(wanted.as_ref(), true)
    }

    fn run_meant(
        &self,
        wanted: Option<&Wanted>,
        is_named: bool,
    ) -> anyhow::Result<Option<CompleteRun>> {
        let found = self.complete_runs()?;
        let linked = self.linked(&found);
        let hash = wanted.map(|wanted| &*wanted.plan_hash);
        let chosen = runs::choose(hash, linked.as_deref(), &found.sound);
        let reason = chosen.map(|(_, reason)| reason);
        warn_of_broken(found.broken, wanted, linked.as_ref(), reason)?;
        let Some((run, reason)) = chosen else {
            return Ok(None);
        };
        let complete = found.sound.len();
        if is_named || complete > 1 {
            self.tell(run, reason, complete, wanted.is_some());
        }

        let mut run = run.clone();
        // Under the name by which it is found: an experiment may be renamed with its runs.
        run.manifest.experiment = self.name();
        Ok(Some(run))
    }

    /// Says which run is taken, of so many, where none is of the present plan.
    fn tell(&self, run: &CompleteRun, reason: Reason, complete: usize, has_plan: bool) {
        let why = match reason {
            Reason::Plan => return,
            _ if complete == 1 => "",
            Reason::Link => ", to which the link beside it leads",
            Reason::NewestWhole => ", the newest of a whole plan",
            Reason::Newest => ", the newest",
        };
        let name = self.name();
        let trials = counted(run.manifest.rows, "trial");
        let taken = format!(
            "taken is one of {trials}, {}{why}",
            run.folder.path().display()
        );
        if has_plan {
            optional_message!("{name}: no complete run of its present plan; {taken}");
        } else if complete > 1 {
            optional_message!("{name}: no spec of this name; of {complete} complete runs {taken}");
        }
    }

    /// The complete runs that can be read, and those that cannot; those of the reference where
    /// there are no others.
    fn complete_runs(&self) -> Result<FoundRuns, StoreError> {
        let mut folders = self.folders()?;
        folders.retain(RunFolder::is_complete);
        if folders.iter().any(is_own) {
            folders.retain(is_own);
        }
        let mut found = FoundRuns::default();
        for folder in folders {
            match CompleteRun::read(&folder) {
                Ok(run) => found.sound.push(run),
                Err(error) => found.broken.push((folder, error)),
            }
        }
        Ok(found)
    }

    /// The name of the run's folder to which the link beside the runs leads.
    fn linked(&self, found: &FoundRuns) -> Option<String> {
        let sound = found.sound.iter().map(|run| &run.folder);
        let broken = found.broken.iter().map(|(folder, _)| folder);
        let any = sound.chain(broken).next()?;
        catalog::linked(above(above(any.path())), &self.name())
    }

    /// The run whose spec is meant where there is no present one: the complete one that is meant;
    /// else of those that are not complete one of a whole plan, of the present code.
    fn kept(&self) -> Result<Option<RunFolder>, StoreError> {
        if let Self::Run(run) = self {
            return Ok(Some(run.clone()));
        }
        let found = self.complete_runs()?;
        let linked = self.linked(&found);
        if let Some((run, _)) = runs::choose(None, linked.as_deref(), &found.sound) {
            return Ok(Some(run.folder.clone()));
        }
        let trials = |run: &RunFolder| run.plan().map(|plan| plan.trials());
        let folders = self.folders()?.into_iter();
        let order = |run: &RunFolder| (trials(run), run.code() == Code::Present);
        Ok(folders.max_by_key(order))
    }

    fn kept_run(&self) -> anyhow::Result<RunFolder> {
        let run = self.kept()?;
        run.ok_or_else(|| Refused::new(format!("{}: no run has its spec", self.name())).into())
    }
}

/// The run that is wanted: by its plan and this program's code.
struct Wanted {
    plan_hash: String,
    code_version: String,
}

impl Wanted {
    /// The run of the plan of this hash, which has the algorithms of the present one.
    fn of(present: &Plan, plan_hash: String) -> Self {
        let code_version = present.code_version();
        Self {
            plan_hash,
            code_version,
        }
    }
}

/// The complete runs of an experiment.
#[derive(Default)]
struct FoundRuns {
    sound: Vec<CompleteRun>,
    /// Those that cannot be read, each with the reason.
    broken: Vec<(RunFolder, StoreError)>,
}

/// Warns of the runs that cannot be read.
///
/// # Errors
/// One of them is the one that is meant: where another is chosen, by its plan and code, or by the
/// link unless the chosen one is of the wanted plan.
fn warn_of_broken(
    broken: Vec<(RunFolder, StoreError)>,
    wanted: Option<&Wanted>,
    linked: Option<&String>,
    chosen: Option<Reason>,
) -> Result<(), StoreError> {
    for (folder, error) in broken {
        let is_other = matches!(error, StoreError::Foreign { .. });
        let is_wanted = wanted.is_some_and(|wanted| {
            folder.plan_hash == wanted.plan_hash && folder.code_version == wanted.code_version
        });
        let is_linked = linked == Some(&folder.name());
        let is_meant = match chosen {
            _ if is_other => false,
            None => true,
            Some(Reason::Plan) => is_wanted,
            Some(_) => is_wanted || is_linked,
        };
        if is_meant {
            return Err(error);
        }
        let left = if is_other {
            ""
        } else {
            "; the run is left alone"
        };
        optional_message!("warning: {error}{left}");
    }
    Ok(())
}

/// True if a run is not one of the reference.
fn is_own(run: &RunFolder) -> bool {
    last_of(above(above(run.path()))) != RESERVED
}

/// The present spec of an experiment that `-s` has made of another one, whose file stands here or
/// beside the results, under the changes that a run of it has kept.
fn changed(name: &str, results: &Path, run: &RunFolder) -> anyhow::Result<Option<Spec>> {
    let Ok(text) = run.spec_text() else {
        return Ok(None);
    };
    let file = run.spec_file().display().to_string();
    let Ok(kept) = spec::parse_shown(name, &file, &text) else {
        return Ok(None);
    };
    if kept.changes.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    for file in files_beside(results)? {
        let base = last_of(&file.with_extension(""));
        if kept.changed_name(&base) == name {
            let spec = spec::read(&file)?.with_changes_of(&kept)?;
            return Ok(Some(spec));
        }
    }
    Ok(None)
}

/// The files that may be specs of experiments in these results, those of the present folder first.
fn files_beside(results: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let holder = holder(results);
    let mut files = Vec::new();
    for folder in [Path::new(""), &holder] {
        files.extend(entries(&folder.join(SPECS))?);
        let named_folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        files.extend(entries(named_folder)?);
    }
    files.retain(|file| super::is_toml(file) && file.is_file());
    Ok(files)
}
