# It stops itself.
# timeout = 1
read line
kill -STOP $$
