"""Choco 6 on the models of benches/cp.rs: CPU time of the search in milliseconds, the best of five. Needs pychoco (pip install pychoco==0.4.0).

    python3 benches/rivals/choco.py
"""

import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "reference"))

try:
    import choco
except ImportError as missing:
    print(f"choco: skipped, {missing}")
    sys.exit(0)


def best(goal, n, constraints, branching):
    times = []
    for _ in range(5):
        solver = choco.queens(n, "primal", constraints, "", "false", "primal", branching)
        start = time.process_time()
        while solver.solve() and goal == "all":
            pass
        times.append(1000 * (time.process_time() - start))
    return min(times)


def main():
    for acronym, constraints in (("PN_PL", "neq"), ("PB_PL", "bounds"), ("PA_PL", "domain")):
        print(f"choco: all/n=12/{acronym} {best('all', 12, constraints, 'lexicographic'):.1f} ms", flush=True)
    print(f"choco: first/n=200/PA_PD {best('first', 200, 'domain', 'min-domain'):.1f} ms", flush=True)


if __name__ == "__main__":
    main()
