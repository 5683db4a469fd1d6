//! `reines replay`: a trial to be watched again.

mod row;

pub(super) mod scene;

mod words;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;

use self::scene::Asked;
use super::Refused;
use super::asked::PointArgs;
use super::number::whole;
use super::output;
use super::start::StartArgs;
use crate::cli::terminal;
use crate::replay::animation::Animation;
use crate::replay::film::{self, Film, NoFilm};
use crate::replay::log::Window;
use crate::replay::page;
use crate::solver::{Control, DynamicsChoice};

/// Write a page that plays a trial of a local rule again
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines replay --algorithm pair --n 8 --epsilon 0.01 --seed 1 --trial 17\n  \
                        reines replay results/epsilon --where 'n=8,epsilon=0.01' --trial 17\n  \
                        reines replay results/rules --where 'algorithm=cell,n=8' --longest -o longest.html\n  \
                        reines replay --algorithm cell --epsilon 0.01 --eta 0.1 --start board.txt --signals true\n  \
                        reines replay --algorithm cell --n 16 --epsilon 0.1 --eta 0.1 --from 0 --to 200000\n  \
                        reines replay --algorithm pair --n 8 --epsilon 0.01 --from 380000 --svg last.svg --moves\n\n\
                        The page is one file that loads nothing: it opens from a disk. A row's trial is run again under its own\n\
                        dynamics, random numbers and cutoff, and held against the row. Exit code 2 for a row of other code."
)]
pub struct Args {
    /// Results of an experiment, or one run of them: a row is played. Without them, a trial named
    /// by its parameters
    #[arg(
        value_name = "RESULTS",
        required_unless_present = "algorithm",
        conflicts_with_all = ["algorithm", "variant", "n", "epsilon", "eta", "set", "start", "signals", "cutoff", "dynamics"]
    )]
    results: Option<PathBuf>,
    /// A local rule of `reines list --algorithms`
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    #[command(flatten)]
    asked: PointArgs,
    /// The point of the row: its values, as in 'algorithm=cell,n=8,epsilon=0.01'
    #[arg(
        long = "only",
        alias = "where",
        value_name = "KEY=VALUE,…",
        requires = "results",
        value_delimiter = ','
    )]
    at: Vec<String>,
    /// Seed of the trial [default: 1; the row's where there is one]
    #[arg(long, value_name = "S", value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    /// Which trial of the seed, from 0 [default: 0 without RESULTS]
    #[arg(long, value_name = "K", group = "which", value_parser = whole(0..=u32::MAX))]
    trial: Option<u32>,
    /// The row of the point with the most updates
    #[arg(long, group = "which", requires = "results")]
    longest: bool,
    /// The row of the point with the fewest updates
    #[arg(long, group = "which", requires = "results")]
    shortest: bool,
    /// The row in the middle, the lower one of two; one that was cut off counts as longer than any
    /// that was not
    #[arg(long, group = "which", requires = "results")]
    median: bool,
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
    /// The page [default: replay.html, unless --svg or --gif is given]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the last changes, at most 200, as an animated SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the last changes, at most 200, as a GIF
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Show moves of queens alone, at most 200, in an animation
    #[arg(long)]
    moves: bool,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let window = window(args)?;
    let is_animated = args.svg.is_some() || args.gif.is_some();
    if args.moves && !is_animated {
        return Err(Refused::new("--moves: needed is --svg FILE or --gif FILE".to_owned()).into());
    }
    let page = PathBuf::from("replay.html");
    let page_file = args.output.clone().or((!is_animated).then_some(page));
    for file in page_file.iter().chain(&args.svg).chain(&args.gif) {
        output::refuse_existing(file, args.force)?;
    }
    let asked = match (&args.results, &args.algorithm) {
        (Some(results), _) => row::asked(results, args)?,
        (None, Some(algorithm)) => scene::asked(algorithm, args)?,
        (None, None) => unreachable!("clap asks for one of them"),
    };
    let film = film(&asked, window)?;
    if let Some(stored) = &asked.stored {
        stored.compare(&film.outcome)?;
    }
    let caption = words::caption(&asked, &film);
    // Everything is made before anything is written.
    let mut files = Vec::new();
    if let Some(file) = page_file {
        let page = page::html(&film, &caption).map_err(|error| Refused::new(error.to_string()))?;
        let said = words::file(&file, film.log.changes.len(), "change", page.len());
        files.push((file, page.into_bytes(), said));
    }
    if is_animated {
        files.extend(animations(args, &asked, &film)?);
    }
    for (file, bytes, _) in &files {
        output::write(file, bytes, args.force)?;
    }
    let mut out = terminal::out();
    let said = files.iter().map(|(_, _, said)| said);
    for line in caption.lines.iter().chain(said) {
        writeln!(out, "{line}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a trial.
///
/// # Errors
/// A trial that cannot be watched, and a page that is too large.
pub fn page_of(asked: &Asked, window: Window) -> anyhow::Result<String> {
    let film = film(asked, window)?;
    Ok(page::html(&film, &words::caption(asked, &film))?)
}

/// A file, its bytes, and what is said of it.
type Made = (PathBuf, Vec<u8>, String);

fn animations(args: &Args, asked: &Asked, film: &Film) -> anyhow::Result<Vec<Made>> {
    let animation = Animation::of(film, args.moves);
    let n_steps = animation.n_steps();
    let made = |file: &PathBuf, bytes: Vec<u8>| {
        let said = words::file(file, n_steps, "step", bytes.len());
        (file.clone(), bytes, said)
    };
    let mut files = Vec::new();
    if let Some(file) = &args.svg {
        let title = words::animation(asked, n_steps, args.moves);
        files.push(made(file, animation.to_svg(&title).into_bytes()));
    }
    if let Some(file) = &args.gif {
        files.push(made(file, animation.to_gif()?));
    }
    Ok(files)
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
    film::record(&asked.scene(window), &control).map_err(|error| match error {
        NoFilm::Interrupted(error) => error.into(),
        error => Refused::new(error.to_string()).into(),
    })
}
