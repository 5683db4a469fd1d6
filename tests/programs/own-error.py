# The program says what is wrong.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"error": "no licence for size 2"}', flush=True)
