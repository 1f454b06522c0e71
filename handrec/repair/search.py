"""The smallest edits that make a record legal: every single mistake undone and refereed, then two together.

Faults of different deals are mended apart. A set of edits is good if the referee finds nothing wrong where it did before,
and nothing new anywhere; remarks aside. The search ends when its budget is spent, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from handrec.findings import Finding, Verdict
from handrec.game import Game, compose
from handrec.record import Record
from handrec.referee import check, replay
from handrec.referee.form import check_seats
from handrec.repair.acts import Data, EditSet, FaultyDeal, acts, misfit
from handrec.repair.derive import derived
from handrec.repair.edits import PROOFS, Edit, applied, plain

#: How many deals the referee may be asked about for the faults of one deal, for one edit and again for two.
BUDGET = 4000
#: How many mistakes are undone for each deal that the referee may be asked about; most are seen to be none of the kind.
TRIALS = 4
#: How many deals with one mistake undone, and not yet right, a second one is looked for in.
BEAM = 6
#: How many ways to mend a record are told at most.
MOST = 100

Edits = tuple[Edit, ...]


@dataclass(frozen=True)
class RepairGroup:
    """The faults of one deal (`deal` counts from 0; None: of the game), and the smallest sets of edits that mend them.

    `cut_short` if the search ended before everything was tried; then nothing is said to be the only one.
    """

    deal: int | None
    findings: tuple[Finding, ...]
    ways: tuple[Edits, ...]
    cut_short: bool = False

    @property
    def sure(self) -> Edits | None:
        """The only smallest set of edits; None if there is none, or several."""
        return self.ways[0] if len(self.ways) == 1 and self.ways[0][0].proof in ("forced", "only") else None


@dataclass(frozen=True)
class Repairs:
    """What follows from the rest of the record; the faults that no such edit mends, and why; and how to mend those."""

    derived: Edits
    doubts: tuple[Finding, ...]
    groups: tuple[RepairGroup, ...]


def legal(record: Record, game: Game, budget: int = BUDGET) -> tuple[Edits, ...]:
    """The smallest sets of edits that leave the record without findings, best proof first.

    [()] as a tuple if nothing need change; empty if none was found. What follows from the rest of the record is in each.
    """
    found = repairs(record, game, budget)
    sets = (found.derived + sum(ways, ()) for ways in product(*(group.ways for group in found.groups)))
    return tuple(sorted(islice(sets, MOST), key=lambda edits: max((PROOFS.index(edit.proof) for edit in edits), default=0)))


def repairs(record: Record, game: Game, budget: int = BUDGET) -> Repairs:
    """What can be mended in a record: what is derivable, and for each deal still at fault the smallest edits."""
    verdict = check(record, lambda key: game)
    first = derived(record, game, verdict)
    if first.edits:
        record = applied(record, first.edits)
        verdict = check(record, lambda key: game)
    by_deal: dict[int | None, list[Finding]] = {}
    for finding in verdict.faults:
        by_deal.setdefault(_index(finding), []).append(finding)
    groups = [_Search(record, game, verdict, deal, tuple(found), budget).group() for deal, found in by_deal.items()]
    return Repairs(first.edits, first.doubts, tuple(groups))


def _index(finding: Finding) -> int | None:
    parts = finding.pointer.split("/")
    return int(parts[2]) if parts[1:2] == ["deals"] and finding.deal is not None else None


def _key(finding: Finding) -> tuple[str, str, str | None]:
    return finding.code, finding.pointer, finding.seat


class _Search:
    """The search for what mends one deal, or the game's own claims."""

    def __init__(
        self, record: Record, game: Game, verdict: Verdict, deal: int | None, findings: tuple[Finding, ...], budget: int
    ) -> None:
        self.record, self.game, self.index, self.findings, self.budget = record, game, deal, findings, budget
        self.composed = compose(game, record.options)[0]
        self.data, self.seats = plain(record), tuple(player.seat for player in record.players)
        self.prefix = "" if deal is None else f"/deals/{deal}"
        self.others = {_key(finding) for finding in verdict.faults} - {_key(finding) for finding in findings}
        self.part: Data = self.data if deal is None else self.data["deals"][deal]
        self.size = verdict.deals[deal].cards if deal is not None and verdict.deals else 0
        self.spent, self.tried, self.cut_short = 0, 0, False
        self.found = {_key(self._moved(finding)) for finding in findings}
        self.asked = (
            [self._full] if deal is None else [ask for ask in (self._replayed, self._alone) if self._tells(ask)] + [self._full]
        )
        self.before = [len(ask(self.part)) for ask in self.asked]

    def group(self) -> RepairGroup:
        """The faults, with the smallest sets of edits that mend them."""
        ways = self._ways()
        sure = len(ways) == 1 and not self.cut_short
        proved = []
        for act in ways:
            proof = "guess" if not sure else "forced" if act.forced else "only"
            proved.append(tuple(self._proved(edit, proof) for edit in act.edits))
        return RepairGroup(self.index, self.findings, tuple(proved), self.cut_short)

    def _proved(self, edit: Edit, proof: Any) -> Edit:
        number = "game" if self.index is None else f"deal {self.record.deals[self.index].number or self.index + 1}"
        pointer = self.prefix + edit.pointer
        return replace(edit, pointer=pointer, proof=proof, code=self.findings[0].code, place=number + _words(edit.pointer))

    def _ways(self) -> list[EditSet]:
        found: list[EditSet] = []
        steps: list[tuple[tuple[int, int], EditSet, Data]] = []
        misfits = self._misfit(self.part)
        scene = FaultyDeal(self.part, self.composed, self.seats, self.size, self._here(self.findings))
        for act, deal in self._tried([EditSet(())], [scene]):
            wrong = self._misfit(deal)
            asked, faults = self._refereed(deal) if wrong == 0 else (0, ())
            if wrong == 0 and not faults:
                self._keep(found, act, deal)
            elif 0 < wrong < misfits or (wrong == 0 and (any(self.before[:asked]) or len(faults) < self.before[asked])):
                steps.append(((wrong, len(faults)), act, deal))
        if found or self.index is None:
            return found
        self.spent = self.tried = 0
        best = sorted(steps, key=lambda step: step[0])[:BEAM]
        here = [self._here(self._refereed(deal)[1]) for _, _, deal in best]
        scenes = [
            FaultyDeal(deal, self.composed, self.seats, self.size, faults)
            for (_, _, deal), faults in zip(best, here, strict=True)
        ]
        for act, deal in self._tried([act for _, act, _ in best], scenes):
            if self._misfit(deal) == 0 and not self._refereed(deal)[1]:
                self._keep(found, act, deal)
        self.cut_short = self.cut_short or len(steps) > BEAM
        return found

    def _tried(self, befores: Sequence[EditSet], scenes: Sequence[FaultyDeal]) -> Iterator[tuple[EditSet, Data]]:
        """Every act on a scene, after the act that led to it, and the deal that comes of both; until the budget is spent."""
        for before, scene in zip(befores, scenes, strict=True):
            for act in acts(scene):
                self.tried += 1
                if self.spent >= self.budget or self.tried > TRIALS * self.budget:
                    self.cut_short = True
                    return
                yield EditSet(before.edits + act.edits, act.forced and not before.edits), applied(scene.deal, act.edits)

    def _keep(self, found: list[EditSet], act: EditSet, deal: Data) -> None:
        """Keep an act, unless another that is kept leads to the same deal."""
        same = [place for place, other in enumerate(found) if applied(self.part, other.edits) == deal]
        if not same:
            found.append(act)
        elif act.forced:
            found[same[0]] = act

    def _misfit(self, deal: Data) -> int:
        return 0 if self.index is None else misfit(deal, self.composed, self.seats, self.size)

    def _tells(self, ask: Any) -> bool:
        """Whether asking about the deal alone shows something of what is wrong with it, and nothing else."""
        told = {_key(finding) for finding in ask(self.part)}
        return bool(told) and told <= self.found

    def _refereed(self, deal: Data) -> tuple[int, tuple[Finding, ...]]:
        """What the referee still finds wrong, asked in quick ways first; and in which of them it was found."""
        for asked, ask in enumerate(self.asked):
            faults = ask(deal)
            if faults:
                return asked, faults
        return len(self.asked) - 1, ()

    def _one(self, deal: Data) -> Record:
        """A record of the deal alone."""
        assert self.index is not None
        stated = {"number": self.record.deals[self.index].number or self.index + 1, **deal}
        head = {key: value for key, value in self.data.items() if key != "claimed"}
        return Record.model_validate({**head, "status": "excerpt", "deals": [stated]})

    def _replayed(self, deal: Data) -> tuple[Finding, ...]:
        """What the replay of the deal finds, without any score."""
        self.spent += 1
        if check_seats(one := self._one(deal), self.composed):
            return ()
        return tuple(finding for finding in replay(one, self.composed)[0].findings if finding.severity != "info")

    def _alone(self, deal: Data) -> tuple[Finding, ...]:
        """What the referee finds wrong with the deal alone; not asked where what came before is a matter of the score."""
        if self.composed.carries:
            return ()
        self.spent += 1
        return check(self._one(deal), lambda key: self.game).faults

    def _full(self, deal: Data) -> tuple[Finding, ...]:
        self.spent += len(self.record.deals)
        data = deal
        if self.index is not None:
            deals = list(self.data["deals"])
            deals[self.index] = deal
            data = {**self.data, "deals": deals}
        verdict = check(Record.model_validate(data), lambda key: self.game)
        return tuple(finding for finding in verdict.faults if _key(finding) not in self.others)

    def _moved(self, finding: Finding) -> Finding:
        """A finding of the whole record as it stands in a record of its deal alone."""
        return replace(finding, pointer=finding.pointer.replace(self.prefix, "/deals/0", 1))

    def _here(self, findings: Sequence[Finding]) -> tuple[tuple[str, Finding], ...]:
        """Findings of the whole record, or of the deal alone, with pointers that begin at the deal."""
        if self.index is None:
            return tuple((finding.pointer, finding) for finding in findings)
        return tuple(("".join(f"/{step}" for step in finding.pointer.split("/")[3:]), finding) for finding in findings)


def _words(pointer: str) -> str:
    """The place of an edit in a deal, in words."""
    parts = pointer.split("/")[1:]
    if parts[0] == "events":
        return f", event {int(parts[1]) + 1}"
    kind = {"claimed": "", "hands": "hand of ", "aside": ""}.get(parts[0], parts[0])
    return f", {kind}" + " of ".join(parts[1:3] if parts[0] == "claimed" else parts[1:2])
