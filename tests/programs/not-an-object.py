# A list in place of an object.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('[1, 2]', flush=True)
