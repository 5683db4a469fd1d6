//! Complete runs with their manifests: which there are, and which is the newest.

use std::cmp::Reverse;
use std::collections::BTreeSet;

pub use crate::experiment::store::complete::CompleteRun;
#[cfg(test)]
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;

/// The experiments of some runs, sorted, each once.
pub fn experiments(runs: &[CompleteRun]) -> BTreeSet<&str> {
    runs.iter().map(|run| &*run.manifest.experiment).collect()
}

/// The newest run of this plan under the present code version; else the newest of this plan; else
/// the newest under the present code version; else the newest: the last that ended.
pub fn choose<'a>(plan_hash: Option<&str>, runs: &'a [CompleteRun]) -> Option<&'a CompleteRun> {
    runs.iter().max_by_key(|run| {
        let it = &run.manifest;
        let is_of_plan = Some(it.plan_hash.as_str()) == plan_hash;
        // RFC 3339 in UTC orders as text.
        (
            is_of_plan,
            it.code() == Code::Present,
            &it.ended,
            Reverse(run.folder.path()),
        )
    })
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
        Self { folder, manifest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_run_of_the_plan_ended_last() {
        const FIRST: &str = "2026-09-30T23:59:59Z";
        const LAST: &str = "2026-10-01T00:00:00Z";
        let runs = [
            CompleteRun::example("a", "ffffffff", FIRST),
            CompleteRun::example("a", "00ff00ff", LAST),
            CompleteRun::example("a", "ffffffff", LAST),
        ];
        let chosen =
            |plan| choose(plan, &runs).map(|run| (&*run.manifest.plan_hash, &*run.manifest.ended));
        assert_eq!(chosen(Some("ffffffff")), Some(("ffffffff", LAST)));
        assert_eq!(chosen(Some("00ff00ff")), Some(("00ff00ff", LAST)));
        assert_eq!(chosen(None).map(|it| it.1), Some(LAST));
    }
}
