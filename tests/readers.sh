#!/usr/bin/env bash
# tests/readers.sh REINES RESULTS SPEC…: the tables of a quick run in RESULTS, and an export of them,
# read by pandas, pyarrow, DuckDB and Polars, and its figures by Vega-Lite, matplotlib, CairoSVG and
# svglib: those of python3, or where it lacks one the newest of
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
    # Two more readers, and what reads CITATION.cff, where they can be installed.
    "$python" -m pip install --quiet --disable-pip-version-check --upgrade datafusion daft || true
    "$python" -m pip install --quiet --disable-pip-version-check cffconvert || true
fi
"$reines" run --quick --quiet --results "$results" "${specs[@]}"
# A kept spec with every form of a change.
rm -rf "$place/changed"
printf '%s\n' 'seed = 1' '[[sweep]]' 'algorithm = "pair"' 'n = 4' 'epsilon = 0.1' 'trials = 9' \
    'cutoff = 1e6' > "$place/changed.toml"
"$reines" run --quiet --results "$place/changed" -s 'epsilon=[0.2, 1e-1]' -s seeds='[7, 8]' \
    -s trials=3 -s cutoff=1e5 --only 'trial<2' "$place/changed.toml"
rm -rf "$place/all.parquet"
"$reines" export --results "$results" -o "$place/all.parquet" 2>/dev/null
"$python" tests/readers.py "$results" "$place/changed" "$place/all.parquet"
if "$python" -c "import cffconvert" 2>/dev/null; then
    "$python" -c "from cffconvert.cli.cli import cli; cli()" --validate -i CITATION.cff
else
    echo "test-readers: skipped, CITATION.cff is not validated without cffconvert"
fi

# The figures by other programs: as Vega-Lite and by the recipe of docs/data.md, and as PDF.
if ! "$python" -c "import vl_convert, matplotlib, cairosvg, svglib" 2>/dev/null; then
    python3 -m venv --system-site-packages "$place/figures-venv" >/dev/null 2>&1 || exit 0
    python=$place/figures-venv/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check \
        vl-convert-python matplotlib pandas cairosvg reportlab lxml tinycss2 cssselect2
    # Its own list has pycairo, which needs a compiler; a PDF needs none.
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps svglib
fi
rm -rf "$place/figures"
# Those of the repository.
"$reines" report --quiet --vega --results results/reference --figures "$place/figures" "${specs[@]}"
rm -rf "$place/recipes"
"$reines" run --quiet --results "$place/recipes" docs/recipes/recipes.toml
"$reines" report --quiet --vega --results "$place/recipes" --figures "$place/figures" docs/recipes/recipes.toml
"$python" tests/vega.py "$place/figures"
"$python" - "$place/figures" <<'PY'
import pathlib, sys
import cairosvg
from reportlab.graphics import renderPDF
from svglib.svglib import svg2rlg

files = sorted(pathlib.Path(sys.argv[1]).glob("*.svg"))
for file in files:
    assert len(cairosvg.svg2pdf(url=str(file))) > 2000, file
    assert len(renderPDF.drawToString(svg2rlg(str(file)))) > 2000, file
print(f"test-readers: {len(files)} figures by CairoSVG and svglib")
PY
