//! Tables: typed cells, written as CSV for programs and as Markdown for readers.

use std::fmt;

use crate::analysis::quantile::Bounded;
use crate::report::words::number::six_digits;
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

    /// The cell without the sign of a bound.
    pub fn plain(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Word(text) | Self::Decimal(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Real(value) => six_digits(*value),
            Self::AtLeast(number) => number.plain(),
        }
    }

    /// The cell in a column whose numbers are real, for a program: `0.0`.
    fn as_real(&self) -> String {
        match self {
            Self::AtLeast(number) => number.as_real(),
            Self::Count(_) | Self::Real(_) | Self::Decimal(_) => with_point(self.plain()),
            Self::Empty | Self::Word(_) => self.plain(),
        }
    }

    fn is_real(&self) -> bool {
        match self {
            Self::AtLeast(number) => number.is_real(),
            Self::Real(_) | Self::Decimal(_) => true,
            Self::Empty | Self::Word(_) | Self::Count(_) => false,
        }
    }
}

/// The cell for a reader: a bound has its sign before it.
impl fmt::Display for TableCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self {
            Self::AtLeast(_) => "≥",
            Self::Real(value) if value.is_infinite() => "∞",
            _ => "",
        };
        write!(f, "{sign}{}", self.plain())
    }
}

/// A decimal that is read as a real number; nothing stays nothing, as of what is infinite.
fn with_point(decimal: String) -> String {
    if decimal.is_empty() || decimal.contains(['.', 'e']) {
        decimal
    } else {
        decimal + ".0"
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
        let mut columns: Vec<(String, Vec<String>)> = Vec::new();
        for (index, name) in self.header.iter().enumerate() {
            let cells = || self.rows.iter().map(|row| &row[index]);
            let is_real = cells().any(TableCell::is_real);
            let written = if is_real {
                TableCell::as_real
            } else {
                TableCell::plain
            };
            columns.push((name.clone(), cells().map(written).collect()));
            let is_bound = |cell: &TableCell| matches!(cell, TableCell::AtLeast(_));
            if cells().any(is_bound) {
                let words = cells().map(|cell| is_bound(cell).to_string());
                columns.push((format!("{name}{IS_BOUND}"), words.collect()));
            }
        }
        const MEMORY: &str = "memory takes all, and each line has as many cells";
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = writer.write_record(columns.iter().map(|(name, _)| name));
        header.expect(MEMORY);
        for row in 0..self.rows.len() {
            let line = writer.write_record(columns.iter().map(|(_, cells)| &cells[row]));
            line.expect(MEMORY);
        }
        writer.into_inner().expect(MEMORY)
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
        let mut titles = Vec::new();
        let mut rows = vec![Vec::new(); self.rows.len()];
        let is_given = |index: usize| self.rows.iter().any(|row| row[index] != TableCell::Empty);
        let mut index = 0;
        while let Some(name) = self.header.get(index) {
            let is_end =
                |index: usize, end: &str| self.header.get(index) == Some(&format!("{name}_{end}"));
            let has_ends = is_end(index + 1, "low") && is_end(index + 2, "high");
            if self.rows.is_empty() || is_given(index) {
                titles.push(if has_ends && is_given(index + 1) {
                    format!("{name} [95 %]")
                } else {
                    name.clone()
                });
                for (shown, row) in rows.iter_mut().zip(&self.rows) {
                    let value = &row[index];
                    shown.push(if has_ends && row[index + 1] != TableCell::Empty {
                        format!("{value} [{}, {}]", row[index + 1], row[index + 2])
                    } else {
                        value.to_string()
                    });
                }
            }
            index += if has_ends { 3 } else { 1 };
        }
        (titles, rows)
    }
}

fn markdown_line(cells: &[String]) -> String {
    let cells: String = cells
        .iter()
        .map(|cell| format!(" {} |", cell.replace('|', "\\|")))
        .collect();
    format!("|{cells}\n")
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
