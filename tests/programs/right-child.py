# A child that would go on for long.
import json, subprocess, sys

subprocess.Popen(["sleep", "300"])

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print(json.dumps({"energy": int(request["random"]) % 100 / 8}), flush=True)
