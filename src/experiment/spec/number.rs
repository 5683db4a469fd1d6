//! Numbers as they are written in a spec and on the command line. Integral floats are integers
//! (`1e9`) and integers are floats, without loss on the way.

use serde::Deserialize;
use toml::de::ValueDeserializer;

use super::values::Scalar;

/// The integer that a value is, exactly, within 128 bits, given its literal; also `1e18` and
/// `9007199254740993.0`.
pub(super) fn integer(value: &Scalar, literal: &str) -> Option<i128> {
    match value {
        Scalar::Whole(integer) => Some(*integer),
        Scalar::Real(_) => integral(&literal.replace('_', "")),
        _ => None,
    }
}

/// The double nearest to the number that a value is, given its literal; `None` if there is none
/// that is finite, or if a number other than 0 would become 0.
pub(super) fn real(value: &Scalar, literal: &str) -> Option<f64> {
    match value {
        Scalar::Whole(integer) => Some(*integer as f64),
        Scalar::Real(number) => {
            let has_vanished = *number == 0.0 && !is_zero(literal);
            Some(*number).filter(|it| it.is_finite() && !has_vanished)
        }
        _ => None,
    }
}

/// The integer that a text is, were it a value of a spec.
pub fn integer_in(text: &str) -> Option<i128> {
    integer(&value(text)?, text.trim())
}

/// The number that a text is, were it a value of a spec.
pub fn real_in(text: &str) -> Option<f64> {
    real(&value(text)?, text.trim())
}

/// The ends of `4..8`, or `4..=8`, both of them integers of the range.
pub fn range_in(text: &str) -> Option<[i128; 2]> {
    let (from, to) = text.split_once("..")?;
    let to = to.strip_prefix('=').unwrap_or(to);
    Some([integer_in(from)?, integer_in(to)?])
}

fn value(text: &str) -> Option<Scalar> {
    Scalar::deserialize(ValueDeserializer::parse(text.trim()).ok()?).ok()
}

/// The integer that a decimal float literal spells, without going through a double.
fn integral(literal: &str) -> Option<i128> {
    if is_zero(literal) {
        return Some(0);
    }
    let (mantissa, exponent) = split_exponent(literal);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let significant = digits.trim_end_matches('0');
    let dropped = digits.len() as i64 - significant.len() as i64 - fraction.len() as i64;
    let power = exponent.parse::<i64>().ok()?.checked_add(dropped)?;
    let power = 10i128.checked_pow(power.try_into().ok()?)?;
    significant.parse::<i128>().ok()?.checked_mul(power)
}

/// True if a decimal float literal has no digit but 0 before its exponent.
fn is_zero(literal: &str) -> bool {
    let (mantissa, _) = split_exponent(literal);
    mantissa.contains('0') && mantissa.chars().all(|c| "0.+-_".contains(c))
}

/// Mantissa and exponent, `0` where none is written.
fn split_exponent(literal: &str) -> (&str, &str) {
    literal.split_once(['e', 'E']).unwrap_or((literal, "0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integral_floats_are_integers_exactly() {
        let exact = "1e9=1000000000 1e18=1000000000000000000 1_000.0=1000 1.5e1=15 0.0001e4=1 \
            9007199254740993.0=9007199254740993 -3.0=-3 +8.0=8 0.0=0 0e99999999999999999999=0 \
            0x10=16 1_0=10 18446744073709551615=18446744073709551615";
        for (text, expected) in exact.split(' ').filter_map(|it| it.split_once('=')) {
            assert_eq!(integer_in(text), expected.parse().ok(), "{text}");
        }
        let others = "0.5 1e-1 1.00000001 nan inf -inf 1e39 1e99999999999999999999 true \"8\" [8]";
        for text in others.split(' ').chain(["1979-05-27"]) {
            assert_eq!(integer_in(text), None, "{text}");
        }
    }

    #[test]
    fn integers_are_floats_and_nothing_vanishes() {
        let all = "0.01=0.01 1=1 0x10=16 -0.0=0 1e-300=1e-300 0e5=0 1_0.5=10.5";
        for (text, expected) in all.split(' ').filter_map(|it| it.split_once('=')) {
            assert_eq!(real_in(text), expected.parse().ok(), "{text}");
        }
        for text in "nan inf -inf 1e400 1e-400 true \"0.1\"".split(' ') {
            assert_eq!(real_in(text), None, "{text}");
        }
    }
}
