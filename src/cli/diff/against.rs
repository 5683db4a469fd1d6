//! `reines diff --rev REV`: the present program and specs (B) against those of a git revision (A).
//!
//! A runs its own specs, and the present ones that it lacks. Where no source that can reach a row
//! differs, A's code is the present one: nothing is built, and what has the same plan is not run.
//! What is made lies in `target/against`; after an interruption the next call goes on. Here are the
//! messages of what cannot be compared, and which specs a side lacks; builds are in `revision`,
//! runs in `sides`.

mod child;
mod git;
mod lawless;
mod printed;
mod revision;
mod sides;
mod spec_difference;

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use self::git::Checkout;
use self::printed::{print_sides, say_nothing_ran, say_size};
use self::revision::Revision;
use self::sides::{Experiment, Ran, Sides};
use super::{Alone, DiffArgs, Pair};
use crate::cli::sources::{Files, SOURCES, reaches_rows, row_sources};
use crate::cli::target::{self, SPECS, Target};
use crate::cli::terminal::optional_message;
use crate::cli::{Refused, built_from, exit_code, print_error};
use crate::experiment::plan::Plan;
use crate::experiment::store::atomic::{make_folder, real_path};
use crate::experiment::store::complete::CompleteRun;
use crate::solver::Interrupted;

/// Hash of the sources of this program that can reach a row.
const PRESENT: &str = env!("REINES_SOURCES");

/// The folder of what is made, below the checkout's uppermost one.
const HOME: &str = "target/against";

/// What was compared, beside what was found.
#[derive(Debug, Default, Serialize)]
pub struct Against {
    /// The revision as it was named.
    pub rev: String,
    pub commit_a: String,
    /// The commit of B.
    pub commit_b: String,
    /// True if B's sources are not those of its commit.
    pub b_has_changes: bool,
    /// Experiments with the same code and the same plan, of which nothing was run.
    pub same_code_and_plan: Vec<String>,
    /// Specs that are others in A, each with what differs.
    pub other_specs: Vec<OtherSpec>,
    /// Experiments that both sides ran with `--dynamics stepwise`, since A names no law of its
    /// rules.
    pub stepwise: Vec<String>,
    /// Present specs that A lacks and cannot run.
    pub left_out: Vec<String>,
    /// Experiments that neither side can run.
    pub run_by_neither: Vec<String>,
    /// Where the figure of what differs is to be.
    #[serde(skip)]
    pub figure: Option<PathBuf>,
}

/// A spec that is another one in the revision.
#[derive(Debug, Serialize)]
pub struct OtherSpec {
    pub experiment: String,
    pub words: String,
}

/// Why nothing can be compared, where the input is right.
#[derive(Debug, thiserror::Error)]
#[error("not comparable: {0}")]
pub struct NotComparable(pub String);

/// The present specs that are refused, each of which was told.
#[derive(Debug, thiserror::Error)]
#[error("the present specs of these experiments are refused: {0}")]
struct RefusedSpecs(String);

/// Compares the present program with a revision. The end is told in JSON, too, whatever it is.
pub fn run(args: &DiffArgs, rev: &str) -> anyhow::Result<u8> {
    let mut against = Against {
        rev: rev.to_owned(),
        ..Against::default()
    };
    let error = match compare(args, rev, &mut against) {
        Ok(code) => return Ok(code),
        Err(error) => error,
    };
    let (verdict, code) = if error.is::<NotComparable>() {
        ("not comparable", exit_code::NOT_COMPARABLE)
    } else if error.is::<Interrupted>() {
        ("interrupted", exit_code::INTERRUPTED)
    } else {
        ("bad input", exit_code::BAD_INPUT)
    };
    if !error.is::<RefusedSpecs>() {
        print_error(&error);
    }
    if args.view.is_json() {
        let words = format!("{error:#}");
        super::print_nothing_compared(args, (verdict, words), &against)?;
    }
    Ok(code)
}

