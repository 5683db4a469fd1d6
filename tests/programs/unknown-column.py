# A name that is nearly one.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"energie": 1}', flush=True)
