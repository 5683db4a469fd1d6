#!/usr/bin/env bash
# A sweep over ε lies in folders epsilon=0.01, epsilon=0.012, … ("Hive partitions"), as many programs
# write them, and DuckDB is asked for the rows of ε = 0.01.
#
# Believed: `where epsilon = 0.01` gives the rows of 0.01, as a number or as a text.
#
# Seen with duckdb 2.0.1: the rows of 0.01, 0.012 and 0.0123. DuckDB makes a BIGINT, a DATE or a
# TIMESTAMP of a folder's value, else a VARCHAR, so ε is a text; 0.01 in the query is a DECIMAL(3,2);
# and for `=` and `in` the text is cast to that type, which rounds it to two decimals. The largest ε is
# '1e-05', the last text in alphabetical order. A mean at ε = 0.01 is one of three ε, without a word.
# `<`, `>` and `between` are refused, since they would need a cast.
#
# Right: `hive_types = {'epsilon': DOUBLE}`; polars 2.1.0 takes the folders for numbers by itself.
#
#     by text: [0.01, 0.012, 0.0123], the largest: 1e-05
#     by DOUBLE: [0.01], the largest: 0.0123
#     polars: [0.01], the largest: 0.0123
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1 polars==2.1.0

cat > "$folder/ask.py" <<'PYTHON'
import pathlib
import sys

import duckdb
import polars

sweep = pathlib.Path(sys.argv[1])
for trial, epsilon in enumerate(["1e-05", "0.01", "0.012", "0.0123"]):
    part = sweep / f"epsilon={epsilon}"
    part.mkdir(parents=True)
    polars.DataFrame({"trial": [trial]}).write_parquet(part / "trials.parquet")


def ask(types):
    table = f"read_parquet('{sweep}/*/*.parquet', hive_partitioning = true{types})"
    rows = duckdb.sql(f"select epsilon from {table} where epsilon = 0.01 order by trial").fetchall()
    largest = duckdb.sql(f"select max(epsilon) from {table}").fetchall()[0][0]
    return f"[{', '.join(str(row[0]) for row in rows)}], the largest: {largest}"


print("by text:", ask(""))
print("by DOUBLE:", ask(", hive_types = {'epsilon': DOUBLE}"))
table = polars.scan_parquet(sweep, hive_partitioning=True).collect()
rows = table.filter(polars.col("epsilon") == 0.01)["epsilon"].to_list()
print(f"polars: {rows}, the largest: {table['epsilon'].max()}")
PYTHON

found=$("$folder/venv/bin/python" "$folder/ask.py" "$folder/sweep")
expected='by text: [0.01, 0.012, 0.0123], the largest: 1e-05
by DOUBLE: [0.01], the largest: 0.0123
polars: [0.01], the largest: 0.0123'
echo "$found"
[ "$found" = "$expected" ] || { echo "this has changed" >&2; exit 1; }
