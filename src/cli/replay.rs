//! `reines replay`: a trial run again and shown. Here are its options and help, which dynamics a
//! replay may have, and the messages of a window that is empty or too long (the most changes are in
//! `replay/film.rs`).

mod row;

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use itertools::Itertools;

use super::text::{counted, ending, quoted, spaced, whole};
use super::trial::TrialArgs;
use super::{Common, Refused, terminal, user_files};
use crate::replay::film::{self, Film, SingleTrial};
use crate::replay::page;
use crate::solver::{self, Algorithm, Control, Dynamics, DynamicsChoice, local};

/// Write a page that plays a trial of a local rule again
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines replay pair n=8 epsilon=0.01 --seed 1 --trial 17
  reines replay epsilon n=8 epsilon=0.01 --trial 17
  reines replay rules algorithm=cell n=8 epsilon=0.1 --trial longest
  reines replay cell epsilon=0.01 eta=0.1 --start board.txt
  reines replay cell n=14 epsilon=0.1 eta=0.1 --to 200000

Of a run the keys are the conditions of one of its points. The trial of a row is
run again with the seed, cutoff and dynamics of the row, and held against it.
Exit code 2 for a row of other code. The page is one file that loads nothing: it
opens from a disk.")]
pub struct ReplayArgs {
    /// A local rule, `pair` or `cell`, or a run: an experiment or a run's folder
    #[arg(value_name = "RULE|RUN")]
    what: PathBuf,
    #[command(flatten)]
    parameters: TrialArgs,
    /// Which trial of the seed, from 0 [default: 0 of a rule]; of a run also `longest`, the most
    /// updates, or `median`, where one that was cut off counts as longer than any that was not
    #[arg(long, value_name = "K", value_parser = which)]
    trial: Option<Which>,
    /// How the trial of a rule is simulated [default: auto]
    #[arg(long, value_name = "KIND", value_parser = super::spec_options::dynamics())]
    dynamics: Option<DynamicsChoice>,
    /// Begin with the state after so many updates
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    from: u64,
    /// End with the state after so many updates
    #[arg(long, value_name = "K", value_parser = whole(0..=u64::MAX))]
    to: Option<u64>,
    /// The page, *.html
    #[arg(long, short, value_name = "FILE", default_value = "replay.html")]
    output: PathBuf,
    /// Write over a page that is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: Common,
}

/// The row of a point that is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Trial(u32),
    Longest,
    Median,
}

fn which(text: &str) -> Result<Which, String> {
    match text {
        "longest" => Ok(Which::Longest),
        "median" => Ok(Which::Median),
        text => whole(0..=u32::MAX)(text)
            .map(Which::Trial)
            .map_err(|reason| format!("{reason}, or longest or median")),
    }
}

pub fn run(args: &ReplayArgs) -> anyhow::Result<u8> {
    let file = &args.output;
    if let Some(to) = args.to.filter(|to| args.from > *to) {
        let reason = "from is greater than to; expected from ≤ to";
        return Err(Refused::new(format!("--from {} --to {to}: {reason}", args.from)).into());
    }
    user_files::check(file, args.force)?;
    user_files::ending(file, &["html"])?;
    let rule = args.what.to_str().and_then(solver::algorithm);
    let (scene, row) = match rule.filter(|algorithm| local::rule(algorithm.name).is_some()) {
        None => row::of_run(args).map(|(scene, row, run)| (scene, Some((row, run))))?,
        Some(rule) => (of_rule(args, rule)?, None),
    };
    let algorithm = solver::algorithm(&scene.point.algorithm).expect("it is in a row or named");
    let film = film(scene, args)?;
    let mut lines = vec![ending(algorithm, film.scene.cutoff, &film.outcome)];
    if let Some((row, run)) = row {
        lines.push(row::agreement(&row, &run, &film.outcome)?);
    }
    let page = page::html(&film, &lines, &command(args, &film));
    user_files::write(file, page.as_bytes(), args.force)?;
    let changes = counted(film.log.changes.len(), "change");
    let size = counted(page.len(), "byte");
    lines.push(format!("{}: {changes}, {size}", file.display()));
    terminal::print_remarks(lines)?;
    Ok(0)
}

