# The four methods of the four-methods text and two variants, in Python; the word behind the file's
# name says which. Each counts all boards, or ends at the first.
import itertools
import json
import sys


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


def tried(permutations, n):
    """Accepts a permutation whose diagonals are all different; yields one value for each tried."""
    for board in permutations:
        rising = {row + column for row, column in enumerate(board)}
        falling = {row - column for row, column in enumerate(board)}
        yield list(board) if len(rising) == n == len(falling) else None


def with_itertools(n):
    return tried(itertools.permutations(range(n)), n)


def with_own_generator(n):
    return tried(exchanges(list(range(n)), n), n)


def depth_first(n, is_safe, put):
    """Row by row; yields a board, or None for each square that is tried."""
    queens = []

    def walk():
        row = len(queens)
        if row == n:
            yield list(queens)
            return
        for column in range(n):
            yield None
            if is_safe(row, column):
                put(row, column, 1)
                queens.append(column)
                yield from walk()
                queens.pop()
                put(row, column, -1)

    return walk()


STEPS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def lines_of(n, row, column):
    """The squares that a queen attacks."""
    for down, across in STEPS:
        r, c = row + down, column + across
        while 0 <= r < n and 0 <= c < n:
            yield r, c
            r, c = r + down, c + across


def attacks(n):
    matrix = [[0] * n for _ in range(n)]

    def put(row, column, change):
        matrix[row][column] += change

    def is_safe(row, column):
        return not any(matrix[r][c] for r, c in lines_of(n, row, column))

    return depth_first(n, is_safe, put)


def fill_matrix(n):
    import numpy

    attacked = numpy.zeros((n, n), dtype=int)

    def put(row, column, change):
        for r, c in lines_of(n, row, column):
            attacked[r, c] += change

    return depth_first(n, lambda row, column: attacked[row, column] == 0, put)


def fill_sets(n):
    attackers = {(row, column): set() for row in range(n) for column in range(n)}

    def put(row, column, change):
        for square in lines_of(n, row, column):
            if change > 0:
                attackers[square].add(row)
            else:
                attackers[square].discard(row)

    return depth_first(n, lambda row, column: not attackers[row, column], put)


def three_arrays(n):
    columns, rising, falling = [0] * n, [0] * (2 * n), [0] * (2 * n)

    def put(row, column, change):
        columns[column] += change
        rising[row + column] += change
        falling[row - column] += change

    def is_safe(row, column):
        return not (columns[column] or rising[row + column] or falling[row - column])

    return depth_first(n, is_safe, put)


METHODS = {
    "itertools": with_itertools,
    "own-generator": with_own_generator,
    "attacks": attacks,
    "fill-matrix": fill_matrix,
    "fill-sets": fill_sets,
    "lines": three_arrays,
}


def answer(request):
    solutions = 0
    tried = METHODS[sys.argv[1]](request["n"])
    for board in tried:
        if board is None:
            continue
        solutions += 1
        if request["goal"] == "first":
            rows = [board.index(column) for column in range(len(board))]
            return {"outcome": "solved", "solutions": 1, "solution": rows}
    return {"outcome": "exhausted", "solutions": solutions}


for line in sys.stdin:
    request = json.loads(line)
    if "reines" not in request:
        print(json.dumps(answer(request)), flush=True)
