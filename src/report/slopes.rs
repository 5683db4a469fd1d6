//! What is said of fitted slopes: a factor that says nothing is not printed, and a lack of fit is
//! said where the slope is.

use super::number::short;
use crate::analysis::regression::{FACTOR_POINTS, Growth, Vagueness, WIDEST_FACTOR};

/// A fitted growth, as far as its factor says something; else why it does not.
pub fn meant(growth: Option<Growth>) -> (Option<Growth>, Option<String>) {
    let Some(vague) = growth.and_then(|growth| growth.vagueness()) else {
        return (growth, None);
    };
    let reason = match vague {
        Vagueness::FewPoints(points) => {
            format!("no growth factor: {points} points, {FACTOR_POINTS} are needed")
        }
        Vagueness::Wide => format!(
            "no growth factor: its interval is wider than a factor of {}",
            short(WIDEST_FACTOR, 2)
        ),
    };
    (None, Some(reason))
}

/// `no lack of fit (reduced χ² = 0.8)`, or that the slope of this law only describes the points.
pub fn verdict(law: &str, fits: bool, reduced_chi_square: f64) -> String {
    let chi_square = short(reduced_chi_square, 2);
    if fits {
        format!("no lack of fit (reduced χ² = {chi_square})")
    } else {
        format!(
            "{law} does not fit (reduced χ² = {chi_square}): the slope only describes these points"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::mean::Mean;

    #[test]
    fn a_factor_of_three_points_is_not_printed() {
        let mean = |value: f64| Mean {
            value,
            standard_error: 0.1 * value,
            trials: 100,
        };
        let points = [1.0, 3.0, 9.0, 27.0].map(mean);
        let means: Vec<(f64, Mean)> = (4..).map(f64::from).zip(points).collect();
        let (growth, reason) = meant(Growth::fit(&means[..3]));
        assert_eq!(growth, None);
        assert_eq!(
            reason.as_deref(),
            Some("no growth factor: 3 points, 4 are needed")
        );
        let (growth, reason) = meant(Growth::fit(&means));
        assert!(growth.is_some() && reason.is_none());
        assert_eq!(meant(None), (None, None));
    }
}
