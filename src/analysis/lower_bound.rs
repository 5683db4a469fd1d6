//! A lower bound of a mean of few or skewed numbers: of times most of which were cut off. It is
//! Gaffke's bound, exceeded by the mean's lower end with probability 2.5 % at most. When it is used
//! is in `measured.rs`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::distribution::{crossing, normal_distribution};

/// The probability that the bound exceeds the mean, at most.
const RISK: f64 = 0.025;

/// The width to which a bound is computed, in means.
const WIDTH: f64 = 1e-12;
/// The width around the bound outside of which the probability is not computed, in means: rounding
/// moves the place where it crosses [`RISK`] by less than 10⁻¹⁴.
const NEAR: f64 = 1e-10;
/// Steps in which that place is looked for; most often five are enough.
const MOST_STEPS: usize = 12;
/// Values that differ from which on it is looked for: of fewer the probability is soon computed.
const MANY_GROUPS: usize = 32;
/// Values that are counted in a list by their size, where none is larger than their number: a sort
/// of 10⁶ takes ten times as long.
const MANY_VALUES: usize = 1000;

/// The bounds of equal values, by the value and its count: points of one trial that was cut off
/// have all the same.
static OF_EQUAL_VALUES: Mutex<BTreeMap<(u64, usize), f64>> = Mutex::new(BTreeMap::new());

/// A number below which the mean of independent values ≥ 0 lies with probability 2.5 % at most.
///
/// It is Gaffke's bound: the 2.5 % quantile of Σ Dᵢ xᵢ with Dirichlet weights D₀, …, Dₘ of m + 1
/// trials, one of them of the value 0. For m equal values x it is x · 0.025^(1/m), Clopper and
/// Pearson's bound. That it holds for every law is proven in special cases and was never seen to be
/// wrong; the interval of ln x̄ exceeds the mean in 6 to 11 % of samples of which most are cut off
/// (`tests/reference/bound.py`). Sources: Gaffke, Math. Methods Statist. 14 (2005) 451;
/// Learned-Miller and Thomas, arXiv:1905.06208.
///
/// The quantile is computed by the saddlepoint approximation, whose probability is too large by
/// 1 to 3 %: the bound is lower by less than 2 %, of a single value by 5 %.
pub fn lower_bound_of_mean(values: &[u64]) -> f64 {
    let most = values.iter().copied().max().unwrap_or_default();
    let are_counted = values.len() >= MANY_VALUES && most <= values.len() as u64;
    let groups = if are_counted {
        counted(values, most)
    } else {
        sorted(values)
    };
    if groups.len() != 1 {
        return bound_of(&groups, place_near(&groups));
    }

    let key = (values[0], values.len());
    let known = OF_EQUAL_VALUES
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(bound) = known.get(&key) {
        return *bound;
    }
    // Not held while it is computed: others would wait.
    drop(known);
    let bound = bound_of(&groups, EVERYWHERE);
    let mut known = OF_EQUAL_VALUES
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    known.insert(key, bound);
    bound
}

/// Equal values.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Group {
    value: f64,
    count: f64,
}

/// The values by their size, each with its count: the definition.
fn sorted(values: &[u64]) -> Vec<Group> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    let group = |run: &[u64]| Group {
        value: run[0] as f64,
        count: run.len() as f64,
    };
    runs.map(group).collect()
}

/// [`sorted`] of values of which the greatest is `most`, in a list of as many counts.
fn counted(values: &[u64], most: u64) -> Vec<Group> {
    let mut counts = vec![0_u32; most as usize + 1];
    for &value in values {
        counts[value as usize] += 1;
    }
    let mut groups = Vec::new();
    for (value, count) in counts.into_iter().enumerate() {
        if count > 0 {
            let value = value as f64;
            let count = f64::from(count);
            groups.push(Group { value, count });
        }
    }
    groups
}

/// Σ xᵢ / (m + 1): above it the weighted mean is more likely below than above.
fn greatest_bound(groups: &[Group]) -> f64 {
    let sum: f64 = groups.iter().map(|group| group.value * group.count).sum();
    let n_values: f64 = groups.iter().map(|group| group.count).sum();
    sum / (n_values + 1.0)
}

