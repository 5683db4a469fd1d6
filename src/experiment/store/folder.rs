//! One run's folder: `results/<experiment>/<code version>-<plan hash>/`. docs/inside.md says
//! what is in it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use polars::error::PolarsResult;

use super::StoreError;
use super::atomic::{self, Staged};
use super::checked::read_small;
use super::complete::CompleteRun;
use super::parts::{Merged, Parts, SetAside};
use super::schema::{self, MOVES, SERIES, TIMINGS, TRIALS};
use super::table::{Axes, Output, Reader, StoredTable, TableRow, Writer, write_at_once};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::{FileSeal, Manifest, Summaries};
use crate::experiment::spec::MAX_BYTES;

pub(crate) const MANIFEST: &str = "manifest.toml";
pub(crate) const SPEC: &str = "spec.toml";
pub(crate) const PARTS: &str = "parts";
pub(crate) const LOCK: &str = "lock";
/// Bytes that a manifest may have: far more than any has.
const MOST_OF_MANIFEST: u64 = 1 << 27;
/// Longer than [`RunFolder::is_locked`] takes, by far.
const INSTANT: Duration = Duration::from_millis(100);

/// A run's folder, complete or under way, and what the folder's place and name say of the run; of
/// a folder that has no such name, nothing. The order is that of experiments, code versions and
/// plans.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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

    /// True if the folder has the name of a run.
    pub(crate) fn is_named(&self) -> bool {
        !self.plan_hash.is_empty()
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
        let path = self.path.join(MANIFEST);
        let text = read_small(&path, MOST_OF_MANIFEST)?;
        Manifest::from_text(&path, &text)
    }

    /// The spec that the run was started from, as it was then.
    pub(crate) fn spec_text(&self) -> Result<String, StoreError> {
        read_small(&self.spec_file(), MAX_BYTES)
    }

    /// The file with the spec's text.
    pub(crate) fn spec_file(&self) -> PathBuf {
        self.path.join(SPEC)
    }

    /// The manifest of a complete run, each of whose files has been read and has its checksum.
    ///
    /// # Errors
    /// A manifest, or else a file, that is missing or damaged; a manifest of a newer schema.
    pub(crate) fn checked_manifest(&self) -> Result<Manifest, StoreError> {
        let run = CompleteRun::at(self.clone())?;
        let damaged = run.damaged_files().next();
        damaged.map_or(Ok(run.manifest.clone()), Err)
    }

    /// True if a process holds this folder's lock now, as far as this machine's locks reach.
    pub(crate) fn is_locked(&self) -> bool {
        File::open(self.path.join(LOCK))
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
        let removed = |path: &Path, removed| tolerate_gone(removed).map_err(StoreError::io(path));
        // Looked for first: in a folder that cannot be written, even removing nothing is an error.
        let parts = self.path.join(PARTS);
        if may_exist(&parts) {
            removed(&parts, fs::remove_dir_all(&parts))?;
        }
        removed(&self.path, atomic::remove_unfinished(&self.path))?;
        Ok(())
    }

    /// Makes the folder if need be and takes it for this process, until the file is dropped. The
    /// lock is the operating system's: it does not outlive its owner.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process has it.
    pub fn lock(&self) -> Result<File, StoreError> {
        atomic::make_folder(&self.path).map_err(StoreError::io(&self.path))?;
        let path = self.path.join(LOCK);
        let file = File::options().create(true).append(true).open(&path);
        let file = file.map_err(StoreError::io(&path))?;
        let mut locked = file.try_lock();
        if matches!(locked, Err(TryLockError::WouldBlock)) {
            // Who asks whether the lock is held, holds it for an instant.
            std::thread::sleep(INSTANT);
            locked = file.try_lock();
        }
        match locked {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked {
                path: self.path.clone(),
            }),
            Err(TryLockError::Error(source)) => Err(StoreError::io(&path)(source)),
        }
    }
}

/// What the process does that has the folder's lock.
impl RunFolder {
    pub(crate) fn save_spec(&self, text: &str) -> Result<(), StoreError> {
        self.write(SPEC, text.as_bytes())
    }

