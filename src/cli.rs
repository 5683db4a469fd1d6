//! The command line, a file for each command: the only module that prints. Here are the names and
//! order of commands, the options that they share (`--results`, `--quiet`), `--version`, the form
//! of a printed error, and the line on how many experiments failed.
//!
//! Read this file, then `target` (what an argument means), `spec_options` (options that change a
//! spec), and a command. `terminal` prints (`message!`, `optional_message!`), `view` fills the
//! templates beside the commands (what `list` prints is in `list/*.txt`), `user_files` writes files
//! that the user names, `exit_code` has what a command ends with.
//!
//! A command may be changed alone. Its options, exit codes and JSON (`--json`) are formats;
//! `tests/transcripts` has all that is printed.

mod built_from;
mod check;
mod completions;
mod diff;
mod exit_code;
mod export;
mod list;
mod new;
mod progress;
mod replay;
mod report;
mod run;
mod signals;
mod solve;
mod sources;
mod spec_options;
mod target;
mod terminal;
mod text;
mod trial;
mod user_files;
mod verify;
mod view;

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use self::target::Target;
use self::terminal::{message, optional_message};
use anyhow::Context;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use itertools::Itertools;

use crate::experiment::code_version;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{Refused, Spec};
use crate::experiment::store::atomic::real_path;
use crate::report::keys::FigureSpec;
use crate::report::{Figure, planned};
use crate::solver::{ALGORITHMS, Algorithm};

/// Reproducible experiments on the n-queens problem solved by local rules.
#[derive(Debug, Parser)]
#[command(
    version = code_version::PROGRAM.as_str(),
    after_help = "Examples:
  reines run epsilon                  run an experiment, or go on with it
  reines report epsilon               draw the figures of what has run
  reines list                         experiments, and the results that exist
  reines solve pair n=8 epsilon=0.01  one run of the pair rule
  reines diff results/reference results    whether two code versions agree

reines COMMAND --help says more of a command, --version the code versions.
An argument is the name of an experiment or a path (a spec, a run's folder, a
folder of results). Meant is the run of the present spec, else the one to which
the link beside the runs leads, else the newest of a whole plan, and a line says
so (docs/data.md).
Exit codes: 0 done; 1 a difference, an unfinished run, a figure that cannot be
drawn, a trial of solve that was cut off, or a failing disk; 2 bad input or
damaged results, for verify 1; 3 nothing comparable, for diff also an unfinished
run; 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The options of the commands that read or write results.
#[derive(Debug, clap::Args)]
struct Common {
    /// The folder of the results
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    quiet: Quiet,
}

/// The option of the commands that say more than what was asked for.
#[derive(Debug, clap::Args)]
struct Quiet {
    /// Errors alone: no progress, no remarks
    #[arg(long, short)]
    quiet: bool,
}

/// The commands, in the order in which people need them.
macro_rules! commands {
    ($($command:ident $module:ident $args:ident),+ $(,)?) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($command($module::$args),)+
        }

        fn dispatch(command: &Command) -> anyhow::Result<u8> {
            match command {
                $(Command::$command(args) => $module::run(args),)+
            }
        }
    };
}

commands! {
    New new NewArgs,
    Run run RunArgs,
    Check check CheckArgs,
    List list ListArgs,
    Report report ReportArgs,
    Diff diff DiffArgs,
    Verify verify VerifyArgs,
    Export export ExportArgs,
    Solve solve SolveArgs,
    Replay replay ReplayArgs,
    Completions completions CompletionsArgs,
    BuiltFrom built_from BuiltFromArgs,
}

fn program() -> clap::Command {
    // It lives as long as the process.
    let program = Cli::command().long_version(&*versions().leak());
    // Behind a pipe, too.
    program
        .max_term_width(80)
        .help_template("{about-with-newline}\n{usage-heading} {usage}\n\n{subcommands}{after-help}")
}

/// The program, and the code versions of runs as `list` names them, by their algorithm.
fn versions() -> String {
    let row = |algorithm: &'static Algorithm| {
        let name = algorithm.name;
        vec![name.to_owned(), code_version::of_algorithm(name)]
    };
    let rows: Vec<Vec<String>> = ALGORITHMS.iter().map(row).collect();
    let lines = text::aligned(2, usize::MAX, &rows).join("\n");
    format!(
        "{}\nruns of one algorithm:\n{lines}",
        *code_version::PROGRAM
    )
}

pub fn main() -> ExitCode {
    let given = program().try_get_matches();
    let cli = given.and_then(|given| Ok((Cli::from_arg_matches(&given)?, given)));
    let (cli, given) = match cli {
        Ok(both) => both,
        // What was typed may hold what steers a terminal: it is shown as other messages are.
        Err(error) if error.use_stderr() => {
            message!("{}", error.to_string().trim_end());
            return exit_code::BAD_INPUT.into();
        }
        // The help or the version.
        Err(error) => error.exit(),
    };
    match run(&cli, &given) {
        Ok(code) => code.into(),
        Err(error) => {
            print_error(&error);
            ExitCode::from(exit_code::of(&error))
        }
    }
}

fn run(cli: &Cli, given: &ArgMatches) -> anyhow::Result<u8> {
    let given = given.subcommand().map(|subcommand| subcommand.1);
    if let Some(Ok(Some(true))) = given.map(|matches| matches.try_get_one("quiet")) {
        terminal::be_quiet();
    }
    if let Some(Ok(Some(results))) = given.map(|matches| matches.try_get_one::<PathBuf>("results"))
    {
        user_files::refuse_file(results)?;
        let is_made = matches!(cli.command, Command::Run(_) | Command::Check(_));
        if !is_made && results != Path::new("results") && !results.exists() {
            return Err(user_files::refused(results, "no such folder of results").into());
        }
    }
    start_threads().context("the threads cannot be started")?;
    dispatch(&cli.command)
}

