#!/usr/bin/env python3
"""Processor seconds and memory of work on large tables, beside Polars in Python on the same file.

    python3 benches/tables.py [--trials 1000000] [--turns 3] [PROGRAM …]

Five points of the pair rule (n = 4) share the trials. `run` has a cutoff of 1, so that nearly all of
its time is not simulation; the other commands read trials with a cutoff of 2000. Each turn takes
every program and Polars once, so that all meet the same load of the machine; shown is the least of
the turns, user + system. Without the Python package polars these columns are left out.
"""
import argparse, importlib.util, os, pathlib, subprocess, sys, tempfile

SPEC = """title = "tables"
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
POLARS = {
    "run": "table = polars.read_parquet(path); table = table.sort('epsilon', 'trial'); table.write_parquet(out + '.parquet')",
    "report": "polars.scan_parquet(path).group_by('epsilon').agg(polars.col('updates').mean(), polars.col('updates').std().alias('s'), polars.col('updates').median().alias('m'), polars.len()).collect()",
    "verify": "polars.read_parquet(path)",
    "export csv": "polars.read_parquet(path).write_csv(out + '.csv')",
    "export parquet": "polars.read_parquet(path).write_parquet(out + '.parquet')",
}


def measured(command, folder):
    """Processor seconds, gigabytes and thread switches of a command."""
    with open(os.path.join(folder, "log"), "w") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command}: {open(os.path.join(folder, 'log')).read()}")
    switches = used.ru_nvcsw + used.ru_nivcsw
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6, switches


def of_polars(code, path, folder):
    """Processor seconds of Polars' work, without the start of Python."""
    begin = "import os, polars; begun = os.times()"
    names = f"path, out = {path!r}, {folder + '/polars'!r}"
    end = "ended = os.times(); print(ended[0] + ended[1] - begun[0] - begun[1])"
    code = "; ".join([begin, names, code, end])
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)


def commands(program, folder, turn):
    results = os.path.join(folder, "results")
    out = f"{folder}/out-{turn}"
    return {
        "run": [program, "run", "--quiet", "tiny.toml", "--threads", "1", "--results", out],
        "report": [program, "report", "--quiet", "tables", "--results", results, "--figures", out + "-figures"],
        "verify": [program, "verify", "--quiet", "tables", "--results", results],
        "export csv": [program, "export", "--quiet", "tables", "--results", results, "-o", out + ".csv"],
        "export parquet": [program, "export", "--quiet", "tables", "--results", results, "-o", out + ".parquet"],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="*", default=["target/release/reines"])
    parser.add_argument("--trials", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    programs = [os.path.abspath(program) for program in asked.programs]
    has_polars = importlib.util.find_spec("polars") is not None
    if not has_polars:
        print("skipped: Polars: this Python has no package polars")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        for name, cutoff in [("tables", 2000), ("tiny", 1)]:
            spec = SPEC.format(trials=asked.trials // 5, cutoff=cutoff)
            pathlib.Path(folder, f"{name}.toml").write_text(spec)
        subprocess.run([programs[0], "run", "--quiet", "tables.toml"], cwd=folder, check=True)
        path = os.path.join(folder, "results", "tables", "trials.parquet")
        least = {}
        for turn in range(asked.turns):
            for at, program in enumerate(programs):
                for what, command in commands(program, folder, f"{turn}-{at}").items():
                    least.setdefault((what, at), []).append(measured(command, folder))
            for what, code in POLARS.items() if has_polars else []:
                least.setdefault((what, "polars"), []).append(of_polars(code, path, folder))
    print(f"{asked.trials} trials, processor seconds (and GB, switches a trial):")
    for what in POLARS:
        cells = []
        rival = min(least[what, "polars"]) if has_polars else None
        for at in range(len(programs)):
            seconds, memory, switches = min(least[what, at])
            ratio = f" = {seconds / rival:.1f} × Polars" if rival else ""
            per_trial = switches / asked.trials
            cells.append(f"{seconds:.2f} ({memory:.2f}, {per_trial:.3f}){ratio}")
        polars = f"; Polars {rival:.2f}" if rival else ""
        print(f"  {what}: {'; '.join(cells)}{polars}")


main()
