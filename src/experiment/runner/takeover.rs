//! What other runs have already, of this experiment and of others beside it in the results: when a
//! spec gains points, trials or seeds, only the new trials run, and no trial runs twice because it
//! stands in two specs.
//!
//! A row is taken over when it is the row of the very same trial: the same point, seed and index,
//! dynamics, and code of the engine and of the parts that the point depends on. With another cutoff
//! a trial that ended before both cutoffs is the same trial, and its row gets ours. Where our plan
//! asks for the course of the trial, the other one must ask for the same, up to the same cutoff;
//! where it does not, the row is taken without its course. Which dynamics a run had follows from
//! its plan, of which code it is from its manifest, or if it is unfinished from its code version.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use polars::prelude::{
    BooleanChunked, Column, DataFrame, Int64Chunked, NewChunkedArray, PolarsResult, StringChunked,
};

use super::finished::Finished;
use super::{Remark, Request};
use crate::experiment::code_version::{self, PartHashes};
use crate::experiment::manifest::Manifest;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::program::Programs;
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::Parts;
use crate::experiment::store::schema::{self, SERIES, TIMINGS, TRIALS};
use crate::experiment::store::table::Table;
use crate::solver::{Algorithm, Dynamics, Ending, Point};

/// Takes the rows of the plan's missing trials from every other run in the results folder, until
/// `stop` is set, and saves them as parts of this one; returns what there is to say of them. Why
/// rows do not fit is said of runs of this experiment only.
///
/// # Errors
/// A results folder that cannot be listed, and rows that cannot be saved. A run that cannot be read
/// is passed over with a remark.
pub fn take(
    request: &Request,
    (own, old): (&Path, Option<RunFolder>),
    stop: &AtomicBool,
    finished: &mut Finished,
    parts: &mut Parts,
) -> Result<Vec<Remark>, StoreError> {
    let mut remarks = Vec::new();
    let mut refused = None;
    let mut n_rows = 0;
    let hash = request.plan.hash();
    let mut runs = catalog::runs(request.results)?;
    // One that was set aside under its own name is among them already.
    runs.retain(|run| run.path() != own && old.as_ref().is_none_or(|old| old.path() != run.path()));
    let others = runs.iter().map(|run| (run, false));
    let others = others.chain(old.iter().map(|old| (old, true)));
    for (run, is_old) in others {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let Some(theirs) = OtherRun::of(run, (request.plan, &hash), is_old) else {
            continue;
        };
        let taken = take_from(&theirs, finished, parts)?;
        n_rows += taken.rows;
        remarks.extend(taken.remarks(run.path()));
        let refusal = taken.refusal(&theirs, request);
        if taken.rows > 0 || taken.broken.is_some() {
            remarks.extend(refusal);
        } else {
            refused = refusal.or(refused);
        }
    }
    // One run of other parameters is worth a word when nothing fits; ten are not, nor is one when
    // others fit.
    if n_rows == 0 {
        remarks.extend(refused);
    }
    Ok(remarks)
}

/// What another run ran, and of which code.
struct OtherRun<'a> {
    run: &'a RunFolder,
    code_version: String,
    plan: Plan,
    parts: PartHashes,
    /// True for the same run, as it was before it was set aside.
    is_old: bool,
}

impl<'a> OtherRun<'a> {
    /// The run by its manifest, or if it is not complete by its folder's name. `None` where none of
    /// its rows can be those of this program. `ours` is our plan with its hash: one of this hash is
    /// known even if the spec is lost. Of another plan whose spec is lost its rows tell the points.
    fn of(run: &'a RunFolder, (ours, own_hash): (&Plan, &str), is_old: bool) -> Option<Self> {
        // It is not complete, or damaged, which is said when its rows are read.
        let manifest = run.manifest().ok();
        let is_of_engine = |manifest: &Manifest| code_version::has_this_engine(&manifest.parts);
        if !manifest.as_ref().is_none_or(is_of_engine) {
            return None;
        }
        let (code_version, hash) = match &manifest {
            Some(it) => (it.code_version.clone(), &it.plan_hash),
            None => (run.code_version.clone(), &run.plan_hash),
        };
        let plan = match run.plan_of(hash) {
            _ if hash == own_hash => ours.clone(),
            Some(plan) => plan,
            // Where nothing tells it, reading the rows says what is wrong.
            None => plan_of_rows(run).or_else(|| run.plan())?,
        };
        let parts = match manifest {
            Some(it) => it.parts,
            None if plan.code_version() == code_version => plan.parts(),
            None => return None,
        };
        Some(Self {
            run,
            code_version,
            plan,
            parts,
            is_old,
        })
    }

