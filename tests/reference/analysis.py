"""Expected values of the tests in src/analysis, by SciPy and NumPy: independent of the code under test.

    pip install numpy scipy && python3 tests/reference/analysis.py
"""

import numpy
import scipy
from scipy import stats

print("NumPy", numpy.__version__, "SciPy", scipy.__version__)

print("\nnormal quantiles")
for p in (1e-6, 0.025, 0.5, 0.975, 0.9995):
    print(p, repr(float(stats.norm.ppf(p))))

print("\nStudent quantiles")
for p, freedom in ((0.975, 1), (0.975, 2), (0.975, 3), (0.975, 5), (0.975, 29), (0.9, 4), (0.9995, 7), (0.975, 1000), (0.975, 1001), (0.9995, 1500)):
    print(p, freedom, repr(float(stats.t.ppf(p, freedom))))

print("\nP(chi-square > x)")
for x, freedom in ((19.675, 11), (3.0, 1), (7.0, 2), (250.0, 11), (4.4, 10)):
    print(x, freedom, repr(float(stats.chi2.sf(x, freedom))))

print("\nWilson intervals")
for k, m in ((8, 10), (0, 10)):
    print(k, m, stats.binomtest(k, m).proportion_ci(method="wilson"))

print("\nranks: greatest l with P(B < l) <= 0.025")
for m, p in ((5, 0.5), (6, 0.5), (30, 0.5), (100, 0.5), (100, 0.05), (200, 0.95), (1000, 0.25), (1_000_000, 0.5)):
    l = max(l for l in range(0, m + 1) if l == 0 or stats.binom.cdf(l - 1, m, p) <= 0.025) if m <= 1000 else next(
        l for l in range(498_000, 500_001) if stats.binom.cdf(l, m, p) > 0.025)
    print(m, p, l)

print("\ncoverage of the mean's 95 % interval (log scale | plain t), 400 000 samples each")
rng = numpy.random.default_rng(2012)


def coverage(draw, true_mean, m, samples=400_000, batch=4000):
    q, log_hits, plain_hits = stats.t.ppf(0.975, m - 1), 0, 0
    for _ in range(samples // batch):
        times = draw(rng, (batch, m))
        mean = times.mean(axis=1)
        error = times.std(axis=1, ddof=1) / numpy.sqrt(m)
        log_hits += numpy.sum(numpy.abs(numpy.log(mean / true_mean)) <= q * error / mean)
        plain_hits += numpy.sum(numpy.abs(mean - true_mean) <= q * error)
    return log_hits / samples, plain_hits / samples


def trap(rng, shape):
    """Exponential, but one trial in ten is caught in a trap 40 times as slow: coefficient of variation 3.5."""
    return rng.exponential(size=shape) * numpy.where(rng.random(shape) < 0.1, 40.0, 1.0)


for m in (30, 100, 200, 1000):
    print("exponential", m, *coverage(lambda rng, shape: rng.exponential(size=shape), 1.0, m))
for m in (30, 100, 200, 1000):
    print("trap", m, *coverage(trap, 4.9, m))

print("\nmean, standard error and interval of a small sample")
sample = numpy.array([3, 141, 59, 26, 535, 897])
mean, error = sample.mean(), stats.sem(sample)
print(repr(float(mean)), repr(float(error)), *(repr(float(end)) for end in numpy.exp(stats.t.interval(0.95, len(sample) - 1, numpy.log(mean), error / mean))))

print("\ncoverage of ranks 10 and 21 of 30 for the median:", repr(float(1 - 2 * stats.binom.cdf(9, 30, 0.5))))
