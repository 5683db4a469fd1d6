#!/usr/bin/env bash
# Seconds and peak memory of run, report, verify, CSV and Parquet, at 10⁶ and 10⁷ trials.
set -euo pipefail
program=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 1000000 10000000
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
for trials in "$@"; do
    cat >a.toml <<SPEC
seed = 1
[[sweep]]
algorithm = "pair"
n = 4
epsilon = [0.02, 0.04, 0.06, 0.08, 0.1]
trials = $((trials / 5))
cutoff = 1e9
[[figure]]
kind = "convergence-vs-epsilon"
SPEC
    rm -rf results figures
    for command in "run -q a.toml" "report a.toml" "verify" "export a -o a.csv" "export a -o a.parquet"; do
        python3 - "$trials" "$program" $command <<'PYTHON'
import resource, subprocess, sys, time
trials, *command = sys.argv[1:]
start = time.monotonic()
code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
wall = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
words = " ".join(command[1:])
print(f"{trials:>9} {words:24} {wall:7.2f} s, {used.ru_utime + used.ru_stime:7.2f} processor s, {used.ru_maxrss // 1024:6} MB, exit {code}")
PYTHON
    done
    rm -f a.csv a.parquet
done
