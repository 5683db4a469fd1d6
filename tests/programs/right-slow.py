# It starts slowly.
import json, sys, time

time.sleep(5.5)

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"energy": int(request["random"]) % 100 / 8}), flush=True)
