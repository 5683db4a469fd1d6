# Python writes NaN, which is no JSON.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"energy": float("nan")}), flush=True)
