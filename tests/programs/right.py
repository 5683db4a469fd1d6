# A program that is right.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"energy": int(request["random"]) % 100 / 8}), flush=True)
