//! Numbers of the command line, read as in a spec: `1e4`, `10_000` and `10000.0` are one integer.

use std::fmt::Display;
use std::ops::RangeInclusive;

pub use crate::experiment::spec::number::{integer_in as integer, real_in as real};

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
            format!("allowed is an integer from {least} to {most}, as 1000, 1_000 or 1e3")
        })
    }
}

/// A reader of numbers of threads, for `value_parser`: thousands would keep the machine busy with
/// themselves.
pub fn threads() -> impl Fn(&str) -> Result<u16, String> + Clone {
    const ALWAYS_ALLOWED: usize = 64;
    const PER_PROCESSOR: usize = 4;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = ALWAYS_ALLOWED.max(processors.saturating_mul(PER_PROCESSOR));
    let most = u16::try_from(most).unwrap_or(u16::MAX);
    let read = whole(1..=most);
    move |text: &str| {
        read(text).map_err(|_| {
            format!("allowed is an integer from 1 to {most}: {PER_PROCESSOR} for each processor, and always {ALWAYS_ALLOWED}")
        })
    }
}

/// A reader of finite numbers, for `value_parser`.
pub fn number(text: &str) -> Result<f64, String> {
    real(text).ok_or_else(|| "allowed is a number, as 0.01 or 1e-2".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;
    use crate::solver::Value;

    /// What a spec makes of the text as a seed, and as an ε.
    fn in_a_spec(text: &str) -> (Option<u64>, Option<f64>) {
        let sweep = "n = 4\ntrials = 1\ncutoff = 1\nalgorithm = \"pair\"";
        let read = |seed: &str, epsilon: &str| {
            let spec = format!("seed = {seed}\n[[sweep]]\n{sweep}\nepsilon = {epsilon}\n");
            spec::parse_without_figures("a", "a.toml", &spec).ok()
        };
        let seed = read(text, "0.1").map(|spec| spec.seeds[0]);
        let epsilon = read("1", text).and_then(|spec| {
            let axes = &spec.sweeps[0].axes;
            let (_, values) = axes.iter().find(|(axis, _)| axis.name == "epsilon")?;
            match values[0] {
                Value::Real(value) => Some(value),
                Value::Integer(_) => None,
            }
        });
        (seed, epsilon)
    }

    /// Every text is the number that a spec would read, or none where a spec has none.
    #[test]
    fn numbers_are_read_as_in_a_spec() {
        let texts = "0|1|7|1e4|1E4|10_000|10_000.0|1e18|9007199254740993.0|1.5e1|0.0001e4|+8.0|0.0|\
                     0e99999999999999999999|0x10|0b11|0o17|18446744073709551615|\
                     18446744073709551616|1e39|1e99999999999999999999|-3.0|-1|0.5|1e-1|1.00000001|\
                     nan|inf|-inf|true|\"8\"|[8]|1979-05-27||x|1 2|1e|0.01|1e-300|1e-400|0e5|1.|.5|\
                     01|1__0|_1";
        for text in texts.split('|') {
            let (seed, epsilon) = in_a_spec(text);
            assert_eq!(whole(0..=u64::MAX)(text).ok(), seed, "{text} as an integer");
            let probability = number(text).ok().filter(|p| (0.0..=1.0).contains(p));
            assert_eq!(probability, epsilon, "{text} as a probability");
        }
    }

    #[test]
    fn a_refusal_names_what_is_allowed() {
        let refused = whole(1..=65_535u16)("1e5").expect_err("too large");
        assert_eq!(
            refused,
            "allowed is an integer from 1 to 65535, as 1000, 1_000 or 1e3"
        );
    }
}
