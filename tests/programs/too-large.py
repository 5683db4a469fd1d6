# A real beyond the greatest double.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"energy": 1e999}', flush=True)
