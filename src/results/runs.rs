//! Complete runs with their manifests: which there are, which of them a name means, which is the
//! newest, and whether two have the same rows.

use std::cmp::Reverse;
use std::path::Path;

use super::course_comparison::CourseComparison;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{self, Spec, SpecError};
use crate::experiment::store::catalog::{RunEntry, runs};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::table::course_table::Entry;
use crate::experiment::store::{PointKey, Row, StoreError};
use crate::solver::course::{Observation, QueenMove};

/// Digits of a commit below which a name is not taken for one.
const LEAST_DIGITS: usize = 7;

/// A complete run and its manifest.
#[derive(Debug, Clone)]
pub struct CompleteRun {
    /// The run's folder.
    pub folder: RunFolder,
    /// What the run was made of.
    pub manifest: Manifest,
    /// 1 for the first run of a plan, 2, 3, … for those that were forced beside it.
    pub repeat: u32,
}

/// Why the plan of a run cannot be made again.
#[derive(Debug, thiserror::Error)]
pub enum PlanLost {
    /// The kept spec is damaged or missing.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The kept spec is none for this program.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// The kept spec gives other plans.
    #[error(
        "{label}: this program makes no plan {plan_hash} of it; code version {code_version} did"
    )]
    OtherPlan {
        /// The spec's path.
        label: String,
        /// The run's plan.
        plan_hash: String,
        /// The run's code version.
        code_version: String,
    },
}

/// A repetition of a run, held against it.
#[derive(Debug)]
pub struct Repetition {
    /// What is wrong with the run's own rows.
    pub damage: Option<StoreError>,
    /// Rows of the repetition.
    pub rows: u64,
    /// How the rows of the repetition differ; `None` where they are the same, byte for byte.
    pub difference: Option<Difference>,
    /// How its courses differ, in words; `None` where both tables of them are the same, byte for
    /// byte, or there are none.
    pub courses: Option<String>,
}

/// How the rows of a repetition differ from those of the run.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// From the checksum in the manifest, the run's own rows being damaged.
    Checksum,
    /// Their numbers of rows.
    Number([usize; 2]),
    /// Some rows, and the first of them in the one run.
    Rows {
        /// Rows that differ.
        differing: usize,
        /// All rows.
        all: usize,
        /// The first row that differs, and its point.
        first: Box<(PointKey, Row)>,
    },
    /// The same rows in other bytes.
    Bytes,
}

impl CompleteRun {
    /// The run of an entry.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, of a newer schema, or of another run than the folder's
    /// name says.
    pub fn read(entry: &RunEntry) -> Result<Self, StoreError> {
        Ok(Self {
            folder: entry.folder.clone(),
            manifest: entry.manifest()?,
            repeat: entry.repeat,
        })
    }

    /// The run in a folder of any name.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, or of a newer schema.
    pub fn at(folder: RunFolder) -> Result<Self, StoreError> {
        Ok(Self {
            manifest: folder.manifest()?,
            folder,
            repeat: 1,
        })
    }

    /// The spec that the run kept, without figures, and the plan that ran.
    ///
    /// # Errors
    /// A spec that is damaged, or of which this program makes no such plan.
    pub fn plan(&self) -> Result<(Spec, Plan), PlanLost> {
        let Manifest {
            experiment,
            plan_hash,
            code_version,
            ..
        } = &self.manifest;
        let label = self.folder.path().join("spec.toml").display().to_string();
        let text = self.folder.checked_spec(&self.manifest)?;
        let spec = spec::parse_without_figures(experiment, &label, &text)?;
        match Plan::recover(&spec, plan_hash) {
            Some(plan) => Ok((spec, plan)),
            None => Err(PlanLost::OtherPlan {
                label,
                plan_hash: plan_hash.clone(),
                code_version: code_version.clone(),
            }),
        }
    }

