//! The experiments there are, which runs each has, and how far each run is.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::analysis::precision::Precision;
use crate::cli::shelf::{self, Shelf, Shelved, Word};
use crate::cli::text::{counted, courses_in_words, size, tree_size};
use crate::cli::{means, progress};
use crate::experiment::plan::Plan;
use crate::experiment::runner::Progress;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;
use crate::report;

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

/// The rank of a complete run of the present plan and code.
const COMPLETE: u8 = 0;

pub struct ListedRun {
    /// How far it is in a few words, and their place among those of other runs: the first are said
    /// of the experiment.
    in_short: (u8, &'static str),
    json: Value,
    /// What is said of it.
    line: String,
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
        let hash = planned
            .as_ref()
            .and_then(|it| Some(it.as_ref().ok()?.1.hash()));
        let is_meant =
            |it: &&RunFolder| words.is_empty() || words.iter().any(|word| word.means(it));
        let own = |runs: &[Shelved]| {
            let own = runs
                .iter()
                .map(|it| &it.folder)
                .filter(|it| it.experiment == name);
            let own = own.filter(is_meant);
            let mut own: Vec<_> = own.map(|it| listed_run(it, hash.as_deref())).collect();
            own.sort_by_cached_key(ListedRun::order);
            own
        };
        let word = words.iter().find(|word| word.name() == name);
        let taken = word.and_then(|word| shelf.of_plan(word, hash.as_deref()).ok()?);
        Listed {
            means: taken.map_or_else(Vec::new, |run| means::of(&run)),
            runs: own(runs),
            reference: own(reference),
            are_runs: words.iter().all(|word| matches!(word, Word::Run(_))),
            planned,
            name,
        }
    };
    Ok(names.into_iter().map(listed).collect())
}

fn listed_run(run: &RunFolder, plan_hash: Option<&str>) -> ListedRun {
    let [_, code_version, own_hash] = run.names();
    let path = run.path().display();
    let (mut json, words) = state(run);
    let code = run.code();
    // Without a spec file the plans of all runs are those of the specs that they keep.
    let is_own = plan_hash.is_none_or(|hash| hash == own_hash);
    let is_present = code == Code::Present;
    let is_current = is_present && is_own;
    let (changed, remark) = match code {
        Code::Present => {
            let plan = match plan_hash {
                None => "",
                Some(_) if is_own => ", the spec's plan",
                Some(_) => ", another plan",
            };
            (json!([]), format!("this code version{plan}"))
        }
        Code::Changed(parts) => (json!(parts), format!("old: {} changed", parts.join(", "))),
        // Which parts differ is not known.
        Code::Other => (Value::Null, "old: another code version".to_owned()),
    };
    let bytes = tree_size(run.path());
    let size = size(bytes.into());
    let line = format!("{path}: {words}, {size} ({remark})");
    json["code_version"] = json!(code_version);
    json["plan_hash"] = json!(own_hash);
    json["folder"] = json!(run.path());
    json["bytes"] = json!(bytes);
    json["current"] = json!(is_current);
    json["changed"] = changed;
    let in_short = match (json["state"].as_str(), is_present) {
        (Some("damaged"), _) => (1, "damaged"),
        (Some("complete"), _) if is_current => (COMPLETE, "complete"),
        (Some("complete"), true) => (3, "complete, of another plan"),
        (Some("complete"), false) => (4, "complete, by older code"),
        _ if is_current => (2, "unfinished"),
        _ => (5, "unfinished"),
    };
    ListedRun {
        in_short,
        json,
        line,
    }
}

impl ListedRun {
    /// Those of the present plan and code come first, then the newest; one that is under way is
    /// newer than all.
    fn order(&self) -> (bool, Reverse<String>) {
        let ended = self.json["ended"].as_str().unwrap_or("unfinished");
        (self.json["current"] != true, Reverse(ended.to_owned()))
    }
}

/// How far a run is, for programs and in words.
fn state(run: &RunFolder) -> (Value, String) {
    if !run.is_complete() {
        return unfinished(run);
    }
    let manifest = match run.manifest() {
        Ok(manifest) => manifest,
        Err(error) => {
            let error = error.to_string();
            let words = format!("damaged: {error}");
            let json = json!({ "state": "damaged", "error": error });
            return (json, words);
        }
    };
    let [series, moves] = [manifest.series_rows, manifest.move_rows];
    let json = json!({
        "state": "complete",
        "rows": manifest.rows,
        "series_rows": series,
        "move_rows": moves,
        "ended": manifest.ended,
    });
    let trials = counted(manifest.rows, "trial");
    let courses = courses_in_words([series, moves]);
    let words = format!("complete, {trials}{courses}, {}", manifest.ended);
    (json, words)
}

fn unfinished(run: &RunFolder) -> (Value, String) {
    let (is_running, saved) = (run.is_locked(), Progress::of_saved(run));
    let mut words = match is_running {
        true => "running".to_owned(),
        false => "unfinished".to_owned(),
    };
    words.extend(saved.iter().map(|saved| {
        let percent = saved.trials * 100 / saved.total.max(1);
        format!(", saved: {percent} %, {}", progress::in_words(saved))
    }));
    let json = json!({ "state": "unfinished", "running": is_running, "saved": saved });
    (json, words)
}

impl Listed {
    pub fn json(&self) -> Value {
        let [runs, reference] = [&self.runs, &self.reference]
            .map(|runs| runs.iter().map(|run| &run.json).collect::<Vec<_>>());
        let mut json = json!({
            "name": self.name,
            "runs": runs,
            "reference": reference,
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
        lines.extend(runs.iter().map(|run| format!("  {}", run.line)));
        lines.extend(means::table(&self.means));
        lines
    }

    /// True if it has a complete run of the present plan and code or, if only runs were named, each
    /// of these is complete.
    pub fn is_complete(&self) -> bool {
        let mut ranks = self.runs.iter().map(|run| run.in_short.0);
        let are_complete = self.runs.iter().all(|run| run.json["state"] == "complete");
        ranks.any(|rank| rank == COMPLETE) || (self.are_runs && are_complete)
    }

    /// What is wrong with the manifests that cannot be read.
    pub fn damage(&self) -> impl Iterator<Item = &str> {
        let runs = self.runs.iter().chain(&self.reference);
        runs.filter_map(|run| run.json["error"].as_str())
    }

    /// How far the newest plan of it is.
    pub fn in_short(&self) -> &'static str {
        let none = match self.reference[..] {
            [] => "no results",
            _ => "reference only",
        };
        let of_runs = self.runs.iter().map(|run| run.in_short).min();
        of_runs.map_or(none, |(_, words)| words)
    }
}
