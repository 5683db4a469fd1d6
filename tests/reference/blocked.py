"""How many of random placements have no safe move (tests/paper.rs), by coordinates and without signals.

A queen is threatened if another one stands on its cell or on its lines; a free cell beside it is safe if no queen is in line with it, but for those
in the direction that the queen comes from. `python tests/reference/blocked.py`.
"""

import random

random.seed(102)
DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def sees(queens, n, cell):
    """The directions in which a queen stands."""
    seen = set()
    for x, y in DIRECTIONS:
        ax, ay = cell[0] + x, cell[1] + y
        while 0 <= ax < n and 0 <= ay < n:
            if (ax, ay) in queens:
                seen.add((x, y))
                break
            ax, ay = ax + x, ay + y
    return seen


def is_blocked(cells, n):
    queens = set(cells)
    for x, y in queens:
        if cells.count((x, y)) == 1 and not sees(queens, n, (x, y)):
            return False
        for dx, dy in DIRECTIONS:
            to = (x + dx, y + dy)
            if 0 <= to[0] < n and 0 <= to[1] < n and to not in queens and not sees(queens, n, to) - {(-dx, -dy)}:
                return False
    return True


for n in range(2, 12):
    boards = 20_000 if n <= 8 else 8000
    found = sum(is_blocked([(random.randrange(n), random.randrange(n)) for _ in range(n)], n) for _ in range(boards))
    print(f"n = {n}: {found} of {boards}", flush=True)
