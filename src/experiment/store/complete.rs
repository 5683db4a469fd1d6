//! Complete runs: folders of tables with a sealed manifest, which is written last, and the spec and
//! plan that they were made of. Nothing is read that was not compared with its checksum first, and
//! nothing is mapped into memory, where a read that fails could only kill the process.

mod damage;
mod rows_by_point;

use std::ops::Range;

use super::StoreError;
use super::folder::{MANIFEST, RunFolder, SPEC};
use super::schema::{self, SERIES, TIMINGS, TRIALS};
use super::table::{Table, TableFile};
use crate::experiment::manifest::Manifest;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, MAX_REPEATS, Refused, Spec};

/// The name of a table that is damaged, and what is wrong with it.
pub(crate) type LostTable = (&'static str, StoreError);

/// A complete run and its manifest.
#[derive(Clone)]
pub struct CompleteRun {
    /// The run's folder.
    pub folder: RunFolder,
    /// What the tables were made of, and the checksums of all files.
    pub manifest: Manifest,
}

impl CompleteRun {
    /// What lies in a folder, by its manifest.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, or of another schema.
    pub fn open(folder: &RunFolder) -> Result<Self, StoreError> {
        let manifest = folder.manifest()?;
        let folder = folder.clone();
        Ok(Self { folder, manifest })
    }

    /// The run in its own folder.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, of a newer schema, or of another run than the folder.
    pub fn read(folder: &RunFolder) -> Result<Self, StoreError> {
        let run = Self::at(folder.clone())?;
        folder.refuse_foreign(&run.manifest)?;
        Ok(run)
    }

    /// The run in a folder of any name.
    pub fn at(folder: RunFolder) -> Result<Self, StoreError> {
        let run = Self::open(&folder)?;
        // What it is follows from the spec that it keeps, which is there and sound.
        run.spec_text()?;
        Ok(run)
    }

    /// The spec that the run kept, without figures, and the plan that ran.
    ///
    /// # Errors
    /// A spec that is damaged, or of which this program makes no such plan.
    pub fn plan(&self) -> anyhow::Result<(Spec, Plan)> {
        let it = &self.manifest;
        let label = self.folder.path().join(SPEC).display().to_string();
        let spec = spec::parse_plan(&it.experiment, &label, &self.spec_text()?)?;
        let hash = &it.plan_hash;
        let code_version = &it.code_version;
        let plan = Plan::of_hash(&spec, hash);
        let reason = format!(
            "this program makes no plan {hash} of it; expected code version {code_version}"
        );
        let plan = plan.ok_or_else(|| Refused::of_file(&label, reason))?;
        Ok((spec, plan))
    }

    /// True if the run has a part of what its spec asks for, by `only` or `quick`.
    pub fn is_part(&self) -> bool {
        let spec = self.plan().map(|plan| plan.0);
        spec.is_ok_and(|spec| spec.quick || spec.only.is_some())
    }

    /// True if the run was made under the name of another experiment than the one in whose folder
    /// it lies.
    pub fn is_moved(&self) -> bool {
        self.folder.refuse_moved(&self.manifest).is_err()
    }

    /// The spec that the run was started from, whose checksum is compared.
    pub(crate) fn spec_text(&self) -> Result<String, StoreError> {
        let text = self.folder.spec_text()?;
        self.compare(SPEC, text.as_bytes())?;
        Ok(text)
    }

    /// True if there is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.manifest.files.contains_key(name)
    }

    /// A table with as many rows as the manifest says; of times it says how many trials they are
    /// of.
    pub fn table(&self, name: &str) -> Result<Table, StoreError> {
        let file = self.table_file(name)?;
        self.piece(name, &file, 0..file.rows())
    }

    /// The file of a table, of which pieces can be read; its errors are those of
    /// [`CompleteRun::table`].
    pub fn table_file(&self, name: &str) -> Result<TableFile, StoreError> {
        let manifest = &self.manifest;
        let most = match name {
            TRIALS => manifest.rows,
            SERIES => manifest.series_rows,
            _ => manifest.rows.saturating_mul(MAX_REPEATS.into()),
        };
        let file = TableFile::of(self.file(name)?, most, None);
        let path = self.folder.path().join(name);
        let file = file.map_err(|error| StoreError::of_table(&path, error))?;
        let rows = file.rows() as u64;
        if rows == most || name == TIMINGS {
            return Ok(file);
        }
        let reason = format!("{most} rows; expected {rows}, as {name} has");
        Err(self.wrong_file(MANIFEST, reason))
    }

    /// Rows of the file of the table of this name.
    pub fn piece(
        &self,
        name: &str,
        file: &TableFile,
        rows: Range<usize>,
    ) -> Result<Table, StoreError> {
        let path = self.folder.path().join(name);
        let table = file.read(rows);
        table.map_err(|error| StoreError::of_table(&path, error))
    }

    /// The trials with what these tables have of them, as the columns of lists of a part.
    pub fn part(&self, tables: &[&str]) -> Result<Table, StoreError> {
        let mut trials = self.table(TRIALS)?;
        for name in tables.iter().filter(|name| self.has(name)) {
            self.add_lists(&mut trials, name)?;
        }
        Ok(trials)
    }

    /// The trials, whose table is sound, with what the other tables have of them; and of each of
    /// these tables that is damaged its name and what is wrong with it: what it had is lost, and
    /// nothing else.
    ///
    /// # Errors
    /// Trials that are damaged, and any table that cannot be read now.
    pub(crate) fn sound_part(&self) -> Result<(Table, Vec<LostTable>), StoreError> {
        let mut trials = self.table(TRIALS)?;
        let mut lost = Vec::new();
        for name in [TIMINGS, SERIES] {
            if !self.has(name) {
                continue;
            }
            match self.add_lists(&mut trials, name) {
                Err(error) if error.is_damage() => lost.push((name, error)),
                added => added?,
            }
        }
        Ok((trials, lost))
    }

    /// Adds what the table of this name has of the trials.
    fn add_lists(&self, trials: &mut Table, name: &str) -> Result<(), StoreError> {
        let rows = self.table(name)?;
        let lengths = trials.lengths_in(&rows);
        let lists = lengths.and_then(|lengths| schema::lists_of(name, &rows.frame, &lengths));
        let part = lists.and_then(|lists| trials.frame.hstack(&lists));
        trials.frame = part.map_err(|error| self.wrong_file(name, error))?;
        Ok(())
    }
}

#[cfg(test)]
impl CompleteRun {
    /// A run of which there is nothing but this.
    pub(crate) fn example(experiment: &str, plan_hash: &str, ended: &str) -> Self {
        let manifest = format!(
            "schema = 3\nexperiment = \"{experiment}\"\ncode_version = \"0.1.0-1a2b3c4d\"\n\
             plan_hash = \"{plan_hash}\"\ncommit = \"\"\ndirty = false\nrows = 1\n\
             dynamics = []\nstarted = \"\"\nended = \"{ended}\"\ncommand = []\n[definitions]\n[parts]\n[files]\n\
             [machine]\nrustc = \"\"\ntarget = \"\"\ncpu = \"\"\ncores = 1\nthreads = 1\nos = \"\"\n"
        );
        let folder = RunFolder::at(format!("{experiment}/0.1.0-1a2b3c4d-{plan_hash}"));
        let manifest = toml::from_str(&manifest).expect("a manifest");
        Self { folder, manifest }
    }
}
