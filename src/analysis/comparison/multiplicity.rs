//! What many p-values at once are worth.

/// Holm's adjusted p-values, in the order given: rejecting those at most α errs with probability at
/// most α, whatever depends on what.
///
/// The k-th smallest of m is multiplied by m + 1 − k; none is below one before it. Source: Holm,
/// Scand. J. Stat. 6 (1979) 65.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut least: f64 = 0.0;
    for (place, index) in ascending(p).into_iter().enumerate() {
        least = least.max((p[index] * (p.len() - place) as f64).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

/// Benjamini and Hochberg's q-values, in the order given: of those at most q, a share of about q is
/// expected to be false.
///
/// The k-th smallest of m is multiplied by m / k; none is above one after it. Source: Benjamini and
/// Hochberg, J. R. Stat. Soc. B 57 (1995) 289.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut most: f64 = 1.0;
    for (place, index) in ascending(p).into_iter().enumerate().rev() {
        most = most.min(p[index] * p.len() as f64 / (place + 1) as f64);
        adjusted[index] = most;
    }
    adjusted
}

fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsmodels' `multipletests`, by tests/reference/statistics.py.
    #[test]
    fn adjusted_values_are_statsmodels() {
        let p = [0.04, 0.001, 0.012, 0.3, 0.012, 0.9, 0.0004];
        let expected = [
            [0.12, 0.006, 0.06, 0.6, 0.06, 0.9, 0.0028],
            [0.056, 0.0035, 0.021, 0.35, 0.021, 0.9, 0.0028],
        ];
        for (found, expected) in [holm(&p), benjamini_hochberg(&p)].into_iter().zip(expected) {
            for (found, expected) in found.into_iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-15,
                    "{found} instead of {expected}"
                );
            }
        }
        assert!(holm(&[]).is_empty());
    }
}
