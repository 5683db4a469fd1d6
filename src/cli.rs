//! The command line: the only room that prints.
//!
//! Exit codes: 0 done, 1 a difference, an unfinished run or a failing disk, 2 bad input.

mod asked;
mod board;
mod changed;
mod check;
mod completions;
mod conditions;
mod count;
mod demo;
mod diff;
mod docs;
mod export;
mod list;
mod man;
mod merge;
mod named;
mod number;
mod output;
mod pack;
mod page;
mod plan;
mod progress;
mod prune;
mod replay;
mod report;
mod rerun;
mod run;
mod solve;
mod start;
mod status;
mod submit;
mod temporary;
mod terminal;
mod text;
mod verify_files;

use std::io;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Refused, Spec};
use crate::experiment::store::table::is_guarded;
use crate::experiment::version;
use crate::report::{self as figures, Foreseen};

/// Reproducible experiments on the n-queens problem solved by local rules.
#[derive(Debug, Parser)]
#[command(
    version = version::PROGRAM,
    after_help = "Examples:
  reines run epsilon                  run an experiment, or go on with it
  reines report epsilon               draw the figures of what has run
  reines list                         experiments, and the results that exist
  reines solve --algorithm pair --epsilon 0.01    one run of the pair rule
  reines diff reference latest        whether two code versions agree

reines COMMAND --help says more of a command; --version names the code version.
An experiment is named by its name, its spec's path or a folder of its runs. Of
its runs the newest complete one of its present plan is meant, else the newest
of another plan, as --only and --quick make them, and a line says so.
Exit codes: 0 done, 1 a difference or an unfinished run, 2 bad input or nothing
comparable."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Merge(merge::Args),
    Submit(submit::Args),
    Status(status::Args),
    Report(report::Args),
    Export(export::Args),
    Pack(pack::Args),
    #[command(hide = true)]
    Docs(docs::Args),
    Rerun(rerun::Args),
    VerifyFiles(verify_files::Args),
    Check(check::Args),
    Diff(diff::Args),
    List(list::Args),
    Prune(prune::Args),
    Solve(solve::Args),
    Board(board::Args),
    Replay(replay::Args),
    Demo(demo::Args),
    Count(count::Args),
    /// Other name of `count --density`, for one release
    #[command(hide = true)]
    Density {
        #[arg(long)]
        n: String,
        #[arg(long)]
        csv: bool,
    },
    #[command(hide = true)]
    Completions(completions::Args),
    #[command(hide = true)]
    Man(man::Args),
}

/// The commands in the order in which people need them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Watch", &["demo", "replay", "solve", "board", "count"]),
    ("Experiment", &["list", "check", "run", "status", "report"]),
    (
        "Compare and hand over",
        &["diff", "rerun", "export", "pack"],
    ),
    ("Keep", &["prune", "verify-files"]),
    ("Cluster", &["submit", "merge"]),
];

/// Options that few need: to find the run that `run` has made with them, for algorithms that the
/// command does not show, for what a page, a script or an error has written down.
const HIDDEN: [(&str, &[&str]); 6] = [
    ("status", &["quick", "dynamics"]),
    ("merge", &["quick", "dynamics", "shards"]),
    ("submit", &["quick", "dynamics"]),
    ("check", &["dynamics"]),
    ("replay", &["parameter", "dynamics"]),
    ("count", &["csv"]),
];

/// The command line, with its commands in groups.
fn program() -> clap::Command {
    let mut program = Cli::command();
    let mut groups = String::new();
    for (group, names) in GROUPS {
        groups += &format!("\n{group}:\n");
        for name in names {
            let command = program.find_subcommand(name);
            let about = command.and_then(|it| it.get_about());
            let about = about.map_or_else(String::new, ToString::to_string);
            groups += &format!("  {name:<13} {about}\n");
        }
    }
    for (command, options) in HIDDEN {
        for option in options {
            program = program.mut_subcommand(command, |it| it.mut_arg(option, |it| it.hide(true)));
        }
    }
    let usage = "{about-with-newline}\n{usage-heading} {usage}\n";
    program.help_template(format!("{usage}{groups}{{after-help}}"))
}

