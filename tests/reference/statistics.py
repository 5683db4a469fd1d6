"""Expected values of the tests in src/analysis: survival, bootstrap, exponentiality, comparisons. Independent of the code under test.

    pip install numpy scipy lifelines statsmodels && python3 tests/reference/statistics.py
"""

import lifelines
import numpy
import scipy
import statsmodels
from lifelines.statistics import logrank_test
from lifelines.utils import restricted_mean_survival_time
from scipy import optimize, stats
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
fitter = lifelines.KaplanMeierFitter().fit(*treated)
print("restricted mean up to 35 (lifelines)", repr(float(restricted_mean_survival_time(fitter, t=35))))

print("\nWeibull shape and interval (lifelines: maximum likelihood; the interval from the Hessian of ln k, NumPy)")


def minus_likelihood(parameters, time, event):
    shape, scale = numpy.exp(parameters)
    z = time / scale
    return -numpy.sum(event * (numpy.log(shape / scale) + (shape - 1) * numpy.log(z)) - z**shape)


def hessian(function, at, step=1e-4):
    size = len(at)
    unit = numpy.eye(size) * step
    return numpy.array([[(function(at + unit[i] + unit[j]) - function(at + unit[i] - unit[j]) - function(at - unit[i] + unit[j]) + function(at - unit[i] - unit[j])) / (4 * step**2)
                         for j in range(size)] for i in range(size)])


for time, event in (treated, placebo):
    found = optimize.minimize(minus_likelihood, numpy.log([1.0, time.mean()]), args=(time, event), method="Nelder-Mead", options=dict(xatol=1e-11, fatol=1e-13, maxiter=10_000))
    information = hessian(lambda at: minus_likelihood(at, time, event), found.x)
    error = numpy.sqrt(numpy.linalg.inv(information)[0, 0])
    z = stats.norm.ppf(0.975)
    show(numpy.exp(found.x[0]), numpy.exp(found.x[0] - z * error), numpy.exp(found.x[0] + z * error))
    print("  lifelines' shape", repr(float(lifelines.WeibullFitter().fit(time, event).rho_)))
print("  SciPy's shape of the placebo", repr(float(stats.weibull_min.fit(placebo[0], floc=0)[0])))

print("\nscore of the shape at 1, the scale profiled out: numerical derivatives of the likelihood in (k, lambda)")
for time, event in (treated, placebo):
    scale = time.sum() / event.sum()

    def minus(at):
        return minus_likelihood(numpy.log(at), time, event)

    at, step = numpy.array([1.0, scale]), 1e-5
    score = -(minus(at + [step, 0]) - minus(at - [step, 0])) / (2 * step)
    information = hessian(minus, at, 1e-3)
    effective = information[0, 0] - information[0, 1] ** 2 / information[1, 1]
    show(score / numpy.sqrt(effective))

print("\nBCa intervals (SciPy, 10^6 resamples): low, high, standard error; mean, coefficient of variation, ERT at cutoff 500")


def variation(x, axis=-1):
    return numpy.std(x, axis=axis, ddof=1) / numpy.mean(x, axis=axis)


def expected_run_length(x, axis=-1):
    return numpy.sum(numpy.minimum(x, 500), axis=axis) / numpy.sum(x <= 500, axis=axis)


for statistic in (lambda x, axis=-1: numpy.mean(x, axis=axis), variation, expected_run_length):
    found = stats.bootstrap((sample,), statistic, n_resamples=1_000_000, batch=20_000, method="BCa", rng=numpy.random.default_rng(1))
    show(found.confidence_interval.low, found.confidence_interval.high, found.standard_error)

print("\nupper end of the expected run length with restarts after 109 and after 4897 updates, from each trial's influence on its logarithm")
times = numpy.concatenate([numpy.arange(100.0, 110), 4000 + 3 * numpy.arange(300.0), 1e6 + numpy.arange(190.0)])
for cutoff in (109, 4897):
    spent, success = numpy.minimum(times, cutoff), (times <= cutoff) * 1.0
    influence = spent / spent.mean() - success / success.mean()
    show(spent.sum() / success.sum() * numpy.exp(stats.norm.ppf(0.975) * influence.std(ddof=1) / numpy.sqrt(len(times))))

print("\ntwo samples: log-rank z^2 (lifelines), p; SciPy's logrank statistic, p")
result = logrank_test(treated[0], placebo[0], treated[1], placebo[1])
show(result.test_statistic, result.p_value)
scipys = stats.logrank(censored, stats.CensoredData(uncensored=placebo[0]))
show(scipys.statistic, scipys.pvalue)
print("Kolmogorov-Smirnov: D (SciPy) and the limit law's p, on min(t, 6.5)")
distance = stats.ks_2samp(numpy.minimum(treated[0], 6.5), numpy.minimum(placebo[0], 6.5)).statistic
show(distance, stats.kstwobign.sf(distance * numpy.sqrt(21 * 21 / 42)))
show(stats.kstwobign.sf(0.3), stats.kstwobign.sf(0.8276), stats.kstwobign.sf(1.6276), stats.kstwobign.sf(3.0))
print("Mann-Whitney (SciPy, asymptotic, with continuity and ties): U, p")
found = stats.mannwhitneyu(treated[0], placebo[0], method="asymptotic")
show(found.statistic, found.pvalue)
found = stats.mannwhitneyu(sample, sample[:12] + 30, method="asymptotic")
show(found.statistic, found.pvalue)

print("\nHolm (statsmodels)")
p = [0.04, 0.001, 0.012, 0.3, 0.012, 0.9, 0.0004]
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

print("\ncoverage of NumPy's BCa for exponential means, 2000 resamples: 30 (5000 samples), 100 (20 000 samples), 200 (5000 samples); and for traps of 200 (5000)")
rng = numpy.random.default_rng(5)


def covers(x, true_mean, resamples=2000):
    m = len(x)
    means = x[rng.integers(0, m, size=(resamples, m))].mean(axis=1)
    bias = stats.norm.ppf(numpy.clip(numpy.mean(means < x.mean()), 0.5 / resamples, 1 - 0.5 / resamples))
    d = x - x.mean()
    acceleration = numpy.sum(d**3) / (6 * numpy.sum(d**2) ** 1.5)
    z = bias + stats.norm.ppf([0.025, 0.975])
    low, high = numpy.quantile(means, stats.norm.cdf(bias + z / (1 - acceleration * z)), method="inverted_cdf")
    return low <= true_mean <= high


for m, samples in ((30, 5000), (100, 20_000), (200, 5000)):
    print(m, numpy.mean([covers(rng.exponential(size=m), 1.0) for _ in range(samples)]))
print("trap 200", numpy.mean([covers(rng.exponential(size=200) * numpy.where(rng.random(200) < 0.1, 40.0, 1.0), 4.9) for _ in range(5000)]))
