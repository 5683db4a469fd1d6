//! Complete runs with their manifests: which there are, which is the newest, and whether two have
//! the same rows.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

use super::course_comparison::CourseComparison;
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog::runs;
pub use crate::experiment::store::complete::{CompleteRun, PlanLost};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::schema::{MOVES, SERIES, TRIALS};
use crate::experiment::store::table::TableRow;
use crate::experiment::version::Code;

/// A repetition of a run, held against it.
#[derive(Debug)]
pub struct Repetition {
    /// What is wrong with the run's own rows.
    pub damage: Option<StoreError>,
    /// Rows of the repetition.
    pub rows: u64,
    /// How the rows of the repetition differ, in words; `None` where they are the same, byte for
    /// byte.
    pub difference: Option<String>,
    /// How its courses differ, in words; `None` where both tables of them are the same, byte for
    /// byte, or there are none.
    pub courses: Option<String>,
}

impl CompleteRun {
    /// The repetition in a folder, held against this run.
    pub fn repetition(&self, folder: RunFolder) -> Result<Repetition, StoreError> {
        let repeated = Self::at(folder)?;
        let mut files = [TRIALS, SERIES, MOVES].into_iter();
        let is_own = |name: &str| name == TRIALS || self.has(name);
        let damage = files.find_map(|name| self.file(name).err().filter(|_| is_own(name)));
        let is_same = self.manifest.files.get(TRIALS) == repeated.manifest.files.get(TRIALS);
        let difference = match (is_same, &damage) {
            (true, _) => None,
            (false, Some(_)) => Some(" from what the manifest says of trials.parquet".to_owned()),
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
        let Some(name) = [SERIES, MOVES].into_iter().find(differs) else {
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
    fn difference(&self, other: &Self) -> Result<String, StoreError> {
        let (before, after) = (self.manifest.rows, other.manifest.rows);
        if before != after {
            return Ok(format!(": {after} rows instead of {before}"));
        }
        let (mut differing, mut first) = (0_u64, None);
        for (own, theirs) in self.trials()?.zip(other.trials()?) {
            let (own, theirs) = (own?, theirs?);
            if own.point != theirs.point || own.row != theirs.row {
                differing += 1;
                first.get_or_insert(own);
            }
        }
        Ok(
            first.map_or(": the same rows in other bytes".to_owned(), |first| {
                let first = first.trial_in_words();
                format!(": {differing} of {before} rows; the first is {first}")
            }),
        )
    }
}

/// The complete runs in `results`, ordered by experiment, code version, plan hash and repeat.
pub fn complete(results: &Path) -> Result<Vec<CompleteRun>, StoreError> {
    let runs = runs(results)?;
    let complete = runs.iter().filter(|run| run.is_complete());
    complete.map(CompleteRun::read).collect()
}

/// The complete runs of an experiment, the newest first: the last that ended, and of those that
/// ended at one time the last of those that `--again` made.
pub(crate) fn newest_first<'a>(runs: &'a [CompleteRun], experiment: &str) -> Vec<&'a CompleteRun> {
    let mut own: Vec<&CompleteRun> = runs
        .iter()
        .filter(|run| run.manifest.experiment == experiment)
        .collect();
    // RFC 3339 in UTC orders as text.
    own.sort_by_key(|run| Reverse((&run.manifest.ended, run.folder.repeat, run.folder.path())));
    own
}

/// The experiments of some runs, sorted, each once.
pub fn experiments(runs: &[CompleteRun]) -> BTreeSet<&str> {
    runs.iter().map(|run| &*run.manifest.experiment).collect()
}

/// The newest run of each experiment.
pub fn latest(runs: &[CompleteRun]) -> Vec<CompleteRun> {
    let newest = |name: &str| newest_first(runs, name).first().copied().cloned();
    experiments(runs).into_iter().filter_map(newest).collect()
}

/// The newest run of this plan under the present code version; else the newest of this plan; else
/// the newest under the present code version; else the newest.
pub fn choose<'a>(
    experiment: &str,
    plan_hash: Option<&str>,
    runs: &'a [CompleteRun],
) -> Option<&'a CompleteRun> {
    let of_plan = |run: &CompleteRun| Some(run.manifest.plan_hash.as_str()) == plan_hash;
    let newest_last = newest_first(runs, experiment).into_iter().rev();
    newest_last.max_by_key(|run| (of_plan(run), run.manifest.code() == Code::Present))
}

#[cfg(test)]
impl CompleteRun {
    /// A run of which there is nothing but this.
    pub(crate) fn example(experiment: &str, plan_hash: &str, ended: &str, repeat: u32) -> Self {
        let manifest = format!(
            "schema = 2\nexperiment = \"{experiment}\"\ncode_version = \"0.1.0-1a2b3c4d\"\n\
             plan_hash = \"{plan_hash}\"\nspec_hash = \"\"\ncommit = \"\"\ndirty = false\nrows = 1\n\
             dynamics = []\nstarted = \"\"\nended = \"{ended}\"\ncommand = []\n[definitions]\n[parts]\n[files]\n\
             [machine]\nrustc = \"\"\ntarget = \"\"\ncpu = \"\"\ncores = 1\nthreads = 1\nos = \"\"\n"
        );
        let mut folder = RunFolder::at(format!("{experiment}/0.1.0-1a2b3c4d-{plan_hash}"));
        folder.repeat = repeat;
        Self::new(folder, toml::from_str(&manifest).expect("a manifest"))
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
        let order = newest_first(&runs, "a")
            .into_iter()
            .map(|run| run.folder.repeat);
        assert_eq!(order.collect::<Vec<_>>(), [10, 9, 11, 1]);
        let latest = latest(&runs).into_iter();
        let latest = latest.map(|run| (run.manifest.experiment, run.folder.repeat));
        assert!(latest.eq([("a".to_owned(), 10), ("b".to_owned(), 1)]));
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
