#!/usr/bin/env python3
"""Processor seconds and memory of work on large tables, beside Polars in Python on the same file.

    python3 benches/tables.py [--trials 1000000] [--points 100000] [--turns 3] [PROGRAM …]

Two tables. In the first, five points of the pair rule (n = 4) share the trials. `run` has a cutoff of
1, so that nearly all of its time is not simulation; the other commands read trials with a cutoff of
2000. In the second, each of so many points, ten n at each ε, has one trial; 0 leaves this table out. Each turn takes
every program and Polars once, so that all meet the same load of the machine; shown is the least of
the turns, user + system of the whole process.

Polars is measured twice in one process: the whole of it, with the start of Python and of Polars,
which is what a command is compared with (`ratio`); and its work alone. Without the Python package
polars these columns are left out.
"""
import argparse, importlib.util, os, pathlib, subprocess, sys, tempfile

TABLES = """title = "tables"
seed = 1
[[sweep]]
algorithm = "pair"
n = 4
epsilon = [0.03, 0.06, 0.1, 0.15, 0.2]
trials = {trials}
cutoff = {cutoff}
[[figure]]
kind = "convergence-vs-epsilon"
name = "tables"
"""
POINTS = """title = "points"
seed = 1
[[sweep]]
algorithm = "pair"
n = "4..13"
epsilon = {{ from = 0.01, to = 0.5, points = {values} }}
trials = 1
cutoff = 2000
[[figure]]
kind = "convergence-vs-epsilon"
name = "points"
"""
POLARS = {
    "run": "table = polars.read_parquet(path); table = table.sort('epsilon', 'trial'); table.write_parquet(out + '.parquet')",
    "report": "polars.scan_parquet(path).group_by('epsilon').agg(polars.col('updates').mean(), polars.col('updates').std().alias('s'), polars.col('updates').median().alias('m'), polars.len()).collect()",
    "verify": "polars.read_parquet(path)",
    "export csv": "polars.read_parquet(path).write_csv(out + '.csv')",
    "export parquet": "polars.read_parquet(path).write_parquet(out + '.parquet')",
}


class Used:
    """What a process has used, which is compared by its processor seconds."""

    def __init__(self, command, folder):
        log = os.path.join(folder, "log")
        with open(log, "w") as output:
            process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
        _, status, used = os.wait4(process.pid, 0)
        self.output = open(log).read()
        if status:
            sys.exit(f"{command}: {self.output}")
        self.seconds = used.ru_utime + used.ru_stime
        self.gigabytes = used.ru_maxrss / 1e6
        self.switches = used.ru_nvcsw + used.ru_nivcsw


def of_polars(code, path, folder):
    """What Polars' process has used, and the processor seconds of its work alone."""
    begin = "import os, polars; begun = os.times()"
    names = f"path, out = {path!r}, {folder + '/polars'!r}"
    end = "ended = os.times(); print(ended[0] + ended[1] - begun[0] - begun[1])"
    code = "; ".join([begin, names, code, end])
    used = Used([sys.executable, "-c", code], folder)
    return used, float(used.output)


def commands_of_tables(program, folder):
    out = f"{folder}/out"
    return {
        "run": [program, "run", "--quiet", "tiny.toml", "--threads", "1", "--results", out],
        "report": [program, "report", "--quiet", "tables", "--figures", out],
        "verify": [program, "verify", "--quiet", "tables"],
        "export csv": [program, "export", "--quiet", "tables", "-o", f"{out}/tables.csv"],
        "export parquet": [program, "export", "--quiet", "tables", "-o", f"{out}/tables.parquet"],
    }


def commands_of_points(program, folder):
    out = f"{folder}/out"
    return {
        "list": [program, "list", "--quiet"],
        "check": [program, "check", "--quiet", "points"],
        "report": [program, "report", "--quiet", "points", "--figures", out],
    }


def measured(programs, turns, folder, commands, rivals):
    """What each turn of each work has used, by the work and the program's index or "polars"."""
    found = {}
    for _ in range(turns):
        for index, program in enumerate(programs):
            for work, command in commands(program, folder).items():
                with tempfile.TemporaryDirectory(dir=folder) as out:
                    command = [word.replace(f"{folder}/out", out) for word in command]
                    found.setdefault((work, index), []).append(Used(command, folder))
        for work, code in rivals.items():
            path = os.path.join(folder, "results", "tables", "trials.parquet")
            found.setdefault((work, "polars"), []).append(of_polars(code, path, folder))
    return found


def least(all_used):
    return min(all_used, key=lambda used: used.seconds)


def print_tables(count, found, works, programs):
    """A row for each work, as docs/inside.md has it."""
    for work in works:
        rival = found.get((work, "polars"))
        for index in range(len(programs)):
            own = least(found[work, index])
            cells = [f"{count:.0e}".replace("e+0", "e"), f"`{work}`", f"{own.seconds:.2f}"]
            if rival:
                whole = least([used for used, _ in rival]).seconds
                work_alone = min(seconds for _, seconds in rival)
                cells += [f"{whole:.2f}", f"{own.seconds / whole:.1f}", f"{work_alone:.2f}"]
                cells += [f"{own.seconds / work_alone:.1f}"]
            cells += [f"{own.gigabytes:.2f}", f"{own.switches / count:.4f}"]
            print("|" + "|".join(cells) + "|", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="*", default=["target/release/reines"])
    parser.add_argument("--trials", type=int, default=1_000_000)
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    programs = [os.path.abspath(program) for program in asked.programs]
    has_polars = importlib.util.find_spec("polars") is not None
    if not has_polars:
        print("skipped: Polars: this Python has no package polars")
    rivals = POLARS if has_polars else {}
    of_polars = "Polars|ratio|its work alone|ratio|" if has_polars else ""
    if asked.trials:
        print(f"|trials|work|now, s|{of_polars}GB|switches a trial|")
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
            for name, cutoff in [("tables", 2000), ("tiny", 1)]:
                spec = TABLES.format(trials=asked.trials // 5, cutoff=cutoff)
                pathlib.Path(folder, f"{name}.toml").write_text(spec)
            subprocess.run([programs[0], "run", "--quiet", "tables.toml"], cwd=folder, check=True)
            found = measured(programs, asked.turns, folder, commands_of_tables, rivals)
        print_tables(asked.trials, found, POLARS, programs)
    if asked.points:
        print("|points|work|now, s|GB|switches a point|")
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
            pathlib.Path(folder, "points.toml").write_text(POINTS.format(values=asked.points // 10))
            subprocess.run([programs[0], "run", "--quiet", "points.toml"], cwd=folder, check=True)
            found = measured(programs, asked.turns, folder, commands_of_points, {})
        print_tables(asked.points, found, ["list", "check", "report"], programs)


main()
