//! A cubic through weighted points, and its minimum.

use crate::analysis::least_squares::{Fit, Observation};

/// A point of a curve in log–log.
#[derive(Debug, Clone, Copy)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
    /// Inverse of the variance of y.
    pub weight: f64,
}

/// y = Σ aₖ (x − centre)ᵏ.
pub struct Cubic {
    centre: f64,
    coefficients: [f64; 4],
}

impl Cubic {
    /// Weighted least squares; `None` where the points do not determine a cubic.
    pub fn through(points: &[Dot]) -> Option<Self> {
        let centre = points.iter().map(|point| point.x).sum::<f64>() / points.len() as f64;
        let observation = |&Dot { x, y, weight }: &Dot| {
            let u = x - centre;
            Observation {
                row: [1.0, u, u * u, u * u * u],
                y,
                weight,
            }
        };
        let observations: Vec<Observation<4>> = points.iter().map(observation).collect();
        Some(Self {
            centre,
            coefficients: Fit::of(&observations)?.coefficients,
        })
    }

    /// The local minimum, if it lies strictly between `low` and `high`: where b + 2cu + 3du² = 0
    /// and the second derivative 2c + 6du is positive.
    pub fn minimum(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        let [a, b, c, d] = self.coefficients;
        let root = (c * c - 3.0 * b * d).sqrt();
        // The root of the quadratic with the positive second derivative, 2 · root, written without
        // cancellation for c > 0.
        let u = if c > 0.0 {
            -b / (c + root)
        } else {
            (root - c) / (3.0 * d)
        };
        let x = self.centre + u;
        (root > 0.0 && x > low && x < high).then_some((x, a + u * (b + u * (c + u * d))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cubic is found exactly, by hand: y = 2 + (x − 1)² + 0.1 (x − 1)³ has its minimum 2 at 1.
    #[test]
    fn a_cubic_is_its_own_fit() {
        let dot = |x: f64| Dot {
            x,
            y: 2.0 + (x - 1.0) * (x - 1.0) + 0.1 * (x - 1.0) * (x - 1.0) * (x - 1.0),
            weight: 1.0 + x.abs(),
        };
        let points: Vec<Dot> = [-0.5, 0.2, 0.7, 1.1, 1.9, 2.5].map(dot).into();
        let (x, y) = Cubic::through(&points)
            .and_then(|cubic| cubic.minimum(-0.5, 2.5))
            .expect("a minimum inside");
        assert!((x - 1.0).abs() < 1e-9 && (y - 2.0).abs() < 1e-9, "{x}, {y}");
        assert_eq!(
            Cubic::through(&points).and_then(|cubic| cubic.minimum(1.5, 2.5)),
            None
        );
        assert!(Cubic::through(&points[..3]).is_none());
    }
}
