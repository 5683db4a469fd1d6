//! Weighted least squares: what straight lines, cubics and density laws have in common. Here are
//! χ², its p-value (the lack of fit), and the interval of a coefficient. From which p on a law is
//! rejected is in `regression.rs`.

use super::distribution::{chi_square_tail, student_975};
use super::estimate::Estimate;

/// A value of y at known values of the K regressors.
#[derive(Debug, Clone, Copy)]
pub struct DataPoint<const K: usize> {
    pub row: [f64; K],
    pub y: f64,
    /// Inverse of the variance of y.
    pub weight: f64,
}

impl<const K: usize> DataPoint<K> {
    /// ln value at `row`, weighted by the inverse of its variance; `None` where it has none.
    pub fn of_logarithm(of: &Estimate, row: [f64; K]) -> Option<Self> {
        Some(Self {
            row,
            y: libm::log(of.value),
            weight: 1.0 / of.log_variance()?,
        })
    }
}

/// The coefficients of y = Σ aₖ rowₖ with the least Σ weight · residual².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastSquares<const K: usize> {
    pub coefficients: [f64; K],
    /// The covariance of the coefficients, by the weights alone.
    pub covariance: [[f64; K]; K],
    /// Σ weight · residual².
    pub chi_square: f64,
    pub points: u64,
}

impl<const K: usize> LeastSquares<K> {
    /// The fit by orthogonal columns (modified Gram and Schmidt in the weighted product): no normal
    /// equations, whose condition would be squared. `None` where a column is a combination of those
    /// before it, hence with fewer than K points.
    pub fn of(points: &[DataPoint<K>]) -> Option<Self> {
        let mut rows: Vec<[f64; K]> = points.iter().map(|point| point.row).collect();
        let mut rest: Vec<f64> = points.iter().map(|point| point.y).collect();
        let product = |rows: &[[f64; K]], a: usize, b: usize| -> f64 {
            let weighted = points.iter().zip(rows);
            let terms = weighted.map(|(point, row)| point.weight * row[a] * row[b]);
            terms.sum()
        };
        // row = orthogonal row · mixed, with ones on the diagonal of `mixed`.
        let mut mixed = [[0.0; K]; K];
        let mut projections = [0.0; K];
        let mut norms = [0.0; K];
        for k in 0..K {
            let before = product(&rows, k, k);
            for j in 0..k {
                mixed[j][k] = product(&rows, j, k) / norms[j];
                rows.iter_mut()
                    .for_each(|row| row[k] -= mixed[j][k] * row[j]);
            }
            norms[k] = product(&rows, k, k);
            if norms[k] <= 1e-18 * before {
                return None;
            }
            let along = points.iter().zip(&rows).zip(&rest);
            let along = along.map(|((point, row), rest)| point.weight * row[k] * rest);
            projections[k] = along.sum::<f64>() / norms[k];
            let rests = rest.iter_mut().zip(&rows);
            rests.for_each(|(rest, row)| *rest -= projections[k] * row[k]);
        }
        let inverse: [[f64; K]; K] = std::array::from_fn(|k| column_of_inverse(&mixed, k));
        let covariance = |i: usize, j: usize| -> f64 {
            let parts = (0..K).map(|k| inverse[k][i] * inverse[k][j] / norms[k]);
            parts.sum()
        };
        let coefficient = |i: usize| (0..K).map(|k| inverse[k][i] * projections[k]).sum();
        let weighted = points.iter().zip(&rest);
        let squares = weighted.map(|(point, rest)| point.weight * rest * rest);
        Some(Self {
            coefficients: std::array::from_fn(coefficient),
            covariance: std::array::from_fn(|i| std::array::from_fn(|j| covariance(i, j))),
            chi_square: squares.sum(),
            points: points.len() as u64,
        })
    }

    /// The standard error of a coefficient, by the weights alone.
    pub fn standard_error(&self, k: usize) -> f64 {
        self.covariance[k][k].sqrt()
    }

    /// y − Σ aₖ rowₖ of a point.
    pub fn residual(&self, point: &DataPoint<K>) -> f64 {
        let terms = self.coefficients.iter().zip(&point.row);
        point.y - terms.map(|(coefficient, x)| coefficient * x).sum::<f64>()
    }

