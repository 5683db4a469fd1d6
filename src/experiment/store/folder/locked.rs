//! A run's folder in the hands of the one process that writes to it.

use std::fs::File;
use std::path::PathBuf;

use polars::error::PolarsResult;

use super::{MANIFEST, PARTS, RunFolder, SPEC, may_exist, set_aside};
use crate::experiment::provenance::Manifest;
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::{self, Staged};
use crate::experiment::store::merge::Merged;
use crate::experiment::store::parts::{Admit, Parts, SetAside};
use crate::experiment::store::schema::{self, MOVES, SERIES, SHARD, TIMINGS, TRIALS};
use crate::experiment::store::shards::SHARDS;
use crate::experiment::store::table::{
    Axes, Output, Reader, Table, TableRow, Writer, write_at_once,
};

/// A run's folder that this process alone writes to.
#[derive(Debug)]
pub struct LockedFolder {
    pub(super) folder: RunFolder,
    pub(super) _lock: File,
}

impl LockedFolder {
    /// The folder that is locked.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Keeps the spec beside the results.
    pub fn save_spec(&self, text: &str) -> Result<(), StoreError> {
        self.write(SPEC, text.as_bytes())
    }

    /// Clears away what a killed process had begun to write. Tables without a manifest and without
    /// the parts or shards that they were made from cannot be checked: they are set aside under
    /// another name.
    pub fn tidy(&self) -> Result<Vec<SetAside>, StoreError> {
        let folder = &self.folder.path;
        atomic::remove_unfinished(folder).map_err(StoreError::io(folder))?;
        let sources = [PARTS, SHARDS].map(|name| folder.join(name));
        if self.folder.is_complete() || sources.iter().any(|path| may_exist(path)) {
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

    /// Takes over what earlier attempts saved: see [`Parts::take_over`].
    pub fn take_over_parts(&self, admit: &mut Admit) -> Result<(Parts, Vec<SetAside>), StoreError> {
        Parts::take_over(&self.folder.path.join(PARTS), admit)
    }

    /// Turns the run, of which `parts` hold all `records`, into a complete one: the tables, then
    /// the manifest, and only then are the parts removed. The tables of `courses` are made even
    /// where they have no row.
    ///
    /// # Errors
    /// Any of the file system's, or records that are missing; what was saved stays.
    pub fn complete(
        &self,
        parts: &Parts,
        records: u64,
        courses: Vec<&'static str>,
        mut manifest: Manifest,
    ) -> Result<Manifest, StoreError> {
        let folder = &self.folder.path;
        let names = match manifest.shard {
            Some(_) => vec![SHARD],
            None => [vec![TRIALS, TIMINGS], courses].concat(),
        };
        let files = names.iter().map(|_| Staged::in_folder(folder));
        let files = files.collect::<Result<Vec<_>, _>>();
        let mut files = files.map_err(StoreError::io(folder))?;
        let encoded = self.encode(&names, &mut files, parts);
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
        for ((name, file), rows) in names.iter().zip(files).zip(rows) {
            let path = folder.join(name);
            let file = file.seal().map_err(StoreError::io(folder))?;
            let checksum = file.checksum().to_owned();
            file.publish(&path).map_err(StoreError::io(&path))?;
            manifest.files.insert((*name).to_owned(), checksum);
            match *name {
                SERIES => manifest.series_rows = rows,
                MOVES => manifest.move_rows = rows,
                _ => {}
            }
        }
        // As it was saved: what is on the disk since then does not count.
        let spec = manifest.spec_hash.clone();
        manifest.files.insert(SPEC.into(), spec);
        let text = manifest.to_text();
        let text = text.map_err(|error| StoreError::format(&folder.join(MANIFEST), error))?;
        self.write(MANIFEST, text.as_bytes())?;
        self.folder.remove_leftovers()?;
        Ok(manifest)
    }

    /// Writes the records of the parts into the files of these names, in one pass; returns how many
    /// runs of trials and how many trials there are, and the rows of each table.
    fn encode(
        &self,
        names: &[&str],
        files: &mut [Staged],
        parts: &Parts,
    ) -> Result<([u64; 2], Vec<u64>), StoreError> {
        let encoded = |error| StoreError::format(&self.folder.path, error);
        let tables = parts.tables()?;
        let axes = Axes::of_all(tables.iter().map(Reader::axes));
        let outputs = names.iter().zip(files).map(|(name, file)| match *name {
            TRIALS => output(schema::trials(), &axes, file),
            TIMINGS => output(schema::timings(), &axes, file),
            SERIES => output(schema::series(), &axes, file),
            MOVES => output(schema::moves(), &axes, file),
            _ => output(schema::part(), &axes, file),
        });
        let outputs = outputs.collect::<PolarsResult<Vec<_>>>().map_err(encoded)?;
        let (mut found, mut trials) = (0, 0);
        let records = Merged::new(tables)?.inspect(|record| {
            found += 1;
            // Others only time a trial once more.
            trials += record.iter().filter(|record| record.repeat == 0).count() as u64;
        });
        let rows = write_at_once(outputs, &encoded, records)?;
        Ok(([found, trials], rows))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.folder.path.join(name);
        atomic::write(&path, bytes).map_err(StoreError::io(&path))
    }
}

fn output<'a, R: TableRow>(
    table: Table<R>,
    axes: &Axes,
    file: &'a mut Staged,
) -> PolarsResult<Box<dyn Output + 'a>> {
    Ok(Box::new(Writer::new(table, axes, file)?))
}
