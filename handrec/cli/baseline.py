"""Findings that are known already: `check --write-baseline` lists them in a file, `check --baseline` leaves them out.

A finding is known by its record (the id, or file and place), the place in it, code, trick and seat, whatever its words are.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handrec.cli.errors import CommandError, naming_file
from handrec.cli.inputs import BASELINE
from handrec.findings import Finding
from handrec.limits import MAX_BASELINE, mib
from handrec.report.safe import safe

FORMAT, VERSION = BASELINE, 1


@dataclass
class Baseline:
    """What a baseline lists, as often as it lists it, without what was found again; and how much that was."""

    name: str
    listed: Counter[str]
    left_out: int = 0

    def others(self, record: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings of a record that are not listed."""
        return tuple(finding for finding in findings if not self._is_listed(entry(record, finding)))

    def _is_listed(self, line: str) -> bool:
        if not self.listed[line]:
            return False
        self.listed[line] -= 1
        self.left_out += 1
        return True

    def say(self) -> None:
        """Say on standard error what was left out, and what need not be listed any more."""
        gone = self.listed.total()
        more = f"; {gone:,} that it lists were not found" if gone else ""
        known = "known finding" if self.left_out == 1 else "known findings"
        print(f"{safe(self.name, 300)}: {self.left_out:,} {known} left out{more}", file=sys.stderr)


def entry(record: str, finding: Finding) -> str:
    """A finding as a baseline has it."""
    place: dict[str, Any] = {"trick": finding.trick, "seat": finding.seat}
    told = {"record": record, "code": finding.code, "at": finding.pointer}
    return json.dumps(told | {name: value for name, value in place.items() if value is not None})


def written(entries: Iterable[str]) -> Iterator[str]:
    """A baseline, a line for each finding."""
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "findings": [\n'
    yield ",\n".join(entries)
    yield "\n]}\n"


def load(name: str) -> Baseline:
    """The baseline in a file. Raises `CommandError` if there is none that can be read."""
    try:
        with naming_file(name):
            with Path(name).open("rb") as file:
                data = file.read(MAX_BASELINE + 1)
            if len(data) > MAX_BASELINE:
                raise CommandError(f"{safe(name, 300)}: it is larger than {mib(MAX_BASELINE)}")
            document = json.loads(data.decode())
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT or not isinstance(document.get("findings"), list):
        raise CommandError(f"{safe(name, 300)} is no baseline; check --write-baseline FILE writes one")
    if document.get("version") != VERSION:
        raise CommandError(f"{safe(name, 300)} is a baseline of another version of handrec; write it anew")
    return Baseline(name, Counter(map(json.dumps, document["findings"])))
