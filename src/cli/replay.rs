//! `reines replay`: a trial run again and shown.

mod row;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use clap::builder::PossibleValuesParser;

use super::asked::{PointArgs, UPDATES, option};
use super::number::whole;
use super::plan::OnlyArgs;
use super::text::{counted, ending};
use super::{Common, Refused, output, terminal};
use crate::replay::animation::Animation;
use crate::replay::film::{self, Film, NoFilm, ReplayedTrial};
use crate::replay::page;
use crate::solver::{self, Control, Dynamics, DynamicsChoice, local};

/// Write a page that plays a trial of a local rule again
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines replay --algorithm pair --n 8 --epsilon 0.01 --seed 1 --trial 17
  reines replay epsilon --only 'n=8,epsilon=0.01' --trial 17
  reines replay rules --only 'algorithm=cell,n=8,epsilon=0.1' --trial longest
  reines replay --algorithm cell --epsilon 0.01 --eta 0.1 --start board.txt
  reines replay --algorithm cell --n 14 --epsilon 0.1 --eta 0.1 --to 200000
  reines replay --algorithm pair --epsilon 0.01 --from 380000 -o end.svg --moves

The page is one file that loads nothing: it opens from a disk. A row's trial is
run again under its own dynamics, random numbers and cutoff, and held against
the row. Exit code 2 for a row of other code.")]
pub struct Args {
    /// A run of which a row is played: an experiment for its newest one, or a run's folder. Without
    /// it, a trial named by its parameters
    #[arg(
        value_name = "RUN",
        conflicts_with_all = ["algorithm", "variant", "n", "epsilon", "eta", "parameter", "start", "signals", "cutoff", "dynamics"]
    )]
    run: Option<PathBuf>,
    /// A local rule of `reines list algorithms`
    #[arg(
        long,
        value_name = "NAME",
        default_value = "pair",
        value_parser = PossibleValuesParser::new(local::names()),
        hide_possible_values = true
    )]
    algorithm: String,
    #[command(flatten)]
    asked: PointArgs,
    #[command(flatten)]
    only: OnlyArgs,
    /// Seed of the trial [default: 1; the row's where there is one]
    #[arg(long, value_name = "S", value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    /// Which trial of the seed, from 0 [default: 0 without RUN]; of a RUN also `longest`, the most
    /// updates, or `median`, where one that was cut off counts as longer than any that was not
    #[arg(long, value_name = "K", value_parser = which)]
    trial: Option<Which>,
    /// Updates allowed [default: 10^10]
    #[arg(long, value_name = "K", value_parser = whole(1..=u64::MAX))]
    cutoff: Option<u64>,
    /// How the trial is simulated
    #[arg(long, value_name = "KIND", value_parser = super::plan::dynamics(), default_value = "auto")]
    dynamics: DynamicsChoice,
    /// Begin with the state after so many updates
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    from: u64,
    /// End with the state after so many updates
    #[arg(long, value_name = "K", value_parser = whole(0..=u64::MAX))]
    to: Option<u64>,
    /// A page *.html, or the last changes, at most 200, as an animation *.svg; once for each
    #[arg(long, short, value_name = "FILE", default_value = "replay.html")]
    output: Vec<PathBuf>,
    /// Show moves of queens alone, at most 200, in an animation
    #[arg(long)]
    moves: bool,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
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

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let (window, files) = (window(args)?, files(args)?);
    let (scene, stored) = match &args.run {
        Some(run) => row::of_run(run, &common.results, args)?,
        None => (named(args)?, None),
    };
    let film = film(scene, window)?;
    let mut lines = vec![how_it_ended(&film)];
    if let Some(stored) = stored {
        lines.push(stored.agreement(&film.outcome)?);
    }
    let (said, mut made) = (lines.clone(), Vec::new());
    // Everything is made before anything is written.
    for (file, ending) in files {
        let (bytes, count, noun) = if ending == "html" {
            let page = page::html(&film, &said, &command(&film));
            (page.into_bytes(), film.log.changes.len(), "change")
        } else {
            let animation = Animation::of(&film, args.moves);
            let bytes = animation.to_svg().into_bytes();
            (bytes, animation.n_steps, "step")
        };
        let (count, size) = (counted(count, noun), counted(bytes.len(), "byte"));
        lines.push(format!("{}: {count}, {size}", file.display()));
        made.push((file, bytes));
    }
    for (file, bytes) in &made {
        output::write(file, bytes, args.force)?;
    }
    terminal::print_remarks(lines)?;
    Ok(0)
}

