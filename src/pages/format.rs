//! Numbers for a reader's eye.
//!
//! | filter | example | what it writes |
//! |---|---|---|
//! | `interval`, `interval(1)` | `4.40·10⁵ (4.16 – 4.67)` | a cell with its 95 % interval, to the places that the interval allows, or one more |
//! | `bound` | `1.18` | of a `ratio` that is not significantly different from 1: the factor by which both differ at most (95 %) |
//! | `number(3)` | `4.47·10⁵` | so many significant digits |
//! | `whole` | `14 200` | a whole number |
//! | `percent(2)` | `0.32 % (0.23 – 0.45)` | a fraction in per cent, with its interval where it has one |
//!
//! Half the interval's width is written to one significant digit where that is 3 or more, else to
//! two. Powers of ten stand from 10⁴ on and below a thousandth.

use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, Error};

use super::lookup::{FoundCell, cell, invalid};
use crate::html::spaced;
use crate::report::number::{power_of_ten, short};

/// Adds the filters.
pub(super) fn add_to(environment: &mut Environment) {
    environment.add_filter("interval", |value: Value, more: Option<i32>| {
        let cell = cell(&value)?;
        let ends = cell.ends()?;
        let shown = ShownNumber::of(cell.number()?, ends, more.unwrap_or(0));
        Ok::<_, Error>(shown.with_unit(""))
    });
    environment.add_filter("bound", |value: Value| bound(cell(&value)?));
    environment.add_filter("number", |value: Value, digits: Option<usize>| {
        Ok::<_, Error>(significant(number(&value)?, digits.unwrap_or(3).max(1)))
    });
    environment.add_filter("whole", |value: Value| whole(number(&value)?));
    environment.add_filter("percent", |value: Value, digits: Option<usize>| {
        let percents = 100.0 * number(&value)?;
        let cell = value.downcast_object_ref::<FoundCell>();
        Ok::<_, Error>(match cell.and_then(|cell| cell.interval) {
            Some((low, high)) => {
                ShownNumber::of(percents, (100.0 * low, 100.0 * high), 0).with_unit(" %")
            }
            None => format!("{} %", significant(percents, digits.unwrap_or(2).max(1))),
        })
    });
}

/// The factor by which two means differ at most, where no difference is seen: the end of the
/// interval of their ratio that is farther from 1, rounded up to two decimals.
///
/// # Errors
/// When the interval is unknown or leaves 1 out, since then a difference is seen.
fn bound(ratio: &FoundCell) -> Result<String, Error> {
    let (low, high) = ratio.ends()?;
    if !(low <= 1.0 && 1.0 <= high) {
        return Err(invalid(format!(
            "{}: the interval {low} to {high} leaves 1 out; a sentence that says \"no difference\" \
             is not true any more",
            ratio.table
        )));
    }
    let factor = high.max(1.0 / low);
    Ok(printed(&format!("{:.2}", (100.0 * factor).ceil() / 100.0)))
}

/// The number of a cell or of an expression.
fn number(value: &Value) -> Result<f64, Error> {
    match value.downcast_object_ref::<FoundCell>() {
        Some(cell) => cell.number(),
        None => {
            // A list may have any length.
            let found = match value.kind() {
                ValueKind::String => format!("\"{value}\""),
                kind => format!("a {kind}"),
            };
            f64::try_from(value.clone()).map_err(|_| invalid(format!("{found} is no number")))
        }
    }
}

/// All digits, in threes: `14 200`.
fn whole(number: f64) -> Result<String, Error> {
    if number.fract() != 0.0 || !(0.0..1e15).contains(&number) {
        return Err(invalid(format!("{number} is no whole number")));
    }
    Ok(spaced(number))
}

/// `4.47·10⁵`, `0.050`, `120`.
fn significant(number: f64, digits: usize) -> String {
    if number == 0.0 || !number.is_finite() {
        return printed(&short(number, digits));
    }
    // Rounded first: 9.99 to two digits is 10, which has one decimal less.
    let rounded: f64 = format!("{number:.*e}", digits - 1)
        .parse()
        .unwrap_or(number);
    let (_, size) = scientific(rounded);
    let power = power_shown(size);
    let decimals = (digits as i32 - 1 - size + power).max(0) as usize;
    let text = format!("{:.decimals$}", scaled(rounded, power));
    printed(&text) + &times(power)
}

/// A number and its interval as texts, to the same places.
struct ShownNumber {
    number: String,
    /// `·10⁵`, or nothing.
    times: String,
    ends: [String; 2],
}

