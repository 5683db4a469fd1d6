# A mebibyte on standard error, then an end.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    for number in range(20000):
        print("line", number, "x" * 45, file=sys.stderr)
    sys.exit(1)
