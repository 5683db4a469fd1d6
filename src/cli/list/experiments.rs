//! The experiments there are, which runs each has, and how far each run is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use itertools::Itertools;
use serde::Serialize;

use crate::analysis::precision::Precision;
use crate::cli::check::{Forecast, Total};
use crate::cli::shelf::{Shelf, Shelved, spec_files};
use crate::cli::text::{counted, spaced, tree_size};
use crate::cli::word::{self, Word};
use crate::cli::{means, progress};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::runner::Progress;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::stored::Stored;
use crate::experiment::version::Code;
use crate::report;

/// The ranks of what is said of an experiment: first that it is running, then that its present plan
/// is complete.
const RUNNING: u8 = 0;
const COMPLETE: u8 = 2;

/// An experiment, by its spec, its results, or both.
#[derive(Serialize)]
pub struct Listed {
    name: String,
    /// How far the newest plan of it is, and whether it is running, in a few words.
    state: String,
    runs: Vec<ListedRun>,
    /// The runs that come with the sources.
    reference: Vec<ListedRun>,
    /// How well the means of the run are known that other commands take; empty where no experiment
    /// is named.
    means: Vec<Precision>,
    /// What its spec file plans, if there is one.
    #[serde(flatten)]
    planned: Option<Planned>,
    /// True if runs alone are named.
    #[serde(skip)]
    are_runs: bool,
}

/// What a spec file plans, or what is wrong with it.
#[derive(Serialize)]
#[serde(untagged)]
enum Planned {
    Plan {
        plan_hash: String,
        title: Option<String>,
        source: Option<String>,
        trials: u64,
        /// Seconds of all its trials.
        run_time: Total,
    },
    Refused {
        error: String,
    },
}

/// A run, how far it is, and how it stands to the plan that its experiment has now.
#[derive(Serialize)]
pub struct ListedRun {
    #[serde(flatten)]
    state: HowFar,
    folder: String,
    code_version: String,
    plan_hash: String,
    bytes: u64,
    /// True if it is of the present plan and code.
    current: bool,
    /// The parts of the code that have changed since; `None` where they are not known.
    changed: Option<Vec<String>>,
    /// What its plan has where the present one has something else; empty where that is not known.
    plan: Vec<String>,
}

#[derive(Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum HowFar {
    Complete {
        rows: u64,
        series_rows: u64,
        ended: String,
    },
    Damaged {
        error: String,
    },
    /// Nothing is known of it now, by permissions or a failing disk.
    Unread {
        error: String,
    },
    Unfinished {
        running: bool,
        saved: Option<SavedTrials>,
    },
}

/// How far an unfinished run is by what it has saved.
#[derive(Serialize)]
struct SavedTrials {
    #[serde(flatten)]
    progress: Progress,
    percent: u64,
    /// Trials and time left.
    words: String,
}

