//! The row of a result that is to be played: which run, which point, which trial, and whether the
//! trial that was run again is the one in the row. Here are what `longest` and `median` mean (a
//! trial that was cut off counts as longer than any that ended) and the messages where several
//! points or no row are meant.

use itertools::Itertools;

use super::{ReplayArgs, Which};
use crate::cli::spec_options::OnlyArgs;
use crate::cli::target::MeantRuns;
use crate::cli::text::{counted, first_of};
use crate::cli::{Refused, target, user_files};
use crate::experiment::code_version;
use crate::experiment::manifest::Manifest;
use crate::experiment::spec::conditions_of_any;
use crate::experiment::store::Row;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::rows::PointTrials;
use crate::replay::film::SingleTrial;
use crate::solver::outcome::COLUMNS;
use crate::solver::{Ending, Key, Outcome};

/// A sentence that the trial that was run again is the one in the row of a run.
pub fn agreement(row: &Row, run: &Manifest, outcome: &Outcome) -> anyhow::Result<String> {
    let stored = &row.outcome;
    let experiment = &run.experiment;
    let version = &run.code_version;
    if outcome == stored {
        return Ok(format!(
            "Final board, times and moves are those of the row in the results of {experiment}, \
                 code version {version}"
        ));
    }
    let differ = COLUMNS
        .iter()
        .filter(|column| !column.is_equal(outcome, stored));
    let names = differ.map(|column| column.name).join(", ");
    let differ = if names.is_empty() {
        "how they end"
    } else {
        &names
    };
    anyhow::bail!(
        "the trial that was run again is not the one in the row of {experiment}: they differ \
         in {differ}; no page was written"
    )
}

/// The trial of the row that the command line names, the row, and the manifest of its run.
pub fn of_run(args: &ReplayArgs) -> anyhow::Result<(SingleTrial, Row, Manifest)> {
    let (run, names) = the_run(args)?;
    let (path, (_, plan)) = (run.folder.path().display(), run.plan()?);
    let points = run.points()?;
    let trials = the_point((&run, &names), &points, args)?;
    let planned = plan
        .at(&trials.point)
        .ok_or_else(|| Refused::new(format!("{path}: its plan has no point {}", trials.point)))?;
    // Rows that this program need not make as they are.
    let made_by = &run.manifest.code_version;
    let algorithm = plan.algorithm(&planned.point);
    let changed = code_version::changed_of(algorithm, made_by, &run.manifest.parts);
    if !changed.is_empty() {
        let present = plan.code_version();
        let changed = changed.join(", ");
        return Err(Refused::new(format!(
            "{path}: made by code version {made_by}, and this program's is {present} (other parts: \
             {changed}), so that the trial may be another; expected a run of this program, or the \
             program of that version"
        ))
        .into());
    }
    let row = the_row(trials, args)?;
    let seed = row.seed;
    let trial = row.trial;
    let one = SingleTrial {
        point: planned.point.clone(),
        key: Key { seed, trial },
        cutoff: row.cutoff,
        dynamics: planned.dynamics,
        start: None,
    };
    Ok((one, row, run.manifest.clone()))
}

/// The one run that is named, and the names of its conditions.
fn the_run(args: &ReplayArgs) -> anyhow::Result<(CompleteRun, Vec<(String, String)>)> {
    let named = &args.what;
    let asked = &args.parameters;
    let MeantRuns { all, names } = target::runs(std::slice::from_ref(named), &args.common.results)?;
    if asked.cutoff.is_some() || asked.start.is_some() || args.dynamics.is_some() {
        let reason = "a row has its own; expected no --cutoff, --dynamics or --start";
        return Err(user_files::refused(named, reason).into());
    }
    if all.len() > 1 {
        let folders = all
            .iter()
            .map(|run| run.folder.path().display().to_string());
        let in_words = first_of(5, ", ", folders.collect());
        let reason = format!("{} runs; expected one of {in_words}", all.len());
        return Err(user_files::refused(named, reason).into());
    }
    let run = all.into_iter().next();
    let run = run.expect("an argument that means no run is refused");
    Ok((run, names))
}

/// The one point that meets the conditions.
fn the_point<'a>(
    (run, names): (&CompleteRun, &[(String, String)]),
    points: &'a [PointTrials],
    args: &ReplayArgs,
) -> Result<&'a PointTrials, Refused> {
    let keys = args.parameters.keys.iter();
    let keys = keys.map(|(key, value)| format!("{key}={value}")).join(",");
    let mut given = OnlyArgs::default();
    if !keys.is_empty() {
        let conditions =
            conditions_of_any(&keys).map_err(|reason| Refused::new(format!("{keys}: {reason}")))?;
        given.only.push(conditions);
    }
    let conditions = given.among(std::slice::from_ref(run), names)?;
    let is_meant = |point_trials: &&PointTrials| {
        conditions
            .as_ref()
            .is_none_or(|conditions| conditions.admit(&point_trials.point))
    };
    let meant: Vec<&PointTrials> = points.iter().filter(is_meant).collect();
    if let [point_trials] = meant[..] {
        return Ok(point_trials);
    }
    let name = &run.manifest.experiment;
    let count = counted(meant.len(), "point");
    let choices = if meant.is_empty() {
        points.iter().collect()
    } else {
        meant
    };
    let choices = choices.iter().map(|choice| choice.point.to_string());
    let there = first_of(12, "; ", choices.collect());
    let with = if keys.is_empty() { "" } else { " with " };
    Err(Refused::new(format!(
        "{name}: {count}{with}{keys}; expected the keys of one of {there}"
    )))
}

/// The row that is asked for among those of a point.
fn the_row(trials: &PointTrials, args: &ReplayArgs) -> Result<Row, Refused> {
    let is_meant = |row: &Row| {
        let is_of_seed = args.parameters.seed.is_none_or(|seed| row.seed == seed);
        is_of_seed && !matches!(args.trial, Some(Which::Trial(trial)) if trial != row.trial)
    };
    // One that was cut off is longer than any that ended; of several that are equally long, the
    // first of the table counts.
    let length = |row: &Row| (row.outcome.ending != Ending::Absorbed, row.outcome.updates);
    let rows = trials.rows.iter().filter(is_meant);
    let rows: Vec<Row> = rows.sorted_by_key(length).collect();
    let point = &trials.point;
    let number = counted(rows.len(), "row");
    let seeds = trials.rows.iter().map(|row| row.seed).dedup().join(", ");
    let row = match args.trial {
        Some(Which::Median) => rows.get(rows.len().saturating_sub(1) / 2),
        Some(Which::Longest) => rows.iter().rev().max_by_key(|row| length(row)),
        Some(Which::Trial(_)) | None if rows.len() > 1 => {
            return Err(Refused::new(format!(
                "{point} has {number}; expected --trial K, longest or median, and one of --seed {seeds}"
            )));
        }
        Some(Which::Trial(_)) | None => rows.first(),
    };
    row.cloned().ok_or_else(|| {
        let last = trials.rows.iter().map(|row| row.trial).max();
        let last = last.unwrap_or_default();
        Refused::new(format!(
            "{point} has no such row; expected one of --seed {seeds} and of --trial up to {last}"
        ))
    })
}
