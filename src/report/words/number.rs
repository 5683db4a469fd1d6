//! Numbers as text.

use crate::html::spaced;

/// Six significant digits: `447123`, `12.3457`, `2.06123e6` from a million on and below a
/// thousandth; `0`, and nothing for ∞, since spreadsheets read `inf` as text.
pub fn six_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return String::new();
    }
    let scientific = format!("{value:.5e}");
    match parts(&scientific).1 {
        exponent @ -3..=5 => format!("{value:.*}", (5 - exponent) as usize),
        _ => scientific,
    }
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
    let digits = digits.min(all_digits(value));
    let scientific = format!("{value:.*e}", digits - 1);
    let (_, exponent) = parts(&scientific);
    if (-5..=4).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        let rounded: f64 = scientific.parse().expect("a formatted float parses");
        return spaced(without_trailing_zeros(&format!("{rounded:.decimals$}")));
    }
    in_powers(value, digits)
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
    // Most signs of a text stand for themselves.
    if sign.is_ascii() {
        return None;
    }
    let found = RAISED.iter().find(|pair| pair.0 == sign);
    found.map(|pair| pair.1)
}

/// `10^6` of `10⁶`: the text without Unicode superscripts, which many fonts lack.
pub fn plain_powers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_raised = false;
    for sign in text.chars() {
        let digit = lowered(sign);
        if digit.is_some() && !is_raised {
            plain.push('^');
        }
        plain.push(digit.unwrap_or(sign));
        is_raised = digit.is_some();
    }
    plain
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
            assert_eq!(six_digits(value), expected);
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
