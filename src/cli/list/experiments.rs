//! The experiments there are, and which results exist for which code version.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::text::{columns, counted, courses_in_words, size, spaced, tree_size};
use crate::cli::{named, progress};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards;
use crate::experiment::version::Code;
use crate::report;

/// An experiment, by its spec, its results, or both.
#[derive(Debug, Serialize)]
pub struct Listed {
    name: String,
    /// Of the spec file, if there is one and it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// As the spec file has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_hash: Option<String>,
    /// What is wrong with the spec file.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    runs: Vec<ListedRun>,
    /// Trials of the plan, at most.
    #[serde(skip)]
    trials: Option<u64>,
    /// Whether the results that come with the sources have it.
    #[serde(skip)]
    is_in_reference: bool,
}

/// A run of an experiment.
#[derive(Debug, Serialize)]
struct ListedRun {
    code_version: String,
    plan_hash: String,
    repeat: u32,
    folder: PathBuf,
    /// On the disk, where that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Made by this code version and of the plan that the spec has now.
    current: bool,
    /// The parts of the sources that have changed since; null where the code is another and which
    /// parts differ is not known.
    changed: Option<Vec<String>>,
    #[serde(flatten)]
    state: State,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
enum State {
    Complete {
        rows: u64,
        /// Of `series.parquet` and of `moves.parquet`.
        series_rows: u64,
        move_rows: u64,
        ended: String,
    },
    Unfinished {
        parts: usize,
        /// How far it is, as it says itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        under_way: Option<String>,
        /// Shares that run apart and wait for `reines merge`.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        shards: Vec<Shards>,
    },
    Damaged {
        error: String,
    },
}

/// The shares of one division of a run.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Shards {
    /// Shares that the run is divided into.
    of: u32,
    begun: usize,
    complete: usize,
}

/// Every experiment that has a spec in `experiments` or runs in `results`, or those that are named.
///
/// # Errors
/// A folder that exists and cannot be listed.
pub fn list(
    experiments: &Path,
    results: &Path,
    sizes: bool,
    named: &[PathBuf],
) -> anyhow::Result<Vec<Listed>> {
    let specs = specs(experiments)?;
    let mut runs: BTreeMap<String, Vec<RunEntry>> = BTreeMap::new();
    for entry in catalog::runs(results)? {
        runs.entry(entry.experiment.clone())
            .or_default()
            .push(entry);
    }
    let reference = catalog::runs(&results.join("reference"))?;
    let names: BTreeSet<&str> = specs
        .keys()
        .chain(runs.keys())
        .map(|name| &**name)
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let names = named::experiments(named, &names, "no spec and no run")?;
    let listed = |name: String| {
        let entries = runs.remove(&name).unwrap_or_default();
        let mut listed = listed(&name, specs.get(&name), entries, sizes);
        listed.is_in_reference = reference.iter().any(|it| it.experiment == name);
        listed
    };
    Ok(names.into_iter().map(listed).collect())
}

/// The spec files of a folder, by stem, valid or not; none where there is no folder.
fn specs(folder: &Path) -> anyhow::Result<BTreeMap<String, Result<Spec, String>>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        entries => entries?,
    };
    let mut specs = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            let name = named::experiment(&path);
            let spec = spec::read(&path, &report::kinds()).map_err(|error| error.to_string());
            specs.insert(name, spec);
        }
    }
    Ok(specs)
}

fn listed(
    name: &str,
    spec: Option<&Result<Spec, String>>,
    entries: Vec<RunEntry>,
    sizes: bool,
) -> Listed {
    let spec_error = spec.and_then(|spec| spec.as_ref().err()).cloned();
    let spec = spec.and_then(|spec| spec.as_ref().ok());
    let (plan, plan_error) = match spec.map(Plan::new) {
        Some(Ok(plan)) => (Some(plan), None),
        Some(Err(error)) => (None, Some(error.to_string())),
        None => (None, None),
    };
    let plan_hash = plan.as_ref().map(Plan::hash);
    let runs = entries
        .into_iter()
        .map(|entry| listed_run(entry, plan_hash.as_deref(), sizes))
        .collect();
    Listed {
        name: name.into(),
        title: spec.and_then(|spec| spec.title.clone()),
        tags: spec.map(|spec| spec.tags.clone()).unwrap_or_default(),
        notes: spec.and_then(|spec| spec.notes.clone()),
        error: spec_error.or(plan_error),
        plan_hash,
        runs,
        trials: plan.as_ref().map(Plan::trials),
        is_in_reference: false,
    }
}

fn listed_run(entry: RunEntry, plan_hash: Option<&str>, sizes: bool) -> ListedRun {
    let state = match entry.folder.is_complete().then(|| entry.folder.manifest()) {
        None => State::Unfinished {
            parts: entry.folder.parts(),
            under_way: progress::of_run(&entry.folder),
            shards: shards(&entry.folder),
        },
        Some(Ok(manifest)) => State::Complete {
            rows: manifest.rows,
            series_rows: manifest.series_rows,
            move_rows: manifest.move_rows,
            ended: manifest.ended,
        },
        Some(Err(error)) => State::Damaged {
            error: error.to_string(),
        },
    };
    let code = entry.code();
    let current = code == Code::Present && plan_hash == Some(entry.plan_hash.as_str());
    let RunEntry {
        code_version,
        plan_hash,
        repeat,
        folder,
        ..
    } = entry;
    ListedRun {
        code_version,
        plan_hash,
        repeat,
        bytes: sizes.then(|| tree_size(folder.path())),
        folder: folder.path().into(),
        current,
        changed: match code {
            Code::Present => Some(Vec::new()),
            Code::Changed(parts) => Some(parts),
            Code::Other => None,
        },
        state,
    }
}

