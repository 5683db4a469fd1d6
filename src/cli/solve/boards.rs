//! Boards as text or for JSON.

use std::io::{self, Write};

use crate::cli::terminal;

/// The boards of a run: shown as they are found, so that a search for all of them needs no memory
/// for them, or kept for JSON.
pub struct FoundBoards {
    kept: Option<Vec<Vec<u32>>>,
    /// What went wrong first.
    written: io::Result<()>,
}

impl FoundBoards {
    pub fn new(are_kept: bool) -> Self {
        Self {
            kept: are_kept.then(Vec::new),
            written: Ok(()),
        }
    }

    /// Shows or keeps a board; writes nothing once that has failed: a search cannot be told.
    pub fn found(&mut self, rows: &[u32]) {
        match &mut self.kept {
            Some(kept) => kept.push(rows.to_vec()),
            None if self.written.is_ok() => {
                self.written = writeln!(terminal::Out, "{}", framed(rows));
            }
            None => {}
        }
    }

    /// The boards that are kept.
    pub fn end(self) -> io::Result<Vec<Vec<u32>>> {
        self.written?;
        Ok(self.kept.unwrap_or_default())
    }
}

/// A board in the style of the source texts, every queen in its frame: its first row on top; `rows`
/// is the row of the queen in each column.
fn framed(rows: &[u32]) -> String {
    let separator = "+---".repeat(rows.len()) + "+\n";
    let mut text = String::new();
    for row in 0..rows.len() as u32 {
        text += &separator;
        for &at in rows {
            let content = if at == row { '♛' } else { ' ' };
            text.extend(['|', ' ', content, ' ']);
        }
        text += "|\n";
    }
    text + &separator
}
