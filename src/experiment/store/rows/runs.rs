//! A number of each row (as its cutoff), of which rows that follow each other most often have the
//! same: one number for all of them, so that it takes few bytes.

use std::ops::Range;

/// The numbers of rows, each once for rows of the same that follow each other.
#[derive(Default)]
pub struct Runs {
    values: Vec<u64>,
    /// The row behind the last of each value.
    ends: Vec<usize>,
}

impl Runs {
    /// Adds rows that have this number.
    pub fn push(&mut self, value: u64, n_rows: usize) {
        let end = self.ends.last().unwrap_or(&0) + n_rows;
        match self.ends.last_mut() {
            Some(last) if self.values.last() == Some(&value) => *last = end,
            _ => {
                self.values.push(value);
                self.ends.push(end);
            }
        }
    }

    /// The number of a row, which must be there.
    pub fn at(&self, row: usize) -> u64 {
        self.values[self.run_of(row)]
    }

    /// The numbers of the rows of a range.
    pub fn of(&self, rows: Range<usize>) -> impl Iterator<Item = u64> + use<'_> {
        let first = self.run_of(rows.start);
        let last = match rows.is_empty() {
            true => first,
            false => self.run_of(rows.end - 1) + 1,
        };
        self.values[first..last].iter().copied()
    }

    /// The index of the value of a row.
    fn run_of(&self, row: usize) -> usize {
        self.ends.partition_point(|end| *end <= row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a list with the number of each row.
    #[test]
    fn each_row_has_its_number() {
        let mut runs = Runs::default();
        let mut rows = Vec::new();
        assert_eq!(runs.of(0..0).count(), 0);
        for (value, n_rows) in [(7, 1), (7, 3), (5, 2), (0, 1), (7, 4)] {
            runs.push(value, n_rows);
            rows.resize(rows.len() + n_rows, value);
        }
        for start in 0..rows.len() {
            assert_eq!(runs.at(start), rows[start]);
            for end in start..=rows.len() {
                let mut expected = rows[start..end].to_vec();
                expected.dedup();
                let found: Vec<u64> = runs.of(start..end).collect();
                assert_eq!(found, expected, "{start}..{end}");
            }
        }
    }
}
