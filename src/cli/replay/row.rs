//! The row of a result that is to be played: which run, which point, which trial, and whether the
//! trial that was run again is the one in the row.

use std::path::{Path, PathBuf};

use super::Args;
use super::scene::{Asked, refuse_others};
use crate::cli::Refused;
use crate::cli::number;
use crate::cli::text::did_you_mean;
use crate::experiment::plan::Plan;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::{Point, Row};
use crate::experiment::version;
use crate::results::PointTrials;
use crate::results::runs::{self, CompleteRun};
use crate::solver::goal::Goal;
use crate::solver::outcome::COLUMNS;
use crate::solver::point::WORDS;
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
    let run = run_at(results)?;
    let (_, plan) = run.plan()?;
    let points = run.all_points()?;
    let trials = the_point(results, &points, &args.at)?;
    refuse_others(&trials.point.algorithm)?;
    let planned = plan.at(&trials.point).ok_or_else(|| {
        Refused::new(format!(
            "{}: its plan has no point {}",
            results.display(),
            trials.point
        ))
    })?;
    refuse_other_code(&run, &plan, &trials.point)?;
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

/// The run in this folder, or of its runs the newest of this program's code, else the newest.
fn run_at(path: &Path) -> anyhow::Result<CompleteRun> {
    let folder = match path.file_name() {
        Some(name) if name == "manifest.toml" => path.parent().unwrap_or(Path::new("")),
        _ => path,
    };
    if RunFolder::at(folder).is_complete() {
        return Ok(CompleteRun::at(RunFolder::at(folder))?);
    }
    for path in [Some(folder.to_owned()), reference(folder)]
        .into_iter()
        .flatten()
    {
        let runs = runs_in(&path)?;
        let experiments = runs::experiments(&runs);
        let Some(experiment) = experiments.first() else {
            continue;
        };
        let newest = runs::newest_first(&runs, experiment);
        let is_present = |run: &&&CompleteRun| run.manifest.code() == version::Code::Present;
        let run = newest.iter().find(is_present).or(newest.first());
        if let Some(run) = run {
            return Ok((*run).clone());
        }
    }
    Err(Refused::new(format!(
        "{}: no complete run; allowed are a run's folder, or that of an experiment with runs in it \
         (`reines list`)",
        path.display()
    ))
    .into())
}

/// Where the repository keeps the runs of an experiment that has none of its own.
fn reference(folder: &Path) -> Option<PathBuf> {
    Some(folder.parent()?.join("reference").join(folder.file_name()?))
}

/// The complete runs of an experiment, by its folder.
fn runs_in(folder: &Path) -> anyhow::Result<Vec<CompleteRun>> {
    let (Some(results), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Ok(Vec::new());
    };
    let results = if results.as_os_str().is_empty() {
        Path::new(".")
    } else {
        results
    };
    let entries = catalog::runs(results)?.into_iter();
    let own = entries.filter(|it| name == it.experiment.as_str() && it.folder.is_complete());
    Ok(own
        .map(|entry| CompleteRun::read(&entry))
        .collect::<Result<_, _>>()?)
}

/// Refuses rows that this program need not make as they are.
fn refuse_other_code(run: &CompleteRun, plan: &Plan, key: &Point) -> Result<(), Refused> {
    let manifest = &run.manifest;
    let changed = plan.at(key).map_or_else(Vec::new, |planned| {
        version::changed_at(&planned.point, &manifest.code_version, &manifest.parts)
    });
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

/// The one point that has the values of `--where`.
fn the_point<'a>(
    results: &Path,
    points: &'a [PointTrials],
    at: &[String],
) -> Result<&'a PointTrials, Refused> {
    let wanted: Vec<(&str, &str)> = at.iter().map(|it| pair(it)).collect::<Result<_, _>>()?;
    let keys = keys(points);
    for (key, _) in &wanted {
        if !keys.contains(key) {
            return Err(Refused::new(format!(
                "--where {key}: no such column of these rows{}; allowed are {}",
                did_you_mean(key, &keys),
                keys.join(", ")
            )));
        }
    }
    let has_all = |it: &&PointTrials| {
        wanted
            .iter()
            .all(|&(key, value)| has(&it.point, key, value))
    };
    let found: Vec<&PointTrials> = points.iter().filter(has_all).collect();
    let list = |points: &mut dyn Iterator<Item = &PointTrials>| {
        let mut names: Vec<String> = points.map(|it| it.point.to_string()).collect();
        let more = names.len().saturating_sub(MOST_NAMED);
        names.truncate(MOST_NAMED);
        let more = if more > 0 {
            format!("; and {more} more")
        } else {
            String::new()
        };
        names.join("; ") + &more
    };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Refused::new(format!(
            "{}: no row with {}; there are {}",
            results.display(),
            at.join(", "),
            list(&mut points.iter())
        ))),
        _ => Err(Refused::new(format!(
            "{}: {} points{}; --where must name one of them: {}",
            results.display(),
            found.len(),
            if at.is_empty() {
                String::new()
            } else {
                format!(" with {}", at.join(", "))
            },
            list(&mut found.iter().copied())
        ))),
    }
}

