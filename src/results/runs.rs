//! Complete runs with their manifests: which there are, and which of them is meant. The order is
//! decided here: the run of the present plan, that of the link, the newest of a whole plan, the
//! newest.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::experiment::code_version::Code;
use crate::experiment::store::complete::CompleteRun;

/// The experiments of some runs, sorted, each once.
pub fn experiments(runs: &[CompleteRun]) -> BTreeSet<&str> {
    runs.iter().map(|run| &*run.manifest.experiment).collect()
}

/// Why a run is meant, of the complete ones of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is of the present plan.
    Plan,
    /// The link beside the runs leads to it.
    Link,
    /// It ended last of those of whole plans.
    NewestWhole,
    /// It ended last; each is of a part of its plan, by `--quick` or `--only`.
    Newest,
}

/// The run that is meant of the complete ones of an experiment, and why: the rule that all commands
/// share, as docs/data.md has it. `plan_hash` is that of the present plan, `linked` the name of the
/// folder to which the link beside the runs leads. Of several runs of the present plan one of the
/// present code counts, then the newest.
pub fn choose<'r>(
    plan_hash: Option<&str>,
    linked: Option<&str>,
    runs: &'r [CompleteRun],
) -> Option<(&'r CompleteRun, Reason)> {
    // RFC 3339 in UTC orders as text.
    let age = |run: &&CompleteRun| {
        let path = run.folder.path().to_owned();
        (run.manifest.ended.clone(), Reverse(path))
    };
    let is_of_plan = |run: &&CompleteRun| Some(&*run.manifest.plan_hash) == plan_hash;
    let of_plan = runs.iter().filter(is_of_plan).max_by_key(|run| {
        let is_present = run.manifest.code() == Code::Present;
        (!run.is_moved(), is_present, age(run))
    });
    if let Some(run) = of_plan {
        return Some((run, Reason::Plan));
    }

    let has_own = runs.iter().any(|run| !run.is_moved());
    let others = runs.iter().filter(|run| !has_own || !run.is_moved());
    let others: Vec<&CompleteRun> = others.collect();
    let is_linked = |run: &&&CompleteRun| {
        let name = run.folder.path().file_name();
        linked.is_some_and(|linked| name == Some(linked.as_ref()))
    };
    if let Some(run) = others.iter().find(is_linked) {
        return Some((run, Reason::Link));
    }

    let whole = others.iter().copied().filter(|run| !run.is_part());
    if let Some(run) = whole.max_by_key(age) {
        return Some((run, Reason::NewestWhole));
    }
    let newest = others.into_iter().max_by_key(age)?;
    Some((newest, Reason::Newest))
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
        let chosen = |plan| {
            let (run, _) = choose(plan, None, &runs)?;
            Some((&*run.manifest.plan_hash, &*run.manifest.ended))
        };
        assert_eq!(chosen(Some("ffffffff")), Some(("ffffffff", LAST)));
        assert_eq!(chosen(Some("00ff00ff")), Some(("00ff00ff", LAST)));
        assert_eq!(chosen(None).map(|it| it.1), Some(LAST));
    }

    /// Without a run of the plan the link counts, whatever ended last; a run of another experiment
    /// only where there is no other.
    #[test]
    fn the_link_counts_before_age_and_own_runs_before_others() {
        const FIRST: &str = "2026-09-30T23:59:59Z";
        const LAST: &str = "2026-10-01T00:00:00Z";
        let mut moved = CompleteRun::example("a", "22222222", LAST);
        moved.manifest.experiment = "b".to_owned();
        let runs = [
            CompleteRun::example("a", "00000000", FIRST),
            CompleteRun::example("a", "11111111", "2026-09-30T23:59:58Z"),
            moved,
        ];
        let chosen = |plan, link, runs| {
            let (run, reason) = choose(plan, link, runs)?;
            Some((&*run.manifest.plan_hash, reason))
        };
        let link = Some("0.1.0-1a2b3c4d-11111111");
        let linked = Some(("11111111", Reason::Link));
        assert_eq!(chosen(Some("ffffffff"), link, &runs), linked);
        assert_eq!(
            chosen(Some("00000000"), link, &runs),
            Some(("00000000", Reason::Plan))
        );
        let newest = Some(("00000000", Reason::NewestWhole));
        assert_eq!(chosen(None, None, &runs), newest);
        assert_eq!(chosen(None, Some("gone"), &runs), newest);
        let alone = Some(("22222222", Reason::NewestWhole));
        assert_eq!(chosen(None, None, &runs[2..]), alone);
    }
}
