//! `--start` and `--signals`: a run from a position of the user's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::asked::PointArgs;
use super::text::counted;
use super::{Refused, output};
use crate::drawing::position::Position;
use crate::drawing::read;
use crate::solver::Point;
use crate::solver::board::N_MAX;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::local::rules::Registered;

#[derive(Debug, Clone, clap::Args)]
pub struct StartArgs {
    /// Begin with this position in place of random cells (local rules): a drawing as `reines
    /// board` reads it
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// The signals of --start: true, none or a file that lists them (`a4 N NE`) [default: none]
    #[arg(long, value_name = "KIND|FILE", requires = "start")]
    pub signals: Option<String>,
}

impl StartArgs {
    /// The options of the point, with the side of the drawing in the place of a missing `--n`.
    pub fn with_side(&self, asked: &PointArgs) -> Result<PointArgs, Refused> {
        let mut asked = asked.clone();
        if let (Some(file), None) = (&self.start, asked.n) {
            asked.n = Some(drawing(file)?.side() as u64);
        }
        Ok(asked)
    }

    /// How a trial at `point` begins in the position, if one is given.
    pub fn of(
        &self,
        point: &Point,
    ) -> Result<Option<(&'static Registered, Configuration)>, Refused> {
        let Some(file) = &self.start else {
            return Ok(None);
        };
        let rule = local::rule(&point.algorithm).ok_or_else(|| {
            Refused::new(format!(
                "--start: {} begins with no position; allowed with {}",
                point.algorithm,
                local::names().collect::<Vec<_>>().join(", ")
            ))
        })?;
        let signals = Signals::read(self.signals.as_deref())?;
        let position = signals.on(drawing(file)?)?;
        let (side, queens) = (position.side(), position.n_queens());
        let n = point.integer("n").unwrap_or_default();
        let board = format!("a board of side {side}");
        let reason = if side as u64 != n {
            format!("{board}, and --n {n}; allowed is the same, or no --n")
        } else if queens != side {
            let queens = counted(queens as u64, "queen");
            format!("{queens} on {board}; a run needs {side}, as many as the board has rows")
        } else if let Some(start) = position.configuration() {
            return Ok(Some((rule, start)));
        } else {
            format!("{board}; a run allows 1 to {N_MAX}")
        };
        Err(output::refused(file, reason))
    }
}

/// The signals of a position.
pub enum Signals {
    None,
    /// Those that are true.
    True,
    /// A list, and the name of its file.
    Listed(String, String),
}

impl Signals {
    pub fn read(given: Option<&str>) -> Result<Self, Refused> {
        match given {
            None | Some("none") => Ok(Self::None),
            Some("true") => Ok(Self::True),
            Some(file) => match text(Path::new(file)) {
                Ok(text) => Ok(Self::Listed(file.to_owned(), text)),
                Err(error) => Err(Refused::new(format!(
                    "--signals {error}; allowed are true, none and a file"
                ))),
            },
        }
    }

    pub fn on(&self, position: Position) -> Result<Position, Refused> {
        match self {
            Self::None => Ok(position),
            Self::True => Ok(position.with_true_signals()),
            Self::Listed(file, text) => {
                let signals = read::signals(text, position.side());
                let signals = signals.map_err(|error| Refused::new(error.in_file(file)))?;
                let position = position.with_signals(signals);
                position.map_err(|error| Refused::of_file(file, error.to_string()))
            }
        }
    }
}

fn drawing(file: &Path) -> Result<Position, Refused> {
    let drawn = read::position(&text(file)?);
    let drawn = drawn.map_err(|error| Refused::new(error.in_file(&file.display().to_string())))?;
    Ok(drawn.position)
}

/// The text of a file, or of standard input for `-`.
pub fn text(file: &Path) -> Result<String, Refused> {
    let text = if file.as_os_str() == "-" {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(file)
    };
    text.map_err(|error| output::refused(file, error))
}
