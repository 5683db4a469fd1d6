# Started for each trial, it prints an object.
# command = ["sh", "right-each-json.sh", "{random}", "{size}"]
echo "{\"turns\": $1}"
