//! Complete runs: their manifest, spec, plan and tables. Nothing is read that was not
//! compared with its checksum first, each file once.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::checked;
use super::folder::{MANIFEST, RunFolder, SPEC};
use super::schema::{self, MOVES, OfTrial, SERIES, TIMINGS, TRIALS, Timing};
use super::table::{Reader, RowByRow, StoredTable, Table, TableRow};
use super::{Record, StoreError};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::{Manifest, OLD_SCHEMA, checksum};
use crate::experiment::spec::{self, Refused, Spec};
use crate::solver::Dynamics;
use crate::solver::course::{Observation, QueenMove};

/// A complete run and its manifest.
#[derive(Clone)]
pub struct CompleteRun {
    /// The run's folder.
    pub folder: RunFolder,
    /// What the run was made of.
    pub manifest: Manifest,
    /// The spec and the plan, once they were read.
    planned: Arc<OnceLock<(Arc<Spec>, Arc<Plan>)>>,
}

/// Why the plan of a run cannot be made again.
#[derive(Debug, thiserror::Error)]
pub enum PlanLost {
    /// The kept spec is damaged or missing.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The kept spec is none for this program, or gives other plans.
    #[error("{0}")]
    Other(#[source] Refused),
}

impl CompleteRun {
    /// The run in its own folder.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, of a newer schema, or of another run than the folder.
    pub fn read(folder: &RunFolder) -> Result<Self, StoreError> {
        Self::new(folder.clone(), folder.own_manifest()?).with_sound_spec()
    }

    /// The run in a folder of any name.
    pub fn at(folder: RunFolder) -> Result<Self, StoreError> {
        let manifest = folder.manifest()?;
        Self::new(folder, manifest).with_sound_spec()
    }

    /// The same run: what it is follows from the spec that it keeps.
    ///
    /// # Errors
    /// A spec that is missing or damaged.
    fn with_sound_spec(self) -> Result<Self, StoreError> {
        self.spec_text()?;
        Ok(self)
    }

    /// The run of this manifest, of which nothing has been read.
    pub(crate) fn new(folder: RunFolder, manifest: Manifest) -> Self {
        Self {
            folder,
            manifest,
            planned: Arc::default(),
        }
    }

    /// The spec that the run kept, without figures, and the plan that ran.
    ///
    /// # Errors
    /// A spec that is damaged, or of which this program makes no such plan.
    pub fn plan(&self) -> Result<(Arc<Spec>, Arc<Plan>), PlanLost> {
        if let Some(known) = self.planned.get() {
            return Ok(known.clone());
        }
        let manifest = &self.manifest;
        if manifest.schema == OLD_SCHEMA {
            let reason = "a run of schema 2, whose spec may have keys that are gone".to_owned();
            return Err(PlanLost::Other(Refused::new(reason)));
        }
        let label = self.folder.path().join(SPEC).display().to_string();
        let text = self.spec_text()?;
        let spec = spec::parse_without_figures(&manifest.experiment, &label, &text)
            .map_err(PlanLost::Other)?;
        let (hash, code_version) = (&manifest.plan_hash, &manifest.code_version);
        let Some(plan) = Plan::new(&spec).ok().filter(|plan| plan.hash() == *hash) else {
            let reason = format!(
                "this program makes no plan {hash} of it; expected code version {code_version}"
            );
            return Err(PlanLost::Other(Refused::of_file(&label, reason)));
        };
        let known = || (Arc::new(spec), Arc::new(plan));
        Ok(self.planned.get_or_init(known).clone())
    }

    /// The spec that the run was started from, whose checksum is compared.
    pub(crate) fn spec_text(&self) -> Result<String, StoreError> {
        let text = self.folder.spec_text()?;
        let found = checksum(text.as_bytes());
        // The manifest names it twice.
        let said = self.manifest.files.get(SPEC).map(|seal| &seal.blake3);
        said.into_iter()
            .chain([&self.manifest.spec_hash])
            .find(|expected| **expected != found)
            .map_or(Ok(text), |expected| {
                Err(StoreError::Checksum {
                    path: self.folder.path().join(SPEC),
                    expected: expected.clone(),
                    found,
                })
            })
    }

    /// The bytes of a file of the run that has its checksum, and lies in its folder whatever the
    /// manifest says.
    pub fn file(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let Some(seal) = self.manifest.files.get(name) else {
            return Err(self.wrong_manifest(format!("no checksum of {name}")));
        };
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(self.wrong_manifest(format!("{name:?} is no file of this folder")));
        }
        checked::read(&self.folder.path().join(name), seal)
    }

    /// What is wrong with the files of the run, each read to its end.
    pub(crate) fn damaged_files(&self) -> impl Iterator<Item = StoreError> {
        let names = self.manifest.files.keys();
        names.filter_map(|name| self.file(name).err())
    }

