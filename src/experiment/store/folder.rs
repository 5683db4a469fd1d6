//! One run's folder: `results/<experiment>/<code version>-<plan hash>/`. docs/inside.md says what
//! is in it. Here are the names of the folder and its files, the lock and its message, the links
//! beside the runs (`trials.parquet`, `series.parquet`), and the names of what is set aside
//! (`….damaged-1`).

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::StoreError;
use super::atomic::{self, text_of};
use super::schema::{SERIES, TRIALS};
use crate::experiment::manifest::Manifest;
use crate::experiment::program::ProgramFile;
use crate::experiment::spec::MAX_KEPT_BYTES;

pub(crate) const MANIFEST: &str = "manifest.toml";
pub(crate) const SPEC: &str = "spec.toml";
pub(crate) const PARTS: &str = "parts";
pub(crate) const LOCK: &str = "lock";
/// Bytes that a manifest may have: far more than any has.
const MOST_OF_MANIFEST: u64 = 1 << 27;
/// The tables to which links beside the runs lead.
pub(crate) const LINKED: [&str; 2] = [TRIALS, SERIES];
/// Longer than [`RunFolder::is_locked`] takes, by far.
const INSTANT: Duration = Duration::from_millis(100);

/// A run's folder, complete or under way, and what the folder's place and name say of the run; of
/// a folder that has no such name, nothing. The order is that of experiments, code versions and
/// plans.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunFolder {
    pub(crate) experiment: String,
    pub(crate) code_version: String,
    pub(crate) plan_hash: String,
    path: PathBuf,
}

impl RunFolder {
    /// The folder at `path`, there or not.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
        let names = || {
            let experiment = name(path.parent()?)?;
            let (code_version, plan_hash) = parse_name(&name(&path)?)?;
            Some((experiment, code_version, plan_hash))
        };
        let (experiment, code_version, plan_hash) = names().unwrap_or_default();
        Self {
            experiment,
            code_version,
            plan_hash,
            path,
        }
    }

    /// The folder of a complete run wherever it lies: its place and name say nothing.
    pub(crate) fn anywhere(self) -> Self {
        let path = self.path.clone();
        let nameless = || Self {
            path,
            ..Self::default()
        };
        if self.is_complete() { nameless() } else { self }
    }

    /// True if the folder has the name of a run.
    pub(crate) fn is_named(&self) -> bool {
        !self.plan_hash.is_empty()
    }

    /// `<code version>-<plan hash>`.
    pub(crate) fn name(&self) -> String {
        format!("{}-{}", self.code_version, self.plan_hash)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if the run in the folder is finished. If the file system does not say, it is taken to
    /// be finished: then reading its manifest says what is wrong, and nothing is overwritten.
    pub(crate) fn is_complete(&self) -> bool {
        may_exist(&self.path.join(MANIFEST))
    }

    /// The manifest of a complete run.
    pub fn manifest(&self) -> Result<Manifest, StoreError> {
        let file = self.path.join(MANIFEST);
        Manifest::from_text(&file, &text_of(&file, MOST_OF_MANIFEST)?)
    }

    /// The manifest as far as its text can be read, where it is not what was written: nothing that
    /// it says is certain. `None` where it is no manifest any more.
    pub(crate) fn unsealed_manifest(&self) -> Option<Manifest> {
        let text = text_of(&self.path.join(MANIFEST), MOST_OF_MANIFEST).ok()?;
        Manifest::unsealed(&text)
    }

    /// The spec that the run was started from, as it was then.
    pub(crate) fn spec_text(&self) -> Result<String, StoreError> {
        text_of(&self.spec_file(), MAX_KEPT_BYTES)
    }

    /// The file with the spec's text.
    pub(crate) fn spec_file(&self) -> PathBuf {
        self.path.join(SPEC)
    }

    /// True if a process holds this folder's lock now, as far as this machine's locks reach.
    pub(crate) fn is_locked(&self) -> bool {
        let path = self.path.join(LOCK);
        // A pipe in its place would wait for a writer.
        path.is_file()
            && File::open(path)
                .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The names of what is in the folder, sorted.
    pub(crate) fn contents(&self) -> Result<Vec<String>, StoreError> {
        let name = |path: PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
        let mut names: Vec<String> = entries(&self.path)?.into_iter().filter_map(name).collect();
        names.sort();
        Ok(names)
    }

    /// Removes what a complete run no longer needs, and a killed process has left: its parts and
    /// files under temporary names, as far as these are there and can be removed: the run is whole.
    /// Its lock stays: a process that waits for it would get the lock of a file that no other
    /// process can open.
    pub(crate) fn remove_leftovers(&self) -> Result<(), StoreError> {
        // Looked for first: in a folder that cannot be written, even removing nothing is an error.
        let parts = self.path.join(PARTS);
        if may_exist(&parts) {
            tolerate_gone(fs::remove_dir_all(&parts)).map_err(StoreError::io(&parts))?;
        }
        let removed = atomic::remove_unfinished(&self.path, Duration::ZERO);
        tolerate_gone(removed).map_err(StoreError::io(&self.path))
    }

    /// Makes the folder if need be and takes it for this process, until the file is dropped. The
    /// lock is the operating system's: it does not outlive its owner.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process has it.
    pub fn lock(&self) -> Result<File, StoreError> {
        if let Some(lock) = self.try_lock()? {
            return Ok(lock);
        }
        // A process that only tests whether the lock is held holds it for an instant.
        std::thread::sleep(INSTANT);
        self.try_lock()?.ok_or_else(|| StoreError::Locked {
            path: self.path.clone(),
        })
    }

    /// The lock, or `None` if another process has it. The file is opened anew each time: the
    /// process that had the lock may have set a damaged run aside, and the file of its lock with
    /// it, so that a lock counts only if its file is still the one in this folder.
    fn try_lock(&self) -> Result<Option<File>, StoreError> {
        atomic::make_folder(&self.path).map_err(StoreError::io(&self.path))?;
        let path = self.path.join(LOCK);
        // A pipe would wait for a reader.
        if path.exists() && !path.is_file() {
            let reason = "it is no regular file; expected one: remove what is there";
            return Err(StoreError::format(&path, reason));
        }
        let file = File::options().create(true).append(true).open(&path);
        let file = file.map_err(StoreError::io(&path))?;
        match file.try_lock() {
            Ok(()) if is_file_at(&file, &path) => Ok(Some(file)),
            Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                let expected = "expected a file system with locks: name one by --results, as a folder on a local disk";
                Err(StoreError::format(&path, format!("{error}; {expected}")))
            }
        }
    }
}

