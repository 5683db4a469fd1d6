//! Tables: typed cells, written as CSV for programs and as Markdown for readers. Here are the form
//! of numbers in CSV (six digits, a point or an exponent) and in Markdown (`x [low, high]`, ≥ for
//! bounds), the column `_is_bound`, and quotes.

use std::fmt;

use crate::analysis::quantile::Bounded;
use crate::report::words::number::add_six_digits;
use crate::solver::Value;

/// A figure's numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureTable {
    /// Names of the columns.
    pub header: Vec<String>,
    /// The rows, each with as many cells as there are columns.
    pub rows: Vec<Vec<TableCell>>,
    /// Definitions and warnings that belong under the table.
    pub notes: Vec<String>,
}

/// One value of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum TableCell {
    /// The column does not apply to the row.
    Empty,
    /// A word.
    Word(String),
    /// A whole number, written with all its digits.
    Count(u64),
    /// A real number, written with six digits.
    Real(f64),
    /// A real number as it is written.
    Decimal(String),
    /// A number; the true one is at least this one.
    AtLeast(Box<TableCell>),
}

/// What the name of the CSV's column that says which numbers are bounds adds to that of theirs.
const IS_BOUND: &str = "_is_bound";

impl TableCell {
    /// A number that may be a lower bound, as it is written.
    pub(crate) fn bounded(number: Bounded, written: impl Fn(u64) -> Self) -> Self {
        written(number.value).bound(number.at_least)
    }

    /// The number, which is a lower bound where `is_bound` says so.
    pub(crate) fn bound(self, is_bound: bool) -> Self {
        if is_bound {
            Self::AtLeast(Box::new(self))
        } else {
            self
        }
    }

    /// Adds the cell without the sign of a bound to a text.
    fn add_plain(&self, text: &mut String) {
        match self {
            Self::Empty => {}
            Self::Word(word) | Self::Decimal(word) => *text += word,
            Self::Count(count) => *text += &count.to_string(),
            Self::Real(value) => add_six_digits(text, *value),
            Self::AtLeast(number) => number.add_plain(text),
        }
    }

    /// Adds the cell of a column whose numbers are real, for a program: `0.0`.
    fn add_as_real(&self, text: &mut String) {
        let begin = text.len();
        self.add_plain(text);
        let mut signs = text[begin..].bytes();
        let has_sign = signs.any(|sign| matches!(sign, b'.' | b'e'));
        // What is infinite has no text.
        if self.is_number() && !has_sign && text.len() > begin {
            *text += ".0";
        }
    }

    /// Adds the cell for a reader: a bound has its sign before it.
    fn add_for_reading(&self, text: &mut String) {
        match self {
            Self::AtLeast(_) => text.push('≥'),
            Self::Real(value) if value.is_infinite() => text.push('∞'),
            _ => {}
        }
        self.add_plain(text);
    }

    fn is_number(&self) -> bool {
        match self {
            Self::AtLeast(number) => number.is_number(),
            Self::Count(_) | Self::Real(_) | Self::Decimal(_) => true,
            Self::Empty | Self::Word(_) => false,
        }
    }

    fn is_real(&self) -> bool {
        match self {
            Self::AtLeast(number) => number.is_real(),
            Self::Real(_) | Self::Decimal(_) => true,
            Self::Empty | Self::Word(_) | Self::Count(_) => false,
        }
    }

    fn is_bound(&self) -> bool {
        matches!(self, Self::AtLeast(_))
    }
}

/// The cell for a reader.
impl fmt::Display for TableCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.add_for_reading(&mut text);
        f.write_str(&text)
    }
}

/// What a cell may be made of.
macro_rules! cells {
    ($($from:ty, $value:ident => $cell:expr;)*) => {
        $(impl From<$from> for TableCell {
            fn from($value: $from) -> Self {
                $cell
            }
        })*
    };
}

cells! {
    &str, word => word.to_owned().into();
    String, word => if word.is_empty() { Self::Empty } else { Self::Word(word) };
    u64, count => Self::Count(count);
    u32, count => Self::Count(count.into());
    usize, count => Self::Count(count as u64);
    f64, value => Self::Real(value);
    Value, value => match value {
        Value::Integer(count) => Self::Count(count),
        Value::Real(value) => Self::Decimal(value.to_string()),
    };
}

impl<C: Into<Self>> From<Option<C>> for TableCell {
    fn from(cell: Option<C>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

impl FigureTable {
    /// A column with a cell for each row that there is.
    pub(crate) fn add(&mut self, name: &str, cells: impl Iterator<Item = TableCell>) {
        self.header.push(name.to_owned());
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell);
        }
    }

