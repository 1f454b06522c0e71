"""Every command as the command line has it: what it is asked for, and its help.

These are declarations: what a command does is in a module beside this room, which `app.COMMANDS` names.
"""
