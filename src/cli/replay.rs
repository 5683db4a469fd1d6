//! `reines replay`: a trial to be watched again.

mod row;

mod words;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;

use self::row::Stored;
use super::asked::{PointArgs, UPDATES};
use super::changed::OnlyArgs;
use super::number::whole;
use super::start::StartArgs;
use super::text::counted;
use super::{Refused, asked, output, refused, terminal};
use crate::replay::animation::Animation;
use crate::replay::film::{self, Film, NoFilm, Scene};
use crate::replay::log::Window;
use crate::replay::page;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Control, Dynamics, DynamicsChoice, Job, Point};

/// Write a page that plays a trial of a local rule again
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines replay --algorithm pair --n 8 --epsilon 0.01 --seed 1 --trial 17
  reines replay epsilon --only 'n=8,epsilon=0.01' --trial 17
  reines replay rules --only 'algorithm=cell,n=8,epsilon=0.1' --trial longest
  reines replay --algorithm cell --epsilon 0.01 --eta 0.1 --start board.txt
  reines replay --algorithm cell --n 16 --epsilon 0.1 --eta 0.1 --to 200000
  reines replay --algorithm pair --epsilon 0.01 --from 380000 -o end.svg --moves

The page is one file that loads nothing: it opens from a disk. A row's trial is
run again under its own dynamics, random numbers and cutoff, and held against
the row. Exit code 2 for a row of other code.")]
pub struct Args {
    /// A run of which a row is played: an experiment for its newest one, or a run's folder. Without
    /// it, a trial named by its parameters
    #[arg(
        value_name = "RUN",
        required_unless_present = "algorithm",
        conflicts_with_all = ["algorithm", "variant", "n", "epsilon", "eta", "parameter", "start", "signals", "cutoff", "dynamics"]
    )]
    run: Option<PathBuf>,
    /// A local rule of `reines list --algorithms`
    #[arg(long, value_name = "NAME", conflicts_with = "only")]
    algorithm: Option<String>,
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
    #[command(flatten)]
    start: StartArgs,
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
    /// A page *.html, or the last changes, at most 200, as an animation *.svg or *.gif; once for
    /// each [default: replay.html, which is overwritten]
    #[arg(long, short, value_name = "FILE", aliases = ["svg", "gif"])]
    output: Vec<PathBuf>,
    /// Show moves of queens alone, at most 200, in an animation
    #[arg(long, requires = "output")]
    moves: bool,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

/// Which row of a point.
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

/// What is written of a film, by the ending of its file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Page,
    Svg,
    Gif,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let window = window(args)?;
    let files = files(args)?;
    let asked = match (&args.run, &args.algorithm) {
        (Some(run), _) => row::asked(run, args)?,
        (None, Some(algorithm)) => named(algorithm, args)?,
        (None, None) => unreachable!("clap asks for one of them"),
    };
    let film = film(&asked, window)?;
    if let Some(stored) = &asked.stored {
        stored.compare(&film.outcome)?;
    }
    let caption = words::caption(&asked, &film);
    let mut lines = caption.lines.clone();
    // Everything is made before anything is written.
    let mut made = Vec::new();
    for (file, form) in files {
        let (bytes, count, noun) = if form == Form::Page {
            let page = page::html(&film, &caption).map_err(refused)?;
            (page.into_bytes(), film.log.changes.len(), "change")
        } else {
            let animation = Animation::of(&film, args.moves);
            let n_steps = animation.n_steps();
            let bytes = if form == Form::Gif {
                animation.to_gif()?
            } else {
                let title = words::animation(&asked, n_steps, args.moves);
                animation.to_svg(&title).into_bytes()
            };
            (bytes, n_steps, "step")
        };
        let (count, size) = (
            counted(count as u64, noun),
            counted(bytes.len() as u64, "byte"),
        );
        lines.push(format!("{}: {count}, {size}", file.display()));
        made.push((file, bytes));
    }
    for (file, bytes) in &made {
        output::write(file, bytes, args.force || args.output.is_empty())?;
    }
    terminal::print(lines)?;
    Ok(ExitCode::SUCCESS)
}

