//! Boards and facts as text, JSON or a drawing.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write};

use serde_json::{Value, json};

use crate::cli::terminal::{self, json_of};
use crate::cli::text::{counted, spaced};
use crate::html;
use crate::solver::exact::symmetry;
use crate::solver::goal::Goal;
use crate::solver::outcome::COLUMNS;
use crate::solver::{Algorithm, Ending, Job, Outcome, Point};

/// What shows boards as they come, so that a search for all of them needs no memory for them; or
/// sorts them into classes of turns and mirror images.
pub struct Showing {
    /// How a queen is drawn; `None`: boards are shown as JSON.
    queen: Option<char>,
    out: BufWriter<Stdout>,
    shown: u64,
    /// What went wrong first.
    written: io::Result<()>,
    /// Where boards are sorted: the first image in lexicographic order → boards found of its class.
    classes: Option<BTreeMap<Vec<usize>, u64>>,
}

impl Showing {
    pub fn new(queen: Option<char>, symmetries: bool) -> Self {
        Self {
            queen,
            out: BufWriter::new(io::stdout()),
            shown: 0,
            written: Ok(()),
            classes: symmetries.then(BTreeMap::new),
        }
    }

    /// Shows a board that is found, or sorts it. The board seen by columns has the same images as
    /// seen by rows: one is the other's reflection in the main diagonal.
    pub fn found(&mut self, rows: &[u32]) {
        let Some(classes) = &mut self.classes else {
            return self.board(rows, "");
        };
        let board: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
        *classes.entry(symmetry::canonical(&board)).or_default() += 1;
    }

    /// Shows one board of each class and returns their number.
    pub fn classes(&mut self) -> Option<u64> {
        let classes = self.classes.take()?;
        for (class, (board, boards)) in classes.iter().enumerate() {
            let rows: Vec<u32> = board.iter().map(|&row| row as u32).collect();
            let (number, boards) = (class + 1, counted(*boards, "board"));
            self.board(&rows, &format!("fundamental solution {number}: {boards}"));
        }
        Some(classes.len() as u64)
    }

    /// Shows a board, with a line below it unless that is empty.
    fn board(&mut self, rows: &[u32], line: &str) {
        let end = if line.is_empty() { "" } else { "\n" };
        let text = match (self.queen, self.shown) {
            (Some(queen), _) => format!("{}{line}{end}\n", framed(rows, queen)),
            (None, 0) => format!("{{\"boards\":[{}", html::json(&rows)),
            (None, _) => format!(",{}", html::json(&rows)),
        };
        self.write(&text);
        self.shown += 1;
    }

    /// Writes a text, unless that has failed before: a search cannot be told.
    pub fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.out.write_all(text.as_bytes());
        }
    }

    /// The facts, after all boards.
    pub fn finish(&mut self, facts: &Facts) -> io::Result<()> {
        let text = match (self.queen, self.shown) {
            (Some(_), _) => facts.in_words(),
            (None, 0) => format!("{{\"boards\":[],{}", &facts.as_json().to_string()[1..]),
            (None, _) => format!("],{}", &facts.as_json().to_string()[1..]),
        };
        self.write(&(text + "\n"));
        let written = std::mem::replace(&mut self.written, Ok(()));
        terminal::open(written.and_then(|()| self.out.flush()))
    }
}

/// A board in the style of the source texts, every queen in its frame: its first row on top; `rows`
/// is the row of the queen in each column.
fn framed(rows: &[u32], queen: char) -> String {
    let separator = "+---".repeat(rows.len()) + "+\n";
    let mut text = String::new();
    for row in 0..rows.len() as u32 {
        text += &separator;
        for &at in rows {
            let content = if at == row { queen } else { ' ' };
            text.extend(['|', ' ', content, ' ']);
        }
        text += "|\n";
    }
    text + &separator
}

/// What a run has to tell besides its boards.
pub struct Facts<'a> {
    pub job: &'a Job<'a>,
    pub algorithm: &'static dyn Algorithm,
    /// Where it was asked for.
    pub trial: Option<u32>,
    pub found: &'a Outcome,
    pub fundamental_solutions: Option<u64>,
}

