//! The row of a result that is to be played: which run, which point, which trial, and whether the
//! trial that was run again is the one in the row.

use itertools::Itertools;

use super::{Args, Which};
use crate::cli::Refused;
use crate::cli::plan::OnlyArgs;
use crate::cli::text::{counted, first_of};
use crate::cli::{output, word};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::conditions;
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
pub fn of_run(args: &Args) -> anyhow::Result<(ReplayedTrial, Option<PlayedRow>)> {
    let (run, asked) = (&args.what, &args.asked);
    let runs = word::runs(std::slice::from_ref(run), &args.common.results)?;
    if asked.cutoff.is_some() || asked.start.is_some() || args.dynamics.is_some() {
        let reason = "a row has its own; expected no --cutoff, --dynamics or --start";
        return Err(output::refused(run, reason).into());
    }
    let [run] = &runs[..] else {
        let folders = runs.iter().map(|it| it.folder.path().display().to_string());
        let folders = first_of(5, ", ", folders.collect());
        let reason = format!("{} runs; expected one of {folders}", runs.len());
        return Err(output::refused(run, reason).into());
    };
    let (_, plan) = run.plan()?;
    let points = run.points()?;
    let trials = the_point(run, &points, args)?;
    let planned = plan.at(&trials.point).ok_or_else(|| {
        let (path, point) = (run.folder.path().display(), &trials.point);
        Refused::new(format!("{path}: its plan has no point {point}"))
    })?;
    refuse_other_code(run, &plan, planned)?;
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

/// The one point that meets the conditions.
fn the_point<'a>(
    run: &CompleteRun,
    points: &'a [PointTrials],
    args: &Args,
) -> Result<&'a PointTrials, Refused> {
    let given = args.asked.given.iter();
    let given = given.map(|(key, value)| format!("{key}={value}")).join(",");
    let only = match given.is_empty() {
        true => Vec::new(),
        false => vec![conditions(&given).map_err(Refused::new)?],
    };
    let only = OnlyArgs { only }.among(std::slice::from_ref(run))?;
    let is_meant = |it: &&PointTrials| only.as_ref().is_none_or(|only| only.admit(&it.point));
    let found: Vec<&PointTrials> = points.iter().filter(is_meant).collect();
    if let [one] = found[..] {
        return Ok(one);
    }
    let (name, count) = (&run.manifest.experiment, counted(found.len(), "point"));
    let there = if found.is_empty() {
        points.iter().collect()
    } else {
        found
    };
    let there = there.iter().map(|it: &&PointTrials| it.point.to_string());
    let there = first_of(12, "; ", there.collect());
    let with = if given.is_empty() { "" } else { " with " };
    Err(Refused::new(format!(
        "{name}: {count}{with}{given}; expected the keys of one of {there}"
    )))
}

/// The row that is asked for among those of a point.
fn the_row(trials: &PointTrials, args: &Args) -> Result<Row, Refused> {
    let point = &trials.point;
    let of_seed = |row: &Row| args.asked.seed.is_none_or(|seed| row.seed == seed);
    let is_meant = |row: &Row| match args.trial {
        Some(Which::Trial(trial)) => of_seed(row) && row.trial == trial,
        _ => of_seed(row),
    };
    let mut rows: Vec<Row> = trials.rows.iter().filter(is_meant).collect();
    // One that was cut off is longer than any that ended; of several that are equally long, the
    // first of the table counts.
    let length = |row: &Row| (row.outcome.ending != Ending::Absorbed, row.outcome.updates);
    rows.sort_by_key(length);
    let at = match args.trial {
        Some(Which::Median) => rows.len().saturating_sub(1) / 2,
        Some(Which::Longest) => {
            let longest = rows.last().map(length);
            rows.partition_point(|row| Some(length(row)) < longest)
        }
        Some(Which::Trial(_)) | None if rows.len() > 1 => {
            let (rows, seeds) = (counted(rows.len(), "row"), seeds(trials));
            return Err(Refused::new(format!(
                "{point} has {rows}; expected --trial K, longest or median, and one of --seed {seeds}"
            )));
        }
        Some(Which::Trial(_)) | None => 0,
    };
    rows.into_iter().nth(at).ok_or_else(|| {
        let (last, seeds) = (trials.rows.iter().map(|row| row.trial).max(), seeds(trials));
        let last = last.unwrap_or_default();
        Refused::new(format!(
            "{point} has no such row; expected one of --seed {seeds} and of --trial up to {last}"
        ))
    })
}

fn seeds(trials: &PointTrials) -> String {
    trials.rows.iter().map(|row| row.seed).dedup().join(", ")
}
