//! The runs that a results folder holds, and the shards of a run: `shards/<i>-of-<K>/` in its
//! folder, each with the lock, the parts, the spec and the manifest of a run's folder, and, when it
//! is done, with one table `shard.parquet` of its rows and seconds, laid out as a part is.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::complete::CompleteRun;
use super::folder::{MANIFEST, RunFolder, SHARDS, entries, may_exist, tolerate_gone};
use super::parts::{Admit, SetAside};
use super::{StoreError, schema};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::shard::Shard;
use crate::experiment::spec;
use crate::experiment::version::Code;

impl RunFolder {
    /// What it runs, by the spec that it keeps, if that is there and makes such a plan.
    pub(crate) fn plan(&self) -> Option<Plan> {
        let text = self.spec_text().ok()?;
        let spec = spec::parse_without_figures(&self.experiment, "spec.toml", &text).ok()?;
        let plan = Plan::new(&spec).ok();
        plan.filter(|plan| plan.hash() == self.plan_hash)
    }

    /// The manifest of a complete run, which must be that of the folder that it lies in.
    pub(crate) fn own_manifest(&self) -> Result<Manifest, StoreError> {
        let manifest = self.manifest()?;
        self.refuse_foreign(&manifest, None)?;
        Ok(manifest)
    }

    /// Experiment, code version and plan hash.
    pub(crate) fn names(&self) -> [&str; 3] {
        [&self.experiment, &self.code_version, &self.plan_hash]
    }

    /// How the code that made it, or began it, compares with this program. Without a manifest, as
    /// of an unfinished run, it is of the present code or of another, and which parts differ is not
    /// known.
    pub(crate) fn code(&self) -> Code {
        if let Ok(manifest) = self.own_manifest() {
            return manifest.code();
        }
        match self.plan() {
            Some(plan) if plan.code_version() == self.code_version => Code::Present,
            _ => Code::Other,
        }
    }

    /// Refuses a manifest of another run than belongs into the folder, or of another shard than
    /// belongs into the shard's. In a folder of any other name may be any run.
    pub(crate) fn refuse_foreign(
        &self,
        manifest: &Manifest,
        shard: Option<Shard>,
    ) -> Result<(), StoreError> {
        if !self.is_named() {
            return Ok(());
        }
        let [experiment, code_version, plan_hash] = self.names();
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
        let Some((what, found, expected)) = said.into_iter().find(differs) else {
            return Ok(());
        };
        let folder = shard.map_or(self.clone(), |it| self.shard(it));
        Err(StoreError::Foreign {
            path: folder.path().join(MANIFEST),
            what,
            found: found.to_owned(),
            expected: expected.to_owned(),
        })
    }
}

/// Every run in `results`, by experiment, code version, plan hash and repeat; none without one.
pub fn runs(results: &Path) -> Result<Vec<RunFolder>, StoreError> {
    let mut found = Vec::new();
    for (experiment, path) in folders(results)? {
        if spec::RESERVED.contains(&experiment.as_str()) {
            continue;
        }
        for (_, path) in folders(&path)? {
            found.extend(Some(RunFolder::at(path)).filter(RunFolder::is_named));
        }
    }
    found.sort();
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

impl RunFolder {
    /// The folder of a shard of this run.
    pub(crate) fn shard(&self, shard: Shard) -> Self {
        Self::at(self.path().join(SHARDS).join(shard.folder_name()))
    }

    /// The shards that have begun, of the cut into fewest first; none where there are no shards.
    pub(crate) fn shards(&self) -> Result<BTreeSet<Shard>, StoreError> {
        let entries = entries(&self.path().join(SHARDS))?.into_iter();
        let shard = |path: PathBuf| Shard::from_folder_name(path.file_name()?.to_str()?);
        Ok(entries.filter_map(shard).collect())
    }

    /// The folder of a shard that a process works in.
    pub(crate) fn running_shard(&self) -> Result<Option<PathBuf>, StoreError> {
        let folders = self.shards()?.into_iter().map(|it| self.shard(it));
        let mut running = folders.filter(Self::is_locked);
        Ok(running.next().map(|folder| folder.path().to_path_buf()))
    }

    /// Gives the finished rows of every shard to `admit`, and leaves every file as it is; returns
    /// the shards and parts of shards that are damaged or foreign, or have a row that `admit`
    /// refuses.
    pub(crate) fn scan_shards(&self, admit: &mut Admit) -> Result<Vec<SetAside>, StoreError> {
        let mut refused = Vec::new();
        for shard in self.shards()? {
            let folder = self.shard(shard);
            if !folder.is_complete() {
                refused.extend(folder.scan_parts(admit)?);
            }
            // It may have become complete meanwhile: then its parts may be gone.
            if !folder.is_complete() {
                continue;
            }
            let reason = match self.scan_shard(shard, admit) {
                Ok(()) => continue,
                Err(StoreError::Format { reason, .. }) => reason,
                // Of a file that cannot be read now nothing is known.
                Err(error @ StoreError::Io { .. }) if !error.is_damage() => return Err(error),
                Err(error) => error.to_string(),
            };
            let path = folder.path().to_path_buf();
            refused.push(SetAside { path, reason });
        }
        Ok(refused)
    }

    /// Gives all rows of a complete shard to `admit`.
    ///
    /// # Errors
    /// A shard that is damaged or foreign, or has a row that `admit` refuses.
    pub(crate) fn scan_shard(&self, shard: Shard, admit: &mut Admit) -> Result<(), StoreError> {
        let run = CompleteRun::at(self.shard(shard))?;
        self.refuse_foreign(&run.manifest, Some(shard))?;
        for batch in run.table(schema::part())? {
            if !admit(&batch?) {
                let reason = "its rows are not this plan's";
                return Err(StoreError::format(run.folder.path(), reason));
            }
        }
        Ok(())
    }

    /// Removes the shards, whose rows the run holds, unless a process works in one of them.
    pub(super) fn remove_shards(&self) -> Result<(), StoreError> {
        let path = self.path().join(SHARDS);
        if !may_exist(&path) || self.running_shard()?.is_some() {
            return Ok(());
        }
        tolerate_gone(fs::remove_dir_all(&path)).map_err(StoreError::io(&path))
    }
}
