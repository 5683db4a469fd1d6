//! `time_limit = "10 s"`: how long a trial may take by the clock.

use std::fmt;
use std::time::Duration;

use super::error::SpecError;
use super::tree::Entry;

const ALLOWED: &str = "a text of a number and a unit, ms, s, min or h, such as \"10 s\" or \"1.5 min\", from \"1 ms\" to \"1000 h\"";

/// Milliseconds.
const LONGEST: u64 = 1000 * 3_600_000;

/// Unit, its milliseconds, and what else people write for it.
const UNITS: [(&str, u64, &[&str]); 4] = [
    ("ms", 1, &["msec", "millisecond", "milliseconds"]),
    ("s", 1000, &["sec", "secs", "second", "seconds"]),
    ("min", 60_000, &["m", "mins", "minute", "minutes"]),
    ("h", 3_600_000, &["hr", "hrs", "hour", "hours"]),
];

/// The wall-clock time that each run of a trial may take: whole milliseconds, above 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimit {
    milliseconds: u64,
}

impl TimeLimit {
    /// From 1 ms to 1000 h; `None` for what is not.
    pub fn from_milliseconds(milliseconds: u64) -> Option<Self> {
        (1..=LONGEST)
            .contains(&milliseconds)
            .then_some(Self { milliseconds })
    }

    /// The limit in whole milliseconds.
    pub fn milliseconds(self) -> u64 {
        self.milliseconds
    }

    /// The limit as a duration.
    pub fn duration(self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }
}

impl fmt::Display for TimeLimit {
    /// In the largest unit of which it is a multiple: `90 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = UNITS
            .iter()
            .rev()
            .find(|(_, length, _)| self.milliseconds.is_multiple_of(*length));
        let (unit, length, _) = largest.expect("whole milliseconds");
        write!(f, "{} {unit}", self.milliseconds / length)
    }
}

pub(super) fn read(entry: &Entry) -> Result<TimeLimit, SpecError> {
    let text = entry.text(ALLOWED)?;
    let (number, unit) = text.split_at(
        text.find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len()),
    );
    let unit = unit.trim();
    let known = UNITS.iter().find(|(word, ..)| *word == unit);
    let limit = known
        .and_then(|(_, length, _)| milliseconds(number, *length))
        .and_then(TimeLimit::from_milliseconds);
    let meant = UNITS.iter().find(|(.., others)| others.contains(&unit));
    let hint = meant.map_or_else(String::new, |(word, ..)| {
        format!("; did you mean \"{number} {word}\"?")
    });
    limit.ok_or_else(|| entry.refuse(&format!("{ALLOWED}{hint}")))
}

/// A decimal number of units as whole milliseconds, exactly; `None` where it is no such number.
fn milliseconds(number: &str, unit: u64) -> Option<u64> {
    /// More digits than any allowed number needs; so many never overflow.
    const DIGITS: usize = 15;
    let (whole, fraction) = number
        .split_once('.')
        .map_or((number, None), |(whole, fraction)| (whole, Some(fraction)));
    let digits = [whole, fraction.unwrap_or_default()].concat();
    if whole.is_empty() || fraction.is_some_and(str::is_empty) || digits.len() > DIGITS {
        return None;
    }
    let scale = 10_u128.pow(u32::try_from(fraction.map_or(0, str::len)).ok()?);
    let scaled = digits.parse::<u128>().ok()? * u128::from(unit);
    (scaled.is_multiple_of(scale))
        .then(|| u64::try_from(scaled / scale).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_whole_milliseconds_exactly() {
        for (number, unit, expected) in [
            ("10", 1000, Some(10_000)),
            ("1.5", 60_000, Some(90_000)),
            ("0.001", 1000, Some(1)),
            ("0.0001", 1000, None),
            ("1.5", 1, None),
            ("00.50", 1000, Some(500)),
            ("", 1, None),
            (".5", 1000, None),
            ("5.", 1000, None),
            ("1.2.3", 1000, None),
            ("9999999999999999", 3_600_000, None),
        ] {
            assert_eq!(milliseconds(number, unit), expected, "{number}");
        }
    }

    #[test]
    fn limits_are_shown_in_their_largest_unit() {
        for (milliseconds, text) in [
            (1, "1 ms"),
            (1500, "1500 ms"),
            (10_000, "10 s"),
            (90_000, "90 s"),
            (120_000, "2 min"),
            (LONGEST, "1000 h"),
        ] {
            assert_eq!(
                TimeLimit::from_milliseconds(milliseconds)
                    .map(|limit| limit.to_string())
                    .as_deref(),
                Some(text)
            );
        }
        assert_eq!(
            [0, LONGEST + 1].map(TimeLimit::from_milliseconds),
            [None, None]
        );
    }
}
