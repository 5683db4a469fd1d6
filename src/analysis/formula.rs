//! What a figure shows of the columns of trials: a statistic of one, or of what is made of it.

use std::fmt;

use serde::Deserialize;

/// A share alone: of the trials that were cut off.
pub const CENSORED: &str = "censored";

/// What a figure says of a column over the trials of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
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

impl TryFrom<String> for Statistic {
    type Error = String;

    /// The statistic of this name: `mean`, `median`, `q95`, `share`.
    fn try_from(name: String) -> Result<Self, String> {
        let percent = name.strip_prefix('q').filter(|it| it.len() == 2);
        let percent = percent.and_then(|it| it.parse().ok()).filter(|it| *it > 0);
        Ok(match (&*name, percent) {
            ("mean", _) => Self::Mean,
            ("median", _) => Self::Quantile(50),
            ("share", _) => Self::Share,
            (_, Some(percent)) => Self::Quantile(percent),
            _ => {
                let known = "mean, median, q05, q25, q75, q95, share";
                return Err(format!(
                    "unknown statistic {name:?}; expected one of {known}"
                ));
            }
        })
    }
}

/// A measure of the table of columns: a column, or what is made of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// The column.
    pub column: String,
    /// What stands after it.
    pub by: By,
}

/// What a column is divided by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// Nothing.
    One,
    /// A number that the axes of a point give: `n`, `n^3`, `(sites * n)` or `(1/d)`.
    Axes(&'static str),
    /// `a / b`: the sum of another column.
    Column(String),
}

/// What a column may be divided by beside another one: n, n³, n times the pairs or cells that
/// an update of a local rule draws from, and 1/d(n), d the density of solutions.
pub const DIVISORS: [&str; 4] = ["n", "n^3", "(sites * n)", "(1/d)"];

impl Formula {
    /// The formula of a text: `moves`, `moves / updates`, `moves / n^3`.
    pub fn of(text: &str) -> Self {
        let (column, by) = match text.split_once('/') {
            Some((column, by)) => match DIVISORS.iter().find(|it| **it == by.trim()) {
                Some(divisor) => (column, By::Axes(divisor)),
                None => (column, By::Column(by.trim().to_owned())),
            },
            None => (text, By::One),
        };
        let column = column.trim().to_owned();
        Self { column, by }
    }

    /// The columns that it is made of.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let other = match &self.by {
            By::Column(other) => Some(&**other),
            By::One | By::Axes(_) => None,
        };
        std::iter::once(&*self.column).chain(other)
    }
}

/// The formula as specs and tables write it.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = &self.column;
        match &self.by {
            By::One => f.write_str(column),
            By::Axes(divisor) => write!(f, "{column} / {divisor}"),
            By::Column(other) => write!(f, "{column} / {other}"),
        }
    }
}
