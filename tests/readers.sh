#!/usr/bin/env bash
# tests/readers.sh REINES RESULTS SPEC…: the tables of a quick run in RESULTS, and an export of them,
# read by the newest pandas, pyarrow, DuckDB and Polars. Skipped where Python cannot make a
# virtual environment.
set -euo pipefail
reines=$1 results=$2 specs=("${@:3}")
place=target/readers
if ! python3 -m venv "$place/venv" >/dev/null 2>&1; then
    echo "test-readers: skipped, there is no Python 3 with venv"
    exit 0
fi
"$place/venv/bin/pip" install --quiet --disable-pip-version-check --upgrade \
    pandas pyarrow duckdb polars
"$reines" run --quick --quiet --results "$results" "${specs[@]}"
rm -rf "$place/all.parquet"
"$reines" export --results "$results" -o "$place/all.parquet" 2>/dev/null
"$place/venv/bin/python" tests/readers.py "$results" "$place/all.parquet"
