//! A drawing in text, one line for each row.

use super::{Drawn, ReadError};
use crate::drawing::coordinates::{Coordinates, column_name};
use crate::drawing::position::Position;
use crate::html::counted;

/// What a cell may be drawn as.
const ALLOWED: &str =
    "Q (a queen), 2 to 9 (so many queens), . (a free cell), × or x (a free cell, marked)";

/// A line that is not blank.
struct TextLine<'a> {
    number: usize,
    words: Vec<&'a str>,
}

/// The position of a drawing.
pub fn read(text: &str) -> Result<Drawn, ReadError> {
    let lines = text.lines().zip(1..).map(|(line, number)| TextLine {
        number,
        words: words(line),
    });
    let mut rows: Vec<TextLine> = lines.filter(|line| !line.words.is_empty()).collect();
    let columns = take_column_names(&mut rows);
    let side = rows.len();
    if side == 0 {
        return Err(ReadError::whole("no board; expected a line for each row"));
    }
    if let Some((number, names)) = columns
        && names != side
    {
        let reason = format!("{names} names of columns; expected {side}, as many as rows");
        return Err(ReadError::at(number, reason));
    }
    let labelled = have_numbers(&rows);
    let mut queens = Vec::with_capacity(side * side);
    let mut marks = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let cells = cells(row, side - y, labelled, side)?;
        for (x, (n_queens, is_marked)) in cells.into_iter().enumerate() {
            queens.push(n_queens);
            if is_marked {
                marks.push(Coordinates { x, y });
            }
        }
    }
    let position =
        Position::new(side, queens).map_err(|error| ReadError::whole(error.to_string()))?;
    Ok(Drawn { position, marks })
}

/// The words of a line, up to a remark.
fn words(line: &str) -> Vec<&str> {
    if line.trim_start().starts_with('#') {
        return Vec::new();
    }
    without_remark(line).split_whitespace().collect()
}

/// The line up to three or more spaces that come after a cell.
fn without_remark(line: &str) -> &str {
    let line = line.trim_end();
    let mut from = line.len() - line.trim_start().len();
    while let Some(gap) = line[from..].find("   ").map(|gap| from + gap) {
        let before = line[..gap].trim_start();
        // The number of a row may be followed by any number of spaces.
        if before.contains(|c: char| !c.is_ascii_digit()) {
            return &line[..gap];
        }
        from = line.len() - line[gap..].trim_start().len();
    }
    line
}

/// Takes the line with the names of the columns away: its number and how many they are.
fn take_column_names(rows: &mut Vec<TextLine>) -> Option<(usize, usize)> {
    let names = |line: &TextLine| {
        let letters = line.words.concat();
        let all: String = (0..line.words.len()).map(column_name).collect();
        let of_one_word: String = (0..letters.len()).map(column_name).collect();
        match line.words.len() {
            1 if letters == of_one_word => Some(letters.len()),
            n if letters == all => Some(n),
            _ => None,
        }
    };
    let last = rows.len().checked_sub(1)?;
    let at = [last, 0]
        .into_iter()
        .find(|&at| names(&rows[at]).is_some())?;
    let line = rows.remove(at);
    Some((line.number, names(&line)?))
}

/// Returns whether the rows begin with their numbers: digits and a space begin every row, and are
/// not among the cells of all of them.
fn have_numbers(rows: &[TextLine]) -> bool {
    let begins =
        |row: &TextLine| row.words.len() > 1 && row.words[0].bytes().all(|b| b.is_ascii_digit());
    let n_drawn = |row: &TextLine| {
        row.words
            .iter()
            .map(|word| word.chars().count())
            .sum::<usize>()
    };
    rows.iter().all(begins) && !rows.iter().all(|row| n_drawn(row) == rows.len())
}

/// Queens on a cell, and whether it is marked.
type Cell = (u8, bool);