/// Every experiment that has a spec in `experiments/` or runs in the results, or those that are
/// named.
pub fn list(shelf: &Shelf, named: &[PathBuf]) -> anyhow::Result<Vec<Listed>> {
    shelf.refuse_elsewhere(named)?;
    let words = shelf.each(named)?;
    // By stem, valid or not; one that lies elsewhere is named by its path.
    let elsewhere = words.iter().filter_map(|word| match word {
        Word::Spec(path) => Some(path.clone()),
        _ => None,
    });
    let read = |path: PathBuf| {
        let spec = spec::read(&path, &report::kinds()).map_err(|error| error.to_string());
        (Word::Spec(path).name(), spec)
    };
    let files = spec_files()?.into_iter().chain(elsewhere);
    let mut specs: BTreeMap<String, Result<Spec, String>> = files.map(read).collect();
    let (runs, reference) = (shelf.own()?, shelf.reference()?);
    let with_runs = runs.iter().chain(reference).map(|it| &it.folder.experiment);
    let names: Vec<&str> = specs.keys().chain(with_runs).map(String::as_str).collect();
    let names = word::experiments(&words, &names, "no spec and no run of this name")?;
    let forecast = Forecast::read(shelf)?;
    let listed = |name: String| {
        let planned = specs.remove(&name).map(|spec| {
            let plan = Plan::new(spec.as_ref()?).map_err(|error| error.to_string());
            Ok::<_, String>((spec?, plan?))
        });
        let plan = planned.as_ref().and_then(|it| Some(&it.as_ref().ok()?.1));
        let is_meant = |run: &RunFolder| {
            run.experiment == name && (words.is_empty() || words.iter().any(|word| word.means(run)))
        };
        let own = |runs: &[Shelved]| {
            let own = runs.iter().map(|it| &it.folder).filter(|it| is_meant(it));
            let mut own: Vec<_> = own.map(|it| ListedRun::of(it, plan)).collect();
            own.sort_by_cached_key(ListedRun::order);
            own
        };
        let (runs, reference) = (own(runs), own(reference));
        let none = match reference[..] {
            [] => "no results",
            _ => "reference only",
        };
        let state = runs.iter().map(ListedRun::in_short).min();
        let word = words.iter().find(|word| word.name() == name);
        let hash = plan.map(Plan::hash);
        let taken = word.and_then(|word| shelf.of_plan(word, hash.as_deref()).ok()?);
        Listed {
            state: state.map_or(none.to_owned(), |(_, words)| words),
            means: taken.map_or_else(Vec::new, |run| means::of(&run)),
            runs,
            reference,
            are_runs: words.iter().all(|word| matches!(word, Word::Run(_))),
            planned: planned.map(|it| Planned::of(it, &forecast)),
            name,
        }
    };
    Ok(names.into_iter().map(listed).collect())
}

impl Planned {
    fn of(planned: Result<(Spec, Plan), String>, forecast: &Forecast) -> Self {
        match planned {
            Ok((spec, plan)) => Self::Plan {
                plan_hash: plan.hash(),
                title: spec.title,
                source: spec.source,
                trials: plan.trials(),
                run_time: forecast.of_plan(&plan),
            },
            Err(error) => Self::Refused { error },
        }
    }
}

impl ListedRun {
    fn of(run: &RunFolder, present: Option<&Plan>) -> Self {
        let [_, code_version, plan_hash] = run.names();
        let code = run.code();
        // Without a spec file the plans of all runs are those of the specs that they keep.
        let is_own = present.is_none_or(|plan| plan.hash() == plan_hash);
        let other = present.filter(|_| !is_own).zip(run.plan());
        Self {
            state: HowFar::of(run),
            folder: run.path().display().to_string(),
            code_version: code_version.to_owned(),
            plan_hash: plan_hash.to_owned(),
            bytes: tree_size(run.path()),
            current: code == Code::Present && is_own,
            changed: match code {
                Code::Present => Some(Vec::new()),
                Code::Changed(parts) => Some(parts),
                Code::Other => None,
            },
            plan: other.map_or_else(Vec::new, |(present, own)| difference(&own, present)),
        }
    }

    fn is_of_present_code(&self) -> bool {
        self.changed.as_ref().is_some_and(Vec::is_empty)
    }

    /// The place of a run: the present plan and code come first, then the newest; one that is under
    /// way is newer than all.
    fn order(&self) -> (bool, Reverse<String>) {
        let ended = match &self.state {
            HowFar::Complete { ended, .. } => ended,
            _ => "unfinished",
        };
        (!self.current, Reverse(ended.to_owned()))
    }

    /// How far it is in a few words, and their place among those of other runs: the first are said
    /// of the experiment.
    fn in_short(&self) -> (u8, String) {
        let is_present = self.is_of_present_code();
        let (rank, words) = match &self.state {
            HowFar::Damaged { .. } => (1, "damaged"),
            HowFar::Unread { .. } => (1, "cannot be read"),
            HowFar::Complete { .. } if self.current => (COMPLETE, "complete"),
            HowFar::Complete { .. } if is_present => (4, "complete, of another plan"),
            HowFar::Complete { .. } => (5, "complete, by older code"),
            HowFar::Unfinished { running, saved } => {
                let mut words = if *running { "running" } else { "unfinished" }.to_owned();
                if let Some(saved) = saved {
                    words += &format!(", {} %", saved.percent);
                }
                if let (true, Some(saved)) = (running, saved) {
                    words += &format!(", {}", progress::ahead(&saved.progress));
                }
                let rank = match (running, self.current) {
                    (true, _) => RUNNING,
                    (false, true) => 3,
                    (false, false) => 6,
                };
                return (rank, words);
            }
        };
        (rank, words.to_owned())
    }
}

