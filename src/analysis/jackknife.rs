//! The error of whatever is a function of sums over trials: ratios and rates. When such an interval
//! has no end, or is Wilson's, is decided here.

use super::estimate::Estimate;
use super::share::share;

/// `statistic`, a function of the column sums over the trials and of their number, with the
/// jackknife's standard error √((m − 1)/m · Σ (θ₍ᵢ₎ − mean of all θ₍ⱼ₎)²), θ₍ᵢ₎ the statistic
/// without trial i.
///
/// Trials are independent; what is counted within one need not be. The error is infinite for one
/// trial, and where one trial decides whether the statistic is finite. `rows` is gone through
/// twice. `None` without rows. Source: Efron and Stein, Ann. Stat. 9 (1981) 586.
pub fn jackknife<const K: usize, R: Iterator<Item = [f64; K]>>(
    rows: impl Fn() -> R,
    statistic: impl Fn(&[f64; K], f64) -> f64,
) -> Option<Estimate> {
    let mut sums = [0.0; K];
    let mut trials = 0_u64;
    for row in rows() {
        trials += 1;
        sums.iter_mut().zip(row).for_each(|(sum, it)| *sum += it);
    }
    let number = trials as f64;
    let value = statistic(&sums, number);
    let mut first = 0.0;
    let mut second = 0.0;
    for row in rows().filter(|_| trials > 1) {
        let others = std::array::from_fn(|column| sums[column] - row[column]);
        // From the statistic of all, so that the squares lose no digits.
        let distance = statistic(&others, number - 1.0) - value;
        first += distance;
        second += distance * distance;
    }
    let squares = second - first * first / number;
    let standard_error = ((number - 1.0) / number * squares.max(0.0)).sqrt();
    let is_known = trials > 1 && squares.is_finite();
    let error = if is_known {
        standard_error
    } else {
        f64::INFINITY
    };
    (trials > 0).then(|| Estimate::with_error(value, error, trials))
}

/// Σ a / Σ b over trials, each with its pair (a, b) of numbers ≥ 0; `None` where Σ b = 0. A ratio
/// of 0 has no scatter to judge by: its interval is that of the share 0 of all trials.
pub fn ratio(pairs: &[[f64; 2]]) -> Option<Estimate> {
    let ratio = jackknife(|| pairs.iter().copied(), |[a, b], _| a / b)?;
    if ratio.value == 0.0 {
        return Some(share(0, ratio.trials));
    }
    ratio.value.is_finite().then_some(ratio)
}

/// Σ a / Σ b over trials, each with its pair (a, b) of numbers of any sign; `None` where Σ b = 0.
pub fn ratio_of_reals(pairs: &[[f64; 2]]) -> Option<Estimate> {
    let ratio = jackknife(|| pairs.iter().copied(), |[a, b], _| a / b)?;
    ratio.value.is_finite().then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{TIMES, assert_close};

    /// The ratio with b = 1 throughout is the mean, whose error is s / √m exactly.
    #[test]
    fn of_ones_it_is_the_mean() {
        let found = ratio(&TIMES.map(|it| [it as f64, 1.0])).expect("a ratio");
        let mean = Estimate::mean(&TIMES);
        let [found, expected] = [found, mean].map(|it| [it.value, it.error]);
        assert_close(&found, &expected, 1e-12);
        assert_eq!((ratio(&[[0.0, 0.0]]), ratio(&[])), (None, None));
        let none = ratio(&[[0.0, 2.0]; 10]);
        assert_eq!(none, Some(share(0, 10)));
    }

    /// NumPy, by leaving each of the 20 out: tests/reference/statistics.py.
    #[test]
    fn the_error_is_numpys() {
        let ended = |it: u64| [it.min(500) as f64, f64::from(u8::from(it <= 500))];
        let length = ratio(&TIMES.map(ended)).expect("17 ended");
        assert_close(
            &[length.value, length.error],
            &[243.6875, 74.7809011750698],
            1e-10,
        );
    }

    /// One success in 30: without that trial the ratio is infinite.
    #[test]
    fn what_one_trial_decides_has_no_known_error() {
        let mut pairs = [[10.0, 0.0]; 30];
        pairs[0][1] = 1.0;
        for pairs in [&pairs[..], &[[1.0, 1.0]]] {
            let found = ratio(pairs).expect("one success");
            assert_eq!([found.low, found.high], [0.0, f64::INFINITY]);
        }
    }
}
