//! What a figure shows of the columns of trials: a statistic of one, or of what is made of it. Here
//! are the statistics (`mean`, `median`, `q95`, `share`), the divisors and factors (`/ n^3`, `* d`,
//! `/ guesses`, `* cells_read` …), the words of titles for them, and the messages of a text that is
//! no formula.

use std::fmt;
use std::str::FromStr;

use super::course::{cells_read, sites};
use super::guesses::expected_guesses;
use crate::solver::density::inverse_density;
use crate::solver::{Point, algorithm};

/// A share alone: of the trials that were cut off.
pub const CENSORED: &str = "censored";

/// What a figure says of a column over the trials of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Statistic {
    /// The sum of the values over their number.
    #[default]
    Mean,
    /// The quantile of so many per cent; the median is that of 50.
    Quantile(u32),
    /// The trials that have a value there, among all.
    Share,
}

impl Statistic {
    /// What stands before the words of a column, with a space at its end: `mean `, `median `,
    /// `95 % quantile of `.
    pub fn before(self) -> String {
        match self {
            Self::Mean => "mean ".to_owned(),
            Self::Quantile(50) => "median ".to_owned(),
            Self::Quantile(percent) => format!("{percent} % quantile of "),
            Self::Share => "share of trials with ".to_owned(),
        }
    }

    /// The name of the statistic, which is that of its column in tables.
    pub fn name(self) -> String {
        match self {
            Self::Mean => "mean".to_owned(),
            Self::Quantile(50) => "median".to_owned(),
            Self::Quantile(percent) => format!("q{percent:02}"),
            Self::Share => "share".to_owned(),
        }
    }
}

impl FromStr for Statistic {
    type Err = String;

    /// The statistic of this name: `mean`, `median`, `q95`, `share`.
    fn from_str(name: &str) -> Result<Self, String> {
        let has_two_digits =
            |digits: &&str| digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let digits = name.strip_prefix('q').filter(has_two_digits);
        let percent = digits.and_then(|digits| digits.parse().ok());
        let percent = percent.filter(|percent| *percent > 0);
        Ok(match (name, percent) {
            ("mean", _) => Self::Mean,
            ("median", _) => Self::Quantile(50),
            ("share", _) => Self::Share,
            (_, Some(percent)) => Self::Quantile(percent),
            _ => {
                let known = "mean, median, share, or a quantile from q01 to q99";
                return Err(format!("unknown statistic {name:?}; expected {known}"));
            }
        })
    }
}

/// A statistic of a formula over the trials of a point: `median(moves)`, `mean(moves / updates)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// What is said of the formula.
    pub statistic: Statistic,
    /// A column, or what is made of one.
    pub formula: Formula,
}

impl FromStr for Summary {
    type Err = String;

    /// The summary of a text: a statistic with a formula in brackets; a formula alone is its mean.
    ///
    /// # Errors
    /// A word before the brackets that is no statistic, brackets that do not enclose all, and a
    /// quotient of columns whose statistic is not the mean.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let is_word = |word: &str| {
            word.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let call = text
            .split_once('(')
            .map(|(word, rest)| (word.trim(), rest))
            .filter(|(word, _)| !word.is_empty() && is_word(word));
        let Some((word, rest)) = call else {
            return Ok(Self {
                statistic: Statistic::Mean,
                formula: Formula::of(text),
            });
        };
        let statistic = word.parse()?;
        let inner = rest.strip_suffix(')').filter(|inner| is_closed(inner));
        let Some(inner) = inner else {
            let whole = "a statistic with all that it is of in its brackets";
            return Err(format!("expected {whole}, such as mean(moves / updates)"));
        };
        let formula = Formula::of(inner);
        match (statistic, &formula.by) {
            (Statistic::Mean, _) | (_, DividedBy::One) => {}
            (Statistic::Quantile(_), DividedBy::Axes(_)) => {}
            _ => {
                return Err(format!(
                    "a quotient of columns is one of means; expected a column alone in {word}(…)"
                ));
            }
        }
        Ok(Self { statistic, formula })
    }
}

/// True if no bracket is closed before it is opened.
fn is_closed(text: &str) -> bool {
    let mut depth = 0;
    for sign in text.bytes() {
        match sign {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// The summary as specs and tables write it, with its statistic.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.statistic.name(), self.formula)
    }
}

/// A column, or what is made of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// The column.
    pub column: String,
    /// What stands after it.
    pub by: DividedBy,
}

