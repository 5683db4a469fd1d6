# Constraint solvers with the lab's primal models of the queens; the words behind the file's name are
# the solver (choco or cp-sat) and how constraints are filtered (default or domain).
import json
import os
import sys

# What the solvers print themselves goes to standard error: standard output is for the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def boards_of_choco(n, goal, filtering):
    from pychoco import Model, backend

    model = Model()
    queens = [model.intvar(0, n - 1, f"q{row}") for row in range(n)]
    rising = [model.int_offset_view(queen, row) for row, queen in enumerate(queens)]
    falling = [model.int_offset_view(queen, -row) for row, queen in enumerate(queens)]
    consistency = {"default": "DEFAULT", "domain": "AC"}[filtering]
    for variables in (queens, rising, falling):
        model.all_different(variables, consistency).post()
    solver = model.get_solver()
    solver.set_dom_over_w_deg_search(*queens)
    board = None
    solutions = 0
    while solver.solve():
        solutions += 1
        if goal == "first":
            board = [queen.get_value() for queen in queens]
            break
    # pychoco 0.4 gives the seconds as the solver's own node count.
    nodes = backend.get_node_count(solver._handle)
    return board, solutions, nodes, solver.get_fail_count()


def boards_of_cp_sat(n, goal, filtering):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    queens = [model.new_int_var(0, n - 1, f"q{row}") for row in range(n)]
    model.add_all_different(queens)
    model.add_all_different(queen + row for row, queen in enumerate(queens))
    model.add_all_different(queen - row for row, queen in enumerate(queens))

    class Count(cp_model.CpSolverSolutionCallback):
        board, solutions = None, 0

        def on_solution_callback(self):
            self.solutions += 1
            self.board = [self.value(queen) for queen in queens]

    solver, found = cp_model.CpSolver(), Count()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = goal != "first"
    solver.solve(model, found)
    board = found.board if goal == "first" else None
    return board, found.solutions, solver.num_branches, solver.num_conflicts


SOLVERS = {"choco": boards_of_choco, "cp-sat": boards_of_cp_sat}
solver, filtering = SOLVERS[sys.argv[1]], sys.argv[2]

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    n, goal = request["n"], request["goal"]
    columns, solutions, nodes, failures = solver(n, goal, filtering)
    outcome = "solved" if columns else "exhausted"
    # The row of the queen in each column.
    solution = [columns.index(column) for column in range(n)] if columns else None
    print(
        json.dumps(
            {
                "outcome": outcome,
                "solution": solution,
                "solutions": solutions,
                "nodes": nodes,
                "failures": failures,
            }
        ),
        file=answers,
        flush=True,
    )
