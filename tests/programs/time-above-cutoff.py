# A time that the cutoff forbids.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"absorption_time": request["cutoff"] + 1}), flush=True)