fn cells(
    row: &TextLine,
    number: usize,
    labelled: bool,
    side: usize,
) -> Result<Vec<Cell>, ReadError> {
    let (label, words) = row.words.split_at(usize::from(labelled));
    if label
        .first()
        .is_some_and(|label| label.parse() != Ok(number))
    {
        let reason = format!("row {}; expected row {number}", label[0]);
        return Err(ReadError::at(row.number, reason));
    }
    let cell = |c: char| match c {
        '.' => Ok((0, false)),
        'Q' => Ok((1, false)),
        '2'..='9' => Ok((c as u8 - b'0', false)),
        '×' | 'x' => Ok((0, true)),
        _ => {
            let reason = format!("{:?} is no cell; expected {ALLOWED}", c.to_string());
            Err(ReadError::at(row.number, reason))
        }
    };
    let drawn = words.iter().flat_map(|word| word.chars());
    let cells = drawn.map(cell).collect::<Result<Vec<Cell>, ReadError>>()?;
    if cells.len() != side {
        let found = counted(cells.len(), "cell");
        let reason = format!("{found} in a row; expected {side}, as many as rows");
        return Err(ReadError::at(row.number, reason));
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURE_7: &str = "\
6  . . . . Q .
5  Q . . . . .
4  × Q . . . .      × the free cell of the triangle
3  . . . Q . .
2  . . . . . Q
1  . . Q . . .
   a b c d e f
";

    fn queens(text: &str) -> Vec<String> {
        let drawn = read(text).expect(text);
        let position = &drawn.position;
        let on = |cell: Coordinates| {
            let name = cell.name(position.side());
            (0..position.queens(cell)).map(move |_| name.clone())
        };
        position.cells().flat_map(on).collect()
    }

    #[test]
    fn the_same_position_with_and_without_names() {
        let cells = ["e6", "a5", "b4", "d3", "f2", "c1"];
        assert_eq!(queens(FIGURE_7), cells);
        let plain = "....Q.\nQ.....\nxQ....\n...Q..\n.....Q\n\n..Q...";
        for text in [
            plain.to_owned(),
            format!("abcdef\n{plain}\n"),
            format!("{}\n  a b c d e f\n\n", plain.replace('Q', " Q ")),
            plain.replace('\n', "\r\n"),
        ] {
            assert_eq!(queens(&text), cells);
            assert_eq!(
                read(&text).map(|drawn| drawn.marks),
                Ok(vec![Coordinates { x: 0, y: 2 }])
            );
        }
    }

    /// Rows of digits, with and without their numbers.
    #[test]
    fn several_queens_on_a_cell() {
        assert_eq!(queens("2 .\n. ."), ["a2", "a2"]);
        assert_eq!(queens("2.\n.."), ["a2", "a2"]);
        assert_eq!(queens("2  2 .\n1  3 ."), ["a2", "a2", "a1", "a1", "a1"]);
        assert_eq!(
            queens("2 2\n2 2"),
            ["a2", "a2", "b2", "b2", "a1", "a1", "b1", "b1"]
        );
        assert_eq!(queens("Q"), ["a1"]);
        assert_eq!(queens("1  Q"), ["a1"]);
        assert_eq!(queens("9"), ["a1"; 9]);
    }

    #[test]
    fn large_boards_have_long_names() {
        let side = 28;
        let mut text = String::new();
        for y in 0..side {
            let cells: Vec<&str> = (0..side).map(|x| if x == y { "Q" } else { "." }).collect();
            text += &format!("{:2}  {}\n", side - y, cells.join("  "));
        }
        let names: Vec<String> = (0..side).map(column_name).collect();
        text += &format!("    {}\n", names.join(" "));
        assert_eq!(queens(&text).len(), side);
        assert_eq!(queens(&text)[27], "ab1");
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let pieces = [
            "Q",
            ".",
            "2",
            "é",
            "   ",
            " ",
            "\n",
            "×",
            "a",
            "99999999999999999999",
            "\u{0}",
        ];
        for code in 0..pieces.len().pow(4) {
            let piece = |cell: u32| pieces[code / pieces.len().pow(cell) % pieces.len()];
            _ = read(&(0..4).map(piece).collect::<String>());
        }
        assert!(read(&format!("{}\n", ".".repeat(129)).repeat(129)).is_err());
    }
}
