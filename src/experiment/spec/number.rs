//! Numbers as they are written in a spec and on the command line. Integral floats are integers
//! (`1e9`) and integers are floats, without loss on the way. Here are the largest integer (2⁶³ −
//! 1), the forms of a literal (`1e9`, `4..8`), the digits with which values that differ are printed
//! (3 at least), and which values a number of `where` and `--only` means: those that have exactly
//! it, or are printed so, with three digits or more ([`meant`]).

use itertools::Itertools;
use serde::Deserialize;
use toml::de::ValueDeserializer;

use super::formula::rounded;

/// The largest integer of a spec and of a table, 2⁶³ − 1, which is TOML's own limit. Integers
/// without a sign are a trap for who subtracts two columns: 1 − 2 is 4294967295 in most readers of
/// Parquet.
pub const MOST_INTEGER: u64 = i64::MAX as u64;

/// The integer that a literal is, exactly, within 128 bits; also `1e18`, of at most 15 digits, as
/// many as a double keeps.
pub fn integer_in(text: &str) -> Option<i128> {
    let digits = mantissa(text).chars().filter(char::is_ascii_digit).count();
    let real = || real_in(text).filter(|_| digits <= 15);
    parsed(text).or_else(|| real()?.to_string().parse().ok())
}

/// The double nearest to the number that a literal is; `None` if there is none that is finite, or
/// if a number other than 0 would become 0.
pub fn real_in(text: &str) -> Option<f64> {
    let is_zero = mantissa(text).chars().all(|c| "0.+-_".contains(c));
    if let Some(integer) = parsed::<i128>(text) {
        return Some(integer as f64);
    }
    let real: f64 = parsed(text)?;
    (real.is_finite() && (real != 0.0 || is_zero)).then_some(real)
}

/// The ends of `4..8`, or `4..=8`, both of them integers of the range.
pub fn range_in(text: &str) -> Option<[i128; 2]> {
    let (from, to) = text.split_once("..")?;
    let to = to.strip_prefix('=').unwrap_or(to);
    Some([integer_in(from)?, integer_in(to)?])
}

/// The fewest digits with which the values of an axis are printed.
pub const LEAST_DIGITS: usize = 3;

/// The digits with which a double is exact.
const ALL_DIGITS: usize = 17;

/// Significant digits, so many at least, with which values that differ are printed differently.
pub fn telling_digits(values: impl IntoIterator<Item = f64>, least: usize) -> usize {
    let values: Vec<f64> = values.into_iter().collect();
    let values: Vec<f64> = values
        .into_iter()
        .unique_by(|value| value.to_bits())
        .collect();
    let tell = |digits: &usize| {
        let printed = values
            .iter()
            .map(|value| rounded(*value, *digits).to_bits());
        printed.unique().count() == values.len()
    };
    (least..ALL_DIGITS).find(tell).unwrap_or(ALL_DIGITS)
}

/// The values of points that a number means: those that are exactly it; only if none is, those of
/// which it is the printed form, with three digits or more. Each once, ascending.
pub fn meant(number: f64, values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let values = values.into_iter().sorted_by(f64::total_cmp).dedup();
    let values: Vec<f64> = values.collect();
    if values.contains(&number) {
        return vec![number];
    }
    let is_printed_so = |value: &f64| {
        // Half a unit of the third digit is at most 0.5 % of the value.
        let is_near = (value - number).abs() <= 0.006 * value.abs();
        is_near && (LEAST_DIGITS..ALL_DIGITS).any(|digits| rounded(*value, digits) == number)
    };
    values.into_iter().filter(is_printed_so).collect()
}

/// What a literal of TOML is.
fn parsed<'t, T: Deserialize<'t>>(text: &'t str) -> Option<T> {
    T::deserialize(ValueDeserializer::parse(text.trim()).ok()?).ok()
}

/// What stands before the exponent of a literal.
fn mantissa(literal: &str) -> &str {
    literal.trim().split(['e', 'E']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integral_floats_are_integers_and_nothing_is_lost() {
        let exact = "1e9=1000000000 1e18=1000000000000000000 1_000.0=1000 1.5e1=15 0.0001e4=1 \
            -3.0=-3 +8.0=8 0.0=0 0e99999999999999999999=0 0x10=16 1_0=10 \
            18446744073709551615=18446744073709551615";
        for (text, expected) in exact.split(' ').filter_map(|it| it.split_once('=')) {
            assert_eq!(integer_in(text), expected.parse().ok(), "{text}");
            assert_eq!(real_in(text), expected.parse().ok(), "{text}");
        }
        for text in "0.01 1.00000001 1e-300 1e39 9007199254740993.0".split(' ') {
            let found = (integer_in(text), real_in(text));
            assert_eq!(found, (None, text.parse().ok()), "{text}");
        }
        for text in "nan inf -inf 1e400 1e-400 true \"8\" [8] 1979-05-27".split(' ') {
            assert_eq!((integer_in(text), real_in(text)), (None, None), "{text}");
        }
    }
    /// Of 0.1, 0.10001 and 0.1004 three digits are 0.1, 0.1 and 0.1; 0.101 has another third one.
    #[test]
    fn a_number_means_the_value_that_is_exactly_it_or_printed_so() {
        let near = [0.1, 0.10001, 0.1004, 0.101];
        let grid = 0.0965489384606;
        for (number, values, expected) in [
            (0.1, &near[..], &[0.1][..]),
            (0.1, &near[1..], &[0.10001, 0.1004]),
            (0.1004, &near, &[0.1004]),
            (0.0965, &[0.2, grid, grid], &[grid]),
            (0.0965489, &[grid], &[grid]),
            (0.097, &[grid], &[]),
            (0.0, &[1e-300], &[]),
        ] {
            assert_eq!(meant(number, values.iter().copied()), expected, "{number}");
        }
        assert_eq!(telling_digits(near, 3), 5);
        assert_eq!(telling_digits([0.1, 0.1, 0.2], 3), 3);
        let next = f64::from_bits(0.1_f64.to_bits() + 1);
        assert_eq!(telling_digits([0.1, next, 0.2], 6), 17);
    }
}
