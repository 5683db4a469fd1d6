# Every trial of a point is the same.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"energy": request["size"]}), flush=True)
