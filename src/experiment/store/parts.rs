//! What a run under way has saved: files `parts/<number>-<checksum>.parquet` of trials with their
//! times and courses, each there whole or not at all. A start joins those that it finds, so that
//! the parts of one process have different trials. Here are the form of their names, when parts are
//! joined, the rows of a part, the message of a part that is damaged, and the file of times that
//! are held up. How often a part is saved is in `runner/attempt.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use polars::prelude::{DataFrame, PolarsError, PolarsResult};
use serde::{Deserialize, Serialize};

use super::atomic::{self, MOST, UNREAD, bytes_of, checksum, checksum_of, text_of};
use super::folder::{MANIFEST, PARTS, RunFolder, entries, may_exist, set_aside};
use super::schema::{self, SECONDS, SERIES, TIMINGS, TRIALS};
use super::table::{self, Axes, GROUP, Joined, PointRows, Table};
use super::{Point, Record, StoreError};
use crate::experiment::manifest::{FileSeal, HeldUp, Manifest, PointTotals};
use crate::experiment::plan::{MAX_TRIALS, Plan};

/// Digits of the checksum in a part's name.
const DIGITS: usize = 32;
/// Observations that are put in order at once, about.
const OBSERVATIONS: usize = 1 << 20;
/// Trials whose columns are made at once: few enough to stay in the processor's cache from one
/// column to the next.
const MADE_AT_ONCE: usize = 1 << 11;
/// Row groups of a part at most, so that few rows are in memory when it is read.
const MOST_GROUPS: usize = 4;

/// The parts of a run that this process alone writes to.
pub struct Parts<'a> {
    run: &'a RunFolder,
    plan: &'a Plan,
    folder: PathBuf,
    files: Vec<PartOfRun>,
    /// The columns of a part of the plan's trials.
    header: DataFrame,
    /// The times that are kept though they are held up, of the trials that are saved or to be
    /// saved; others among them do no harm.
    pub held_up: Vec<HeldUp>,
}

/// A part, whose rows are on the disk alone.
struct PartOfRun {
    path: PathBuf,
    order: Vec<PointRows>,
}

/// The file in the folder of parts that has the times that are held up.
const HELD_UP: &str = "held-up.toml";

/// Bytes that it may have: far more than it has.
const MOST_HELD_UP: u64 = 1 << 27;

/// What the file has.
#[derive(Serialize, Deserialize)]
struct HeldUpTimes {
    held_up: Vec<HeldUp>,
}

