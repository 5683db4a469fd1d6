# A time of a trial that is called censored.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('{"absorption_time": 3, "outcome": "censored"}', flush=True)
