//! `reines board`: a position as a drawing.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Common;
use super::{Refused, number, output, terminal};
use crate::drawing::read::{self, Drawn, ReadError};
use crate::drawing::{Arrow, Coordinates, NoDrawing, Picture, Window, sheet};

/// Boards that one page holds.
const MOST: usize = 100;

/// Draw a position as SVG or as text
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines board position.txt -o position.svg
  reines board position.txt --signals true --mark a4 --arrow a4-b3 -o move.svg
  reines board position.txt --signals signals.txt --missing --crop a4-c2 --plain
  reines solve --n 8 --json | reines board - --omega -o board.svg

FILE holds a drawing, a line for each row, or the JSON of `reines solve --json`
(docs/data.md). In a drawing a cell is
  Q    a queen              2 … 9  so many queens
  .    a free cell          ×, x   a free cell, marked

A signal is an arrowhead on the side it comes from: filled if true, open if
false, dashed if missing. Queens that are threatened have a ring: by the signals
drawn, else by true ones.")]
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
    #[arg(long, value_name = "true|none|FILE")]
    signals: Option<String>,
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

fn width(given: &str) -> Result<f64, String> {
    let width = number::real(given).filter(|width| (10.0..=1000.0).contains(width));
    width.ok_or_else(|| "expected a number from 10 to 1000".to_owned())
}

pub fn run(args: &Args, _: &Common) -> anyhow::Result<u8> {
    if let Some(file) = &args.output {
        output::check(file, args.force)?;
    }
    refuse_contradictions(args)?;
    if let Some(file) = args.output.as_ref().filter(|_| !args.plain)
        && file.extension().is_none_or(|ending| ending != "svg")
    {
        return Err(output::refused(file, "expected a file *.svg; --plain draws text").into());
    }
    let drawn = drawn(&args.file, args.signals.as_deref())?.into_iter();
    let pictures: Result<Vec<_>, Refused> = drawn.map(|drawn| picture(args, drawn)).collect();
    let drawing = drawing(args, &pictures?)?;
    match &args.output {
        Some(file) => output::write(file, drawing.as_bytes(), args.force)?,
        None => terminal::out().write_all(drawing.as_bytes())?,
    }
    Ok(0)
}

/// What would be without effect, or would read standard input twice.
fn refuse_contradictions(args: &Args) -> Result<(), Refused> {
    let refused = match args.signals.as_deref() {
        None | Some("none") if args.missing => {
            "--missing: no signals are given; expected --signals FILE"
        }
        Some("-") if args.file.as_os_str() == "-" => {
            "--signals -: standard input is read as the drawing; expected a file"
        }
        _ => return Ok(()),
    };
    Err(Refused::new(refused))
}

/// What is drawn in a file, with the signals that are given.
pub fn drawn(file: &Path, signals: Option<&str>) -> Result<Vec<Drawn>, Refused> {
    let refused = |name: &str, error: ReadError| Refused::new(error.in_file(name));
    let drawn = read::positions(&text(file)?)
        .map_err(|error| refused(&file.display().to_string(), error))?;
    let no_list = |error: Refused| format!("--signals {error}; expected true, none or a file");
    let list = match signals {
        None | Some("none" | "true") => String::new(),
        Some(list) => text(Path::new(list)).map_err(|error| Refused::new(no_list(error)))?,
    };
    let with_signals = |drawn: Drawn| {
        let position = match signals {
            None | Some("none") => drawn.position,
            Some("true") => drawn.position.with_true_signals(),
            Some(name) => {
                read::with_signals(drawn.position, &list).map_err(|error| refused(name, error))?
            }
        };
        Ok(Drawn { position, ..drawn })
    };
    drawn.into_iter().map(with_signals).collect()
}

/// The text of a file, or of standard input for `-`.
pub fn text(file: &Path) -> Result<String, Refused> {
    let text = if file.as_os_str() == "-" {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(file)
    };
    text.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => output::refused(file, "not UTF-8; expected a text"),
        _ => output::refused(file, error),
    })
}

fn picture(args: &Args, drawn: Drawn) -> Result<Picture, Refused> {
    let side = drawn.position.side();
    let mut marks = drawn.marks;
    marks.extend(named("mark", &args.mark, |name| {
        Coordinates::named(name, side)
    })?);
    let window = |name: &str| Window::named(name, side);
    let crop = named("crop", args.crop.as_slice(), window)?;
    Ok(Picture {
        marks,
        arrows: named("arrow", &args.arrow, |name| Arrow::named(name, side))?,
        crop: crop.first().copied(),
        omega: args.omega,
        missing: args.missing,
        title: args.title.clone(),
        width_mm: args.width,
        ..Picture::new(drawn.position)
    })
}

fn named<T>(
    option: &str,
    names: &[String],
    of_name: impl Fn(&str) -> Result<T, NoDrawing>,
) -> Result<Vec<T>, Refused> {
    let named =
        |name: &String| of_name(name).map_err(|error| Refused::new(format!("--{option}: {error}")));
    names.iter().map(named).collect()
}

fn drawing(args: &Args, pictures: &[Picture]) -> Result<String, Refused> {
    if args.plain {
        let texts: Vec<String> = pictures.iter().map(Picture::to_text).collect();
        return Ok(texts.join("\n"));
    }
    if let [picture] = pictures {
        return Ok(picture.to_svg());
    }
    let reason = if args.width.is_some() {
        "--width: a page of several boards is always 178 mm wide; expected no --width".to_owned()
    } else if pictures.len() > MOST {
        let found = pictures.len();
        format!(
            "a drawing of {found} boards; expected at most {MOST}: --symmetries shows one of each class"
        )
    } else {
        let boards = format!("{} boards", pictures.len());
        return Ok(sheet::sheet(
            args.title.as_deref().unwrap_or(&boards),
            pictures,
        ));
    };
    Err(Refused::new(reason))
}
