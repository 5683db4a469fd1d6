#!/usr/bin/env bash
# tests/readers.sh REINES RESULTS SPEC…: the tables of a quick run in RESULTS, and an export of them,
# read by pandas, pyarrow, DuckDB and Polars: those of python3, or where it lacks one the newest of
# all. Skipped where there is neither these nor a Python that can make a virtual environment.
set -euo pipefail
reines=$1 results=$2 specs=("${@:3}")
place=target/readers
mkdir -p "$place"
python=python3
if ! python3 -c "import duckdb, pandas, polars, pyarrow" 2>/dev/null; then
    if ! python3 -m venv "$place/venv" >/dev/null 2>&1; then
        echo "test-readers: skipped, there is no Python 3 with venv"
        exit 0
    fi
    python=$place/venv/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check --upgrade \
        pandas pyarrow duckdb polars
    # Two more where they can be installed.
    "$python" -m pip install --quiet --disable-pip-version-check --upgrade datafusion daft || true
fi
"$reines" run --quick --quiet --results "$results" "${specs[@]}"
rm -rf "$place/all.parquet"
"$reines" export --results "$results" -o "$place/all.parquet" 2>/dev/null
"$python" tests/readers.py "$results" "$place/all.parquet"
