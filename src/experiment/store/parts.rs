//! What a run under way has saved: folders `parts/<number>`, each with tables and a sealed manifest
//! as a complete run. A start joins those that it finds, so that the parts of one process have
//! different trials.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use polars::prelude::{DataFrame, PolarsResult};

use super::atomic::{self, Staged};
use super::folder::{PARTS, RunFolder, SPEC, SetAside, entries, exists, may_exist, set_aside};
use super::schema::{self, SERIES, TIMINGS, TRIALS};
use super::stored::{MANIFEST, Stored};
use super::table::{Axes, Groups, Table, joined};
use super::{Record, StoreError};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::{FileSeal, Manifest, PointTotals};

/// No run has so many parts. A part with a larger number is read like any other, but the numbers of
/// new parts do not go on from it.
const LARGEST: u64 = u64::MAX / 2;

/// The parts of a run that this process alone writes to.
pub struct Parts {
    folder: PathBuf,
    stored: Vec<Stored>,
    next: u64,
    /// The axes of the plan's points.
    axes: Axes,
    /// The manifest of a part without rows.
    manifest: Manifest,
}

/// Looks at the trials of a part: how many of them no other part had; `None` where they are not of
/// the run.
pub type Admit<'a> = dyn FnMut(&Stored, &Table) -> Result<Option<u64>, StoreError> + 'a;

impl Parts {
    /// The parts of a run, whose folder is made if need be: each file of a part is compared with
    /// its checksum, and `admit` sees the trials. A part that is damaged, or that `admit` refuses,
    /// is set aside in the run's folder.
    pub fn of(
        run: &RunFolder,
        plan: &Plan,
        manifest: Manifest,
        admit: &mut Admit,
    ) -> Result<(Self, Vec<SetAside>), StoreError> {
        let folder = run.path().join(PARTS);
        atomic::make_folder(&folder).map_err(StoreError::io(&folder))?;
        let mut parts = Self {
            stored: Vec::new(),
            next: 0,
            axes: Axes::of(plan.points.iter().map(|planned| &planned.point)),
            manifest,
            folder,
        };
        let mut damaged = Vec::new();
        // The newest first, of which the older ones may be pieces: a process was killed after it
        // had joined them.
        for (number, path) in list(&parts.folder)?.into_iter().rev() {
            if number < LARGEST {
                parts.next = parts.next.max(number + 1);
            }
            // What a killed process had begun, or was about to remove.
            if !exists(&path.join(MANIFEST))? {
                remove(&path)?;
                continue;
            }
            match read(&path, run, admit) {
                Ok((mut stored, new)) => {
                    // The times are those of newer parts.
                    if new == 0 {
                        stored.manifest.points.clear();
                    }
                    parts.stored.push(stored);
                }
                Err(error) => {
                    let reason = reason(error)?;
                    let kept = run.path().join(format!("part-{number:06}"));
                    set_aside(&path, &kept, "damaged")?;
                    damaged.push(SetAside { path, reason });
                }
            }
        }
        parts.stored.reverse();
        damaged.reverse();
        Ok((parts, damaged))
    }

