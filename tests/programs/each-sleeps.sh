# Started for each trial, it does not end.
# command = ["sh", "each-sleeps.sh", "{random}", "{size}"]
# timeout = 1
sleep 300
