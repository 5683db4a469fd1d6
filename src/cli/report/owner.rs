//! Whose the files of a figure are: an experiment owns what it has drawn, until its spec is gone or
//! has no such figure any more. The reasons why a figure counts as abandoned are here; `list
//! --stale` has them, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::cli::SpecAndFigures;
use crate::cli::target::{self, SPECS, Target};
use crate::experiment::store::folder::entries;

/// The names of the figures that each experiment asks for, by the name of the experiment.
pub type AskedFigures = BTreeMap<String, BTreeSet<String>>;

/// The names of the figures of some specs.
pub fn asked_figures<'a>(read: impl Iterator<Item = &'a SpecAndFigures>) -> AskedFigures {
    let mut asked = AskedFigures::new();
    for (spec, figures) in read {
        let names = figures.iter().map(|figure| figure.name.clone());
        asked.entry(spec.name.clone()).or_default().extend(names);
    }
    asked
}

/// Why an experiment does not draw a figure any more, as a clause after its name; none where it may
/// still draw it: a spec with an error is there, and what it asks for is not known.
pub fn why_abandoned(
    owner: &str,
    figure: &str,
    asked: &AskedFigures,
    results: &Path,
) -> Option<&'static str> {
    const NO_FIGURE: &str = "whose spec has no such figure any more";
    let names = match asked.get(owner) {
        Some(names) => names.clone(),
        None => {
            let target = target::by_name(owner.to_owned(), results);
            match target.present() {
                Ok(Some(spec)) => {
                    let figures = target::figures(&spec).ok()?;
                    figures.into_iter().map(|figure| figure.name).collect()
                }
                Ok(None) if has_spec_elsewhere(owner) => return None,
                Ok(None) => return Some("which has no spec any more"),
                Err(_) => return None,
            }
        }
    };
    (!names.contains(figure)).then_some(NO_FIGURE)
}

/// The experiments that have a spec, and those that have none any more. What is read of a spec with
/// an error is told later.
pub fn with_and_without_spec(targets: Vec<Target>) -> (Vec<Target>, Vec<Target>) {
    targets.into_iter().partition(|target| {
        let is_gone = matches!(target.present(), Ok(None));
        !is_gone || has_spec_elsewhere(&target.name())
    })
}

/// True if a folder within that of the specs has the spec of an experiment, or if the experiment
/// may be one with changes of a spec that is there.
fn has_spec_elsewhere(name: &str) -> bool {
    let specs = Path::new(SPECS);
    let within = entries(specs).unwrap_or_default();
    let mut folders = vec![PathBuf::from("."), specs.to_owned()];
    folders.extend(within.into_iter().filter(|path| path.is_dir()));

    let files = folders
        .iter()
        .map(|folder| entries(folder).unwrap_or_default());
    let mut specs = files
        .flatten()
        .filter(|file| file.extension().is_some_and(|ending| ending == "toml"));
    specs.any(|file| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix(&*stem);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-with-"))
    })
}
