//! The cells of a column of a CSV file: a number as the shortest decimal that is read as the same
//! number, and nothing for a null. A real number has a point or an exponent in every cell, a board
//! spaces for commas.

use std::fmt::Write as _;

use itertools::Itertools;
use polars::prelude::{Column, DataType, PolarsResult};

use super::cell;

/// The cells of a column, or of several beside each other.
pub enum Cells<'c> {
    /// The same text in every row, as in most columns of a point.
    Same(String),
    /// An integer in every row.
    Whole(&'c [i64]),
    /// Integers in some rows.
    Integers(Vec<Option<i64>>),
    /// Each with a point or an exponent, as 0.0 and 1e-5. Readers that take a column's type from
    /// its first rows would take 0 for an integer, and some of them then cut off the decimals of
    /// the rows that follow.
    Reals(Vec<Option<f64>>),
    /// Words and other texts.
    Texts(Vec<Option<&'c str>>),
    /// Boards, with spaces for commas: some readers take a board with commas for one large number.
    Boards(Vec<Option<&'c str>>),
}

impl<'c> Cells<'c> {
    /// The cells of a column, which is in one piece.
    ///
    /// # Errors
    /// A column of another type than tables have.
    pub fn of(column: &'c Column) -> PolarsResult<Self> {
        if column.null_count() == column.len() {
            return Ok(Self::Same(String::new()));
        }
        let (is_same, cells) = Self::read(column)?;
        if !is_same {
            return Ok(cells);
        }
        let mut text = String::new();
        cells.add(0, &mut text);
        Ok(Self::Same(text))
    }

    /// The cells of a column, and whether they are known to be all the same.
    fn read(column: &'c Column) -> PolarsResult<(bool, Self)> {
        Ok(match column.dtype() {
            DataType::Float64 => {
                let values = column.f64()?;
                let bits = values.iter().map(|value| value.map(f64::to_bits));
                (
                    bits.dedup().nth(1).is_none(),
                    Self::Reals(values.iter().collect()),
                )
            }
            DataType::Int64 => {
                let values = column.i64()?;
                match values.cont_slice() {
                    Ok(whole) => (whole.iter().all_equal(), Self::Whole(whole)),
                    Err(_) => (false, Self::Integers(values.iter().collect())),
                }
            }
            DataType::Int32 => {
                let integers = column.i32()?.iter().map(|value| value.map(i64::from));
                let integers: Vec<Option<i64>> = integers.collect();
                (integers.iter().all_equal(), Self::Integers(integers))
            }
            _ => {
                let texts: Vec<Option<&str>> = column.str()?.iter().collect();
                let is_same = texts.iter().all_equal();
                let cells = match column.name().as_str() {
                    "solution" => Self::Boards(texts),
                    _ => Self::Texts(texts),
                };
                (is_same, cells)
            }
        })
    }

    /// Adds the cell of a row, which is there, to a line.
    pub fn add(&self, row: usize, line: &mut String) {
        match self {
            Self::Same(text) => line.push_str(text),
            Self::Whole(values) => add_integer(values[row], line),
            Self::Integers(values) => {
                if let Some(value) = values[row] {
                    add_integer(value, line);
                }
            }
            Self::Reals(values) => {
                if let Some(value) = values[row] {
                    write!(line, "{value:?}").expect("writing to a String cannot fail");
                }
            }
            Self::Texts(texts) => line.push_str(&cell(texts[row].unwrap_or(""))),
            Self::Boards(boards) => {
                let board = boards[row].unwrap_or("").chars();
                line.extend(board.map(|sign| if sign == ',' { ' ' } else { sign }));
            }
        }
    }
}

/// Adds the decimal digits of an integer, in a third of the time that `write!` takes.
fn add_integer(value: i64, line: &mut String) {
    // The least integer has 19 digits and a sign.
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    let mut left = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if value < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    line.push_str(str::from_utf8(&digits[at..]).expect("digits are ASCII"));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library's own decimals.
    #[test]
    fn integers_are_written_as_the_library_writes_them() {
        let powers = (0..19).map(|power| 10_i64.pow(power));
        let near = powers.flat_map(|power| [power - 1, power, power + 1, -power]);
        for value in near.chain([0, i64::MAX, i64::MIN]) {
            let mut text = "a".to_owned();
            add_integer(value, &mut text);
            assert_eq!(text, format!("a{value}"));
        }
    }
}
