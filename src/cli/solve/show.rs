//! Boards and facts as text, JSON or a drawing.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write};

use itertools::Itertools;
use serde_json::{Value, json};

use crate::cli::terminal;
use crate::cli::text::{counted, ending};
use crate::html;
use crate::solver::exact::symmetry;
use crate::solver::outcome::COLUMNS;
use crate::solver::{Algorithm, Ending, Outcome, Point};

/// What shows boards as they come, so that a search for all of them needs no memory for them; or
/// sorts them into classes of turns and mirror images.
pub struct Showing {
    /// How a queen is drawn; `None`: boards are shown as JSON.
    queen: Option<char>,
    out: BufWriter<Stdout>,
    shown: u64,
    /// What went wrong first.
    written: io::Result<()>,
    /// The boards if they are sorted: the first image in lexicographic order → boards found of its
    /// class.
    classes: Option<BTreeMap<Vec<usize>, u64>>,
}

impl Showing {
    pub fn new(queen: Option<char>, symmetries: bool) -> Self {
        let mut showing = Self {
            queen,
            out: BufWriter::new(io::stdout()),
            shown: 0,
            written: Ok(()),
            classes: symmetries.then(BTreeMap::new),
        };
        if queen.is_none() {
            showing.write("{\"boards\":[");
        }
        showing
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

    /// Shows a board, with what is said of it.
    fn board(&mut self, rows: &[u32], said: &str) {
        let text = match (self.queen, self.shown) {
            (Some(queen), _) => format!("{}{said}\n", framed(rows, queen)),
            (None, 0) => html::json(&rows),
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

    /// The board that a trial ended with, one board of each class, and the facts.
    pub fn finish(&mut self, facts: &TrialFacts) -> io::Result<()> {
        if let Some(board) = facts.found.solution.as_ref().filter(|_| facts.has_board()) {
            self.found(board);
        }
        let classes = self.classes.take();
        for ((board, boards), number) in classes.iter().flatten().zip(1..) {
            let rows: Vec<u32> = board.iter().map(|&row| row as u32).collect();
            let boards = counted(*boards, "board");
            self.board(&rows, &format!("fundamental solution {number}: {boards}\n"));
        }
        let classes = classes.map(|it| it.len() as u64);
        let text = match self.queen {
            Some(_) => facts.in_words(classes),
            None => format!("],{}", &facts.as_json(classes).to_string()[1..]),
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
pub struct TrialFacts<'a> {
    pub point: &'a Point,
    pub seed: u64,
    pub cutoff: u64,
    pub algorithm: &'static Algorithm,
    /// The number of the trial, if it was asked for.
    pub trial: Option<u32>,
    pub found: &'a Outcome,
}

impl TrialFacts<'_> {
    /// True if a solution is a board. Without n it is a product's factors.
    fn has_board(&self) -> bool {
        self.point.integer("n").is_some()
    }

    /// The seed of a run that draws.
    fn seed(&self) -> Option<u64> {
        let is_random = self.algorithm.is_random(&self.point.variant);
        is_random.then_some(self.seed)
    }

    /// What is found where there is no board, in order.
    fn factors(&self) -> Option<Vec<u32>> {
        let found = self.found.solution.as_ref();
        let mut factors = found.filter(|_| !self.has_board())?.to_vec();
        factors.sort_unstable();
        Some(factors)
    }

    /// The facts for programs: the value on each axis under its name, and the numbers that the
    /// outcome has, each under its column's.
    fn as_json(&self, classes: Option<u64>) -> Value {
        let point = self.point;
        let mut json = json!({
            "run": point.to_string(),
            "algorithm": self.algorithm.name,
            "variant": point.variant,
            "goal": point.goal,
            // A text: programs read numbers above 2⁵³ as others.
            "seed": self.seed().map(|seed| seed.to_string()),
            "trial": self.seed().map(|_| self.trial.unwrap_or(0)),
            "outcome": self.found.ending.name(),
            // Null where there is none.
            "cutoff": Some(self.cutoff).filter(|cutoff| *cutoff < u64::MAX),
            "fundamental_solutions": classes,
            "factors": self.factors(),
        });
        for (name, value) in point.axes.by_column() {
            json[name] = json!(value);
        }
        for column in COLUMNS {
            if let Some(count) = column.count(self.found) {
                json[column.name] = count.into();
            }
        }
        json
    }

    /// `Found 92 solutions` and what it took, or how the trial of what is no search ended.
    fn in_words(&self, classes: Option<u64>) -> String {
        let (found, point) = (self.found, self.point);
        let mut seed = String::new();
        if let Some(drawn) = self.seed() {
            let trial = self.trial.map(|trial| format!(", trial {trial}"));
            seed = format!("; seed {drawn}{}", trial.unwrap_or_default());
        }
        let Some(boards) = found.solutions else {
            let mut factors = self.factors().iter().flatten().join(" · ");
            if !factors.is_empty() {
                factors += ": ";
            }
            let ending = ending(self.algorithm, self.cutoff, found);
            return format!("{factors}{ending}{seed} ({point})");
        };
        let mut said = format!("Found {}", counted(boards, "solution"));
        if let Some(classes) = classes {
            said += &format!(", {}", counted(classes, "fundamental solution"));
        }
        if found.ending == Ending::Censored {
            said += ", cut off: there may be more";
        }
        let work = [
            (found.checks, "check"),
            (found.nodes, "node"),
            (found.failures, "failure"),
        ]
        .into_iter()
        .filter_map(|(count, noun)| Some(counted(count?, noun)))
        .join(", ");
        let colon = if work.is_empty() { "" } else { ": " };
        format!("{said} ({point}{colon}{work}{seed})")
    }
}