    /// Clears away what a killed process had begun to write. Tables without a manifest and without
    /// the parts that they were made from cannot be checked: they are set aside under
    /// another name.
    pub(crate) fn tidy(&self) -> Result<Vec<SetAside>, StoreError> {
        let folder = &self.path;
        atomic::remove_unfinished(folder).map_err(StoreError::io(folder))?;
        if self.is_complete() || may_exist(&folder.join(PARTS)) {
            return Ok(Vec::new());
        }
        let orphans = [TRIALS, TIMINGS, SERIES, MOVES].map(|name| folder.join(name));
        let orphans = orphans.into_iter().filter(|path| may_exist(path));
        let set_aside = |path: PathBuf| {
            let kept = set_aside(&path, "unchecked")?;
            let kept = kept.display();
            let reason = format!("there is no manifest.toml to check it by; kept as {kept}");
            Ok(SetAside { path, reason })
        };
        orphans.map(set_aside).collect()
    }

    /// Renames the folder, whose lock the process has; it stays the same run.
    pub(crate) fn set_aside(&self) -> Result<Self, StoreError> {
        let path = set_aside(&self.path, "damaged")?;
        Ok(Self {
            path,
            ..self.clone()
        })
    }

    /// Turns the run, of which `parts` hold all `records`, into a complete one: the tables, then
    /// the manifest, and only then are the parts removed. The tables of courses that the plan asks
    /// for are made even where they have no row.
    ///
    /// # Errors
    /// Any of the file system's, or records that are missing; what was saved stays.
    pub(crate) fn complete(
        &self,
        parts: &Parts,
        records: u64,
        (plan, spec_length): (&Plan, u64),
        mut manifest: Manifest,
    ) -> Result<Manifest, StoreError> {
        let folder = &self.path;
        let series = plan.records_series().then_some(SERIES);
        let moves = plan.records_moves().then_some(MOVES);
        let timings = plan.has_searches().then_some(TIMINGS);
        let names = [Some(TRIALS), timings, series, moves];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        let files = names.iter().map(|_| Staged::in_folder(folder));
        let files = files.collect::<Result<Vec<_>, _>>();
        let mut files = files.map_err(StoreError::io(folder))?;
        let mut summaries = Summaries::default();
        let encoded = self.encode(&names, &mut files, parts, &mut summaries);
        // Encoding fails where writing does, and then this says it better.
        if let Some(failure) = files.iter_mut().find_map(Staged::take_failure) {
            return Err(StoreError::io(folder)(failure));
        }
        let ([found, trials], rows) = encoded?;
        if found != records {
            let reason = format!("the parts hold {found} trials of {records}; run again to go on");
            return Err(StoreError::format(folder, reason));
        }
        manifest.rows = trials;
        manifest.points = summaries.points;
        for ((name, file), rows) in names.iter().zip(files).zip(rows) {
            let path = folder.join(name);
            let file = file.seal().map_err(StoreError::io(folder))?;
            let seal = FileSeal {
                blake3: file.checksum.clone(),
                bytes: Some(file.length),
            };
            file.publish(&path).map_err(StoreError::io(&path))?;
            manifest.files.insert((*name).to_owned(), seal);
            match *name {
                SERIES => manifest.series_rows = rows,
                MOVES => manifest.move_rows = rows,
                _ => {}
            }
        }
        // As it was saved: what is on the disk since then does not count.
        let seal = FileSeal {
            blake3: manifest.spec_hash.clone(),
            bytes: Some(spec_length),
        };
        manifest.files.insert(SPEC.into(), seal);
        let text = manifest.to_text();
        let text = text.map_err(|error| StoreError::format(&folder.join(MANIFEST), error))?;
        self.write(MANIFEST, text.as_bytes())?;
        self.remove_leftovers()?;
        Ok(manifest)
    }

