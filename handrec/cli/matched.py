"""Several records of one board, compared when all of them have been read: what each says of IMPs and matchpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from handrec.cli.common import Inputs, Read, judged
from handrec.findings import Finding, Level, Verdict
from handrec.report import Checked, Was
from handrec.sides import is_claiming

if TYPE_CHECKING:
    from handrec.matches import TableResult


@dataclass
class _Claiming:
    """A record that says what tables have together; what was found of it by itself, and what of that, besides."""

    checked: Checked
    findings: list[Finding] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)


@dataclass
class Matched:
    """The results of boards as records go by: of each is kept which board it is, the score, and what is written down.

    `missing` whether records went by that were not read, or `before` anything was to be compared, where they can be read
    another time; then all are read again if anything is.
    """

    before: bool

    results: list[TableResult] = field(default_factory=list)
    claiming: dict[int, _Claiming] = field(default_factory=dict)
    missing: bool = False

    def add(self, read: Read, verdict: Verdict, checked: Checked) -> None:
        """Keep what a record says of its boards; `checked` is how it was told."""
        record = read.reading.record
        early = self.before and not self.claiming and record is not None and not is_claiming(record)
        if read.reading.passed is not None or early:
            self.missing = True
        elif record is not None and verdict.deals and verdict.deals[0].sides:
            from handrec.matches import results_of  # only where sides score
            from handrec.matches.claims import claims

            found = [*results_of(record, verdict, read.name, read.reading.locate)]
            self.results += found
            said = [each for each in found if claims(each)]
            short = checked._replace(verdict=verdict._replace(deals=(), findings=()), was=Was.of(checked))
            self.claiming |= dict.fromkeys(map(id, said), _Claiming(short))

    def checked(self, again: Inputs) -> Iterator[Checked]:
        """What else is found of records: as each was told, with what comes of the comparison in place of what was found of it.

        `again` are the same inputs, every record of which is read.
        """
        if not self.claiming:
            return
        from handrec.matches import boards_of, compared, results_of
        from handrec.matches.claims import WORDS

        results = self.results
        if self.missing:
            held = {(each.name, each.index): each for each in results if id(each) in self.claiming}
            results = []
            for read in again:
                record = read.reading.record
                found = results_of(record, judged(read, again), read.name) if record is not None else ()
                results += [held.get((each.name, each.index), each) for each in found]
        for board in boards_of(results):
            wrong, why_not = compared(board)
            for result, finding in wrong:
                self.claiming[id(result)].findings.append(finding)
            for result in board.results if why_not else ():
                if id(result) in self.claiming:
                    what = " and ".join(sorted({WORDS[what] for _, what in result.claims if what != "score"}))
                    reason = f"deal {board.number}: the {what} written down are not compared: {why_not}"
                    self.claiming[id(result)].reasons.append(reason)
        for each in {id(one): one for one in self.claiming.values()}.values():
            if each.findings or each.reasons:
                level = Level("L6", "failed" if each.findings else "not checkable", tuple(each.reasons))
                verdict = each.checked.verdict._replace(levels=(level,), findings=tuple(each.findings))
                yield each.checked._replace(verdict=verdict)
