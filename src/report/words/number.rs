//! Numbers as text. Six digits of tables, short numbers for readers, powers of ten with raised
//! digits, and from which value on they are used, are decided here. The labels of axes are made in
//! `axes/scale/ticks.rs`.

use std::fmt::Write;

use crate::html::spaced;

/// Adds a number of six significant digits to a text: `447123`, `12.3457`, `2.06123e6` from a
/// million on and below a thousandth; `0`, and nothing for ∞: spreadsheets read `inf` as text.
pub fn add_six_digits(text: &mut String, value: f64) {
    const IN_MEMORY: &str = "a text takes all";
    let whole = value as i64;
    if value == 0.0 {
        text.push('0');
    } else if whole as f64 == value && whole.unsigned_abs() < 1_000_000 {
        // Many are whole, of which a real number would be written ten times as slowly.
        *text += &whole.to_string();
        let digits = whole.unsigned_abs().ilog10() as usize + 1;
        if digits < 6 {
            text.push('.');
            *text += &"00000"[..6 - digits];
        }
    } else if value.is_finite() {
        let written = match exponent_of_six_digits(value) {
            exponent @ -3..=5 => write!(text, "{value:.*}", (5 - exponent) as usize),
            _ => write!(text, "{value:.5e}"),
        };
        written.expect(IN_MEMORY);
    }
}

/// The power of ten of the first of six digits, after rounding.
fn exponent_of_six_digits(value: f64) -> i32 {
    const POWERS: [(f64, i32); 9] = [
        (1e2, 2),
        (1e3, 3),
        (1e1, 1),
        (1e4, 4),
        (1e0, 0),
        (1e5, 5),
        (1e-1, -1),
        (1e-2, -2),
        (1e-3, -3),
    ];
    // Where no rounding leads to the next power, two comparisons are enough; to write the number
    // takes twenty times as long.
    let is_clear = |power: f64| (power..9.9999 * power).contains(&value.abs());
    let clear = POWERS.iter().find(|(power, _)| is_clear(*power));
    clear.map_or_else(
        || parts(&format!("{value:.5e}")).1,
        |(_, exponent)| *exponent,
    )
}

/// The number with at most `digits` significant digits, for a reader, without trailing zeros:
/// `0.00949`, `4.02`, `12 300`, `2.06·10⁶`. It has no more digits than tell it from all others.
pub fn short(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return "∞".to_owned();
    }
    if let Some(whole) = whole_of(value, digits) {
        return spaced(whole);
    }
    // Up to fifteen digits a number of fewer is rounded to them with zeros behind, which go.
    let digits = if digits > 15 || !value.is_normal() {
        digits.min(all_digits(value))
    } else {
        digits
    };
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = parts(&scientific);
    if (-5..=4).contains(&exponent) {
        let mut decimal = in_decimals(mantissa, exponent);
        decimal.truncate(without_trailing_zeros(&decimal).len());
        // Of three digits before the point none are apart.
        return match exponent {
            3.. => spaced(decimal),
            _ => decimal,
        };
    }
    in_powers(value, digits)
}

/// The number as an integer below 10⁵ of no more than so many significant digits, if it is one:
/// many numbers are, and need not be rounded.
fn whole_of(value: f64, digits: usize) -> Option<i64> {
    let whole = value as i64;
    if whole == 0 || whole as f64 != value || whole.unsigned_abs() >= 100_000 {
        return None;
    }
    let mut significant = whole.unsigned_abs();
    while significant.is_multiple_of(10) {
        significant /= 10;
    }
    let most = 10_u64.pow(digits.min(5) as u32);
    (significant < most).then_some(whole)
}

/// `0.0123` and `12300` of the mantissa `1.23` with a power of ten.
fn in_decimals(mantissa: &str, exponent: i32) -> String {
    let unsigned = mantissa.trim_start_matches('-');
    let mut text = mantissa[..mantissa.len() - unsigned.len()].to_owned();
    // Zeros before the first digit, of which the first is before the point.
    let zeros = (-exponent).max(0);
    let n_whole = exponent.max(0) as usize + 1;
    let zeros = std::iter::repeat_n('0', zeros as usize);
    let digits = zeros.chain(unsigned.chars().filter(|sign| *sign != '.'));
    let mut count = 0;
    for digit in digits {
        if count == n_whole {
            text.push('.');
        }
        text.push(digit);
        count += 1;
    }
    text.extend(std::iter::repeat_n('0', n_whole.saturating_sub(count)));
    text
}

