"""Expected values of the tests in src/analysis: survival, bootstrap, ratios, comparisons. Independent of the code under test.

    pip install numpy scipy lifelines statsmodels && python3 tests/reference/statistics.py
"""

import lifelines
import numpy
import scipy
import statsmodels
from lifelines.statistics import logrank_test
from scipy import stats
from statsmodels.stats.multitest import multipletests
import statsmodels.api

print("NumPy", numpy.__version__, "SciPy", scipy.__version__, "lifelines", lifelines.__version__, "statsmodels", statsmodels.__version__)


def show(*values):
    print(*(repr(float(value)) for value in values), sep=", ")


def trials(text):
    words = text.split()
    return numpy.array([float(word.rstrip("+")) for word in words]), numpy.array([not word.endswith("+") for word in words])


# Freireich and others, Blood 21 (1963) 699: weeks of remission; +: still in remission.
treated = trials("6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+")
placebo = trials("1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23")
sample = numpy.array([3, 141, 59, 26, 535, 897, 93, 238, 46, 264, 33, 83, 279, 502, 88, 41, 971, 69, 399, 37.0])

print("\nsurvival of the treated: time, survival, log-log interval (SciPy), at event times")
censored = stats.CensoredData(uncensored=treated[0][treated[1]], right=treated[0][~treated[1]])
curve = stats.ecdf(censored).sf
interval = curve.confidence_interval(method="log-log")
for time, level, low, high in zip(curve.quantiles, curve.probabilities, interval.low.probabilities, interval.high.probabilities):
    if time in treated[0][treated[1]]:
        show(time, level, low, high)

print("\nBCa interval of the mean (SciPy, 10^6 resamples): low, high, standard error")
found = stats.bootstrap((sample,), numpy.mean, n_resamples=1_000_000, batch=20_000, method="BCa", rng=numpy.random.default_rng(1))
show(found.confidence_interval.low, found.confidence_interval.high, found.standard_error)

print("\nvalue and jackknife's standard error, by leaving each out: a ratio, time up to a cutoff of 500 over trials ended")
for statistic in (lambda x: numpy.minimum(x, 500).sum() / (x <= 500).sum(),):
    others = numpy.array([statistic(numpy.delete(sample, i)) for i in range(len(sample))])
    show(statistic(sample), numpy.sqrt((len(sample) - 1) * others.var()))

print("\ntwo samples: log-rank z^2 (lifelines), p; SciPy's logrank statistic, p")
result = logrank_test(treated[0], placebo[0], treated[1], placebo[1])
show(result.test_statistic, result.p_value)
scipys = stats.logrank(censored, stats.CensoredData(uncensored=placebo[0]))
show(scipys.statistic, scipys.pvalue)
print("Mann-Whitney (SciPy, asymptotic, with continuity and ties): U, p")
found = stats.mannwhitneyu(treated[0], placebo[0], method="asymptotic")
show(found.statistic, found.pvalue)
found = stats.mannwhitneyu(sample, sample[:12] + 30, method="asymptotic")
show(found.statistic, found.pvalue)

print("paired t (SciPy): t, p")
found = stats.ttest_1samp([3.0, -1.0, 4.0, 1.5, -2.0, 6.0, 0.5], 0)
show(found.statistic, found.pvalue)

print("\nHolm (statsmodels)")
p = [0.04, 0.001, 0.012, 0.3, 0.012, 0.9, 0.0004, 1.0]
show(*multipletests(p, method="holm")[1])

print("\nStudent's two-sided tail")
show(*(2 * stats.t.sf(t, f) for t, f in ((2.5, 1), (2.5, 7), (6.0, 30), (3.0, 999))))

print("\nlog y = a + b x1 + c x2, weighted (statsmodels): coefficients, standard errors with the covariance as given, reduced chi-square")
x1 = numpy.array([7.2, 5.8, 13.5, 12.9, 18.1, 21.0, 24.9])
x2 = numpy.array([4.0, 5, 6, 7, 8, 9, 10])
y = numpy.array([6.9, 7.1, 10.2, 10.6, 13.0, 14.5, 16.4])
error = numpy.array([0.07, 0.06, 0.08, 0.07, 0.05, 0.07, 0.1])
model = statsmodels.api.WLS(y, statsmodels.api.add_constant(numpy.stack([x1, x2], axis=-1)), weights=error**-2).fit(cov_type="fixed scale")
show(*model.params)
show(*model.bse)
show(numpy.sum((model.resid / error) ** 2) / 4, stats.t.ppf(0.975, 4))
