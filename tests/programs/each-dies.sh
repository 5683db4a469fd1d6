# Started for each trial, it is killed.
# command = ["sh", "each-dies.sh", "{random}", "{size}"]
kill -KILL $$