/// What a column is divided by.
#[derive(Debug, Clone, PartialEq)]
pub enum DividedBy {
    /// Nothing.
    One,
    /// A number that the axes of a point give.
    Axes(&'static Divisor),
    /// `a / b`: the sum of another column.
    Column(String),
}

/// What a column may be divided by beside another one, or multiplied by.
#[derive(Debug)]
pub struct Divisor {
    /// The name in a formula, behind `/`, or with `*` before it where a column is multiplied.
    pub name: &'static str,
    /// The name behind `/` that specs of older programs have.
    former: Option<&'static str>,
    /// What the column's words get in a title.
    pub words: &'static str,
    /// The number at a point to divide by; `None` where it is not known.
    pub of: fn(&Point) -> Option<f64>,
}

/// Divisors are told apart by their names.
impl PartialEq for Divisor {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

const fn divisor(
    name: &'static str,
    words: &'static str,
    of: fn(&Point) -> Option<f64>,
) -> Divisor {
    Divisor {
        name,
        former: None,
        words,
        of,
    }
}

/// What multiplies a column is a divisor, too: `of` gives one over the factor.
const fn factor(
    name: &'static str,
    former: &'static str,
    words: &'static str,
    of: fn(&Point) -> Option<f64>,
) -> Divisor {
    Divisor {
        former: Some(former),
        ..divisor(name, words, of)
    }
}

/// Every divisor: n, n³, n times the pairs or cells that an update of a local rule draws from,
/// and the expected number of guesses of a product; and every factor: d(n), the density of
/// solutions, the cells that an update reads, and the updates of a step of the rule.
pub const DIVISORS: &[Divisor] = &[
    divisor("n", " / n", side),
    divisor("n^3", " / n³", |point| {
        Some(side(point)? * side(point)? * side(point)?)
    }),
    divisor("(sites * n)", " / (sites · n)", |point| {
        Some(sites(point)? * side(point)?)
    }),
    factor("* d", "(1/d)", " · d", |point| {
        inverse_density(u32::try_from(point.integer("n")?).ok()?)
    }),
    divisor("guesses", " / guesses", |point| {
        expected_guesses(point.integer("product")?)
    }),
    factor(CELLS_READ, "(1/cells_read)", " in cells read", |point| {
        Some(1.0 / cells_read(point)?)
    }),
    factor(UPDATES_PER_STEP, "(1/step)", "", |point| {
        Some(1.0 / updates_per_unit(point) as f64)
    }),
];

/// The factor that makes cells read of times.
pub const CELLS_READ: &str = "* cells_read";

/// The factor that makes updates of times in steps.
pub const UPDATES_PER_STEP: &str = "* updates_per_step";

impl Divisor {
    /// The divisor or factor that stands in a text after the column, with its sign.
    fn named(sign: char, name: &str) -> Option<&'static Self> {
        let factor_name = format!("* {name}");
        let is_named = |divisor: &&Self| match sign {
            '*' => divisor.name == factor_name,
            _ => divisor.name == name || divisor.former == Some(name),
        };
        DIVISORS.iter().find(is_named)
    }

    /// What stands in a formula behind the column: `/ n^3`, `* d`.
    fn written(&self) -> String {
        if self.name.starts_with('*') {
            self.name.to_owned()
        } else {
            format!("/ {}", self.name)
        }
    }
}

fn side(point: &Point) -> Option<f64> {
    Some(point.integer("n")? as f64)
}

/// True if the rule counts steps of n² updates.
pub fn counts_steps(point: &Point) -> bool {
    algorithm(&point.algorithm).is_some_and(|algorithm| algorithm.cutoff_unit == "steps")
}

/// Updates that the unit of time of a point counts for: n² where its rule counts steps.
pub fn updates_per_unit(point: &Point) -> u64 {
    match point.integer("n") {
        Some(n) if counts_steps(point) => n * n,
        _ => 1,
    }
}

impl Formula {
    /// The formula of a text: `moves`, `moves / updates`, `moves / n^3`, `moves * d`.
    pub fn of(text: &str) -> Self {
        let mut signs = text.char_indices();
        let Some((at, sign)) = signs.find(|(_, sign)| "*/".contains(*sign)) else {
            return Self::alone(text);
        };
        let column = text[..at].trim().to_owned();
        let name = text[at + 1..].trim();
        match Divisor::named(sign, name) {
            Some(divisor) => Self {
                column,
                by: DividedBy::Axes(divisor),
            },
            None if sign == '/' => Self {
                column,
                by: DividedBy::Column(name.to_owned()),
            },
            // No column has such a name, which is then told.
            None => Self::alone(text),
        }
    }

