# It crashes as C programs do.
read line
kill -SEGV $$
