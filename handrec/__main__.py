"""`python -m handrec` is the command line."""

from handrec.cli import main

main()