    /// Saves trials that have ended, in whatever order they come.
    pub fn save(&mut self, records: &mut [Record]) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        let tables = schema::tables(&self.axes, records);
        let tables = tables.map_err(|error| StoreError::format(&self.folder, error))?;
        self.add(&tables, &PointTotals::times(records))
    }

    /// Saves tables as a part, of whose trials these took their time here.
    pub fn add(
        &mut self,
        tables: &[(&'static str, DataFrame)],
        times: &[PointTotals],
    ) -> Result<(), StoreError> {
        let names: Vec<&str> = tables.iter().map(|table| table.0).collect();
        let path = self.new_folder()?;
        let axes = &self.axes;
        let stored = Stored::write(
            &path,
            &names,
            self.manifest.clone(),
            &mut |name, file, manifest| {
                let write = || {
                    let frame = tables.iter().find(|table| table.0 == name);
                    let frame = schema::aligned(name, axes, frame.map(|it| &it.1))?;
                    if name == TRIALS {
                        let table = Table::of(frame.clone())?;
                        manifest.points = PointTotals::of(&table)?;
                        PointTotals::add_times(&mut manifest.points, times);
                    }
                    Groups::new(frame, file)?.finish()
                };
                write()
                    .map_err(|error: polars::prelude::PolarsError| StoreError::format(&path, error))
            },
        )?;
        self.stored.push(stored);
        Ok(())
    }

    /// A new folder of a number that no other has.
    fn new_folder(&mut self) -> Result<PathBuf, StoreError> {
        loop {
            let path = self.folder.join(format!("{:06}", self.next));
            self.next += 1;
            match fs::create_dir(&path) {
                // A power cut must not take the folder away once others were removed for it.
                Ok(()) => {
                    let synced = atomic::sync_folder(&self.folder);
                    synced.map_err(StoreError::io(&self.folder))?;
                    return Ok(path);
                }
                // Of another process, since the locks do not work here.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::io(&path)(error)),
            }
        }
    }

    /// Writes all parts as one, in which each trial is once, and removes them.
    pub fn join(&mut self) -> Result<(), StoreError> {
        if self.stored.len() < 2 {
            return Ok(());
        }
        let has = |name: &&str| self.stored.iter().any(|part| part.has(name));
        let names: Vec<&str> = [TRIALS, TIMINGS, SERIES].into_iter().filter(has).collect();
        let path = self.new_folder()?;
        let whole = Stored::write(
            &path,
            &names,
            self.manifest.clone(),
            &mut |name, file, manifest| self.merge(name, file, manifest),
        )?;
        // The manifests of the old ones go first: what is left of one is no part.
        for part in std::mem::replace(&mut self.stored, vec![whole]) {
            remove(part.path())?;
        }
        Ok(())
    }

    /// Turns the run, of which the parts have all trials, into a complete one: the tables, then the
    /// manifest, and only then are the parts removed. The tables that the plan asks for are made
    /// even where they have no row.
    ///
    /// # Errors
    /// Any of the file system's, or trials that are missing; what was saved stays.
    pub fn complete(
        &self,
        run: &RunFolder,
        (plan, spec_length): (&Plan, u64),
        mut manifest: Manifest,
    ) -> Result<Manifest, StoreError> {
        let series = plan.records_series().then_some(SERIES);
        let timings = plan.has_searches().then_some(TIMINGS);
        let names = [Some(TRIALS), timings, series];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        // As it was saved: what is on the disk since then does not count.
        let seal = FileSeal {
            blake3: manifest.spec_hash.clone(),
            bytes: spec_length,
        };
        manifest.files.insert(SPEC.into(), seal);
        let stored = Stored::write(run.path(), &names, manifest, &mut |name, file, manifest| {
            let rows = self.merge(name, file, manifest)?;
            let all = plan.trials();
            if name == TRIALS && rows != all {
                let reason = format!("the parts hold {rows} trials of {all}; run again to go on");
                return Err(StoreError::format(run.path(), reason));
            }
            Ok(rows)
        })?;
        run.remove_leftovers()?;
        Ok(stored.manifest)
    }

    /// Writes the rows of the parts that have the table of a name.
    fn merge(
        &self,
        name: &str,
        file: &mut Staged,
        manifest: &mut Manifest,
    ) -> Result<u64, StoreError> {
        let parts = self.stored.iter().filter(|part| part.has(name));
        let tables = parts.map(|part| part.table(name));
        let tables: Vec<Table> = tables.collect::<Result<_, _>>()?;
        let write = || {
            let header = schema::aligned(name, &self.axes, None)?;
            let mut groups = Groups::new(header, file)?;
            joined(&tables, name == TRIALS, &mut |table| {
                if name == TRIALS {
                    manifest.points.extend(PointTotals::of(&table)?);
                }
                groups.write(table.frame)
            })?;
            if name == TRIALS {
                for part in &self.stored {
                    PointTotals::add_times(&mut manifest.points, &part.manifest.points);
                }
            }
            groups.finish()
        };
        let written: PolarsResult<u64> = write();
        written.map_err(|error| StoreError::format(&self.folder, error))
    }
}

impl RunFolder {
    /// Reads every part of a run that another process may be working at, and leaves every file as
    /// it is; returns those that are damaged. What comes meanwhile is read, too: where a part has
    /// vanished, that is the one that it was joined into, so that a trial may be given twice.
    pub fn scan_parts(
        &self,
        read_part: &mut dyn FnMut(&Stored) -> Result<(), StoreError>,
    ) -> Result<Vec<SetAside>, StoreError> {
        let (mut damaged, mut seen) = (Vec::new(), BTreeSet::new());
        let is_there = |path: &Path| may_exist(&path.join(MANIFEST));
        loop {
            let listed = list(&self.path().join(PARTS))?.into_iter();
            let new = listed.filter(|(_, path)| is_there(path) && !seen.contains(path));
            let new: Vec<PathBuf> = new.map(|(_, path)| path).collect();
            if new.is_empty() {
                return Ok(damaged);
            }
            for path in new {
                let part = own(&path, self).and_then(|part| read_part(&part));
                match part {
                    Err(StoreError::Io { source, .. })
                        if source.kind() == io::ErrorKind::NotFound && !is_there(&path) => {}
                    Err(error) => {
                        let reason = reason(error)?;
                        let path = path.clone();
                        damaged.push(SetAside { path, reason });
                    }
                    Ok(()) => {}
                }
                seen.insert(path);
            }
        }
    }
}

/// The numbered folders, by number; none where there is no folder.
fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let numbered = |path: PathBuf| {
        let number = path.file_name()?.to_str()?.parse().ok()?;
        Some((number, path))
    };
    let mut parts: Vec<_> = entries(folder)?.into_iter().filter_map(numbered).collect();
    parts.sort();
    Ok(parts)
}

