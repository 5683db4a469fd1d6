"""Bias and coverage of the best ε, independently of the Rust code: NumPy's least squares and a bootstrap over resampled trials.

Prints, for the two curves of src/analysis/valley.rs, the bias and standard deviation of ln x, and the coverage of the 95 % interval of x and
of the mean there. Needs NumPy: `python tests/reference/valley.py [trials] [sweeps]`.
"""

import sys

import numpy as np

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 200
SWEEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
REPLICATES = 200
rng = np.random.default_rng(2012)
log_x = np.log(4 / 3) * (np.arange(-5, 4) + 0.3)

CURVES = {
    "steep": lambda x: (1 / x + np.exp(1.08 * (x - 1)) / 1.08) * 1e5,
    "even": lambda x: 1e5 * np.exp(np.log(x) ** 2 / 2),
}


def window(y):
    least = int(np.argmin(y))
    inside = y <= y[least] + np.log(2 if TRIALS < 1000 else 1.5)
    low = high = least
    while low > 0 and inside[low - 1]:
        low -= 1
    while high < len(y) - 1 and inside[high + 1]:
        high += 1
    while high - low < 4:
        if low > 0 and (high == len(y) - 1 or y[low - 1] <= y[high + 1]):
            low -= 1
        else:
            high += 1
    return slice(low, high + 1)


def minimum(x, y, error):
    fit = np.polynomial.Polynomial.fit(x, y, 3, w=1 / error)
    roots = [r.real for r in fit.deriv().roots() if abs(r.imag) < 1e-9 and fit.deriv(2)(r.real) > 0 and x[0] < r.real < x[-1]]
    return (roots[0], fit(roots[0])) if roots else None


def least(y, error):
    part = window(y)
    found = minimum(log_x[part], y[part], error[part]) or minimum(log_x, y, error)
    if found:
        return found
    index = int(np.argmin(y))
    return ({0: -np.inf, len(y) - 1: np.inf}.get(index, log_x[index]), y[index])


for name, curve in CURVES.items():
    true_means, errors, hits, mean_hits = curve(np.exp(log_x)), [], 0, 0
    for _ in range(SWEEPS):
        times = rng.exponential(true_means[:, None], (9, TRIALS))
        error = times.std(axis=1, ddof=1) / times.mean(axis=1) / np.sqrt(TRIALS)
        errors.append(least(np.log(times.mean(axis=1)), error)[0])
        again = []
        for _ in range(REPLICATES):
            picks = rng.integers(0, TRIALS, (9, TRIALS))
            again.append(least(np.log(np.take_along_axis(times, picks, 1).mean(axis=1)), error))
        again = np.sort(np.array(again), axis=0)
        tail = REPLICATES // 40
        low, high = again[tail - 1], again[-tail]
        hits += low[0] <= 0 <= high[0]
        mean_hits += low[1] <= np.log(curve(1.0)) <= high[1]
    errors = np.array(errors)
    print(f"{name}: {TRIALS} trials, bias {errors.mean():+.4f}, standard deviation {errors.std():.4f}, "
          f"coverage {hits / SWEEPS:.3f}, of the mean {mean_hits / SWEEPS:.3f}")
