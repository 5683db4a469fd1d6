//! Aligned columns and readable numbers for the terminal.

use std::fs;
use std::path::Path;

/// Rows after `indent` spaces, each column as wide as its widest cell, two spaces apart. The
/// columns from `right` on are aligned to the right.
pub(super) fn aligned(indent: usize, right: usize, rows: &[Vec<String>]) -> Vec<String> {
    let mut widths = vec![0; rows.iter().map(Vec::len).max().unwrap_or(0)];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let line = |row: &Vec<String>| {
        let mut line = " ".repeat(indent);
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            line += &if column >= right {
                format!("{cell:>width$}  ")
            } else {
                format!("{cell:<width$}  ")
            };
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The first of some words, and how many more there are.
pub(super) fn first_of(most: usize, separator: &str, mut words: Vec<String>) -> String {
    let more = words.len().saturating_sub(most);
    words.truncate(most);
    words.extend((more > 0).then(|| format!("and {more} more")));
    words.join(separator)
}

/// Whole numbers for people to read, and how many there are of something.
pub(super) use crate::html::{counted, grouped as spaced};

/// How many rows the two tables of courses have, after the number of trials; empty where there are
/// none.
pub(super) fn courses_in_words([series, moves]: [u64; 2]) -> String {
    let words = [(series, "series"), (moves, "moves")].map(|(rows, name)| match rows {
        0 => String::new(),
        rows => format!(", {} rows of {name}.parquet", spaced(rows)),
    });
    words.concat()
}

/// Bytes in words, to the nearest unit.
pub(super) fn size(bytes: u128) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        10_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}

/// Bytes of all files in a folder, as far as they can be asked for; links are not followed.
pub(super) fn tree_size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => tree_size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_sizes_are_short() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(first_of(1, "; ", words.to_vec()), "a; and 2 more");
        let cases = [(9999, "9999 B"), (10_000, "10 kB"), (10_000_000, "10 MB")];
        for (bytes, text) in cases {
            assert_eq!(size(bytes), text);
        }
    }
}