/// A place that is not known.
const EVERYWHERE: (f64, f64) = (0.0, f64::INFINITY);

/// The quantile, by halving; the probability is below [`RISK`] up to the first and not below it
/// from the second of two places on.
fn bound_of(groups: &[Group], (low, high): (f64, f64)) -> f64 {
    let most = greatest_bound(groups);
    if most == 0.0 {
        return 0.0;
    }
    crossing((0.0, most), most * WIDTH, |bound| {
        bound <= low || bound < high && below(groups, bound) < RISK
    })
}

/// Two places close to the quantile, between which it lies: found by the slope of the logarithm of
/// the probability, and looked at. [`EVERYWHERE`] of few values, and where nothing is found.
fn place_near(groups: &[Group]) -> (f64, f64) {
    let most = greatest_bound(groups);
    if groups.len() < MANY_GROUPS {
        return EVERYWHERE;
    }
    let n_values: f64 = groups.iter().map(|group| group.count).sum();
    let square = |group: &Group| group.count * (group.value - most) * (group.value - most);
    let squares = most * most + groups.iter().map(square).sum::<f64>();
    let deviation = (squares / (n_values + 1.0) / (n_values + 2.0)).sqrt();

    let distance = |bound: f64| libm::log(below(groups, bound) / RISK);
    let mut last = most - 1.96 * deviation;
    let mut place = last + 0.01 * deviation;
    let mut distance_of_last = distance(last);
    for _ in 0..MOST_STEPS {
        let here = distance(place);
        let step = here * (place - last) / (here - distance_of_last);
        (last, distance_of_last) = (place, here);
        place -= step;
        if !(0.0 < place && place < most) {
            return EVERYWHERE;
        }
        if step.abs() > most * NEAR / 10.0 {
            continue;
        }
        let low = place - most * NEAR;
        let high = place + most * NEAR;
        let is_between = below(groups, low) < RISK && below(groups, high) >= RISK;
        return if is_between { (low, high) } else { EVERYWHERE };
    }
    EVERYWHERE
}

/// Σ of a term of the distances of all values from a bound, of x₀ = 0 first.
#[inline(always)]
fn sum(groups: &[Group], bound: f64, term: impl Fn(f64) -> f64) -> f64 {
    let mut of_values = 0.0;
    for group in groups {
        of_values += group.count * term(group.value - bound);
    }
    term(-bound) + of_values
}

