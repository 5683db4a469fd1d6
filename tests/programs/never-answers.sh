# It never answers.
# timeout = 1
sleep 300
