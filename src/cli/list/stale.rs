//! What nothing makes any more: files of figures whose experiment or figure was renamed or deleted,
//! and results of experiments that have no spec any more. Runs of earlier plans of an experiment
//! that has a spec are none of it.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::cli::report::owner::{AskedFigures, why_abandoned, with_and_without_spec};
use crate::cli::target::{self, SPECS, last_of};
use crate::cli::user_files::refused;
use crate::experiment::store::folder::entries;
use crate::report::{self, ENDINGS};

/// A file or a folder that nothing makes any more, and why.
#[derive(Debug, Serialize)]
pub struct Stale {
    path: String,
    reason: String,
}

/// The files of figures, then the folders of results, each by name. Runs of earlier plans of an
/// experiment that has a spec are not among them: that plan may be meant again.
///
/// # Errors
/// Where no spec stands nothing is known of what is made.
pub fn stale(figures: &Path, results: &Path) -> anyhow::Result<Vec<Stale>> {
    if target::spec_files()?.is_empty() && target::specs_here()?.is_empty() {
        let reason = "no spec is in it; expected the specs of what is still made";
        return Err(refused(Path::new(SPECS), reason).into());
    }
    let mut found = stale_figures(figures, results)?;
    found.extend(stale_results(results)?);
    Ok(found)
}

fn stale_figures(figures: &Path, results: &Path) -> anyhow::Result<Vec<Stale>> {
    let mut found = Vec::new();
    for name in drawn(figures)? {
        let Some(owner) = report::owner(figures, &name)? else {
            continue;
        };
        let Some(why) = why_abandoned(&owner, &name, &AskedFigures::new(), results) else {
            continue;
        };
        let files = ENDINGS.map(|ending| figures.join(format!("{name}.{ending}")));
        for file in files.iter().filter(|file| file.exists()) {
            found.push(Stale {
                path: file.display().to_string(),
                reason: format!("a figure of the experiment {owner}, {why}"),
            });
        }
    }
    Ok(found)
}

/// The names of the figures that `report` has drawn into a folder: those that have a page.
fn drawn(figures: &Path) -> anyhow::Result<BTreeSet<String>> {
    let files = entries(figures)?;
    let pages = files.iter().map(|file| last_of(file));
    let names = pages.filter_map(|page| page.strip_suffix(".md").map(ToOwned::to_owned));
    Ok(names.collect())
}

fn stale_results(results: &Path) -> anyhow::Result<Vec<Stale>> {
    let names = target::experiments(results)?.into_iter();
    let targets = names.map(|name| target::by_name(name, results)).collect();
    let (_, without_spec) = with_and_without_spec(targets);
    let stale = without_spec.iter().map(|target| Stale {
        path: results.join(target.name()).display().to_string(),
        reason: "runs of an experiment that has no spec any more".to_owned(),
    });
    Ok(stale.collect())
}
