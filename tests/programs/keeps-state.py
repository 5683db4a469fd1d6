# Each trial depends on those before it.
import json, sys

count = 0

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    count += 1
    print(json.dumps({"energy": count}), flush=True)
