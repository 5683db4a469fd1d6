//! Boards and facts as text, JSON or a drawing.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::frame::framed;
use crate::cli::output;
use crate::cli::text::grouped;
use crate::drawing::position::NoPosition;
use crate::drawing::{Picture, Position, sheet};
use crate::solver::exact::symmetry;
use crate::solver::goal::Goal;
use crate::solver::outcome::COLUMNS;
use crate::solver::{self, Algorithm, AxisValues, Ending, Job, Outcome, Point, Value};

/// How boards are shown.
pub enum Style {
    Text { queen: char },
    Json,
    Svg { file: PathBuf, force: bool },
}

/// What shows boards as they come, so that a search for all of them needs no memory for them; only
/// a drawing keeps them.
pub struct Showing {
    style: Style,
    out: Box<dyn Write + Send>,
    shown: u64,
    drawn: Vec<Vec<u32>>,
    /// The first thing that went wrong.
    error: Option<io::Error>,
}

impl Showing {
    pub fn new(style: Style, out: Box<dyn Write + Send>) -> Self {
        Self {
            style,
            out,
            shown: 0,
            drawn: Vec::new(),
            error: None,
        }
    }

    /// Shows a board, with a line below it unless that is empty.
    pub fn board(&mut self, rows: &[u32], line: &str) {
        if self.error.is_none() {
            self.error = self.write_board(rows, line).err();
        }
        self.shown += 1;
    }

    fn write_board(&mut self, rows: &[u32], line: &str) -> io::Result<()> {
        match &self.style {
            Style::Text { queen } => {
                self.out.write_all(framed(rows, *queen).as_bytes())?;
                if line.is_empty() {
                    writeln!(self.out)
                } else {
                    writeln!(self.out, "{line}\n")
                }
            }
            Style::Json => {
                let before = if self.shown == 0 {
                    "{\"boards\":["
                } else {
                    ","
                };
                write!(self.out, "{before}{}", serde_json::to_string(rows)?)
            }
            Style::Svg { .. } => {
                // One more than can be drawn is enough to know that they cannot.
                if self.drawn.len() <= sheet::MOST {
                    self.drawn.push(rows.to_vec());
                }
                Ok(())
            }
        }
    }

    /// Writes down a line of the search; only text has lines.
    pub fn line(&mut self, line: &str) {
        if self.error.is_none() {
            self.error = writeln!(self.out, "{line}").err();
        }
    }

    /// The facts, after all boards.
    ///
    /// # Errors
    /// What the output said to any of them; more boards than a drawing holds.
    pub fn finish(&mut self, facts: &Facts) -> anyhow::Result<()> {
        if let Some(error) = self.error.take() {
            return Err(error.into());
        }
        match &self.style {
            Style::Json => {
                let before = if self.shown == 0 { "{\"boards\":[" } else { "" };
                let facts = serde_json::to_string(facts)?;
                writeln!(self.out, "{before}],{}", &facts[1..])?;
            }
            Style::Text { .. } => writeln!(self.out, "{}", facts.in_words())?,
            Style::Svg { file, force } => {
                let words = facts.in_words();
                if self.drawn.is_empty() {
                    writeln!(self.out, "{words}\nno board to draw")?;
                } else {
                    let boards = self.drawn.iter().map(|rows| Position::of_rows(rows));
                    let pictures = boards.map(|board| Ok(Picture::new(board?)));
                    let pictures: Result<Vec<Picture>, NoPosition> = pictures.collect();
                    let svg = sheet::sheet(&words, &pictures?)?;
                    output::write(file, svg.as_bytes(), *force)?;
                    writeln!(self.out, "{words}\n{}", file.display())?;
                }
            }
        }
        Ok(self.out.flush()?)
    }
}

/// Boards sorted into classes of turns and mirror images.
#[derive(Default)]
pub struct Fundamental {
    /// The first image in lexicographic order → boards found of its class.
    classes: BTreeMap<Vec<usize>, u64>,
}

impl Fundamental {
    /// The board seen by columns has the same images as seen by rows: one is the other's reflection
    /// in the main diagonal.
    pub fn add(&mut self, rows: &[u32]) {
        let board: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
        *self.classes.entry(symmetry::canonical(&board)).or_default() += 1;
    }

    /// Shows one board of each class and returns their number.
    pub fn show(&self, showing: &mut Showing) -> u64 {
        for (class, (board, boards)) in self.classes.iter().enumerate() {
            let rows: Vec<u32> = board.iter().map(|&row| row as u32).collect();
            let noun = if *boards == 1 { "board" } else { "boards" };
            showing.board(
                &rows,
                &format!("fundamental solution {}: {boards} {noun}", class + 1),
            );
        }
        self.classes.len() as u64
    }
}

/// What a run has to tell besides its boards.
#[derive(Serialize)]
pub struct Facts {
    run: String,
    algorithm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(flatten, serialize_with = "axes")]
    values: AxisValues,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    trial: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<&'static str>,
    outcome: &'static str,
    cutoff: u64,
    #[serde(flatten, serialize_with = "counts")]
    found: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    fundamental_solutions: Option<u64>,
    /// What is found where there is no board.
    #[serde(skip_serializing_if = "Option::is_none")]
    factors: Option<Box<[u32]>>,
    /// One unit of time.
    #[serde(skip)]
    unit: &'static str,
    /// Every trial of the algorithm starts with the queens in a solution, so that no time until the
    /// first one is measured.
    #[serde(skip)]
    starts_solved: bool,
}

