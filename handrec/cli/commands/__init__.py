"""Every command as the command line has it; what it does is in the module of its name beside this room.

A command imports what it needs when it runs, so that `--help` is quick.
"""
