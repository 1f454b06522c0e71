"""Every command as the command line has it: what it is asked for, and its help. What it does is in a module beside this room.

A command imports what it needs when it runs, so that `--help` is quick.
"""
