"""Sequential sampling, independently of the Rust code: half widths on fixed data, and coverage and bias of what is reported at the stop.

Half widths: the mean's from NumPy's standard deviation, the ratio's from the influence of each trial (its infinitesimal jackknife), which shares no
formula with the sums in src/experiment/runner/batches.rs. Needs NumPy and SciPy: `python tests/reference/sequential.py [samples]`.
"""

import sys

import numpy as np
from scipy import special, stats

SAMPLES = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
Z = stats.norm.ppf(0.975)
rng = np.random.default_rng(2012)


def half_width(x, e):
    """Relative half width of sum(x) / sum(e), by the derivative of the ratio with respect to each trial's weight (a complex step, exact to rounding)."""
    m, ratio, step = len(x), x.sum() / e.sum(), 1e-30
    influence = ((x.sum() + 1j * step * x) / (e.sum() + 1j * step * e)).imag / step * m
    return Z * np.sqrt((influence**2).sum() / (m * (m - 1))) / ratio


TIMES = np.array([3, 141, 59, 26, 535, 897, 93, 238, 46, 264], dtype=float)
print("mean        ", Z * TIMES.std(ddof=1) / np.sqrt(len(TIMES)) / TIMES.mean())
print("mean        ", half_width(TIMES, np.ones(len(TIMES))))
for cutoff in [500, 100]:
    print("cutoff", cutoff, half_width(np.minimum(TIMES, cutoff), (TIMES <= cutoff).astype(float)))

LAWS = {
    "exponential": (lambda size: rng.exponential(1, size), 1.0),
    "trap": (lambda size: rng.exponential(1, size) * np.where(rng.random(size) < 0.1, 40, 1), 4.9),
    "rare trap": (lambda size: rng.exponential(1, size) * np.where(rng.random(size) < 0.005, 200, 1), 1.995),
}


def stop(law, cutoff, least, precision, most=100_000):
    """The trials at the stop."""
    x = np.empty(0)
    while True:
        x = np.append(x, law(max(least, len(x))))
        seen, e = np.minimum(x, cutoff), x <= cutoff
        mean, share, m = seen.mean(), e.mean(), len(x)
        relative = Z * np.sqrt(((seen / mean - e / share) ** 2).sum() / (m * (m - 1)))
        if relative <= precision or m >= most:
            return seen, e, relative


print("law         cutoff  min  precision   mean m  bias of the mean   coverage, normal   coverage, t of ln")
for name, (law, mean) in LAWS.items():
    for cutoff in [np.inf] if name == "rare trap" else [np.inf, mean]:
        for least in [30, 100]:
            for precision in [0.2, 0.1, 0.05] if name != "rare trap" else [0.2, 0.1]:
                # E[min(T, c)] / F(c): 1 for the exponential law; of the trap by its two parts.
                if name == "exponential" or cutoff == np.inf:
                    truth = mean
                else:
                    F = 1 - 0.9 * np.exp(-cutoff) - 0.1 * np.exp(-cutoff / 40)
                    truth = (0.9 * (1 - np.exp(-cutoff)) + 0.1 * 40 * (1 - np.exp(-cutoff / 40))) / F
                samples = SAMPLES if precision > 0.05 else SAMPLES // 4
                found = np.empty((samples, 4))
                for i in range(samples):
                    x, e, relative = stop(law, cutoff, least, precision)
                    ratio = x.sum() / e.sum()
                    t = relative / Z * special.stdtrit(len(x) - 1, 0.975)
                    found[i] = len(x), ratio / truth - 1, abs(ratio - truth) <= relative * ratio, abs(np.log(ratio / truth)) <= t
                m, bias, normal, log_t = found.mean(axis=0)
                print(f"{name:12} {cutoff:5.2f} {least:4} {precision:8} {m:10.0f} {bias:+14.4f} {normal:16.4f} {log_t:16.4f}", flush=True)
