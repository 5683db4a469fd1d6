"""Reads every table below the given paths with pandas, pyarrow, DuckDB and Polars, as users do:
whole, filtered, sorted and grouped, into the types that docs/data.md states.

`python3 tests/readers.py PATH…`; `make test-readers` installs the packages and makes the tables."""

import collections
import pathlib
import re
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

ARROW_TYPES = {
    "string": pyarrow.large_string(),
    "bool": pyarrow.bool_(),
    "u32": pyarrow.uint32(),
    "u64": pyarrow.uint64(),
    "f64": pyarrow.float64(),
}
# Columns that docs/data.md names in its text: those of timings, exports and the factoring.
IN_THE_TEXT = {
    "repeat": "u32",
    "seconds": "f64",
    "product": "u64",
    "experiment": "string",
}


def stated_types():
    """The type of each column by docs/data.md; a name that has several is left out."""
    page = pathlib.Path(__file__).parent.parent.joinpath("docs/data.md").read_text()
    found = collections.defaultdict(set)
    for names, kind in re.findall(r"^\| (`[^|]*`) \| (string|bool|u32|u64|f64)", page, re.M):
        for name in re.findall(r"`(\w+)`", names):
            found[name].add(kind)
    assert len(found) > 30, found
    # `threatened` is a count of queens in two tables, `moves` a number in two: of one type each.
    assert all(len(kinds) == 1 for kinds in found.values()), found
    return {name: kinds.pop() for name, kinds in found.items()} | IN_THE_TEXT


def check_types(path, table, stated):
    for field in table.schema:
        kind, found = stated[field.name], field.type
        assert found == ARROW_TYPES[kind], (path, field, kind)


def check(path, stated):
    table = pyarrow.parquet.read_table(path)
    check_types(path, table, stated)
    rows = table.num_rows
    assert rows > 0, path
    plain = table.column_names
    texts = [name for name in plain if stated[name] == "string"]
    assert texts, path
    order = [(name, "ascending") for name in plain]
    assert table.sort_by(order).num_rows == rows
    assert table.take([rows - 1, 0]).num_rows == 2
    groups = table.group_by(texts).aggregate([([], "count_all")])
    assert sum(groups["count_all"].to_pylist()) == rows

    frame = pandas.read_parquet(path)
    typed = pandas.read_parquet(path, dtype_backend="pyarrow")
    own = polars.read_parquet(path)
    assert len(frame) == len(typed) == own.height == rows, path
    assert typed.groupby(texts, dropna=False).size().sum() == rows
    assert frame.groupby(texts, dropna=False).size().sum() == rows
    assert own.group_by(texts).len()["len"].sum() == rows
    assert len(typed.sort_values(plain)) == rows

    for name in plain:
        values = table[name].to_pylist()
        value = next((value for value in values if value is not None), None)
        if value is None:
            continue
        expected = values.count(value)
        is_equal = pyarrow.compute.field(name) == value
        dataset = pyarrow.dataset.dataset(path)
        quoted = f"'{value}'" if isinstance(value, str) else f"{value!r}"
        counts = {
            "pyarrow filter": table.filter(is_equal).num_rows,
            "pyarrow filters=": pyarrow.parquet.read_table(
                path, filters=[(name, "==", value)]
            ).num_rows,
            "pyarrow dataset": dataset.to_table(filter=is_equal).num_rows,
            "pandas filters=": len(pandas.read_parquet(path, filters=[(name, "==", value)])),
            "pandas query": len(frame.query(f"`{name}` == @value")),
            "pandas query of Arrow types": len(typed.query(f"`{name}` == @value")),
            "DuckDB": duckdb.execute(
                f"select count(*) from read_parquet(?) where \"{name}\" = {quoted}", [path]
            ).fetchone()[0],
            "Polars": polars.scan_parquet(path).filter(polars.col(name) == value).collect().height,
        }
        for reader, count in counts.items():
            assert count == expected, (path, name, value, reader, count, expected)


def check_globs(folder):
    """Tables of several experiments, whose further axes differ, as docs/data.md reads them."""
    pattern = f"{folder}/*/*/trials.parquet"
    files = sorted(map(str, pathlib.Path(folder).glob("*/*/trials.parquet")))
    expected = sum(pyarrow.parquet.read_metadata(file).num_rows for file in files)
    joined = polars.scan_parquet(pattern, missing_columns="insert", extra_columns="ignore")
    assert joined.select(polars.len()).collect().item() == expected
    frames = [polars.read_parquet(file) for file in files]
    assert polars.concat(frames, how="diagonal").height == expected
    rows = duckdb.execute(
        "select count(*), count(product) from read_parquet(?, union_by_name = true)", [pattern]
    ).fetchone()
    assert rows[0] == expected and rows[1] > 0, rows


def main():
    stated = stated_types()
    paths = [pathlib.Path(argument) for argument in sys.argv[1:]]
    files = [
        file
        for path in paths
        for file in ([path] if path.is_file() else sorted(path.rglob("*.parquet")))
    ]
    names = {file.name for file in files}
    for name in ["trials.parquet", "timings.parquet", "series.parquet"]:
        assert name in names, (name, names)
    for file in files:
        check(str(file), stated)
    for path in paths:
        if path.is_dir() and any(path.glob("factoring/*/trials.parquet")):
            check_globs(path)
    modules = [duckdb, pandas, polars, pyarrow]
    versions = ", ".join(f"{module.__name__} {module.__version__}" for module in modules)
    print(f"{len(files)} tables are read, filtered, sorted and grouped by {versions}")


main()