    /// RFC 4180, with `\n` line ends: a field is quoted when it holds a comma, a quote or a line
    /// end. Notes are left to the Markdown. A column of numbers has numbers alone: where any of
    /// them is a bound, a column of `true` and `false` follows it. Of a column with a
    /// real number every number has a point or an exponent, as `0.0`: readers that take a column's
    /// type from its first rows would take `0` for an integer, and some of them then cut off the
    /// decimals of the rows that follow.
    pub fn to_csv(&self) -> Vec<u8> {
        const MEMORY: &str = "memory takes all, and each line has as many cells";
        let columns = self.csv_columns();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = columns.iter().flat_map(|column| column.names());
        writer.write_record(names).expect(MEMORY);

        // One text for all cells, one after the other.
        let mut text = String::new();
        for row in &self.rows {
            for (cell, column) in row.iter().zip(&columns) {
                text.clear();
                match column.is_real {
                    true => cell.add_as_real(&mut text),
                    false => cell.add_plain(&mut text),
                }
                writer.write_field(&text).expect(MEMORY);
                if column.has_bounds {
                    let is_bound = if cell.is_bound() { "true" } else { "false" };
                    writer.write_field(is_bound).expect(MEMORY);
                }
            }
            let end_of_line = None::<&[u8]>;
            writer.write_record(end_of_line).expect(MEMORY);
        }
        writer.into_inner().expect(MEMORY)
    }

    fn csv_columns(&self) -> Vec<CsvColumn<'_>> {
        let columns = self.header.iter().map(|name| CsvColumn {
            name,
            is_real: false,
            has_bounds: false,
        });
        let mut columns: Vec<CsvColumn> = columns.collect();
        for row in &self.rows {
            for (cell, column) in row.iter().zip(&mut columns) {
                column.is_real |= cell.is_real();
                column.has_bounds |= cell.is_bound();
            }
        }
        columns
    }

    /// A table for reading: a column `x` with its `x_low` and `x_high` becomes one column `x [low,
    /// high]`, and columns that are empty in every row are dropped; notes follow as a list.
    pub fn to_markdown(&self) -> String {
        let columns = self.columns_for_reading();
        let mut text = String::from("|");
        for column in &columns {
            add_in_markdown(&mut text, &column.title);
        }
        text += "\n";
        text += &"|---".repeat(columns.len());
        text += "|\n";

        let mut cell = String::new();
        for row in &self.rows {
            text.push('|');
            for column in &columns {
                cell.clear();
                column.add(&mut cell, row);
                add_in_markdown(&mut text, &cell);
            }
            text.push('\n');
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            text += &format!("- {note}\n");
        }
        text
    }

    /// Titles and rows as [`Self::to_markdown`] has them.
    pub fn for_reading(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let columns = self.columns_for_reading();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for row in &self.rows {
            let cells = columns.iter().map(|column| {
                let mut text = String::new();
                column.add(&mut text, row);
                text
            });
            rows.push(cells.collect());
        }
        let titles = columns.into_iter().map(|column| column.title);
        (titles.collect(), rows)
    }

    /// The columns that are not empty in every row, those of an interval as one.
    fn columns_for_reading(&self) -> Vec<ColumnForReading> {
        let mut columns = Vec::new();
        let is_given = |index: usize| self.rows.iter().any(|row| row[index] != TableCell::Empty);
        let mut index = 0;
        while let Some(name) = self.header.get(index) {
            let is_end =
                |index: usize, end: &str| self.header.get(index) == Some(&format!("{name}_{end}"));
            let has_ends = is_end(index + 1, "low") && is_end(index + 2, "high");
            if self.rows.is_empty() || is_given(index) {
                let title = if has_ends && is_given(index + 1) {
                    format!("{name} [95 %]")
                } else {
                    name.clone()
                };
                columns.push(ColumnForReading {
                    title,
                    index,
                    has_ends,
                });
            }
            index += if has_ends { 3 } else { 1 };
        }
        columns
    }
}

/// How a column is written in a CSV.
struct CsvColumn<'t> {
    name: &'t str,
    /// True if it has a real number: then all numbers are written so.
    is_real: bool,
    /// True if another column says which of its numbers are bounds.
    has_bounds: bool,
}

impl CsvColumn<'_> {
    /// Its name and, after it, that of the column of its bounds.
    fn names(&self) -> impl Iterator<Item = String> {
        let name = self.name;
        let of_bounds = self.has_bounds.then(|| format!("{name}{IS_BOUND}"));
        [name.to_owned()].into_iter().chain(of_bounds)
    }
}

/// A column of a table for reading.
struct ColumnForReading {
    title: String,
    /// The index of its numbers among the columns.
    index: usize,
    /// True if the two columns that follow have the ends of their intervals.
    has_ends: bool,
}

impl ColumnForReading {
    /// Adds its cell of a row to a text.
    fn add(&self, text: &mut String, row: &[TableCell]) {
        row[self.index].add_for_reading(text);
        if self.has_ends && row[self.index + 1] != TableCell::Empty {
            *text += " [";
            row[self.index + 1].add_for_reading(text);
            *text += ", ";
            row[self.index + 2].add_for_reading(text);
            *text += "]";
        }
    }
}

/// Adds a cell of a row, and what ends it, to a text.
fn add_in_markdown(text: &mut String, cell: &str) {
    text.push(' ');
    if cell.contains('|') {
        *text += &cell.replace('|', "\\|");
    } else {
        *text += cell;
    }
    *text += " |";
}

#[cfg(test)]
impl FigureTable {
    /// The texts of a column.
    pub fn column(&self, name: &str) -> Vec<String> {
        let index = self.header.iter().position(|column| column == name);
        let index = index.unwrap_or_else(|| panic!("no column {name}"));
        self.rows.iter().map(|row| row[index].to_string()).collect()
    }
}
