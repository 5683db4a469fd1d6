//! The corners of survival curves as CSV, made while they are written: a large run has millions.

use std::io::{self, Write};

use super::number::six_digits;
use super::table::quoted;
use crate::analysis::mean::Interval;
use crate::analysis::survival::{Step, SurvivalCurve};

/// Every corner of some curves, and of their bands: from `time` on, `share` of the trials are not
/// absorbed. A curve ends at its last time, with the share of before.
#[derive(Debug, Clone, PartialEq)]
pub struct Corners {
    /// Names of the columns that say which curve it is.
    pub(super) key: Vec<String>,
    /// The curves.
    pub(super) curves: Vec<Curve>,
}

/// A curve whose corners are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve {
    /// Which it is: a cell for each column of the key.
    pub key: Vec<String>,
    pub survival: SurvivalCurve,
    /// Updates, the unit of `time_per_mean`.
    pub scale: f64,
}

const NUMBERS: [&str; 5] = ["time", "time_per_mean", "share", "share_low", "share_high"];

impl Corners {
    /// RFC 4180, with `\n` line ends.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let header = self.key.iter().map(String::as_str).chain(NUMBERS);
        let header: Vec<String> = header.map(quoted).collect();
        writeln!(out, "{}", header.join(","))?;
        self.curves.iter().try_for_each(|it| it.write_csv(out))
    }
}

impl Curve {
    fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let key: String = self.key.iter().map(|cell| quoted(cell) + ",").collect();
        let mut corner = |time: u64, share: f64, step: Option<&Step>| {
            let Interval { low, high } = self.survival.interval(step);
            let numbers = [time as f64 / self.scale, share, low, high];
            let [per_mean, share, low, high] = numbers.map(six_digits);
            writeln!(out, "{key}{time},{per_mean},{share},{low},{high}")
        };
        corner(0, 1.0, None)?;
        let mut last = None;
        for step in self.survival.steps() {
            corner(step.time, step.survival, Some(&step))?;
            last = Some(step);
        }
        let horizon = self.survival.horizon();
        if last.is_none_or(|step| step.time < horizon) {
            let share = last.map_or(1.0, |it| it.survival);
            corner(horizon, share, last.as_ref())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::survival::Observed;

    fn csv(observed: &[(u64, bool)]) -> String {
        let trial = |&(value, cut_off): &(u64, bool)| Observed { value, cut_off };
        let observed: Vec<Observed> = observed.iter().map(trial).collect();
        let corners = Corners {
            key: vec!["a,b".to_owned()],
            curves: vec![Curve {
                key: vec!["one \"two\"".to_owned()],
                survival: SurvivalCurve::of(&observed).expect("there are trials"),
                scale: 4.0,
            }],
        };
        let mut bytes = Vec::new();
        corners.write_csv(&mut bytes).expect("memory");
        String::from_utf8(bytes).expect("text")
    }

    /// Of 2, 4, 4 and more than 10 the share is 3/4 from 2 on and 1/4 from 4 on, to the end at 10.
    #[test]
    fn a_line_for_each_corner_and_one_for_the_end() {
        let text = csv(&[(4, false), (10, true), (2, false), (4, false)]);
        let begins: Vec<&str> = text
            .lines()
            .filter_map(|line| line.rsplitn(3, ',').last())
            .collect();
        let key = "\"one \"\"two\"\"\"";
        let expected = [
            "\"a,b\",time,time_per_mean,share".to_owned(),
            format!("{key},0,0,1.00000"),
            format!("{key},2,0.500000,0.750000"),
            format!("{key},4,1.00000,0.250000"),
            format!("{key},10,2.50000,0.250000"),
        ];
        assert_eq!(begins, expected);
        assert_eq!(csv(&[(2, false), (4, false)]).lines().count(), 4, "no end");
        let cut = csv(&[(7, true)]);
        assert_eq!(cut.lines().count(), 3, "{cut}");
    }
}
