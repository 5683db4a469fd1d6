//! The boards in the JSON of `reines solve`.

use serde_json::Value;

use super::{Drawn, ReadError};
use crate::drawing::position::Position;

/// One position for each board of `{"boards": [[the row of the queen in each column], …], …}`.
pub fn read(text: &str) -> Result<Vec<Drawn>, ReadError> {
    let json: Value = serde_json::from_str(text)
        .map_err(|error| ReadError::at(error.line(), format!("no JSON: {error}")))?;
    let boards = json.get("boards").and_then(Value::as_array);
    let boards = boards.ok_or_else(|| {
        ReadError::whole("no list \"boards\", as `reines solve --json` writes it")
    })?;
    if boards.is_empty() {
        return Err(ReadError::whole("no board in the list \"boards\""));
    }
    let board = |(board, number): (&Value, usize)| {
        let position = position(board).map_err(|reason| {
            ReadError::whole(format!("board {number} of \"boards\": {reason}"))
        })?;
        Ok(Drawn {
            position,
            marks: Vec::new(),
        })
    };
    boards.iter().zip(1..).map(board).collect()
}

fn position(board: &Value) -> Result<Position, String> {
    let row = |row: &Value| {
        let number = row.as_u64().and_then(|row| u32::try_from(row).ok());
        number.ok_or_else(|| format!("{row} is no row; allowed are integers from 0"))
    };
    let rows = board.as_array().ok_or("no list of rows")?;
    let rows: Result<Vec<u32>, String> = rows.iter().map(row).collect();
    Position::of_rows(&rows?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use crate::drawing::read::{position, positions};

    #[test]
    fn rows_of_columns_are_read() {
        let text = " {\"boards\":[[1,3,0,2],[2,0,3,1]],\"run\":\"bitboard n=4\"}\n";
        let found = positions(text).expect("two boards");
        let queens = |index: usize| {
            let position = &found[index].position;
            let cells = position
                .places()
                .filter(|&place| position.queens(place) == 1);
            cells.map(|place| place.name(4)).collect::<Vec<_>>()
        };
        assert_eq!(queens(0), ["c4", "a3", "d2", "b1"]);
        assert_eq!((found.len(), queens(1).len()), (2, 4));
        let error = position(text).expect_err("two boards").in_file("f");
        assert_eq!(error, "f: 2 boards; allowed is one");
    }

    #[test]
    fn other_json_is_refused() {
        for (text, expected) in [
            ("{", "f:1: no JSON: "),
            ("{}", "f: no list \"boards\""),
            ("{\"boards\":[]}", "f: no board in the list"),
            (
                "{\"boards\":[3]}",
                "f: board 1 of \"boards\": no list of rows",
            ),
            (
                "{\"boards\":[[0],[]]}",
                "f: board 2 of \"boards\": a board of side 0 ",
            ),
            (
                "{\"boards\":[[0,2]]}",
                "f: board 1 of \"boards\": a queen in row 2; ",
            ),
            (
                "{\"boards\":[[0,-1]]}",
                "f: board 1 of \"boards\": -1 is no row; ",
            ),
            (
                "{\"boards\":[[0,\"<\"]]}",
                "f: board 1 of \"boards\": \"<\" is no row; ",
            ),
        ] {
            let error = positions(text).expect_err(text).in_file("f");
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
