//! Numbers as they are written in a spec and on the command line. Integral floats are integers
//! (`1e9`) and integers are floats, without loss on the way.

use serde::Deserialize;
use toml::de::ValueDeserializer;

use super::values::Scalar;

/// The integer that a value is, exactly, within 128 bits, given its literal; also `1e18`, of at
/// most 15 digits, as many as a double keeps.
pub(super) fn integer(value: &Scalar, literal: &str) -> Option<i128> {
    let digits = mantissa(literal).chars().filter(char::is_ascii_digit);
    match value {
        Scalar::Whole(integer) => Some(*integer),
        Scalar::Real(_) if digits.count() <= 15 => real(value, literal)?.to_string().parse().ok(),
        _ => None,
    }
}

/// The double nearest to the number that a value is, given its literal; `None` if there is none
/// that is finite, or if a number other than 0 would become 0.
pub(super) fn real(value: &Scalar, literal: &str) -> Option<f64> {
    match value {
        Scalar::Whole(integer) => Some(*integer as f64),
        Scalar::Real(number) => {
            let is_zero = mantissa(literal).chars().all(|c| "0.+-_".contains(c));
            Some(*number).filter(|it| it.is_finite() && (*it != 0.0 || is_zero))
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

/// What stands before the exponent of a literal.
fn mantissa(literal: &str) -> &str {
    literal.split(['e', 'E']).next().unwrap_or_default()
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
}
