//! Gamma numbers: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS
//! 26 (2000), for shapes of 1 and more.

use crate::solver::rng::TrialStream;

/// A gamma number of this shape, at least 1, and of scale 1: density x^(shape − 1) e^(−x) /
/// Γ(shape).
///
/// With d = shape − 1/3, c = 1 / √(9d), a normal number x and v = (1 + c x)³, the number d v is
/// accepted if `ln u < x²/2 + d − d v + d ln v`; −ln u is an exponential number.
pub fn gamma(shape: f64, stream: &mut TrialStream) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(stream);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let minus_log = stream.exponential();
        if is_surely_above(minus_log, x) || -minus_log < exponent(x, c * x, d) {
            return d * root * root * root;
        }
    }
}

/// Whether −ln u is above −(x²/2 + d − d v + d ln v) for every d that there is, seen without a
/// logarithm.
///
/// With y = c x, the latter is 3 d (y⁴/4 − y⁵/5 + …) ≤ x⁴ (1/4 + |y|/5 + y²/6 + …) / (27 d). As d ≥
/// 2/3, y² = x² / (9 d) ≤ 0.65 where x² ≤ 3.9, and that is below 0.05 x⁴.
pub(super) fn is_surely_above(minus_log: f64, x: f64) -> bool {
    let square = x * x;
    square <= 3.9 && minus_log > 0.05 * square * square
}

/// x²/2 + d − d v + d ln v for v = (1 + y)³, y = c x.
///
/// As 9 d c² = 1, x² = 9 d y², and the sum is 3 d (ln(1 + y) − y + y²/2 − y³/3): for small y from
/// the series of the logarithm, where the difference would lose its digits.
pub(super) fn exponent(x: f64, y: f64, d: f64) -> f64 {
    if y.abs() > 0.01 {
        let v = (1.0 + y) * (1.0 + y) * (1.0 + y);
        return 0.5 * x * x + d * (1.0 - v + 3.0 * libm::log1p(y));
    }
    // −y⁴/4 + y⁵/5 − y⁶/6 + …: the ninth term is below 10⁻¹⁸ of the first.
    let series = (5..=12).rev().fold(0.0, |sum, power| {
        let sign = if power % 2 == 0 { -1.0 } else { 1.0 };
        (sum + sign / f64::from(power)) * y
    });
    3.0 * d * y * y * y * y * (series - 0.25)
}

/// A standard normal number: an exponential number a is accepted as its absolute value if another
/// is at least (a − 1)²/2 (von Neumann 1951).
pub fn normal(stream: &mut TrialStream) -> f64 {
    loop {
        let (a, b) = (stream.exponential(), stream.exponential());
        if b >= 0.5 * (a - 1.0) * (a - 1.0) {
            return if stream.word() >> 63 == 0 { a } else { -a };
        }
    }
}
