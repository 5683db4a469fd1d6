# Lines that end as those of Windows.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    sys.stdout.write('{"energy": 1.5, "end": "' + request["random"] + '"}\r\n')
    sys.stdout.flush()
