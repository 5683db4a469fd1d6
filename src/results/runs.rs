//! Complete runs with their manifests: which there are, and which is the newest.

use std::cmp::Reverse;
use std::collections::BTreeSet;

pub use crate::experiment::store::complete::{CompleteRun, PlanLost};
#[cfg(test)]
use crate::experiment::store::folder::RunFolder;
#[cfg(test)]
use crate::experiment::store::stored::Stored;
use crate::experiment::version::Code;

/// The complete runs of an experiment, the newest first: the last that ended.
pub(crate) fn newest_first<'a>(runs: &'a [CompleteRun], experiment: &str) -> Vec<&'a CompleteRun> {
    let mut own: Vec<&CompleteRun> = runs
        .iter()
        .filter(|run| run.manifest.experiment == experiment)
        .collect();
    // RFC 3339 in UTC orders as text.
    own.sort_by_key(|run| Reverse((&run.manifest.ended, run.folder.path())));
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
    pub(crate) fn example(experiment: &str, plan_hash: &str, ended: &str) -> Self {
        let manifest = format!(
            "schema = 3\nexperiment = \"{experiment}\"\ncode_version = \"0.1.0-1a2b3c4d\"\n\
             plan_hash = \"{plan_hash}\"\ncommit = \"\"\ndirty = false\nrows = 1\n\
             dynamics = []\nstarted = \"\"\nended = \"{ended}\"\ncommand = []\n[definitions]\n[parts]\n[files]\n\
             [machine]\nrustc = \"\"\ntarget = \"\"\ncpu = \"\"\ncores = 1\nthreads = 1\nos = \"\"\n"
        );
        let folder = RunFolder::at(format!("{experiment}/0.1.0-1a2b3c4d-{plan_hash}"));
        let manifest = toml::from_str(&manifest).expect("a manifest");
        let stored = Stored::of_nothing(folder.path(), manifest);
        Self::new(folder, stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_run_ended_last() {
        const FIRST: &str = "2026-09-30T23:59:59Z";
        const LAST: &str = "2026-10-01T00:00:00Z";
        let runs = [
            CompleteRun::example("a", "ffffffff", FIRST),
            CompleteRun::example("a", "00ff00ff", LAST),
            CompleteRun::example("b", "00ff00ff", "2027-01-01T00:00:00Z"),
        ];
        let order = newest_first(&runs, "a").into_iter();
        let order: Vec<_> = order.map(|run| &*run.manifest.plan_hash).collect();
        assert_eq!(order, ["00ff00ff", "ffffffff"]);
        let latest = latest(&runs).into_iter();
        let latest = latest.map(|run| {
            (
                run.manifest.experiment.clone(),
                run.manifest.plan_hash.clone(),
            )
        });
        let expected = ["a", "b"].map(|it| (it.to_owned(), "00ff00ff".to_owned()));
        assert!(latest.eq(expected));
    }

    #[test]
    fn a_code_version_is_meant_by_its_hash_too() {
        let mut manifest = CompleteRun::example("a", "00ff00ff", "").manifest.clone();
        let engine = ("engine".to_owned(), "3c4d5e6f".to_owned());
        manifest.parts.extend([engine]);
        let means = |name| manifest.is_of_version(name);
        assert!(means("0.1.0-1a2b3c4d") && means("1a2b3c4d"));
        assert!(means("0.1.0-3c4d5e6f") && means("3c4d5e6f"), "the engine's");
        assert!(!means("0.1.0") && !means("2b3c4d") && !means(""));
    }
}
