"""Coverage of the 95 % intervals of docs/statistics.md, independently of the Rust code: t of ln, and beside it the bootstrap (BCa, 2000 resamples).

Means of exponential times and of traps (one time in ten is 40 times as long), and the share of
samples of ten exponential times whose whole interval lies below or above the mean. Needs NumPy and SciPy: `python tests/reference/coverage.py`.
"""

import numpy as np
from scipy import stats

rng = np.random.default_rng(7)


def traps(shape):
    times = rng.exponential(1, shape)
    return np.where(rng.random(shape) < 0.1, 40 * times, times)


def t_of_ln(x):
    m, mean = x.shape[1], x.mean(1)
    factor = np.exp(stats.t.ppf(0.975, m - 1) * x.std(1, ddof=1) / np.sqrt(m) / mean)
    return mean / factor, mean * factor


def bca(row, resamples=2000):
    m, mean = len(row), row.mean()
    means = np.sort(row[rng.integers(0, m, (resamples, m))].mean(1))
    below = ((means < mean).mean() + (means <= mean).mean()) / 2
    bias = stats.norm.ppf(np.clip(below, 0.5 / resamples, 1 - 0.5 / resamples))
    distances = row - mean
    acceleration = (distances**3).sum() / (6 * (distances**2).sum() ** 1.5)
    shares = (stats.norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in (-1.959964, 1.959964))
    return [means[min(max(int(np.ceil(share * resamples)) - 1, 0), resamples - 1)] for share in shares]


for name, law, true in (("exponential", lambda shape: rng.exponential(1, shape), 1.0), ("traps", traps, 4.9)):
    for m, samples, few in ((10, 200_000, 4000), (30, 200_000, 4000), (100, 100_000, 2000), (1000, 20_000, 400)):
        hits = 0
        for _ in range(samples // 10_000):
            low, high = t_of_ln(law((10_000, m)))
            hits += ((low <= true) & (true <= high)).sum()
        ends = np.array([bca(row) for row in law((few, m))])
        covered = ((ends[:, 0] <= true) & (true <= ends[:, 1])).mean()
        print(f"{name}, m = {m}: t of ln {hits / samples:.4f} ({samples}), BCa {covered:.4f} ({few})", flush=True)
for m, samples in ((200, 20_000), (1000, 8000), (3200, 3000)):
    hits = 0
    for _ in range(samples):
        low, high = t_of_ln(rng.exponential(1, (1, m)) * np.where(rng.random((1, m)) < 0.005, 500, 1))
        hits += low[0] <= 0.995 + 2.5 <= high[0]
    print(f"one in 200 is 500 times as slow, m = {m}: t of ln {hits / samples:.4f} ({samples})", flush=True)
low, high = t_of_ln(rng.exponential(1, (400_000, 10)))
print(f"ten exponential times: below {(high < 1).mean():.4f}, above {(low > 1).mean():.4f}")