/// Starts the threads that sum up rows: the environment may ask for thousands. Polars starts
/// threads of its own, and would panic where the system refuses them: whether it may is seen here.
fn start_threads() -> Result<(), rayon::ThreadPoolBuildError> {
    let all = available_parallelism().map_or(1, usize::from);
    let asked = |variable| {
        let number = env::var(variable).ok().and_then(|text| text.parse().ok());
        number.filter(|number| *number > 0).unwrap_or(all)
    };
    let pool_of = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool_of(asked("RAYON_NUM_THREADS").min(all.max(64))).build_global()?;
    pool_of(asked("POLARS_MAX_THREADS")).build().map(drop)
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
    message!("{line}");
}

/// What failed of several experiments: each error is told as it comes, how many there were at the
/// end.
struct Failures {
    all: usize,
    experiments: Vec<String>,
    code: u8,
}

impl Failures {
    fn among(all: usize) -> Self {
        Self {
            all,
            experiments: Vec::new(),
            code: 0,
        }
    }

    /// The value, unless it is an error, which is told.
    fn keep<T>(&mut self, experiment: &str, result: anyhow::Result<T>) -> Option<T> {
        let told = result.map_err(|error| {
            print_error(&error);
            self.code = exit_code::of(&error).max(self.code);
            self.experiments.push(experiment.to_owned());
        });
        told.ok()
    }

    /// The exit code, after a line that says how many failed of more than one.
    fn end(self) -> u8 {
        let failed: Vec<&String> = self.experiments.iter().unique().collect();
        if let (1.., 2..) = (failed.len(), self.all) {
            let names = failed.iter().join(", ");
            let counts = format!("{} of {}", failed.len(), self.all);
            message!("error: {counts} experiments failed: {names}");
        }
        self.code
    }
}

/// A spec and its figures, which are read before anything is done with it.
type SpecAndFigures = (Spec, Vec<FigureSpec>);

/// An experiment that is meant, and what is read of its spec, or why that is refused.
type ReadExperiment = (Target, anyhow::Result<SpecAndFigures>);

/// The experiments that are meant, each once, their specs changed. All are read before anything is
/// done with one.
fn read_specs(
    targets: Vec<Target>,
    change: impl Fn(&Target, Spec) -> anyhow::Result<Spec>,
) -> Vec<ReadExperiment> {
    // A run that is named by its folder has figures of the present spec.
    let place = |target: &Target, spec: &Spec| match target {
        Target::Run(run) => run.path().to_owned(),
        Target::Spec(..) | Target::Experiment(..) => PathBuf::from(&spec.file),
    };
    // A spec may have several paths. Under another name it is another experiment.
    let file = |(target, spec): &ReadExperiment| match spec {
        Ok((spec, _)) => (real_path(&place(target, spec)), spec.name.clone()),
        Err(error) => (error.to_string().into(), String::new()),
    };
    let read = |target: &Target| {
        let spec = change(target, target.spec()?)?;
        let figures = target::figures(&spec)?;
        Ok((spec, figures))
    };
    let with_specs = targets.into_iter().map(|target| {
        let spec = read(&target);
        (target, spec)
    });
    let mut meant: Vec<ReadExperiment> = with_specs.unique_by(file).collect();
    let mut files = BTreeMap::new();
    for (target, read) in &mut meant {
        let Ok((spec, _)) = &read else { continue };
        let shown = place(target, spec).display().to_string();
        // Some file systems hold upper and lower case for one.
        if let Some(other) = files.insert(spec.name.to_lowercase(), shown.clone()) {
            let reason = format!("{other} has the same experiment name {:?}", spec.name);
            let reason = format!("{reason}; expected a name of its own");
            *read = Err(Refused::of_file(&shown, reason).into());
        }
    }
    meant
}

/// This program as its user has called it, for hints that can be pasted.
fn program_name() -> String {
    let name = std::env::args_os().next();
    name.map(|name| text::quote(&name.to_string_lossy()))
        .unwrap_or_else(|| "reines".to_owned())
}

/// The command that runs an experiment into a folder of results, for hints that can be pasted.
fn run_command(results: &Path, name: &str) -> String {
    let mut words = vec!["run".to_owned()];
    if results != Path::new("results") {
        words.push("--results".to_owned());
        words.push(results.display().to_string());
    }
    words.push(name.to_owned());
    format!("{} {}", program_name(), text::quoted(&words))
}

/// The figures that cannot be drawn, as far as the plan tells: file, line, figure and reason of
/// each. Warns of what is to be known of the others.
fn undrawable((spec, figures): &SpecAndFigures, plan: &Plan) -> Vec<String> {
    let mut undrawable = Vec::new();
    let drawings = planned::drawings(figures, plan, spec.quick);
    for (figure, drawing) in figures.iter().zip(&drawings) {
        let file = &spec.file;
        let line = figure.line;
        let name = &figure.name;
        let which = format!("{file}:{line}:1: figure {name:?}");
        match drawing {
            Err(error) => undrawable.push(format!("{which}: {error}")),
            Ok(drawing) => {
                if let Some(remark) = Figure::of(figure).remark(plan, drawing) {
                    optional_message!("warning: {which} {remark}");
                }
            }
        }
    }
    undrawable
}
