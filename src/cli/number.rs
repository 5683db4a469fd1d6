//! Numbers of the command line, read as in a spec: `1e4`, `10_000` and `10000.0` are one integer.

use std::fmt::Display;
use std::ops::RangeInclusive;

use toml::de::DeValue;

/// Decimal digits of a 128-bit integer that cannot overflow.
const DIGITS: i64 = 38;

/// A reader of integers within a range, for `value_parser`.
pub fn whole<T>(allowed: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<i128> + PartialOrd + Display + Clone,
{
    move |text: &str| {
        let number = integer(text).and_then(|number| T::try_from(number).ok());
        let within = number.filter(|number| allowed.contains(number));
        within.ok_or_else(|| {
            let (least, most) = (allowed.start(), allowed.end());
            format!("allowed is an integer from {least} to {most}, as 1000, 1_000 or 1e3")
        })
    }
}

/// A reader of numbers of threads, for `value_parser`: thousands would keep the machine busy with
/// themselves.
pub fn threads() -> impl Fn(&str) -> Result<u16, String> + Clone {
    const ALWAYS_ALLOWED: usize = 64;
    const PER_PROCESSOR: usize = 4;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = ALWAYS_ALLOWED.max(processors.saturating_mul(PER_PROCESSOR));
    let most = u16::try_from(most).unwrap_or(u16::MAX);
    let read = whole(1..=most);
    move |text: &str| {
        read(text).map_err(|_| {
            format!("allowed is an integer from 1 to {most}: {PER_PROCESSOR} for each processor, and always {ALWAYS_ALLOWED}")
        })
    }
}

/// A reader of finite numbers, for `value_parser`.
pub fn number(text: &str) -> Result<f64, String> {
    real(text).ok_or_else(|| "allowed is a number, as 0.01 or 1e-2".to_owned())
}

/// The integer that a text spells, exactly, if it is one and within 128 bits.
pub fn integer(text: &str) -> Option<i128> {
    match literal(text)? {
        DeValue::Integer(literal) => i128::from_str_radix(literal.as_str(), literal.radix()).ok(),
        DeValue::Float(literal) => integral(literal.as_str()),
        _ => None,
    }
}

/// The double nearest to the number that a text spells, if it is finite and, where the number is
/// not 0, not 0 either.
pub fn real(text: &str) -> Option<f64> {
    let (number, is_zero) = match literal(text)? {
        DeValue::Integer(_) => {
            let integer = integer(text)?;
            (integer as f64, integer == 0)
        }
        DeValue::Float(literal) => {
            let literal = literal.as_str();
            (literal.parse().ok()?, integral(literal) == Some(0))
        }
        _ => return None,
    };
    let number: f64 = number;
    (number.is_finite() && (number != 0.0 || is_zero)).then_some(number)
}

/// A value as a spec writes it.
fn literal(text: &str) -> Option<DeValue<'_>> {
    DeValue::parse(text.trim())
        .ok()
        .map(toml::Spanned::into_inner)
}

/// The integer that a decimal float literal spells, without going through a double.
fn integral(literal: &str) -> Option<i128> {
    let plain = literal.replace('_', "").to_lowercase();
    let (mantissa, exponent) = plain.split_once('e').unwrap_or((&plain, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.trim_start_matches(['+', '-', '0']).is_empty() {
        return digits.contains('0').then_some(0);
    }
    let dropped = (digits.len() - significant.len()) as i64;
    let shift = exponent.parse::<i64>().ok()?.checked_add(dropped)?;
    let power = shift.checked_sub(fraction.len() as i64)?;
    let power = (0..=DIGITS).contains(&power).then_some(power as u32)?;
    significant
        .parse::<i128>()
        .ok()?
        .checked_mul(10i128.checked_pow(power)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;
    use crate::solver::Value;

    /// What a spec makes of the text as a seed, and as an ε.
    fn in_a_spec(text: &str) -> (Option<u64>, Option<f64>) {
        let sweep = "n = 4\ntrials = 1\ncutoff = 1\nalgorithm = \"pair\"";
        let read = |seed: &str, epsilon: &str| {
            let spec = format!("seed = {seed}\n[[sweep]]\n{sweep}\nepsilon = {epsilon}\n");
            spec::parse_without_figures("a", "a.toml", &spec).ok()
        };
        let seed = read(text, "0.1").map(|spec| spec.seeds[0]);
        let epsilon = read("1", text).and_then(|spec| {
            let axes = &spec.sweeps[0].axes;
            let (_, values) = axes.iter().find(|(axis, _)| axis.name == "epsilon")?;
            match values[0] {
                Value::Real(value) => Some(value),
                Value::Integer(_) => None,
            }
        });
        (seed, epsilon)
    }

    /// Every text is the number that a spec would read, or none where a spec has none.
    #[test]
    fn numbers_are_read_as_in_a_spec() {
        let texts = [
            "0",
            "1",
            "7",
            "1e4",
            "1E4",
            "10_000",
            "10_000.0",
            "1e18",
            "9007199254740993.0",
            "1.5e1",
            "0.0001e4",
            "+8.0",
            "0.0",
            "0e99999999999999999999",
            "0x10",
            "0b11",
            "0o17",
            "18446744073709551615",
            "18446744073709551616",
            "1e39",
            "1e99999999999999999999",
            "-3.0",
            "-1",
            "0.5",
            "1e-1",
            "1.00000001",
            "nan",
            "inf",
            "-inf",
            "true",
            "\"8\"",
            "[8]",
            "1979-05-27",
            "",
            "x",
            "1 2",
            "1e",
            "0.01",
            "1e-300",
            "1e-400",
            "0e5",
            "1.",
            ".5",
            "01",
            "1__0",
            "_1",
        ];
        for text in texts {
            let (seed, epsilon) = in_a_spec(text);
            assert_eq!(whole(0..=u64::MAX)(text).ok(), seed, "{text} as an integer");
            let probability = number(text).ok().filter(|p| (0.0..=1.0).contains(p));
            assert_eq!(probability, epsilon, "{text} as a probability");
        }
    }

    #[test]
    fn a_refusal_names_what_is_allowed() {
        let refused = whole(1..=65_535u16)("1e5").expect_err("too large");
        assert_eq!(
            refused,
            "allowed is an integer from 1 to 65535, as 1000, 1_000 or 1e3"
        );
    }
}
