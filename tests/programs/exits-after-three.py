# It ends after three answers.
import json, sys

count = 0

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"energy": int(request["random"]) % 100 / 8}), flush=True)
    count += 1
    if count == 3:
        sys.exit(1)
