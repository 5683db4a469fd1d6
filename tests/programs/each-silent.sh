# Started for each trial, it prints nothing.
# command = ["sh", "each-silent.sh", "{random}", "{size}"]
exit 0