/// A trial, and where it comes from.
pub struct Asked {
    pub point: Point,
    pub seed: u64,
    pub trial: u32,
    pub cutoff: u64,
    pub dynamics: Dynamics,
    pub start: Option<Configuration>,
    /// The row that is played.
    pub stored: Option<Stored>,
}

/// The trial that is named by its parameters.
fn named(algorithm: &str, args: &Args) -> Result<Asked, Refused> {
    refuse_others(asked::algorithm(algorithm)?.name())?;
    let (_, point) = asked::point(algorithm, &args.start.with_side(&args.asked)?)?;
    let start = args.start.of(&point)?;
    let dynamics = args.dynamics.at(&point);
    if let (Dynamics::Lanes, Some(reason)) = (dynamics, point.no_lanes()) {
        return Err(Refused::new(format!(
            "{point}: --dynamics lanes {reason}; allowed are --dynamics auto, one-by-one, \
             rejection-free and stepwise"
        )));
    }
    let trial = match args.trial {
        None => 0,
        Some(Which::Trial(trial)) => trial,
        Some(Which::Longest | Which::Median) => {
            let reason = "longest and median are of the rows of a RUN; allowed is a number";
            return Err(Refused::new(format!("--trial: {reason}")));
        }
    };
    Ok(Asked {
        seed: args.seed.unwrap_or(1),
        trial,
        cutoff: args.cutoff.unwrap_or(UPDATES),
        dynamics,
        start: start.map(|(_, start)| start),
        stored: None,
        point,
    })
}

/// Refuses what is no local rule.
fn refuse_others(algorithm: &str) -> Result<(), Refused> {
    if local::rule(algorithm).is_some() {
        return Ok(());
    }
    Err(Refused::new(format!(
        "--algorithm {algorithm}: only the local rules can be played; allowed are {}",
        local::names().collect::<Vec<_>>().join(", ")
    )))
}

/// The files to be written. What nobody has named may be overwritten.
fn files(args: &Args) -> Result<Vec<(PathBuf, Form)>, Refused> {
    if args.output.is_empty() {
        return Ok(vec![(PathBuf::from("replay.html"), Form::Page)]);
    }
    let form = |file: &PathBuf| {
        output::refuse_existing(file, args.force)?;
        let form = match file.extension().and_then(|it| it.to_str()) {
            Some("html") => Form::Page,
            Some("svg") => Form::Svg,
            Some("gif") => Form::Gif,
            _ => {
                let reason = "allowed is a file *.html, *.svg or *.gif";
                return Err(output::refused(file, reason));
            }
        };
        Ok((file.clone(), form))
    };
    let files: Vec<(PathBuf, Form)> = args.output.iter().map(form).collect::<Result<_, _>>()?;
    if args.moves && files.iter().all(|(_, form)| *form == Form::Page) {
        let reason = "--moves: needed is -o FILE.svg or -o FILE.gif";
        return Err(Refused::new(reason));
    }
    Ok(files)
}

/// The page of a trial.
pub fn page_of(asked: &Asked, window: Window) -> anyhow::Result<String> {
    let film = film(asked, window)?;
    Ok(page::html(&film, &words::caption(asked, &film))?)
}

fn window(args: &Args) -> Result<Window, Refused> {
    let (from, to) = (args.from, args.to.unwrap_or(u64::MAX));
    if from <= to {
        Ok(Window { from, to })
    } else {
        Err(Refused::new(format!(
            "--from {from} --to {to}: a part that ends before it begins; allowed is --to {from} \
             or more"
        )))
    }
}

/// Runs the trial; Ctrl-C ends it.
fn film(asked: &Asked, window: Window) -> anyhow::Result<Film> {
    let stop = super::run::stop_on_signals()?;
    let updates = AtomicU64::new(0);
    let control = Control::new(stop, &updates);
    let scene = Scene {
        job: Job {
            point: &asked.point,
            seed: asked.seed,
            cutoff: asked.cutoff,
            dynamics: asked.dynamics,
        },
        trial: asked.trial,
        start: asked.start.clone(),
        window,
    };
    film::record(&scene, &control).map_err(|error| match error {
        NoFilm::Interrupted(error) => error.into(),
        error => refused(error).into(),
    })
}
