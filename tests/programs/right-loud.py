# A mebibyte on standard error before each answer.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    sys.stderr.write("x" * (1 << 20))
    print(json.dumps({"energy": int(request["random"]) % 100 / 8}), flush=True)
