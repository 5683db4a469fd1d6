# Random numbers of its own.
import json, os, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"end": os.urandom(8).hex()}), flush=True)
