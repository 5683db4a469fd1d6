# It reads a line and ends with a code.
read line
echo 'cannot find table.dat' >&2
exit 3
