# An answer without a line end.
# timeout = 1
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    sys.stdout.write('{"energy": 1}')
    sys.stdout.flush()
