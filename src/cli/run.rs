//! `reines run`: simulate what is missing of experiments. Here are its options and help
//! (`--threads`, `--for` with s, m, h or d), the lines after a run (trials, censored, means, the
//! next command), from how many rows on there are no means (50 000), and when its exit code is 1.
//! Which runs change the links `results/NAME/trials.parquet` is decided here, too: none of a part
//! (`--quick`, `--only`, `--dynamics`). The trials are run in `experiment/runner`.

use std::path::{self, Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;

use super::progress::{Display, Links, duration, so_far};
use super::signals;
use super::spec_options::{self, PlanArgs, Planned};
use super::target::Target;
use super::terminal::{is_quiet, message, optional_message};
use super::text::{counted, quoted, spaced, whole, with_title};
use super::{Common, Failures, SpecAndFigures, exit_code, view};
use crate::experiment::plan::Plan;
use crate::experiment::runner::{self, Finish, Request, RunError};
use crate::experiment::spec::{Setting, Spec};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;

/// Run experiments, or go on with them; what is complete stays
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines run experiments/*.toml
  reines run --threads 1 --quick size
  reines run -s seed=7 -s trials=50 rules             a copy with its own name
  reines run --only 'algorithm=pair,n<=8' rules
  reines run --only 'trial>=9,trial<18' rules         a piece, for one machine
  reines run rules                                    all pieces together

Ctrl-C and --for keep what is finished; the same command goes on from there.
Where one of several experiments fails, the others are run.")]
pub struct RunArgs {
    /// Experiments, by their names, specs or runs
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    #[command(flatten)]
    plan: PlanArgs,
    /// Threads that run trials [default: one per processor]
    // Thousands would keep the machine busy with themselves.
    #[arg(long, value_name = "K", value_parser = whole(1..=512_u16))]
    threads: Option<u16>,
    /// End after this time, as 90s, 55m or 2h, with 1 if trials are missing
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    at_most: Option<Duration>,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &RunArgs) -> anyhow::Result<u8> {
    let is_elsewhere = is_from_elsewhere(args);
    let results = if is_elsewhere {
        path::absolute(&args.common.results)?
    } else {
        args.common.results.clone()
    };
    // Every file is read before the first trial runs: an error in the last one shows at once.
    let (planned, mut failures) = args.plan.read(&args.experiments, &results)?;
    let are_drawable = planned.iter().map(|(_, read, plan)| warn(read, plan));
    let n_drawable = are_drawable.filter(|is_drawable| *is_drawable).count();
    let settings = args.plan.settings()?;
    let is_part = !settings.iter().all(Setting::is_renaming);
    let stop = signals::listen()?;
    args.at_most.map_or(Ok(()), signals::end_after)?;
    if is_elsewhere && is_quiet() {
        message!("results: {}", results.display());
    }
    let mut links = Links::default();
    for (index, (target, (spec, _), plan)) in planned.iter().enumerate() {
        let prefix = match failures.all {
            1 => String::new(),
            _ => format!("{} of {} · ", index + 1, planned.len()),
        };
        let request = Request {
            threads: args.threads.map_or(0, usize::from),
            links_tables: !is_part && is_whole(target, spec),
            ..spec_options::request(spec, plan, &results)
        };
        let ran = run_one(&request, &prefix, stop, &mut links);
        if failures.keep(&spec.name, ran) == Some(false) {
            return Ok(code_of_stopped(failures));
        }
    }
    if let ([planned], 0) = (&planned[..], failures.code)
        && (n_drawable > 0 || args.plan.only.is_piece())
    {
        optional_message!("{}", next_command(args, &results, planned));
    }
    let code = failures.end();
    Ok(code.max(u8::from(links.are_stale)))
}

/// True where the specs lie elsewhere, as when cron starts the program: then messages say where the
/// results lie.
fn is_from_elsewhere(args: &RunArgs) -> bool {
    let mut experiments = args.experiments.iter();
    args.common.results.is_relative() && experiments.any(|experiment| experiment.is_absolute())
}

/// True for an experiment, not a run or a part of one that has no spec any more: the tables beside
/// the runs are those of the whole spec as it stands.
fn is_whole(target: &Target, spec: &Spec) -> bool {
    let is_kept_part = spec.is_kept && (spec.quick || spec.only.is_some());
    !matches!(target, Target::Run(_)) && !is_kept_part
}

/// The time of `--for`: a number and its unit, which is there.
fn time(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86_400.0)];
    let found = units.into_iter().find_map(|(unit, seconds)| {
        let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        (number > 0.0).then_some(number * seconds)
    });
    let time = found.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number and s, m, h or d, as 90s, 55m or 1.5h".to_owned())
}

/// The exit code of a run that was stopped: by a signal, or since its time was over.
fn code_of_stopped(failures: Failures) -> u8 {
    if signals::is_out_of_time() {
        failures.end().max(exit_code::UNFINISHED)
    } else {
        exit_code::INTERRUPTED
    }
}

/// What draws the figures of what has run, or completes the run of which this is a piece.
fn next_command(args: &RunArgs, results: &Path, (target, (spec, _), plan): &Planned) -> String {
    let (when, command) = if args.plan.only.is_piece() {
        ("next, when all pieces are done", "run")
    } else {
        ("next", "report")
    };
    let mut words = vec![command.to_owned()];
    if results != Path::new("results") {
        words.extend(["--results".to_owned(), results.display().to_string()]);
    }
    let is_named_by_folder = args.plan.only.is_some() || args.plan.dynamics.is_some();
    if args.plan.quick && !is_named_by_folder {
        words.push("--quick".to_owned());
    }
    let given = &args.experiments[0];
    words.push(match (is_named_by_folder, command) {
        // The spec as it stands has another plan.
        (true, "report") => {
            let run = spec_options::request(spec, plan, results).folder();
            run.path().display().to_string()
        }
        _ if target.name() == spec.name && !given.is_dir() => given.display().to_string(),
        _ => spec.name.clone(),
    });
    format!("{when}: {} {}", super::program_name(), quoted(&words))
}

/// Says what is to be known of a plan before it runs; true if a figure can be drawn of it.
fn warn(read: &SpecAndFigures, plan: &Plan) -> bool {
    let (spec, figures) = read;
    if is_quiet() {
        return false;
    }
    for warning in spec.left_out().into_iter().chain(plan.warnings()) {
        optional_message!("warning: {}: {warning}", spec.name);
    }
    let undrawable = super::undrawable(read, plan);
    for line in &undrawable {
        optional_message!("warning: {line}");
    }
    undrawable.len() < figures.len()
}

/// True if the experiment is complete; of one of several, which has a prefix, one line says so.
fn run_one(
    request: &Request,
    prefix: &str,
    stop: &AtomicBool,
    links: &mut Links,
) -> anyhow::Result<bool> {
    let spec = request.spec;
    let mut display = Display::new(&spec.name, prefix, *links);
    let is_one_of_several = !prefix.is_empty();
    let finish = runner::run(request, stop, &mut display)
        .map_err(|error| told(error, request))
        .context(spec.name.clone())?;
    *links = display.links();
    let elapsed = duration(display.elapsed());
    match finish {
        Finish::AlreadyComplete(_) if is_one_of_several => {
            display.finish(&with_title(spec, &format!("complete already, {elapsed}")));
        }
        Finish::Complete { folder, rows } if is_one_of_several => {
            let words = format!("{}, {elapsed}", counted(rows, "trial"));
            display.finish(&with_title(spec, &words));
            return programs_are_sound(spec, folder);
        }
        Finish::AlreadyComplete(folder) => {
            display.finish(&format!("complete already in {}", folder.path().display()))
        }
        Finish::Complete { folder, rows } => {
            let trials = counted(rows, "trial");
            let path = folder.path().display();
            display.finish(&format!("{trials} in {elapsed}, in {path}"));
            if !is_quiet() {
                summarize(spec, folder.clone());
            }
            return programs_are_sound(spec, folder);
        }
        Finish::Interrupted { folder, progress } => {
            let trials = so_far(&progress);
            let path = folder.path().display();
            let why = signals::why_stopped();
            let words = format!("{why} with {trials}, kept in {path}; run again to go on");
            display.end(&words);
            return Ok(false);
        }
    }
    Ok(true)
}

/// The error of a run, of which it says what is saved where a trial has failed.
fn told(error: RunError, request: &Request) -> anyhow::Error {
    let RunError::Failed { reason, progress } = error else {
        return error.into();
    };
    let saved = so_far(&progress);
    let folder = request.folder();
    let folder = folder.path().display();
    anyhow::anyhow!(
        "{reason}\n  {saved} are kept in {folder}; the same command goes on from there\n  with another command or another file of it the program is another version: its trials begin again, and these stay with this one"
    )
}

/// Says where programs did not give the same row again, and where all trials of a point have one
/// row.
///
/// # Errors
/// The number of trials that have another row when they are made again.
fn programs_are_sound(spec: &Spec, folder: RunFolder) -> anyhow::Result<bool> {
    let run = CompleteRun::at(folder)?;
    for line in run.points_of_one_row()? {
        optional_message!("{}: {line}", spec.name);
    }
    let differing = &run.manifest.not_repeatable;
    for line in differing {
        message!(
            "warning: {}: made again it has another row: {line}",
            spec.name
        );
    }
    let trials = counted(differing.len(), "trial");
    anyhow::ensure!(
        differing.is_empty(),
        "{}: {trials} cannot be made again: the rows are kept, and the manifest says so",
        spec.name
    );
    Ok(true)
}

/// More rows would take longer to be summed up than a person waits.
const MOST_ROWS: u64 = 50_000;

/// Prints points, trials, how many were censored, and the means, those of censored trials first. A
/// run is complete without it: what cannot be summed up is left out.
fn summarize(spec: &Spec, folder: RunFolder) {
    let Ok(run) = CompleteRun::at(folder) else {
        return;
    };
    let points = &run.manifest.points;
    let censored = spaced(points.iter().map(|point| point.censored).sum::<u64>());
    let points = counted(points.len(), "point");
    let trials = counted(run.manifest.rows, "trial");
    optional_message!("  {points}, {trials}, {censored} of them censored");
    if run.manifest.rows <= MOST_ROWS {
        let names: Vec<_> = spec.condition_names().cloned().collect();
        let mut means = view::means_of(&run, &names);
        means.sort_by_key(|mean| mean.known.censored == 0);
        optional_message!("{}", view::means(&means).trim_end());
    }
    if let Some(finding) = &spec.finding {
        optional_message!("  In the reference run: {finding}");
    }
}
