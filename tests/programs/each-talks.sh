# Started for each trial, it prints a sentence.
# command = ["sh", "each-talks.sh", "{random}", "{size}"]
echo the time is $1
