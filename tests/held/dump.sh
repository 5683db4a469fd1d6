#!/usr/bin/env bash
# What the program says of the shipped experiments, as files that `diff -r` compares.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1") out=$2
rm -rf "$out"
mkdir -p "$out"/{check,csv,svg}
for spec in experiments/*.toml experiments/large/*.toml; do
    name=$(basename "$spec" .toml)
    "$program" check --json "$spec" >"$out/check/$name.json" 2>"$out/check/$name.stderr" || true
done
for spec in experiments/*.toml; do
    "$program" report --quiet --results results/reference --figures "$out/figures" "$spec" >/dev/null 2>>"$out/report.stderr" || true
done
mv "$out"/figures/*.csv "$out/csv/"
mv "$out"/figures/*.svg "$out/svg/"
rm -r "$out/figures"
python3 tests/held/dump.py tips "$out"/svg/*.svg >"$out/tips.txt"
# The messages themselves: each case is checked by the program under its own name.
python3 tests/held/dump.py refused "$program" tests/refused/*.toml >"$out/refused.txt"
