# It ends, and a child of it keeps its standard output open.
read line
sleep 300 &
exit 4
