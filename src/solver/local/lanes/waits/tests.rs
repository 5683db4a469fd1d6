//! Tests: the logarithm, and the law of the waits.

use super::*;
use crate::local::tests::samples::stream;
use crate::rng::Words as _;
use crate::tests::chi_square;

/// Random words, and the least and the greatest of each number of leading zeros and each piece.
#[test]
fn the_logarithm_is_one() {
    let laws = WaitLaws::new(std::iter::empty());
    let mut stream = stream("tests/waits/logarithm", 1);
    let edges = (0..64_u32).flat_map(|zeros| {
        (0..PIECES as u64).flat_map(move |piece| {
            let least = (PIECES as u64 + piece) << 59 >> zeros;
            [least, least.saturating_sub(1), least + 1]
        })
    });
    let edges: Vec<u64> = edges.chain([0, u64::MAX]).collect();
    let random = (0..100_000).map(|_| stream.word());
    for word in edges.into_iter().chain(random) {
        let uniform = ((word >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
        let error = (laws.logarithm(word) - libm::log(uniform)).abs();
        assert!(error < 1e-11, "{word:#x}: {error}");
    }
}

/// χ² of 20 classes of about equal probability: above 80 with probability 2·10⁻⁹.
#[test]
fn waits_are_geometric() {
    let probabilities = [0.0, 1e-3, 0.02, 0.3, 0.9, 1.0];
    let laws = WaitLaws::new(probabilities.into_iter());
    let mut stream = stream("tests/waits/law", 2);
    for (open, p) in probabilities.into_iter().enumerate().skip(1) {
        let mut number = || laws.failures(laws.logarithm(stream.word()), open as u64);
        let numbers = (0..200_000).map(|_| number());
        let numbers: Vec<f64> = numbers.collect();
        let above = |k: f64| libm::pow(1.0 - p, k);
        let mut ends: Vec<f64> = (1..20)
            .map(|it| (libm::log(f64::from(it) / 20.0) / libm::log1p(-p)).floor())
            .collect();
        ends.push(0.0);
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let classes = ends.iter().enumerate().map(|(index, &from)| {
            let to = ends.get(index + 1).copied().unwrap_or(f64::INFINITY);
            let found = numbers.iter().filter(|it| (from..to).contains(*it)).count();
            (
                found as f64,
                numbers.len() as f64 * (above(from) - above(to)),
            )
        });
        let chi2 = chi_square(classes.filter(|it| it.1 > 0.0 || it.0 > 0.0));
        assert!(chi2 < 80.0, "p = {p}: χ² = {chi2}");
    }
}

/// Numbers near 1 have a logarithm of 0, or one a little above or below.
#[test]
fn no_wait_is_negative() {
    for p in [0.3, 1.0] {
        let laws = WaitLaws::new([0.0, p].into_iter());
        for logarithm in [1e-11, 1e-16, 0.0, -1e-16, -1e-11] {
            assert_eq!(laws.failures(logarithm, 1), 0.0);
        }
    }
}
