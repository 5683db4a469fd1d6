# It ignores what asks it to end.
# timeout = 1
trap '' TERM INT HUP
sleep 300
sleep 300
