# A second line a moment after the answer.
import json, sys, time

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"energy": 1}', flush=True)
    time.sleep(0.005)
    print("done", flush=True)
