#!/usr/bin/env bash
# tests/renderers.sh FOLDER…: the figures in the folders, drawn by the programs that people draw an SVG
# with; those of Python in these versions, the others where they are installed.
set -euo pipefail
place=target/renderers
if [ ! -x "$place/venv/bin/python" ]; then
    mkdir -p "$place"
    python3 -m venv "$place/venv"
fi
python=$place/venv/bin/python
install() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }
install numpy pymupdf==2.0 reportlab lxml tinycss2 cssselect2
# svglib's own list has pycairo, which needs a compiler and Cairo's headers; PDF needs none.
install --no-deps svglib==2.3.2 || true
for package in cairosvg==2.9.1 resvg-py==0.5.0 typst==0.15.2 weasyprint==70.0 PySide6-Essentials==6.12.0; do
    install "$package" || echo "test-renderers: no $package"
done
"$python" tests/renderers.py "$@"