fn compare(args: &DiffArgs, rev: &str, against: &mut Against) -> anyhow::Result<u8> {
    let checkout = Checkout::here()?;
    let results = results(&args.common.results)?;
    let raws = below_top(&args.sides, &checkout.top)?;
    let figure = args.figure.as_ref().map(std::path::absolute).transpose()?;
    env::set_current_dir(&checkout.top).context("the checkout's uppermost folder")?;
    let commit = checkout.commit(rev)?;
    against.commit_a.clone_from(&commit);
    describe_present(&checkout, against)?;
    let has_present_code = row_sources(&code(&checkout, &commit)?) == PRESENT;

    let mut experiments = experiments(&raws, args, &results)?;
    let home = checkout.top.join(HOME);
    let revision = Revision {
        checkout: &checkout,
        rev,
        home: home.join(&commit),
        commit,
    };
    let usual = revision.home.join("diff.svg");
    against.figure = Some(figure.unwrap_or(usual));
    add_theirs(&mut experiments, &revision, args, raws.is_empty())?;
    let sides = Sides {
        revision: &revision,
        plan: &args.plan,
        has_present_code,
        results,
        rows: home.join(format!("rows-{PRESENT}")),
    };
    let (pairs, alone) = run_both(&sides, &experiments, &home, against)?;
    if pairs.is_empty() && alone.is_empty() {
        return say_nothing_ran(args, against, has_present_code);
    }

    print_sides(args, &pairs, against)?;
    let code = super::report(args, pairs, alone, Some(against))?;
    if !against.left_out.is_empty() {
        let names = against.left_out.join(" ");
        optional_message!("left out, since {rev} has none of them and cannot run them: {names}");
    }
    say_size(&home);
    Ok(code)
}

/// The folder of results, for a process in the uppermost folder. The usual one is there.
fn results(given: &Path) -> anyhow::Result<PathBuf> {
    if given == Path::new("results") {
        return Ok(given.to_owned());
    }
    Ok(std::path::absolute(given)?)
}

/// Experiments as they are named in the present folder, for a process in the uppermost one: what is
/// no file here is a name.
fn below_top(raws: &[PathBuf], top: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let here = real_path(&env::current_dir()?);
    let top = real_path(top);
    let below = |raw: &PathBuf| {
        if !raw.is_file() {
            return raw.clone();
        }
        let mut path = PathBuf::new();
        for part in here.join(raw).components() {
            match part {
                std::path::Component::ParentDir => drop(path.pop()),
                part => path.push(part),
            }
        }
        path.strip_prefix(&top).map_or(path.clone(), Path::to_owned)
    };
    Ok(raws.iter().map(below).collect())
}

/// The files of a commit that can reach a row.
fn code(checkout: &Checkout, commit: &str) -> anyhow::Result<Files> {
    let mut files = checkout.files(commit, &SOURCES)?;
    files.retain(|name, _| reaches_rows(name));
    Ok(files)
}

/// Says of which commit the present program is: the checkout's, unless it was built of other
/// sources.
fn describe_present(checkout: &Checkout, against: &mut Against) -> anyhow::Result<()> {
    if built_from::is_built_from(&checkout.top).unwrap_or(false) {
        against.commit_b = checkout.commit("HEAD")?;
        let committed = code(checkout, &against.commit_b)?;
        against.b_has_changes = row_sources(&committed) != PRESENT;
    } else {
        against.commit_b = env!("REINES_COMMIT").to_owned();
        against.b_has_changes = env!("REINES_DIRTY") == "true";
    }
    Ok(())
}

/// The present experiments: those that are named, or every one in the folder of specs.
fn experiments(
    raws: &[PathBuf],
    args: &DiffArgs,
    results: &Path,
) -> anyhow::Result<Vec<Experiment>> {
    let mut every = target::spec_files()?;
    every.sort();
    let meant = if raws.is_empty() { &every } else { raws };
    if meant.is_empty() {
        let reason = format!(
            "there is no {SPECS}/*.toml; in a sparse checkout: git sparse-checkout disable"
        );
        return Err(Refused::new(reason).into());
    }
    let (planned, failures) = args.plan.read(meant, results)?;
    if failures.code != 0 {
        return Err(RefusedSpecs(failures.experiments.join(", ")).into());
    }
    let experiment = |(target, read, plan): crate::cli::spec_options::Planned| match target {
        Target::Spec(file, _) => Ok(Experiment {
            name: read.0.name.clone(),
            file,
            present: Some((read.0, plan)),
            theirs: None,
        }),
        Target::Run(_) | Target::Experiment(..) => {
            let reason = format!("{}: found a run, expected a spec", target.name());
            Err(Refused::new(reason).into())
        }
    };
    planned.into_iter().map(experiment).collect()
}

/// Adds what the revision has: its spec of each experiment, and where every experiment is meant
/// those that the present sources lack.
fn add_theirs(
    experiments: &mut Vec<Experiment>,
    revision: &Revision,
    args: &DiffArgs,
    every: bool,
) -> anyhow::Result<()> {
    if args.present_specs {
        return Ok(());
    }
    let files = experiments
        .iter()
        .filter(|experiment| experiment.file.is_relative());
    let mut names: Vec<&str> = files.filter_map(|file| file.file.to_str()).collect();
    let folder = format!("{SPECS}/");
    if every {
        names.push(&folder);
    }
    if names.is_empty() {
        return Ok(());
    }
    let mut theirs = revision.checkout.files(&revision.commit, &names)?;
    for experiment in &mut *experiments {
        let name = experiment.file.to_string_lossy();
        let bytes = theirs.remove(&*name);
        experiment.theirs = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    }
    for name in theirs.keys() {
        let file = Path::new(name);
        let is_spec = file.parent() == Some(Path::new(SPECS)) && name.ends_with(".toml");
        if let (true, Some(stem)) = (is_spec, file.file_stem()) {
            experiments.push(Experiment {
                name: stem.to_string_lossy().into_owned(),
                file: file.to_owned(),
                present: None,
                theirs: Some(String::new()),
            });
        }
    }
    Ok(())
}

