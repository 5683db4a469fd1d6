# Started for each trial, it prints a line of two mebibytes.
# command = ["sh", "each-long-line.sh", "{random}", "{size}"]
head -c 2000000 /dev/zero | tr '\0' 'x'
