#!/usr/bin/env bash
# The models of a formula are counted with PySAT, in one line or by a function of one's own.
#
# Believed: `list(Solver(bootstrap_with=clauses).enum_models())` is the list of all models.
#
# Seen with python-sat 1.9.dev24: an empty list, as of a formula without a model, and no error.
# `enum_models` of `Solver` hands on a generator of the solver inside; `Solver` itself is not held by
# it, is collected before the first model, and deletes the solver inside on its way; the generator
# takes a deleted solver for one that has no further model. The same happens to a function that
# returns the generator, out of a `with` or without one. `solve()` in one line says True.
#
# Right: a name that lives until the last model is read; or a solver's own class, as Glucose4, which
# its generator holds.
#
#     in one line: 0 models, solve: True
#     from a function: 0 models
#     from a function with `with`: 0 models
#     with a name: 2 models
#     of its own class: 2 models
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check python-sat==1.9.dev24

cat > "$folder/count.py" <<'PYTHON'
from pysat.solvers import Glucose4, Solver

# Exactly one of two.
clauses = [[1, 2], [-1, -2]]


def models():
    solver = Solver(bootstrap_with=clauses)
    return solver.enum_models()


def models_of_a_block():
    with Solver(bootstrap_with=clauses) as solver:
        return solver.enum_models()


in_one_line = len(list(Solver(bootstrap_with=clauses).enum_models()))
print(f"in one line: {in_one_line} models, solve: {Solver(bootstrap_with=clauses).solve()}")
print(f"from a function: {len(list(models()))} models")
print(f"from a function with `with`: {len(list(models_of_a_block()))} models")
with Solver(bootstrap_with=clauses) as solver:
    print(f"with a name: {len(list(solver.enum_models()))} models")
print(f"of its own class: {len(list(Glucose4(bootstrap_with=clauses).enum_models()))} models")
PYTHON

found=$("$folder/venv/bin/python" "$folder/count.py")
expected='in one line: 0 models, solve: True
from a function: 0 models
from a function with `with`: 0 models
with a name: 2 models
of its own class: 2 models'
echo "$found"
[ "$found" = "$expected" ] || { echo "this has changed" >&2; exit 1; }