/// A part of this run.
fn own(path: &Path, run: &RunFolder) -> Result<Stored, StoreError> {
    let stored = Stored::open(path)?;
    let Manifest {
        code_version,
        plan_hash,
        ..
    } = &stored.manifest;
    if (code_version, plan_hash) == (&run.code_version, &run.plan_hash) {
        return Ok(stored);
    }
    Err(StoreError::format(path, NOT_OWN))
}

const NOT_OWN: &str = "its rows are not this plan's";

/// A part of this run whose files are all as they were written, and how many trials it alone has.
fn read(path: &Path, run: &RunFolder, admit: &mut Admit) -> Result<(Stored, u64), StoreError> {
    let stored = own(path, run)?;
    stored.check().next().map_or(Ok(()), Err)?;
    match admit(&stored, &stored.table(TRIALS)?)? {
        Some(new) => Ok((stored, new)),
        None => Err(StoreError::format(path, NOT_OWN)),
    }
}

/// Why a part is not used; an error where nothing is known of it.
fn reason(error: StoreError) -> Result<String, StoreError> {
    match error {
        StoreError::Format { path, reason } if path.is_dir() => Ok(reason),
        StoreError::Schema { .. } => Ok(error.to_string()),
        error if error.is_damage() => Ok(error.to_string()),
        error => Err(error),
    }
}

/// Removes a part, its manifest first.
fn remove(path: &Path) -> Result<(), StoreError> {
    let manifest = path.join(MANIFEST);
    if may_exist(&manifest) {
        fs::remove_file(&manifest).map_err(StoreError::io(&manifest))?;
    }
    fs::remove_dir_all(path).map_err(StoreError::io(path))
}
