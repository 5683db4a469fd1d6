//! Numbers as they are written in a spec and on the command line. Integral floats are integers
//! (`1e9`) and integers are floats, without loss on the way.

use toml::de::DeValue;

/// The integer that `value` is, exactly, within 128 bits; also `1e18` and `9007199254740993.0`.
pub(super) fn integer(value: &DeValue) -> Option<i128> {
    match value {
        DeValue::Integer(literal) => i128::from_str_radix(literal.as_str(), literal.radix()).ok(),
        DeValue::Float(literal) => integral(literal.as_str()),
        _ => None,
    }
}

/// The double nearest to the number that `value` is; `None` if there is none that is finite, or if
/// a number other than 0 would become 0.
pub(super) fn real(value: &DeValue) -> Option<f64> {
    let number = match value {
        DeValue::Integer(literal) if literal.radix() == 10 => literal.as_str().parse().ok()?,
        DeValue::Integer(_) => integer(value)? as f64,
        DeValue::Float(literal) => literal.as_str().parse::<f64>().ok()?,
        _ => return None,
    };
    let vanished =
        number == 0.0 && matches!(value, DeValue::Float(literal) if !is_zero(literal.as_str()));
    (number.is_finite() && !vanished).then_some(number)
}

/// The integer that a text is, were it a value of a spec.
pub fn integer_in(text: &str) -> Option<i128> {
    integer(&value(text)?)
}

/// The number that a text is, were it a value of a spec.
pub fn real_in(text: &str) -> Option<f64> {
    real(&value(text)?)
}

/// The ends of `4..8`, or `4..=8`, both of them integers of the range.
pub fn range_in(text: &str) -> Option<[i128; 2]> {
    let (from, to) = text.split_once("..")?;
    Some([
        integer_in(from)?,
        integer_in(to.strip_prefix('=').unwrap_or(to))?,
    ])
}

fn value(text: &str) -> Option<DeValue<'_>> {
    let value = DeValue::parse(text.trim()).ok()?;
    Some(value.into_inner())
}

/// The integer that a decimal float literal spells, without going through a double.
fn integral(literal: &str) -> Option<i128> {
    let (sign, magnitude) = match literal.strip_prefix('-') {
        Some(magnitude) => (-1, magnitude),
        None => (1, literal.strip_prefix('+').unwrap_or(literal)),
    };
    if is_zero(literal) {
        return Some(0);
    }
    let (mantissa, exponent) = split_exponent(magnitude);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let significant = digits.trim_end_matches('0');
    let dropped = digits.len() - significant.len();
    let power = exponent.parse::<i64>().ok()?.checked_add(dropped as i64)?;
    let power = u32::try_from(power.checked_sub(fraction.len() as i64)?).ok()?;
    let power = 10i128.checked_pow(power)?;
    let number = significant.parse::<i128>().ok()?;
    number.checked_mul(power)?.checked_mul(sign)
}

/// True if a decimal float literal has no digit but 0 before its exponent.
fn is_zero(literal: &str) -> bool {
    let (mantissa, _) = split_exponent(literal);
    mantissa.contains('0')
        && mantissa
            .chars()
            .all(|c| matches!(c, '0' | '.' | '+' | '-' | '_'))
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
        let exact = [
            ("1e9", 1_000_000_000),
            ("1e18", 1_000_000_000_000_000_000),
            ("9007199254740993.0", 9_007_199_254_740_993),
            ("1_000.0", 1000),
            ("1.5e1", 15),
            ("0.0001e4", 1),
            ("-3.0", -3),
            ("+8.0", 8),
            ("0.0", 0),
            ("0e99999999999999999999", 0),
            ("0x10", 16),
            ("1_0", 10),
            ("18446744073709551615", u64::MAX.into()),
        ];
        for (text, expected) in exact {
            assert_eq!(integer_in(text), Some(expected), "{text}");
        }
        let others = "0.5 1e-1 1.00000001 nan inf -inf 1e39 1e99999999999999999999 true \"8\" [8]";
        for text in others.split(' ').chain(["1979-05-27"]) {
            assert_eq!(integer_in(text), None, "{text}");
        }
    }

    #[test]
    fn integers_are_floats_and_nothing_vanishes() {
        for (text, expected) in [
            ("0.01", 0.01),
            ("1", 1.0),
            ("0x10", 16.0),
            ("-0.0", 0.0),
            ("1e-300", 1e-300),
            ("0e5", 0.0),
            ("1_0.5", 10.5),
        ] {
            assert_eq!(real_in(text), Some(expected), "{text}");
        }
        for text in ["nan", "inf", "-inf", "1e400", "1e-400", "true", "\"0.1\""] {
            assert_eq!(real_in(text), None, "{text}");
        }
    }
}