/// True if the open file is the one that now has this path.
fn is_file_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.metadata()) {
        (Ok(opened), Ok(there)) => identity(opened) == identity(there),
        _ => false,
    }
}

/// What the process does that has the folder's lock.
impl RunFolder {
    pub(crate) fn save(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let path = self.path.join(name);
        atomic::write(&path, text.as_bytes()).map_err(StoreError::io(&path))
    }

    /// Saves a file of a program under its path in the spec's folder.
    pub(crate) fn save_program_file(&self, file: &ProgramFile) -> Result<(), StoreError> {
        let path = self.path.join(&file.name);
        let saved = atomic::make_folder(atomic::above(&path)).and_then(|()| {
            atomic::write(&path, &file.bytes)?;
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode))
        });
        saved.map_err(StoreError::io(&path))
    }

    /// Renames the folder, whose lock the process has; it stays the same run.
    pub(crate) fn set_aside(&self) -> Result<Self, StoreError> {
        let path = set_aside(&self.path, &self.path)?;
        Ok(Self {
            path,
            ..self.clone()
        })
    }

    /// Gives the folder, which has another run than its name says and whose lock the process has,
    /// the name of that run, or where that is taken the name of one that is set aside.
    pub(crate) fn give_own_name(&self, manifest: &Manifest) -> Result<Self, StoreError> {
        let name = format!("{}-{}", manifest.code_version, manifest.plan_hash);
        let own = self.path.with_file_name(name);
        if may_exist(&own) {
            return self.set_aside();
        }
        fs::rename(&self.path, &own).map_err(StoreError::io(&self.path))?;
        Ok(Self::at(own))
    }

    /// Makes the tables beside the runs of the experiment, `results/<experiment>/trials.parquet`
    /// and those of courses, links to those of this complete run: who reads them has each trial
    /// once. Returns what is to be said of each that is none; a file of the same bytes is as good.
    pub(crate) fn link_tables(&self) -> Vec<Unlinked> {
        let unlinked = LINKED.into_iter().filter_map(|name| {
            let link = self.path.with_file_name(name);
            let error = self.link_table(name, &link).err()?;
            let table = self.path.join(name);
            let is_stale = link.symlink_metadata().is_ok();
            if is_stale && has_same_bytes(&link, &table) {
                return None;
            }
            let shown = link.display();
            let own = table.display();
            let then = match (is_stale, table.exists()) {
                (false, _) => format!("read {own}"),
                (true, true) => format!("it has other rows than {own}; remove it, and run again"),
                (true, false) => "this run has no such table; remove it".to_owned(),
            };
            let words = format!("{shown}: no link can be made ({error}); {then}");
            Some(Unlinked { words, is_stale })
        });
        unlinked.collect()
    }

    fn link_table(&self, name: &str, link: &Path) -> io::Result<()> {
        let target = Path::new(self.path.file_name().unwrap_or_default()).join(name);
        let is_file = || link.symlink_metadata().is_ok() && !link.is_symlink();
        let in_its_place = || Err(io::Error::other("a file is in its place"));
        if !self.path.join(name).try_exists()? {
            return match link.symlink_metadata() {
                Err(_) => Ok(()),
                Ok(_) if is_file() => in_its_place(),
                Ok(_) => fs::remove_file(link),
            };
        }
        match fs::read_link(link) {
            Ok(old) if old == target => return Ok(()),
            // As in a copy.
            Err(_) if is_file() => return in_its_place(),
            _ => {}
        }
        let begun = link.with_file_name(format!("{}{name}", atomic::UNFINISHED));
        tolerate_gone(fs::remove_file(&begun))?;
        std::os::unix::fs::symlink(target, &begun)?;
        fs::rename(begun, link)
    }
}

