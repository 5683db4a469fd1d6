//! Which two runs of an experiment are compared.

use std::path::PathBuf;

use crate::experiment::version;
use crate::results::runs::{self, CompleteRun, newest_first};

/// The two runs of one experiment that are compared.
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

/// The two runs of each experiment: the newest two of one plan if there are any, else the newest of
/// each side; never a folder with itself. Two single runs are a pair under any names. And the
/// experiments of which both sides have one and the same folder only, in words.
pub fn paired(a: &[CompleteRun], b: &[CompleteRun]) -> (Vec<Pair>, Vec<String>) {
    let sides = match (a, b) {
        ([one], [other]) => vec![(vec![one], vec![other])],
        _ => runs::experiments(a)
            .into_iter()
            .map(|name| (newest_first(a, name), newest_first(b, name)))
            .collect(),
    };
    let (mut pairs, mut same) = (Vec::new(), Vec::new());
    for (a, b) in sides {
        match newest_pair(&a, &b) {
            Some((a, b)) => pairs.push(Pair {
                experiment: a.manifest.experiment.clone(),
                a: a.clone(),
                b: b.clone(),
            }),
            None => same.extend(same_folder(&a, &b)),
        }
    }
    (pairs, same)
}

/// Of all that are two folders, those of one plan first, then the newest.
fn newest_pair<'r>(
    a: &[&'r CompleteRun],
    b: &[&'r CompleteRun],
) -> Option<(&'r CompleteRun, &'r CompleteRun)> {
    let all = a.iter().flat_map(|a| b.iter().map(|b| (*a, *b)));
    let two = all.filter(|(a, b)| place(a) != place(b));
    two.min_by_key(|(a, b)| a.manifest.plan_hash != b.manifest.plan_hash)
}

/// The experiment and the folder that both sides have, if there is one.
fn same_folder(a: &[&CompleteRun], b: &[&CompleteRun]) -> Option<String> {
    let both = a
        .iter()
        .find(|run| b.iter().any(|other| place(run) == place(other)))?;
    let (experiment, path) = (&both.manifest.experiment, both.folder.path().display());
    Some(format!("{experiment}: A and B are the same folder, {path}"))
}

/// Where a run is, whatever it was called.
fn place(run: &CompleteRun) -> PathBuf {
    let path = run.folder.path();
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
