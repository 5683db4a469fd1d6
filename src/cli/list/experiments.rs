//! The experiments there are, which runs each has, and how far each run is. The words for how far a
//! run is (complete, unfinished, of other code or plan, reference) and the order of runs are here.

use std::cmp::Reverse;
use std::path::Path;

use itertools::Itertools;
use serde_json::{Value, json};

use crate::cli::check::Forecast;
use crate::cli::target::{self, Target};
use crate::cli::view;
use crate::experiment::code_version::Code;
use crate::experiment::plan::Plan;
use crate::experiment::runner::Progress;
use crate::experiment::spec::{RESERVED, Spec};
use crate::experiment::store::StoreError;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::solver::DynamicsChoice;

/// What is wanted of each experiment beside how far it is.
#[derive(Debug, Clone, Copy)]
pub struct Details {
    /// How well its means are known.
    pub means: bool,
    /// The hash of its plan, whatever runs there are.
    pub plan_hash: bool,
}

/// Every experiment that has a spec in `experiments/` or here, or runs in the results.
pub fn all(results: &Path) -> anyhow::Result<Vec<Target>> {
    let mut names = target::experiments(results)?;
    names.extend(target::experiments(&results.join(RESERVED)).unwrap_or_default());
    let mut files = target::spec_files()?;
    files.extend(target::specs_here()?);
    let files = files
        .into_iter()
        .map(|file| Target::Spec(file, results.to_owned()));
    let named = names.into_iter().map(|name| target::by_name(name, results));
    let targets = files.chain(named).unique_by(Target::name);
    Ok(targets.sorted_by_key(Target::name).collect())
}

/// An experiment, by its spec, its results, or both; and whether the run that is named is complete,
/// or one of the present plan and code.
///
/// Of its runs one that is under way comes first, then those of the present plan and code, then the
/// newest; those that come with the sources are the last. How well means are known is said of the
/// run that other commands take.
pub fn listed(
    target: &Target,
    details: Details,
    forecast: &Forecast,
) -> Result<(Value, bool), StoreError> {
    let folders = target.folders()?;
    // The hash decides whether a run of the present code is of the present plan. Any other run is
    // of other code or plan, whatever the hash.
    let is_of_code = |folder: &RunFolder| folder.code() == Code::Present;
    let with_hash = details.plan_hash || folders.iter().any(is_of_code);
    let mut listed = planned(target, forecast, with_hash);
    let has_error = listed["error"].is_string();
    let runs = folders
        .iter()
        .map(|folder| run(folder, listed["plan_hash"].as_str()));
    let runs: Vec<Value> = runs.sorted_by_cached_key(order).collect();
    let is_meant = |run: &Value| is_current(run) && run["is_reference"] == false;
    let is_named = matches!(target, Target::Run(_));
    let mut complete = runs.iter().filter(|run| run["state"] == "complete");
    let is_complete = !has_error && complete.any(|run| is_named || is_meant(run));
    let taken = if details.means {
        target.run().ok().flatten()
    } else {
        None
    };
    let means = taken.map_or_else(Vec::new, |run| {
        view::means_of(&run, &target.condition_names(&run))
    });
    let mut state = runs.first().map_or("no results".to_owned(), in_short);
    if !is_named && !has_error && listed["trials"].is_null() {
        state += ", no spec";
    }
    listed["name"] = json!(target.name());
    listed["state"] = json!(state);
    listed["means"] = json!(means);
    listed["runs"] = json!(runs);
    Ok((listed, is_complete))
}

/// What the present spec plans, or what is wrong with it; nothing where no spec stands.
///
/// The hash rests on the dynamics, which are held against the laws of their rules for it: up to
/// half a second a rule and condition. Where it is not wanted, every dynamics that the spec leaves
/// to the program is taken to have the law of its rule.
fn planned(target: &Target, forecast: &Forecast, with_hash: bool) -> Value {
    let plan_of = |spec: &Spec| {
        let names_dynamics = matches!(spec.dynamics, DynamicsChoice::Only(_));
        if with_hash || names_dynamics {
            target.plan(spec)
        } else {
            Plan::assumed(spec)
        }
    };
    let planned = target.present().and_then(|spec| {
        let Some(spec) = spec else { return Ok(None) };
        target::figures(&spec)?;
        Ok(Some((plan_of(&spec)?, spec)))
    });
    match planned {
        Err(error) => json!({ "error": error.to_string() }),
        Ok(None) => json!({}),
        Ok(Some((plan, spec))) => json!({
            "plan_hash": with_hash.then(|| plan.hash()),
            "title": spec.title,
            "source": spec.source,
            "trials": plan.trials(),
            "run_time": forecast.total(&plan),
        }),
    }
}

/// A run, how far it is, and how it stands to the plan that its experiment has now, if one is
/// known.
fn run(folder: &RunFolder, present: Option<&str>) -> Value {
    let code_version = &folder.code_version;
    let plan_hash = &folder.plan_hash;
    let results = folder.path().parent().and_then(Path::parent);
    let mut run = how_far(folder);
    run["folder"] = json!(folder.path().display().to_string());
    run["code_version"] = json!(code_version);
    run["plan_hash"] = json!(plan_hash);
    run["is_of_plan"] = json!(present.is_none_or(|present| present == plan_hash));
    run["is_of_code"] = json!(folder.code() == Code::Present);
    run["is_reference"] = json!(results.is_some_and(|results| results.ends_with(RESERVED)));
    run
}

fn how_far(folder: &RunFolder) -> Value {
    if !folder.is_complete() {
        let running = folder.is_locked();
        let saved = Progress::of_saved(folder);
        return json!({ "state": "unfinished", "running": running, "saved": saved });
    }
    let stored = CompleteRun::open(folder);
    match stored.and_then(|stored| stored.check_lengths().map(|()| stored.manifest)) {
        Ok(it) => json!({
            "state": "complete",
            "rows": it.rows,
            "series_rows": it.series_rows,
            "ended": it.ended,
        }),
        Err(error) => {
            // By permissions or a failing disk nothing is known of it now.
            let state = if error.is_damage() {
                "damaged"
            } else {
                "unread"
            };
            json!({ "state": state, "error": error.to_string() })
        }
    }
}

fn is_current(run: &Value) -> bool {
    run["is_of_plan"] == true && run["is_of_code"] == true
}

fn order(run: &Value) -> (bool, bool, bool, Reverse<String>) {
    let is_reference = run["is_reference"] == true;
    let state = run["state"].as_str().filter(|state| *state == "unfinished");
    let ended = run["ended"].as_str().or(state).unwrap_or_default();
    let ended = Reverse(ended.to_owned());
    (
        is_reference,
        run["running"] != true,
        !is_current(run),
        ended,
    )
}

/// How far a run is, in a few words.
fn in_short(run: &Value) -> String {
    let is_reference = run["is_reference"] == true;
    let mut words = match run["state"].as_str() {
        Some("complete") if is_reference => "reference only",
        Some("unread") => "cannot be read",
        Some("unfinished") if run["running"] == true => "running",
        state => state.unwrap_or_default(),
    }
    .to_owned();
    let saved = ["trials", "total"].map(|key| run["saved"][key].as_u64());
    if let [Some(trials), Some(total)] = saved {
        words += &format!(", {} %", trials * 100 / total.max(1));
    }
    if !is_reference && !is_current(run) {
        words += ", of other code or plan";
    }
    words
}