/// Runs the command of this process's arguments.
pub fn main() -> ExitCode {
    let hook = panic::take_hook();
    // A panic that becomes an error is not printed.
    panic::set_hook(Box::new(move |panicked| {
        if !is_guarded() {
            hook(panicked);
        }
    }));
    let given = program().try_get_matches();
    let cli = given.and_then(|given| Cli::from_arg_matches(&given));
    let cli = cli.unwrap_or_else(|error| with_new_form(error).exit());
    start_threads();
    match dispatch(cli) {
        Ok(code) => code,
        // The reader of our output has closed it: `reines list | head`.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            let is_refused = error.chain().any(|cause| cause.is::<Refused>());
            ExitCode::from(if is_refused { 2 } else { 1 })
        }
    }
}

/// Options of the release before, and how one says now what they said.
const GONE: &[(&str, &str)] = &[
    ("--longest", "--trial longest"),
    ("--median", "--trial median"),
    ("--shortest", "--trial K, after a look at trials.parquet"),
    ("--method", "reines solve --algorithm METHOD --count"),
    ("--sizes", "reines list NAME"),
    ("--dry-run", "reines check"),
    ("--figure", "--html FILE.html"),
    ("--partition", "--sbatch=--partition=NAME"),
    ("--time", "--sbatch=--time=TIME"),
    ("--account", "--sbatch=--account=NAME"),
    ("--svg", "--json, and reines board - -o FILE.svg of that"),
    ("--threads", "RAYON_NUM_THREADS=K in the environment"),
    ("--cpus", "--sbatch=--cpus-per-task=K"),
    (
        "--json",
        "the exit code, reines status --json or reines list --json",
    ),
];

/// The error of an option that is gone, with what stands for it.
fn with_new_form(mut error: clap::Error) -> clap::Error {
    let option = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let new = GONE.iter().find(|(old, _)| option.as_deref() == Some(*old));
    if let Some((_, new)) = new {
        error.remove(ContextKind::SuggestedArg);
        let tip = format!("since this release: {new}").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Submit(args) => submit::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Rerun(args) => rerun::run(&args),
        Command::VerifyFiles(args) => verify_files::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Prune(args) => prune::run(&args),
        Command::List(args) => list::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Board(args) => board::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Density { n, csv } => count::density(&n, csv),
        Command::Man(args) => man::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}

/// Starts the threads that sum up rows. Where the system has none left, this one does their work.
fn start_threads() {
    let pool = rayon::ThreadPoolBuilder::new();
    if pool.build_global().is_err() {
        let alone = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .use_current_thread();
        // For as long as the program runs.
        std::mem::forget(alone.build());
    }
}

/// Whether the reader of our output has closed it.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// An error of the input, of a room that has its own.
fn refused(error: impl ToString) -> Refused {
    Refused::new(error.to_string())
}

/// Prints the chain of causes in one line, without those that the one before ends with.
fn print_error(error: &anyhow::Error) {
    let mut line = String::from("error");
    for cause in error.chain().map(ToString::to_string) {
        if !line.ends_with(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    // Where standard error is closed too, the message is lost.
    terminal::say!("{line}");
}

/// Reads every spec before anything is done with one.
fn read_specs(words: &[PathBuf], results: &Path) -> anyhow::Result<Vec<Spec>> {
    let specs = words.iter().map(|word| named::spec(word, results));
    let specs = specs.collect::<Result<Vec<_>, _>>()?;
    spec::refuse_shared_names(&specs)?;
    Ok(specs)
}

/// This program as its user has called it, for hints that can be pasted.
fn own_name() -> String {
    let name = std::env::args_os().next();
    let name = name.map(|it| crate::cluster::quote(&it.to_string_lossy()));
    name.unwrap_or_else(|| "reines".to_owned())
}

/// The figures that a plan can have no rows for, and what is to be known of the others: file, line,
/// figure and reason of each.
fn foreseen(spec: &Spec, plan: &Plan) -> [Vec<String>; 2] {
    let mut said = [Vec::new(), Vec::new()];
    for figure in &spec.figures {
        let kind = figures::figure(&figure.kind).expect("the spec's kinds were checked");
        let place = format!("{}:{}: figure {:?}", spec.file, figure.line, figure.name);
        match figures::foresee(kind, &Foreseen::of(plan, &figure.choices)) {
            Err(error) => said[0].push(format!("{place}: {error}")),
            Ok(()) => {
                let remark = figures::remark(kind, plan, &figure.choices);
                said[1].extend(remark.map(|remark| format!("{place} {remark}")));
            }
        }
    }
    said
}

/// The command line, for manifests.
fn command_line() -> Vec<String> {
    std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}
