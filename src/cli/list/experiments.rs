//! The experiments there are, which runs each has, and how far each run is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use serde::Serialize;
use serde_json::{Value, json};

use crate::analysis::precision::Precision;
use crate::cli::shelf::{self, Shelf, Shelved, Word};
use crate::cli::text::{counted, courses_in_words, quote, size, spaced, tree_size};
use crate::cli::{means, progress};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::runner::Progress;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;
use crate::report;

/// The ranks of what is said of an experiment: first that it is running, then that its present plan
/// is complete.
const RUNNING: u8 = 0;
const COMPLETE: u8 = 2;

/// An experiment, by its spec, its results, or both.
pub struct Listed {
    pub name: String,
    /// The plan by its spec file, if there is one, or what is wrong with the file.
    pub planned: Option<Result<(Spec, Plan), String>>,
    pub runs: Vec<ListedRun>,
    /// The runs that come with the sources.
    reference: Vec<ListedRun>,
    /// How well the means of the run are known that other commands take, where it was asked for.
    means: Vec<Precision>,
    /// True if runs alone are named.
    are_runs: bool,
}

/// A run, how far it is, and how it stands to the plan that its experiment has now.
#[derive(Serialize)]
pub struct ListedRun {
    #[serde(flatten)]
    state: State,
    folder: PathBuf,
    code_version: String,
    plan_hash: String,
    bytes: u64,
    /// True if it is of the present plan and code.
    current: bool,
    /// The parts of the code that have changed since; `None` where they are not known.
    changed: Option<Vec<String>>,
    /// What its plan has where the present one has something else; empty where that is not known.
    plan: Vec<String>,
    /// The complete run that has all its rows.
    superseded_by: Option<PathBuf>,
}

#[derive(Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum State {
    Complete {
        rows: u64,
        series_rows: u64,
        move_rows: u64,
        ended: String,
    },
    Damaged {
        error: String,
    },
    Unfinished {
        running: bool,
        saved: Option<Progress>,
    },
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
    let files = shelf::spec_files()?.into_iter().chain(elsewhere);
    let mut specs: BTreeMap<String, Result<Spec, String>> = files.map(read).collect();
    let (runs, reference) = (shelf.own()?, shelf.reference()?);
    let with_runs = runs.iter().chain(reference).map(|it| &it.folder.experiment);
    let names: Vec<&str> = specs.keys().chain(with_runs).map(String::as_str).collect();
    let names = shelf::experiments(&words, &names, "no spec and no run of this name")?;
    let listed = |name: String| {
        let planned = specs.remove(&name).map(|spec| {
            let plan = Plan::new(spec.as_ref()?).map_err(|error| error.to_string());
            Ok((spec?, plan?))
        });
        let plan = planned.as_ref().and_then(|it| Some(&it.as_ref().ok()?.1));
        let hash = plan.map(Plan::hash);
        let is_meant =
            |it: &&RunFolder| words.is_empty() || words.iter().any(|word| word.means(it));
        let own = |runs: &[Shelved]| {
            let own = runs
                .iter()
                .map(|it| &it.folder)
                .filter(|it| it.experiment == name);
            let own = own.filter(is_meant);
            let mut own: Vec<_> = own.map(|it| ListedRun::of(it, plan)).collect();
            own.sort_by_cached_key(ListedRun::order);
            own
        };
        let word = words.iter().find(|word| word.name() == name);
        let taken = word.and_then(|word| shelf.of_plan(word, hash.as_deref()).ok()?);
        let mut own_runs = own(runs);
        supersede(&mut own_runs);
        Listed {
            means: taken.map_or_else(Vec::new, |run| means::of(&run)),
            runs: own_runs,
            reference: own(reference),
            are_runs: words.iter().all(|word| matches!(word, Word::Run(_))),
            planned,
            name,
        }
    };
    Ok(names.into_iter().map(listed).collect())
}

