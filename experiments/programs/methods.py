# The exhaustive methods of the texts in Python; the word behind the file's name says which. Each
# counts all boards, or ends at the first; a generator alone counts what it generates.
import itertools
import json
import sys

import numpy


def exchanges(items, size):
    """Heap's order: every arrangement of the first `size` items, one exchange each."""
    if size <= 1:
        yield items
        return
    for turn in range(size):
        yield from exchanges(items, size - 1)
        if turn < size - 1:
            other = turn if size % 2 == 0 else 0
            items[other], items[size - 1] = items[size - 1], items[other]


def of_python(n):
    return itertools.permutations(range(n))


def of_heap(n):
    return exchanges(list(range(n)), n)


def have_all_diagonals(board, n):
    """The test of the text on four methods: as many diagonals of each kind as queens."""
    rising = {row + column for row, column in enumerate(board)}
    falling = {row - column for row, column in enumerate(board)}
    return len(rising) == n == len(falling)


def are_apart(board, n):
    """The test of the text on three ways: pair by pair, up to the first on one diagonal."""
    for row in range(n):
        for below in range(row + 1, n):
            if abs(board[row] - board[below]) == below - row:
                return False
    return True


def tried(generator, is_solution):
    """The permutations of a generator that pass a test."""

    def boards(n):
        return (board for board in generator(n) if is_solution(board, n))

    return boards


def partial_lists(n):
    """All safe partial boards of a row, then those of the next one."""

    def is_safe(column, queens):
        row = len(queens)
        return column not in queens and all(
            abs(column - queen) != row - above for above, queen in enumerate(queens)
        )

    boards = [[]]
    for _ in range(n):
        boards = [
            queens + [column]
            for queens in boards
            for column in range(n)
            if is_safe(column, queens)
        ]
    return boards


def depth_first(n, is_safe, put):
    """Row by row; what a method keeps about the queens is in the two functions."""
    queens = []

    def walk(row):
        if row == n:
            yield queens
            return
        for column in range(n):
            if is_safe(row, column):
                put(row, column, 1)
                queens.append(column)
                yield from walk(row + 1)
                queens.pop()
                put(row, column, -1)

    return walk(0)


STEPS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def lines_of(n, row, column):
    """The squares that a queen attacks."""
    for down, across in STEPS:
        r, c = row + down, column + across
        while 0 <= r < n and 0 <= c < n:
            yield r, c
            r, c = r + down, c + across


def attacks(n):
    """A NumPy matrix of the queens; a square's lines are looked along."""
    matrix = numpy.zeros((n, n), dtype=int)

    def put(row, column, change):
        matrix[row, column] += change

    def is_safe(row, column):
        return not any(matrix[square] for square in lines_of(n, row, column))

    return depth_first(n, is_safe, put)


def fill_matrix(n):
    """A NumPy matrix that counts, for each square, the queens that attack it."""
    attackers = numpy.zeros((n, n), dtype=int)

    def put(row, column, change):
        for square in lines_of(n, row, column):
            attackers[square] += change

    return depth_first(n, lambda row, column: attackers[row, column] == 0, put)


def fill_sets(n):
    """A list of lists of sets: for each square the rows of the queens that attack it."""
    attackers = [[set() for _ in range(n)] for _ in range(n)]

    def put(row, column, change):
        for r, c in lines_of(n, row, column):
            if change > 0:
                attackers[r][c].add(row)
            else:
                attackers[r][c].remove(row)

    return depth_first(n, lambda row, column: not attackers[row][column], put)


def three_arrays(n):
    """Lists of columns and of both diagonals."""
    columns, rising, falling = [0] * n, [0] * (2 * n), [0] * (2 * n)

    def put(row, column, change):
        columns[column] += change
        rising[row + column] += change
        falling[row - column] += change

    def is_safe(row, column):
        return not (columns[column] or rising[row + column] or falling[row - column])

    return depth_first(n, is_safe, put)


METHODS = {
    "permutations": tried(of_python, have_all_diagonals),
    "brute-force": tried(of_python, are_apart),
    "brute-force-heap": tried(of_heap, are_apart),
    "partial-lists": partial_lists,
    "attacks": attacks,
    "fill-matrix": fill_matrix,
    "fill-sets": fill_sets,
    "lines": three_arrays,
}
GENERATORS = {"generate": of_python, "generate-heap": of_heap}


def answer(method, n, goal):
    if method in GENERATORS:
        checks = 0
        for _ in GENERATORS[method](n):
            checks += 1
        return {"outcome": "exhausted", "checks": checks}
    solutions = 0
    for board in METHODS[method](n):
        solutions += 1
        if goal == "first":
            rows = [board.index(column) for column in range(n)]
            return {"outcome": "solved", "solutions": 1, "solution": rows}
    return {"outcome": "exhausted", "solutions": solutions}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if "reines" not in request:
            found = answer(sys.argv[1], request["n"], request["goal"])
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
