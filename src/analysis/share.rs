//! Shares of trials.

use super::distribution::NORMAL_975;
use super::estimate::Estimate;
use crate::results::rows::Rows;

/// The trials of a point that were absorbed before their cutoff, and all of them; `None` where
/// there is none, and for searches, which are never absorbed.
pub fn absorbed(rows: &Rows) -> Option<[u64; 2]> {
    let is_local = !rows.is_empty() && rows.filled("updates") == rows.len();
    is_local.then(|| [rows.filled("absorption_time"), rows.len()].map(|it| it as u64))
}

/// successes / trials, with the 95 % interval of a probability by inverting its score test; never
/// empty, never beyond 0 and 1. Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209–212.
pub fn share(successes: u64, trials: u64) -> Estimate {
    const Z: f64 = NORMAL_975;
    let (count, all) = (successes as f64, trials as f64);
    let centre = count + Z * Z / 2.0;
    let reach = Z * (count * (all - count) / all + Z * Z / 4.0).sqrt();
    let ends = [centre - reach, centre + reach].map(|it| (it / (all + Z * Z)).clamp(0.0, 1.0));
    Estimate {
        trials,
        ..Estimate::within(count / all, ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, solved_row};

    /// SciPy 1.17, by tests/reference/analysis.py.
    #[test]
    fn wilsons_interval() {
        let [some, none] = [share(8, 10), share(0, 10)];
        let scipy = [0.4901625, 0.9433178, 0.2775328];
        assert_close(&[some.low, some.high, none.high], &scipy, 1e-6);
        assert_eq!((none.low, share(7, 7).high), (0.0, 1.0));
    }

    #[test]
    fn trials_cut_off_count_among_all() {
        let mut cut = solved_row(&[1, 3, 0, 2]);
        cut.outcome.absorption_time = None;
        let both = vec![solved_row(&[1, 3, 0, 2]), cut].into();
        assert_eq!(
            (absorbed(&both), absorbed(&vec![].into())),
            (Some([1, 2]), None)
        );
    }
}
