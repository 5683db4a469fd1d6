//! The corners of survival curves as CSV, made while they are written: a large run has millions.

use std::io::{self, Write};

use super::frame::{Cell, Frame, Survival};
use super::number::six_digits;
use super::table::quoted;
use crate::analysis::mean::Interval;
use crate::analysis::survival::Step;

/// Every corner of some curves, and of their bands: from `time` on, `share` of the trials are not
/// absorbed. A curve ends at its last time, with the share of before.
#[derive(Debug, Clone, PartialEq)]
pub struct Corners {
    /// Names of the columns that say which curve it is.
    key: Vec<String>,
    /// The cells in these columns, and the curve.
    curves: Vec<(Vec<String>, Survival)>,
}

const NUMBERS: [&str; 5] = ["time", "time_per_mean", "share", "share_low", "share_high"];

impl Corners {
    /// Those of the survival curves of a frame; `None` where it has none.
    pub(super) fn of(frame: &Frame) -> Option<Self> {
        let is_measured = |name: &String| name == "quantity";
        let (header, rows) = (&frame.table.header, &frame.table.rows);
        let width = header.iter().position(is_measured)?;
        let key = |row: usize| rows[row][..width].iter().map(Cell::plain).collect();
        let curves = frame.survival.iter();
        (!frame.survival.is_empty()).then(|| Self {
            key: header[..width].to_vec(),
            curves: curves.map(|it| (key(it.row), it.clone())).collect(),
        })
    }

    /// RFC 4180, with `\n` line ends.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let header = self.key.iter().map(String::as_str).chain(NUMBERS);
        let header: Vec<String> = header.map(quoted).collect();
        writeln!(out, "{}", header.join(","))?;
        let mut curves = self.curves.iter();
        curves.try_for_each(|(key, curve)| write_curve(out, key, curve))
    }
}

/// A line for each corner.
fn write_curve(out: &mut impl Write, key: &[String], of: &Survival) -> io::Result<()> {
    let key: String = key.iter().map(|cell| quoted(cell) + ",").collect();
    let mut corner = |time: u64, share: f64, step: Option<&Step>| {
        let Interval { low, high } = of.curve.interval(step);
        let numbers = [time as f64 / of.scale, share, low, high];
        let [per_mean, share, low, high] = numbers.map(six_digits);
        writeln!(out, "{key}{time},{per_mean},{share},{low},{high}")
    };
    corner(0, 1.0, None)?;
    let mut last = None;
    for step in of.curve.steps() {
        corner(step.time, step.survival, Some(&step))?;
        last = Some(step);
    }
    let horizon = of.curve.horizon();
    if last.is_none_or(|step| step.time < horizon) {
        let share = last.map_or(1.0, |it| it.survival);
        corner(horizon, share, last.as_ref())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::quantile::Bounded;
    use crate::analysis::survival::SurvivalCurve;

    fn csv(observed: &[(u64, bool)]) -> String {
        let trial = |&(value, at_least): &(u64, bool)| Bounded { value, at_least };
        let observed: Vec<Bounded> = observed.iter().map(trial).collect();
        let curve = Survival {
            row: 0,
            curve: SurvivalCurve::of(&observed).expect("there are trials"),
            scale: 4.0,
        };
        let mut bytes = Vec::new();
        write_curve(&mut bytes, &["a,b".to_owned()], &curve).expect("memory");
        String::from_utf8(bytes).expect("text")
    }

    /// Of 2, 4, 4 and more than 10 the share is 3/4 from 2 on and 1/4 from 4 on, to the end at 10.
    #[test]
    fn a_line_for_each_corner_and_one_for_the_end() {
        let text = csv(&[(4, false), (10, true), (2, false), (4, false)]);
        let begins = text.lines().filter_map(|line| line.rsplitn(3, ',').last());
        let expected = ["0,0,1.00000", "2,0.500000,0.750000", "4,1.00000,0.250000"];
        let expected = expected.into_iter().chain(["10,2.50000,0.250000"]);
        let expected = expected.map(|line| format!("\"a,b\",{line}"));
        assert!(begins.eq(expected), "{text}");
        assert_eq!(csv(&[(2, false), (4, false)]).lines().count(), 3, "no end");
        assert_eq!(csv(&[(7, true)]).lines().count(), 2);
    }
}
