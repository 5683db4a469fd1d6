//! `reines board`: a position as a drawing.

use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::{BadInput, number, output};
use crate::drawing::place::NoPlace;
use crate::drawing::read::{self, Drawn};
use crate::drawing::{Arrow, Picture, Place, Position, Window, sheet};

/// Draw a position as SVG or as text
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines board position.txt -o position.svg\n  \
                        reines board position.txt --signals true --mark a4 --arrow a5-a4 -o move.svg\n  \
                        reines board position.txt --signals signals.txt --missing --crop a4-c6 --plain\n  \
                        reines solve --n 8 --json | reines board - --omega -o board.svg\n\n\
                        FILE holds a drawing, a line for each row, or the JSON of `reines solve --json`. In a drawing a cell is\n  \
                        Q    a queen              2 … 9  so many queens\n  \
                        .    a free cell          ×, x   a free cell, marked\n\
                        Spaces between cells, the numbers of the rows before them, the names of the columns below them, lines that\n\
                        begin with # and remarks three spaces after a row are allowed:\n  \
                        4  . . Q .\n  3  Q . . .   first of its row\n  2  . . . Q\n  1  . Q . .\n     a b c d\n\n\
                        A signal is an arrowhead on the side it comes from: filled if true, open if false, dashed if missing. Queens\n\
                        that are threatened have a ring: by the signals drawn, else by true ones.\n\
                        A list of signals has a line for each cell that carries some, `a4 N NE`; what follows # is left out."
)]
pub struct Args {
    /// A drawing, or boards in JSON; - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the drawing goes [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the output if it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Draw in text
    #[arg(long)]
    plain: bool,
    /// Signals: true (those that are), none, or those listed in a file (./true for a file of that
    /// name)
    #[arg(long, value_name = "true|none|FILE", default_value = "none")]
    signals: Signals,
    /// Draw signals that would be true and are not there
    #[arg(long)]
    missing: bool,
    /// Write ω into the free cells: how many signals they carry
    #[arg(long)]
    omega: bool,
    /// Tint a cell, as in a4; once for each
    #[arg(long, value_name = "CELL")]
    mark: Vec<String>,
    /// Draw an arrow from a cell to another, as in a5-a4; once for each
    #[arg(long, value_name = "CELL-CELL")]
    arrow: Vec<String>,
    /// Draw the part of the board between two corners, as in a1-c3
    #[arg(long, value_name = "CELL-CELL")]
    crop: Option<String>,
    /// The drawing's title, for those who cannot see it [default: queens and size]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Width of the SVG in millimetres [default: 8 for each cell, 178 at most]
    #[arg(long, value_name = "MM", value_parser = width)]
    width: Option<f64>,
}

/// Which signals are drawn.
#[derive(Debug, Clone)]
enum Signals {
    True,
    None,
    Listed(PathBuf),
}

impl From<&str> for Signals {
    fn from(given: &str) -> Self {
        match given {
            "true" => Self::True,
            "none" => Self::None,
            file => Self::Listed(file.into()),
        }
    }
}

fn width(given: &str) -> Result<f64, String> {
    let allowed = || "allowed is a number from 10 to 1000".to_owned();
    let width = number::real(given).ok_or_else(allowed)?;
    (10.0..=1000.0)
        .contains(&width)
        .then_some(width)
        .ok_or_else(allowed)
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.output {
        output::refuse_existing(file, args.force)?;
    }
    refuse_contradictions(args)?;
    let name = args.file.display().to_string();
    let text = contents(&args.file)?;
    let drawn = read::positions(&text).map_err(|error| BadInput(error.in_file(&name)))?;
    let listed = match &args.signals {
        Signals::Listed(file) => Some((file.display().to_string(), contents(file)?)),
        Signals::True | Signals::None => None,
    };
    let pictures: Result<Vec<Picture>, BadInput> = drawn
        .into_iter()
        .map(|drawn| picture(args, drawn, listed.as_ref()))
        .collect();
    let drawing = drawing(args, &pictures?)?;
    match &args.output {
        Some(file) => output::write(file, drawing.as_bytes(), args.force)?,
        None => io::stdout().write_all(drawing.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What would be without effect, or would read standard input twice.
fn refuse_contradictions(args: &Args) -> Result<(), BadInput> {
    let refused = match &args.signals {
        Signals::None if args.missing => {
            "--missing: no signals are given; --signals FILE says which are there"
        }
        Signals::Listed(file) if file.as_os_str() == "-" && file == &args.file => {
            "--signals -: standard input is the drawing already"
        }
        _ => return Ok(()),
    };
    Err(BadInput(refused.to_owned()))
}

/// The text of a file, or of standard input for `-`.
fn contents(file: &PathBuf) -> Result<String, BadInput> {
    let text = if file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(file)
    };
    text.map_err(|error| BadInput(format!("{}: {error}", file.display())))
}

fn picture(
    args: &Args,
    drawn: Drawn,
    listed: Option<&(String, String)>,
) -> Result<Picture, BadInput> {
    let side = drawn.position.side();
    let mut marks = drawn.marks;
    marks.extend(named("mark", &args.mark, |name| Place::named(name, side))?);
    let crop = named("crop", args.crop.as_slice(), |name| {
        Window::named(name, side)
    })?;
    Ok(Picture {
        marks,
        arrows: named("arrow", &args.arrow, |name| Arrow::named(name, side))?,
        crop: crop.first().copied(),
        omega: args.omega,
        missing: args.missing,
        title: args.title.clone(),
        width_mm: args.width,
        ..Picture::new(with_signals(args, drawn.position, listed)?)
    })
}

/// The cells of an option.
fn named<T>(
    option: &str,
    names: &[String],
    place: impl Fn(&str) -> Result<T, NoPlace>,
) -> Result<Vec<T>, BadInput> {
    let named =
        |name: &String| place(name).map_err(|error| BadInput(format!("--{option} {error}")));
    names.iter().map(named).collect()
}

fn with_signals(
    args: &Args,
    position: Position,
    listed: Option<&(String, String)>,
) -> Result<Position, BadInput> {
    match (&args.signals, listed) {
        (Signals::True, _) => Ok(position.with_true_signals()),
        (Signals::Listed(_), Some((name, text))) => {
            let signals = read::signals(text, position.side());
            let signals = signals.map_err(|error| BadInput(error.in_file(name)))?;
            position
                .with_signals(signals)
                .map_err(|error| BadInput(error.to_string()))
        }
        _ => Ok(position),
    }
}

/// One board, or several on a page.
fn drawing(args: &Args, pictures: &[Picture]) -> anyhow::Result<String> {
    if args.plain {
        let texts: Vec<String> = pictures.iter().map(Picture::to_text).collect();
        return Ok(texts.join("\n"));
    }
    if let [picture] = pictures {
        return Ok(picture.to_svg());
    }
    if args.width.is_some() {
        let reason = "a page of several boards is always 178 mm wide";
        return Err(BadInput(format!("--width: {reason}")).into());
    }
    let boards = format!("{} boards", pictures.len());
    Ok(sheet::sheet(
        args.title.as_deref().unwrap_or(&boards),
        pictures,
    )?)
}