impl Facts<'_> {
    /// Of a run that draws.
    fn seed(&self) -> Option<u64> {
        let is_random = self.algorithm.is_random(&self.job.point.variant);
        is_random.then_some(self.job.seed)
    }

    /// What is found where there is no board, in order.
    fn factors(&self) -> Option<Vec<u32>> {
        let found = self.found.solution.as_ref();
        let mut factors = found.filter(|_| !has_board(self.job.point))?.to_vec();
        factors.sort_unstable();
        Some(factors)
    }

    /// For programs: the value on each axis under its name, and the numbers that the outcome has,
    /// each under its column's.
    fn as_json(&self) -> Value {
        let point = self.job.point;
        let mut json = json!({
            "run": point.to_string(),
            "algorithm": self.algorithm.name(),
            "variant": point.variant,
            "goal": point.goal.map(Goal::name),
            "seed": self.seed(),
            "trial": self.trial,
            "outcome": self.found.ending.name(),
            "cutoff": self.job.cutoff,
            "fundamental_solutions": self.fundamental_solutions,
            "factors": self.factors(),
        });
        for (name, value) in point.axes.by_column() {
            json[name] = json_of(value);
        }
        for column in COLUMNS {
            if let Some(count) = column.count(self.found) {
                json[column.name] = count.into();
            }
        }
        json
    }

    /// `Found 92 solutions` and what it took.
    fn in_words(&self) -> String {
        let counts = [
            (self.found.checks, "check"),
            (self.found.nodes, "node"),
            (self.found.failures, "failure"),
        ];
        let counts = counts.into_iter();
        let work = counts.filter_map(|(count, noun)| Some(counted(count?, noun)));
        let work: Vec<String> = work.collect();
        let work = match work.as_slice() {
            [] => String::new(),
            work => format!(": {}", work.join(", ")),
        };
        // The trial where it was asked for.
        let trial = self.trial.map(|trial| format!(", trial {trial}"));
        let seed = self.seed().map(|seed| format!("; seed {seed}"));
        let seed = seed.map_or_else(String::new, |seed| seed + &trial.unwrap_or_default());
        let Some(boards) = self.found.solutions else {
            let found = self.local_in_words();
            return format!("{found}{seed} ({}{work})", self.job.point);
        };
        let classes = self.fundamental_solutions;
        let classes = classes.map(|it| format!(", {}", counted(it, "fundamental solution")));
        let (found, classes) = (counted(boards, "solution"), classes.unwrap_or_default());
        let cut = match self.found.ending {
            Ending::Censored => ", cut off: there may be more",
            _ => "",
        };
        format!(
            "Found {found}{classes}{cut} ({}{work}{seed})",
            self.job.point
        )
    }

    fn local_in_words(&self) -> String {
        let unit = self.algorithm.cutoff_unit().trim_end_matches('s');
        let moves = self.found.moves.map(|moves| counted(moves, "move"));
        let moves = moves.map_or_else(String::new, |moves| format!(" and {moves}"));
        let hit = match (self.found.hitting_time, self.found.moves_at_hit) {
            (time, _) if starts_solved(self.algorithm) || time == Some(0) => {
                "started in a solution".to_owned()
            }
            (Some(time), Some(moves)) => {
                let (time, moves) = (spaced(time), counted(moves, "move"));
                format!("first a solution at {unit} {time} after {moves}")
            }
            _ => "never a solution".into(),
        };
        let product = self.factors().map_or_else(String::new, |factors| {
            let factors: Vec<String> = factors.iter().map(u32::to_string).collect();
            format!("{}: ", factors.join(" · "))
        });
        let (end, time) = match self.found.absorption_time {
            Some(time) => (format!("{product}Absorbed"), time),
            None => ("Cut off".to_owned(), self.job.cutoff),
        };
        format!("{end} after {}{moves}; {hit}", counted(time, unit))
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
