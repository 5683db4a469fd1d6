//! The values of a range. Ends are the numbers as written; what lies between is rounded to 12
//! significant decimal digits and parsed again, so that 0.01 in a grid is the same point as 0.01 in
//! a list.

/// `value` rounded to 12 significant decimal digits.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.11e}")
        .parse()
        .expect("a float's own decimal form parses")
}

/// `from + i·step` up to `to`, which is included if it is hit to 12 digits; `None` if there are
/// more than `limit` values.
pub(super) fn real_steps(from: f64, to: f64, step: f64, limit: u64) -> Option<Vec<f64>> {
    let last = ((to - from) / step).floor();
    if last >= limit as f64 {
        return None;
    }
    // One step further, since the quotient may fall just short of the whole number that it is on
    // paper.
    let steps = (0..=last as u64 + 1).map(|i| rounded(from + i as f64 * step));
    let mut values: Vec<_> = steps.take_while(|&value| value <= rounded(to)).collect();
    if let Some(end) = values.last_mut().filter(|end| **end == rounded(to)) {
        *end = to;
    }
    if let Some(start) = values.first_mut() {
        *start = from;
    }
    (values.len() as u64 <= limit).then_some(values)
}

/// `from, from + step, …` up to `to`; `None` if there are more than `limit` values.
pub(super) fn integer_steps(from: u64, to: u64, step: u64, limit: u64) -> Option<Vec<u64>> {
    let last = (to - from) / step;
    (last < limit).then(|| (0..=last).map(|i| from + i * step).collect())
}

/// `points` values from `from` to `to`, equally far apart; a single one is `from`.
pub(super) fn linear(from: f64, to: f64, points: u64) -> Vec<f64> {
    between(from, to, points, |share| from + (to - from) * share)
}

/// `points` values from `from` > 0 to `to`, each the same multiple of the one before: `from ·
/// (to/from)^(i/(points−1))`.
pub(super) fn logarithmic(from: f64, to: f64, points: u64) -> Vec<f64> {
    between(from, to, points, |share| from * libm::pow(to / from, share))
}

/// The ends as they are, and `inner` of the share of the way for each value between them.
fn between(from: f64, to: f64, points: u64, inner: impl Fn(f64) -> f64) -> Vec<f64> {
    let last = points.saturating_sub(1);
    let value = |i| match i {
        0 => from,
        i if i == last => to,
        i => rounded(inner(i as f64 / last as f64)),
    };
    (0..=last).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decade_grid_holds_the_decimals_one_would_write() {
        // On paper 10^(−4 + i/4): the whole powers exactly, the others to 12 digits (10^0.25 =
        // 1.7782794100389…, 10^0.5 = 3.1622776601683…).
        let grid = logarithmic(0.0001, 0.01, 9);
        let paper = [
            0.0001,
            0.000177827941004,
            0.000316227766017,
            0.000562341325190,
            0.001,
            0.00177827941004,
            0.00316227766017,
            0.00562341325190,
            0.01,
        ];
        assert_eq!(grid, paper);
    }

    #[test]
    fn steps_hit_the_end_that_arithmetic_would_miss() {
        assert_eq!(real_steps(0.1, 0.3, 0.1, 100), Some(vec![0.1, 0.2, 0.3]));
        assert_eq!(real_steps(0.0, 1.0, 0.1, 100).map(|v| v.len()), Some(11));
        assert_eq!(real_steps(0.1, 0.35, 0.1, 100), Some(vec![0.1, 0.2, 0.3]));
        assert_eq!(real_steps(0.5, 0.5, 0.1, 100), Some(vec![0.5]));
        assert_eq!(real_steps(0.0, 1.0, 1e-9, 100), None);
        assert_eq!(real_steps(0.0, 1.0, f64::MIN_POSITIVE, 100), None);
        // A running sum of 0.001 is off by 1e-14 at the end; these are the decimals themselves.
        let fine = real_steps(0.0, 1.0, 0.001, 2000).expect("1001 values");
        assert!((0..=1000).all(|i| fine[i] == format!("{i}e-3").parse::<f64>().expect("a number")));
    }

    #[test]
    fn integer_steps_stop_at_the_end() {
        assert_eq!(integer_steps(4, 12, 2, 100), Some(vec![4, 6, 8, 10, 12]));
        assert_eq!(integer_steps(4, 11, 2, 100), Some(vec![4, 6, 8, 10]));
        assert_eq!(integer_steps(4, 4, 7, 100), Some(vec![4]));
        assert_eq!(integer_steps(0, u64::MAX, 1, 100), None);
    }

    #[test]
    fn ends_are_the_literals_whatever_their_digits() {
        let (from, to) = (0.123_456_789_012_345_6, 0.987_654_321_098_765_4);
        for grid in [linear(from, to, 5), logarithmic(from, to, 5)] {
            assert_eq!((grid[0], grid[4]), (from, to));
            assert!(grid[1..4].iter().all(|&value| value == rounded(value)));
        }
        assert_eq!(linear(0.0, 1.0, 5), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(linear(0.7, 0.7, 1), [0.7]);
    }
}