impl HowFar {
    fn of(run: &RunFolder) -> Self {
        if !run.is_complete() {
            return Self::Unfinished {
                running: run.is_locked(),
                saved: Progress::of_saved(run).map(SavedTrials::of),
            };
        }
        let stored = Stored::open(run.path());
        let stored = stored.and_then(|it| it.check_lengths().map(|()| it.manifest));
        match stored {
            Ok(manifest) => Self::Complete {
                rows: manifest.rows,
                series_rows: manifest.series_rows,
                ended: manifest.ended,
            },
            Err(error) if error.is_damage() => Self::Damaged {
                error: error.to_string(),
            },
            Err(error) => Self::Unread {
                error: error.to_string(),
            },
        }
    }
}

impl SavedTrials {
    fn of(progress: Progress) -> Self {
        Self {
            progress,
            percent: progress.trials * 100 / progress.total.max(1),
            words: progress::in_words(&progress),
        }
    }
}

/// What a plan has where the present one has something else: `trials 50 (now 80)`.
fn difference(own: &Plan, present: &Plan) -> Vec<String> {
    let mut words = Vec::new();
    if own.seeds != present.seeds {
        let [own, now] = [own, present].map(|plan| plan.seeds.iter().join(" "));
        words.push(format!("seeds {own} (now {now})"));
    }
    let both = own.points.iter();
    let both: Vec<_> = both
        .filter_map(|it| Some((it, present.at(&it.point)?)))
        .collect();
    let counts = [own.points.len(), present.points.len()].map(|all| all - both.len());
    let more = [
        (counts[0], "not in the spec"),
        (counts[1], "of the spec missing"),
    ];
    let more = more.into_iter().filter(|(count, _)| *count > 0);
    words.extend(more.map(|(count, what)| format!("{} {what}", counted(count, "point"))));
    let facts = |it: &PlannedPoint| {
        let trials = match it.first {
            0 => spaced(it.trials),
            first => format!("{first}..{}", first + it.trials - 1),
        };
        let dynamics = it.dynamics_name().unwrap_or_default();
        [trials, spaced(it.cutoff), dynamics.to_owned()]
    };
    let facts: Vec<_> = both
        .iter()
        .map(|(own, now)| [facts(own), facts(now)])
        .collect();
    for (at, name) in ["trials", "cutoff", "dynamics"].into_iter().enumerate() {
        let pairs = facts.iter().map(|[own, now]| (&own[at], &now[at]));
        let pairs: BTreeSet<_> = pairs.filter(|(own, now)| own != now).collect();
        match pairs.first() {
            None => {}
            Some((own, now)) if pairs.len() == 1 => words.push(format!("{name} {own} (now {now})")),
            Some(_) => words.push(format!("other {name}")),
        }
    }
    words
}

impl Listed {
    /// True if it has a complete run of the present plan and code or, if only runs were named, each
    /// of these is complete.
    pub fn is_complete(&self) -> bool {
        let is_complete = |run: &ListedRun| matches!(run.state, HowFar::Complete { .. });
        let mut runs = self.runs.iter();
        runs.any(|run| run.current && is_complete(run))
            || (self.are_runs && self.runs.iter().all(is_complete))
    }

    /// What is wrong with the runs that are damaged or cannot be read.
    pub fn damage(&self) -> impl Iterator<Item = &str> {
        let runs = self.runs.iter().chain(&self.reference);
        runs.filter_map(|run| match &run.state {
            HowFar::Damaged { error } | HowFar::Unread { error } => Some(error.as_str()),
            HowFar::Complete { .. } | HowFar::Unfinished { .. } => None,
        })
    }
}
