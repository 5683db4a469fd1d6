# Depth first with three sets, row by row: the built-in algorithm `lines`, in Python.
import json
import sys


class Stop(Exception):
    """The cutoff, or the one board that was wanted."""


def search(n, goal, cutoff):
    columns, rising, falling = set(), set(), set()
    found = dict(solution=None, solutions=0, nodes=0, checks=0, failures=0)

    def walk(queens):
        found["nodes"] += 1
        row = len(queens)
        if row == n:
            found["solutions"] += 1
            if goal == "first":
                found["solution"] = [queens.index(column) for column in range(n)]
                raise Stop("solved")
            return
        is_dead_end = True
        for column in range(n):
            if found["checks"] == cutoff:
                raise Stop("censored")
            found["checks"] += 1
            if column in columns or row + column in rising or row - column in falling:
                continue
            is_dead_end = False
            columns.add(column), rising.add(row + column), falling.add(row - column)
            walk(queens + [column])
            columns.remove(column), rising.remove(row + column), falling.remove(row - column)
        found["failures"] += is_dead_end

    try:
        walk([])
        return dict(found, outcome="exhausted")
    except Stop as stop:
        return dict(found, outcome=str(stop))


for line in sys.stdin:
    request = json.loads(line)
    if "reines" not in request:
        answer = search(request["n"], request["goal"], request["cutoff"])
        print(json.dumps(answer), flush=True)
