//! Tables as CSV for programs and as Markdown for readers.

use super::Table;

impl Table {
    /// RFC 4180, with `\n` line ends: a field is quoted when it holds a comma, a quote or a line
    /// end. Notes are left to the Markdown. A column of numbers has numbers alone: where any of
    /// them is a bound, a column of `true` and `false` follows it.
    pub fn to_csv(&self) -> String {
        let mut columns: Vec<(String, Vec<String>)> = Vec::new();
        for (index, name) in self.header.iter().enumerate() {
            let cells = || self.rows.iter().map(|row| &*row[index]);
            let plain = cells().map(|cell| lower_bound(cell).unwrap_or(cell).to_owned());
            columns.push((name.clone(), plain.collect()));
            let is_bound = |cell| lower_bound(cell).is_some();
            if cells().any(is_bound) {
                let words = cells().map(|cell| is_bound(cell).to_string());
                columns.push((format!("{name}{BOUND}"), words.collect()));
            }
        }
        let line = |cells: Vec<&String>| {
            let cells: Vec<String> = cells.into_iter().map(|cell| quoted(cell)).collect();
            cells.join(",") + "\n"
        };
        let header = line(columns.iter().map(|(name, _)| name).collect());
        let row = |row: usize| line(columns.iter().map(|(_, cells)| &cells[row]).collect());
        std::iter::once(header)
            .chain((0..self.rows.len()).map(row))
            .collect()
    }

    /// A table for reading: a column `x` with its `x_low` and `x_high` becomes one column `x [low,
    /// high]`, and columns that are empty in every row are dropped; notes follow as a list.
    pub fn to_markdown(&self) -> String {
        let (titles, rows) = self.for_reading();
        let mut text = markdown_line(&titles) + &"|---".repeat(titles.len()) + "|\n";
        for row in &rows {
            text += &markdown_line(row);
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        self.notes
            .iter()
            .for_each(|note| text += &format!("- {note}\n"));
        text
    }

    /// Titles and rows as [`Self::to_markdown`] has them.
    pub fn for_reading(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let columns = self.shown_columns();
        let titles = columns.iter().map(|column| column.title(self)).collect();
        let cells = |row: &Vec<String>| columns.iter().map(|column| column.cell(row)).collect();
        (titles, self.rows.iter().map(cells).collect())
    }

    fn shown_columns(&self) -> Vec<Shown> {
        let mut shown = Vec::new();
        let mut index = 0;
        while let Some(name) = self.header.get(index) {
            let interval = self.header.get(index + 1) == Some(&format!("{name}_low"))
                && self.header.get(index + 2) == Some(&format!("{name}_high"));
            if self.rows.is_empty() || self.rows.iter().any(|row| !row[index].is_empty()) {
                shown.push(Shown { index, interval });
            }
            index += if interval { 3 } else { 1 };
        }
        shown
    }
}

/// Before a number, in a table for reading: the true one is at least this.
pub const AT_LEAST: char = '≥';

/// After the name of a column, of the CSV's column that says of which numbers that is so.
pub const BOUND: &str = "_is_bound";

/// The number of a cell that is one.
fn lower_bound(cell: &str) -> Option<&str> {
    let number = cell.strip_prefix(AT_LEAST)?;
    number.parse::<f64>().is_ok().then_some(number)
}

/// A column of the Markdown.
struct Shown {
    index: usize,
    /// Whether the two columns after it are the ends of its interval.
    interval: bool,
}

impl Shown {
    fn title(&self, table: &Table) -> String {
        let name = &table.header[self.index];
        let is_given = |row: &Vec<String>| !row[self.index + 1].is_empty();
        if self.interval && table.rows.iter().any(is_given) {
            format!("{name} [95 %]")
        } else {
            name.clone()
        }
    }

    fn cell(&self, row: &[String]) -> String {
        let value = &row[self.index];
        if !self.interval || row[self.index + 1].is_empty() {
            return value.clone();
        }
        format!("{value} [{}, {}]", row[self.index + 1], row[self.index + 2])
    }
}

fn markdown_line(cells: &[String]) -> String {
    let cells: String = cells
        .iter()
        .map(|cell| format!(" {} |", cell.replace('|', "\\|")))
        .collect();
    format!("|{cells}\n")
}

pub(super) fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &[&str], rows: &[&[&str]]) -> Table {
        let owned = |cells: &[&str]| {
            cells
                .iter()
                .map(|cell| (*cell).to_owned())
                .collect::<Vec<String>>()
        };
        Table {
            header: owned(header),
            rows: rows.iter().map(|row| owned(row)).collect(),
            notes: vec!["times in updates".to_owned()],
        }
    }

    /// The example fields of RFC 4180, section 2.
    #[test]
    fn csv_quotes_what_must_be_quoted() {
        let table = table(
            &["field", "plain"],
            &[&["b\"bb", "1"], &["a,b", "x y"], &["line\nend", ""]],
        );
        assert_eq!(
            table.to_csv(),
            "field,plain\n\"b\"\"bb\",1\n\"a,b\",x y\n\"line\nend\",\n"
        );
    }

    /// A column of numbers stays one, whatever of them are bounds.
    #[test]
    fn bounds_have_columns_of_their_own_in_csv() {
        let table = table(
            &["n", "nodes", "p"],
            &[&["8", "507", "≥x"], &["9", "≥2000", "0.5"], &["10", "", ""]],
        );
        assert_eq!(
            table.to_csv(),
            "n,nodes,nodes_is_bound,p\n8,507,false,≥x\n9,2000,true,0.5\n10,,false,\n"
        );
        assert!(table.to_markdown().contains("| 9 | ≥2000 | 0.5 |\n"));
    }

    #[test]
    fn markdown_joins_intervals_and_drops_empty_columns() {
        let table = table(
            &["n", "eta", "mean", "mean_low", "mean_high"],
            &[&["8", "", "2.5", "2", "3"], &["9", "", "4", "", ""]],
        );
        assert_eq!(
            table.to_markdown(),
            "| n | mean [95 %] |\n|---|---|\n| 8 | 2.5 [2, 3] |\n| 9 | 4 |\n\n- times in updates\n"
        );
        let exact = self::table(
            &["n", "nodes", "nodes_low", "nodes_high"],
            &[&["8", "507", "", ""]],
        );
        assert!(
            exact
                .to_markdown()
                .starts_with("| n | nodes |\n|---|---|\n| 8 | 507 |\n")
        );
    }
}
