//! What many p-values at once are worth.

/// Holm's adjusted p-values, in the order given: rejecting those at most α errs with probability at
/// most α, whatever depends on what.
///
/// The k-th smallest of m is multiplied by m + 1 − k; none is below one before it. Source: Holm,
/// Scand. J. Stat. 6 (1979) 65.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<usize> = (0..p.len()).collect();
    ascending.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut least: f64 = 0.0;
    for (place, index) in ascending.into_iter().enumerate() {
        least = least.max((p[index] * (p.len() - place) as f64).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsmodels' `multipletests`, by tests/reference/statistics.py.
    #[test]
    fn adjusted_values_are_statsmodels() {
        let p = [0.04, 0.001, 0.012, 0.3, 0.012, 0.9, 0.0004];
        let expected = [0.12, 0.006, 0.06, 0.6, 0.06, 0.9, 0.0028];
        for (found, expected) in holm(&p).into_iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-15,
                "{found} instead of {expected}"
            );
        }
        assert!(holm(&[]).is_empty());
    }
}
