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

mod density;

mod diff;

mod docs;

mod export;

mod list;

mod man;

mod merge;

mod number;

mod output;

mod pack;

mod page;

mod plan;

mod progress;

mod prune;

mod report;

mod replay;

mod remark;

mod rerun;

mod run;

mod solve;

mod start;

mod status;

mod submit;

mod temporary;

mod terminal;

mod text;

mod underway;

mod verify_files;

use std::io::{self, IsTerminal};
use std::panic;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::cluster::ClusterError;
use crate::drawing::position::NoPosition;
use crate::drawing::sheet::Undrawable;
use crate::experiment::plan::{Plan, PlanError};
use crate::experiment::spec::{self, FigureSpec, Spec, SpecError};
use crate::experiment::store::table::is_guarded;
use crate::experiment::version;
use crate::pages::PageError;
use crate::report::{self as figures, Foreseen, NothingToDraw};

/// Reproducible experiments on the n-queens problem solved by local rules.
#[derive(Debug, Parser)]
#[command(
    version = version::PROGRAM,
    after_help = "Examples:\n  reines run experiments/epsilon.toml     run an experiment, or go on with it\n  \
                  reines report experiments/*.toml        draw the figures of what has run\n  \
                  reines list                             experiments, and the results that exist\n  \
                  reines solve --algorithm pair --n 8 --epsilon 0.01    one run of the pair rule\n  \
                  reines diff reference latest            whether two code versions agree\n\n\
                  Exit codes: 0 done, 1 a difference or an unfinished run, 2 bad input or nothing comparable."
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
    Count(count::Args),
    Density(density::Args),
    Completions(completions::Args),
    Man(man::Args),
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
    let cli = Cli::parse();
    start_threads();
    match dispatch(cli) {
        Ok(code) => code,
        // The reader of our output has closed it: `reines list | head`.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            exit_code(&error)
        }
    }
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
        Command::Count(args) => count::run(&args),
        Command::Density(args) => density::run(&args),
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

/// Bad input, described in one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct BadInput(String);

/// 2 where the input is at fault, 1 for everything else.
fn exit_code(error: &anyhow::Error) -> ExitCode {
    let bad_input = |cause: &(dyn std::error::Error + 'static)| {
        let of_the_cluster = cause
            .downcast_ref::<ClusterError>()
            .is_some_and(ClusterError::is_bad_input);
        let of_the_input = cause.is::<SpecError>()
            || cause.is::<PlanError>()
            || cause.is::<NothingToDraw>()
            || cause.is::<PageError>()
            || cause.is::<BadInput>();
        of_the_input || of_the_cluster || cause.is::<Undrawable>() || cause.is::<NoPosition>()
    };
    ExitCode::from(if error.chain().any(bad_input) { 2 } else { 1 })
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
fn read_specs(files: &[PathBuf]) -> Result<Vec<Spec>, SpecError> {
    let specs = files
        .iter()
        .map(|file| spec::read(file, &crate::report::kinds()))
        .collect::<Result<Vec<_>, _>>()?;
    spec::refuse_shared_names(&specs)?;
    Ok(specs)
}

/// The figures that a plan can have no rows for: file, line, figure and reason of each.
fn undrawable(spec: &Spec, plan: &Plan) -> Vec<String> {
    let reason = |figure: &FigureSpec| {
        let foreseen = Foreseen::of(plan, &figure.choices);
        let kind = figures::figure(&figure.kind)?;
        let error = figures::foresee(kind, &foreseen).err()?;
        let FigureSpec { name, line, .. } = figure;
        Some(format!("{}:{line}: figure {name:?}: {error}", spec.file))
    };
    spec.figures.iter().filter_map(reason).collect()
}

/// The command line, for manifests.
fn command_line() -> Vec<String> {
    std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}

fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}
