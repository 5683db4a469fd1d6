# A text where a real belongs.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"energy": "1.5"}', flush=True)