/// Names the complete run of the present plan beside each that has no other rows.
fn supersede(runs: &mut [ListedRun]) {
    let is_whole = |run: &&ListedRun| run.current && matches!(run.state, State::Complete { .. });
    let Some(whole) = runs.iter().find(is_whole).map(|run| run.folder.clone()) else {
        return;
    };
    let plan = |folder: &Path| RunFolder::at(folder).plan();
    let Some(present) = plan(&whole) else { return };
    for run in runs
        .iter_mut()
        .filter(|run| !run.current && run.is_of_present_code())
    {
        let is_under_way = matches!(run.state, State::Unfinished { running: true, .. });
        if !is_under_way && plan(&run.folder).is_some_and(|own| own.is_piece_of(&present)) {
            run.superseded_by = Some(whole.clone());
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
            state: State::of(run),
            folder: run.path().to_owned(),
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
            superseded_by: None,
        }
    }

    fn is_of_present_code(&self) -> bool {
        self.changed.as_ref().is_some_and(Vec::is_empty)
    }

    /// Those of the present plan and code come first, then the newest; one that is under way is
    /// newer than all.
    fn order(&self) -> (bool, Reverse<String>) {
        let ended = match &self.state {
            State::Complete { ended, .. } => ended,
            State::Damaged { .. } | State::Unfinished { .. } => "unfinished",
        };
        (!self.current, Reverse(ended.to_owned()))
    }

    /// How far it is in a few words, and their place among those of other runs: the first are said
    /// of the experiment.
    fn in_short(&self) -> (u8, String) {
        let is_present = self.is_of_present_code();
        let (rank, words) = match &self.state {
            State::Damaged { .. } => (1, "damaged"),
            State::Complete { .. } if self.current => (COMPLETE, "complete"),
            State::Complete { .. } if is_present => (4, "complete, of another plan"),
            State::Complete { .. } => (5, "complete, by older code"),
            State::Unfinished { running, saved } => {
                let words = if *running { "running" } else { "unfinished" };
                let percent = saved.iter().map(|it| format!(", {} %", percent(it)));
                let left = saved.as_ref().map(progress::ahead).filter(|_| *running);
                let left = left.iter().map(|left| format!(", {left}"));
                let rank = match (running, self.current) {
                    (true, _) => RUNNING,
                    (false, true) => 3,
                    (false, false) => 6,
                };
                return (
                    rank,
                    words.to_owned() + &percent.chain(left).collect::<String>(),
                );
            }
        };
        (rank, words.to_owned())
    }

    /// What there is to say of it.
    fn lines(&self, has_present: bool) -> Vec<String> {
        let plan = match (self.current, &self.plan[..]) {
            (true, _) if has_present => ", the spec's plan".to_owned(),
            _ if !has_present || self.current => String::new(),
            (_, []) => ", another plan".to_owned(),
            (_, words) => format!(", another plan: {}", words.join(", ")),
        };
        let remark = match self.changed.as_deref() {
            Some([]) => format!("this code version{plan}"),
            Some(parts) => format!("old: {} changed", parts.join(", ")),
            None => "old: another code version".to_owned(),
        };
        let (path, size) = (self.folder.display(), size(self.bytes.into()));
        let mut lines = vec![format!("{path}: {}, {size} ({remark})", self.state)];
        let whole = self.superseded_by.iter().map(|it| it.display());
        let folder = quote(&path.to_string());
        lines.extend(whole.map(|it| format!("  all its rows are in {it}: rm -r {folder}")));
        lines
    }
}

fn percent(saved: &Progress) -> u64 {
    saved.trials * 100 / saved.total.max(1)
}

impl State {
    fn of(run: &RunFolder) -> Self {
        if !run.is_complete() {
            return Self::Unfinished {
                running: run.is_locked(),
                saved: Progress::of_saved(run),
            };
        }
        match run.manifest() {
            Ok(manifest) => Self::Complete {
                rows: manifest.rows,
                series_rows: manifest.series_rows,
                move_rows: manifest.move_rows,
                ended: manifest.ended,
            },
            Err(error) => Self::Damaged {
                error: error.to_string(),
            },
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete {
                rows,
                series_rows,
                move_rows,
                ended,
            } => {
                let courses = courses_in_words([*series_rows, *move_rows]);
                write!(f, "complete, {}{courses}, {ended}", counted(*rows, "trial"))
            }
            Self::Damaged { error } => write!(f, "damaged: {error}"),
            Self::Unfinished { running, saved } => {
                f.write_str(if *running { "running" } else { "unfinished" })?;
                saved.iter().try_for_each(|saved| {
                    let words = progress::in_words(saved);
                    write!(f, ", saved: {} %, {words}", percent(saved))
                })
            }
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
    pub fn json(&self) -> Value {
        let mut json = json!({
            "name": self.name,
            "runs": self.runs,
            "reference": self.reference,
            // Of the run that other commands take; empty where no experiment is named.
            "means": self.means,
        });
        match &self.planned {
            Some(Ok((spec, plan))) => {
                json["plan_hash"] = plan.hash().into();
                json["title"] = json!(spec.title);
                json["source"] = json!(spec.source);
            }
            Some(Err(error)) => json["error"] = json!(error),
            None => {}
        }
        json
    }

    /// All there is to say of it.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.name.clone()];
        match &self.planned {
            Some(Ok((spec, _))) => {
                let title = spec.title.iter().map(|title| format!(": {title}"));
                lines[0].extend(title);
                let source = spec.source.iter();
                lines.extend(source.map(|source| format!("  source: {source}")));
            }
            Some(Err(error)) => lines.push(format!("  {error}")),
            None => {}
        }
        let runs = match self.runs[..] {
            [] => {
                lines.push(format!("  {}", self.in_short()));
                &self.reference
            }
            _ => &self.runs,
        };
        let has_present = matches!(self.planned, Some(Ok(_)));
        let of_runs = runs.iter().flat_map(|run| run.lines(has_present));
        lines.extend(of_runs.map(|line| format!("  {line}")));
        lines.extend(means::table(&self.means));
        lines
    }

    /// True if it has a complete run of the present plan and code or, if only runs were named, each
    /// of these is complete.
    pub fn is_complete(&self) -> bool {
        let is_complete = |run: &ListedRun| matches!(run.state, State::Complete { .. });
        let mut runs = self.runs.iter();
        runs.any(|run| run.current && is_complete(run))
            || (self.are_runs && self.runs.iter().all(is_complete))
    }

    /// What is wrong with the manifests that cannot be read.
    pub fn damage(&self) -> impl Iterator<Item = &str> {
        let runs = self.runs.iter().chain(&self.reference);
        runs.filter_map(|run| match &run.state {
            State::Damaged { error } => Some(error.as_str()),
            State::Complete { .. } | State::Unfinished { .. } => None,
        })
    }

    /// How far the newest plan of it is, and whether it is running.
    pub fn in_short(&self) -> String {
        let none = match self.reference[..] {
            [] => "no results",
            _ => "reference only",
        };
        let of_runs = self.runs.iter().map(ListedRun::in_short).min();
        of_runs.map_or(none.to_owned(), |(_, words)| words)
    }
}