/// The trial that is named by its parameters.
fn named(args: &Args) -> Result<ReplayedTrial, Refused> {
    if args.only.is_some() {
        let reason = "--only: it chooses a point of a RUN; expected RUN, or no --only";
        return Err(Refused::new(reason));
    }
    if args.asked.given().is_empty() {
        let reason = "expected a RUN, or a trial named by its parameters, as --epsilon 0.01";
        return Err(Refused::new(reason));
    }
    let (_, point, start) = args.asked.point(&args.algorithm)?;
    let dynamics = args.dynamics.at(&point);
    if let (Some(Dynamics::Lanes), Some(reason)) = (dynamics, point.no_lanes()) {
        return Err(Refused::new(format!(
            "{point}: --dynamics lanes {reason}; expected --dynamics auto, one-by-one, \
             rejection-free or stepwise"
        )));
    }
    let trial = match args.trial {
        None => 0,
        Some(Which::Trial(trial)) => trial,
        Some(Which::Longest | Which::Median) => {
            let reason = "longest and median are for the rows of a RUN; expected an integer";
            return Err(Refused::new(format!("--trial: {reason}")));
        }
    };
    Ok(ReplayedTrial {
        seed: args.seed.unwrap_or(1),
        trial,
        cutoff: args.cutoff.unwrap_or(UPDATES),
        dynamics,
        start,
        point,
    })
}

/// The files to be written, with their endings.
fn files(args: &Args) -> Result<Vec<(PathBuf, &'static str)>, Refused> {
    let mut files = Vec::new();
    for file in &args.output {
        output::check(file, args.force)?;
        let ending = output::ending(file, &["html", "svg"])?;
        files.push((file.clone(), ending));
    }
    if args.moves && files.iter().all(|(_, ending)| *ending == "html") {
        let reason = "--moves: expected -o FILE.svg";
        return Err(Refused::new(reason));
    }
    Ok(files)
}

fn how_it_ended(film: &Film) -> String {
    let algorithm = solver::algorithm(&film.scene.point.algorithm).expect("it has run");
    ending(algorithm, film.scene.cutoff, &film.outcome)
}

fn window(args: &Args) -> Result<RangeInclusive<u64>, Refused> {
    let (from, to) = (args.from, args.to.unwrap_or(u64::MAX));
    if from <= to {
        return Ok(from..=to);
    }
    Err(Refused::new(format!(
        "--from {from} --to {to}: from is greater than to; expected from ≤ to"
    )))
}

/// Runs the trial; Ctrl-C ends it.
fn film(scene: ReplayedTrial, window: RangeInclusive<u64>) -> anyhow::Result<Film> {
    let (stop, updates) = (super::signals::listen()?, AtomicU64::new(0));
    film::record(scene, window, &Control::new(stop, &updates)).map_err(|error| match error {
        NoFilm::Interrupted(error) => error.into(),
        NoFilm::Refused(reason) => Refused::new(reason).into(),
    })
}

/// The command that makes the same page, but for the name of its file.
fn command(film: &Film) -> String {
    let (scene, point) = (&film.scene, &film.scene.point);
    let mut command = format!("reines replay --algorithm {}", point.algorithm);
    let mut add = |word: String| command += &format!(" {word}");
    if !point.variant.is_empty() {
        // A condition has blanks and no quotes.
        add(format!("--variant '{}'", point.variant));
    }
    for (name, value) in point.axes.by_column() {
        add(option(name, value));
    }
    add(format!("--seed {} --trial {}", scene.seed, scene.trial));
    add(format!("--cutoff {}", scene.cutoff));
    if DynamicsChoice::Auto.at(point) != scene.dynamics {
        let name = scene.dynamics.map_or("", Dynamics::name);
        add(format!("--dynamics {name}"));
    }
    if scene.start.is_some() {
        add("--start FILE --signals KIND".to_owned());
    }
    if film.log.from > 0 {
        add(format!("--from {}", film.log.from));
    }
    if film.outcome.updates.is_some_and(|end| film.until < end) {
        add(format!("--to {}", film.until));
    }
    command
}