/// The number with as many digits as tell it from all others.
pub fn exact(value: f64) -> String {
    short(value, all_digits(value))
}

/// The significant digits of the shortest decimal that is read as the number.
fn all_digits(value: f64) -> usize {
    let shortest = format!("{value:e}");
    let mantissa = parts(&shortest).0;
    mantissa.chars().filter(char::is_ascii_digit).count()
}

/// So many digits at most, with a power of ten at any value but 0: `3.4·10⁴`.
pub fn in_powers(value: f64, digits: usize) -> String {
    let padded = with_power(value, digits);
    match padded.split_once('·') {
        Some((mantissa, power)) if value != 0.0 => {
            format!("{}·{power}", without_trailing_zeros(mantissa))
        }
        _ => "0".to_owned(),
    }
}

/// So many digits with a power of ten at any value: `3.40·10⁴`.
pub fn with_power(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = parts(&scientific);
    format!("{mantissa}·{}", power_of_ten(exponent))
}

/// The signs of an exponent as Unicode writes them, and plainly.
const RAISED: [(char, char); 12] = [
    ('⁰', '0'),
    ('¹', '1'),
    ('²', '2'),
    ('³', '3'),
    ('⁴', '4'),
    ('⁵', '5'),
    ('⁶', '6'),
    ('⁷', '7'),
    ('⁸', '8'),
    ('⁹', '9'),
    ('⁻', '-'),
    ('ⁿ', 'n'),
];

/// `10⁶`, with Unicode superscripts.
pub fn power_of_ten(exponent: i32) -> String {
    let raised = |plain: char| RAISED.iter().find(|pair| pair.1 == plain);
    let exponent = exponent.to_string();
    let exponent: String = exponent
        .chars()
        .filter_map(raised)
        .map(|(sign, _)| sign)
        .collect();
    format!("10{exponent}")
}

/// The sign for which a Unicode superscript stands.
fn lowered(sign: char) -> Option<char> {
    let found = RAISED.iter().find(|pair| pair.0 == sign);
    found.map(|pair| pair.1)
}

/// `10^6` of `10⁶`: the text without Unicode superscripts, which many fonts lack.
pub fn plain_powers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_raised = false;
    loop {
        // Most signs of a text stand for themselves.
        let bytes = rest.as_bytes();
        let mut run = 0;
        while run < bytes.len() && bytes[run].is_ascii() {
            run += 1;
        }
        let (run, after) = rest.split_at(run);
        plain += run;
        is_raised &= run.is_empty();
        let mut signs = after.chars();
        let Some(sign) = signs.next() else {
            return plain;
        };
        rest = signs.as_str();
        let digit = lowered(sign);
        if digit.is_some() && !is_raised {
            plain.push('^');
        }
        plain.push(digit.unwrap_or(sign));
        is_raised = digit.is_some();
    }
}

/// A text that ends with an exponent, as what is before it and the exponent; `None` of any other.
pub fn split_exponent(text: &str) -> Option<(String, String)> {
    let before = text.trim_end_matches(|sign| lowered(sign).is_some());
    let exponent: String = text[before.len()..].chars().filter_map(lowered).collect();
    (!exponent.is_empty()).then(|| (plain_powers(before), exponent))
}

/// Mantissa and power of ten of a number that Rust wrote as `d.ddde±x`, hence after rounding.
fn parts(scientific: &str) -> (&str, i32) {
    let parts = scientific.split_once('e');
    let parts = parts.and_then(|(mantissa, exponent)| Some((mantissa, exponent.parse().ok()?)));
    parts.expect("Rust writes an exponent after e")
}

