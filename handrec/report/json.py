"""JSON: one document with every record, level, finding and result, and the count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from handrec import __version__
from handrec.findings import DealResult, Finding
from handrec.report import repair
from handrec.report.checked import PLAIN, Checked, ReportOptions, Tally, location, name
from handrec.report.safe import MESSAGE, PLACE, safe


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """Exactly one JSON document, a record to a line, keys sorted."""
    tally = Tally(options.settings)
    yield '{"records":['
    for place, one in enumerate(tally.follow(checked)):
        yield ("\n" if place == 0 else ",\n") + compact(record(one))
    rest = {"summary": counts(tally), "tool": "handrec", "version": __version__}
    yield "\n]," + compact(rest)[1:] + "\n"


def compact(value: Any) -> str:
    """The value as JSON on one line, in ASCII, keys sorted."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def record(checked: Checked) -> dict[str, Any]:
    """A checked record as plain data; `again` where more is told of one that stands before."""
    verdict = checked.verdict
    return {
        "name": name(checked),
        "path": safe(checked.path, PLACE),
        "game": plain(verdict.game),
        "options": plain(verdict.options),
        "levels": [
            {"level": level.key, "name": level.name, "status": level.status, "reasons": plain(level.reasons)}
            for level in verdict.levels
        ],
        "findings": [_finding(checked, finding) for finding in verdict.findings],
        "left_out": len(checked.left_out),
        "deals": [deal(result) for result in verdict.deals],
        "totals": plain(verdict.totals),
        "winners": plain(verdict.winners),
        **({} if checked.fit is None else {"fit": plain(checked.fit)}),
        **({} if checked.was is None else {"again": True}),
        **repair.plain(checked),
    }


def _finding(checked: Checked, finding: Finding) -> dict[str, Any]:
    where = location(checked, finding)
    return {
        "code": finding.code,
        "name": finding.fault.name,
        "rule": plain(finding.rule),
        "severity": finding.severity,
        "level": finding.level,
        "message": safe(finding.message, MESSAGE),
        "deal": finding.deal,
        "trick": finding.trick,
        "seat": plain(finding.seat),
        "pointer": plain(finding.pointer),
        "path": where.path,
        "line": where.line or None,
        "column": where.column or None,
        "facts": plain(finding.facts),
        "readings": plain(finding.readings),
        "because": finding.because and {"code": finding.because[0], "pointer": plain(finding.because[1])},
        "near": [{"act": near.act, "cost": near.cost, "words": plain(near.words)} for near in finding.near],
        "unexplained": finding.unexplained,
    }


def deal(result: DealResult) -> dict[str, Any]:
    """A deal's result as plain data; null where it could not be worked out."""
    return {
        "number": result.number,
        "cards": result.cards,
        "dealer": plain(result.dealer),
        "trump": plain(result.order),
        "bids": plain(result.bids),
        "winners": plain([trick.winner for trick in result.played]),
        "tricks": plain(result.tricks),
        "lines": plain(result.lines),
        "scores": plain(result.scores),
        "penalties": plain(result.penalties),
        "totals": plain(result.totals),
        "notes": plain(result.notes),
        "carried": plain(result.carried),
        **({"sides": plain({side: each._asdict() for side, each in result.sides.items()})} if result.sides else {}),
        **({"stakes": plain(result.stakes)} if result.stakes else {}),
    }


def counts(tally: Tally) -> dict[str, Any]:
    """The count as plain data."""
    return {
        "records": tally.records,
        "deals": tally.deals,
        "clean": tally.clean,
        "silenced": tally.silenced,
        "left_out": tally.left_out,
        "settings": plain(tally.settings),
        "errors": tally.found["error"],
        "warnings": tally.found["warning"],
        "notes": tally.found["info"],
        "not_checkable": dict(tally.unchecked),
    }


#: What becomes a list, and what an object: nearly all are of the first kind of each, which is known sooner. Written in the
#: function, as a union, they would be put together anew for each value.
_LISTS, _OBJECTS = (list, tuple), (dict, Mapping)


def plain(value: Any) -> Any:
    """Any value as JSON has it, its texts made safe."""
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, str):
        return safe(value, PLACE)
    if isinstance(value, _LISTS):
        return [plain(item) for item in value]
    if isinstance(value, _OBJECTS):
        return {safe(key): plain(item) for key, item in value.items()}
    return safe(value, PLACE)
