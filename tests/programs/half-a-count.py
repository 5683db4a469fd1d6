# A count that is no whole number.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"energy": 1, "turns": 1.5}', flush=True)
