//! A reader of the tables that `reines report` writes.

use crate::report::{Cell, IS_BOUND, Table};

/// Reads RFC 4180 with a header line.
///
/// # Errors
/// In words, where a quote has no end or a row has not as many cells as the header.
pub(super) fn parse(text: &str) -> Result<Table, String> {
    let mut lines = lines(text)?.into_iter();
    let mut header = lines.next().ok_or("empty, without a header")?;
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for (row, number) in lines.zip(2..) {
        if row.len() != header.len() {
            let (found, needed) = (row.len(), header.len());
            return Err(format!(
                "line {number} has {found} cells, the header {needed}"
            ));
        }
        rows.push(row.into_iter().map(Cell::from).collect());
    }
    let is_of = |pair: &[String]| pair[1] == format!("{}{IS_BOUND}", pair[0]);
    while let Some(place) = header.windows(2).position(is_of) {
        header.remove(place + 1);
        for row in &mut rows {
            if row.remove(place + 1) == Cell::from("true") {
                row[place] = Cell::AtLeast(row[place].plain());
            }
        }
    }
    Ok(Table {
        header,
        rows,
        notes: Vec::new(),
    })
}

/// The cells of each line.
fn lines(text: &str) -> Result<Vec<Vec<String>>, String> {
    let (mut lines, mut line, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut in_quotes = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if in_quotes && chars.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => line.push(std::mem::take(&mut cell)),
            '\n' if !in_quotes => {
                line.push(std::mem::take(&mut cell));
                lines.push(std::mem::take(&mut line));
            }
            '\r' if !in_quotes => {}
            c => cell.push(c),
        }
    }
    if in_quotes {
        return Err("a quote has no end".to_owned());
    }
    if !cell.is_empty() || !line.is_empty() {
        line.push(cell);
        lines.push(line);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_report_writes_is_read_back() {
        let table = Table {
            header: vec!["a".to_owned(), "b,c".to_owned()],
            rows: vec![
                vec!["1".into(), "x \"y\", z".into()],
                vec!["line\nend".into(), "".into()],
                vec![Cell::AtLeast("3".to_owned()), "4".into()],
            ],
            notes: vec![],
        };
        assert_eq!(parse(&table.to_csv()), Ok(table));
    }

    #[test]
    fn what_is_no_table() {
        let reason = |text| parse(text).expect_err(text);
        assert_eq!(reason(""), "empty, without a header");
        assert_eq!(reason("a,b\n1,2\n3\n"), "line 3 has 1 cells, the header 2");
        assert_eq!(reason("a\n\"1\n"), "a quote has no end");
    }
}
