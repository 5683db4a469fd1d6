//! The language in which a spec says which moves of threatened queens need no coin: a condition on
//! the cell that a queen leaves and on the one that it would reach. Here are its words (`safe`,
//! `a.signals`, `b.signals`, `b.queens`, `b.own`) and what each reads, the precedence of operators,
//! and the printed form, the variant in rows; limits and messages are in `condition/parse.rs`.
//!
//! ```text
//! safe or b.queens == 0 and b.signals < a.signals
//! ```
//!
//! `not` binds closer than `and`, and `and` closer than `or`; comparisons bind closer than all
//! three, sums closer than comparisons. A condition has one printed form, whatever the blanks and
//! the brackets that it was written with.

mod parse;

use std::fmt;

pub use self::parse::ConditionError;

/// A condition on a move from a cell a to a cell b beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition(Expression);

/// What a condition may read: a the cell of a threatened queen, b the cell that it would reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The number of signals on a: 0 to 8.
    pub a_signals: u8,
    /// The number of signals on b: 0 to 8.
    pub b_signals: u8,
    /// The number of queens on b.
    pub b_queens: u8,
    /// True if b has the signal from a's direction, which may be the mover's own.
    pub b_own: bool,
}

/// A number that a condition may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedNumber {
    SignalsOfA,
    SignalsOfB,
    QueensOfB,
    OwnSignalOfB,
}

impl NamedNumber {
    /// The numbers by the words for them.
    const WORDS: [(&'static str, Self); 4] = [
        ("a.signals", Self::SignalsOfA),
        ("b.signals", Self::SignalsOfB),
        ("b.queens", Self::QueensOfB),
        ("b.own", Self::OwnSignalOfB),
    ];

    fn of(self, facts: Facts) -> i32 {
        match self {
            Self::SignalsOfA => facts.a_signals.into(),
            Self::SignalsOfB => facts.b_signals.into(),
            Self::QueensOfB => facts.b_queens.into(),
            Self::OwnSignalOfB => facts.b_own.into(),
        }
    }
}

/// A part of a condition, either a truth or a number.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Expression {
    Safe,
    Truth(bool),
    Number(i32),
    NamedNumber(NamedNumber),
    Not(Box<Self>),
    Two(Operator, Box<[Self; 2]>),
}

/// What joins two parts, the weaker ties first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Different,
    Plus,
    Minus,
}

impl Operator {
    /// The operators by their signs; a sign stands before those that it begins with.
    const SIGNS: [(&'static str, Self); 10] = [
        ("or", Self::Or),
        ("and", Self::And),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("==", Self::Equal),
        ("!=", Self::Different),
        ("<", Self::Less),
        (">", Self::Greater),
        ("+", Self::Plus),
        ("-", Self::Minus),
    ];

    fn sign(self) -> &'static str {
        let entry = Self::SIGNS.iter().find(|(_, operator)| *operator == self);
        entry.expect("every operator has a sign").0
    }

    /// How close it ties its parts, closer than those of less strength.
    fn strength(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Less
            | Self::AtMost
            | Self::Greater
            | Self::AtLeast
            | Self::Equal
            | Self::Different => COMPARISON,
            Self::Plus | Self::Minus => 5,
        }
    }

    /// True if its parts are truths; else they are numbers.
    fn joins_truths(self) -> bool {
        matches!(self, Self::Or | Self::And)
    }
}

/// The strength of `not`, between `and` and the comparisons.
const NOT: u8 = 3;

/// The strength of comparisons, which cannot be chained.
const COMPARISON: u8 = 4;

/// The strength of what needs no brackets anywhere.
const WORD: u8 = 6;

impl Condition {
    /// SAFEGO, the condition of the source text's rules.
    pub const SAFE: Self = Self(Expression::Safe);

