"""Mutation testing: each small change to a room must make some test fail; what none notices is a hole in the tests.

    python -m tests.mutation cover                   which test runs which lines, and how long it takes; once a commit
    python -m tests.mutation run handrec/masks.py    every mutant of a file or folder, each against the tests that run its lines
    python -m tests.mutation run handrec/phases --sample 300 --seed 1 --minutes 60
    python -m tests.mutation again                   what survived, against every test that runs it, those written since too
    python -m tests.mutation table                   what was found, room by room, and each survivor

`mutants` makes the changes, `covering` notes what runs where, `running` runs the tests. Results lie in `--folder`, a line of JSON
a mutant; a run goes on where the last one was broken off. It needs `coverage`, which is no part of the test extra.
"""
