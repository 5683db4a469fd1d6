# Constraint solvers with the lab's primal model of the queens. The words behind the file's name are
# the solver (choco, gecode or cp-sat) and, but for cp-sat, an acronym of the lab: the third letter
# from the end says how differences are filtered, the last one which branching.
import json
import os
import subprocess
import sys

# What the solvers print themselves goes to standard error: standard output is for the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

CONSISTENCY_OF_CHOCO = {"B": "BC", "A": "AC"}


def search_choco(n, goal, cutoff, differences, branching):
    # A fresh model for each search: a second one of the same model finds nothing.
    model = Model()
    queens = [model.intvar(0, n - 1, f"q{row}") for row in range(n)]
    if differences == "N":
        for row in range(n):
            for below in range(row + 1, n):
                a, b, apart = queens[row], queens[below], below - row
                model.arithm(a, "!=", b).post()
                model.arithm(a, "!=", b, "+", apart).post()
                model.arithm(a, "!=", b, "-", apart).post()
    else:
        rising = [model.int_offset_view(queen, row) for row, queen in enumerate(queens)]
        falling = [model.int_offset_view(queen, -row) for row, queen in enumerate(queens)]
        for variables in (queens, rising, falling):
            model.all_different(variables, CONSISTENCY_OF_CHOCO[differences]).post()
    solver = model.get_solver()
    branchings = {
        "L": solver.set_input_order_lb_search,
        "D": solver.set_min_dom_lb_search,
        "W": solver.set_dom_over_w_deg_search,
    }
    branchings[branching](*queens)
    if goal == "first":
        found = [solver.find_solution(node_limit=cutoff)]
    else:
        found = solver.find_all_solutions(node_limit=cutoff)
    boards = {tuple(map(board.get_int_val, queens)) for board in found if board is not None}
    # In pychoco 0.4 the solver's own node count is its seconds.
    nodes = backend.get_node_count(solver._handle)
    return boards, nodes, solver.get_fail_count(), nodes >= cutoff


CONSISTENCY_OF_GECODE = {"B": "bounds", "A": "domain"}
BRANCHING_OF_GECODE = {"L": "input_order", "D": "first_fail", "W": "dom_w_deg"}


def model_of_gecode(n, differences, branching):
    lines = [f"array[1..{n}] of var 0..{n - 1}: q;"]
    if differences == "N":
        for term in ("q[i]", "q[i] + i", "q[i] - i"):
            other = term.replace("i", "j")
            lines.append(f"constraint forall (i, j in 1..{n} where i < j) ({term} != {other});")
    else:
        # Gecode's own: of "alldifferent.mzn" MiniZinc 2.6 makes binary differences for Gecode 6.2.
        lines.insert(0, 'include "all_different_int.mzn";')
        for term in ("q[i]", "q[i] + i", "q[i] - i"):
            call = f"all_different_int([{term} | i in 1..{n}])"
            lines.append(f"constraint {call} :: {CONSISTENCY_OF_GECODE[differences]};")
    choice = BRANCHING_OF_GECODE[branching]
    lines.append(f"solve :: int_search(q, {choice}, indomain_min, complete) satisfy;")
    lines.append('output [show(q) ++ "\\n"];')
    return "\n".join(lines)


def search_gecode(n, goal, cutoff, differences, branching):
    command = ["minizinc", "--solver", "org.gecode.gecode", "--statistics", "--no-optimize"]
    # Gecode counts the nodes that fail, too, which are at most one more than the others.
    command += ["--input-from-stdin", "--fzn-flags", f"--node {2 * cutoff + 1}"]
    command += ["--all-solutions"] if goal != "first" else []
    model = model_of_gecode(n, differences, branching)
    printed = subprocess.run(command, input=model, stdout=subprocess.PIPE, text=True, check=True)
    boards, counts = set(), {}
    for line in printed.stdout.splitlines():
        if line.startswith("["):
            boards.add(tuple(json.loads(line)))
        elif line.startswith("%%%mzn-stat: "):
            name, _, value = line.removeprefix("%%%mzn-stat: ").partition("=")
            counts[name] = value
    failures = int(counts["failures"])
    nodes = int(counts["nodes"]) - failures
    return boards, nodes, failures, nodes >= cutoff


def search_cp_sat(n, goal, cutoff):
    model = cp_model.CpModel()
    queens = [model.new_int_var(0, n - 1, f"q{row}") for row in range(n)]
    model.add_all_different(queens)
    model.add_all_different(queen + row for row, queen in enumerate(queens))
    model.add_all_different(queen - row for row, queen in enumerate(queens))
    boards = set()

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self):
            boards.add(tuple(self.value(queen) for queen in queens))

    solver = cp_model.CpSolver()
    # With several workers it does not enumerate.
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = goal != "first"
    solver.parameters.max_number_of_conflicts = min(cutoff, 2**62)
    status = solver.solve(model, Collect())
    return boards, solver.num_branches, solver.num_conflicts, status == cp_model.UNKNOWN


def answer(request, search, letters):
    n, goal = request["n"], request["goal"]
    boards, nodes, failures, is_cut = search(n, goal, request["cutoff"], *letters)
    found = {"nodes": nodes, "failures": failures, "solutions": len(boards)}
    if goal == "first" and boards and not is_cut:
        columns = next(iter(boards))
        # The row of the queen in each column.
        rows = [columns.index(column) for column in range(n)]
        return found | {"outcome": "solved", "solution": rows}
    return found | {"outcome": "censored" if is_cut else "exhausted"}


solver, acronym = sys.argv[1], sys.argv[2:]
letters = (acronym[0][1], acronym[0][4]) if acronym else ()
if solver == "choco":
    from pychoco import Model, backend
elif solver == "cp-sat":
    from ortools.sat.python import cp_model
search = {"choco": search_choco, "gecode": search_gecode, "cp-sat": search_cp_sat}[solver]

for line in sys.stdin:
    request = json.loads(line)
    if "reines" not in request:
        print(json.dumps(answer(request, search, letters)), file=answers, flush=True)