    /// The repetition in a folder, held against this run.
    ///
    /// # Errors
    /// A manifest or table of the repetition that is damaged or missing.
    pub fn repetition(&self, folder: RunFolder) -> Result<Repetition, StoreError> {
        const TRIALS: &str = "trials.parquet";
        let repeated = Self::at(folder)?;
        let damage = [TRIALS, Observation::FILE, QueenMove::FILE]
            .into_iter()
            .filter(|name| *name == TRIALS || self.manifest.files.contains_key(*name))
            .find_map(|name| self.folder.open_checked(&self.manifest, name).err());
        let is_same = self.manifest.files.get(TRIALS) == repeated.manifest.files.get(TRIALS);
        let difference = match (is_same, &damage) {
            (true, _) => None,
            (false, Some(_)) => Some(Difference::Checksum),
            (false, None) => Some(self.difference(&repeated)?),
        };
        Ok(Repetition {
            rows: repeated.manifest.rows,
            courses: self.course_difference(&repeated, damage.is_some())?,
            damage,
            difference,
        })
    }

    /// How the courses of another run of the plan differ, in words; a damaged run is compared by
    /// its manifest alone.
    fn course_difference(
        &self,
        other: &Self,
        is_damaged: bool,
    ) -> Result<Option<String>, StoreError> {
        let differs =
            |name: &&str| self.manifest.files.get(*name) != other.manifest.files.get(*name);
        let names = [Observation::FILE, QueenMove::FILE];
        let Some(name) = names.into_iter().find(differs) else {
            return Ok(None);
        };
        if is_damaged {
            return Ok(Some(format!("from what the manifest says of {name}")));
        }
        let compared = CourseComparison::of(self, other)?;
        Ok(Some(compared.first.map_or_else(
            || format!("in {name}"),
            |first| format!("in the courses of {} trials; {first}", compared.differing),
        )))
    }

    /// How the rows of another run differ from this one's, the tables' bytes being different.
    fn difference(&self, other: &Self) -> Result<Difference, StoreError> {
        let rows = |run: &Self| -> Result<Vec<(PointKey, Row)>, StoreError> {
            let points = run.folder.trials(&run.manifest)?.into_iter();
            let of_point = points.map(|trials| {
                let rows = trials.rows.iter();
                rows.map(|row| (trials.point.clone(), row))
                    .collect::<Vec<_>>()
            });
            Ok(of_point.flatten().collect())
        };
        let (own, theirs) = (rows(self)?, rows(other)?);
        if own.len() != theirs.len() {
            return Ok(Difference::Number([own.len(), theirs.len()]));
        }
        let mut differing = own.iter().zip(&theirs).filter(|(a, b)| a != b);
        Ok(match differing.next() {
            None => Difference::Bytes,
            Some((first, _)) => Difference::Rows {
                differing: 1 + differing.count(),
                all: own.len(),
                first: Box::new(first.clone()),
            },
        })
    }
}

/// The complete runs in `results`, in the order of [`runs`].
///
/// # Errors
/// A folder that cannot be listed; damaged manifests.
pub fn complete(results: &Path) -> Result<Vec<CompleteRun>, StoreError> {
    let entries = runs(results)?;
    let complete = entries.iter().filter(|entry| entry.folder.is_complete());
    complete.map(CompleteRun::read).collect()
}

/// The complete runs that a name means: `reference`, `latest`, a run's folder, a folder of results
/// or a code version, tried in this order; none where there are none.
///
/// # Errors
/// As [`complete`].
pub fn named(name: &str, results: &Path) -> Result<Vec<CompleteRun>, StoreError> {
    match name {
        "reference" => complete(&results.join("reference")),
        "latest" => Ok(latest(&complete(results)?)),
        _ if RunFolder::at(name).is_complete() => Ok(vec![CompleteRun::at(RunFolder::at(name))?]),
        _ if Path::new(name).is_dir() => complete(Path::new(name)),
        _ => Ok(with_reference(results)?
            .into_iter()
            .filter(|run| run.manifest.is_of_version(name))
            .collect()),
    }
}

/// The complete runs, those of the reference among them, of a program built from a commit; at least
/// seven digits of it.
///
/// # Errors
/// As [`complete`].
pub fn of_commit(commit: &str, results: &Path) -> Result<Vec<CompleteRun>, StoreError> {
    let is_commit =
        commit.len() >= LEAST_DIGITS && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut runs = with_reference(results)?;
    runs.retain(|run| is_commit && run.manifest.commit.starts_with(commit));
    Ok(runs)
}