    fn alone(text: &str) -> Self {
        Self {
            column: text.trim().to_owned(),
            by: DividedBy::One,
        }
    }

    /// The columns that it is made of.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let other = match &self.by {
            DividedBy::Column(other) => Some(&**other),
            DividedBy::One | DividedBy::Axes(_) => None,
        };
        std::iter::once(&*self.column).chain(other)
    }
}

/// The formula as specs and tables write it.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = &self.column;
        match &self.by {
            DividedBy::One => f.write_str(column),
            DividedBy::Axes(divisor) => write!(f, "{column} {}", divisor.written()),
            DividedBy::Column(other) => write!(f, "{column} / {other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Value;

    /// A bare formula is its mean, brackets of a divisor are no statistic's, and what is written is
    /// read again as the same.
    #[test]
    fn a_summary_has_its_statistic() {
        for (text, expected) in [
            ("moves", "mean(moves)"),
            ("median( moves )", "median(moves)"),
            ("moves/updates", "mean(moves / updates)"),
            ("q05(moves)", "q05(moves)"),
            ("share(censored)", "share(censored)"),
            (
                "absorption_time / (sites * n)",
                "mean(absorption_time / (sites * n))",
            ),
            ("median(moves * d)", "median(moves * d)"),
            ("median(moves / (1/d))", "median(moves * d)"),
            (
                "absorption_time*cells_read",
                "mean(absorption_time * cells_read)",
            ),
            ("moves * n", "mean(moves * n)"),
        ] {
            let summary: Summary = text.parse().expect(text);
            assert_eq!(summary.to_string(), expected);
            assert_eq!(expected.parse(), Ok(summary));
        }
        for (text, expected) in [
            ("medain(moves)", "unknown statistic \"medain\""),
            ("q5(moves)", "unknown statistic"),
            ("mean(moves) / mean(updates)", "in its brackets"),
            ("mean(moves) / updates", "in its brackets"),
            ("median(moves / updates)", "is one of means"),
            ("share(moves / n)", "is one of means"),
        ] {
            let error = text.parse::<Summary>().expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }

    /// By hand: a board of n = 8 has 2 · 8 · 7 + 2 · 7² pairs of adjacent cells, and 64 cells, of
    /// which 36 have 8 neighbours, 24 at the edges 5 and 4 in the corners 3: 324 + 144 + 16 = 484
    /// cells are read. 1/d is that of docs/tables/density.csv; 15 takes 21 guesses on average; a
    /// step of n = 6 is 36
    /// updates.
    #[test]
    fn divisors_by_hand() {
        let cases = [
            ("n", "pair", 8, 8.0),
            ("n^3", "pair", 8, 512.0),
            ("(sites * n)", "pair", 8, 210.0 * 8.0),
            ("(sites * n)", "cell-relaxation", 8, 64.0 * 8.0),
            ("* d", "pair", 8, 7.588_071_965e7),
            ("guesses", "factor", 15, 21.0),
            (CELLS_READ, "pair", 8, 0.5),
            (CELLS_READ, "cell", 8, 64.0 / 484.0),
            (CELLS_READ, "synchronous", 8, 1.0 / 484.0),
            (UPDATES_PER_STEP, "synchronous", 6, 1.0 / 36.0),
            (UPDATES_PER_STEP, "cell", 6, 1.0),
        ];
        for (name, algorithm, value, expected) in cases {
            let axis = if name == "guesses" { "product" } else { "n" };
            let point = Point::new(algorithm, [(axis, Value::Integer(value))]);
            let own = DIVISORS.iter().find(|it| it.name == name).expect(name);
            let found = (own.of)(&point).expect(name);
            assert!((found / expected - 1.0).abs() < 1e-9, "{name}: {found}");
            let of_none = (own.of)(&Point::new("backtracking", []));
            assert_eq!(of_none.is_some(), name == UPDATES_PER_STEP, "{name}");
        }
        assert_eq!(
            cases.len(),
            DIVISORS.len() + 4,
            "two of them have two cases, and one has three"
        );
    }
}
