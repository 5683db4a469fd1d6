//! Tests: frozen vectors, and the laws of the draws over ten decades of their parameters.
//!
//! Each law is tested by the numbers F(x) of 4000 draws x, F its distribution function (of a whole
//! number a uniform one between F(x − 1) and F(x)), which are uniform: Pearson's χ² over 20 equal
//! classes. Threshold 80 on 19 degrees of freedom: each fails falsely with probability 2·10⁻⁹
//! (fixed seeds).

use super::*;
use crate::local::samples::stream;
use crate::testing::chi_square;

const DRAWS: usize = 4000;

fn assert_uniform(numbers: impl Iterator<Item = f64>, what: &str) {
    let mut classes = [0_u32; 20];
    let mut count = 0.0;
    for number in numbers {
        classes[((number * 20.0) as usize).min(19)] += 1;
        count += 1.0;
    }
    let expected = count / 20.0;
    let chi2 = chi_square(classes.iter().map(|&n| (f64::from(n), expected)));
    assert!(chi2 < 80.0, "{what}: χ² = {chi2}, {classes:?}");
}

/// P(a, x), the share of the gamma law of shape a below x: its series, or the continued fraction of
/// the rest (modified Lentz).
fn gamma_below(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    // x^a e^(−x) / Γ(a), by way of the Poisson law, whose digits are kept.
    let front = a * libm::exp(log_probability(a, x));
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return front * sum;
    }
    let (mut b, mut c) = (x + 1.0 - a, 1e300);
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..10_000_000 {
        let i = f64::from(i);
        let an = -i * (i - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    1.0 - front * h
}

#[test]
fn normal_numbers_have_their_law() {
    let mut stream = stream("tests/waits", 1);
    let below = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    assert_uniform((0..DRAWS).map(|_| below(normal(&mut stream))), "normal");
}

/// What is accepted without a logarithm would be accepted with it.
#[test]
fn gamma_numbers_are_accepted_early_where_they_would_be_late() {
    for d in [2.0 / 3.0, 0.7, 1.0, 1.7, 5.0, 40.0, 3e3, 1e6, 4e9] {
        for i in 0..4000 {
            let x = f64::from(i) * 0.001;
            let bound = (0.05 * x * x * x * x).next_up();
            for x in [x, -x] {
                let y = x / (9.0_f64 * d).sqrt();
                if is_surely_above(bound, x) {
                    assert!(-bound < exponent(x, y, d), "d = {d}, x = {x}");
                }
            }
        }
    }
    assert!(is_surely_above(0.8, 1.97) && !is_surely_above(0.7, 1.97));
    assert!(!is_surely_above(40.0, 2.0));
}

#[test]
fn gamma_numbers_have_their_law() {
    let mut stream = stream("tests/waits", 2);
    for shape in [
        1.0, 1.5, 2.0, 7.0, 30.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
    ] {
        let draws = if shape > 1e7 { DRAWS / 10 } else { DRAWS };
        // Beyond, the sum for P(a, x) is long; the cube root of Wilson and Hilferty is exact there.
        let below = |x: f64| {
            if shape <= 1e5 {
                return gamma_below(shape, x);
            }
            let z = (libm::cbrt(x / shape) - 1.0 + 1.0 / (9.0 * shape)) * 3.0 * shape.sqrt();
            0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
        };
        let numbers = (0..draws).map(|_| below(gamma(shape, &mut stream)));
        assert_uniform(numbers, &format!("gamma of shape {shape}"));
    }
}

#[test]
fn poisson_numbers_have_their_law() {
    let mut stream = stream("tests/waits", 3);
    for mean in [
        1e-3, 0.1, 1.0, 5.0, 9.999, 10.0, 12.5, 40.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e10, 1e12,
    ] {
        let draws = if mean > 1e4 { DRAWS / 10 } else { DRAWS };
        let below = |k: f64| {
            if mean <= 1e4 {
                // P(K ≤ k) is the share of the gamma law of shape k + 1 above the mean.
                return if k < 0.0 {
                    0.0
                } else {
                    1.0 - gamma_below(k + 1.0, mean)
                };
            }
            // The cube root of Wilson and Hilferty.
            let a = k + 1.0;
            let z = (libm::cbrt(mean / a) - 1.0 + 1.0 / (9.0 * a)) * 3.0 * a.sqrt();
            0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
        };
        let numbers: Vec<f64> = (0..draws)
            .map(|_| {
                let k = poisson(mean, &mut stream) as f64;
                let u = (stream.word() >> 11) as f64 / (1_u64 << 53) as f64;
                below(k - 1.0) + u * (below(k) - below(k - 1.0))
            })
            .collect();
        assert_uniform(numbers.into_iter(), &format!("Poisson of mean {mean}"));
    }
}

/// P(K > k) is the probability of fewer than c successes in k + c trials, a sum of c terms: exact
/// however small p is.
#[test]
fn failures_have_their_law_over_ten_decades_of_p() {
    let mut stream = stream("tests/waits", 7);
    for successes in [1, 3, 40, 300] {
        let c = f64::from(successes);
        for p in [
            0.7, 0.03, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11,
        ] {
            let above = |k: f64| {
                let trials = k + c;
                let mut term = libm::exp(trials * libm::log1p(-p));
                let (mut sum, mut j) = (term, 0.0);
                while j + 1.0 < c && j < trials {
                    term *= (trials - j) / (j + 1.0) * (p / (1.0 - p));
                    j += 1.0;
                    sum += term;
                }
                sum
            };
            let numbers: Vec<f64> = (0..DRAWS)
                .map(|_| {
                    let k = failures(successes, p, &mut stream) as f64;
                    let u = (stream.word() >> 11) as f64 / (1_u64 << 53) as f64;
                    above(k) + u * (above(k - 1.0) - above(k))
                })
                .collect();
            assert_uniform(
                numbers.into_iter(),
                &format!("{successes} successes of {p}"),
            );
        }
    }
}

/// All compositions of 5 into 3 parts, 21 of them, are equally likely.
///
/// χ² on 20 degrees of freedom, threshold 80: a false failure with probability 4·10⁻⁹.
#[test]
fn compositions_are_uniform() {
    let mut stream = stream("tests/waits", 5);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..21 * 300 {
        let parts = composition(5, 3, &mut stream);
        assert_eq!((parts.len(), parts.iter().sum::<u64>()), (3, 5));
        *counts.entry(parts).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.len(), 21);
    let chi2 = chi_square(counts.values().map(|&n| (f64::from(n), 300.0)));
    assert!(chi2 < 80.0, "{counts:?}");
    assert_eq!(composition(9, 1, &mut stream), [9]);
    assert_eq!(composition(0, 4, &mut stream), [0; 4]);
    let many = composition(1 << 40, 10_000, &mut stream);
    assert_eq!((many.len(), many.iter().sum::<u64>()), (10_000, 1 << 40));
}

/// Results rest on these numbers.
#[test]
fn draws_are_frozen() {
    let mut stream = stream("tests/waits", 6);
    let gammas = [1.0, 3.0, 1e4].map(|shape| gamma(shape, &mut stream));
    let poissons = [0.5, 9.0, 80.0, 1e9].map(|mean| poisson(mean, &mut stream));
    let sums = [(1, 0.01), (100, 0.2), (16_384, 0.03)]
        .map(|(successes, p)| failures(successes, p, &mut stream));
    let parts = composition(20, 5, &mut stream);
    assert_eq!(
        (gammas, poissons, sums, parts),
        (GAMMAS, POISSONS, SUMS, PARTS.to_vec())
    );
}

const GAMMAS: [f64; 3] = [0.9982129684536308, 3.11330208318566, 10029.444001967086];
const POISSONS: [u64; 4] = [1, 10, 68, 999_987_464];
const SUMS: [u64; 3] = [50, 505, 524_273];
const PARTS: [u64; 5] = [1, 9, 1, 9, 0];