/// What differs between the plan of the revision's spec, if this program can read that, and the
/// present plan.
fn difference_in_words(theirs: Option<&Plan>, plan: &Plan) -> String {
    match theirs {
        Some(theirs) => spec_difference::in_words(theirs, plan),
        None => "this program cannot read that one".to_owned(),
    }
}

/// Runs what both sides have; the pairs, and the experiments of one side alone.
fn run_both(
    sides: &Sides,
    experiments: &[Experiment],
    home: &Path,
    against: &mut Against,
) -> anyhow::Result<(Vec<Pair>, Alone)> {
    let mut pairs = Vec::new();
    let mut alone = Alone::default();
    let mut lock = None;
    for experiment in experiments {
        let name = &experiment.name;
        let Some((_, plan)) = &experiment.present else {
            alone.a.push(name.clone());
            continue;
        };
        let has_same_plan = has_same_plan(sides, experiment, plan, against)?;
        if sides.has_present_code && has_same_plan {
            against.same_code_and_plan.push(name.clone());
            alone.same += 1;
            continue;
        }
        if lock.is_none() {
            lock = Some(lock_home(home)?);
        }
        let a = sides.run_a(experiment)?;
        if matches!(a, Ran::Failed(2)) && experiment.theirs.is_none() {
            against.left_out.push(experiment.file.display().to_string());
            continue;
        }
        match (a, sides.run_b(experiment)?) {
            (Ran::Complete(a), Ran::Complete(b)) => {
                pairs.push(pair(sides, experiment, (*a, *b), against)?);
            }
            (Ran::Complete(_), Ran::Failed(_)) => alone.a.push(name.clone()),
            (Ran::Failed(_), Ran::Complete(_)) => alone.b.push(name.clone()),
            (Ran::Failed(_), Ran::Failed(_)) => alone.neither.push(name.clone()),
        }
    }
    against.run_by_neither.clone_from(&alone.neither);
    let has_nothing = pairs.is_empty() && alone.is_empty();
    if has_nothing && against.same_code_and_plan.is_empty() {
        let reason = format!("{} can run none of these specs", against.rev);
        return Err(NotComparable(reason).into());
    }
    Ok((pairs, alone))
}

/// True if the revision has the present plan of an experiment; else what differs is noted.
fn has_same_plan(
    sides: &Sides,
    experiment: &Experiment,
    plan: &Plan,
    against: &mut Against,
) -> anyhow::Result<bool> {
    let their_plan = sides.their_plan(experiment)?;
    let is_same = match &their_plan {
        Some(theirs) => theirs.hash() == plan.hash(),
        None => experiment.theirs.is_none(),
    };
    if !is_same {
        against.other_specs.push(OtherSpec {
            experiment: experiment.name.clone(),
            words: difference_in_words(their_plan.as_ref(), plan),
        });
    }
    Ok(is_same)
}

/// The runs of an experiment that are compared. Where A names no law of its rules and their code
/// has changed, the fast dynamics might hide what has: then both sides run step by step.
fn pair(
    sides: &Sides,
    experiment: &Experiment,
    (a, b): (CompleteRun, CompleteRun),
    against: &mut Against,
) -> anyhow::Result<Pair> {
    let of_a = (&a.manifest.parts, &a.manifest.laws);
    let of_b = (&b.manifest.parts, &b.manifest.laws);
    let is_free = sides.plan.dynamics.is_none();
    let stepwise = if is_free && lawless::may_hide_a_change(of_a, of_b) {
        sides.run_stepwise(experiment)?
    } else {
        None
    };
    if let Some((a, b)) = stepwise {
        against.stepwise.push(experiment.name.clone());
        return Ok(Pair {
            a,
            b,
            rows_count: true,
        });
    }
    Ok(Pair {
        a,
        b,
        rows_count: false,
    })
}

/// Takes the folder for this process.
fn lock_home(home: &Path) -> anyhow::Result<File> {
    make_folder(home).with_context(|| home.display().to_string())?;
    let path = home.join("lock");
    let lock = File::create(&path).with_context(|| path.display().to_string())?;
    if let Err(fs::TryLockError::WouldBlock) = lock.try_lock() {
        let reason = format!("another comparison is under way in {HOME}; expected one at a time");
        return Err(Refused::new(reason).into());
    }
    Ok(lock)
}
