# Two mebibytes without a line end.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    sys.stdout.write("x" * (2 << 20))
    sys.stdout.flush()
