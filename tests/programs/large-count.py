# A count beyond a column.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"turns": 9223372036854775808}', flush=True)
