//! Numbers that other programs have been given too, and what they are held against.

use crate::analysis::quantile::Bounded;

/// 20 times that scatter like exponential ones.
pub const TIMES: [u64; 20] = [
    3, 141, 59, 26, 535, 897, 93, 238, 46, 264, 33, 83, 279, 502, 88, 41, 971, 69, 399, 37,
];

/// Freireich and others, Blood 21 (1963) 699: weeks of remission under 6-mercaptopurine (+: still
/// in remission) and under placebo.
pub fn remission() -> [Vec<Bounded>; 2] {
    let treated = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+";
    let placebo = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23";
    let trial = |word: &str| {
        let weeks = word.trim_end_matches('+').parse();
        Bounded {
            value: weeks.expect("a number of weeks"),
            at_least: word.ends_with('+'),
        }
    };
    [treated, placebo].map(|text| text.split(' ').map(trial).collect())
}

/// Numbers against those of another program, or by hand.
#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64], relative: f64) {
    let is_close = |(found, expected): (&f64, &f64)| {
        *found == *expected || (found - expected).abs() < relative * expected.abs()
    };
    let are_close = found.len() == expected.len() && found.iter().zip(expected).all(is_close);
    assert!(are_close, "{found:?} instead of {expected:?}");
}

/// Z of the share of hits against an expected one that another program measured on `of` samples,
/// infinitely many where it is known.
pub fn z_of_share((hits, samples): (usize, u32), (expected, of): (f64, f64)) -> f64 {
    let samples = f64::from(samples);
    let variance = expected * (1.0 - expected) * (1.0 / samples + 1.0 / of);
    (hits as f64 / samples - expected) / variance.sqrt()
}
