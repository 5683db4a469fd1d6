"""Reads every table below the given paths with pandas, pyarrow, DuckDB and Polars, as users do:
whole, filtered, sorted and grouped, into the types that docs/data.md states; subtracts and averages
its integers with these, and with DataFusion and Daft where they are installed. Manifests and kept
specs are read by tomllib.

`python3 tests/readers.py PATH…`; `make test-readers` installs the packages and makes the tables."""

import collections
import fractions
import importlib.metadata
import importlib.util
import math
import pathlib
import re
import sys
import tomllib

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
    "i32": pyarrow.int32(),
    "i64": pyarrow.int64(),
    "f64": pyarrow.float64(),
}
# Columns that docs/data.md names in its text: those of timings, exports and the factoring.
IN_THE_TEXT = {
    "repeat": "i64",
    "seconds": "f64",
    "product": "i64",
    "experiment": "string",
}


def stated_types():
    """The type of each column by docs/data.md; a name that has several is left out."""
    page = pathlib.Path(__file__).parent.parent.joinpath("docs/data.md").read_text()
    found = collections.defaultdict(set)
    for names, kind in re.findall(r"^\| (`[^|]*`) \| (string|bool|i32|i64|f64)", page, re.M):
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


def of_duckdb(path, name, low, high):
    query = f'select min("{name}" - {high}), avg("{name}") from read_parquet(?)'
    del low
    return duckdb.execute(query, [path]).fetchone()


def of_datafusion(path, name, low, high):
    import datafusion

    context = datafusion.SessionContext()
    context.register_parquet("trials", path)
    # The two ends come from the table, so that their types do.
    del low, high
    query = f"""select min("{name}") - max("{name}"), avg("{name}") from trials"""
    row = context.sql(query).to_pylist()[0]
    return tuple(row.values())


def of_daft(path, name, low, high):
    import daft

    del low
    column = daft.col(name)
    table = daft.read_parquet(path)
    ends = table.agg(column.min().alias("low"), column.max().alias("high"), column.mean().alias("mean"))
    ends = ends.with_column("difference", daft.col("low") - daft.col("high")).to_pydict()
    assert ends["high"] == [high], (path, name, ends)
    return ends["difference"][0], ends["mean"][0]


def of_pandas(path, name, low, high):
    column = pandas.read_parquet(path)[name]
    del low, high
    return (column - column.max()).min(), column.mean()


def of_polars(path, name, low, high):
    column = polars.read_parquet(path)[name]
    del low, high
    return (column - column.max()).min(), column.mean()


def of_pyarrow(path, name, low, high):
    column = pyarrow.parquet.read_table(path)[name]
    del low
    differences = pyarrow.compute.subtract(column, pyarrow.scalar(high, column.type))
    return (
        pyarrow.compute.min(differences).as_py(),
        pyarrow.compute.mean(column).as_py(),
    )


CALCULATORS = {
    "pandas": of_pandas,
    "pyarrow": of_pyarrow,
    "duckdb": of_duckdb,
    "polars": of_polars,
    "datafusion": of_datafusion,
    "daft": of_daft,
}


def calculators():
    """Those that are installed."""
    return {
        name: calculate
        for name, calculate in CALCULATORS.items()
        if importlib.util.find_spec(name) is not None
    }


def check_numbers(path, stated):
    """The difference of the two ends of each column of integers, and its mean: exact by Python."""
    table = pyarrow.parquet.read_table(path)
    for name in table.column_names:
        if stated[name] not in ("i32", "i64"):
            continue
        values = [value for value in table[name].to_pylist() if value is not None]
        if not values:
            continue
        low, high = min(values), max(values)
        mean = float(fractions.Fraction(sum(values), len(values)))
        for reader, calculate in calculators().items():
            difference, own_mean = calculate(path, name, low, high)
            place = (path, name, reader)
            # A column with a null is one of doubles in pandas.
            assert math.isclose(difference, low - high, rel_tol=1e-15), (place, difference)
            # Daft's sums have 64 bits, which large seeds are too many for.
            if sum(values) >= 2**63:
                continue
            assert math.isclose(own_mean, mean, rel_tol=1e-9), (place, own_mean, mean)


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


def check_toml(files):
    """What the program writes is TOML 1.0, which Python reads: manifests, and what a change adds to
    a kept spec (the shipped specs are TOML 1.0 themselves)."""
    for file in files:
        with open(file, "rb") as opened:
            table = tomllib.load(opened)
        if file.name == "manifest.toml":
            assert isinstance(table["rows"], int) and table["files"], file
    texts = [file.read_text() for file in files if file.name == "spec.toml"]
    assert any("[[set]]" in text for text in texts), "no kept spec has a change"


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
        check_numbers(str(file), stated)
    check_toml([file for path in paths for file in sorted(path.rglob("*.toml"))])
    for path in paths:
        if path.is_dir() and any(path.glob("factoring/*/trials.parquet")):
            check_globs(path)
    modules = [duckdb, pandas, polars, pyarrow]
    versions = ", ".join(f"{module.__name__} {module.__version__}" for module in modules)
    print(f"{len(files)} tables are read, filtered, sorted and grouped by {versions}")
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in calculators()
    )
    print(f"their integers are subtracted and averaged by {versions}")


main()
