//! Tests: the logarithm, and the law of the waits.

use super::*;
use crate::local::lanes::vector::Plain;
use crate::local::tests::samples::stream;
use crate::tests::chi_square;

type OneLane = Plain<1>;

fn first(vector: OneLane) -> f64 {
    let mut words = [0; LANES];
    vector.store(&mut words);
    f64::from_bits(words[0])
}

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
        let found = first(laws.logarithm(OneLane::splat(word)));
        let error = (found - libm::log(uniform)).abs();
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
        let numbers = (0..200_000).map(|_| {
            let word = OneLane::splat(stream.word());
            first(laws.failures(laws.logarithm(word), OneLane::splat(open as u64)))
        });
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

/// A clock stops at the cutoff, and the waits of one lane do not depend on the others.
#[test]
fn a_clock_says_what_is_after_the_cutoff() {
    let laws = WaitLaws::new([0.0, 0.5, 1.0].into_iter());
    let mut clocks = Clocks::until(3);
    for _ in 0..3 {
        assert_eq!(clocks.wait(0b101, Plain::<LANES>::splat(2), &laws), 0);
    }
    assert_eq!([0, 1, 2].map(|lane| clocks.time(lane)), [3, 0, 3]);
    assert_eq!(clocks.wait(0b110, Plain::<LANES>::splat(2), &laws), 0b100);
    assert_eq!([0, 1].map(|lane| clocks.time(lane)), [3, 1]);
    assert!(!clocks.wait_alone(0, 1.0) && clocks.wait_alone(1, 1.0));
}
