# Standard error without a line end.
read line
head -c 300000 /dev/zero | tr '\0' 'y' >&2
exit 2
