"""Choco 6 on one of its models of n queens: prints the number of solutions and the seconds that the search took, the shortest of three.

    python3 benches/rivals/choco.py all 12 neq lexicographic

Needs pychoco (pip install pychoco==0.4.0). The model is that of tests/reference/choco.py, primal and without symmetry.
"""

import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "reference"))

import choco


def search(goal, n, constraints, branching):
    solver = choco.queens(int(n), "primal", constraints, "", "false", "primal", branching)
    start = time.perf_counter()
    while solver.solve() and goal == "all":
        pass
    return time.perf_counter() - start, solver.get_solution_count()


if __name__ == "__main__":
    seconds, solutions = min(search(*sys.argv[1:]) for _ in range(3))
    print(solutions, seconds)
