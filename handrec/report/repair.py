"""Repairs: what was recorded against what should stand there, as a diff; and the ways to mend what is left."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from handrec.repair import ABSENT, DEEDS, SEVERAL, Edit, RepairGroup
from handrec.report.checked import NEAREST, Checked, name
from handrec.report.layout import CYAN, GREEN, RED, counted, painted
from handrec.report.safe import MESSAGE, PLACE, safe

_COLOURS = {"-": RED, "+": GREEN, "@": CYAN}
_PROOFS = {
    "derived": "follows from the rest of the record",
    "only": "the only repair as small",
    "guess": "a guess",
}

#: What slips are worth where somebody did something, by how likely that is.
_SLIPS = {
    "likelier": "would explain it too, but is less likely",
    "as likely": "would explain it: cannot be told",
    "less likely": "would explain it, and is likelier",
}


def lines(one: Checked, colour: bool = False) -> Iterator[str]:
    """The edits made, or that would be made, as a diff with a hunk each; nothing if there are none."""
    if one.edits:
        for line in (f"--- {safe(one.path, PLACE)}", f"+++ {name(one)}, as mended"):
            yield _painted(line, "", colour)
        yield from _hunks(one.edits, colour)


def left(one: Checked, colour: bool = False) -> Iterator[str]:
    """What was not derivable and why, and every way to mend the rest that was found, numbered."""
    if one.repairs is None:
        return
    path = safe(one.path, PLACE)
    where = name(one) if name(one).startswith(f"{path}#") else f"{path}: {name(one)}"
    for finding in one.repairs.doubts if any("/claimed" in f.pointer for f in one.verdict.findings) else ():
        yield f"{where}: not derived in full, because {finding.code} ({safe(finding.place) or 'game'}) leaves it open\n"
    for group in one.repairs.groups:
        if group.deed:
            yield f"{where}: {_as_written(group)}\n"
        for number, way in enumerate(group.ways, 1):
            if way != group.sure or not all(edit in one.edits for edit in way):
                what = f"repair {number} of {len(group.ways)} for {_found(group)}"
                yield f"{where}: {what}: {_PROOFS[way[0].proof]} ({safe(way[0].why, MESSAGE)})\n"
                yield from _hunks(way, colour)
        if not group.ways and not group.deed:
            yield f"{where}: no repair was found for {_found(group)}\n"
        if group.cut_short:
            yield f"{where}: the search for repairs of {_found(group)} was cut short; there may be others\n"


def _as_written(group: RepairGroup) -> str:
    """That somebody did something against a rule, and what slip would explain it as well, in words."""
    deeds = [finding for finding in group.findings if finding.code.startswith(DEEDS)]
    first, more = deeds[0], len(deeds) - 1
    what = first.facts.get("card") or first.seat or "somebody"
    said = f"{safe(first.place)}: as written, {safe(what)} breaks {safe(first.rule)}"
    said += f" (and {counted(more, 'finding')} more)" if more else ""
    if not group.ways:
        return f"{said}; no slip of the pen was found that is as likely, and it stays as it is"
    slips = [safe(way[0].why, MESSAGE) for way in group.ways]
    many = "slips" if SEVERAL in slips[0] else "one slip"
    return f"{said}; {many} ({' or '.join(slips[:NEAREST])}) {_SLIPS[group.deed or 'as likely']}"


def plain(one: Checked) -> dict[str, Any]:
    """Edits and repairs as plain data; an absent value has no key."""
    if one.repairs is None:
        return {}
    groups = [
        {
            "codes": sorted({finding.code for finding in group.findings}),
            "deal": group.findings[0].deal,
            "cut_short": group.cut_short,
            "deed": group.deed,
            "ways": [[edit_data(edit) for edit in way] for way in group.ways],
        }
        for group in one.repairs.groups
    ]
    doubts = [{"code": finding.code, "place": safe(finding.place)} for finding in one.repairs.doubts]
    return {"edits": [edit_data(edit) for edit in one.edits], "not_derived": doubts, "repairs": groups}


def edit_data(edit: Edit) -> dict[str, Any]:
    """An edit as plain data."""
    values = {key: value for key, value in (("before", edit.before), ("after", edit.after)) if value is not ABSENT}
    words = {"pointer": edit.pointer, "proof": edit.proof, "code": edit.code, "why": safe(edit.why, MESSAGE)}
    return {**values, **words, "place": safe(edit.place)}


def _found(group: RepairGroup) -> str:
    first = group.findings[0]
    more = f" and {len(group.findings) - 1} more" if len(group.findings) > 1 else ""
    return f"{first.code}{more}, {safe(first.place) or 'game'}"


def _hunks(edits: Sequence[Edit], colour: bool) -> Iterator[str]:
    """Edits as a diff: a hunk for each place, and why where that is proved and was not said just before."""
    why = ""
    for (place, code, proof), hunk in groupby(edits, lambda edit: (edit.place, edit.code, edit.proof)):
        together = [*hunk]
        new = together[0].why if proof == "only" and together[0].why != why else ""
        why = new or why
        yield _painted(f"@@ {safe(place)} @@ {code}, {proof}" + (f": {safe(new, MESSAGE)}" if new else ""), "@", colour)
        for sign, values in (("-", [edit.before for edit in together]), ("+", [edit.after for edit in together])):
            words = [_words(value) for value in values if value is not ABSENT]
            if words:
                yield _painted(sign + safe(" ".join(words), MESSAGE), sign, colour)


def _words(value: Any) -> str:
    if isinstance(value, dict) and value.keys() == {"do", "by", "card"} and value["do"] == "play":
        return f"{value['by']} {value['card']}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _painted(text: str, sign: str, colour: bool) -> str:
    return painted(text, _COLOURS.get(sign, 0), colour and sign != "") + "\n"
