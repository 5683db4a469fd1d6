#!/usr/bin/env bash
# A notebook with an SVG becomes a page. By default the picture is an <img> whose text, title and
# description no search and no screen reader finds. An option's help says that it leaves out this encoding:
# `--HTMLExporter.skip_svg_encoding=True`.
#
# Believed: the SVG then stands in the page as it is.
#
# Seen: its source stands there, as text: a page of &lt;svg … and no picture (nbconvert 7.17.2 with
# bleach 6.3.0; 7.16.6 does the same). The template gives the SVG to a sanitizer of HTML, whose list of
# elements has neither <svg> nor what is inside of one. Nothing is said, and the command ends with 0.
#
#     default: an img, no title
#     skip_svg_encoding=True: the source as text
#     as HTML output: the picture with its title
#
# Right: the cell shows `HTML(open("figure.svg").read())` in place of `SVG("figure.svg")`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    nbconvert==7.17.2 bleach==6.3.0 nbformat==5.10.4

cat > "$folder/pages.py" <<'PYTHON'
import nbconvert
import nbformat

SVG = '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="90" height="90"><title>a disc</title>'
SVG += '<circle cx="45" cy="45" r="40" fill="#0072B2"/></svg>'


def page(kind, **options):
    output = nbformat.v4.new_output("display_data", data={kind: SVG})
    cell = nbformat.v4.new_code_cell("figure", outputs=[output])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    return nbconvert.HTMLExporter(**options).from_notebook_node(notebook)[0]


def what_stands_in(text):
    if "&lt;circle" in text:
        return "the source as text"
    if "<title>a disc" in text and "<circle" in text:
        return "the picture with its title"
    return "an img, no title" if "data:image/svg+xml;base64," in text else "nothing"


print("default:", what_stands_in(page("image/svg+xml")))
print("skip_svg_encoding=True:", what_stands_in(page("image/svg+xml", skip_svg_encoding=True)))
print("as HTML output:", what_stands_in(page("text/html")))
PYTHON

found=$("$folder/venv/bin/python" "$folder/pages.py" 2> "$folder/said") || { cat "$folder/said" >&2; exit 1; }
expected='default: an img, no title
skip_svg_encoding=True: the source as text
as HTML output: the picture with its title'
echo "$found"
[ "$found" = "$expected" ] || { echo "this has changed" >&2; exit 1; }