    /// True if its rows at a point of another plan are those of this plan, as far as its table of
    /// trials alone says; with or without the course that is asked for.
    fn has_rows_of(&self, ours: &Plan, planned: &PlannedPoint) -> bool {
        let Some(other) = self.plan.at(&planned.point) else {
            return false;
        };
        // Times are taken anew: those of another day are no repeats of today's.
        let is_timed_anew = planned.repeats.is_some() && !self.is_old;
        planned.dynamics == other.dynamics
            && !is_timed_anew
            && has_course(planned, other)
            && self.changed_at(planned, ours).is_empty()
    }

    /// The parts at a point whose code has changed since.
    fn changed_at(&self, planned: &PlannedPoint, ours: &Plan) -> Vec<String> {
        let algorithm = ours.algorithm(&planned.point);
        code_version::changed_of(algorithm, &self.code_version, &self.parts)
    }

    /// What keeps rows of the first point that differs from being those of our plan, in words;
    /// another cutoff only where it kept rows back.
    fn change(&self, ours: &Plan, cut_off: bool) -> Option<String> {
        ours.points.iter().find_map(|planned| {
            let point = &planned.point;
            let other = self.plan.at(point)?;
            let changed = self.changed_at(planned, ours);
            let what = match () {
                () if !changed.is_empty() => {
                    return Some(format!("the code of {} has changed", changed.join(", ")));
                }
                () if planned.dynamics != other.dynamics => "dynamics",
                () if cut_off && planned.cutoff != other.cutoff => "cutoff",
                () if !has_course(planned, other) => "series",
                () => return None,
            };
            Some(format!("the {what} at {point} is another"))
        })
    }
}

/// What the tables of a complete run tell of its plan: the points with their dynamics and cutoffs,
/// and when their trials wrote down their courses.
fn plan_of_rows(run: &RunFolder) -> Option<Plan> {
    let run = CompleteRun::open(run).ok()?;
    let table = run.table(TRIALS).ok()?;
    let recorded = recorded_in(&run).unwrap_or_default();
    let recorded_at = |point: &Point| {
        let at = recorded.binary_search_by(|(other, _)| other.order(point));
        at.map_or_else(|_| [].into(), |at| Arc::clone(&recorded[at].1))
    };
    let dynamics = table.frame.column("dynamics").ok()?.str().ok()?;
    let cutoffs = table.frame.column("cutoff").ok()?.i64().ok()?;
    let points = table.points.iter().map(|(point, range)| {
        let name = dynamics.get(range.start);
        Some(PlannedPoint {
            point: point.clone(),
            first: 0,
            trials: range.len() as u32,
            cutoff: u64::try_from(cutoffs.get(range.start)?).ok()?,
            dynamics: name.and_then(Dynamics::from_name),
            repeats: None,
            recorded: recorded_at(point),
        })
    });
    let points = points.collect::<Option<Vec<_>>>()?;
    Some(Plan {
        points,
        seeds: Vec::new(),
        slowed: Vec::new(),
        programs: Programs::default(),
    })
}

/// The points of which there are courses, in their order, and the numbers of updates after which
/// their trials wrote these down: those of a point's first trial, which all have. `None` without a
/// sound table of courses.
fn recorded_in(run: &CompleteRun) -> Option<Vec<(Point, Arc<[u64]>)>> {
    let table = run.table(SERIES).ok()?;
    let updates = table.frame.column("update").ok()?.i64().ok()?;
    let trials = table.trials().ok()?;
    let mut recorded = Vec::new();
    for (point, range) in &table.points {
        let first = trials.at(range.start);
        let of_first = range.clone().take_while(|&row| trials.at(row) == first);
        let moments = of_first.map(|row| updates.get(row).map(i64::cast_unsigned));
        recorded.push((point.clone(), moments.collect::<Option<_>>()?));
    }
    Some(recorded)
}

/// What was taken from one run.
#[derive(Default)]
struct Taken {
    rows: u64,
    /// True if its cutoffs kept rows back.
    cut_off: bool,
    /// Why it, or its table of courses, could not be read.
    broken: Option<String>,
    /// Searches whose times are lost, and why.
    untimed: u64,
    lost: Option<String>,
}