    /// weight · row · covariance · row of a point that was fitted: how far its own y pulls the fit
    /// towards it, from 0 to 1.
    pub fn leverage(&self, point: &DataPoint<K>) -> f64 {
        let product = |k: usize| -> f64 {
            let terms = self.covariance[k].iter().zip(&point.row);
            point.row[k] * terms.map(|(covariance, x)| covariance * x).sum::<f64>()
        };
        point.weight * (0..K).map(product).sum::<f64>()
    }

    /// Points − K; `None` where that is not positive: then the lack of fit is unknown.
    fn degrees_of_freedom(&self) -> Option<u64> {
        self.points
            .checked_sub(K as u64)
            .filter(|&freedom| freedom > 0)
    }

    /// χ² over its degrees of freedom: near 1 when the scatter about the fit is sampling noise
    /// alone, far above 1 when the fit is not the law. `None` unless there are more points than
    /// coefficients.
    pub fn reduced_chi_square(&self) -> Option<f64> {
        Some(self.chi_square / self.degrees_of_freedom()? as f64)
    }

    /// Probability of so large a χ² if the fit is the law: the test of the lack of fit. `None` as
    /// [`reduced_chi_square`](Self::reduced_chi_square).
    pub fn p_value(&self) -> Option<f64> {
        Some(chi_square_tail(self.chi_square, self.degrees_of_freedom()?))
    }

    /// A coefficient with the interval ± t · standard error · √max(1, reduced χ²) (the Birge
    /// ratio): where points scatter about the fit by more than their errors, the scatter sets the
    /// uncertainty. t is Student's with points − K degrees of freedom. `None` as
    /// [`reduced_chi_square`](Self::reduced_chi_square).
    pub fn coefficient(&self, k: usize) -> Option<Estimate> {
        let t = student_975(self.degrees_of_freedom()?);
        let birge = self.reduced_chi_square()?.max(1.0).sqrt();
        let value = self.coefficients[k];
        let reach = t * birge * self.standard_error(k);
        Some(Estimate::within(value, [value - reach, value + reach]))
    }
}

/// Column `k` of the inverse of the matrix with ones on the diagonal and `mixed` above it.
fn column_of_inverse<const K: usize>(mixed: &[[f64; K]; K], k: usize) -> [f64; K] {
    let mut column = [0.0; K];
    column[k] = 1.0;
    for i in (0..k).rev() {
        column[i] = -(i + 1..=k).map(|j| mixed[i][j] * column[j]).sum::<f64>();
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::assert_close;

    /// statsmodels' WLS with the covariance of the given errors, by tests/reference/statistics.py;
    /// Σ of the leverages is the number of coefficients, χ² is Σ weight · residual².
    #[test]
    fn fit_is_statsmodels() {
        let (x1, y) = (
            [7.2, 5.8, 13.5, 12.9, 18.1, 21.0, 24.9],
            [6.9, 7.1, 10.2, 10.6, 13.0, 14.5, 16.4],
        );
        let errors: [f64; 7] = [0.07, 0.06, 0.08, 0.07, 0.05, 0.07, 0.1];
        let point = |i: usize| DataPoint {
            row: [1.0, x1[i], 4.0 + i as f64],
            y: y[i],
            weight: 1.0 / (errors[i] * errors[i]),
        };
        let points: Vec<DataPoint<3>> = (0..7).map(point).collect();
        let fit = LeastSquares::of(&points).expect("seven different points");
        let expected = [2.065229023036421, 0.3244476335800238, 0.6276204804236475];
        assert_close(&fit.coefficients, &expected, 1e-9);
        let errors = [0, 1, 2].map(|k| fit.standard_error(k));
        let expected = [0.15855658304960, 0.01591084131126, 0.05271895683171];
        assert_close(&errors, &expected, 1e-9);
        let reduced = fit.reduced_chi_square().expect("seven points");
        let leverages: f64 = points.iter().map(|point| fit.leverage(point)).sum();
        let square = |it: &DataPoint<3>| it.weight * fit.residual(it) * fit.residual(it);
        let squares: f64 = points.iter().map(square).sum();
        let found = [reduced, leverages, squares];
        assert_close(&found, &[0.34421967962312, 3.0, fit.chi_square], 1e-9);
        let exact = LeastSquares::of(&points[..3]).expect("three different points");
        assert_eq!(exact.coefficient(0), None);
        assert_eq!(LeastSquares::of(&points[..2]), None);
    }
}
