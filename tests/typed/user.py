"""A script as a user writes it: `.ci/run` has it checked by `mypy --strict` against the installed package."""

import sys

import handrec
from handrec import Finding, Record, Verdict

record: Record = handrec.load(sys.argv[1])
verdict: Verdict = handrec.check(record)
faults: tuple[Finding, ...] = verdict.faults
for fault in faults:
    print(fault.code, fault.place, fault.message, sep="  ")
text: str = handrec.dumps(record)
dealt: Record = handrec.sample("kbabs", 1, "careful", players=3, options={"scoring": "square"}, deals=1)
sys.exit(0 if verdict.ok and handrec.loads(text) == record else 1)
