"""Regressions with a variance component (REML), independently of the Rust code: the restricted likelihood is maximized, where the Rust code halves
intervals of its derivative.

Prints the numbers that src/analysis/regression.rs is held against: line, scatter and interval of five points; the
coverage of the growth factor's interval, where the law is exact and where it scatters.
Needs NumPy and SciPy: `python tests/reference/regression.py [sweeps]`.
"""

import sys

import numpy as np
from scipy import optimize, stats

SWEEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000


def normal_equations(X, y, weights):
    """Coefficients, inverse of X'WX, Σ w residual², ln |X'WX|; over all leading axes."""
    A = np.einsum("ji,...j,jk->...ik", X, weights, X)
    inverse = np.linalg.inv(A)
    b = np.einsum("...ik,...k->...i", inverse, np.einsum("ji,...j->...i", X, weights * y))
    rest = y - np.einsum("ji,...i->...j", X, b)
    return b, inverse, (weights * rest**2).sum(-1), np.linalg.slogdet(A)[1]


def log_likelihood(variance, X, y, v):
    weights = 1 / (v + np.asarray(variance)[..., None])
    _, _, chi_square, log_determinant = normal_equations(X, y, weights)
    return -0.5 * (-np.log(weights).sum(-1) + log_determinant + chi_square)


def interval(variance, X, y, v, k):
    """Coefficient k, ± t · standard error · √max(1, reduced χ²)."""
    b, inverse, chi_square, _ = normal_equations(X, y, 1 / (v + np.asarray(variance)[..., None]))
    freedom = len(X) - X.shape[1]
    reach = stats.t.ppf(0.975, freedom) * np.sqrt(inverse[..., k, k] * np.maximum(1, chi_square / freedom))
    return b, reach


n = np.array([4.0, 5, 6, 7, 8])
y = np.log([1.1e3, 2.9e3, 3.1e4, 6.2e4, 4.4e5])
v = np.array([0.1, 0.08, 0.1, 0.05, 0.12]) ** 2
X = np.stack([np.ones(5), n], axis=-1)
best = optimize.minimize_scalar(lambda t: -log_likelihood(t, X, y, v), bounds=(0, 5), method="bounded", options={"xatol": 1e-13})
b, reach = interval(best.x, X, y, v, 1)
chi_square = normal_equations(X, y, 1 / v)[2]
print("five points: scatter, factor, low, high, at 6.5; χ²/3 and its p-value by the sampling errors; p of slope 1")
print(repr(np.sqrt(best.x)), *np.exp([b[1], b[1] - reach, b[1] + reach, b[0] + 6.5 * b[1]]))
print(chi_square / 3, stats.chi2.sf(chi_square, 3), 2 * stats.t.sf(abs(b[1] - 1) / (reach / stats.t.ppf(0.975, 3)), 3))

rng = np.random.default_rng(2012)
n = np.arange(7.0)
X = np.stack([np.ones(7), n], axis=-1)
grid = np.concatenate([[0.0], np.geomspace(1e-5, 30, 240)])
for scatter in (0.0, 0.5):
    hits = 0
    for start in range(0, SWEEPS, 1000):
        size = min(1000, SWEEPS - start)
        law = np.exp(scatter * rng.normal(size=(size, 7)))[..., None]
        times = law * rng.exponential(size=(size, 7, 50))
        y = np.log(times.mean(-1)) + np.log(4) * n
        v = times.var(-1, ddof=1) / 50 / times.mean(-1) ** 2
        likelihood = np.stack([log_likelihood(np.full(size, t), X, y, v) for t in grid], axis=-1)
        b, reach = interval(grid[likelihood.argmax(-1)], X, y, v, 1)
        hits += (abs(b[:, 1] - np.log(4)) <= reach).sum()
    print(f"coverage, 7 means of 50 exponential times, scatter {scatter} about the law: {hits / SWEEPS:.5f}")