/// Points that an error names.
const MOST_NAMED: usize = 12;

/// `KEY=VALUE`.
fn pair(text: &str) -> Result<(&str, &str), Refused> {
    let pair = text
        .split_once('=')
        .map(|(key, value)| (key.trim(), value.trim()));
    pair.filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .ok_or_else(|| {
            Refused::new(format!(
                "--where {text:?}: allowed is KEY=VALUE, several with commas between them"
            ))
        })
}

fn keys(points: &[PointTrials]) -> Vec<&str> {
    let mut keys: Vec<&str> = WORDS.to_vec();
    for (name, _) in points.iter().flat_map(|it| it.point.axes.by_column()) {
        if !keys.contains(&name) {
            keys.push(name);
        }
    }
    keys
}

fn has(point: &Point, key: &str, value: &str) -> bool {
    match key {
        "algorithm" => point.algorithm == value,
        "variant" => point.variant == value,
        "goal" => point.goal.map(Goal::name) == Some(value),
        axis => {
            let number = number::real(value);
            point.axes.get(axis).map(|it| it.number()) == number && number.is_some()
        }
    }
}

/// The row that is asked for among those of a point.
fn the_row(trials: &PointTrials, args: &Args) -> Result<Row, Refused> {
    let of_seed = |row: &Row| args.seed.is_none_or(|seed| row.seed == seed);
    let mut rows: Vec<Row> = trials.rows.iter().filter(of_seed).collect();
    let mut seeds: Vec<u64> = trials.rows.iter().map(|row| row.seed).collect();
    seeds.dedup();
    let point = &trials.point;
    if let (Some(seed), true) = (args.seed, rows.is_empty()) {
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        let seeds = seeds.join(", ");
        return Err(Refused::new(format!(
            "--seed {seed}: {point} has no such rows; there are those of {seeds}"
        )));
    }
    if let Some(trial) = args.trial {
        let of_trial = |row: &&Row| row.trial == trial;
        let own: Vec<&Row> = rows.iter().filter(of_trial).collect();
        return match own.as_slice() {
            [row] => Ok(Row::clone(row)),
            [] => Err(Refused::new(format!(
                "--trial {trial}: {point} has no such row; there are {} to {}",
                rows.iter().map(|row| row.trial).min().unwrap_or_default(),
                rows.iter().map(|row| row.trial).max().unwrap_or_default()
            ))),
            _ => Err(Refused::new(format!(
                "--trial {trial}: {point} has one for each seed; allowed is one of --seed {}",
                own.iter()
                    .map(|row| row.seed.to_string())
                    .collect::<Vec<_>>()
                    .join(", ")
            ))),
        };
    }
    if !(args.longest || args.shortest || args.median) {
        return Err(Refused::new(format!(
            "{point} has {} rows; needed is --trial K, --longest, --shortest or --median",
            rows.len()
        )));
    }
    rows.sort_by_key(length);
    let place = match (args.longest, args.shortest) {
        (true, _) => rows.len() - 1,
        (_, true) => 0,
        _ => (rows.len() - 1) / 2,
    };
    // Of several that are equally long, the first.
    let time = |row: &Row| (length(row).0, length(row).1);
    let first = rows
        .iter()
        .find(|row| args.longest && time(row) == time(&rows[place]));
    Ok(first.unwrap_or(&rows[place]).clone())
}

/// How long a trial was: one that was cut off is longer than any that ended.
fn length(row: &Row) -> (bool, u64, u64, u32) {
    let was_cut = row.outcome.ending != Ending::Absorbed;
    (
        was_cut,
        row.outcome.updates.unwrap_or_default(),
        row.seed,
        row.trial,
    )
}
