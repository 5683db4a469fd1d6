# It closes its standard output and goes on.
import json, os, sys, time

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    os.close(1)
    time.sleep(300)
