"""How often the lower bound of a mean exceeds it, where trials are cut off (docs/statistics.md), independently of the Rust code.

Exponential times of mean 1 under a cutoff, m trials; 0.025 is allowed. `t of ln` is the earlier bound x exp(-t r); `Gaffke` the 2.5 % quantile of
the mean under Dirichlet weights of the m trials and one more of value 0, by 4000 draws of the weights. The last line has bounds of one sample.
Needs NumPy and SciPy: `python tests/reference/bound.py`.
"""

import numpy as np
from scipy import stats

rng = np.random.default_rng(8)


def gaffke(x, draws=4000):
    """Trials at the cutoff are one group, of a Gamma weight."""
    below, at = x[x < x.max()], (x == x.max()).sum()
    weights = rng.exponential(1, (draws, len(below) + 1))
    last = rng.gamma(at, 1, draws)
    means = (weights[:, 1:] @ below + last * x.max()) / (weights.sum(1) + last)
    return np.quantile(means, 0.025)


def t_of_ln(x):
    m = len(x)
    return x.mean() * np.exp(-stats.t.ppf(0.975, m - 1) * x.std(ddof=1) / np.sqrt(m) / x.mean())


for m, cutoff in ((10, 0.2), (10, 1), (100, 0.01), (100, 0.05), (100, 0.2), (100, 1), (1000, 0.01)):
    true, above, earlier, samples = 1 - np.exp(-cutoff), 0, 0, 4000
    for _ in range(samples):
        x = np.minimum(rng.exponential(1, m), cutoff)
        if (x == cutoff).all():
            above += cutoff * 0.025 ** (1 / m) > true
            continue
        above += gaffke(x) > true
        earlier += t_of_ln(x) > true
    print(f"m = {m}, cutoff {cutoff}: Gaffke {above / samples:.4f}, t of ln {earlier / samples:.4f} ({samples}, without those of no event)", flush=True)
sample = np.array([3, 20, 41, 77, 90, 100, 100, 100, 100, 100, 100, 100], float)
print("of", sample.astype(int), np.mean([gaffke(sample, 100_000) for _ in range(100)]), "all 100:", 100 * 0.025 ** (1 / 12))
