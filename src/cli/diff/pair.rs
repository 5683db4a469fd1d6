//! Which two runs of an experiment are compared.

use crate::experiment::store::catalog::{self, CompleteRun, newest_first};
use crate::experiment::version;

/// The two runs of one experiment that are compared.
#[derive(Debug)]
pub struct Pair {
    pub experiment: String,
    pub a: CompleteRun,
    pub b: CompleteRun,
}

impl Pair {
    /// The parts of the sources that both sides depend on and that differ; `None` where a side does
    /// not name its parts and is of another code version.
    pub fn changed(&self) -> Option<Vec<String>> {
        let (a, b) = (&self.a.manifest, &self.b.manifest);
        let are_known = !a.parts.is_empty() && !b.parts.is_empty();
        (are_known || a.code_version == b.code_version)
            .then(|| version::differing(&a.parts, &b.parts))
    }
}

/// Pairs the runs of each experiment: the newest two of one plan if there are any, else the newest
/// of each side. Two single runs are a pair under any names.
pub fn paired(a: Vec<CompleteRun>, b: Vec<CompleteRun>) -> Vec<Pair> {
    if let ([one], [other]) = (a.as_slice(), b.as_slice()) {
        return vec![pair(one, other)];
    }
    catalog::experiments(&a)
        .into_iter()
        .filter_map(|name| newest_pair(&newest_first(&a, name), &newest_first(&b, name)))
        .collect()
}

fn newest_pair(a: &[&CompleteRun], b: &[&CompleteRun]) -> Option<Pair> {
    let of_one_plan = a.iter().find_map(|run| {
        Some((
            run,
            b.iter()
                .find(|other| other.manifest.plan_hash == run.manifest.plan_hash)?,
        ))
    });
    let (a, b) = match of_one_plan {
        Some(found) => found,
        None => (a.first()?, b.first()?),
    };
    Some(pair(a, b))
}

fn pair(a: &CompleteRun, b: &CompleteRun) -> Pair {
    Pair {
        experiment: a.manifest.experiment.clone(),
        a: a.clone(),
        b: b.clone(),
    }
}
