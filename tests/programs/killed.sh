# It is killed.
read line
kill -KILL $$