    /// Reads a condition.
    ///
    /// # Errors
    /// The first place where the text is no condition, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        parse::condition(text)
    }

    /// The condition of a point's variant: SAFEGO where it is empty.
    ///
    /// # Errors
    /// As [`Condition::parse`].
    pub fn of_variant(variant: &str) -> Result<Self, ConditionError> {
        match variant {
            "" => Ok(Self::SAFE),
            text => Self::parse(text),
        }
    }

    /// The variant of a point under this condition: its printed form, and nothing for SAFEGO.
    pub fn variant(&self) -> String {
        match self {
            &Self::SAFE => String::new(),
            other => other.to_string(),
        }
    }

    /// True if the condition holds for a move.
    pub fn holds(&self, facts: Facts) -> bool {
        self.0.truth(facts)
    }
}

impl Expression {
    fn is_truth(&self) -> bool {
        match self {
            Self::Safe | Self::Truth(_) | Self::Not(_) => true,
            Self::Number(_) | Self::NamedNumber(_) => false,
            Self::Two(operator, _) => operator.strength() <= COMPARISON,
        }
    }

    fn strength(&self) -> u8 {
        match self {
            Self::Not(_) => NOT,
            Self::Two(operator, _) => operator.strength(),
            _ => WORD,
        }
    }

    fn truth(&self, facts: Facts) -> bool {
        match self {
            // SAFEGO: no queen on b, and no signal but perhaps the one from a's direction.
            Self::Safe => facts.b_queens == 0 && facts.b_signals == u8::from(facts.b_own),
            Self::Truth(truth) => *truth,
            Self::Not(part) => !part.truth(facts),
            Self::Two(operator, parts) => operator.truth(parts, facts),
            Self::Number(_) | Self::NamedNumber(_) => {
                unreachable!("the parser tells truths from numbers")
            }
        }
    }

    fn number(&self, facts: Facts) -> i32 {
        match self {
            Self::Number(number) => *number,
            Self::NamedNumber(fact) => fact.of(facts),
            Self::Two(Operator::Plus, parts) => parts[0].number(facts) + parts[1].number(facts),
            Self::Two(Operator::Minus, parts) => parts[0].number(facts) - parts[1].number(facts),
            _ => unreachable!("the parser tells numbers from truths"),
        }
    }
}

impl Operator {
    fn truth(self, [left, right]: &[Expression; 2], facts: Facts) -> bool {
        let compare = |holds: fn(&i32, &i32) -> bool| {
            let left = left.number(facts);
            let right = right.number(facts);
            holds(&left, &right)
        };
        match self {
            Self::Or => left.truth(facts) || right.truth(facts),
            Self::And => left.truth(facts) && right.truth(facts),
            Self::Less => compare(i32::lt),
            Self::AtMost => compare(i32::le),
            Self::Greater => compare(i32::gt),
            Self::AtLeast => compare(i32::ge),
            Self::Equal => compare(i32::eq),
            Self::Different => compare(i32::ne),
            Self::Plus | Self::Minus => unreachable!("the parser tells truths from numbers"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Safe => f.write_str("safe"),
            Self::Truth(truth) => truth.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::NamedNumber(fact) => {
                let entry = NamedNumber::WORDS.iter().find(|(_, it)| it == fact);
                f.write_str(entry.expect("every fact has a word").0)
            }
            Self::Not(part) => {
                f.write_str("not ")?;
                part.fmt_within(f, NOT)
            }
            Self::Two(operator, parts) => {
                // A chain is read from the left: a right part that ties no closer needs brackets.
                let strength = operator.strength();
                let left = strength + u8::from(strength == COMPARISON);
                parts[0].fmt_within(f, left)?;
                write!(f, " {} ", operator.sign())?;
                parts[1].fmt_within(f, strength + 1)
            }
        }
    }
}

impl Expression {
    /// Prints it, in brackets where it ties its parts less closely than this.
    fn fmt_within(&self, f: &mut fmt::Formatter<'_>, strength: u8) -> fmt::Result {
        if self.strength() < strength {
            write!(f, "({self})")
        } else {
            write!(f, "{self}")
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
