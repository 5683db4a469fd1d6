//! `--start` and `--signals`: a run from a position of the user's.

use std::fs;
use std::path::{Path, PathBuf};

use super::BadInput;
use super::asked::PointArgs;
use crate::drawing::position::Position;
use crate::drawing::read;
use crate::solver::Point;
use crate::solver::board::N_MAX;
use crate::solver::local::configuration::Configuration;
use crate::solver::local::watch::{self, Watch};

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
    ///
    /// # Errors
    /// For what is no drawing.
    pub fn with_side(&self, asked: &PointArgs) -> Result<PointArgs, BadInput> {
        let mut asked = asked.clone();
        if let (Some(file), None) = (&self.start, asked.n) {
            asked.n = Some(drawing(file)?.side() as u64);
        }
        Ok(asked)
    }

    /// How a trial at `point` begins in the position, if one is given.
    ///
    /// # Errors
    /// For what is no drawing or no list of signals, for a board of another side or another number
    /// of queens than n, and for an algorithm that is no local rule.
    pub fn of(&self, point: &Point) -> Result<Option<(Watch, Configuration)>, BadInput> {
        let Some(file) = &self.start else {
            return Ok(None);
        };
        let watch = watch::of(point.algorithm).ok_or_else(|| {
            BadInput(format!(
                "--start: {} begins with no position; allowed with {}",
                point.algorithm,
                watch::names().collect::<Vec<_>>().join(", ")
            ))
        })?;
        let position = self.with_signals(drawing(file)?)?;
        let (name, side) = (file.display(), position.side());
        let n = point.integer("n").unwrap_or_default();
        if side as u64 != n {
            return Err(BadInput(format!(
                "{name}: a board of side {side}, and --n {n}; allowed is the same, or no --n"
            )));
        }
        let queens = position.n_queens();
        if queens != side {
            let noun = if queens == 1 { "queen" } else { "queens" };
            return Err(BadInput(format!(
                "{name}: {queens} {noun} on a board of side {side}; a run needs {side}, as many as \
                 the board has rows"
            )));
        }
        let start = position.configuration();
        let start = start.ok_or_else(|| {
            BadInput(format!(
                "{name}: a board of side {side}; a run allows 1 to {N_MAX}"
            ))
        })?;
        Ok(Some((watch, start)))
    }

    fn with_signals(&self, position: Position) -> Result<Position, BadInput> {
        match self.signals.as_deref() {
            None | Some("none") => Ok(position),
            Some("true") => Ok(position.with_true_signals()),
            Some(file) => {
                let text = text(Path::new(file)).map_err(|BadInput(reason)| {
                    BadInput(format!(
                        "--signals {reason}; allowed are true, none and a file"
                    ))
                })?;
                let signals = read::signals(&text, position.side())
                    .map_err(|error| BadInput(error.in_file(file)))?;
                let position = position.with_signals(signals);
                position.map_err(|error| BadInput(format!("{file}: {error}")))
            }
        }
    }
}

/// The one position of a file.
fn drawing(file: &Path) -> Result<Position, BadInput> {
    let drawn = read::position(&text(file)?);
    let drawn = drawn.map_err(|error| BadInput(error.in_file(&file.display().to_string())))?;
    Ok(drawn.position)
}

fn text(file: &Path) -> Result<String, BadInput> {
    fs::read_to_string(file).map_err(|error| BadInput(format!("{}: {error}", file.display())))
}
