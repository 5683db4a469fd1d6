"""Coverage of the bootstrap's 95 % interval (BCa) of the coefficient of variation s / mean, independently of the Rust code.

For exponential times, whose coefficient of variation is 1; standard error of a coverage 0.004 at 4000 samples.
Needs NumPy and SciPy: `python tests/reference/variation.py [samples]`.
"""

import sys

import numpy as np
from scipy import stats

SAMPLES = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
RESAMPLES = 2000
rng = np.random.default_rng(2012)


def variation(sums, squares, m):
    """From Σ x and Σ x² of m values."""
    mean = sums / m
    return np.sqrt((squares / m - mean**2) * m / (m - 1)) / mean


def covers(x):
    m = len(x)
    found = variation(x.sum(), (x**2).sum(), m)
    counts = rng.multinomial(m, np.full(m, 1 / m), size=RESAMPLES)
    again = variation(counts @ x, counts @ x**2, m)
    z0 = stats.norm.ppf(np.clip(np.mean(again < found), 0.5 / RESAMPLES, 1 - 0.5 / RESAMPLES))
    without = variation(x.sum() - x, (x**2).sum() - x**2, m - 1)
    d = without.mean() - without
    a = np.sum(d**3) / (6 * np.sum(d**2) ** 1.5)
    z = z0 + stats.norm.ppf([0.025, 0.975])
    low, high = np.quantile(again, stats.norm.cdf(z0 + z / (1 - a * z)), method="inverted_cdf")
    return low <= 1 <= high


for m in (100, 200, 1000):
    print(m, np.mean([covers(rng.exponential(size=m)) for _ in range(SAMPLES if m < 1000 else SAMPLES // 4)]), flush=True)
