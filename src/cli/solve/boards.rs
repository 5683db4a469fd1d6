//! Boards as text or for JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::cli::terminal;
use crate::cli::text::counted;
use crate::solver::exact::symmetry;

/// The boards of a run: shown as they are found, so that a search for all of them needs no memory
/// for them; or kept for JSON; or sorted into classes of turns and mirror images.
pub struct FoundBoards {
    queen: char,
    kept: Option<Vec<Vec<u32>>>,
    /// The boards if they are sorted: the first image in lexicographic order → boards found of its
    /// class.
    classes: Option<BTreeMap<Vec<usize>, u64>>,
    /// What went wrong first.
    written: io::Result<()>,
}

impl FoundBoards {
    pub fn new(queen: char, are_kept: bool, are_sorted: bool) -> Self {
        Self {
            queen,
            kept: are_kept.then(Vec::new),
            classes: are_sorted.then(BTreeMap::new),
            written: Ok(()),
        }
    }

    /// Takes a board that is found. The board seen by columns has the same images as seen by rows:
    /// one is the other's reflection in the main diagonal.
    pub fn found(&mut self, rows: &[u32]) {
        let Some(classes) = &mut self.classes else {
            return self.show(rows, "");
        };
        let board: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
        *classes.entry(symmetry::canonical(&board)).or_default() += 1;
    }

    /// Shows or keeps a board, with what is said of it.
    fn show(&mut self, rows: &[u32], said: &str) {
        match &mut self.kept {
            Some(kept) => kept.push(rows.to_vec()),
            None => self.write(&format!("{}{said}\n", framed(rows, self.queen))),
        }
    }

    /// Writes a text, unless that has failed before: a search cannot be told.
    pub fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = terminal::Out.write_all(text.as_bytes());
        }
    }

    /// One board of each class is shown at the end. Returns the boards that are kept, and the
    /// number of classes if they were sorted.
    pub fn end(mut self) -> io::Result<(Vec<Vec<u32>>, Option<usize>)> {
        let classes = self.classes.take();
        for ((board, boards), number) in classes.iter().flatten().zip(1..) {
            let rows: Vec<u32> = board.iter().map(|&row| row as u32).collect();
            let boards = counted(*boards, "board");
            self.show(&rows, &format!("fundamental solution {number}: {boards}\n"));
        }
        self.written?;
        Ok((self.kept.unwrap_or_default(), classes.map(|it| it.len())))
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
