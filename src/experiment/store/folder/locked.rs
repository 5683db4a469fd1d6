//! A run's folder in the hands of the one process that writes to it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use super::{
    MANIFEST, PARTS, RunFolder, SPEC, TIMINGS, TRIALS, format_error, may_exist, table_name,
};
use crate::experiment::provenance::Manifest;
use crate::experiment::store::atomic::{self, Staged};
use crate::experiment::store::merge::{self, Source};
use crate::experiment::store::parts::{Parts, SetAside, encode_error, io_error};
use crate::experiment::store::shards::SHARDS;
use crate::experiment::store::table::course_table::{Entry, EntryWriter};
use crate::experiment::store::table::{Layout, TableWriter, write_at_once};
use crate::experiment::store::{Record, StoreError};
use crate::solver::course::{Observation, QueenMove};

/// A run's folder that this process alone writes to.
#[derive(Debug)]
pub struct LockedFolder {
    folder: RunFolder,
    _lock: File,
}

impl LockedFolder {
    /// The folder of who holds `lock`.
    pub(super) fn new(folder: RunFolder, lock: File) -> Self {
        Self {
            folder,
            _lock: lock,
        }
    }

    /// The folder that is locked.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Keeps the spec beside the results.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn save_spec(&self, text: &str) -> Result<(), StoreError> {
        self.write(SPEC, text.as_bytes())
    }

    /// Clears away what a killed process had begun to write. Tables without a manifest and without
    /// the parts or shards that they were made from cannot be checked: they are set aside under
    /// another name.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn tidy(&self) -> Result<Vec<SetAside>, StoreError> {
        let folder = &self.folder.path;
        atomic::remove_unfinished(folder).map_err(io_error(folder))?;
        let sources = [PARTS, SHARDS].map(|name| folder.join(name));
        if self.folder.is_complete() || sources.iter().any(|path| may_exist(path)) {
            return Ok(Vec::new());
        }
        let orphans = [TRIALS, TIMINGS, Observation::FILE, QueenMove::FILE]
            .into_iter()
            .map(|name| folder.join(name))
            .filter(|path| may_exist(path));
        orphans.map(|path| set_aside_unchecked(&path)).collect()
    }

    /// Takes over what earlier attempts saved: see [`Parts::take_over`].
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn take_over_parts(
        &self,
        admit: &mut dyn FnMut(&[Record]) -> bool,
    ) -> Result<(Parts, Vec<SetAside>), StoreError> {
        Parts::take_over(&self.folder.path.join(PARTS), admit)
    }

    /// Turns the run, of which `parts` hold all `records`, into a complete one: the tables, then
    /// the manifest, and only then are the parts removed. The tables of courses that are wanted are
    /// made even where they have no row.
    ///
    /// # Errors
    /// Any of the file system's, or records that are missing; what was saved stays.
    pub fn complete(
        &self,
        parts: &Parts,
        records: u64,
        courses: CourseTables,
        mut manifest: Manifest,
    ) -> Result<Manifest, StoreError> {
        let mut tables = if manifest.shard.is_some() {
            self.encode(&[Layout::Part], parts)?
        } else {
            self.encode(&[Layout::Trials, Layout::Timings], parts)?
        };
        manifest.rows = tables.trials;
        if manifest.shard.is_none() {
            self.encode_courses(courses, parts, &mut tables, &mut manifest)?;
        }
        if tables.records != records {
            let found = tables.records;
            return Err(format_error(
                &self.folder.path,
                format!("the parts hold {found} trials of {records}; run again to go on"),
            ));
        }
        manifest.files = self.publish(tables.files)?;
        // As it was saved: what is on the disk since then does not count.
        let spec = manifest.spec_hash.clone();
        manifest.files.insert(SPEC.into(), spec);
        let text = manifest
            .to_text()
            .map_err(|error| format_error(&self.folder.path.join(MANIFEST), error))?;
        self.write(MANIFEST, text.as_bytes())?;
        self.folder.remove_leftovers()?;
        Ok(manifest)
    }

    /// Tables of the parts' records, in one pass.
    fn encode(&self, layouts: &[Layout], parts: &Parts) -> Result<Tables, StoreError> {
        let folder = &self.folder.path;
        let mut files = layouts
            .iter()
            .map(|_| Staged::in_folder(folder).map_err(io_error(folder)))
            .collect::<Result<Vec<_>, _>>()?;
        let mut trials = 0;
        let records = self.fill(layouts, &mut files, parts, &mut trials);
        if let Some(failure) = files.iter_mut().find_map(Staged::take_failure) {
            return Err(io_error(folder)(failure));
        }
        Ok(Tables {
            files: layouts.iter().copied().map(table_name).zip(files).collect(),
            trials,
            records: records?,
        })
    }

    /// Writes the records of the parts into each of the files, whose row groups are those of the
    /// first; returns their number, and adds to `trials` those that are a trial's first: others
    /// only time it once more.
    fn fill(
        &self,
        layouts: &[Layout],
        files: &mut [Staged],
        parts: &Parts,
        trials: &mut u64,
    ) -> Result<u64, StoreError> {
        let encoded = encode_error(&self.folder.path);
        let mut sources = parts.sources()?;
        let further = merge::further(&sources);
        if !layouts.contains(&Layout::Part) {
            // These have no column for them.
            sources = sources.into_iter().map(Source::without_courses).collect();
        }
        let new_writer =
            |(file, &layout)| TableWriter::new(layout, &further, file).map_err(&encoded);
        let writers = files
            .iter_mut()
            .zip(layouts)
            .map(new_writer)
            .collect::<Result<Vec<_>, _>>()?;
        let batch = layouts.first().map_or(1, |layout| layout.batch());
        write_at_once(writers, &encoded, |sink| {
            merge::merge(sources, batch, &mut |batch| {
                *trials += batch.iter().filter(|record| record.repeat == 0).count() as u64;
                sink(batch)
            })
        })
    }

    /// Adds the tables of courses, in one pass.
    fn encode_courses(
        &self,
        wanted: CourseTables,
        parts: &Parts,
        tables: &mut Tables,
        manifest: &mut Manifest,
    ) -> Result<(), StoreError> {
        if !wanted.series && !wanted.moves {
            return Ok(());
        }
        let folder = &self.folder.path;
        let mut files = [wanted.series, wanted.moves]
            .map(|wanted| wanted.then(|| Staged::in_folder(folder).map_err(io_error(folder))))
            .into_iter()
            .map(Option::transpose)
            .collect::<Result<Vec<_>, _>>()?;
        let [series, moves] = &mut files[..] else {
            unreachable!("two tables of courses");
        };
        let rows = self.fill_courses(series.as_mut(), moves.as_mut(), parts);
        if let Some(failure) = files.iter_mut().flatten().find_map(Staged::take_failure) {
            return Err(io_error(folder)(failure));
        }
        [manifest.series_rows, manifest.move_rows] = rows?;
        let names = [Observation::FILE, QueenMove::FILE];
        let named = names.into_iter().zip(files);
        tables
            .files
            .extend(named.filter_map(|(name, file)| Some((name, file?))));
        Ok(())
    }

    /// Writes the courses of the parts; returns the number of rows of each table.
    fn fill_courses(
        &self,
        series: Option<&mut Staged>,
        moves: Option<&mut Staged>,
        parts: &Parts,
    ) -> Result<[u64; 2], StoreError> {
        let encoded = encode_error(&self.folder.path);
        let sources = parts.sources()?;
        let further = merge::further(&sources);
        let mut series = series
            .map(|file| EntryWriter::<Observation, _>::new(&further, file))
            .transpose()
            .map_err(&encoded)?;
        let mut moves = moves
            .map(|file| EntryWriter::<QueenMove, _>::new(&further, file))
            .transpose()
            .map_err(&encoded)?;
        merge::merge(sources, Layout::Part.batch(), &mut |batch| {
            for record in batch.iter().filter(|record| record.repeat == 0) {
                if let Some(series) = &mut series {
                    series.write(record).map_err(&encoded)?;
                }
                if let Some(moves) = &mut moves {
                    moves.write(record).map_err(&encoded)?;
                }
            }
            Ok(())
        })?;
        let series = series.map_or(Ok(0), EntryWriter::finish);
        let moves = moves.map_or(Ok(0), EntryWriter::finish);
        Ok([series.map_err(&encoded)?, moves.map_err(&encoded)?])
    }

    /// Gives the tables their names; returns their checksums.
    fn publish(
        &self,
        files: Vec<(&'static str, Staged)>,
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let folder = &self.folder.path;
        let mut checksums = BTreeMap::new();
        for (name, file) in files {
            let file = file.seal().map_err(io_error(folder))?;
            checksums.insert(name.to_owned(), file.checksum().to_owned());
            file.publish(&folder.join(name))
                .map_err(io_error(&folder.join(name)))?;
        }
        Ok(checksums)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.folder.path.join(name);
        atomic::write(&path, bytes).map_err(io_error(&path))
    }
}

/// Which tables of courses a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourseTables {
    /// `series.parquet`.
    pub series: bool,
    /// `moves.parquet`.
    pub moves: bool,
}

/// Tables that have no name yet.
struct Tables {
    files: Vec<(&'static str, Staged)>,
    trials: u64,
    /// All runs of the trials.
    records: u64,
}

/// Renames a table that no manifest vouches for.
fn set_aside_unchecked(path: &Path) -> Result<SetAside, StoreError> {
    let free = (1..)
        .map(|number: u32| path.with_extension(format!("parquet.unchecked-{number}")))
        .find(|path| !may_exist(path));
    let to = free.expect("numbers do not run out");
    fs::rename(path, &to).map_err(io_error(path))?;
    Ok(SetAside {
        path: path.into(),
        reason: format!(
            "there is no manifest.toml to check it by; kept as {}",
            to.display()
        ),
    })
}
