//! A board in the style of the source texts: every queen in its frame.

/// The board, its first row on top; `rows` is the row of the queen in each column.
pub fn framed(rows: &[u32], queen: char) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The last board that the source text prints, ♛ in the columns 7 3 0 2 5 1 6 4 of its rows;
    /// its first three lines to the letter.
    #[test]
    fn the_board_of_the_text() {
        let text = framed(&[2, 5, 3, 1, 7, 4, 6, 0], '♛');
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 17);
        assert_eq!(lines[0], "+---+---+---+---+---+---+---+---+");
        assert_eq!(lines[1], "|   |   |   |   |   |   |   | ♛ |");
        assert_eq!(lines[3], "|   |   |   | ♛ |   |   |   |   |");
        assert_eq!(lines[15], "|   |   |   |   | ♛ |   |   |   |");
        assert_eq!(framed(&[0], 'Q'), "+---+\n| Q |\n+---+\n");
    }
}
