"""Coverage and bias of the time to a solution with restarts (docs/statistics.md), independently of the Rust code.

Of exponential times and of traps (one time in ten is 40 times as long), for which R falls to ln 100 and to ln 100 / 0.9025 means as t goes to 0:
every second time chooses t, the one at which the upper end of R's interval is least, over the times by which ten of them have ended and ten have
not; the others give R there, with Wilson's interval. Held against the least R.
Beside it the least of all times, without halves. Needs NumPy: `python tests/reference/restart.py`.
"""

import numpy as np

rng = np.random.default_rng(11)
Z = 1.959963984540054


def total(t, share):
    with np.errstate(divide="ignore"):
        return t * np.maximum(1, np.log(0.01) / np.log1p(-share))


def wilson(ended, m):
    centre, reach = ended + Z * Z / 2, Z * np.sqrt(ended * (m - ended) / m + Z * Z / 4)
    return (centre - reach) / (m + Z * Z), (centre + reach) / (m + Z * Z)


def best(times, reach):
    """The t at which R times (upper end / R) ^ reach is least, and this least number."""
    times, m = np.sort(times), len(times)
    ended = np.arange(1, m + 1)
    allowed = (ended >= 10) & (m - ended >= 10)
    value = total(times, np.minimum(ended / m, 1 - 1e-15))
    value = np.where(allowed, value * (total(times, wilson(ended, m)[0]) / value) ** reach, np.inf)
    return times[value.argmin()], value.min()


for name, slow in (("exponential", 0), ("traps", 0.1)):
    true = np.log(100) / (1 - slow + slow / 40)
    for m, samples in ((100, 10_000), (400, 20_000), (3200, 2000)):
        hits, logs, plain = 0, [], []
        for _ in range(samples):
            times = rng.exponential(1, m) * np.where(rng.random(m) < slow, 40, 1)
            half = m // 2
            t, _ = best(times[::2], 1)
            ended = (times[1::2] <= t).sum()
            low, high = wilson(ended, half)
            hits += total(t, high) <= true <= total(t, low)
            logs.append(np.log(total(t, ended / half) / true))
            plain.append(np.log(best(times, 0)[1] / true))
        # Of 50 trials none may have ended by t.
        logs = np.array(logs)[np.isfinite(logs)]
        print(f"{name}, m = {m}: true {true:.6f}, coverage {hits / samples:.4f} ({samples}), mean of ln {logs.mean():.4f}, its deviation {logs.std():.4f}, least of all {np.mean(plain):.3f}", flush=True)
