"""Texts that two programs are compared by: tips of figures, words of refused specs, panels."""

import csv
import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

NUMBER = r"[0-9][0-9 \u202f.]*(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


def tips(files):
    """One line for each tip: figure, curve, x, y, low, high, bound, the text."""
    for file in files:
        text = Path(file).read_text()
        titles = [html.unescape(it) for it in re.findall(r"<title>(.*?)</title>", text, re.S)]
        for tip in titles[1:]:
            lines = tip.split("\n")
            y = next((it for it in lines[1:] if ": " in it), "")
            bar = re.search(f"from ({NUMBER}) to ({NUMBER})", y)
            low, high = bar.groups() if bar else ("", "")
            x = next((it for it in lines[1:] if " = " in it), "")
            value = y.split(": ", 1)[-1].split(";")[0]
            bound = "bound" if "≥" in tip or "at least" in tip or "cut off" in tip else ""
            print("\t".join([Path(file).stem, lines[0], x, value, low, high, bound, json.dumps(tip, ensure_ascii=False)]))


def specs(text):
    """The specs of a file of refused ones, each at its own lines."""
    first, *others = text.split("# ---\n")
    lines = first.count("\n") + 1
    for piece in others:
        yield first + "\n" * (lines - first.count("\n")) + piece
        lines += piece.count("\n") + 1


def refused(program, files):
    """One line for each message: file, line, key, found word, and the rest."""
    for file in files:
        for case in specs(Path(file).read_text()):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / Path(file).name).write_text(case)
                command = [program, "check", Path(file).name]
                run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            for line in run.stderr.splitlines():
                place = re.match(r"error: ([^:]+):(?:(\d+):)?(?:\d+:)? ?(.*)", line)
                if place:
                    name, row, rest = place.groups()
                    key = re.match(r"(?:missing key )?([^\s=:]+)(?: = (.*?): )?", rest)
                    print("\t".join([name, row or "", *(it or "" for it in key.groups()), rest]))
                else:
                    print("\t".join(["", "", "", "", line]))


def panels(text):
    """Rust's `{:?}` of the figures as JSON: structs and variants are objects, `Some` and tuples lists."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*|-?[0-9.]+(?:e-?[0-9]+)?|[{}()\[\],:]', text)
    at = 0

    def many(end):
        nonlocal at
        found = []
        while tokens[at] != end:
            found.append(value())
            if tokens[at] == ",":
                at += 1
        at += 1
        return found

    def value():
        nonlocal at
        token = tokens[at]
        at += 1
        if token in "([":
            return many(")" if token == "(" else "]")
        if token.startswith('"'):
            return re.sub(r"\\u\{([0-9a-f]+)\}", lambda it: chr(int(it[1], 16)), token[1:-1])
        if re.match(r"-?[0-9.]", token):
            return float(token)
        if tokens[at] == "(":
            at += 1
            return {token: many(")")}
        if tokens[at] == "{":
            at += 1
            fields = {}
            while tokens[at] != "}":
                name = tokens[at]
                at += 2
                fields[name] = value()
                if tokens[at] == ",":
                    at += 1
            at += 1
            return fields
        return token

    return value()


def columns(old, new):
    """Every row and value of the old tables that the new ones lack, by the names in columns.csv."""
    names = list(csv.DictReader(open(Path(__file__).with_name("columns.csv"))))
    keys = ["algorithm", "variant", "n", "epsilon", "eta"]
    for file in sorted(Path(old).glob("*.csv")):
        renamed = [it for it in names if it["figure"] == file.stem]
        rows = list(csv.DictReader(file.open()))
        found = list(csv.DictReader((Path(new) / file.name).open()))
        if not renamed:
            if rows != found:
                print(f"{file.name}: rows differ")
            continue
        fits = [it for it in rows if it.get("mean_is") == "fit"]
        if fits != [{name: it.get(name, "") for name in rows[0]} for it in found if it.get("mean_is") == "fit"]:
            print(f"{file.name}: fits differ")
        for row in (it for it in rows if it not in fits):
            for name in (it for it in renamed if it["new"]):
                own = [it for it in found if it["quantity"] == name["quantity"] and all(it[key] == row[key] for key in keys)]
                for end in ["", "_low", "_high"]:
                    is_same = len(own) == 1 and own[0][name["new"] + end] == row[name["old"] + end]
                    if not is_same and row[name["old"] + end]:
                        print(f"{file.name}: {name['old']}{end}: {[row[key] for key in keys]}")


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "tips":
        tips(rest)
    elif what == "refused":
        refused(rest[0], rest[1:])
    elif what == "columns":
        columns(*rest)
    else:
        of = {line.split("\t", 1)[0]: panels(line.split("\t", 1)[1]) for line in sys.stdin}
        json.dump(of, sys.stdout, ensure_ascii=False, indent=1, sort_keys=True)
