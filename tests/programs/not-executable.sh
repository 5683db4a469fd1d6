# A file that may not be executed.
# command = ["./not-executable.sh"]
