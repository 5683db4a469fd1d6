//! The row of a result that is to be played: which run, which point, which trial, and whether the
//! trial that was run again is the one in the row.

use std::path::Path;

use itertools::Itertools;

use super::{Args, Which};
use crate::cli::Refused;
use crate::cli::shelf::Shelf;
use crate::cli::text::{counted, first_of};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::store::Row;
use crate::experiment::version;
use crate::replay::film::ReplayedTrial;
use crate::results::PointTrials;
use crate::results::runs::CompleteRun;
use crate::solver::outcome::COLUMNS;
use crate::solver::{Ending, Outcome};

/// A row, and the run that it is of.
pub struct PlayedRow {
    row: Row,
    experiment: String,
    code_version: String,
}

impl PlayedRow {
    /// A sentence that the trial that was run again is the one in the row.
    pub fn agreement(&self, outcome: &Outcome) -> anyhow::Result<String> {
        let (experiment, stored) = (&self.experiment, &self.row.outcome);
        if outcome == stored {
            return Ok(format!(
                "Final board, times and moves are those of the row in the results of {experiment}, \
                 code version {}",
                self.code_version
            ));
        }
        let differ = COLUMNS.iter().filter(|it| !it.is_equal(outcome, stored));
        let mut differ: Vec<&str> = differ.map(|column| column.name).collect();
        if differ.is_empty() {
            differ.push("how they end");
        }
        anyhow::bail!(
            "the trial that was run again is not the one in the row of {experiment}: they differ \
             in {}; no page was written",
            differ.join(", ")
        )
    }
}

/// The trial of the row that the command line names.
pub fn of_run(
    run: &Path,
    results: &Path,
    args: &Args,
) -> anyhow::Result<(ReplayedTrial, Option<PlayedRow>)> {
    let run = Shelf::of(results).run(run)?;
    let (_, plan) = run.plan()?;
    let points = run.points()?;
    let trials = the_point(&run, &points, args)?;
    let planned = plan.at(&trials.point).ok_or_else(|| {
        let (path, point) = (run.folder.path().display(), &trials.point);
        Refused::new(format!("{path}: its plan has no point {point}"))
    })?;
    refuse_other_code(&run, &plan, planned)?;
    let row = the_row(trials, args)?;
    let scene = ReplayedTrial {
        point: planned.point.clone(),
        seed: row.seed,
        trial: row.trial,
        cutoff: row.cutoff,
        dynamics: planned.dynamics,
        start: None,
    };
    let played = PlayedRow {
        row,
        experiment: run.manifest.experiment.clone(),
        code_version: run.manifest.code_version.clone(),
    };
    Ok((scene, Some(played)))
}

/// Refuses rows that this program need not make as they are.
fn refuse_other_code(
    run: &CompleteRun,
    plan: &Plan,
    planned: &PlannedPoint,
) -> Result<(), Refused> {
    let manifest = &run.manifest;
    let algorithm = &planned.point.algorithm;
    let changed = version::changed_of(algorithm, &manifest.code_version, &manifest.parts);
    if changed.is_empty() {
        return Ok(());
    }
    Err(Refused::new(format!(
        "{}: made by code version {}, and this program's is {} (other parts: {}), so that the trial \
         may be another; expected a run of this program, or the program of that version",
        run.folder.path().display(),
        manifest.code_version,
        plan.code_version(),
        changed.join(", ")
    )))
}

/// The one point that meets the conditions of `--only`.
fn the_point<'a>(
    run: &CompleteRun,
    points: &'a [PointTrials],
    args: &Args,
) -> Result<&'a PointTrials, Refused> {
    let only = args.only.among(std::slice::from_ref(run))?;
    let is_meant = |it: &&PointTrials| only.as_ref().is_none_or(|only| only.admit(&it.point));
    let found: Vec<&PointTrials> = points.iter().filter(is_meant).collect();
    if let [one] = found[..] {
        return Ok(one);
    }
    let name = &run.manifest.experiment;
    let with = |before: &str, after: &str| match &only {
        Some(only) => format!("{before}{only}{after}"),
        None => String::new(),
    };
    let (reason, listed) = if found.is_empty() {
        let only = with("--only ", ": ");
        let reason = format!("{only}{name} has no such point; there are");
        (reason, points.iter().collect())
    } else {
        let (count, with) = (counted(found.len(), "point"), with(" with ", ""));
        let reason = format!("{name}: {count}{with}; expected --only for one of them:");
        (reason, found)
    };
    let listed = listed.iter().map(|it: &&PointTrials| it.point.to_string());
    let listed = first_of(12, "; ", listed.collect());
    Err(Refused::new(format!("{reason} {listed}")))
}

/// The row that is asked for among those of a point.
fn the_row(trials: &PointTrials, args: &Args) -> Result<Row, Refused> {
    let point = &trials.point;
    let seeds = |rows: &mut dyn Iterator<Item = Row>| rows.map(|row| row.seed).dedup().join(", ");
    let of_seed = |row: &Row| args.seed.is_none_or(|seed| row.seed == seed);
    let mut rows: Vec<Row> = trials.rows.iter().filter(of_seed).collect();
    let numbers = || rows.iter().map(|row| row.trial);
    let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else {
        let (seed, seeds) = (
            args.seed.unwrap_or_default(),
            seeds(&mut trials.rows.iter()),
        );
        let reason = format!("{point} has no row of it; expected one of {seeds}");
        return Err(Refused::new(format!("--seed {seed}: {reason}")));
    };
    // One that was cut off is longer than any that ended; of several that are equally long, the
    // first of the table counts.
    let length = |row: &Row| (row.outcome.ending != Ending::Absorbed, row.outcome.updates);
    let reason = match args.trial {
        None => {
            let rows = counted(rows.len(), "row");
            format!("{point} has {rows}; expected --trial K, --trial longest or --trial median")
        }
        Some(Which::Longest) => {
            let longest = rows.into_iter().rev().max_by_key(length);
            return Ok(longest.expect("there are rows"));
        }
        Some(Which::Median) => {
            rows.sort_by_key(length);
            return Ok(rows.swap_remove((rows.len() - 1) / 2));
        }
        Some(Which::Trial(trial)) => {
            rows.retain(|row| row.trial == trial);
            match rows.len() {
                1 => return Ok(rows.swap_remove(0)),
                0 => {
                    format!("--trial {trial}: {point} has no such row; expected {first} to {last}")
                }
                _ => format!(
                    "--trial {trial}: {point} has a row for each seed; expected one of --seed {}",
                    seeds(&mut rows.into_iter())
                ),
            }
        }
    };
    Err(Refused::new(reason))
}