impl ShownNumber {
    /// The value to the places that the interval allows, and so many more.
    fn of(value: f64, (low, high): (f64, f64), more: i32) -> Self {
        let power = power_shown(scientific(value).1);
        let decimals = (power - last_place((high - low) / 2.0) + more).max(0) as usize;
        let shown = |number: f64| match number {
            f64::INFINITY => "∞".to_owned(),
            number => printed(&format!("{:.decimals$}", scaled(number, power))),
        };
        Self {
            number: shown(value),
            times: times(power),
            ends: [low, high].map(shown),
        }
    }

    /// `4.40·10⁵ (4.16 – 4.67)`, with a unit after the number.
    fn with_unit(&self, unit: &str) -> String {
        let Self {
            number,
            times,
            ends: [low, high],
        } = self;
        format!("{number}{times}{unit} ({low} – {high})")
    }
}

/// The power of ten that stands beside a number of this size; 0 where none does.
fn power_shown(size: i32) -> i32 {
    if (-3..=3).contains(&size) { 0 } else { size }
}

fn times(power: i32) -> String {
    match power {
        0 => String::new(),
        power => format!("·{}", power_of_ten(power)),
    }
}

/// The power of ten of the last place worth writing, for this half width.
fn last_place(half: f64) -> i32 {
    if !half.is_finite() || half <= 0.0 {
        return -2;
    }
    let (lead, size) = scientific(half);
    if lead < 3.0 { size - 1 } else { size }
}

/// The number as `lead · 10^size`, 1 ≤ lead < 10; 0 as it is.
fn scientific(number: f64) -> (f64, i32) {
    let text = format!("{:e}", number.abs());
    let (lead, size) = text.split_once('e').unwrap_or((&text, "0"));
    (lead.parse().unwrap_or(0.0), size.parse().unwrap_or(0))
}

/// `number / 10^power`, by way of decimals, so that it is the same on every machine.
fn scaled(number: f64, power: i32) -> f64 {
    let (lead, size) = scientific(number);
    let scaled: f64 = format!("{lead}e{}", size - power).parse().unwrap_or(number);
    scaled.copysign(number)
}

/// The number with digits in threes and a sign of minus.
fn printed(text: &str) -> String {
    spaced(text).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_say_how_many_places_are_known() {
        let cases = [
            ((440_096.0, 415_673.0, 466_839.0), "4.40·10⁵ (4.16 – 4.67)"),
            ((421_674.0, 396_408.0, 443_555.0), "4.22·10⁵ (3.96 – 4.44)"),
            (
                (0.00868221, 0.00786616, 0.00945227),
                "0.0087 (0.0079 – 0.0095)",
            ),
            ((-1.6554, -2.31138, -0.999421), "−1.7 (−2.3 – −1.0)"),
            ((3.59923, 2.72323, 4.75703), "3.6 (2.7 – 4.8)"),
            ((342.561, 323.506, 362.518), "343 (324 – 363)"),
            ((0.0000399, 0.0000351, 0.0000452), "4.0·10⁻⁵ (3.5 – 4.5)"),
            ((12439.7, 11713.8, 13144.0), "1.24·10⁴ (1.17 – 1.31)"),
            ((0.27, 0.0, f64::INFINITY), "0.27 (0.00 – ∞)"),
        ];
        for ((value, low, high), expected) in cases {
            assert_eq!(
                ShownNumber::of(value, (low, high), 0).with_unit(""),
                expected
            );
        }
    }

    #[test]
    fn significant_digits_are_kept() {
        let cases = [
            ((43_349.7, 2), "4.3·10⁴"),
            ((1.2956, 3), "1.30"),
            ((0.0501, 2), "0.050"),
            ((9.996, 3), "10.0"),
            ((9_999.6, 3), "1.00·10⁴"),
            ((-0.0759, 2), "−0.076"),
            ((5.1e-37, 1), "5·10⁻³⁷"),
            ((416.6, 2), "420"),
            ((-2_057.3, 4), "−2\u{202F}057"),
            ((0.0, 2), "0"),
        ];
        for ((number, digits), expected) in cases {
            assert_eq!(significant(number, digits), expected);
        }
        let shown = ShownNumber::of(0.32, (0.226771, 0.451383), 0);
        assert_eq!(shown.with_unit(" %"), "0.32 % (0.23 – 0.45)");
        let more = ShownNumber::of(-1.6554, (-2.31138, -0.999421), 1);
        assert_eq!(more.with_unit(""), "−1.66 (−2.31 – −1.00)");
    }

    #[test]
    fn whole_numbers_are_spaced() {
        for (number, text) in [
            (14_200.0, "14\u{202F}200"),
            (479_001_600.0, "479\u{202F}001\u{202F}600"),
            (2_057.0, "2\u{202F}057"),
        ] {
            assert_eq!(whole(number).ok().as_deref(), Some(text));
        }
        assert!(whole(0.5).is_err() && whole(-1.0).is_err());
    }
}