fn without_trailing_zeros(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_six() {
        let cases = [
            (447_123.4, "447123"),
            (12.345678, "12.3457"),
            (999_999.6, "1.00000e6"),
            (2_061_234.0, "2.06123e6"),
            (0.001, "0.00100000"),
            (0.00099, "9.90000e-4"),
            (150.0, "150.000"),
            (0.0, "0"),
            (f64::INFINITY, ""),
        ];
        for (value, expected) in cases {
            let mut text = String::from("a");
            add_six_digits(&mut text, value);
            assert_eq!(text, format!("a{expected}"));
        }
    }

    /// The plain way: the number is rounded, and the rounded one written.
    #[test]
    fn short_numbers_are_rounded_numbers() {
        let plain = |value: f64, digits: usize| {
            let digits = digits.min(all_digits(value));
            let scientific = format!("{value:.*e}", digits - 1);
            let (_, exponent) = parts(&scientific);
            if !(-5..=4).contains(&exponent) {
                return in_powers(value, digits);
            }
            let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
            let rounded: f64 = scientific.parse().expect("a formatted float parses");
            spaced(without_trailing_zeros(&format!("{rounded:.decimals$}")))
        };
        let mut values = vec![5e-324, 2.5e-310, f64::MIN_POSITIVE, f64::MAX];
        for power in -7..=7 {
            let power = libm::exp10(f64::from(power));
            for factor in [
                1.0,
                1.2,
                1.25,
                4.45,
                9.5,
                9.99,
                9.9951,
                9.999999999999999,
                7.0 / 3.0,
            ] {
                values.extend([power * factor, (power * factor).round() + 1.0]);
            }
        }
        for value in values {
            for digits in [1, 2, 3, 5, 6, 12, 15, 16, 17] {
                for value in [value, -value] {
                    assert_eq!(
                        short(value, digits),
                        plain(value, digits),
                        "{value:e} {digits}"
                    );
                }
            }
        }
    }

    /// About each power of ten, where a number may be rounded to the next one, and between them.
    #[test]
    fn exponents_are_those_of_the_rounded_number() {
        for power in -8..=8 {
            let power = libm::exp10(f64::from(power));
            for factor in [1.0, 3.3, 9.9998, 9.99994, 9.999949, 9.99995, 9.999996] {
                for part in -4..=4 {
                    let value = power * factor * (1.0 + f64::from(part) * f64::EPSILON);
                    let expected = parts(&format!("{value:.5e}")).1;
                    assert_eq!(exponent_of_six_digits(value), expected, "{value:?}");
                    assert_eq!(exponent_of_six_digits(-value), expected, "{value:?}");
                }
            }
        }
    }

    #[test]
    fn an_exponent_needs_no_superscript() {
        for (text, plain) in [
            ("≥ 3.42·10⁶", "≥ 3.42·10^6"),
            ("10⁻¹²", "10^-12"),
            ("n² updates, 10³ trials", "n^2 updates, 10^3 trials"),
            ("n^(−1.5)", "n^(−1.5)"),
        ] {
            assert_eq!(plain_powers(text), plain);
        }
        let split = |text| split_exponent(text).map(|(before, exponent)| before + "|" + &exponent);
        assert_eq!(split("5·10⁻⁴").as_deref(), Some("5·10|-4"));
        assert_eq!(split("n², n³").as_deref(), Some("n^2, n|3"));
        assert_eq!(split("10⁶ updates"), None);
    }

    #[test]
    fn short_numbers_are_for_reading() {
        let cases = [
            (0.00948683298051, "0.00949"),
            (4.0, "4"),
            (4.0249, "4.02"),
            (9.999, "10"),
            (447_123.0, "4.47·10⁵"),
            (12_345.0, "12\u{202F}300"),
            (-2_428.7, "-2\u{202F}430"),
            (1e-12, "10⁻¹²"),
            (f64::INFINITY, "∞"),
        ];
        for (value, expected) in cases {
            assert_eq!(short(value, 3).trim_start_matches("1·"), expected);
        }
        assert_eq!(short(0.1, 17), "0.1");
        assert_eq!(exact(0.0430886938006), "0.0430886938006");
        assert_eq!(power_of_ten(-10), "10⁻¹⁰");
        assert_eq!(with_power(34_249.0, 3), "3.42·10⁴");
        assert_eq!(with_power(0.5, 3), "5.00·10⁻¹");
    }
}
