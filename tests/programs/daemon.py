# It forks, as daemons do, and its child goes on.
import os, sys, time

sys.stdin.readline()
if os.fork():
    os._exit(0)
time.sleep(300)
