"""An option that the heading misstates: each other value is tried on the whole record, and is never more than a guess."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from handrec.explanations.acts import ACTS, price
from handrec.explanations.costs import FindingKey, explicable, key_of
from handrec.explanations.decided import Examined, less_decided
from handrec.findings import Finding
from handrec.game import Game, compose
from handrec.judging import Judge
from handrec.record import Record
from handrec.repair.edits import ABSENT, Edit, applied, plain


class Misstated(NamedTuple):
    """An option with another value, what it costs to believe that, and what is found no more then."""

    edit: Edit
    cost: int
    gone: frozenset[FindingKey]

    def edits(self, findings: Sequence[Finding]) -> tuple[Edit, ...]:
        """The edit, as one that mends some findings."""
        return (replace(self.edit, code=findings[0].code),)


def misstated(record: Record, game: Game, examined: Examined) -> Iterator[Misstated]:
    """Each option value that explains something: nobody does what was not found before, and no less is decided.

    Numbers that are wrong then are slips of the sheet besides. What the option was not stated as is put in, never taken out.
    """
    judge, faults = Judge(lambda key: game), {key_of(finding): finding for finding in examined[0].faults}
    if not faults or not examined[0].deals:
        return
    stated, kind = plain(record).get("options"), record.provenance.kind if record.provenance else None
    for key, value in game.other_values(record.options, variants=True):
        if compose(game, {**record.options, key: value})[1]:
            continue
        before = record.options.get(key, ABSENT)
        words = f"the option {key} is {_word(value)}"
        edit = Edit(f"/options/{key}", before, value, "guess", "", words, "options")
        if stated is None:
            edit = Edit("/options", ABSENT, {key: value}, "guess", "", words, "options")
        after = judge.examined(applied(record, [edit]))
        left = {key_of(finding): finding for finding in after[0].faults}
        come = [finding for key, finding in left.items() if key not in faults]
        gone = frozenset(faults.keys() - left.keys())
        if gone and not any(map(explicable, come)) and not less_decided(examined, after):
            yield Misstated(edit, price("option", kind) + len(come), gone)


def rewritten(options: Iterable[Misstated], edits: Sequence[Edit]) -> list[Misstated]:
    """The options that explain numbers which edits would rewrite, and are no dearer than so many slips of the sheet."""
    pointers = {edit.pointer for edit in edits}
    pointers |= {pointer.rpartition("/")[0] for pointer in pointers}
    return [each for each in options if each.cost <= ACTS["sheet"].cost * sum(where in pointers for _, where, _ in each.gone)]


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
