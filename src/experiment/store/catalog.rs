//! The runs that a results folder holds.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::StoreError;
use super::folder::{MANIFEST, RunFolder, entries};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::shard::Shard;
use crate::experiment::spec;
use crate::experiment::version::Code;

/// A run found in a results folder, by its name alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunEntry {
    pub experiment: String,
    pub code_version: String,
    pub plan_hash: String,
    /// 1 for the first run of a plan, 2, 3, … for those that were forced beside it.
    pub repeat: u32,
    pub folder: RunFolder,
}

impl RunEntry {
    /// The run of a folder, by its path; `None` where no run has such a name.
    pub(crate) fn of(folder: &RunFolder) -> Option<Self> {
        let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
        let experiment = name(folder.path().parent()?)?;
        let (code_version, plan_hash, repeat) = parse_name(&name(folder.path())?)?;
        Some(Self {
            experiment,
            code_version,
            plan_hash,
            repeat,
            folder: folder.clone(),
        })
    }

    /// What it runs, by the spec that it keeps, if that is there and makes such a plan.
    pub fn plan(&self) -> Option<Plan> {
        let text = self.folder.spec_text().ok()?;
        let spec = spec::parse_without_figures(&self.experiment, "spec.toml", &text).ok()?;
        let plan = Plan::new(&spec).ok();
        plan.filter(|plan| plan.hash() == self.plan_hash)
    }

    /// The manifest of a complete run, which must be that of the folder that it lies in.
    pub fn manifest(&self) -> Result<Manifest, StoreError> {
        let manifest = self.folder.manifest()?;
        refuse_foreign(&self.folder, &manifest, None)?;
        Ok(manifest)
    }

    /// Experiment, code version and plan hash.
    pub(crate) fn names(&self) -> [&str; 3] {
        [&self.experiment, &self.code_version, &self.plan_hash]
    }

    /// How the code that made it, or began it, compares with this program. Without a manifest, as
    /// of an unfinished run, it is of the present code or of another, and which parts differ is not
    /// known.
    pub fn code(&self) -> Code {
        if let Ok(manifest) = self.manifest() {
            return manifest.code();
        }
        match self.plan() {
            Some(plan) if plan.code_version() == self.code_version => Code::Present,
            _ => Code::Other,
        }
    }
}

/// Refuses a manifest of another run than belongs into the run's folder, or of another shard than
/// belongs into the shard's.
pub(crate) fn refuse_foreign(
    run: &RunFolder,
    manifest: &Manifest,
    shard: Option<Shard>,
) -> Result<(), StoreError> {
    // In a folder of any other name may be any run.
    let Some(entry) = RunEntry::of(run) else {
        return Ok(());
    };
    let [experiment, code_version, plan_hash] = entry.names();
    let whole = || "a whole run".to_owned();
    let found = manifest.shard.clone().unwrap_or_else(whole);
    let expected = shard.map_or_else(whole, |shard| shard.to_string());
    let said = [
        ("experiment", &*manifest.experiment, experiment),
        ("code version", &manifest.code_version, code_version),
        ("plan hash", &manifest.plan_hash, plan_hash),
        ("shard", &found, &expected),
    ];
    let differs = |(_, found, expected): &(&str, &str, &str)| found != expected;
    match said.into_iter().find(differs) {
        None => Ok(()),
        Some((what, found, expected)) => Err(StoreError::Foreign {
            path: shard
                .map_or(run.clone(), |it| run.shard(it))
                .path()
                .join(MANIFEST),
            what,
            found: found.to_owned(),
            expected: expected.to_owned(),
        }),
    }
}

/// Every run in `results`, by experiment, code version, plan hash and repeat; none without one.
pub fn runs(results: &Path) -> Result<Vec<RunEntry>, StoreError> {
    let mut found = Vec::new();
    for (experiment, path) in folders(results)? {
        if spec::RESERVED.contains(&experiment.as_str()) {
            continue;
        }
        for (_, path) in folders(&path)? {
            found.extend(RunEntry::of(&RunFolder::at(path)));
        }
    }
    found.sort();
    Ok(found)
}

/// Ends the name of a run that is being removed.
const REMOVED: &str = ".removed";

/// Removes a run's folder, under another name first, unless it has that name already: one that is
/// half removed must not be taken for one that can go on.
pub(crate) fn remove(run: &Path) -> Result<(), StoreError> {
    let mut gone = run.as_os_str().to_owned();
    if !run.to_string_lossy().ends_with(REMOVED) {
        gone.push(REMOVED);
        fs::rename(run, &gone).map_err(StoreError::io(run))?;
    }
    let gone = PathBuf::from(gone);
    fs::remove_dir_all(&gone).map_err(StoreError::io(&gone))
}

/// Runs whose removal was interrupted, by experiment.
pub(crate) fn half_removed(results: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let mut found = Vec::new();
    for (experiment, path) in folders(results)? {
        let runs = folders(&path)?.into_iter();
        let is_run = |name: &str| parse_name(name).is_some();
        let halves = runs.filter(|(name, _)| name.strip_suffix(REMOVED).is_some_and(is_run));
        found.extend(halves.map(|(_, path)| (experiment.clone(), path)));
    }
    Ok(found)
}

fn folders(path: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let mut found = Vec::new();
    for path in entries(path)? {
        let is_folder = match path.metadata() {
            Ok(metadata) => metadata.is_dir(),
            // A link that leads nowhere, or what was just removed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(source) => return Err(StoreError::Io { path, source }),
        };
        let name = path.file_name().and_then(|name| name.to_str());
        if let (Some(name), true) = (name, is_folder) {
            found.push((name.to_owned(), path));
        }
    }
    Ok(found)
}

/// `<code version>-<plan hash>[.<k>]` → its three pieces.
fn parse_name(name: &str) -> Option<(String, String, u32)> {
    let (code_version, plan) = name.rsplit_once('-')?;
    let (plan_hash, repeat) = match plan.split_once('.') {
        Some((hash, repeat)) => (hash, repeat.parse().ok().filter(|&repeat| repeat > 1)?),
        None => (plan, 1),
    };
    let hexadecimal =
        plan_hash.len() == 8 && plan_hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (hexadecimal && !code_version.is_empty())
        .then(|| (code_version.into(), plan_hash.into(), repeat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_run_folders_are_read_back() {
        let version = "0.1.0-1a2b3c4d";
        for (name, repeat) in [("00ff00ff", 1), ("00ff00ff.3", 3)] {
            let found = parse_name(&format!("{version}-{name}"));
            assert_eq!(found, Some((version.into(), "00ff00ff".into(), repeat)));
        }
        for name in ["00ff00ff.1", "00ff00f", "00ff00fg", "00ff00ff.x"] {
            assert_eq!(parse_name(&format!("{version}-{name}")), None, "{name}");
        }
        assert_eq!(parse_name("00ff00ff").or(parse_name("-00ff00ff")), None);
    }
}
