# A number where a text belongs.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"end": 1}', flush=True)
