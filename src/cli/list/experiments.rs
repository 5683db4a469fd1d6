//! The experiments there are, which runs each has, and how far each run is.

use std::cmp::Reverse;
use std::path::Path;

use itertools::Itertools;
use serde::Serialize;

use crate::cli::check::{Forecast, Total};
use crate::cli::view::{self, PointMean};
use crate::cli::word::{self, Word};
use crate::experiment::plan::Plan;
use crate::experiment::runner::Progress;
use crate::experiment::spec::RESERVED;
use crate::experiment::store::StoreError;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;

/// An experiment, by its spec, its results, or both.
#[derive(Serialize)]
pub struct Listed {
    name: String,
    /// How far its first run is, in a few words.
    state: String,
    /// One that is under way comes first, then those of the present plan and code, then the newest;
    /// those that come with the sources are the last.
    runs: Vec<ListedRun>,
    /// How well the means of the run are known that other commands take; empty where no experiment
    /// is named.
    means: Vec<PointMean>,
    /// What its spec file plans, if there is one.
    #[serde(flatten)]
    planned: Option<Planned>,
    /// True if the run that is named is complete, or one of the present plan and code.
    #[serde(skip)]
    pub is_complete: bool,
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
    /// True if it is of the present plan, or none is known.
    is_of_plan: bool,
    is_of_code: bool,
    is_reference: bool,
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
        /// What it has saved.
        saved: Option<Progress>,
    },
}

/// Every experiment that has a spec in `experiments/` or runs in the results.
pub fn all(results: &Path) -> anyhow::Result<Vec<Word>> {
    let mut names = word::experiments(results)?;
    names.extend(word::experiments(&results.join(RESERVED)).unwrap_or_default());
    let files = word::spec_files()?.into_iter();
    let files = files.map(|it| Word::Spec(it, results.to_owned()));
    let names = names.into_iter();
    let names = names.map(|it| Word::Experiment(it, results.to_owned()));
    let words = files.chain(names).unique_by(Word::name);
    Ok(words.sorted_by_key(Word::name).collect())
}

impl Listed {
    pub fn of(word: &Word, with_means: bool, forecast: &Forecast) -> Result<Self, StoreError> {
        let planned = match word {
            Word::Spec(..) => Some(Planned::of(word, forecast)),
            Word::Run(_) | Word::Experiment(..) => None,
        };
        let hash = match &planned {
            Some(Planned::Plan { plan_hash, .. }) => Some(plan_hash.as_str()),
            _ => None,
        };
        let mut runs: Vec<_> = (word.folders()?.iter())
            .map(|run| ListedRun::of(run, hash))
            .collect();
        runs.sort_by_cached_key(ListedRun::order);
        let is_complete = |run: &ListedRun| {
            let is_meant = run.is_current() && !run.is_reference || matches!(word, Word::Run(_));
            is_meant && matches!(run.state, HowFar::Complete { .. })
        };
        let taken = word.run().ok().flatten().filter(|_| with_means);
        let state = runs
            .first()
            .map_or("no results".to_owned(), ListedRun::in_short);
        Ok(Self {
            name: word.name(),
            state,
            means: taken.map_or_else(Vec::new, |run| view::means_of(&run)),
            is_complete: runs.iter().any(is_complete),
            runs,
            planned,
        })
    }

    /// What is wrong with the runs that are damaged or cannot be read.
    pub fn damage(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().filter_map(|run| match &run.state {
            HowFar::Damaged { error } | HowFar::Unread { error } => Some(error.as_str()),
            HowFar::Complete { .. } | HowFar::Unfinished { .. } => None,
        })
    }
}

impl Planned {
    fn of(word: &Word, forecast: &Forecast) -> Self {
        let planned = word.spec().and_then(|spec| {
            word::figures(&spec)?;
            Ok((Plan::new(&spec)?, spec))
        });
        match planned {
            Ok((plan, spec)) => Self::Plan {
                plan_hash: plan.hash(),
                title: spec.title,
                source: spec.source,
                trials: plan.trials(),
                run_time: forecast.total(&plan),
            },
            Err(error) => Self::Refused {
                error: error.to_string(),
            },
        }
    }
}

impl ListedRun {
    fn of(run: &RunFolder, present: Option<&str>) -> Self {
        let [_, code_version, plan_hash] = run.names();
        let results = run.path().parent().and_then(Path::parent);
        Self {
            state: HowFar::of(run),
            folder: run.path().display().to_string(),
            code_version: code_version.to_owned(),
            plan_hash: plan_hash.to_owned(),
            is_of_plan: present.is_none_or(|present| present == plan_hash),
            is_of_code: run.code() == Code::Present,
            is_reference: results.is_some_and(|it| it.ends_with(RESERVED)),
        }
    }

    fn is_current(&self) -> bool {
        self.is_of_plan && self.is_of_code
    }

    fn order(&self) -> (bool, bool, bool, Reverse<String>) {
        let (is_running, ended) = match &self.state {
            HowFar::Complete { ended, .. } => (false, &**ended),
            HowFar::Unfinished { running, .. } => (*running, "unfinished"),
            HowFar::Damaged { .. } | HowFar::Unread { .. } => (false, ""),
        };
        let ended = Reverse(ended.to_owned());
        (self.is_reference, !is_running, !self.is_current(), ended)
    }

    fn in_short(&self) -> String {
        let words = match &self.state {
            HowFar::Damaged { .. } => "damaged".to_owned(),
            HowFar::Unread { .. } => "cannot be read".to_owned(),
            HowFar::Complete { .. } if self.is_reference => "reference only".to_owned(),
            HowFar::Complete { .. } => "complete".to_owned(),
            HowFar::Unfinished { running, saved } => {
                let words = if *running { "running" } else { "unfinished" };
                let percent = |it: &Progress| it.trials * 100 / it.total.max(1);
                let percent = saved.as_ref().map(percent);
                percent.map_or(words.to_owned(), |it| format!("{words}, {it} %"))
            }
        };
        match (self.is_of_code, self.is_of_plan) {
            _ if self.is_reference => words,
            (false, _) => words + ", of other code",
            (true, false) => words + ", of another plan",
            (true, true) => words,
        }
    }
}

impl HowFar {
    fn of(run: &RunFolder) -> Self {
        if !run.is_complete() {
            return Self::Unfinished {
                running: run.is_locked(),
                saved: Progress::of_saved(run),
            };
        }
        let stored = CompleteRun::open(run);
        match stored.and_then(|it| it.check_lengths().map(|()| it.manifest)) {
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
