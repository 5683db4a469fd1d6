//! A number that follows another axis: `"0.0085 * (n / 8)^-1.5 to 2 digits"`.
//!
//! Powers are those of libm, and a value is rounded in decimal, so that it is the same number on
//! every machine.

/// The most characters of a formula, which bounds its brackets, too.
const LONGEST: usize = 200;

/// Significant digits where a formula does not say how many, as of the values of a range.
pub const DIGITS: usize = 12;

/// Values of axes by their names.
pub type At<'a> = &'a [(&'static str, f64)];

/// The words of a formula that may be names of axes.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic()))
}

/// The value of a formula where the axes have these values, rounded to its digits.
///
/// # Errors
/// What is found in the text that is no formula of these axes, and what is expected there.
pub fn value(text: &str, at: At) -> Result<f64, String> {
    if text.chars().count() > LONGEST {
        return Err(format!(
            "expected a formula of at most {LONGEST} characters"
        ));
    }
    let (formula, digits) = digits(text)?;
    let mut parser = Parser { rest: formula, at };
    let value = parser.sum()?;
    match parser.peek() {
        None => Ok(rounded(value, digits)),
        Some(_) => Err(parser.wrong("+, -, *, /, ^, \"to K digits\" or the end")),
    }
}

/// `value` rounded to so many significant decimal digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    let text = format!("{value:.*e}", digits - 1);
    text.parse().expect("a float's own decimal form parses")
}

/// The formula, and the digits of `to K digits` behind it.
fn digits(text: &str) -> Result<(&str, usize), String> {
    let words = text.trim_end().strip_suffix("digits");
    let Some((formula, digits)) = words.and_then(|it| it.rsplit_once("to ")) else {
        return Ok((text, DIGITS));
    };
    let digits = digits.trim();
    let is_allowed = |it: &usize| (1..=DIGITS).contains(it);
    let number = digits.parse().ok().filter(is_allowed);
    let number = number.ok_or_else(|| format!("to {digits} digits: expected 1 to {DIGITS}"))?;
    Ok((formula, number))
}

struct Parser<'t> {
    rest: &'t str,
    at: At<'t>,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// The sign that comes next, if it is one of these.
    fn sign(&mut self, signs: &str) -> Option<char> {
        let sign = self.peek().filter(|it| signs.contains(*it))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn wrong(&mut self, expected: &str) -> String {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(_) => format!(
                "{:?}",
                self.rest.split_whitespace().next().unwrap_or_default()
            ),
        };
        format!("found {found}; expected {expected}")
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.sign("+-") {
            let next = self.product()?;
            value = if sign == '+' {
                value + next
            } else {
                value - next
            };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        while let Some(sign) = self.sign("*/") {
            let next = self.signed()?;
            value = if sign == '*' {
                value * next
            } else {
                value / next
            };
        }
        Ok(value)
    }

    /// A power, which ties more closely than the sign before it: −2² is −4.
    fn signed(&mut self) -> Result<f64, String> {
        if self.sign("-").is_some() {
            return Ok(-self.signed()?);
        }
        let base = self.part()?;
        match self.sign("^") {
            Some(_) => Ok(libm::pow(base, self.signed()?)),
            None => Ok(base),
        }
    }

    /// A number, an axis, or a sum in brackets.
    fn part(&mut self) -> Result<f64, String> {
        if self.sign("(").is_some() {
            let value = self.sum()?;
            return match self.sign(")") {
                Some(_) => Ok(value),
                None => Err(self.wrong(") or an operator")),
            };
        }
        let names: Vec<&str> = self.at.iter().map(|it| it.0).collect();
        let expected = format!("a number, (, or {}", super::one_of(&names));
        let first = self.peek();
        let length = match first {
            Some(c) if c.is_ascii_digit() || c == '.' => number_length(self.rest),
            _ => names_length(self.rest),
        };
        let word = &self.rest[..length];
        let axis = self.at.iter().find(|it| it.0 == word).map(|it| it.1);
        let value = axis.or_else(|| word.parse().ok().filter(|it: &f64| it.is_finite()));
        let value = value.ok_or_else(|| self.wrong(&expected))?;
        self.rest = &self.rest[length..];
        Ok(value)
    }
}

/// Bytes of the word at the beginning.
fn names_length(text: &str) -> usize {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    end.unwrap_or(text.len())
}

/// Bytes of the number at the beginning: digits, a point, an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_of_number = |at: usize| match bytes[at] {
        b'0'..=b'9' | b'.' | b'e' | b'E' => true,
        b'+' | b'-' => at > 0 && matches!(bytes[at - 1], b'e' | b'E'),
        _ => false,
    };
    (0..bytes.len()).take_while(|at| is_of_number(*at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_their_values() {
        for (text, expected) in [
            ("0.0085 * (n / 8)^-1.5", 0.0085),
            ("n", 8.0),
            ("2 + 3 * n", 26.0),
            ("n - 2 - 3", 3.0),
            ("64 / n / 2", 4.0),
            ("-2^2 + n", 4.0),
            ("2^3^2", 512.0),
            ("1e-2*n", 0.08),
            ("eta / 3 to 2 digits", 0.033),
            ("n / 3 to 1 digits", 3.0),
            ("(1 + eta) * .5", 0.55),
            ("2 / 3", 0.666_666_666_667),
        ] {
            assert_eq!(
                value(text, &[("n", 8.0), ("eta", 0.1)]),
                Ok(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_formula_is_told() {
        for (text, told) in [
            ("", "found the end; expected a number, (, or n"),
            ("0..1", "found \"0..1\"; expected a number, (, or n"),
            (
                "n n",
                "found \"n\"; expected +, -, *, /, ^, \"to K digits\" or the end",
            ),
            ("(n", "found the end; expected ) or an operator"),
            ("m + 1", "found \"m\"; expected a number, (, or n"),
            ("inf * n", "found \"inf\"; expected a number, (, or n"),
            ("n to 13 digits", "to 13 digits: expected 1 to 12"),
            (
                &"(".repeat(201),
                "expected a formula of at most 200 characters",
            ),
        ] {
            let reason = value(text, &[("n", 8.0)]).expect_err(text);
            assert!(reason.starts_with(told), "{text}: {reason}");
        }
    }

    #[test]
    fn names_are_the_words_of_a_formula() {
        let words: Vec<&str> = names("0.1e3 * (n/8)^-eta to 2 digits").collect();
        assert_eq!(words, ["n", "eta", "to", "digits"]);
    }
}
