# Bytes that are no text.
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if "reines" in request:
        continue
    sys.stdout.buffer.write(b"\xff\xfe\n")
    sys.stdout.flush()
