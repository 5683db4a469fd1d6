"""How a restart cutoff is best chosen: by the least expected run length, or by the least upper end of its interval (docs/statistics.md, "Run-length distributions").

The 1000 trials of the trap (cell rule, n = 6, ε = 0.02, η = 0) are cut into random halves; one chooses, the other judges.

    pip install numpy scipy duckdb && python3 tests/reference/restart.py
"""

import duckdb
import numpy
from scipy import stats

times = duckdb.sql(
    "select absorption_time from 'results/reference/run-length/*/trials.parquet' where algorithm = 'cell' and n = 6 and eta = 0 order by seed, trial"
).fetchnumpy()["absorption_time"].astype(float)


def expected_run_length(times, cutoff):
    return numpy.minimum(times, cutoff).sum() / (times <= cutoff).sum()


def upper_end(times, cutoff):
    spent, success = numpy.minimum(times, cutoff), (times <= cutoff) * 1.0
    influence = spent / spent.mean() - success / success.mean()
    return expected_run_length(times, cutoff) * numpy.exp(stats.norm.ppf(0.975) * influence.std(ddof=1) / numpy.sqrt(len(times)))


def chosen(times, criterion):
    candidates = numpy.sort(times)[9:]
    return candidates[numpy.argmin([criterion(times, cutoff) for cutoff in candidates])]


def gain(judges, cutoff):
    return judges.mean() / expected_run_length(judges, cutoff)


for criterion in (expected_run_length, upper_end):
    cutoff = chosen(times[0::2], criterion)
    print(criterion.__name__, "even places choose", cutoff, "odd places judge", expected_run_length(times[1::2], cutoff), gain(times[1::2], cutoff))
    rng = numpy.random.default_rng(1)
    gains = []
    for _ in range(200):
        mixed = rng.permutation(times)
        gains.append(gain(mixed[500:], chosen(mixed[:500], criterion)))
    print("  gain on 200 random halves: 5 %, median, 95 %:", numpy.percentile(gains, [5, 50, 95]))
