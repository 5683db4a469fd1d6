# Words in place of an answer.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    print('hello world', flush=True)
