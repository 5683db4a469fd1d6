"""Coverage of the interval of the time to a solution with restarts (docs/statistics.md), independently of the Rust code.

Of exponential times and of traps (one time in ten is 40 times as long), for which R falls to ln 100 and to ln 100 / 0.9025 means as t goes to 0;
beside it that of the percentiles themselves. Needs NumPy: `python tests/reference/restart.py`.
"""

import numpy as np

rng = np.random.default_rng(11)


def least(times, counts):
    m = counts.sum(1, keepdims=True)
    left = m - counts.cumsum(1)
    with np.errstate(divide="ignore"):
        total = times * np.maximum(1, np.log(0.01) / np.log(left / m))
    return np.where((left >= 10) & (m - left >= 10), total, np.inf).min(1)


for name, slow, true in (("exponential", 0, np.log(100)), ("traps", 0.1, np.log(100) / 0.9025)):
    for m in (100, 400):
        hits, plain, logs, samples = 0, 0, 0.0, 5000
        for _ in range(samples):
            times = np.sort(rng.exponential(1, m) * np.where(rng.random(m) < slow, 40, 1))
            value = least(times, np.ones((1, m), int))[0]
            again = np.sort(least(times, rng.multinomial(m, np.full(m, 1 / m), 200)))
            low, high = again[4], again[-5]
            hits += value**2 / high <= true <= value**2 / low
            plain += low <= true <= high
            logs += np.log(value / true) / samples
        print(f"{name}, m = {m}: {hits / samples:.4f}, percentiles {plain / samples:.4f} ({samples}); mean of ln {logs:.3f}", flush=True)
