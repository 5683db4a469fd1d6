//! A number that follows another axis: `"0.0085 * (n / 8)^-1.5 to 2 digits"`.
//!
//! Powers are those of libm, and a value is rounded in decimal, so that it is the same number on
//! every machine. Here are the operators and their precedence, `to K digits` (12 without it), the
//! longest formula (200 characters), and the messages.

use winnow::combinator::{Infix, Prefix, alt, cut_err, dispatch, expression, fail, preceded};
use winnow::error::{ContextError, ErrMode, StrContext};
use winnow::prelude::*;
use winnow::token::{any, take_while};

use super::error::wrong_part;

/// The most characters of a formula, which bounds its brackets, too.
const LONGEST: usize = 200;

/// Significant digits where a formula does not say how many, as of the values of a range.
pub const DIGITS: usize = 12;

/// Values of axes by their names.
pub type At<'a> = &'a [(&'a str, f64)];

/// The words of a formula that may be names of axes.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic()))
}

/// The value of a formula where the axes have these values, rounded to its digits.
///
/// # Errors
/// The place that is no formula of these axes, what is found and what is expected there.
pub fn value(text: &str, at: At) -> Result<f64, String> {
    if text.chars().count() > LONGEST {
        return Err(wrong_part(
            text,
            text,
            &format!("at most {LONGEST} characters"),
        ));
    }
    let (formula, digits) = digits(text)?;
    let mut rest = formula;
    let expected = match sum(&mut rest, at) {
        Ok(value) if rest.trim().is_empty() => return Ok(rounded(value, digits)),
        Ok(_) => "+, -, *, /, ^, \"to K digits\" or the end".to_owned(),
        Err(error) => expected(error, at),
    };
    let word = rest.split_whitespace().next();
    Err(wrong_part(
        text,
        word.unwrap_or(&rest[rest.len()..]),
        &expected,
    ))
}

/// `value` rounded to so many significant decimal digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    let text = format!("{value:.*e}", digits - 1);
    text.parse().expect("a float's own decimal form parses")
}

/// The formula, and the digits of `to K digits` behind it.
fn digits(text: &str) -> Result<(&str, usize), String> {
    let words = text.trim_end().strip_suffix("digits");
    let Some((formula, digits)) = words.and_then(|word| word.rsplit_once("to ")) else {
        return Ok((text, DIGITS));
    };
    let digits = digits.trim();
    match digits.parse() {
        Ok(number) if (1..=DIGITS).contains(&number) => Ok((formula, number)),
        _ => Err(wrong_part(text, digits, &format!("1 to {DIGITS}"))),
    }
}

/// A formula of operators. A power ties more closely than the sign before it: −2² is −4.
fn sum(rest: &mut &str, at: At) -> ModalResult<f64> {
    expression(|rest: &mut &str| operand(rest, at))
        .prefix(preceded(blanks, '-').value(Prefix(3, |_: &mut &str, a: f64| Ok(-a))))
        .infix(dispatch! {preceded(blanks, any);
            '+' => Infix::Left(1, |_: &mut &str, a: f64, b: f64| Ok(a + b)),
            '-' => Infix::Left(1, |_: &mut &str, a: f64, b: f64| Ok(a - b)),
            '*' => Infix::Left(2, |_: &mut &str, a: f64, b: f64| Ok(a * b)),
            '/' => Infix::Left(2, |_: &mut &str, a: f64, b: f64| Ok(a / b)),
            '^' => Infix::Right(4, |_: &mut &str, a: f64, b: f64| Ok(libm::pow(a, b))),
            _ => fail,
        })
        .parse_next(rest)
}

/// A number, an axis, or a sum in brackets.
fn operand(rest: &mut &str, at: At) -> ModalResult<f64> {
    let in_brackets = |rest: &mut &str| {
        '('.parse_next(rest)?;
        let value = cut_err(|rest: &mut &str| sum(rest, at)).parse_next(rest)?;
        let closing = preceded(blanks, ')').context(StrContext::Label(BRACKET));
        cut_err(closing).parse_next(rest)?;
        Ok(value)
    };
    let value = |word: &str| at.iter().find(|(axis, _)| *axis == word);
    let is_inner = |c: char| c.is_alphanumeric() || c == '_';
    let axis = take_while(1.., is_inner).verify_map(|word| Some(value(word)?.1));
    let finite = alt((in_brackets, number, axis)).verify(|value: &f64| value.is_finite());
    preceded(blanks, finite).parse_next(rest)
}

const BRACKET: &str = ") or an operator";

/// The longest text that is a number: a sign behind its e belongs to it.
fn number(rest: &mut &str) -> ModalResult<f64> {
    let is_number = rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    for length in (1..=rest.len()).rev().filter(|_| is_number) {
        if let Some(Ok(value)) = rest.get(..length).map(str::parse) {
            *rest = &rest[length..];
            return Ok(value);
        }
    }
    fail.parse_next(rest)
}

/// Blanks, which mean nothing.
fn blanks(rest: &mut &str) -> ModalResult<()> {
    *rest = rest.trim_start();
    Ok(())
}

/// What is expected where the formula cannot go on.
fn expected(error: ErrMode<ContextError>, at: At) -> String {
    let context = error.into_inner().unwrap_or_default();
    if let Some(StrContext::Label(label)) = context.context().next() {
        return (*label).to_owned();
    }
    let axes: Vec<&str> = at.iter().map(|(axis, _)| *axis).collect();
    format!("a number, (, or {}", super::one_of(&axes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_their_values() {
        let all = "0.0085 * (n / 8)^-1.5 = 0.0085, n = 8, 2 + 3 * n = 26, n - 2 - 3 = 3, \
            64 / n / 2 = 4, -2^2 + n = 4, 2^3^2 = 512, 1e-2*n = 0.08, 2e+1-n = 12, \
            eta / 3 to 2 digits = 0.033, n / 3 to 1 digits = 3, (1 + eta) * .5 = 0.55, \
            2 / 3 = 0.666666666667";
        for (text, expected) in all.split(", ").filter_map(|it| it.split_once(" = ")) {
            let found = value(text, &[("n", 8.0), ("eta", 0.1)]);
            assert_eq!(found, Ok(expected.parse().expect("a number")), "{text}");
        }
    }

    /// An error shows the word at which the formula cannot go on.
    #[test]
    fn what_is_no_formula_is_said() {
        for (text, expected) in [
            (
                "n *",
                "at character 4: found the end; expected a number, (, or n",
            ),
            (
                "n * m",
                "at character 5: found \"m\"; expected a number, (, or n",
            ),
            (
                "2 + )",
                "at character 5: found \")\"; expected a number, (, or n",
            ),
            (
                "1e400*n",
                "at character 1: found \"1e400*n\"; expected a number",
            ),
            ("n**2", "at character 3: found \"*2\"; expected a number"),
            (
                "2 * (n + 3",
                "at character 11: found the end; expected ) or an operator",
            ),
            (
                "(n & 2)",
                "at character 4: found \"&\"; expected ) or an operator",
            ),
            (
                "3n",
                "at character 2: found \"n\"; expected +, -, *, /, ^, \"to K digits\"",
            ),
            (
                "n)",
                "at character 2: found \")\"; expected +, -, *, /, ^, \"to K digits\"",
            ),
        ] {
            let error = value(text, &[("n", 8.0)]).expect_err(text);
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn no_formula_is_too_long_or_too_exact() {
        for text in ["n to 13 digits", &"(".repeat(201)] {
            assert!(value(text, &[("n", 8.0)]).is_err(), "{text}");
        }
    }
}
