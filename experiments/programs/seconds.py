# Processor seconds of the methods in Python, which other programs on the machine hardly change:
# each method once in each round, so that a ratio is of the same minutes. Prints a table; its
# intervals go from the least of the rounds to the greatest.
import csv
import os
import platform
import statistics
import sys
import time

import numpy

from methods import GENERATORS, METHODS, answer

# Rounds at each n. What tries all permutations is left out at n = 12, where it takes a quarter of
# an hour.
ROUNDS = {8: 9, 9: 5, 10: 3, 12: 1}
NOT_AT_12 = ["permutations", "brute-force", "brute-force-heap", *GENERATORS]


def processor():
    try:
        with open("/proc/cpuinfo") as lines:
            names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
            return names[0]
    except (OSError, IndexError):
        return platform.machine()


def seconds_of(method, n):
    begun = time.process_time()
    answer(method, n, "count")
    return time.process_time() - begun


def main():
    table = csv.writer(sys.stdout, lineterminator="\n")
    ends = ["seconds", "seconds_low", "seconds_high"]
    table.writerow(["method", "n", "rounds", *ends, "python", "numpy", "machine"])
    machine = f"{processor()}, {os.cpu_count()} logical processors"
    versions = [platform.python_version(), numpy.__version__, machine]
    for n, rounds in ROUNDS.items():
        methods = [*METHODS, *GENERATORS]
        if n == 12:
            methods = [method for method in methods if method not in NOT_AT_12]
        times = {method: [] for method in methods}
        for _ in range(rounds):
            for method in methods:
                times[method].append(seconds_of(method, n))
        for method, found in times.items():
            numbers = [statistics.median(found), min(found), max(found)]
            table.writerow([method, n, rounds, *(f"{it:.6g}" for it in numbers), *versions])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
