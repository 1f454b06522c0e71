"""How the faults of a record may be mended: what explains them, as edits of the record with their proof.

What is wrong with one deal is explained by the search (`handrec.explanations.search`), part by part. A deed of a player happened:
it is never mended, and slips that would explain it too are told as guesses. What is wrong across deals, and numbers of a sheet
that nothing else tells, are tried one by one (`numbers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from operator import itemgetter
from typing import Literal

from handrec.explanations.acts import ACTS, NUMBERS
from handrec.explanations.costs import IRREGULAR, key_of
from handrec.explanations.decided import Examined, less_decided
from handrec.explanations.parts import CLEARLY, DEAR, Explanation, Part
from handrec.explanations.search import BUDGET, explained
from handrec.explanations.tried import WHOLE
from handrec.explanations.written import WrittenDeal
from handrec.findings import Finding
from handrec.game import Game
from handrec.judging import Judge
from handrec.record import Deal, Record
from handrec.repair.derive import Derived, derived
from handrec.repair.edits import ABSENT, PROOFS, Edit, ProofKind, applied, between, joined, plain
from handrec.repair.numbers import numbered
from handrec.repair.options import Misstated, misstated, rewritten
from handrec.repair.trials import Trials

#: How many ways to mend a record are told at most, and how many guesses for what belongs together.
MOST = 100
GUESSES = 5

#: So many faulty deals of a record are searched to their end each; more of them share what that may cost.
WHOLE_DEALS = 6

#: What stands between slips in words.
SEVERAL = "; "

#: How likely one is against another.
Likely = Literal["likelier", "as likely", "less likely"]

#: Findings that somebody did something against a rule.
DEEDS = (*IRREGULAR, "BID", "CLM")

Edits = tuple[Edit, ...]


@dataclass(frozen=True)
class RepairGroup:
    """Faults that are mended together (`deal` counts from 0; None: of the game), and the ways to do it, likeliest first.

    `cut_short` if the search ended before everything was tried; then nothing is said to be the only one. `deed` is how likely it
    is that it happened as it is written, against the likeliest slip, if that is worth telling.
    """

    deal: int | None
    findings: tuple[Finding, ...]
    ways: tuple[Edits, ...]
    cut_short: bool = False
    deed: Likely | None = None

    @property
    def sure(self) -> Edits | None:
        """The way that is written: the only one there is; None if there is none, or several."""
        return self.ways[0] if _sure(self.ways) else None


def _sure(ways: Sequence[Edits]) -> bool:
    """Whether the first of some ways is proved."""
    return bool(ways) and ways[0][0].proof != "guess"


@dataclass(frozen=True)
class Repairs:
    """What follows from the rest of the record; the faults that no such edit mends, and why; and how to mend those."""

    derived: Edits
    doubts: tuple[Finding, ...]
    groups: tuple[RepairGroup, ...]

    @property
    def sure(self) -> Edits:
        """All that is proved, one edit after the other; of what does not go together the first."""
        edits: Edits = ()
        for group in self.groups:
            edits = joined(edits, group.sure or ()) or edits
        return self.derived + edits


def legal(record: Record, game: Game, budget: int = BUDGET) -> tuple[Edits, ...]:
    """Sets of edits that leave the record without findings, best proof first.

    [()] as a tuple if nothing need change; empty if none was found. What follows from the rest of the record is in each. The
    options stay as they are.
    """
    found = repairs(record, game, budget)
    of_deals = [[way for way in group.ways if not way[0].pointer.startswith("/options")] for group in found.groups]
    chosen = (_together(ways) for ways in product(*of_deals))
    whole = (found.derived + edits for edits in chosen if edits is not None)
    sets = (edits + following(record, game, edits) for edits in whole)
    clean = (edits for edits in islice(sets, MOST) if Judge(lambda key: game).verdict(applied(record, edits)).ok)
    return tuple(sorted(clean, key=lambda edits: max((PROOFS.index(edit.proof) for edit in edits), default=0)))


def _together(ways: Iterable[Edits]) -> Edits | None:
    edits: Edits | None = ()
    for way in ways:
        edits = None if edits is None else joined(edits, way)
    return edits


def following(record: Record, game: Game, edits: Edits) -> Edits:
    """What follows from the rest of a record when edits are made, and from none of them alone."""
    return derivable(applied(record, edits), game)


def derivable(record: Record, game: Game) -> Edits:
    """The edits of claimed values that follow from the rest of the record; never of a card, a hand, a bid or an event."""
    return safe_repairs(record, game).derived


def safe_repairs(record: Record, game: Game) -> Repairs:
    """What follows from the rest of a record; or the options that explain it too, if these are as likely misstated."""
    examined = Judge(lambda key: game).examined(record)
    first = derived(record, game, examined[0])
    several = sum("/claimed" in finding.pointer for finding in examined[0].faults) > 1  # one slip is likelier than an option
    options = rewritten(misstated(record, game, examined), first.edits) if several else []
    if not options:
        return Repairs(first.edits, first.doubts, ())
    most = max(options, key=lambda each: len(each.gone))
    found = tuple(finding for finding in examined[0].faults if key_of(finding) in most.gone)
    guesses = tuple(each.edits(found) for each in _explaining(options, found, 0))
    return Repairs((), first.doubts, (RepairGroup(found[0].deal_index, found, guesses[:GUESSES]),))


def repairs(record: Record, game: Game, budget: int = BUDGET) -> Repairs:
    """What can be mended in a record: what is derivable, and for what is still at fault the likeliest edits.

    `budget` is how many candidates of a deal are judged at most; those of very many faulty deals are judged by their share, and
    so are the edits that undo them.
    """
    judge = Judge(lambda key: game)
    examined = judge.examined(record)
    first = derived(record, game, examined[0])
    options = [*misstated(record, game, examined)]  # of what is written, for what follows from the rest follows from these too
    if rewritten(options, first.edits):
        first = Derived((), first.doubts)
    if first.edits:
        record = applied(record, first.edits)
        examined = judge.examined(record)
    verdict, tables = examined
    groups = list[RepairGroup]()
    faulty = sorted({finding.deal_index for finding in verdict.faults if finding.deal_index is not None})
    explicable, share, trials = set[Finding](), budget * WHOLE_DEALS // max(WHOLE_DEALS, len(faulty)), Trials(len(record.deals))
    for index in faulty if verdict.deals else ():
        for part in explained(record, game, index, verdict, tables, share):
            group = _group(record, game, index, part, examined, options, trials)
            if group is not None:
                groups.append(group)
                explicable |= {*part.findings}
    rest = [finding for finding in verdict.faults if finding not in explicable]
    of_numbers = list[RepairGroup]()
    for deal, mine, ways in numbered(record, game, verdict, rest, trials):
        explaining = [each.edits(mine) for each in _explaining(options, mine, ACTS["sheet"].cost)]
        guesses = tuple([*(tuple(replace(edit, proof="guess") for edit in way) for way in ways), *explaining][:GUESSES])
        told = guesses if explaining else ways
        of_numbers.append(RepairGroup(deal, mine, told, not trials.left and not _sure(told)))
    return Repairs(first.edits, first.doubts, (*_with_numbers(record, judge, groups, of_numbers, trials),))


def _with_numbers(
    record: Record, judge: Judge, groups: Iterable[RepairGroup], of_numbers: Sequence[RepairGroup], trials: Trials
) -> Iterator[RepairGroup]:
    """All groups; numbers that no edit of theirs mends belong to what they are right with, once that is mended."""
    unmended = [group for group in of_numbers if not group.ways]
    for group in groups:
        for way in trials.of(group.ways[:1] if unmended else ()):
            left = {key_of(finding) for finding in judge.verdict(applied(record, way)).faults}
            for numbers in [each for each in unmended if left.isdisjoint(map(key_of, each.findings))]:
                group = replace(group, findings=(*group.findings, *numbers.findings))
                unmended.remove(numbers)
        yield group
    yield from (group for group in of_numbers if group.ways or group in unmended)


def _group(
    record: Record, game: Game, index: int, part: Part, examined: Examined, options: Sequence[Misstated], trials: Trials
) -> RepairGroup | None:
    """A part of a deal with the ways to mend it, options that explain it among them; None if it is numbers alone."""
    best = part.best
    if any(not each.slips for each in best) and all(each.code.startswith(NUMBERS) for each in part.findings):
        return None
    explaining = _explaining(options, part.findings, best[0].cost if best else 0)
    sure = None if explaining else part.only
    proof: ProofKind = "only" if sure else "guess"
    near = [sure] if sure else [each for each in part.explanations if each.cost < best[0].cost + CLEARLY]
    own = [{finding.event_index} for finding in part.findings]
    held = bool(record.deals[index].hands)
    near.sort(key=lambda each: (each.cost, not (held and _whole(each)), _changed(record.deals[index], each) not in own))
    ways = [(each.cost, partial(each.edits, part.findings)) for each in explaining]
    undone = partial(_edits, record, game, index, part=part, proof=proof, examined=examined, options=options)
    ways += [(each.cost, partial(undone, each)) for each in near if each.slips]
    found = (edits() for _, edits in trials.of(sorted(ways, key=itemgetter(0))))
    told = tuple(islice(filter(None, found), GUESSES))
    return RepairGroup(index, part.findings, told, not part.settled or (not trials.left and not _sure(told)), _deed(part, near))


def _explaining(options: Iterable[Misstated], findings: Sequence[Finding], best: int) -> list[Misstated]:
    """The options that explain findings too, and are not clearly dearer than what else does, which is 0 where nothing does.

    Of those as likely the first explains most.
    """
    keys = {key_of(finding) for finding in findings}
    found = [each for each in options if each.gone >= keys and each.cost < (best or DEAR) + CLEARLY]
    return sorted(found, key=lambda each: (each.cost, -len(each.gone)))


def _whole(found: Explanation) -> bool:
    """Whether whole rows or hands are put right: where hands tell whose cards are, of guesses as likely the first."""
    return any(slip.act.key in WHOLE for slip in found.slips)


def _changed(deal: Deal, found: Explanation) -> set[int | None]:
    """The places of events that an explanation says were otherwise; None for those that are put in."""
    kept = {place: event for place, event in zip(found.origin, found.deal.events, strict=True) if place is not None}
    changed = {place for place, event in enumerate(deal.events) if kept.get(place) != event}
    return {*changed, None} if None in found.origin else {*changed}


def _deed(part: Part, near: Sequence[Explanation]) -> Likely | None:
    """How likely it is that what is found happened as it is written; None if it is no deed, or a slip is much likelier."""
    deed = next((each.cost for each in near if not each.slips), None)
    if deed is None or not any(finding.code.startswith(DEEDS) for finding in part.findings):
        return None
    slip = min((each.cost for each in near if each.slips), default=deed + 1)
    return "likelier" if deed < slip else "less likely" if deed > slip else "as likely"


def _edits(
    record: Record,
    game: Game,
    index: int,
    found: Explanation,
    part: Part,
    proof: ProofKind,
    examined: Examined,
    options: Sequence[Misstated],
) -> Edits:
    """The edits that undo slips, and what then follows from the rest of the record; none if less could be decided of it then."""
    words, code = SEVERAL.join(slip.words for slip in found.slips), part.findings[0].code
    written = WrittenDeal(record.deals[index], examined[1][index], list(part.findings))
    changes = [*between(plain(record)["deals"][index], found.deal, found.origin)]
    edits = tuple(
        replace(edit, pointer=f"/deals/{index}{edit.pointer}", proof=proof, code=code, why=words, place=place)
        for edit, place in zip(changes, _places(changes, written), strict=True)
    )
    mended = applied(record, edits)
    after = Judge(lambda key: game).examined(mended)
    if less_decided(examined, after):
        return ()
    following = derived(mended, game, after[0]).edits
    return edits if rewritten(options, following) else (*edits, *following)


def _places(edits: Sequence[Edit], written: WrittenDeal) -> Iterator[str]:
    """The places of edits of a deal, made one after the other, as card players say them: "deal 7, trick 5, E"."""
    deal, events = f"deal {written.table.number}", written.deal.events
    there = list(range(len(events)))  # what stood at each place of the record, or, for what is put in, stands behind it
    for edit in edits:
        what, *rest = edit.pointer.split("/")[1:]
        if what != "events":
            yield f"{deal}, {'hand of ' if what == 'hands' else ''}{' of '.join(rest[:1]) or what}"
            continue
        place = int(rest[0])
        if edit.before is ABSENT:
            there.insert(place, there[place] if place < len(there) else len(events))
        trick = _trick(written, there[place])
        event = edit.after if edit.before is ABSENT else vars(events[there[place]])
        parts = [deal, f"trick {trick}" if event["do"] == "play" else "", _seat(event.get("by") or "")]
        yield ", ".join(filter(None, parts))
        if edit.after is ABSENT:
            del there[place]


def _seat(name: str) -> str:
    return f"seat {name}" if name.isdigit() else name


def _trick(written: WrittenDeal, place: int) -> int:
    """The trick of the first play from a place on; the last where there is none."""
    return next(
        (written.trick(each) for each in written.plays if each.place >= place), written.tricks[-1] if written.plays else 1
    )
