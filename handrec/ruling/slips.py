"""Slips of the pen that explain a play in dispute, as far as they can be read at sight: then nobody is found at fault for it."""

from __future__ import annotations

from handrec.findings import Finding, Verdict
from handrec.record import Record
from handrec.ruling.value import RevokeClaim


class Slips:
    """What the pen may have done to the plays of a record. `verdict` is that on the record, slips told as slips."""

    def __init__(self, record: Record, verdict: Verdict) -> None:
        self.verdict = verdict
        self.plays = {
            (finding.deal_index, finding.seat, finding.trick): finding
            for finding in verdict.findings
            if finding.code.startswith("REV")
        }

    def instead(self, claim: RevokeClaim) -> str:
        """The slip that explains a play, in words; "" if none is likelier than the deed."""
        finding = self._of(claim)
        if finding is None or finding.because is None:
            return ""
        code, pointer = finding.because
        return next((each.message for each in self.verdict.findings if (each.code, each.pointer) == (code, pointer)), code)

    def as_well(self, claim: RevokeClaim) -> str:
        """The slip that would explain a play that nobody objected to as well as the deed does, in words; "" if there is none."""
        finding = self._of(claim)
        if finding is None or claim.source != "found":
            return ""
        return " or ".join(near.words for near in finding.near[:2] if near.cost <= 0)

    def _of(self, claim: RevokeClaim) -> Finding | None:
        return None if claim.index is None else self.plays.get((claim.index, claim.of, claim.trick))