impl Taken {
    /// What there is to say of the rows that were taken.
    fn remarks(&self, from: &Path) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let from = from.to_path_buf();
        if self.rows > 0 {
            remarks.push(Remark::TakenOver {
                from: from.clone(),
                rows: self.rows,
            });
        }
        if self.untimed > 0
            && let Some(reason) = self.lost.clone()
        {
            remarks.push(Remark::SecondsLost {
                from,
                searches: self.untimed,
                reason,
            });
        }
        remarks
    }

    /// Why rows were left, where that is known. Why they do not fit is said of runs of the same
    /// experiment only.
    fn refusal(&self, theirs: &OtherRun, request: &Request) -> Option<Remark> {
        let is_of_experiment = theirs.run.experiment == request.spec.name;
        let reason = match &self.broken {
            Some(reason) => reason.clone(),
            None if is_of_experiment => {
                let change = theirs.change(request.plan, self.cut_off)?;
                match self.rows {
                    0 => change,
                    _ => format!("the rest, since {change}"),
                }
            }
            None => return None,
        };
        let from = theirs.run.path().to_path_buf();
        Some(Remark::NotTakenOver { from, reason })
    }
}

/// Takes the rows of the missing trials from one run. Where its table of trials is sound, and that
/// of times or courses is not, only these are lost.
fn take_from(
    theirs: &OtherRun,
    finished: &mut Finished,
    parts: &mut Parts,
) -> Result<Taken, StoreError> {
    let ours = finished.plan;
    let points = ours.points.iter();
    let is_same = points.map(|point| theirs.has_rows_of(ours, point));
    let is_same: Vec<bool> = is_same.collect();
    if !is_same.contains(&true) {
        return Ok(Taken {
            cut_off: true,
            ..Taken::default()
        });
    }

    let mut takeover = Takeover {
        finished,
        parts,
        is_same,
        rows: Vec::new(),
        taken: Taken::default(),
    };
    let read = takeover.read(theirs.run);
    // A table of courses that is lost was named before.
    let broken = read.err().map(|error| error.to_string());
    takeover.taken.broken = takeover.taken.broken.or(broken);
    takeover.save(theirs.run)
}

/// The rows that are being taken from one run.
struct Takeover<'t, 'f, 'p> {
    finished: &'t mut Finished<'f>,
    parts: &'t mut Parts<'p>,
    /// Of each point of our plan whether the other run has the very same trials.
    is_same: Vec<bool>,
    /// Rows that are not saved yet.
    rows: Vec<DataFrame>,
    taken: Taken,
}

impl Takeover<'_, '_, '_> {
    /// Takes the rows of a run, complete or under way.
    fn read(&mut self, run: &RunFolder) -> Result<(), StoreError> {
        if !run.is_complete() {
            // The run itself will set aside what is damaged when it goes on.
            run.scan_parts(&mut |part| self.take(&part))?;
        }
        // It may have ended meanwhile, and its parts are gone then.
        if run.is_complete() {
            self.read_complete(run)?;
        }
        Ok(())
    }

    fn read_complete(&mut self, run: &RunFolder) -> Result<(), StoreError> {
        let run = CompleteRun::open(run)?;
        let (part, lost) = run.sound_part()?;
        for (name, error) in &lost {
            self.note_lost(name, error);
        }

        let has_times = lost.iter().all(|(name, _)| *name != TIMINGS);
        // Of times that are lost nothing is said.
        if has_times {
            let held_up = run.manifest.held_up.iter();
            self.parts.held_up.extend(held_up.cloned());
        }
        let taken = self.take(&part);
        taken.map_err(|error| run.wrong_file(TRIALS, error))
    }

    /// Notes that a table is damaged. Without its courses a run has no row of a point of which ours
    /// asks for them.
    fn note_lost(&mut self, table: &str, error: &StoreError) {
        let ours = self.finished.plan;
        if table == TIMINGS {
            self.taken.lost = Some(error.to_string());
            return;
        }
        if ours.records_series() {
            self.taken.broken = Some(error.to_string());
        }
        for (is_same, point) in self.is_same.iter_mut().zip(&ours.points) {
            *is_same &= point.recorded.is_empty();
        }
    }

    /// Takes the rows of missing trials in a part.
    fn take(&mut self, part: &Table) -> PolarsResult<()> {
        let chosen = ChosenRows::of(part, self.finished, &self.is_same)?;
        self.taken.cut_off |= chosen.are_cut_off;
        for rows in chosen.rows(part)? {
            let rows = self.parts.aligned(&rows)?;
            self.finished.enter_all(&rows)?;
            self.rows.push(rows.frame);
        }
        Ok(())
    }

    /// Saves the rows as parts of our run.
    fn save(self, run: &RunFolder) -> Result<Taken, StoreError> {
        let mut taken = self.taken;
        for rows in self.rows {
            if rows.height() == 0 {
                continue;
            }
            let searches = searches_in(&rows);
            let searches = searches.map_err(|error| StoreError::format(run.path(), error))?;
            taken.rows += rows.height() as u64;
            taken.untimed += searches;
            self.parts.write([Ok(rows)])?;
        }
        Ok(taken)
    }
}

