# A banner before the first answer.
import json, sys

print("Simulator 1.0", flush=True)

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"energy": int(request["random"]) % 100 / 8}), flush=True)