/// The shares that have begun; none where they cannot be listed.
fn shards(run: &RunFolder) -> Vec<Shards> {
    let cuts = shards::Shards::cuts(run).unwrap_or_default();
    let counts = |cut: shards::Shards| Shards {
        of: cut.count,
        begun: cut.begun.len(),
        complete: cut.done.len(),
    };
    cuts.into_iter().map(counts).collect()
}

/// Prints experiments and runs for a person.
///
/// # Errors
/// What the writing says.
pub fn write(out: &mut dyn Write, experiments: &[Listed]) -> io::Result<()> {
    if experiments.is_empty() {
        return writeln!(
            out,
            "no experiments and no results here; `reines list --help` says where it looks"
        );
    }
    for experiment in experiments {
        let title = experiment
            .title
            .as_ref()
            .map_or_else(String::new, |title| format!(": {title}"));
        writeln!(out, "{}{title}", experiment.name)?;
        if !experiment.tags.is_empty() {
            writeln!(out, "  tags: {}", experiment.tags.join(", "))?;
        }
        for line in experiment.notes.iter().flat_map(|notes| notes.lines()) {
            writeln!(out, "{}", format!("  | {line}").trim_end())?;
        }
        if let Some(error) = &experiment.error {
            writeln!(out, "  {error}")?;
        }
        if experiment.runs.is_empty() {
            writeln!(out, "  no results")?;
        }
        for run in &experiment.runs {
            writeln!(out, "  {}", line(run))?;
        }
    }
    Ok(())
}

/// Prints a line for each experiment.
///
/// # Errors
/// What the writing says.
pub fn write_lines(out: &mut dyn Write, experiments: &[Listed]) -> io::Result<()> {
    if experiments.is_empty() {
        return write(out, experiments);
    }
    let row = |listed: &Listed| {
        let trials = listed.trials.map(|trials| counted(trials, "trial"));
        let title = listed.error.as_ref().or(listed.title.as_ref());
        [
            listed.name.clone(),
            trials.unwrap_or_default(),
            in_short(listed).to_owned(),
            title.cloned().unwrap_or_default(),
        ]
        .to_vec()
    };
    let rows: Vec<Vec<String>> = experiments.iter().map(row).collect();
    columns(out, 0, usize::MAX, &rows)
}

/// How far the newest plan of an experiment is.
fn in_short(listed: &Listed) -> &'static str {
    let runs = || listed.runs.iter();
    let is_complete = |run: &ListedRun| matches!(run.state, State::Complete { .. });
    if runs().any(|run| run.current && is_complete(run)) {
        "complete"
    } else if runs().any(|run| run.current) {
        "unfinished"
    } else if runs().any(is_complete) {
        "of older code or another plan"
    } else if runs().next().is_some() {
        "unfinished"
    } else if listed.is_in_reference {
        "reference only"
    } else {
        "no results"
    }
}

fn line(run: &ListedRun) -> String {
    let state = match &run.state {
        State::Complete {
            rows,
            series_rows,
            move_rows,
            ended,
        } => {
            let courses = courses_in_words([*series_rows, *move_rows]);
            format!("complete, {} trials{courses}, {ended}", spaced(*rows))
        }
        State::Unfinished {
            parts,
            under_way,
            shards,
        } => unfinished(*parts, under_way.as_deref(), shards),
        State::Damaged { error } => format!("damaged: {error}"),
    };
    let code = match run.changed.as_deref() {
        _ if run.current => " (this code version, the spec's plan)".to_owned(),
        Some([]) => " (this code version)".to_owned(),
        Some(parts) => format!(" (old: {} changed)", parts.join(", ")),
        None => " (old: another code version)".to_owned(),
    };
    let repeat = if run.repeat > 1 {
        format!(", repeat {}", run.repeat)
    } else {
        String::new()
    };
    let bytes = run.bytes.map(|bytes| format!(", {}", size(bytes.into())));
    let bytes = bytes.unwrap_or_default();
    format!(
        "{} plan {}{repeat}: {state}{bytes}{code}",
        run.code_version, run.plan_hash
    )
}

fn unfinished(parts: usize, under_way: Option<&str>, shards: &[Shards]) -> String {
    let parts = match (under_way, parts) {
        (Some(words), _) => words.to_owned(),
        (None, parts) => format!("{} saved", counted(parts as u64, "part")),
    };
    let shards = shards
        .iter()
        .map(|Shards { of, complete, .. }| format!(", {complete} of {of} shards complete"));
    shards.fold(format!("unfinished, {parts}"), |line, shards| {
        line + &shards
    })
}