/// How many rows of a part are of searches.
fn searches_in(rows: &DataFrame) -> PolarsResult<u64> {
    let goals = rows.column("goal")?;
    Ok((goals.len() - goals.null_count()) as u64)
}

/// The rows of a part that are of missing trials at the points that are the same.
struct ChosenRows {
    /// True for each row that is taken with its course.
    with_course: Vec<bool>,
    /// True for each row that is taken without one, since our plan asks for none.
    without_course: Vec<bool>,
    /// The cutoff of each row: of one that is taken it is that of our plan.
    cutoffs: Vec<i64>,
    /// True if the other run's cutoff keeps a row back.
    are_cut_off: bool,
}

impl ChosenRows {
    fn of(part: &Table, finished: &Finished, is_same: &[bool]) -> PolarsResult<Self> {
        let n_rows = part.frame.height();
        let cutoffs = part.frame.column("cutoff")?.i64()?.cont_slice()?;
        let mut chosen = Self {
            with_course: vec![false; n_rows],
            without_course: vec![false; n_rows],
            cutoffs: cutoffs.to_vec(),
            are_cut_off: false,
        };
        for (point, range) in &part.points {
            let index = finished.plan.index_of(point);
            if let Some(index) = index.filter(|index| is_same[*index]) {
                chosen.add_point(part, range, finished, index)?;
            }
        }
        Ok(chosen)
    }

    /// Adds the rows of a point, which is the one of this index in our plan.
    fn add_point(
        &mut self,
        part: &Table,
        range: &Range<usize>,
        finished: &Finished,
        point: usize,
    ) -> PolarsResult<()> {
        let planned = &finished.plan.points[point];
        let trials = part.trials()?;
        let lengths = Lengths::of(part, finished.plan.algorithm(&planned.point))?;
        // A spec has no cutoff that a column cannot hold.
        let cutoff = planned.cutoff.cast_signed();
        let chosen = match planned.recorded.is_empty() {
            true => &mut self.without_course,
            false => &mut self.with_course,
        };
        for row in range.clone() {
            let (seed, trial) = trials.at(row);
            if !finished.is_missing(point, seed, trial) {
                continue;
            }
            let other_cutoff = self.cutoffs[row];
            let is_below_both = |length| length < cutoff.min(other_cutoff);
            // Then neither cutoff changes what the trial did.
            if other_cutoff == cutoff || lengths.at(row).is_some_and(is_below_both) {
                self.cutoffs[row] = cutoff;
                chosen[row] = true;
            } else {
                self.are_cut_off = true;
            }
        }
        Ok(())
    }

    /// The chosen rows: those with their courses, and those without.
    fn rows(self, part: &Table) -> PolarsResult<[DataFrame; 2]> {
        let mut all = part.frame.clone();
        all.with_column(Column::new("cutoff".into(), &self.cutoffs))?;
        let without_courses = schema::without_courses(&all);
        let chosen = |frame: &DataFrame, is_chosen: &[bool]| {
            frame.filter(&BooleanChunked::from_slice("".into(), is_chosen))
        };
        Ok([
            chosen(&all, &self.with_course)?,
            chosen(&without_courses, &self.without_course)?,
        ])
    }
}

/// How long the trials of a part took, in what their cutoff counts.
struct Lengths<'t> {
    endings: &'t StringChunked,
    /// The columns that count it; a trial is as long as the largest says.
    columns: Vec<&'t Int64Chunked>,
}

impl<'t> Lengths<'t> {
    /// Those of trials of an algorithm.
    fn of(part: &'t Table, algorithm: Option<&Algorithm>) -> PolarsResult<Self> {
        let endings = part.frame.column("outcome")?.str()?;
        let names = algorithm.map_or(&[][..], |algorithm| algorithm.lengths);
        let columns = names.iter().map(|name| part.frame.column(name)?.i64());
        Ok(Self {
            endings,
            columns: columns.collect::<PolarsResult<_>>()?,
        })
    }

    /// How long the trial of a row took; `None` of one that was cut off.
    fn at(&self, row: usize) -> Option<i64> {
        let ending = Ending::from_name(self.endings.get(row)?)?;
        if ending == Ending::Censored {
            return None;
        }
        let lengths = self.columns.iter().filter_map(|column| column.get(row));
        lengths.max()
    }
}

/// True if `b` has the course that `a` asks for.
fn has_course(a: &PlannedPoint, b: &PlannedPoint) -> bool {
    a.recorded.is_empty() || a.moments() == b.moments() && a.cutoff == b.cutoff
}
