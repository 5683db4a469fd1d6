#!/usr/bin/env bash
# Times are counted in steps, so that many trials end at the same one: 50 of 100 at step 1, the others
# at step 2. The cumulative hazard (Nelson-Aalen) adds up d / n: 50 / 100 and 50 / 50.
#
# Believed: 0.5 and 1.5, by every library.
#
# Seen: lifelines 0.30.3 gives 0.688 and 5.187, scikit-survival 0.28.0 gives 0.5 and 1.5. By default
# lifelines (`nelson_aalen_smoothing=True`) takes trials that end together for ones that ended shortly
# one after the other, 1 / 100 + 1 / 99 + …, which suits rounded times and not counted steps: the share
# of survivors that follows, exp(-5.187), is 0.006 for 0.22, and the hazard of a step comes out above 1.
# Its Kaplan-Meier curve of the same times (0.5, 0) has no such option and is right.
#
# Right for steps: `NelsonAalenFitter(nelson_aalen_smoothing=False)`.
#
#     lifelines: 0.688 5.187
#     lifelines, without smoothing: 0.500 1.500
#     scikit-survival: 0.500 1.500
#     lifelines, Kaplan-Meier: 0.500 0.000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    lifelines==0.30.3 scikit-survival==0.28.0 pandas==2.3.3

cat > "$folder/hazard.py" <<'PYTHON'
import warnings

warnings.simplefilter("ignore")

import lifelines
import numpy
from sksurv.nonparametric import nelson_aalen_estimator

steps = numpy.repeat([1, 2], 50)
ended = numpy.ones(100, dtype=bool)


def shown(values):
    return " ".join(f"{value:.3f}" for value in values)


def of_lifelines(**options):
    fitter = lifelines.NelsonAalenFitter(**options).fit(steps, ended)
    return shown(fitter.cumulative_hazard_at_times([1, 2]))


print("lifelines:", of_lifelines())
print("lifelines, without smoothing:", of_lifelines(nelson_aalen_smoothing=False))
print("scikit-survival:", shown(nelson_aalen_estimator(ended, steps)[1]))
curve = lifelines.KaplanMeierFitter().fit(steps, ended)
print("lifelines, Kaplan-Meier:", shown(curve.survival_function_at_times([1, 2])))
PYTHON

found=$("$folder/venv/bin/python" "$folder/hazard.py")
expected='lifelines: 0.688 5.187
lifelines, without smoothing: 0.500 1.500
scikit-survival: 0.500 1.500
lifelines, Kaplan-Meier: 0.500 0.000'
echo "$found"
[ "$found" = "$expected" ] || { echo "this has changed" >&2; exit 1; }