/// A table beside the runs that cannot be made a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlinked {
    /// What is to be said of it.
    pub words: String,
    /// True if something stands there that a reader takes for the table of the run.
    pub is_stale: bool,
}

/// True if two files have the same bytes.
fn has_same_bytes(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| path.metadata().ok().map(|metadata| metadata.len());
    let sum = |path: &Path| {
        Some(atomic::checksum(
            &atomic::bytes_of(path, atomic::MOST).ok()?,
        ))
    };
    length(one).is_some() && length(one) == length(other) && sum(one) == sum(other)
}

/// What is in a folder; nothing where there is no folder.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listed =
        fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    match listed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.map_err(StoreError::io(folder)),
    }
}

/// Another process may have removed it, or the folder cannot be written, as published results.
pub(crate) fn tolerate_gone(result: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
    let is_harmless = |kind| matches!(kind, NotFound | PermissionDenied | ReadOnlyFilesystem);
    match result {
        Err(error) if !is_harmless(error.kind()) => Err(error),
        _ => Ok(()),
    }
}

/// Gives what is at `path` the first free name of `<kept>.damaged-1`, `-2`, …
pub(crate) fn set_aside(path: &Path, kept: &Path) -> Result<PathBuf, StoreError> {
    let name = |number: u32| {
        let mut path = kept.as_os_str().to_owned();
        path.push(format!(".damaged-{number}"));
        PathBuf::from(path)
    };
    let free = (1..).map(name).find(|path| !may_exist(path));
    let free = free.expect("numbers do not run out");
    fs::rename(path, &free).map_err(StoreError::io(path))?;
    Ok(free)
}

/// True if there is something at `path`, or if the file system does not say.
pub(crate) fn may_exist(path: &Path) -> bool {
    exists(path).unwrap_or(true)
}

/// True if there is something at `path`.
///
/// # Errors
/// Where the file system does not say: then it may be there.
pub(crate) fn exists(path: &Path) -> Result<bool, StoreError> {
    match path.try_exists() {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        exists => exists.map_err(StoreError::io(path)),
    }
}

/// `<code version>-<plan hash>` → its two pieces.
fn parse_name(name: &str) -> Option<(String, String)> {
    let (code_version, plan_hash) = name.rsplit_once('-')?;
    let is_hash = plan_hash.len() == 8 && plan_hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_run = is_hash && !code_version.is_empty();
    is_run.then(|| (code_version.into(), plan_hash.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_run_folders_are_read_back() {
        let version = "0.1.0-1a2b3c4d";
        let found = parse_name(&format!("{version}-00ff00ff"));
        assert_eq!(found, Some((version.into(), "00ff00ff".into())));
        for name in ["00ff00ff.2", "00ff00f", "00ff00fg", "00ff00ff.damaged-1"] {
            assert_eq!(parse_name(&format!("{version}-{name}")), None, "{name}");
        }
        assert_eq!(parse_name("00ff00ff").or(parse_name("-00ff00ff")), None);
    }
}
