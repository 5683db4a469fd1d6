# An exception at the fifth trial of a process.
import json, sys

count = 0

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    count += 1
    if count == 5:
        raise ValueError("negative temperature")
    print(json.dumps({"energy": int(request["random"]) % 100 / 8}), flush=True)
