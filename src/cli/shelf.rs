//! The specs and the runs that there are. The results and their reference are listed once, and each
//! manifest is read once.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use itertools::Itertools;

use super::{Refused, output};
use crate::cli::terminal::remark;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::real_path;
use crate::experiment::store::catalog;
use crate::experiment::store::complete::PlanLost;
use crate::experiment::store::folder::{RunFolder, entries};
use crate::report;
use crate::results::runs::CompleteRun;

/// The folder in which specs are looked for by the name of their experiment.
pub const SPECS: &str = "experiments";

/// The specs and the runs that there are.
pub struct Shelf {
    pub results: PathBuf,
    own: OnceCell<Vec<Shelved>>,
    reference: OnceCell<Vec<Shelved>>,
}

/// A run in a folder of results.
pub struct Shelved {
    pub folder: RunFolder,
    read: OnceCell<CompleteRun>,
}

impl Shelved {
    /// A complete run with its manifest.
    pub fn read(&self) -> Result<&CompleteRun, StoreError> {
        once(&self.read, || CompleteRun::read(&self.folder))
    }
}

/// What a cell holds, made where it holds nothing yet.
fn once<T>(
    cell: &OnceCell<T>,
    make: impl FnOnce() -> Result<T, StoreError>,
) -> Result<&T, StoreError> {
    if cell.get().is_none() {
        let _ = cell.set(make()?);
    }
    Ok(cell.get().expect("it has just been set"))
}

/// The runs in a folder of results, without those that were moved or copied into the folder of
/// another, which a line names.
pub fn listed(results: &Path) -> Result<Vec<Shelved>, StoreError> {
    let runs = catalog::runs(results)?.into_iter();
    let shelved = |folder| Shelved {
        folder,
        read: OnceCell::new(),
    };
    let is_own = |run: &Shelved| match run.read() {
        Err(error @ StoreError::Foreign { .. }) => {
            remark!("warning: {error}");
            false
        }
        _ => true,
    };
    let runs = runs.map(shelved);
    Ok(runs
        .filter(|it| !it.folder.is_complete() || is_own(it))
        .collect())
}

/// The complete runs among these.
pub fn complete(runs: &[Shelved]) -> Result<Vec<CompleteRun>, StoreError> {
    let complete = runs.iter().filter(|it| it.folder.is_complete());
    complete.map(|it| it.read().cloned()).collect()
}

impl Shelf {
    /// The shelf of a folder of results, which is listed when it is asked for.
    pub fn of(results: &Path) -> Self {
        Self {
            results: results.to_owned(),
            own: OnceCell::new(),
            reference: OnceCell::new(),
        }
    }

    /// The runs in the results.
    pub fn own(&self) -> Result<&[Shelved], StoreError> {
        once(&self.own, || listed(&self.results)).map(Vec::as_slice)
    }

    /// The runs that come with the sources.
    pub fn reference(&self) -> Result<&[Shelved], StoreError> {
        let listed = || listed(&self.results.join("reference"));
        once(&self.reference, listed).map(Vec::as_slice)
    }

    /// The experiments that have a complete run in the results, or any run.
    pub fn with_runs(&self, any: bool) -> Result<Vec<String>, StoreError> {
        let runs = self.own()?.iter().map(|it| &it.folder);
        let names = runs
            .filter(|it| any || it.is_complete())
            .map(|it| &it.experiment);
        Ok(names.dedup().cloned().collect())
    }

    /// The complete runs, those of the reference among them, of a code version, or of a program
    /// built from the commit of these digits.
    pub fn of_code(&self, word: &str) -> Result<Vec<CompleteRun>, StoreError> {
        /// Digits of a commit below which a name is not taken for one.
        const LEAST_DIGITS: usize = 7;
        let is_commit = word.len() >= LEAST_DIGITS && word.bytes().all(|it| it.is_ascii_hexdigit());
        let mut all = complete(self.own()?)?;
        all.extend(complete(self.reference()?)?);
        all.retain(|run| {
            let manifest = &run.manifest;
            manifest.is_of_version(word) || (is_commit && manifest.commit.starts_with(word))
        });
        Ok(all)
    }

    /// Refuses a folder that is not in these results, or is of their reference: what has its name
    /// here is not what is meant.
    pub fn refuse_elsewhere(&self, raws: &[PathBuf]) -> Result<(), Refused> {
        let here = real_path(&self.results);
        let is_elsewhere = |raw: &PathBuf| {
            let is_folder = raw.components().count() > 1 && raw.is_dir();
            let own = real_path(raw);
            let within = own.strip_prefix(&here);
            is_folder && within.map_or(true, |it| it.starts_with("reference"))
        };
        let reason = format!(
            "not in {}; expected --results FOLDER",
            self.results.display()
        );
        match raws.iter().find(|raw| is_elsewhere(raw)) {
            Some(raw) => Err(output::refused(raw, reason)),
            None => Ok(()),
        }
    }

    /// Refuses a folder of results that is named and not there; before the first run the usual one
    /// is not.
    pub fn refuse_missing(&self) -> Result<(), Refused> {
        match self.results.is_dir() || self.results == Path::new("results") {
            true => Ok(()),
            false => Err(output::refused(&self.results, "no such folder of results")),
        }
    }
}

/// The spec that a run has kept, of which this program makes the run's plan; of a complete run as
/// its manifest knows it.
pub fn kept_spec(experiment: &str, run: &RunFolder) -> anyhow::Result<Spec> {
    if run.is_complete() {
        let (spec, _) = CompleteRun::at(run.clone())?.plan()?;
        return Ok(Spec::clone(&spec));
    }
    let (file, text) = kept_text(run)?;
    let spec = spec::parse_plan(experiment, &file, &text)?;
    match Plan::new(&spec)?.hash() == run.plan_hash {
        true => Ok(spec),
        false => {
            let reason = format!("this program makes no plan {} of it", run.plan_hash);
            Err(Refused::of_file(&file, reason).into())
        }
    }
}

/// What the spec that a run has kept shows of it. A line says which figures this program cannot
/// read, and why it makes no such plan.
pub fn shown_spec(experiment: &str, run: &RunFolder) -> anyhow::Result<Spec> {
    let (file, text) = kept_text(run)?;
    let (spec, unread) = spec::parse_shown(experiment, &file, &text, &report::kinds())?;
    for error in unread {
        remark!("{error}; the figure is left out");
    }
    if run.is_complete()
        && let Err(PlanLost::Other(error)) = CompleteRun::at(run.clone())?.plan()
    {
        remark!("{error}; the run has its rows and no plan");
    }
    Ok(spec)
}

fn kept_text(run: &RunFolder) -> Result<(String, String), StoreError> {
    let text = match run.is_complete() {
        true => CompleteRun::at(run.clone())?.spec_text()?,
        false => run.spec_text()?,
    };
    Ok((run.spec_file().display().to_string(), text))
}

/// The file of the spec of an experiment.
pub fn spec_file(experiment: &str) -> PathBuf {
    Path::new(SPECS).join(format!("{experiment}.toml"))
}

/// The spec files that there are; none without their folder.
pub fn spec_files() -> Result<Vec<PathBuf>, StoreError> {
    let mut files = entries(Path::new(SPECS))?;
    files.retain(|path| is_toml(path));
    Ok(files)
}

/// True for the name of a spec file, which is not one that an editor or a file system has hidden.
pub fn is_toml(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let is_hidden = name.starts_with(b"._") || name.starts_with(b".#");
    path.extension() == Some(OsStr::new("toml")) && !is_hidden
}
