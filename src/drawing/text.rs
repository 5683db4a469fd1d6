//! A picture as text. The characters of queens and free cells, the names beside the board, and the
//! lines on arrows and signals, are here.

use super::coordinates::{Coordinates, column_name};
use super::picture::Picture;
use super::position::Position;

impl Picture {
    /// The drawing as text: rows and columns with their names, then arrows and signals in words.
    pub fn to_text(&self) -> String {
        let position = &self.position;
        let side = position.side();
        let mut text = rows(position);
        let name = |cell: Coordinates| cell.name(side);
        let arrows = self.arrows.iter();
        let arrows = arrows.map(|arrow| format!("{}-{}", name(arrow.from), name(arrow.to)));
        let threatened = position.cells().filter(|&cell| position.threatened(cell));
        let lists: [(&str, Vec<String>); 2] = [
            ("arrows", arrows.collect()),
            ("threatened", threatened.map(name).collect()),
        ];
        for (what, words) in lists.iter().filter(|(_, words)| !words.is_empty()) {
            text += &format!("# {what}: {}\n", words.join(" "));
        }
        let titles = ["true signals", "false signals"];
        let shown = if position.has_signals() { 2 } else { 0 };
        for (index, title) in titles.into_iter().enumerate().take(shown) {
            let mut lines = String::new();
            for cell in position.cells() {
                let signals = position.signals_by_truth(cell)[index].iter();
                let words: String = signals.map(|d| format!(" {d:?}")).collect();
                if !words.is_empty() {
                    lines += &format!("# {}{words}\n", cell.name(side));
                }
            }
            if !lines.is_empty() {
                text += &format!("# {title}:\n{lines}");
            }
        }
        text
    }
}

/// Returns the width of the widest of these.
fn width<'a>(words: impl Iterator<Item = &'a String>) -> usize {
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

/// The board in characters, with the names of rows and columns.
fn rows(position: &Position) -> String {
    let side = position.side();
    let word = |cell: Coordinates| match position.queens(cell) {
        0 => ".".to_owned(),
        1 => "Q".to_owned(),
        n => n.to_string(),
    };
    let numbers: Vec<String> = (1..=side).rev().map(|row| row.to_string()).collect();
    let names: Vec<String> = (0..side).map(column_name).collect();
    let words: Vec<String> = position.cells().map(word).collect();
    let left = width(numbers.iter());
    let cell = width(names.iter().chain(&words));
    let line = |number: &str, words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| format!("{word:<cell$}")).collect();
        let line = format!("{number:>left$}  {}", words.join(" "));
        format!("{}\n", line.trim_end())
    };
    let rows = numbers.iter().zip(words.chunks(side));
    let rows: String = rows.map(|(number, words)| line(number, words)).collect();
    rows + &line("", &names)
}
