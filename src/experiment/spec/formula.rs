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
        let reason = format!("expected a formula of at most {LONGEST} characters");
        return Err(reason);
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
    let Some((formula, digits)) = words.and_then(|word| word.rsplit_once("to ")) else {
        return Ok((text, DIGITS));
    };
    let digits = digits.trim();
    match digits.parse() {
        Ok(number) if (1..=DIGITS).contains(&number) => Ok((formula, number)),
        _ => Err(format!("to {digits} digits: expected 1 to {DIGITS}")),
    }
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
        let sign = self.peek().filter(|sign| signs.contains(*sign))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn wrong(&mut self, expected: &str) -> String {
        self.peek();
        let found = match self.rest.split_whitespace().next() {
            Some(word) => format!("{word:?}"),
            None => "the end".to_owned(),
        };
        format!("found {found}; expected {expected}")
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.sign("+-") {
            let next = self.product()?;
            value += if sign == '+' { next } else { -next };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        while let Some(sign) = self.sign("*/") {
            let by = self.signed()?;
            value = if sign == '*' { value * by } else { value / by };
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
        self.peek();
        let Some((length, value)) = self.axis().or_else(|| self.number()) else {
            let axes: Vec<&str> = self.at.iter().map(|(axis, _)| *axis).collect();
            let expected = format!("a number, (, or {}", super::one_of(&axes));
            return Err(self.wrong(&expected));
        };
        self.rest = &self.rest[length..];
        Ok(value)
    }

    /// The axis whose name comes next: the length of the name, and the axis's value.
    fn axis(&self) -> Option<(usize, f64)> {
        let word = names(self.rest).next()?;
        let (name, value) = self.at.iter().find(|(name, _)| *name == word)?;
        (self.rest.starts_with(word) && value.is_finite()).then_some((name.len(), *value))
    }

    /// The number that comes next, with the length of its text: the longest that is one, as a sign
    /// behind its e belongs to it.
    fn number(&self) -> Option<(usize, f64)> {
        let begins_number = |c: char| c.is_ascii_digit() || c == '.';
        if !self.rest.starts_with(begins_number) {
            return None;
        }
        let lengths = (1..=self.rest.len()).rev();
        let mut numbers = lengths.filter_map(|length| {
            let value: f64 = self.rest.get(..length)?.parse().ok()?;
            Some((length, value))
        });
        numbers.next().filter(|(_, value)| value.is_finite())
    }
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

    #[test]
    fn no_formula_is_too_long_or_too_exact() {
        for text in ["n to 13 digits", &"(".repeat(201)] {
            assert!(value(text, &[("n", 8.0)]).is_err(), "{text}");
        }
    }
}