/// The value on each axis, under the axis' name.
fn axes<S: Serializer>(values: &AxisValues, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(values.count()))?;
    for (name, value) in values.by_column() {
        match value {
            Value::Integer(value) => map.serialize_entry(name, &value)?,
            Value::Real(value) => map.serialize_entry(name, &value)?,
        }
    }
    map.end()
}

/// The numbers that the outcome has, each under its column's name.
fn counts<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    let counts = COLUMNS
        .iter()
        .filter_map(|column| Some((column.name, column.count(outcome)?)));
    serializer.collect_map(counts)
}

impl Facts {
    pub fn new(
        job: &Job,
        trial: Option<u32>,
        outcome: &Outcome,
        fundamental_solutions: Option<u64>,
    ) -> Self {
        let point = job.point;
        let algorithm = solver::algorithm(point.algorithm);
        let is_random = algorithm.is_some_and(|algorithm| algorithm.is_random(&point.variant));
        let units = algorithm.map_or("updates", |algorithm| algorithm.cutoff_unit());
        let factors = outcome.solution.clone().filter(|_| !has_board(point));
        Self {
            run: point.to_string(),
            algorithm: point.algorithm,
            values: point.values.clone(),
            variant: Some(point.variant.clone()).filter(|variant| !variant.is_empty()),
            seed: is_random.then_some(job.seed),
            trial,
            goal: point.goal.map(Goal::name),
            outcome: outcome.ending.name(),
            cutoff: job.cutoff,
            found: outcome.clone(),
            fundamental_solutions,
            factors,
            unit: units.trim_end_matches('s'),
            starts_solved: algorithm.is_some_and(starts_solved),
        }
    }

    /// `Found 92 solutions` and what it took.
    fn in_words(&self) -> String {
        let found = match (self.found.solutions, self.fundamental_solutions) {
            (None, _) => self.local_in_words(),
            (Some(boards), None) => format!("Found {}", counted(boards, "solution")),
            (Some(boards), Some(classes)) => format!(
                "Found {}, {}",
                counted(boards, "solution"),
                counted(classes, "fundamental solution")
            ),
        };
        let counts = [
            (self.found.checks, "check"),
            (self.found.nodes, "node"),
            (self.found.failures, "failure"),
        ];
        let work: Vec<String> = counts
            .into_iter()
            .filter_map(|(count, noun)| count.map(|count| counted(count, noun)))
            .collect();
        let cut = if self.found.solutions.is_some() && self.found.ending == Ending::Censored {
            ", cut off: there may be more"
        } else {
            ""
        };
        let work = if work.is_empty() {
            String::new()
        } else {
            format!(": {}", work.join(", "))
        };
        let seed = self
            .seed
            .filter(|_| self.found.solutions.is_some())
            .map_or_else(String::new, |seed| format!("; seed {seed}{}", self.trial()));
        format!("{found}{cut} ({}{work}{seed})", self.run)
    }

    /// `, trial 17`, where it was asked for.
    fn trial(&self) -> String {
        let trial = self.trial.map(|trial| format!(", trial {trial}"));
        trial.unwrap_or_default()
    }

    fn local_in_words(&self) -> String {
        let seed = format!("{}{}", self.seed.unwrap_or_default(), self.trial());
        let moves = self.found.moves.map(|moves| counted(moves, "move"));
        let moves = moves.map_or_else(String::new, |moves| format!(" and {moves}"));
        let hit = match (self.found.hitting_time, self.found.moves_at_hit) {
            (time, _) if self.starts_solved || time == Some(0) => {
                "started in a solution".to_owned()
            }
            (Some(time), Some(moves)) => format!(
                "first a solution at {} {} after {}",
                self.unit,
                grouped(time.into()),
                counted(moves, "move")
            ),
            _ => "never a solution".into(),
        };
        let product = self.factors.as_ref().map_or_else(String::new, |factors| {
            let factors: Vec<String> = factors.iter().map(u32::to_string).collect();
            format!("{}: ", factors.join(" · "))
        });
        match self.found.absorption_time {
            Some(time) => format!(
                "{product}Absorbed after {}{moves}; {hit}; seed {seed}",
                counted(time, self.unit)
            ),
            None => format!(
                "Cut off after {}{moves}; {hit}; seed {seed}",
                counted(self.cutoff, self.unit)
            ),
        }
    }
}

/// Whether the algorithm measures the time until the signals are true, and none until the first
/// solution.
fn starts_solved(algorithm: &dyn Algorithm) -> bool {
    let has = |name: &str| algorithm.columns().iter().any(|it| it.name == name);
    has("absorption_time") && !has("hitting_time")
}

/// Whether a solution is a board. Without n it is a product's factors.
pub fn has_board(point: &Point) -> bool {
    point.integer("n").is_some()
}

fn counted(count: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(count.into()),
        if count == 1 { "" } else { "s" }
    )
}