/// The trial that is named by its parameters.
fn of_rule(args: &ReplayArgs, rule: &'static Algorithm) -> Result<SingleTrial, Refused> {
    let trial = match args.trial {
        None => 0,
        Some(Which::Trial(trial)) => trial,
        Some(Which::Longest | Which::Median) => {
            let reason = "longest and median are for the rows of a run; expected an integer";
            return Err(Refused::new(format!("--trial: {reason}")));
        }
    };
    let dynamics = args.dynamics.unwrap_or_default();
    let single = args.parameters.single_trial(rule, trial, dynamics)?;
    let DynamicsChoice::Only(asked) = dynamics else {
        return Ok(single);
    };
    let others = match asked {
        Dynamics::Lanes => "auto, one-by-one, rejection-free or stepwise",
        _ => "auto, one-by-one or stepwise",
    };
    let name = asked.name();
    match single.point.no_dynamics(asked) {
        Some(reason) => Err(Refused::new(format!(
            "{}: --dynamics {name} {reason}; expected --dynamics {others}",
            single.point
        ))),
        None => Ok(single),
    }
}

/// Runs the trial; Ctrl-C ends it.
fn film(scene: SingleTrial, args: &ReplayArgs) -> anyhow::Result<Film> {
    let name = &scene.point.algorithm;
    if local::rule(name).is_none() {
        let allowed = local::names().join(", ");
        let reason = format!("{name} cannot be replayed; expected one of {allowed}");
        return Err(Refused::new(reason).into());
    }
    let from = args.from;
    let to = args.to.unwrap_or(u64::MAX);
    let stop = super::signals::listen()?;
    let updates = AtomicU64::new(0);
    let film = film::record(scene, from..=to, &Control::new(stop, &updates))?;
    let log = &film.log;
    let end = film.outcome.updates.unwrap_or_default();
    if from > end {
        let end = counted(end, "update");
        let reason = format!("--from {from}: the trial ends after {end}; expected no more");
        return Err(Refused::new(reason).into());
    }
    if log.n_changes > log.changes.len() as u64 {
        let changes = counted(log.n_changes, "change");
        let updates = counted(log.until - from, "update");
        let most = spaced(log.changes.len());
        return Err(Refused::new(format!(
            "{changes} in {updates}; expected at most {most} changes: --from and --to (in updates) keep a part of the run"
        ))
        .into());
    }
    Ok(film)
}

/// The command that makes the same page, but for the name of its file.
fn command(args: &ReplayArgs, film: &Film) -> String {
    let scene = &film.scene;
    let log = &film.log;
    let point = &film.scene.point;
    let mut words = ["reines", "replay", &point.algorithm]
        .map(str::to_owned)
        .to_vec();
    let axes = point.axes.by_column();
    words.extend(axes.map(|(name, value)| format!("{name}={value}")));
    if !point.variant.is_empty() {
        words.push(format!("variant={}", point.variant));
    }
    let start = args.parameters.start.as_ref();
    let signals = start.map(|_| args.parameters.signals.clone());
    let rule = solver::algorithm(&point.algorithm).expect("a local rule");
    let auto = DynamicsChoice::Auto.at(rule, point, false);
    let dynamics = scene.dynamics.filter(|dynamics| auto != Some(*dynamics));
    let is_cut = film.outcome.updates.is_some_and(|end| log.until < end);
    for (option, value) in [
        ("seed", Some(scene.key.seed.to_string())),
        ("trial", Some(scene.key.trial.to_string())),
        ("cutoff", Some(scene.cutoff.to_string())),
        (
            "dynamics",
            dynamics.map(|dynamics| dynamics.name().to_owned()),
        ),
        ("start", start.map(|start| start.display().to_string())),
        ("signals", signals),
        ("from", (log.from > 0).then(|| log.from.to_string())),
        ("to", is_cut.then(|| log.until.to_string())),
    ] {
        words.extend(
            value
                .into_iter()
                .flat_map(|value| [format!("--{option}"), value]),
        );
    }
    quoted(&words)
}
