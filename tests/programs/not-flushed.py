# The commonest mistake: answers stay in the program.
# timeout = 7
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" not in request:
        print(json.dumps({"energy": 1.5}))
