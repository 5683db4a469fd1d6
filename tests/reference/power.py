"""What the tests of `reines diff` find: the factors of src/analysis/comparison/sight.rs, and how
often the tests find them in simulated trials. NumPy, SciPy."""
import math

import numpy as np
from scipy import integrate, optimize, stats

POWER = 0.8
draws = np.random.default_rng(1)


def of_pairs(k, m, level, variation):
    q = stats.t.ppf(1 - level / 2, k - 1) + stats.t.ppf(POWER, k - 1)

    def excess(g):
        """t² of k pairs that differ, with zeros beside them, less what it has to be."""
        mean, variance = g - 1, variation**2 * (1 + g * g)
        sum_, squares = k * mean, k * (variance + mean**2)
        return (m - 1) * sum_**2 / (m * squares - sum_**2) - q * q

    if excess(1e9) < 0:
        return None
    return 1 + (optimize.brentq(excess, 1 + 1e-9, 1e9) - 1) * k / m


def of_ranks(a, b, level, deviation):
    z = stats.norm.isf(level / 2) + stats.norm.ppf(POWER)
    excess = z / math.sqrt(12 * a * b / (a + b + 1))
    return math.exp(math.sqrt(2) * deviation * stats.norm.ppf(0.5 + excess))


def of_log_rank(a, b, level):
    z = stats.norm.isf(level / 2) + stats.norm.ppf(POWER)

    def expected(f):
        at_risk = lambda t: (a * math.exp(-t), b * math.exp(-t / f))
        def excess(t):
            x, y = at_risk(t)
            return x * y * (1 - 1 / f) / (x + y)
        def variance(t):
            x, y = at_risk(t)
            return (x + y / f) * x * y / (x + y) ** 2
        end = 60 * f
        parts = dict(limit=500, points=[1, 5, 20])
        return integrate.quad(excess, 0, end, **parts)[0] / math.sqrt(
            integrate.quad(variance, 0, end, **parts)[0]
        )

    return optimize.brentq(lambda f: expected(f) - z, 1.001, 1000)


def log_rank(a, b):
    of_a = np.r_[np.ones(len(a)), np.zeros(len(b))][np.argsort(np.r_[a, b])]
    at_risk = np.arange(len(of_a), 0, -1)
    share = np.cumsum(of_a[::-1])[::-1] / at_risk
    z = (of_a.sum() - share.sum()) / math.sqrt((share * (1 - share)).sum())
    return 2 * stats.norm.sf(abs(z))


def rate(test, level, rounds=1000):
    return np.mean([test() <= level for _ in range(rounds)])


for k, m, tests, variation in [(60, 60, 4, 1), (20, 20, 4, 0.2), (30, 60, 8, 1), (100, 100, 100, 1)]:
    level = 0.05 / tests
    factor = of_pairs(k, m, level, variation)
    g = 1 + (factor - 1) * m / k
    shape = 1 / variation**2  # of a gamma distribution

    def test():
        a = draws.gamma(shape, size=m)
        b = np.r_[g * draws.gamma(shape, size=k), a[k:]]
        t = stats.ttest_rel(b, a).statistic
        return 2 * stats.t.sf(abs(t), k - 1)

    print(f"pairs {k} of {m}, {tests} tests, c = {variation}: {factor!r}, found {rate(test, level)}")

for a, b, tests, deviation in [(60, 60, 4, 0.2), (20, 100, 8, 0.2), (30, 30, 4, 1.28)]:
    level = 0.05 / tests
    factor = of_ranks(a, b, level, deviation)
    test = lambda: stats.mannwhitneyu(
        draws.lognormal(0, deviation, a), factor * draws.lognormal(0, deviation, b), method="asymptotic"
    ).pvalue
    print(f"ranks {a} and {b}, {tests} tests, s = {deviation}: {factor!r}, found {rate(test, level)}")

for a, b, tests in [(12, 12, 4), (60, 60, 4), (20, 100, 8)]:
    level = 0.05 / tests
    factor = of_log_rank(a, b, level)
    test = lambda: log_rank(draws.exponential(size=a), factor * draws.exponential(size=b))
    print(f"log-rank {a} and {b}, {tests} tests: {factor!r}, found {rate(test, level)}")

for a, b in [(4, 150), (10, 100), (10, 20), (20, 20)]:
    level = 0.05 / 40
    of = lambda size: draws.exponential(size=size)
    found = rate(lambda: log_rank(of(a), of(b)), level, 20000)
    ranks = lambda: stats.mannwhitneyu(of(a), of(b), method="asymptotic").pvalue
    print(f"nothing differs, {a} and {b}: p below {level} in {found} (log-rank), {rate(ranks, level, 20000)} (ranks)")