/// The complete runs of an experiment, the newest first: the last that ended, and of those that
/// ended within one second the last that was forced.
pub fn newest_first<'a>(runs: &'a [CompleteRun], experiment: &str) -> Vec<&'a CompleteRun> {
    let mut own: Vec<&CompleteRun> = runs
        .iter()
        .filter(|run| run.manifest.experiment == experiment)
        .collect();
    // RFC 3339 in UTC orders as text.
    own.sort_by_key(|run| Reverse((&run.manifest.ended, run.repeat, run.folder.path())));
    own
}

/// The experiments of some runs, sorted, each once.
pub fn experiments(runs: &[CompleteRun]) -> Vec<&str> {
    let mut names: Vec<&str> = runs
        .iter()
        .map(|run| run.manifest.experiment.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The newest run of each experiment.
fn latest(runs: &[CompleteRun]) -> Vec<CompleteRun> {
    experiments(runs)
        .into_iter()
        .filter_map(|name| newest_first(runs, name).first().copied().cloned())
        .collect()
}

fn with_reference(results: &Path) -> Result<Vec<CompleteRun>, StoreError> {
    let mut runs = complete(results)?;
    runs.extend(complete(&results.join("reference"))?);
    Ok(runs)
}

#[cfg(test)]
impl CompleteRun {
    /// A run of which there is nothing but this.
    pub(crate) fn example(experiment: &str, plan_hash: &str, ended: &str, repeat: u32) -> Self {
        let manifest = format!(
            "schema = 1\nexperiment = \"{experiment}\"\ncode_version = \"0.1.0-1a2b3c4d\"\n\
             plan_hash = \"{plan_hash}\"\nspec_hash = \"\"\ncommit = \"\"\ndirty = false\nrows = 1\n\
             dynamics = []\nstarted = \"\"\nended = \"{ended}\"\ncommand = []\n[definitions]\n[files]\n\
             [machine]\nrustc = \"\"\ntarget = \"\"\ncpu = \"\"\ncores = 1\nthreads = 1\nos = \"\"\n"
        );
        Self {
            folder: RunFolder::at(format!("{experiment}/{plan_hash}.{repeat}")),
            manifest: toml::from_str(&manifest).expect("a manifest"),
            repeat,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_run_ended_last_and_within_a_second_was_forced_last() {
        const FIRST: &str = "2026-09-30T23:59:59Z";
        const LAST: &str = "2026-10-01T00:00:00Z";
        let runs = [
            CompleteRun::example("a", "ffffffff", FIRST, 1),
            CompleteRun::example("a", "00ff00ff", LAST, 9),
            CompleteRun::example("b", "00ff00ff", "2027-01-01T00:00:00Z", 1),
            CompleteRun::example("a", "00ff00ff", LAST, 10),
            CompleteRun::example("a", "00ff00ff", FIRST, 11),
        ];
        let order: Vec<u32> = newest_first(&runs, "a")
            .iter()
            .map(|run| run.repeat)
            .collect();
        assert_eq!(order, [10, 9, 11, 1]);
        let latest: Vec<(&str, u32)> = experiments(&runs)
            .into_iter()
            .zip(latest(&runs).iter().map(|run| run.repeat))
            .collect();
        assert_eq!(latest, [("a", 10), ("b", 1)]);
    }

    #[test]
    fn a_code_version_is_meant_by_its_hash_too() {
        let mut manifest = CompleteRun::example("a", "00ff00ff", "", 1).manifest;
        let engine = ("engine".to_owned(), "3c4d5e6f".to_owned());
        manifest.parts.extend([engine]);
        let means = |name| manifest.is_of_version(name);
        assert!(means("0.1.0-1a2b3c4d") && means("1a2b3c4d"));
        assert!(means("0.1.0-3c4d5e6f") && means("3c4d5e6f"), "the engine's");
        assert!(!means("0.1.0") && !means("2b3c4d") && !means(""));
    }
}
