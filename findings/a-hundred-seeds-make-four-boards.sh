#!/usr/bin/env bash
# A sample of the 92 boards of eight queens: Choco's random search takes a random queen and gives it a
# random row; the first board is kept, and the seeds are 1, 2, 3, …
#
# Believed: a hundred seeds give some sixty different boards, a thousand all 92.
#
# Seen with pychoco 0.4.0 (choco-solver in native code): the seeds 1 to 100 give 4 boards, each about 25
# times; 1 to 1000 give 20. Seeds of 48 random bits give 64 in a thousand, the most frequent one 20 times
# as often as the rarest: better, and no fair sample either. Neighbouring seeds of this generator begin
# alike, and the choice of the queen and that of the row have one seed.
#
# Right: seeds that were drawn; and no claim on a typical board from a search.
#
#     seeds 1 to 100: 4 boards
#     seeds 1 to 1000: 20 boards
#     1000 seeds that were drawn: more than 50 boards: True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pychoco==0.4.0

cat > "$folder/sample.py" <<'PYTHON'
import random

from pychoco import Model

N = 8


def board(seed):
    model = Model()
    queens = [model.intvar(0, N - 1) for _ in range(N)]
    model.all_different(queens).post()
    model.all_different([queen + column for column, queen in enumerate(queens)]).post()
    model.all_different([queen - column for column, queen in enumerate(queens)]).post()
    solver = model.get_solver()
    solver.set_random_search(*queens, seed=seed)
    assert solver.solve()
    rows = [queen.get_value() for queen in queens]
    for sign in (-1, 0, 1):
        assert len({row + sign * column for column, row in enumerate(rows)}) == N
    return tuple(rows)


def boards(seeds):
    return len({board(seed) for seed in seeds})


drawn = random.Random(1)
print(f"seeds 1 to 100: {boards(range(1, 101))} boards")
print(f"seeds 1 to 1000: {boards(range(1, 1001))} boards")
spread = boards(drawn.getrandbits(48) for _ in range(1000))
print(f"1000 seeds that were drawn: more than 50 boards: {spread > 50}")
PYTHON

found=$("$folder/venv/bin/python" "$folder/sample.py")
expected='seeds 1 to 100: 4 boards
seeds 1 to 1000: 20 boards
1000 seeds that were drawn: more than 50 boards: True'
echo "$found"
[ "$found" = "$expected" ] || { echo "this has changed" >&2; exit 1; }
