# Started for each trial; a child of it keeps its standard output open.
# command = ["sh", "right-each.sh", "{random}", "{size}"]
sleep 300 &
echo a line before
echo energy=-$1 end=size$2
