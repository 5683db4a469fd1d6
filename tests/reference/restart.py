"""Coverage and bias of the time to a solution with restarts (docs/statistics.md), independently of the Rust code.

Of exponential times and of traps (one time in ten is 40 times as long): every second time chooses t, the least of R(t) over the times by which a
tenth of them (and ten) have ended, ten having not; the others give R there, with Wilson's interval. Held against the least R(t) over F(t) >= 0.1.
Beside it the least of all times, without halves. Needs NumPy: `python tests/reference/restart.py`.
"""

import numpy as np

rng = np.random.default_rng(11)
Z = 1.959963984540054


def total(t, share):
    with np.errstate(divide="ignore"):
        return t * np.maximum(1, np.log(0.01) / np.log1p(-share))


def best(times, fewest):
    times = np.sort(times)
    ended = np.arange(1, len(times) + 1)
    allowed = (ended >= fewest) & (len(times) - ended >= 10)
    value = np.where(allowed, total(times, np.minimum(ended / len(times), 1 - 1e-15)), np.inf)
    return times[value.argmin()], value.min()


def interval(ended, m):
    centre, reach = ended + Z * Z / 2, Z * np.sqrt(ended * (m - ended) / m + Z * Z / 4)
    return total(t, (centre + reach) / (m + Z * Z)), total(t, (centre - reach) / (m + Z * Z))


grid = np.geomspace(1e-3, 20, 1_000_000)
for name, slow in (("exponential", 0), ("traps", 0.1)):
    share = 1 - (1 - slow) * np.exp(-grid) - slow * np.exp(-grid / 40)
    true = total(grid, share)[share >= 0.1].min()
    for m, samples in ((100, 20_000), (400, 20_000), (3200, 4000)):
        hits, logs, plain = 0, [], []
        for _ in range(samples):
            times = rng.exponential(1, m) * np.where(rng.random(m) < slow, 40, 1)
            half = m // 2
            t, _ = best(times[::2], max(10, -(-half // 10)))
            ended = (times[1::2] <= t).sum()
            low, high = interval(ended, half)
            hits += low <= true <= high
            logs.append(np.log(total(t, ended / half) / true))
            plain.append(np.log(best(times, 10)[1] / true))
        # Of 50 trials none may have ended by t.
        logs = np.array(logs)[np.isfinite(logs)]
        print(f"{name}, m = {m}: true {true:.6f}, coverage {hits / samples:.4f} ({samples}), mean of ln {logs.mean():.4f}, its deviation {logs.std():.4f}, least of all {np.mean(plain):.3f}", flush=True)
