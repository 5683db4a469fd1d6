#!/no/such/interpreter
# Its interpreter is nowhere.
# command = ["./no-interpreter.sh"]
# executable
