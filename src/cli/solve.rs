//! `reines solve`: one run of one algorithm, and the boards it finds. Here are its options and
//! help, the goal where none is named (the first board), the drawing of a board, and which searches
//! use several threads. Its text is in `solve/solve.txt`, its cutoff in `trial.rs`.

mod waiting;

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use itertools::Itertools;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

use super::terminal::{Out, optional_message};
use super::text::{ending, whole};
use super::trial::TrialArgs;
use super::view::JsonOption;
use super::{Quiet, Refused, exit_code, signals};
use crate::experiment::program::{Program, Programs};
use crate::experiment::spec::{self, did_you_mean};
use crate::replay::film::SingleTrial;
use crate::solver::goal::Goal;
use crate::solver::outcome::COLUMNS;
use crate::solver::{
    ALGORITHMS, Algorithm, Control, DynamicsChoice, Ending, Key, Outcome, OwnValue, TrialError,
};

/// Run one algorithm once and show the boards it finds
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines solve cp n=50 variant=AA_DC
  reines solve pair n=8 epsilon=0.01 --seed 7 --trial 17
  reines solve cell epsilon=0.01 eta=0.1 --start board.txt
  reines solve factor product=143 epsilon=0.1
  reines solve bitboard n=4 --all
  reines solve bitboard n=14 --count
  reines solve walk --spec walk.toml size=5 bias=0.1

A local rule runs a trial of the seed, the same as in an experiment: its final
board, updates and moves. A search shows the first board, or all of them in the
order in which it finds them, or counts them.")]
pub struct SolveArgs {
    /// An algorithm of `reines list algorithms`, or a program of --spec
    #[arg(value_name = "ALGORITHM", value_parser = AlgorithmName, hide_possible_values = true)]
    algorithm: String,
    /// A spec whose programs may be named
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    #[command(flatten)]
    parameters: TrialArgs,
    /// Which trial of the seed [default: 0]
    #[arg(long, value_name = "K", value_parser = whole(0..=u32::MAX))]
    trial: Option<u32>,
    /// Show every board; without it and --count the first one, of a search that can show it
    #[arg(long, group = "goal")]
    all: bool,
    /// Count the boards without showing them
    #[arg(long, group = "goal")]
    count: bool,
    /// Threads of `bitboard --count`; other searches use one [default: one per processor]
    #[arg(long, value_name = "K", value_parser = whole(1..=512_u16))]
    threads: Option<u16>,
    #[command(flatten)]
    view: JsonOption,
    #[command(flatten)]
    quiet: Quiet,
}

pub fn run(args: &SolveArgs) -> anyhow::Result<u8> {
    let programs = programs(args)?;
    let algorithm = named(&programs, &args.algorithm)?;
    let single = single_trial(args, algorithm)?;
    let threads = threads(args, algorithm, single.point.goal)?;
    let n = single.point.integer("n").unwrap_or_default();
    if single.point.goal.is_none() && [2, 3].contains(&n) {
        optional_message!("warning: n = {n} has no solution: the trial ends at its cutoff");
    }
    // Kept for JSON; else shown at once, so that a search for all of them needs no memory for them,
    // with what went wrong first: a search cannot be told.
    let boards = Mutex::new((Vec::new(), Ok(())));
    let show = |board: &[u32]| {
        // A panic in the search ends the program, so what it left is never used.
        let (kept, shown) = &mut *boards.lock().unwrap_or_else(PoisonError::into_inner);
        if args.view.is_json() {
            kept.push(board.to_vec());
        } else if shown.is_ok() {
            *shown = writeln!(Out, "{}", framed(board));
        }
    };
    let stop = signals::listen()?;
    let steps = AtomicU64::new(0);
    let control = Control::new(stop, &steps).showing(&show);
    let outcome = match programs.program(algorithm.name) {
        Some(program) => run_program(program, &single, &control),
        None => waiting::with_word(&single, algorithm, &steps, || match &threads {
            Some(pool) => pool.install(|| single.run(&control.sharing_work())),
            None => single.run(&control),
        }),
    };
    let ended = programs.end();
    let outcome = outcome?;
    ended.map_err(anyhow::Error::msg)?;
    if let Some(board) = outcome.solution.as_ref().filter(|_| n > 0) {
        show(board);
    }
    let (boards, shown) = boards.into_inner().unwrap_or_else(PoisonError::into_inner);
    shown?;
    let values = values_of(&single, algorithm, &outcome, &boards);
    let ending = ending(algorithm, single.cutoff, &outcome);
    let more = json!({ "trial": args.trial, "ending": ending });
    let template = include_str!("solve/solve.txt");
    args.view.print_with(&values, &more, template)?;
    Ok(match outcome.ending {
        Ending::Censored => exit_code::CUT_OFF,
        _ => exit_code::DONE,
    })
}

/// The trial that is asked for, with its goal.
fn single_trial(args: &SolveArgs, algorithm: &'static Algorithm) -> Result<SingleTrial, Refused> {
    let trial = args.trial.unwrap_or(0);
    let parameters = &args.parameters;
    let mut single = parameters.single_trial(algorithm, trial, DynamicsChoice::Auto)?;
    let goal = goal(args, algorithm)?;
    if let (Some(trial), false) = (args.trial, algorithm.is_random(&single.point.variant)) {
        let which = format!("--trial {trial}: every trial of {}", single.point);
        let reason = format!("{which} is the same; expected no --trial");
        return Err(Refused::new(reason));
    }
    single.point.goal = goal;
    Ok(single)
}

