"""What Choco 6 counts on the constraint models of n queens: writes choco.csv, the reference of tests/cp/choco.rs.

    pip install pychoco==0.4.0
    python3 tests/reference/choco.py > tests/reference/choco.csv

Definitions: binary branching x = v, then x != v, smallest value first; nodes, failures and backtracks as Choco counts them. pychoco 0.4.0's
Solver.get_node_count returns a time, its backend the count. channelling: `choco` is Choco's inverse_channeling, which also filters with two
bounds-consistent all_different; `pure` posts C_i = j <=> b_ij <=> L_j = i and nothing else.
"""

import sys
from itertools import product

from pychoco import Model, backend

LEVELS = {"bounds": "BC", "domain": "AC"}


def differences(model, queens, constraints):
    n = len(queens)
    if constraints == "neq":
        for i in range(n):
            for j in range(i + 1, n):
                model.arithm(queens[i], "!=", queens[j]).post()
                model.arithm(queens[i], "!=", queens[j], "+", j - i).post()
                model.arithm(queens[i], "!=", queens[j], "-", j - i).post()
    else:
        for slope in (0, 1, -1):
            projected = [q if slope * i == 0 else model.int_offset_view(q, slope * i) for i, q in enumerate(queens)]
            model.all_different(projected, LEVELS[constraints]).post()


def channel(model, columns, lines, channelling):
    if channelling == "choco":
        model.inverse_channeling(columns, lines).post()
        return
    for i, column in enumerate(columns):
        for j, line in enumerate(lines):
            both = model.boolvar()
            model.arithm(column, "=", j).reify_with(both)
            model.arithm(line, "=", i).reify_with(both)


def queens(n, kind, constraints, channelling, symmetry, decision, branching):
    model = Model()
    columns = [model.intvar(0, n - 1, f"C{i}") for i in range(n)]
    lines = []
    differences(model, columns, constraints)
    if kind == "primal-dual":
        lines = [model.intvar(0, n - 1, f"L{i}") for i in range(n)]
        differences(model, lines, constraints)
        channel(model, columns, lines, channelling)
    if symmetry == "true" and n > 1:
        model.arithm(columns[0], "<", columns[-1]).post()
    decided = columns + lines if decision == "both" else columns
    solver = model.get_solver()
    if branching == "lexicographic":
        solver.set_input_order_lb_search(*decided)
    else:
        solver.set_min_dom_lb_search(*decided)
    return solver


def count(goal, *point):
    solver = queens(*point)
    while solver.solve() and goal == "all":
        pass
    return (
        solver.get_solution_count(),
        backend.get_node_count(solver._handle),
        solver.get_backtrack_count(),
        solver.get_fail_count(),
    )


def points():
    """(model, constraints, channelling, decision)"""
    for constraints in ("neq", "bounds", "domain"):
        yield "primal", constraints, "", "primal"
        for channelling, decision in product(("choco", "pure") if constraints == "neq" else ("choco",), ("primal", "both")):
            yield "primal-dual", constraints, channelling, decision


def main():
    print("goal,n,model,constraints,channelling,symmetry,decision,branching,solutions,nodes,backtracks,failures")
    for goal, largest in (("all", 12), ("first", 20)):
        for n, (kind, constraints, channelling, decision) in product(range(4, largest + 1), points()):
            for symmetry, branching in product(("false", "true"), ("lexicographic", "min-domain")):
                point = (n, kind, constraints, channelling, symmetry, decision, branching)
                print(goal, *point, *count(goal, *point), sep=",", flush=True)
        print(goal, "done", file=sys.stderr)


if __name__ == "__main__":
    main()
