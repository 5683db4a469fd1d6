//! The row of a result that is to be played: which run, which point, which trial, and whether the
//! trial that was run again is the one in the row.

use std::path::Path;

use super::{Args, Asked, Which, refuse_others};
use crate::cli::text::{counted, first_of};
use crate::cli::{Refused, named, page};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::store::Row;
use crate::experiment::version;
use crate::results::PointTrials;
use crate::results::runs::CompleteRun;
use crate::solver::outcome::COLUMNS;
use crate::solver::{Ending, Outcome};

/// A row, and the run that it is of.
pub struct Stored {
    row: Row,
    experiment: String,
    code_version: String,
}

impl Stored {
    /// Refuses a trial that is not the one in the row.
    pub fn compare(&self, outcome: &Outcome) -> anyhow::Result<()> {
        if *outcome == self.row.outcome {
            return Ok(());
        }
        let differ = COLUMNS
            .iter()
            .filter(|it| !it.is_equal(outcome, &self.row.outcome));
        let names: Vec<&str> = differ.map(|column| column.name).collect();
        anyhow::bail!(
            "the trial that was run again is not the one in the row of {}: they differ in {}; no \
             page was written",
            self.experiment,
            if names.is_empty() {
                "how they end".to_owned()
            } else {
                names.join(", ")
            }
        )
    }

    /// That it is.
    pub fn agreement(&self) -> String {
        format!(
            "Final board, times and moves are those of the row in the results of {}, code version \
             {}",
            self.experiment, self.code_version
        )
    }
}

/// The trial of the row that the command line names.
pub fn asked(results: &Path, args: &Args) -> anyhow::Result<Asked> {
    let run = named::run(results, Path::new(page::RESULTS))?;
    let (_, plan) = run.plan()?;
    let points = run.all_points()?;
    let trials = the_point(&run, &points, args)?;
    refuse_others(&trials.point.algorithm)?;
    let planned = plan.at(&trials.point).ok_or_else(|| {
        let (place, point) = (run.folder.path().display(), &trials.point);
        Refused::new(format!("{place}: its plan has no point {point}"))
    })?;
    refuse_other_code(&run, &plan, planned)?;
    let row = the_row(trials, args)?;
    Ok(Asked {
        point: planned.point.clone(),
        seed: row.seed,
        trial: row.trial,
        cutoff: row.cutoff,
        dynamics: planned.dynamics,
        start: None,
        stored: Some(Stored {
            row,
            experiment: run.manifest.experiment.clone(),
            code_version: run.manifest.code_version.clone(),
        }),
    })
}

/// Refuses rows that this program need not make as they are.
fn refuse_other_code(
    run: &CompleteRun,
    plan: &Plan,
    planned: &PlannedPoint,
) -> Result<(), Refused> {
    let manifest = &run.manifest;
    let changed = version::changed_at(&planned.point, &manifest.code_version, &manifest.parts);
    if changed.is_empty() {
        return Ok(());
    }
    Err(Refused::new(format!(
        "{}: made by code version {}, and this program's is {} (other parts: {}); the trial may be \
         another. Run the experiment again, or play it with the program of that version",
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
    let with = only.map_or_else(String::new, |only| format!(" with {only}"));
    let listed = |points: Vec<String>| first_of(12, "; ", points);
    let reason = match found.as_slice() {
        [one] => return Ok(*one),
        [] => {
            let points = listed(points.iter().map(|it| it.point.to_string()).collect());
            format!("no point{with}; there are {points}")
        }
        several => {
            let count = counted(several.len() as u64, "point");
            let points = listed(several.iter().map(|it| it.point.to_string()).collect());
            format!("{count}{with}; --only must name one of them: {points}")
        }
    };
    Err(Refused::of_file(&run.manifest.experiment, reason))
}

/// The row that is asked for among those of a point.
fn the_row(trials: &PointTrials, args: &Args) -> Result<Row, Refused> {
    let of_seed = |row: &Row| args.seed.is_none_or(|seed| row.seed == seed);
    let mut rows: Vec<Row> = trials.rows.iter().filter(of_seed).collect();
    let point = &trials.point;
    let seeds = |rows: &mut dyn Iterator<Item = Row>| {
        let mut seeds: Vec<String> = rows.map(|row| row.seed.to_string()).collect();
        seeds.dedup();
        seeds.join(", ")
    };
    let reason = match (args.seed, args.trial) {
        (Some(seed), _) if rows.is_empty() => {
            let seeds = seeds(&mut trials.rows.iter());
            format!("--seed {seed}: {point} has no such rows; there are those of {seeds}")
        }
        (_, None) => {
            let rows = counted(rows.len() as u64, "row");
            format!("{point} has {rows}; needed is --trial K, --trial longest or --trial median")
        }
        (_, Some(Which::Trial(trial))) => {
            let trials = || rows.iter().map(|row| row.trial);
            let there = [trials().min(), trials().max()];
            let [first, last] = there.map(Option::unwrap_or_default);
            rows.retain(|row| row.trial == trial);
            match rows.len() {
                1 => return Ok(rows.swap_remove(0)),
                0 => {
                    format!("--trial {trial}: {point} has no such row; there are {first} to {last}")
                }
                _ => format!(
                    "--trial {trial}: {point} has one for each seed; allowed is one of --seed {}",
                    seeds(&mut rows.into_iter())
                ),
            }
        }
        (_, Some(which)) => {
            // One that was cut off is longer than any that ended; of several that are equally long,
            // the first of the table.
            let length = |row: &Row| {
                let was_cut = row.outcome.ending != Ending::Absorbed;
                (was_cut, row.outcome.updates)
            };
            rows.sort_by_key(length);
            let place = match which {
                Which::Longest => {
                    rows.partition_point(|row| length(row) < length(&rows[rows.len() - 1]))
                }
                _ => (rows.len() - 1) / 2,
            };
            return Ok(rows.swap_remove(place));
        }
    };
    Err(Refused::new(reason))
}
