//! Numbers of the command line, read as in a spec: `1e4`, `10_000` and `10000.0` are one integer;
//! and as they are printed, `10 000`.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::experiment::spec::number::{integer_in, real_in};

/// A text without the narrow spaces that printed numbers have.
pub fn pasted(text: &str) -> String {
    text.replace('\u{202F}', "")
}

pub fn integer(text: &str) -> Option<i128> {
    integer_in(&pasted(text))
}

pub fn real(text: &str) -> Option<f64> {
    real_in(&pasted(text))
}

/// A reader of integers within a range, for `value_parser`.
pub fn whole<T>(allowed: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<i128> + PartialOrd + Display + Clone,
{
    move |text: &str| {
        let number = integer(text).and_then(|number| T::try_from(number).ok());
        let within = number.filter(|number| allowed.contains(number));
        within.ok_or_else(|| {
            let (least, most) = (allowed.start(), allowed.end());
            format!("expected an integer from {least} to {most}")
        })
    }
}

/// Threads that a command starts at most: thousands would keep the machine busy with themselves.
pub const MOST_THREADS: u16 = 512;
