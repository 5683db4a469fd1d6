//! Aligned columns and readable numbers for the terminal, and numbers of the command line, read as
//! in a spec and as they are printed: `1e4`, `10_000`, `10000.0` and `10 000` are one integer. How
//! a shell quotes a word is here, too.

use std::fmt::Display;
use std::ops::RangeInclusive;

use itertools::Itertools;

use crate::experiment::program::is_program;
use crate::experiment::spec::Spec;
use crate::experiment::spec::number::integer_in;
use crate::solver::{Algorithm, Outcome};

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

/// Numbers for people to read, how many there are of something, and the first of many words.
pub(super) use crate::html::{counted, first_of, spaced};

/// What came of one of several experiments, in a line with its title.
pub(super) fn with_title(spec: &Spec, words: &str) -> String {
    let title = spec.title.as_ref();
    title.map_or_else(|| words.to_owned(), |title| format!("{title} ({words})"))
}

/// How many rows the table of courses has, after the number of trials; empty where there are none.
pub(super) fn series(rows: u64) -> String {
    match rows {
        0 => String::new(),
        rows => format!(", {} rows of series.parquet", spaced(rows)),
    }
}

/// A mean, with so many decimals where it is small.
pub(super) fn mean(mean: f64, places: usize) -> String {
    match mean {
        mean if mean < 100.0 => format!("{mean:.places$}"),
        mean => spaced(mean.round() as u64),
    }
}

/// A relative error, if it is known.
pub(super) fn percent(error: Option<f64>) -> String {
    match error {
        None => "?".to_owned(),
        Some(0.0) => "exact".to_owned(),
        Some(error) => format!("{} %", (error * 100.0).ceil()),
    }
}

/// How the trial of what is no search ended.
pub(super) fn ending(algorithm: &Algorithm, cutoff: u64, outcome: &Outcome) -> String {
    let has = |name: &str| algorithm.columns.iter().any(|column| column.name == name);
    if !has("absorption_time") {
        // Of what measures no time, nothing but the ending is known.
        let ending = outcome.ending.name();
        return format!("{}{}", ending[..1].to_uppercase(), &ending[1..]);
    }
    let unit = algorithm.cutoff_unit.trim_end_matches('s');
    // Measured until the signals are true.
    let starts_solved = !has("hitting_time");
    let hit = match (outcome.hitting_time, outcome.moves_at_hit) {
        (time, _) if starts_solved || time == Some(0) => "started in a solution".to_owned(),
        (Some(time), Some(moves)) => {
            let time = spaced(time);
            let moves = counted(moves, "move");
            format!("first a solution at {unit} {time} after {moves}")
        }
        _ => "never a solution".to_owned(),
    };
    let (end, time) = match outcome.absorption_time {
        Some(time) => ("Absorbed", time),
        None => ("Cut off", cutoff),
    };
    let and_moves = |moves: u64| format!(" and {}", counted(moves, "move"));
    let moves = outcome.moves.map_or_else(String::new, and_moves);
    let ended = format!("{end} after {}{moves}", counted(time, unit));
    if is_program(algorithm) && !has("hitting_time") {
        return ended;
    }
    format!("{ended}; {hit}")
}

/// A text without the narrow spaces that printed numbers have.
pub(super) fn pasted(text: &str) -> String {
    text.replace('\u{202F}', "")
}

/// A reader of integers within a range, for `value_parser`.
pub(super) fn whole<T>(allowed: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<i128> + PartialOrd + Display + Clone,
{
    move |text: &str| {
        let number = integer_in(&pasted(text)).and_then(|number| T::try_from(number).ok());
        let within = number.filter(|number| allowed.contains(number));
        within.ok_or_else(|| {
            let least = allowed.start();
            let most = allowed.end();
            format!("expected an integer from {least} to {most}")
        })
    }
}

/// A word that a shell reads back as `text`, for every text.
pub(super) fn quote(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// [`quote`]d words, with spaces between them.
pub(super) fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let texts = [
            "", "a b", "it's", "$(ls)", "`ls`", "a\nb;ls", "\\", "*", "';ls'",
        ];
        let script = format!("printf '%s|' {}", quoted(&texts.map(str::to_owned)));
        let said = std::process::Command::new("sh")
            .args(["-c", &script])
            .output();
        let read = String::from_utf8(said.expect("sh starts").stdout).expect("text");
        assert_eq!(read, texts.map(|text| format!("{text}|")).concat());
    }
}