impl<'a> Parts<'a> {
    /// The parts of a run, whose folder is made if need be; several are joined. A part that is
    /// damaged or of another run is set aside in the run's folder, and what is wrong with it
    /// returned.
    ///
    /// # Errors
    /// Those of the file system; two parts with different rows of a trial.
    pub fn open(run: &'a RunFolder, plan: &'a Plan) -> Result<(Self, Vec<StoreError>), StoreError> {
        let folder = run.path().join(PARTS);
        atomic::make_folder(&folder).map_err(StoreError::io(&folder))?;
        for folder in [run.path(), &folder] {
            let cleared = atomic::remove_unfinished(folder, Duration::ZERO);
            cleared.map_err(StoreError::io(folder))?;
        }
        let header = columns(plan, &[]).map_err(|error| StoreError::format(&folder, error))?;
        let mut parts = Self {
            run,
            plan,
            files: Vec::new(),
            header,
            held_up: held_up_in(&folder),
            folder,
        };
        let mut damaged = Vec::new();
        for (number, path) in list(&parts.folder)? {
            match parts.order_of(&path) {
                Ok(order) => parts.files.push(PartOfRun { path, order }),
                Err(error) if error.is_damage() => {
                    let kept = run.path().join(format!("part-{number:06}"));
                    set_aside(&path, &kept)?;
                    damaged.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        if parts.files.len() > 1 {
            parts.join()?;
        }
        Ok((parts, damaged))
    }

    /// The trials that are saved, point by point, of one part after the other.
    pub fn saved(&self) -> impl Iterator<Item = &PointRows> {
        self.files.iter().flat_map(|part| &part.order)
    }

    /// Puts the rows of all parts into others that have no trial in common.
    fn join(&mut self) -> Result<(), StoreError> {
        let old = std::mem::take(&mut self.files);
        let joined = self.joined(&old)?;
        let mut slices = joined.slices(self.step()).peekable();
        let mut files = Vec::new();
        while slices.peek().is_some() {
            let rows = slices.by_ref().take(MOST_GROUPS);
            files.push(self.written(rows, files.len())?);
        }
        drop(slices);
        drop(joined);
        for part in &old {
            if !files.iter().any(|file| file.path == part.path) {
                fs::remove_file(&part.path).map_err(StoreError::io(&part.path))?;
            }
        }
        self.files = files;
        Ok(())
    }

    /// Saves trials that have ended, in whatever order they come.
    pub fn save(&mut self, records: &mut [Record]) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        // Most have the point of the one before.
        let mut last: Option<(Arc<Point>, Option<usize>)> = None;
        records.sort_by_cached_key(|record| {
            let known = last.take();
            let known = known.filter(|(point, _)| Arc::ptr_eq(point, &record.point));
            let ranked = known.unwrap_or_else(|| {
                let rank = self.plan.index_of(&record.point);
                (Arc::clone(&record.point), rank)
            });
            let rank = ranked.1;
            last = Some(ranked);
            (rank, record.row.seed, record.row.trial)
        });
        self.save_held_up()?;
        self.write([columns(self.plan, records)])
    }

    /// Saves the times that are held up, if there are any.
    fn save_held_up(&self) -> Result<(), StoreError> {
        if self.held_up.is_empty() {
            return Ok(());
        }
        let held_up = self.held_up.clone();
        let path = self.folder.join(HELD_UP);
        let text = toml::to_string(&HeldUpTimes { held_up });
        let text = text.map_err(|error| StoreError::format(&path, error))?;
        atomic::write(&path, text.as_bytes()).map_err(StoreError::io(&path))
    }

    /// The columns of a part, of rows that may lack some, or have others.
    pub fn aligned(&self, rows: &DataFrame) -> PolarsResult<Table> {
        Table::of(schema::aligned(&self.header, rows)?)
    }

    /// Writes rows as parts of this run, of so many rows each that few are in memory when they are
    /// read.
    pub fn write(
        &mut self,
        rows: impl IntoIterator<Item = PolarsResult<DataFrame>>,
    ) -> Result<(), StoreError> {
        for piece in rows {
            let piece = piece.map_err(|error| StoreError::format(&self.folder, error))?;
            let size = MOST_GROUPS * self.step();
            for start in (0..piece.height()).step_by(size) {
                let rows = piece.slice(start as i64, size);
                let part = self.written([Ok(rows)], self.files.len())?;
                self.files.push(part);
            }
        }
        Ok(())
    }

    /// Writes a part of this number.
    fn written(
        &self,
        rows: impl IntoIterator<Item = PolarsResult<DataFrame>>,
        number: usize,
    ) -> Result<PartOfRun, StoreError> {
        let mut order = Vec::new();
        let mut n_rows = 0;
        let rows = rows.into_iter().map(|rows| {
            let mut frame = rows?;
            frame.rechunk_mut();
            let table = Table::of(frame)?;
            order.extend(table.order(n_rows)?);
            n_rows += table.frame.height();
            Ok(table.frame)
        });
        let run = self.run.name();
        let mut bytes = Vec::new();
        let written = table::write(&self.header, rows, self.step(), Some(&run), &mut bytes);
        written.map_err(|error| StoreError::format(&self.folder, error))?;
        let checksum = &checksum(&bytes)[..DIGITS];
        let path = self.folder.join(format!("{number:06}-{checksum}.parquet"));
        atomic::write(&path, &bytes).map_err(StoreError::io(&self.folder))?;
        Ok(PartOfRun { path, order })
    }

    /// The trials of a part.
    fn order_of(&self, path: &Path) -> Result<Vec<PointRows>, StoreError> {
        let order = self.table(path)?.order(0);
        order.map_err(|error| StoreError::format(path, error))
    }

    fn table(&self, path: &Path) -> Result<Table, StoreError> {
        let table = self.aligned(&read(path, self.run)?.frame);
        table.map_err(|error| StoreError::format(path, error))
    }

    /// The rows of these parts, each of which is read when its rows' turn comes.
    fn joined<'p>(&'p self, files: &'p [PartOfRun]) -> Result<Joined<'p>, StoreError> {
        let load = |part: usize| {
            let table = self.table(&files[part].path);
            let error = |error: StoreError| PolarsError::ComputeError(error.to_string().into());
            table.map(|table| table.frame).map_err(error)
        };
        let orders: Vec<&[PointRows]> = files.iter().map(|part| &*part.order).collect();
        let joined = Joined::loading(&orders, self.header.clone(), Box::new(load), &[SECONDS]);
        joined.map_err(|error| StoreError::format(&self.folder, error))
    }

    /// Trials that are put in order at once: few, where each has a long course.
    fn step(&self) -> usize {
        let moments = self.plan.points.iter().map(|point| point.moments().len());
        (OBSERVATIONS / moments.max().unwrap_or(1).max(1)).clamp(1, GROUP)
    }

    /// Turns the run, of which the parts have all trials, into a complete one: the tables, then the
    /// manifest, and only then are the parts removed. The tables that the plan asks for are made
    /// even where they have no row.
    ///
    /// # Errors
    /// Any of the file system's, or trials that are missing; what was saved stays.
    pub fn complete(&self, mut manifest: Manifest) -> Result<Manifest, StoreError> {
        let joined = self.joined(&self.files)?;
        let found = joined.height() as u64;
        let all = self.plan.trials();
        if found != all {
            let reason = format!("the parts hold {found} trials of {all}; run again to go on");
            return Err(StoreError::format(self.run.path(), reason));
        }

        self.write_table(TRIALS, &joined, &mut manifest)?;
        if self.plan.has_searches() {
            self.write_table(TIMINGS, &joined, &mut manifest)?;
        }
        if self.plan.records_series() {
            self.write_table(SERIES, &joined, &mut manifest)?;
        }

        manifest.held_up = self.held_up_at(&manifest.points);
        let text = manifest.to_text();
        let text = text.map_err(|error| StoreError::format(self.run.path(), error))?;
        self.run.save(MANIFEST, &text)?;
        self.run.remove_leftovers()?;
        Ok(manifest)
    }

    /// Writes a table of the run, and what the manifest says of it.
    fn write_table(
        &self,
        name: &'static str,
        joined: &Joined,
        manifest: &mut Manifest,
    ) -> Result<(), StoreError> {
        let path = self.run.path().join(name);
        let mut bytes = Vec::new();
        let pieces = joined.slices(self.step()).map(|part| {
            let part = part?;
            if name == TRIALS {
                PointTotals::add(&mut manifest.points, &part, &self.held_up)?;
            }
            schema::rows_in(name, &part)
        });
        let header = schema::rows_in(name, &self.header);
        let written =
            header.and_then(|header| table::write(&header, pieces, GROUP, None, &mut bytes));
        let n_rows = written.map_err(|error| StoreError::format(&path, error))?;

        match name {
            TRIALS => manifest.rows = n_rows,
            SERIES => manifest.series_rows = n_rows,
            _ => {}
        }
        let seal = FileSeal::of(&bytes);
        manifest.files.insert(name.to_owned(), seal);
        atomic::write(&path, &bytes).map_err(StoreError::io(&path))
    }

    /// The times that are held up at these points: of a run whose rows were taken over there may be
    /// others.
    fn held_up_at(&self, totals: &[PointTotals]) -> Vec<HeldUp> {
        let points: BTreeSet<&String> = totals.iter().map(|totals| &totals.point).collect();
        let held_up = self.held_up.iter();
        let here = held_up.filter(|held_up| points.contains(&held_up.point));
        here.cloned().collect()
    }
}

impl RunFolder {
    /// Reads every part of a run that another process may be working at, and leaves every file as
    /// it is; returns those that are damaged.
    pub fn scan_parts(
        &self,
        read_part: &mut dyn FnMut(Table) -> PolarsResult<()>,
    ) -> Result<Vec<StoreError>, StoreError> {
        let mut damaged = Vec::new();
        for (_, path) in list(&self.path().join(PARTS))? {
            let part = read(&path, self)
                .and_then(|part| read_part(part).map_err(|error| StoreError::format(&path, error)));
            match part {
                Ok(()) => {}
                // It was joined with others meanwhile.
                Err(StoreError::Io { source, .. })
                    if source.kind() == io::ErrorKind::NotFound && !may_exist(&path) => {}
                Err(error) if error.is_damage() => damaged.push(error),
                Err(error) => return Err(error),
            }
        }
        Ok(damaged)
    }
}

/// The times that are held up, as they were saved. Of a file that cannot be read nothing is known:
/// these times then count as any other.
fn held_up_in(folder: &Path) -> Vec<HeldUp> {
    let text = text_of(&folder.join(HELD_UP), MOST_HELD_UP).unwrap_or_default();
    let times: Result<HeldUpTimes, _> = toml::from_str(&text);
    times.map_or_else(|_| Vec::new(), |times| times.held_up)
}

/// The columns of a part of the plan's trials.
fn columns(plan: &Plan, records: &[Record]) -> PolarsResult<DataFrame> {
    let axes = Axes::of(plan.points.iter().map(|planned| &planned.point));
    let own = plan.own_columns();
    let rows = |records: &[Record]| schema::part(&axes, &own, plan.records_series(), records);
    let mut all = rows(&[])?;
    for some in records.chunks(MADE_AT_ONCE) {
        all.vstack_mut_owned(rows(some)?)?;
    }
    Ok(all)
}

/// The parts, by number; none where there is no folder.
fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let numbered = |path: PathBuf| {
        let number = path.file_name()?.to_str()?.split('-').next()?;
        Some((number.parse().ok()?, path))
    };
    let mut parts: Vec<_> = entries(folder)?.into_iter().filter_map(numbered).collect();
    parts.sort();
    Ok(parts)
}

/// The rows of a part of this run, whose bytes give its name.
fn read(path: &Path, run: &RunFolder) -> Result<Table, StoreError> {
    if path.is_dir() {
        let reason = "a folder, as an earlier program saved a part; expected a file";
        return Err(StoreError::format(path, reason));
    }
    // Compared before it is read into memory: in the place of a part may lie a file of any size.
    refuse_other_name(path, &checksum_of(path, MOST)?)?;
    let bytes = bytes_of(path, MOST)?;
    // It may have been changed since.
    refuse_other_name(path, &checksum(&bytes))?;
    let table = Table::of_bytes(bytes, MAX_TRIALS, Some(&run.name()));
    table.map_err(|error| StoreError::of_table(path, error))
}

/// Refuses a part whose name does not have the first digits of its bytes' BLAKE3.
fn refuse_other_name(path: &Path, blake3: &str) -> Result<(), StoreError> {
    let found = &blake3[..DIGITS];
    let name = path.file_stem().and_then(|name| name.to_str());
    let expected = name.and_then(|name| name.split('-').nth(1)).unwrap_or("");
    if found == expected {
        return Ok(());
    }
    let reason = format!("its BLAKE3 begins with {found}; expected that of its name: {UNREAD}");
    Err(StoreError::format(path, reason))
}
