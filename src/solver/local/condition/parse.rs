//! The parser of conditions: by the strength of operators, from the left. Here are the limits (200
//! characters, 20 brackets and `not` in one another, numbers up to 999) and the messages of a text
//! that is no condition.

use super::{COMPARISON, Condition, Expression, NOT, NamedNumber, Operator};

/// The most characters of a condition: it stands in rows and in legends.
const LONGEST: usize = 200;

/// The most brackets and `not` inside of each other.
const DEEPEST: usize = 20;

/// The largest number that a condition may name; no fact is above 64.
const GREATEST: i32 = 999;

/// What a text lacks to be a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {}: {reason}", at + 1)]
pub struct ConditionError {
    /// The number of characters before the place.
    pub at: usize,
    /// What was found there, and what was expected.
    pub reason: String,
}

/// What may stand where a part begins.
const PART: &str =
    "safe, true, false, not, a.signals, b.signals, b.queens, b.own, an integer or a bracket";

pub(super) fn condition(text: &str) -> Result<Condition, ConditionError> {
    let length = text.chars().count();
    if length > LONGEST {
        let reason = format!("{length} characters; expected at most {LONGEST}");
        return Err(ConditionError { at: 0, reason });
    }
    let tokens = tokens(text)?;
    let mut parser = ConditionParser {
        tokens: &tokens,
        next: 0,
        end: length,
        depth: 0,
    };
    let whole = parser.part(0)?;
    let truth = parser.truth(whole, 0)?;
    match parser.peek() {
        None => Ok(Condition(truth)),
        Some(_) => Err(parser.wrong("and, or, a comparison or the end")),
    }
}

/// A word, a number or a sign, and the number of characters before it.
type Token<'t> = (usize, &'t str);

fn tokens(text: &str) -> Result<Vec<Token<'_>>, ConditionError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut at = 0;
    while let Some(first) = rest.chars().next() {
        let is_of_word = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
        let length = if first.is_whitespace() || "()".contains(first) {
            first.len_utf8()
        } else if is_of_word(first) {
            rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())
        } else {
            let signs = Operator::SIGNS.iter().map(|(sign, _)| *sign);
            let sign = signs.into_iter().find(|sign| rest.starts_with(sign));
            let Some(sign) = sign else {
                let meant = if first == '=' { "==" } else { PART };
                let reason = format!("found {first:?}; expected {meant}");
                return Err(ConditionError { at, reason });
            };
            sign.len()
        };
        let (token, others) = rest.split_at(length);
        if !first.is_whitespace() {
            tokens.push((at, token));
        }
        at += token.chars().count();
        rest = others;
    }
    Ok(tokens)
}

struct ConditionParser<'t> {
    tokens: &'t [Token<'t>],
    /// The index of the token that comes next.
    next: usize,
    /// The number of characters of the text.
    end: usize,
    /// Brackets and `not` that are open.
    depth: usize,
}

impl<'t> ConditionParser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.next).map(|token| token.1)
    }

    /// The number of characters before the token that comes next.
    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |token| token.0)
    }

    /// The error of the token that comes next.
    fn wrong(&self, expected: &str) -> ConditionError {
        let found = self
            .peek()
            .map_or_else(|| "the end".to_owned(), |token| format!("{token:?}"));
        ConditionError {
            at: self.at(),
            reason: format!("found {found}; expected {expected}"),
        }
    }

    /// The operator that comes next.
    fn operator(&self) -> Option<Operator> {
        let token = self.peek()?;
        let entry = Operator::SIGNS.iter().find(|(sign, _)| *sign == token);
        entry.map(|(_, operator)| *operator)
    }

    /// The longest part that begins here whose operators tie at least so closely.
    fn part(&mut self, strength: u8) -> Result<Expression, ConditionError> {
        let begin = self.at();
        let mut left = self.single()?;
        while let Some(operator) = self.operator() {
            let own = operator.strength();
            if own < strength {
                break;
            }
            left = self.of_kind(left, operator.joins_truths(), begin)?;
            self.next += 1;
            let middle = self.at();
            let right = self.part(own + 1)?;
            let right = self.of_kind(right, operator.joins_truths(), middle)?;
            left = Expression::Two(operator, Box::new([left, right]));
            let follows = self.operator().map(Operator::strength);
            if own == COMPARISON && follows == Some(COMPARISON) {
                return Err(self.wrong("and between two comparisons"));
            }
        }
        Ok(left)
    }

    /// A word, a number, or what stands in brackets or after `not`.
    fn single(&mut self) -> Result<Expression, ConditionError> {
        let Some(token) = self.peek() else {
            return Err(self.wrong(PART));
        };
        let word = match token {
            "safe" => Some(Expression::Safe),
            "true" => Some(Expression::Truth(true)),
            "false" => Some(Expression::Truth(false)),
            _ => None,
        };
        let fact = NamedNumber::WORDS.iter().find(|(word, _)| *word == token);
        if let Some(found) = word.or(fact.map(|(_, fact)| Expression::NamedNumber(*fact))) {
            self.next += 1;
            return Ok(found);
        }
        match token {
            "-" => {
                self.next += 1;
                let number = self.integer("an integer after -")?;
                Ok(Expression::Number(-number))
            }
            "(" => self.deeper(|parser| {
                let inside = parser.part(0)?;
                if parser.peek() != Some(")") {
                    return Err(parser.wrong("a closing bracket"));
                }
                parser.next += 1;
                Ok(inside)
            }),
            "not" => self.deeper(|parser| {
                let begin = parser.at();
                let part = parser.part(NOT)?;
                let part = parser.truth(part, begin)?;
                Ok(Expression::Not(Box::new(part)))
            }),
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => {
                self.integer("an integer").map(Expression::Number)
            }
            _ => Err(self.wrong(PART)),
        }
    }

    /// Reads the token that comes next and, one level deeper, what follows it.
    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Expression, ConditionError>,
    ) -> Result<Expression, ConditionError> {
        if self.depth == DEEPEST {
            return Err(self.wrong(&format!(
                "at most {DEEPEST} brackets and not, one in another"
            )));
        }
        self.next += 1;
        self.depth += 1;
        let found = read(self)?;
        self.depth -= 1;
        Ok(found)
    }

    fn integer(&mut self, expected: &str) -> Result<i32, ConditionError> {
        let number = self.peek().and_then(|token| token.parse().ok());
        let number = number.filter(|number| (0..=GREATEST).contains(number));
        let wrong = || self.wrong(&format!("{expected}, at most {GREATEST}"));
        let number = number.ok_or_else(wrong)?;
        self.next += 1;
        Ok(number)
    }

    /// A part that must be a truth.
    fn truth(&self, part: Expression, begin: usize) -> Result<Expression, ConditionError> {
        self.of_kind(part, true, begin)
    }

    /// A part that must be a truth, or a number.
    fn of_kind(
        &self,
        part: Expression,
        truth: bool,
        at: usize,
    ) -> Result<Expression, ConditionError> {
        if part.is_truth() == truth {
            return Ok(part);
        }
        let (found, expected) = if truth {
            ("a number", "a condition, such as b.signals == 0")
        } else {
            ("a condition", "a number")
        };
        let reason = format!("\"{part}\" is {found}; expected {expected}");
        Err(ConditionError { at, reason })
    }
}
