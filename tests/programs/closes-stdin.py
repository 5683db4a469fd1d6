# It closes its standard input and goes on.
# timeout = 1
import os, time

os.close(0)
time.sleep(300)
