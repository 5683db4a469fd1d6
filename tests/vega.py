"""Draws every NAME.vl.json of a folder with Vega-Lite (vl-convert) and, by the recipe of docs/data.md,
with matplotlib; holds its numbers against NAME.csv, and that no logarithmic axis has a number that it
has no place for.

`python3 tests/vega.py FOLDER`; `make test-readers` installs the packages and makes the figures."""

import csv
import importlib.metadata
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import vl_convert

RELEASE = importlib.metadata.version("vl-convert-python")


def recipe():
    page = pathlib.Path(__file__).parent.parent.joinpath("docs/data.md").read_text()
    found = [code for code in re.findall(r"```py\n(.*?)```", page, re.S) if "vconcat" in code]
    assert len(found) == 1 and len(found[0].splitlines()) <= 18, found
    return found[0]


def numbers_of(row):
    """The numbers of a line of the CSV, each with the half of its last digit, as a part of it."""
    for cell in row:
        # The point of a real number says nothing of its digits.
        cell = re.sub(r"\.0$", "", cell)
        try:
            digits = re.sub(r"e.*", "", cell).replace(".", "").lstrip("-0")
            yield float(cell), 0.0 if cell.isdigit() and len(cell) < 6 else 0.51 * 10.0 ** (1 - len(digits))
        except ValueError:
            pass


def is_in(value, numbers):
    def is_same(number, part):
        # Of the trials still running the CSV has the others.
        is_rest = 0 <= number <= 1 and math.isclose(value, 1 - number, abs_tol=1e-6)
        return is_rest or math.isclose(value, number, rel_tol=part, abs_tol=1e-12)

    return any(is_same(number, part) for number, part in numbers)


def check(file):
    spec = json.loads(file.read_text())
    header, *table = csv.reader(file.with_name(file.name.replace(".vl.json", ".csv")).open())
    held = all_of_them = 0
    for panel in spec["vconcat"]:
        layers = panel.get("spec", panel)["layer"]
        rows = panel["data"]["values"]
        assert rows, file
        is_logarithmic = layers[0]["encoding"]["y"].get("scale", {}).get("type") == "log"
        for row in rows:
            numbers = list(numbers_of(table[row["row"] - 1]))
            assert row["low"] <= row["y"] <= row["high"], (file, row)
            if "band_low" in row:
                assert row["band_low"] <= row["band_high"], (file, row)
                assert all(is_in(row[end], numbers) for end in ("band_low", "band_high")), (file, row)
            if is_logarithmic and "up" not in row:
                assert row["low"] > 0, (file, row)
            all_of_them += 1
            if is_in(row["y"], numbers):
                is_low = row.get("low_is_open") or row["low"] == row["y"] or is_in(row["low"], numbers)
                is_high = row.get("high_is_open") or row["high"] == row["y"] or is_in(row["high"], numbers)
                held += is_low and is_high
    # Shares of trials not yet absorbed, and quotients of searches, are drawn of two numbers of the CSV.
    least = 0.3 if "us_per_node" in header else 0.7
    assert held >= least * all_of_them, (file, held, all_of_them)
    svg = vl_convert.vegalite_to_svg(spec)
    marks = len(re.findall(r"aria-roledescription=.(?:point|symbol|rect mark|bar|area mark|line mark)", svg))
    assert marks > 0 and "NaN" not in svg, file
    has_band = any("band_low" in row for panel in spec["vconcat"] for row in panel["data"]["values"])
    assert not has_band or "area mark" in svg, file
    return all_of_them


def main(folder):
    files = sorted(pathlib.Path(folder).glob("*.vl.json"))
    assert files, folder
    drawn = sum(check(file) for file in files)
    with tempfile.TemporaryDirectory() as place:
        code = pathlib.Path(place, "recipe.py")
        code.write_text(recipe())
        for file in files:
            subprocess.run([sys.executable, code, file, pathlib.Path(place, "figure.png")], check=True)
    print(f"test-readers: {len(files)} figures with {drawn} points by Vega-Lite {RELEASE} and matplotlib")


if __name__ == "__main__":
    main(sys.argv[1])
