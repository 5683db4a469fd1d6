//! A position from text. Its characters (`Q`, digits, `.`), names of rows and columns that are
//! passed over, and the messages are here.

use super::position::Position;
use crate::html::counted;
use crate::solver::board::N_MAX;

/// The position of a grid in text, which lies in the file `name`: a line for each row from the
/// north, a character for each cell. `Q` is a queen, a digit from 2 to 9 so many queens, `.` a free
/// cell. Blank lines, and spaces between the cells, are left out.
///
/// # Errors
/// For anything else: `name:line: reason`.
pub fn position(name: &str, text: &str) -> Result<Position, String> {
    let lines = text.lines().zip(1..);
    let rows: Vec<(&str, usize)> = lines.filter(|(line, _)| !line.trim().is_empty()).collect();
    let side = rows.len();
    if !(1..=N_MAX).contains(&side) {
        let found = counted(side, "row");
        return Err(format!(
            "{name}: {found}; expected 1 to {N_MAX} rows, a line for each"
        ));
    }
    let mut queens = Vec::new();
    for (row, number) in rows {
        let before = queens.len();
        for cell in row.chars().filter(|cell| !cell.is_whitespace()) {
            queens.push(match cell {
                '.' => 0,
                'Q' => 1,
                '2'..='9' => cell as u8 - b'0',
                _ => {
                    let cell = cell.to_string();
                    return Err(format!(
                        "{name}:{number}: {cell:?} is no cell; expected Q (a queen), 2 to 9 (so many \
                         queens) or . (a free cell)"
                    ));
                }
            });
        }
        let n_cells = queens.len() - before;
        if n_cells != side {
            let cells = counted(n_cells, "cell");
            return Err(format!(
                "{name}:{number}: {cells} in a row; expected {side}, as many as rows"
            ));
        }
    }
    Ok(Position::of_queens(side, &queens))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_the_same_with_and_without_spaces() {
        let plain = "....Q.\nQ.....\n.3....\n...Q..\n.....Q\n\n..Q...";
        let queens = |text: &str| {
            let position = position("a.txt", text).expect(text);
            let name = |cell| position.queens(cell).to_string();
            position.cells().map(name).collect::<String>()
        };
        let cells = "000010100000030000000100000001001000";
        for text in [
            plain.to_owned(),
            plain.replace('.', " . "),
            plain.replace('\n', "\r\n"),
        ] {
            assert_eq!(queens(&text), cells);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let pieces = ["Q", ".", "2", "é", "   ", "\n", "×", "a", "1", "\u{0}"];
        for code in 0..pieces.len().pow(4) {
            let piece = |cell: u32| pieces[code / pieces.len().pow(cell) % pieces.len()];
            _ = position("a.txt", &(0..4).map(piece).collect::<String>());
        }
        let large = format!("{}\n", ".".repeat(129)).repeat(129);
        assert!(position("a.txt", &large).is_err());
    }
}
