# A program that is nowhere.
# command = ["no-such-interpreter", "not-found.sh"]
