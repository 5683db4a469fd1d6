//! The experiments there are, and which results exist for which code version.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::text::{counted, courses_in_words, size, tree_size};
use crate::cli::{named, progress};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards::Shards;
use crate::experiment::version::Code;
use crate::report;

/// An experiment, by its spec, its results, or both.
pub struct Listed {
    pub name: String,
    /// By its spec file, if there is one, or what is wrong with that.
    pub planned: Option<Result<(Spec, Plan), String>>,
    pub runs: Vec<ListedRun>,
    /// Those that come with the sources.
    reference: Vec<ListedRun>,
}

pub struct ListedRun {
    /// How far it is in a few words, and their place among those of other runs: the first are said
    /// of the experiment.
    in_short: (u8, &'static str),
    json: Value,
    line: String,
}

/// Every experiment that has a spec in `experiments` or runs in `results`, or those that are named.
pub fn list(experiments: &Path, results: &Path, named: &[PathBuf]) -> anyhow::Result<Vec<Listed>> {
    let read = |path: PathBuf| {
        let spec = spec::read(&path, &report::kinds()).map_err(|error| error.to_string());
        (named::experiment(&path), spec)
    };
    // By stem, valid or not.
    let specs = named::spec_files(experiments)?.into_iter().map(read);
    let mut specs: BTreeMap<String, Result<Spec, String>> = specs.collect();
    let runs = catalog::runs(results)?;
    let reference = catalog::runs(&results.join("reference"))?;
    let names = specs.keys().chain(runs.iter().map(|it| &it.experiment));
    let names: Vec<&str> = names.map(String::as_str).collect();
    named::refuse_elsewhere(named, results)?;
    let named = named::each_run(named, results)?;
    let names = named::experiments(&named, &names, "no spec and no run")?;
    let listed = |name: String| {
        let planned = specs.remove(&name).map(|spec| {
            let plan = Plan::new(spec.as_ref()?).map_err(|error| error.to_string());
            Ok((spec?, plan?))
        });
        let hash = planned
            .as_ref()
            .and_then(|it| Some(it.as_ref().ok()?.1.hash()));
        let own = |entries: &[RunEntry]| {
            let own = entries.iter().filter(|it| it.experiment == name);
            own.map(|it| listed_run(it, hash.as_deref())).collect()
        };
        Listed {
            runs: own(&runs),
            reference: own(&reference),
            planned,
            name,
        }
    };
    Ok(names.into_iter().map(listed).collect())
}

fn listed_run(entry: &RunEntry, plan_hash: Option<&str>) -> ListedRun {
    let [_, code_version, own_hash] = entry.names();
    let (repeat, folder) = (entry.repeat, &entry.folder);
    let (mut json, words) = state(folder);
    let code = entry.code();
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
    let bytes = tree_size(folder.path());
    let nth = match repeat {
        1 => String::new(),
        repeat => format!(", repeat {repeat}"),
    };
    let size = size(bytes.into());
    let line = format!("{code_version} plan {own_hash}{nth}: {words}, {size} ({remark})");
    json["code_version"] = json!(code_version);
    json["plan_hash"] = json!(own_hash);
    json["repeat"] = json!(repeat);
    json["folder"] = json!(folder.path());
    json["bytes"] = json!(bytes);
    json["current"] = json!(is_current);
    json["changed"] = changed;
    let in_short = match (json["state"] == "complete", is_present) {
        (true, _) if is_current => (0, "complete"),
        (false, _) if is_current => (1, "unfinished"),
        (true, true) => (2, "complete, of another plan"),
        (true, false) => (3, "complete, by older code"),
        (false, _) => (4, "unfinished"),
    };
    ListedRun {
        in_short,
        json,
        line,
    }
}

/// How far a run is, for programs and in words.
fn state(folder: &RunFolder) -> (Value, String) {
    if !folder.is_complete() {
        return unfinished(folder);
    }
    let manifest = match folder.manifest() {
        Ok(manifest) => manifest,
        Err(error) => {
            let error = error.to_string();
            let words = format!("damaged: {error}");
            return (json!({ "state": "damaged", "error": error }), words);
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

fn unfinished(folder: &RunFolder) -> (Value, String) {
    let (parts, under_way) = (folder.parts(), progress::of_run(folder));
    let mut words = "unfinished".to_owned();
    words.extend(under_way.iter().map(|it| format!(", {it}")));
    let mut json = json!({ "state": "unfinished", "parts": parts });
    if let Some(under_way) = under_way {
        json["under_way"] = under_way.into();
    }
    // Those that run apart and wait for `reines run`; none where they cannot be listed.
    let mut shards = Vec::new();
    for Shards { count, begun, done } in Shards::cuts(folder).unwrap_or_default() {
        words += &format!(", {} of {count} shards complete", done.len());
        shards.push(json!({ "of": count, "begun": begun.len(), "complete": done.len() }));
    }
    if !shards.is_empty() {
        json["shards"] = shards.into();
    }
    (json, words)
}

impl Listed {
    pub fn json(&self) -> Value {
        let [runs, reference] = [&self.runs, &self.reference]
            .map(|runs| runs.iter().map(|run| &run.json).collect::<Vec<_>>());
        let mut json = json!({ "name": self.name, "runs": runs, "reference": reference });
        match &self.planned {
            Some(Ok((spec, plan))) => {
                json["plan_hash"] = plan.hash().into();
                json["title"] = json!(spec.title);
                json["tags"] = json!(spec.tags);
                json["notes"] = json!(spec.notes);
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
                if !spec.tags.is_empty() {
                    lines.push(format!("  tags: {}", spec.tags.join(", ")));
                }
                let notes = spec.notes.iter().flat_map(|notes| notes.lines());
                lines.extend(notes.map(|line| format!("  | {line}").trim_end().to_owned()));
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
        lines
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