    /// True if the run has a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.manifest.files.contains_key(name)
    }

    /// A table with as many rows as the manifest says.
    pub fn table(&self, name: &str) -> Result<Table, StoreError> {
        let table = Table::of_bytes(self.file(name)?);
        let table = table.map_err(|error| self.wrong_table(name, error))?;
        self.refuse_other_length(name, table.frame.height() as u64)?;
        Ok(table)
    }

    fn refuse_other_length(&self, name: &str, rows: u64) -> Result<(), StoreError> {
        let said = match name {
            TRIALS => self.manifest.rows,
            SERIES => self.manifest.series_rows,
            MOVES => self.manifest.move_rows,
            // Of these it says how many trials they have.
            _ => rows,
        };
        if said == rows {
            return Ok(());
        }
        let reason = format!("{said} rows; expected {rows}, as {name} has");
        Err(self.wrong_manifest(reason))
    }

    /// A file that is not what it should be.
    pub(crate) fn wrong_table(&self, name: &str, reason: impl ToString) -> StoreError {
        StoreError::format(&self.folder.path().join(name), reason)
    }

    /// A reader of a table with as many rows as the manifest says.
    fn reader<R: TableRow>(&self, table: StoredTable<R>) -> Result<Reader<R>, StoreError> {
        let name = table.file;
        let path = self.folder.path().join(name);
        let reader = Reader::new(table, path, self.file(name)?)?;
        self.refuse_other_length(name, reader.rows())?;
        Ok(reader)
    }

    /// What its manifest says that is not so.
    pub(crate) fn wrong_manifest(&self, reason: String) -> StoreError {
        StoreError::format(&self.folder.path().join(MANIFEST), reason)
    }

    /// The dynamics of all rows of rules in a run of [`OLD_SCHEMA`], whose rows do not say it, if
    /// there is only one.
    pub(crate) fn only_dynamics(&self) -> Option<&str> {
        match &self.manifest.dynamics[..] {
            [only] if self.manifest.schema == OLD_SCHEMA => Some(only),
            _ => None,
        }
    }

    /// The trials, without their times and courses, one by one.
    pub fn trials(&self) -> Result<TrialReader, StoreError> {
        Ok(TrialReader {
            trials: self.reader(schema::trials())?.row_by_row(),
            only: self.only_dynamics().and_then(Dynamics::from_name),
            timings: None,
            series: None,
            moves: None,
        })
    }

    /// The trials, those of searches with the first time that was taken of each.
    pub fn timed_trials(&self) -> Result<TrialReader, StoreError> {
        let timings = || Ok::<_, StoreError>(self.reader(schema::timings())?.row_by_row());
        Ok(TrialReader {
            timings: self.has(TIMINGS).then(timings).transpose()?,
            ..self.trials()?
        })
    }

    /// All trials with the first of their times and their courses, all in memory at once.
    pub fn all_records(&self) -> Result<Vec<Record>, StoreError> {
        self.timed_trials()?.with_courses(self)?.collect()
    }
}

/// Reads the trials of a complete run, one by one, with what was asked for beside them.
pub struct TrialReader {
    trials: RowByRow<Record>,
    /// The dynamics of all rows of a run of [`OLD_SCHEMA`] that has one alone.
    only: Option<Dynamics>,
    timings: Option<RowByRow<OfTrial<Timing>>>,
    series: Option<RowByRow<OfTrial<Observation>>>,
    moves: Option<RowByRow<OfTrial<QueenMove>>>,
}

impl TrialReader {
    /// The same with what they wrote down of their course.
    pub(crate) fn with_courses(mut self, run: &CompleteRun) -> Result<Self, StoreError> {
        if run.has(SERIES) {
            self.series = Some(run.reader(schema::series())?.row_by_row());
        }
        if run.has(MOVES) {
            self.moves = Some(run.reader(schema::moves())?.row_by_row());
        }
        Ok(self)
    }

    fn next_trial(&mut self) -> Result<Option<Record>, StoreError> {
        let Some(mut record) = self.trials.next().transpose()? else {
            self.timings.as_mut().map_or(Ok(()), RowByRow::finish)?;
            self.series.as_mut().map_or(Ok(()), RowByRow::finish)?;
            self.moves.as_mut().map_or(Ok(()), RowByRow::finish)?;
            return Ok(None);
        };
        if record.point.goal.is_none() {
            record.dynamics = record.dynamics.or(self.only);
        }
        if let Some(timings) = &mut self.timings {
            // In the schema before, other trials have times, too, which they share with their
            // lanes.
            match record.point.goal {
                Some(_) => record.seconds = timings.take_some_of(&record)?[0].entry.seconds,
                None => drop(timings.take_of(&record)?),
            }
        }
        if let Some(series) = &mut self.series {
            let rows = series.take_of(&record)?.into_iter();
            record.course.series = rows.map(|row| row.entry).collect();
        }
        if let Some(moves) = &mut self.moves {
            let rows = moves.take_of(&record)?.into_iter();
            record.course.moves = rows.map(|row| row.entry).collect();
        }
        Ok(Some(record))
    }
}

impl Iterator for TrialReader {
    type Item = Result<Record, StoreError>;

    /// The next trial, or what is wrong; then nothing is to be asked any more.
    fn next(&mut self) -> Option<Self::Item> {
        self.next_trial().transpose()
    }
}
