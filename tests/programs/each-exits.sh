# Started for each trial, it ends with a code.
# command = ["sh", "each-exits.sh", "{random}", "{size}"]
echo energy=1
echo 'no memory' >&2
exit 5
