//! The runs that a results folder holds. Here is decided which folders count as runs, in which
//! order they come, and when a run was moved here from another experiment or is of another plan
//! than its folder says.

use std::io;
use std::path::{Path, PathBuf};

use itertools::Itertools;

use super::StoreError;
use super::folder::{MANIFEST, RunFolder, SPEC, entries};
use super::schema::TRIALS;
use crate::experiment::code_version::Code;
use crate::experiment::manifest::Manifest;
use crate::experiment::plan::Plan;
use crate::experiment::spec;

impl RunFolder {
    /// What it runs, by the spec that it keeps, if that is there and makes such a plan.
    pub(crate) fn plan(&self) -> Option<Plan> {
        self.plan_of(&self.plan_hash)
    }

    /// The plan of this hash, if the spec that it keeps makes it: then that spec need not have the
    /// bytes that it had.
    pub(crate) fn plan_of(&self, hash: &str) -> Option<Plan> {
        let text = self.spec_text().ok()?;
        // Files of its programs lie beside it.
        let label = self.path().join(SPEC).display().to_string();
        let spec = spec::parse_plan(&self.experiment, &label, &text).ok()?;
        Plan::of_hash(&spec, hash)
    }

    /// How the code that made it, or began it, compares with this program. Without a manifest, as
    /// of an unfinished run, it is of the present code or of another, and which parts differ is not
    /// known.
    pub(crate) fn code(&self) -> Code {
        if let Ok(manifest) = self.manifest() {
            return manifest.code();
        }
        match self.plan() {
            Some(plan) if plan.code_version() == self.code_version => Code::Present,
            _ => Code::Other,
        }
    }

    /// Refuses a manifest of another code version or plan than the folder's name says; the name of
    /// the experiment may be another one, since an experiment may be renamed. In a folder of any
    /// other name may be any run.
    pub(crate) fn refuse_foreign(&self, manifest: &Manifest) -> Result<(), StoreError> {
        let is_same = manifest.code_version == self.code_version;
        if !self.is_named() || is_same && manifest.plan_hash == self.plan_hash {
            return Ok(());
        }
        Err(self.of_another(manifest))
    }

    /// Refuses a run that was made under the name of another experiment, too.
    pub(crate) fn refuse_moved(&self, manifest: &Manifest) -> Result<(), StoreError> {
        self.refuse_foreign(manifest)?;
        if !self.is_named() || manifest.experiment == self.experiment {
            return Ok(());
        }
        Err(self.of_another(manifest))
    }

    fn of_another(&self, manifest: &Manifest) -> StoreError {
        let it = manifest;
        let found = format!("{}/{}-{}", it.experiment, it.code_version, it.plan_hash);
        let expected = format!("{}/{}", self.experiment, self.name());
        let path = self.path().join(MANIFEST);
        let reason = format!("of {found}, and moved here; expected {expected}");
        StoreError::Foreign { path, reason }
    }
}

/// The name of the run's folder to which the link beside the runs of an experiment leads; none
/// where there is no such link.
pub fn linked(results: &Path, experiment: &str) -> Option<String> {
    let target = results.join(experiment).join(TRIALS).read_link().ok()?;
    let folder = target.parent()?.file_name()?.to_str()?;
    Some(folder.to_owned())
}

/// Every run in `results`, by experiment, code version and plan hash; none without one.
pub fn runs(results: &Path) -> Result<Vec<RunFolder>, StoreError> {
    let mut experiments = folders(results)?;
    experiments.retain(|(name, _)| name != spec::RESERVED);
    let runs = experiments.iter().map(|(name, _)| runs_of(results, name));
    let runs: Vec<_> = runs.flatten_ok().collect::<Result<_, _>>()?;
    Ok(runs.into_iter().sorted().collect())
}

/// The runs of an experiment in `results`, in the same order.
pub fn runs_of(results: &Path, experiment: &str) -> Result<Vec<RunFolder>, StoreError> {
    let paths = folders(&results.join(experiment))?.into_iter();
    // A run that is listed twice, by a link too, would count twice.
    let paths = paths.map(|path| path.1).filter(|path| !path.is_symlink());
    let runs = paths.map(RunFolder::at).filter(RunFolder::is_named);
    Ok(runs.sorted().collect())
}

fn folders(path: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let mut found = Vec::new();
    for path in entries(path)? {
        let is_folder = match path.metadata() {
            Ok(metadata) => metadata.is_dir(),
            // A link that leads nowhere or to itself, or what was just removed.
            Err(error) if path.is_symlink() || error.kind() == io::ErrorKind::NotFound => false,
            Err(source) => return Err(StoreError::Io { path, source }),
        };
        let name = path.file_name().and_then(|name| name.to_str());
        if let (Some(name), true) = (name, is_folder) {
            found.push((name.to_owned(), path));
        }
    }
    Ok(found)
}