    /// Writes the records of the parts into the files of these names, in one pass, and sums them
    /// up; returns how many runs of trials and how many trials there are, and the rows of each
    /// table.
    fn encode(
        &self,
        names: &[&str],
        files: &mut [Staged],
        parts: &Parts,
        summaries: &mut Summaries,
    ) -> Result<([u64; 2], Vec<u64>), StoreError> {
        let encoded = |error| StoreError::format(&self.path, error);
        let tables = parts.tables()?;
        let axes = Axes::of_all(tables.iter().map(Reader::axes));
        let outputs = names.iter().zip(files).map(|(name, file)| match *name {
            TRIALS => output(schema::trials(), &axes, file),
            TIMINGS => output(schema::timings(), &axes, file),
            SERIES => output(schema::series(), &axes, file),
            _ => output(schema::moves(), &axes, file),
        });
        let outputs = outputs.collect::<PolarsResult<Vec<_>>>().map_err(encoded)?;
        let (mut found, mut trials) = (0, 0);
        let records = Merged::new(tables).inspect(|record| {
            found += 1;
            // Others only time a trial once more.
            trials += record.iter().filter(|record| record.repeat == 0).count() as u64;
            record.iter().for_each(|record| summaries.add(record));
        });
        let rows = write_at_once(outputs, &encoded, records)?;
        Ok(([found, trials], rows))
    }

    /// Makes the tables beside the runs of the experiment, `results/<experiment>/trials.parquet`
    /// and those of courses, links to those of this complete run: who reads them has each trial
    /// once. Whatever else is there stays, and a file system without links is no error.
    pub(crate) fn link_tables(&self) -> Result<(), StoreError> {
        for name in [TRIALS, SERIES, MOVES] {
            let link = self.path.with_file_name(name);
            let linked = self.link_table(name, &link);
            let linked = linked.or_else(|error| match error.kind() {
                io::ErrorKind::Unsupported => Ok(()),
                _ => tolerate_gone(Err(error)),
            });
            linked.map_err(StoreError::io(&link))?;
        }
        Ok(())
    }

    fn link_table(&self, name: &str, link: &Path) -> io::Result<()> {
        let old = link.symlink_metadata().ok();
        if old.as_ref().is_some_and(|old| !old.is_symlink()) {
            return Ok(());
        }
        if !self.path.join(name).try_exists()? {
            return old.map_or(Ok(()), |_| fs::remove_file(link));
        }
        let folder = self.path.file_name().unwrap_or_default();
        let target = Path::new(folder).join(name);
        if old.is_some() && fs::read_link(link)? == target {
            return Ok(());
        }
        let begun = link.with_file_name(format!("{}{name}", atomic::UNFINISHED));
        tolerate_gone(fs::remove_file(&begun))?;
        std::os::unix::fs::symlink(target, &begun)?;
        fs::rename(begun, link)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path.join(name);
        atomic::write(&path, bytes).map_err(StoreError::io(&path))
    }
}

fn output<'a, R: TableRow>(
    table: StoredTable<R>,
    axes: &Axes,
    file: &'a mut Staged,
) -> PolarsResult<Box<dyn Output + 'a>> {
    Ok(Box::new(Writer::new(table, axes, file)?))
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
    result.or_else(|error| match is_harmless(error.kind()) {
        true => Ok(()),
        false => Err(error),
    })
}

/// Frees the name of what is at `path`, which becomes the first free `<path>.<word>-1`, `-2`, …
pub(crate) fn set_aside(path: &Path, word: &str) -> Result<PathBuf, StoreError> {
    let name = |number: u32| {
        let mut path = path.as_os_str().to_owned();
        path.push(format!(".{word}-{number}"));
        PathBuf::from(path)
    };
    let free = (1..).map(name).find(|path| !may_exist(path));
    let free = free.expect("numbers do not run out");
    fs::rename(path, &free).map_err(StoreError::io(path))?;
    Ok(free)
}

/// True if there is something at `path`, or if the file system does not say.
pub(crate) fn may_exist(path: &Path) -> bool {
    match path.try_exists() {
        Err(error) => error.kind() != io::ErrorKind::NotADirectory,
        Ok(exists) => exists,
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
