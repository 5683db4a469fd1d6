//! How long the events of a trial were in coming, drawn for many of them at once.
//!
//! The number of updates before an event is geometric; it depends on the number of shares on which
//! the event may fall and on nothing else. So the sum of the waits of c events with one number of
//! shares is negative binomial, and given that sum, the single waits are a uniform composition of
//! it.

#[cfg(test)]
mod tests;

use std::f64::consts::TAU;

use crate::rng::{RandomSource as _, TrialStream, midpoint};

/// The number of failures before the success number `successes` (at least 1) in independent trials
/// that succeed with probability `p`, which is above 0: a Poisson number whose mean is a gamma
/// number times (1 − p) / p. Numbers above 2⁵³ are rounded as doubles are.
pub fn failures(successes: u32, p: f64, stream: &mut TrialStream) -> u64 {
    if p >= 1.0 {
        return 0;
    }
    poisson(gamma(f64::from(successes), stream) * (1.0 - p) / p, stream)
}

/// A uniform composition of `total` into so many parts, each at least 0: a uniform choice of bars
/// among as many positions as there are units and bars (Floyd's sampling), and the gaps between
/// them.
pub fn composition(total: u64, parts: u32, stream: &mut TrialStream) -> Vec<u64> {
    let bars = u64::from(parts) - 1;
    let positions = total + bars;
    let mut chosen = Bars::at_most(bars as usize);
    for position in positions - bars..positions {
        let drawn = stream.below(position + 1);
        if !chosen.insert(drawn) {
            chosen.insert(position);
        }
    }
    let mut from = 0;
    let ends = chosen.sorted().into_iter().chain([positions]);
    ends.map(|bar| {
        let part = bar - from;
        from = bar + 1;
        part
    })
    .collect()
}

/// A set of numbers below 2⁶⁴ − 1: a hash table in which each is in its slot or one of the next, at
/// least half of it empty. A trial that is followed takes 1.3 times as long with a `BTreeSet` in
/// its place (pair, n = 8, ε = 0.001).
struct Bars {
    table: Vec<u64>,
}

impl Bars {
    const EMPTY: u64 = u64::MAX;

    fn at_most(members: usize) -> Self {
        Self {
            table: vec![Self::EMPTY; (2 * members).next_power_of_two().max(2)],
        }
    }

    /// Returns whether it was not in the set.
    fn insert(&mut self, number: u64) -> bool {
        // Fibonacci hashing: the upper bits of a product.
        let bits = self.table.len().trailing_zeros();
        let mut at = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
        while self.table[at] != Self::EMPTY {
            if self.table[at] == number {
                return false;
            }
            at = (at + 1) % self.table.len();
        }
        self.table[at] = number;
        true
    }

    fn sorted(mut self) -> Vec<u64> {
        self.table.retain(|&number| number != Self::EMPTY);
        self.table.sort_unstable();
        self.table
    }
}

/// A gamma number of this shape, at least 1, and of scale 1: density x^(shape − 1) e^(−x) /
/// Γ(shape). Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26
/// (2000).
///
/// With d = shape − 1/3, c = 1 / √(9d), a normal number x and v = (1 + c x)³, the number d v is
/// accepted if `ln u < x²/2 + d − d v + d ln v`; −ln u is an exponential number.
fn gamma(shape: f64, stream: &mut TrialStream) -> f64 {
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

/// True if −ln u is above −(x²/2 + d − d v + d ln v) for every possible d, shown without a
/// logarithm; false is no answer.
///
/// With y = c x, the latter is 3 d (y⁴/4 − y⁵/5 + …) ≤ x⁴ (1/4 + |y|/5 + y²/6 + …) / (27 d). As d ≥
/// 2/3, y² = x² / (9 d) ≤ 0.65 where x² ≤ 3.9, and that is below 0.05 x⁴.
fn is_surely_above(minus_log: f64, x: f64) -> bool {
    let square = x * x;
    square <= 3.9 && minus_log > 0.05 * square * square
}

/// x²/2 + d − d v + d ln v for v = (1 + y)³, y = c x.
///
/// As 9 d c² = 1, x² = 9 d y², and the sum is 3 d (ln(1 + y) − y + y²/2 − y³/3): for small y from
/// the series of the logarithm, where the difference would lose its digits.
fn exponent(x: f64, y: f64, d: f64) -> f64 {
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
fn normal(stream: &mut TrialStream) -> f64 {
    loop {
        let (a, b) = (stream.exponential(), stream.exponential());
        if b >= 0.5 * (a - 1.0) * (a - 1.0) {
            return if stream.word() >> 63 == 0 { a } else { -a };
        }
    }
}

/// The mean from which on transformed rejection is used.
const LARGE: f64 = 10.0;

/// A Poisson number of this mean, which is finite and not negative: for small means Knuth's product
/// of uniform numbers as a sum of exponential ones, else Hörmann's transformed rejection PTRS ("The
/// transformed rejection method for generating Poisson random variables", Insurance: Mathematics
/// and Economics 12 (1993)).
fn poisson(mean: f64, stream: &mut TrialStream) -> u64 {
    if mean < LARGE {
        arrivals(mean, stream)
    } else {
        transformed_rejection(mean, stream)
    }
}

/// Arrivals at rate 1 within a time.
fn arrivals(time: f64, stream: &mut TrialStream) -> u64 {
    let (mut count, mut at) = (0, stream.exponential());
    while at < time {
        count += 1;
        at += stream.exponential();
    }
    count
}

/// PTRS: a uniform number u is transformed into a candidate, which is accepted with the probability
/// that makes its law exact, most often without that being computed.
fn transformed_rejection(mean: f64, stream: &mut TrialStream) -> u64 {
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.024_83 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let surely = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let (u, v) = (midpoint(stream.word()) - 0.5, midpoint(stream.word()));
        let from_edge = 0.5 - u.abs();
        let k = ((2.0 * a / from_edge + b) * u + mean + 0.43).floor();
        if from_edge >= 0.07 && v <= surely {
            return k as u64;
        }
        if k < 0.0 || from_edge < 0.013 && v > from_edge {
            continue;
        }
        let height = v * inverse_alpha / (a / (from_edge * from_edge) + b);
        if libm::log(height) <= log_probability(k, mean) {
            return k as u64;
        }
    }
}

/// ln(mean^k e^(−mean) / k!), without the loss of digits of the plain formula: Loader, "Fast and
/// accurate computation of binomial probabilities" (2000).
fn log_probability(k: f64, mean: f64) -> f64 {
    if k == 0.0 {
        return -mean;
    }
    -stirling_error(k) - deviance(k, mean) - 0.5 * libm::log(TAU * k)
}

/// ln k! − ln(√(2πk) (k/e)^k).
fn stirling_error(k: f64) -> f64 {
    if k <= 15.0 {
        return libm::lgamma(k + 1.0) - (k + 0.5) * libm::log(k) + k - 0.5 * libm::log(TAU);
    }
    let square = k * k;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0) / square) / square) / square) / k
}

/// k ln(k / mean) + mean − k.
fn deviance(k: f64, mean: f64) -> f64 {
    let difference = k - mean;
    if difference.abs() >= 0.1 * (k + mean) {
        return k * libm::log(k / mean) - difference;
    }
    let ratio = difference / (k + mean);
    let (mut sum, mut power) = (difference * ratio, 2.0 * k * ratio);
    for term in 1..1000 {
        power *= ratio * ratio;
        let next = sum + power / f64::from(2 * term + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}
