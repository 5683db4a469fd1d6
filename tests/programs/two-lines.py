# Two lines for a trial.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"energy": 1}\n{"energy": 2}', flush=True)
