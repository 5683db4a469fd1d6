//! Two versions on the same streams: what differs within each pair of trials.

use super::two_sample::Test;
use crate::analysis::bootstrap::Resampled;
use crate::analysis::distribution::student_two_sided;

/// With fewer resamples than this beyond t, the bootstrap's p is too coarse for a family of tests.
const LEAST_EXCEEDING: usize = 10;

/// Test that the mean difference is 0, by a studentised bootstrap over pairs: t = d̄ / (s / √m), p
/// = (1 + #{|t*| ≥ |t|}) / (B + 1) with t* the same of a resample's differences from d̄.
///
/// The bootstrap cannot give p below 1 / (B + 1), too coarse for many tests at once: with fewer
/// than 10 resamples beyond t, Student's tail with (differing pairs − 1) degrees of freedom counts
/// where it is smaller. Equal differences have no scatter: then the sign test, p = 2^(1 − differing
/// pairs).
pub fn paired(differences: &[f64]) -> Test {
    let m = differences.len() as f64;
    let differing = differences
        .iter()
        .filter(|difference| **difference != 0.0)
        .count();
    if differing == 0 {
        return Test {
            statistic: 0.0,
            p: 1.0,
        };
    }
    let mean = differences.iter().sum::<f64>() / m;
    // From the mean, so that the sums of squares lose no digits.
    let rows: Vec<[f64; 2]> = differences
        .iter()
        .map(|difference| (difference - mean, (difference - mean) * (difference - mean)))
        .map(<[f64; 2]>::from)
        .collect();
    let squares: f64 = rows.iter().map(|row| row[1]).sum();
    let t = |mean: f64, squares: f64| mean / (squares / (m - 1.0) / m).sqrt();
    if squares == 0.0 {
        let p = libm::exp2(1.0 - differing as f64).min(1.0);
        return Test {
            statistic: f64::INFINITY.copysign(mean),
            p,
        };
    }
    let statistic = t(mean, squares);
    let beyond = |sums: &&[f64; 2]| {
        let centre = sums[0] / m;
        let squares = (sums[1] - m * centre * centre).max(0.0);
        // A resample without scatter bounds nothing: it counts as beyond.
        squares <= 1e-12 * sums[1] || t(centre, squares).abs() >= statistic.abs()
    };
    let resampled = Resampled::of(&rows);
    let exceeding = resampled.sums().iter().filter(beyond).count();
    let coarse = (exceeding + 1) as f64 / (resampled.sums().len() + 1) as f64;
    let tail = if exceeding < LEAST_EXCEEDING {
        student_two_sided(statistic, differing as u64 - 1)
    } else {
        1.0
    };
    Test {
        statistic,
        p: coarse.min(tail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::Draws;

    /// 200 pairs, of which one in four differs by the difference of two exponential times: at 5 %
    /// the test alarms with probability 0.05 or less (with 20 differing pairs of 80 it was seen at
    /// 0.02: scarce differences make it conservative). n = 100, allowed are 1 to 12 (5 + 3.2
    /// standard errors; fixed seed).
    #[test]
    fn level_is_five_per_cent() {
        let alarms = alarms(100);
        assert!((1..=12).contains(&alarms), "{alarms} alarms in 100 tests");
    }

    /// n = 400, allowed are 8 to 34 (20 ± 3.2 standard errors: a false failure in 700).
    #[test]
    #[ignore = "slow: make verify"]
    fn level_of_400_tests_is_five_per_cent() {
        let alarms = alarms(400);
        assert!((8..=34).contains(&alarms), "{alarms} alarms in 400 tests");
    }

    fn alarms(tests: u32) -> usize {
        let mut draws = Draws::new(40);
        let sample = |draws: &mut Draws| -> Vec<f64> {
            (0..200)
                .map(|pair| {
                    if pair % 4 == 0 {
                        draws.exponential(1e6) as f64 - draws.exponential(1e6) as f64
                    } else {
                        0.0
                    }
                })
                .collect()
        };
        (0..tests)
            .filter(|_| paired(&sample(&mut draws)).p < 0.05)
            .count()
    }

    #[test]
    fn few_differing_pairs_prove_little_and_many_equal_ones_much() {
        let with = |differing: usize, value: f64| -> Vec<f64> {
            (0..50)
                .map(|pair| if pair < differing { value } else { 0.0 })
                .collect()
        };
        assert!(paired(&with(1, 1e9)).p > 0.3);
        assert_eq!(paired(&with(0, 0.0)).p, 1.0);
        assert_eq!(paired(&with(50, 1.0)).p, libm::exp2(-49.0));
        assert!(paired(&with(30, -5.0)).p < 1e-6 && paired(&with(30, -5.0)).statistic < 0.0);
    }
}
