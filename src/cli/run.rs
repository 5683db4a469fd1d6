//! `reines run`: simulate what is missing of experiments.

mod summary;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use super::changed::{Changes, OnlyArgs};
use super::check;
use super::number::threads;
use super::plan::{PlanArgs, planned_run};
use super::progress::{Display, duration, so_far};
use super::temporary;
use super::text::spaced;
use super::underway::Notice;
use crate::cli::terminal::say;
use crate::experiment::plan::{Plan, PlanError};
use crate::experiment::runner::{self, Finish, Request};
use crate::experiment::shard::Shard;
use crate::experiment::spec::Spec;
use crate::solver::{Asked, Gpu};

/// Set by Ctrl-C and by a request to terminate, and by a run that fails.
static STOP: AtomicBool = AtomicBool::new(false);

/// Set by Ctrl-C and by a request to terminate alone: a run that fails is still to say why.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Run experiments, or go on with them; what is complete is left alone
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines run experiments/*.toml\n  reines run --threads 1 --quick experiments/size.toml\n  \
                        reines run -s trials=50 -s seed=7 experiments/size.toml    a changed copy, under a name that says so\n  \
                        reines run --only 'algorithm=pair,n<=8' experiments/rules.toml\n\n\
                        Ctrl-C keeps what is finished; the same command goes on from there."
)]
pub struct Args {
    /// Spec files, one experiment each
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// Run nothing: print what would run, as `reines check` does
    #[arg(long, conflicts_with_all = ["shard", "force", "threads", "device"])]
    dry_run: bool,
    /// Threads that run trials, at most four per processor, or 64 [default: one per processor]
    #[arg(long, value_name = "K", value_parser = threads())]
    threads: Option<u16>,
    /// What makes the steps of trials in lanes: cpu, or gpu (a program built with the feature gpu),
    /// the first graphics processor that Vulkan finds; gpu:NAME takes the first with NAME in its
    /// name, gpu:software one that is none. The rows are the same [default: cpu]
    #[arg(long, value_name = "DEVICE")]
    device: Option<Device>,
    /// Only shard I (from 0) of K, into a folder of its own; `reines merge` puts the shards
    /// together
    #[arg(long, value_name = "I/K", conflicts_with = "force")]
    shard: Option<Shard>,
    /// Run once more, beside the complete run of the same plan
    #[arg(long)]
    force: bool,
    /// No progress and no remarks
    #[arg(long, short)]
    quiet: bool,
}

/// A device as it is asked for; `None` for the processor.
#[derive(Debug, Clone)]
struct Device(Option<Asked>);

impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "cpu" => Ok(Self(None)),
            _ => text.parse().map(|asked| Self(Some(asked))),
        }
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // Every file is read before the first trial runs: a mistake in the last one shows at once.
    let specs = args.changes.read(&args.files, args.only.only.as_ref())?;
    if args.dry_run {
        return check::print(&specs, &args.plan, false);
    }
    let plans = specs
        .iter()
        .map(|spec| plan(spec, args))
        .collect::<Result<Vec<_>, _>>()?;
    let gpu = device(&specs, &plans, args)?;
    let stop = stop_on_signals()?;
    for (spec, plan) in specs.iter().zip(&plans) {
        if !run_one((spec, plan), args, gpu.as_ref(), stop)? {
            return Ok(ExitCode::from(1));
        }
    }
    if let (false, None) = (args.quiet, args.shard) {
        say!("next: {}", next_command(args));
    }
    Ok(ExitCode::SUCCESS)
}

/// The graphics processor that was asked for, if one was and can run all plans.
fn device(specs: &[Spec], plans: &[Plan], args: &Args) -> anyhow::Result<Option<Gpu>> {
    let Some(Device(Some(asked))) = &args.device else {
        return Ok(None);
    };
    for (spec, plan) in specs.iter().zip(plans) {
        plan.refuse_gpu(spec)?;
    }
    let gpu = Gpu::open(asked)?;
    if !args.quiet {
        say!("device: {}", gpu.name());
    }
    Ok(Some(gpu))
}

/// What draws the figures of what has run.
fn next_command(args: &Args) -> String {
    let mut words = vec!["reines".to_owned(), "report".to_owned()];
    for (key, value) in &args.changes.set {
        words.extend(["-s".to_owned(), quoted(&format!("{key}={value}"))]);
    }
    if args.plan.results != Path::new("results") {
        let results = args.plan.results.display().to_string();
        words.extend(["--results".to_owned(), quoted(&results)]);
    }
    words.extend(
        args.files
            .iter()
            .map(|it| quoted(&it.display().to_string())),
    );
    words.join(" ")
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn plan(spec: &Spec, args: &Args) -> Result<Plan, PlanError> {
    let plan = args.plan.plan(spec)?;
    if !args.quiet {
        spec.left_out()
            .iter()
            .for_each(|line| say!("{}: {line}", spec.name));
        plan.warnings()
            .iter()
            .for_each(|warning| say!("{}: warning: {warning}", spec.name));
        super::undrawable(spec, &plan)
            .iter()
            .for_each(|line| say!("warning: {line}"));
    }
    Ok(plan)
}

/// The first signal sets the flag, which stops the run in good order; a second one ends the program
/// at once.
pub(super) fn stop_on_signals() -> anyhow::Result<&'static AtomicBool> {
    let listening = ctrlc::set_handler(|| {
        STOP.store(true, Ordering::Relaxed);
        if ASKED.swap(true, Ordering::Relaxed) {
            temporary::remove_all();
            std::process::exit(130);
        }
    });
    match listening {
        // Several runs in one process listen once.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(&STOP),
        Err(error) => Err(error).context("cannot listen for Ctrl-C"),
    }
}

/// Whether the experiment is complete.
fn run_one(
    (spec, plan): (&Spec, &Plan),
    args: &Args,
    gpu: Option<&Gpu>,
    stop: &AtomicBool,
) -> anyhow::Result<bool> {
    let command = super::command_line();
    let planned = planned_run(spec, plan, &args.plan.results, &command);
    let request = Request {
        run: planned,
        shard: args.shard,
        threads: args.threads.map_or(0, usize::from),
        most_moves: args.plan.most_moves(),
        gpu,
        force: args.force,
    };
    let label = args.shard.map_or_else(
        || spec.name.clone(),
        |shard| format!("{} shard {shard}", spec.name),
    );
    let notice = Notice::of(&planned, args.shard);
    let mut display = Display::new(&label, args.quiet).noticed(notice);
    let finish = runner::run(&request, stop, &mut display).context(label)?;
    let elapsed = duration(display.elapsed());
    match finish {
        Finish::AlreadyComplete(folder) => {
            display.finish(&format!("complete already in {}", folder.path().display()))
        }
        Finish::Complete { folder, rows } => {
            display.finish(&format!(
                "{} trials in {elapsed}, in {}",
                spaced(rows),
                folder.path().display()
            ));
            if let (false, None) = (args.quiet, args.shard) {
                summary::print(spec, folder);
            }
        }
        Finish::Interrupted { folder, progress } => {
            display.stops_at(progress);
            display.finish(&format!(
                "interrupted with {}, kept in {}; run again to go on",
                so_far(progress),
                folder.path().display()
            ));
            return Ok(false);
        }
    }
    Ok(true)
}