/// P(Σ Dᵢ xᵢ ≤ bound) = P(Σ Eᵢ (xᵢ − bound) ≤ 0), with Eᵢ exponential and x₀ = 0, for a bound below
/// Σ xᵢ / (m + 1), by Lugannani and Rice's formula (Adv. Appl. Probab. 12 (1980) 475).
///
/// The cumulant function is K(s) = −Σ ln(1 − s aᵢ), aᵢ = xᵢ − bound; its minimum lies between
/// −1 / bound and 0.
fn below(groups: &[Group], bound: f64) -> f64 {
    let slope = |s: f64| sum(groups, bound, |a| a / (1.0 - s * a));
    let least = crossing((-1.0 / bound, 0.0), 0.0, |s| slope(s) < 0.0);
    let cumulant = -sum(groups, bound, |a| libm::log1p(-least * a));
    let square = |a: f64| (a / (1.0 - least * a)) * (a / (1.0 - least * a));
    let curvature = sum(groups, bound, square);
    let root = -(-2.0 * cumulant).max(0.0).sqrt();
    let scaled = least * curvature.sqrt();
    if root > -1e-3 {
        return 0.5;
    }
    let density = libm::exp(-root * root / 2.0) / std::f64::consts::TAU.sqrt();
    normal_distribution(root) + density * (1.0 / root - 1.0 / scaled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, assert_close};

    /// m equal values: x · 0.025^(1/m) exactly. Else the quantile of 10⁷ weighted means by NumPy
    /// (tests/reference/bound.py).
    #[test]
    fn it_is_the_quantile_of_weighted_means() {
        for (trials, tolerance) in [(1, 0.06), (2, 0.02), (10, 0.003), (100, 3e-4), (3200, 1e-5)] {
            let exact = 1e6 * libm::pow(0.025, 1.0 / f64::from(trials));
            let found = lower_bound_of_mean(&vec![1_000_000; trials as usize]);
            assert_close(&[found], &[exact], tolerance);
            assert!(found <= exact, "{trials}");
        }
        let half = [3, 20, 41, 77, 90, 100, 100, 100, 100, 100, 100, 100];
        for (values, expected) in [(&half[..], NUMPY), (&[0, 0, 0, 100, 100], 5.331)] {
            assert_close(&[lower_bound_of_mean(values)], &[expected], 0.02);
        }
        assert_eq!(lower_bound_of_mean(&[0, 0]), 0.0);
    }

    const NUMPY: f64 = 49.24;

    /// Samples of every shape: times under a cutoff, few and many values that differ, one value,
    /// zeros, values that lie far apart.
    fn samples() -> Vec<Vec<u64>> {
        let mut draws = Draws::new(3);
        let mut samples = vec![vec![7; 1500], vec![0; 1200], vec![0, 0, 5], vec![9]];
        for n_trials in [2, 40, 300, 1500, 20_000] {
            for (mean, cutoff) in [
                (1e6, 1e5),
                (1e6, 3e6),
                (3e3, 2e3),
                (500.0, 2e3),
                (30.0, 1e9),
            ] {
                let mut time = || draws.exponential(mean).min(cutoff as u64);
                samples.push((0..n_trials).map(|_| time()).collect());
            }
            // Most are small, and a few are 10⁵ times as large.
            let mut mixed = || {
                let is_slow = draws.happens(0.01);
                draws.exponential(if is_slow { 1e9 } else { 1e4 })
            };
            samples.push((0..n_trials).map(|_| mixed()).collect());
        }
        samples
    }

    /// The bound is the same to the last bit as by halving from 0 on, for values in any order, and
    /// when it is asked for again.
    #[test]
    fn the_place_of_a_bound_changes_no_bit_of_it() {
        let mut n_found = 0;
        for mut values in samples() {
            let groups = sorted(&values);
            let most = values.iter().max().copied().unwrap_or_default();
            if most < 1_000_000 {
                assert_eq!(counted(&values, most), groups);
            }
            n_found += usize::from(place_near(&groups) != EVERYWHERE);
            let plain = bound_of(&groups, EVERYWHERE);
            let third = values.len() / 3;
            values.rotate_left(third);
            for _ in 0..2 {
                let found = lower_bound_of_mean(&values);
                assert_eq!(found.to_bits(), plain.to_bits(), "{} values", values.len());
            }
        }
        assert!(n_found > 10, "{n_found}");
    }

    /// Samples of m exponential times under a cutoff, in units of the mean. n = 2000 samples each;
    /// the bound may exceed the true E[min(T, c)] in 2.5 % of them: fails above 2.5 % + 4 standard
    /// errors = 3.9 %, hence a false failure in 30 000 for each (fixed seed), were it 2.5 %.
    /// The interval of ln x̄ exceeds it in 5.9 to 11 % of such samples, which is seen.
    #[test]
    fn it_exceeds_the_mean_as_rarely_as_it_says() {
        let mut draws = Draws::new(9);
        for (trials, cutoff) in [(10, 0.2), (10, 1.0), (100, 0.05), (100, 0.2), (100, 1.0)] {
            let truth = 1e6 * (1.0 - libm::exp(-cutoff));
            let mut exceeds = || {
                let times = (0..trials).map(|_| draws.exponential(1e6).min((cutoff * 1e6) as u64));
                let times: Vec<u64> = times.collect();
                lower_bound_of_mean(&times) > truth
            };
            let times_above = (0..2000).filter(|_| exceeds()).count();
            assert!(
                times_above <= 78,
                "{trials}, {cutoff}: {times_above} of 2000"
            );
        }
    }
}