/// The programs of the spec that is named.
fn programs(args: &SolveArgs) -> anyhow::Result<Programs> {
    let spec = args.spec.as_deref().map(spec::read).transpose()?;
    Ok(spec.map_or_else(Programs::default, |spec| spec.programs))
}

/// The algorithm of a name.
fn named(programs: &Programs, name: &str) -> Result<&'static Algorithm, Refused> {
    programs.algorithm(name).ok_or_else(|| {
        let known = programs.algorithms().into_iter();
        let known: Vec<&str> = known.map(|algorithm| algorithm.name).collect();
        let near = did_you_mean(name, &known);
        let expected = known.join(", ");
        Refused::new(format!(
            "unknown algorithm {name:?}; expected one of {expected}{near}"
        ))
    })
}

/// Runs a trial of a program, after a line that says what is started.
fn run_program(
    program: &Program,
    single: &SingleTrial,
    control: &Control,
) -> Result<Outcome, TrialError> {
    optional_message!("{}", program.in_words());
    let prepared = (program.algorithm.prepare)(&single.point, single.dynamics);
    prepared(single.key, single.cutoff, control).map(|(outcome, _)| outcome)
}

/// Reads the name of an algorithm, of which a shell completes those of the registry.
#[derive(Clone)]
struct AlgorithmName;

impl TypedValueParser for AlgorithmName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = ALGORITHMS
            .iter()
            .map(|algorithm| PossibleValue::new(algorithm.name));
        Some(Box::new(names))
    }
}

/// What a trial has found, and the boards that are shown, each as the row of the queen in each
/// column.
fn values_of(
    single: &SingleTrial,
    algorithm: &Algorithm,
    outcome: &Outcome,
    boards: &[Vec<u32>],
) -> Value {
    let (point, Key { seed, trial }) = (&single.point, single.key);
    // Without n a solution is no board, it is a product's factors.
    let factors = outcome.solution.as_ref();
    let factors = factors.filter(|_| point.integer("n").is_none());
    let is_random = algorithm.is_random(&point.variant);
    let mut values = json!({
        "boards": boards,
        "run": point.to_string(),
        "algorithm": algorithm.name,
        "variant": point.variant,
        "goal": point.goal,
        // As a text: programs read numbers above 2⁵³ as others.
        "seed": is_random.then(|| seed.to_string()),
        "trial": is_random.then_some(trial),
        "outcome": outcome.ending.name(),
        "cutoff": Some(single.cutoff).filter(|cutoff| *cutoff < u64::MAX),
        "factors": factors.map(|factor| factor.iter().sorted().collect::<Vec<_>>()),
    });
    for (axis, value) in point.axes.by_column() {
        values[axis] = json!(value);
    }
    // The numbers that the outcome has, each under its column's name.
    for column in COLUMNS {
        if let Some(count) = column.count(outcome) {
            values[column.name] = count.into();
        }
    }
    add_own_values(&mut values, outcome);
    values
}

/// Adds the values of an algorithm's own columns, each under its name, and all of them as a line.
fn add_own_values(values: &mut Value, outcome: &Outcome) {
    let mut words = Vec::new();
    for (name, value) in outcome.own.iter() {
        values[name] = match value {
            OwnValue::Real(real) => json!(real),
            OwnValue::Count(count) => json!(count),
            OwnValue::Text(text) => json!(text),
        };
        words.push(format!("{name} = {value}"));
    }
    if !words.is_empty() {
        values["own"] = words.join(", ").into();
    }
}

/// The threads of a count that several can share; `None` for any other search.
fn threads(
    args: &SolveArgs,
    algorithm: &Algorithm,
    goal: Option<Goal>,
) -> anyhow::Result<Option<ThreadPool>> {
    if algorithm.name == "bitboard" && goal == Some(Goal::Count) {
        let threads = args.threads.map_or(0, usize::from);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        return Ok(Some(pool.context("the threads could not be started")?));
    }
    if let Some(threads) = args.threads {
        let reason = format!("--threads {threads}: only `bitboard --count` uses several");
        return Err(Refused::new(format!("{reason}; expected no --threads")).into());
    }
    Ok(None)
}

/// The goal that is named, else the first board; `None` where there is no search.
fn goal(args: &SolveArgs, algorithm: &Algorithm) -> Result<Option<Goal>, Refused> {
    let all = args.all.then_some(Goal::All);
    let named = all.or_else(|| args.count.then_some(Goal::Count));
    if algorithm.is_search {
        return Ok(named.or(Some(Goal::First)));
    }
    named.map_or(Ok(None), |goal| {
        let goal = goal.name();
        let name = algorithm.name;
        let reason = format!("it applies only to search algorithms, and {name} is none");
        Err(Refused::new(format!("--{goal}: {reason}")))
    })
}

/// A board in the style of the source texts, every queen in its frame: its first row on top; `rows`
/// is the row of the queen in each column.
fn framed(rows: &[u32]) -> String {
    let separator = "+---".repeat(rows.len()) + "+\n";
    let content = |is_queen| if is_queen { "| ♛ " } else { "|   " };
    let line = |row| {
        rows.iter()
            .map(|at| content(*at == row))
            .collect::<String>()
    };
    let lines = (0..rows.len() as u32).map(|row| line(row) + "|\n" + &separator);
    separator.clone() + &lines.collect::<String>()
}
