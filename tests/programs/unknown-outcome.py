# An outcome that there is not.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"outcome": "done"}', flush=True)
