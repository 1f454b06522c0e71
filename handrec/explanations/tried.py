"""Slips that can be read off a faulty deal, each tried by the referee: what goes away with it, and what comes to light."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from handrec.explanations import auctions, calls, cards, hands, rows
from handrec.explanations.acts import ACTS, NUMBERS, STATED, price
from handrec.explanations.costs import CHEAP, IMPOSSIBLE, FindingKey, costs, explicable, irregular, key_of, least, not_held, own
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding
from handrec.game import Table

#: So many slips of a deal are tried by another replay of it.
TRIES = 3

#: Where so many times as many findings go away with whole rows or hands as come to light, no single card is tried first.
MUCH = 4

#: What another slip may bring to light: deeds in rows and hands that could not be judged as they are written.
WHOLE = ("rows", "turned", "hands", "suit", "suits", "hand", "call")

#: Judges a deal, with a trace of its plays if wanted.
DealJudge = Callable[..., Table]

#: Who looks for slips in a deal, in the order in which equal costs are tried.
LOOKERS: tuple[Callable[[WrittenDeal], Iterator[Slip]], ...] = (
    calls.miswritten,
    auctions.single,
    auctions.misnumbered,
    hands.turned_for_the_sheet,
    rows.exchanged,
    rows.lost_row,
    rows.turned,
    auctions.misdealt,
    hands.turned_up,
    rows.slid,
    rows.short,
    hands.misplaced,
    hands.traded,
    hands.aside_too,
    hands.turned_otherwise,
    hands.passed_by_another,
    hands.single,
    hands.passed_on,
    rows.misnamed,
    cards.doubled,
    cards.lost,
    cards.exchanged,
    cards.own_exchanged,
    cards.miswritten,
    rows.led_by_another,
    cards.exchanged_unseen,
    rows.reversed_unseen,
    rows.out_of_order,
)

#: Who of them finds what explains all that is wrong in many rows, however dear it is.
AT_ONCE = (hands.turned_for_the_sheet, rows.exchanged)


@dataclass
class Tried:
    """A slip that was tried: the findings that go away with it, and those that come to light.

    It is told `late`, if nothing else explains as much, where what comes to light seems to be another slip. `instead` are the
    findings that there are if, of two places that contradict each other, the slip is in the other.
    """

    slip: Slip
    gone: dict[FindingKey, Finding]
    come: list[Finding]
    instead: list[Finding] = field(default_factory=list)
    late: bool = False

    def worth(self, written: WrittenDeal) -> int:
        """What the findings that go away cost as they stand."""
        return sum(costs(written, [*self.gone.values(), *self.instead]))


def slips_of(
    written: WrittenDeal, judge: DealJudge, barred: Callable[[Slip], bool], told: Iterable[str] = ()
) -> tuple[list[Tried], list[Tried]]:
    """The slips that are told of a deal, none where others are `told`, and those that explain no more than what they cost."""
    mine = written.findings
    accepted, beside, late = list[Tried](), list[Tried](), list[Tried]()
    left, tries, explained = {key_of(finding): finding for finding in mine}, TRIES, {*told}

    def accept(result: Tried) -> None:
        nonlocal left
        accepted.append(result)
        explained.update(spot_of(mark.pointer) for mark in result.slip.marks)
        explained.update(spot_of("/" + finding.pointer.split("/", 3)[-1]) for finding in result.gone.values())
        left = {key: finding for key, finding in left.items() if key not in result.gone}
        written.findings = list(left.values())

    def elsewhere(slip: Slip) -> bool:
        """Whether no other slip explains what is where this one would be."""
        return not any(spot_of(mark.pointer) in explained for mark in slip.marks)

    def accept_late(some: Collection[Tried]) -> None:
        for result in sorted(some, key=lambda each: least(written, each.come) - least(written, each.gone.values())):
            late.remove(result)
            if elsewhere(result.slip) and result.gone.keys() <= left.keys():
                accept(result)

    for slip in _candidates(written):
        if late and slip.act.key not in WHOLE:
            accept_late([one for one in late if one.slip.act.key in WHOLE and len(one.gone) > MUCH * len(one.come)])
        if not elsewhere(slip):
            continue
        if not tries:
            break
        result, tries = _try(written, mine, slip, judge), tries - 1
        if result is None or not result.gone.keys() <= left.keys() or barred(slip):
            continue
        if not _likelier(result, written):
            beside.append(result)
            continue
        if result.late:
            late.append(result)
            continue
        if slip.twin and (twin := _try(written, mine, slip.twin, judge)) and twin.gone.keys() >= result.gone.keys():
            result.slip = slip.told_with([*slip.others, (slip.twin.act, slip.twin.words)])
        accept(result)
        if not any(map(explicable, left.values())):
            break
    accept_late(late)
    return accepted, beside


def _candidates(written: WrittenDeal) -> Iterator[Slip]:
    """The slips to be tried, the cheapest first; the dear ones are put off, so that nobody looks further than needed.

    Not so what explains very much at once: of that what is cheaper would explain a part.
    """
    dear: list[Slip] = []
    for look in LOOKERS:
        for slip in look(written):
            if look not in AT_ONCE and price(slip.act.key, written.kind) > CHEAP:
                dear.append(slip)
            else:
                yield slip
    yield from sorted(dear, key=lambda slip: price(slip.act.key, written.kind))


def _try(written: WrittenDeal, mine: list[Finding], slip: Slip, judge: DealJudge) -> Tried | None:
    """What becomes of the findings of a deal if a slip is undone; None if that explains nothing, or makes things worse."""
    table = judge(slip.undone(written.deal))
    before, known = {key_of(finding): finding for finding in mine if own(finding)}, {*map(key_of, mine)}
    after: dict[FindingKey, Finding] = {}
    for finding in table.findings:
        where = in_record(slip, finding.pointer)
        told = finding if where == finding.pointer else finding._replace(pointer=where)
        after[key_of(told)] = told
    come = [finding for key, finding in after.items() if key not in known]
    gone = {key: finding for key, finding in before.items() if key not in after}
    further = written.table.stopped and not table.stopped  # then more is looked at of which something cannot be judged
    weaker = (table.stopped and not written.table.stopped) or (len(table.unjudged) > len(written.table.unjudged) and not further)
    if weaker or not any(map(explicable, gone.values())):
        return None
    light = not come or (slip.act.key in WHOLE and len(come) < len(gone) and _comes_to_light(come, gone.values()))
    counted = table.counted and not written.table.counted and all(each.code.startswith(NUMBERS) for each in come)
    if not light and not _of_another(written, slip, gone.values(), come, counted):
        return None
    return Tried(slip, gone, come, _instead(written, gone, known, judge), late=not light)


def _of_another(written: WrittenDeal, slip: Slip, gone: Collection[Finding], come: Sequence[Finding], counted: bool) -> bool:
    """Whether what comes to light may be of another slip: something impossible goes away, and all is explained for no more.

    Numbers that could not be checked before, and are now that the tricks are `counted`, are wrong whatever the slip is.
    """
    less = least(written, gone) >= price(slip.act.key, written.kind) + least(written, come)
    return any(each.code.startswith(IMPOSSIBLE) for each in gone) and (counted or less)


def _instead(written: WrittenDeal, gone: dict[FindingKey, Finding], known: set[FindingKey], judge: DealJudge) -> list[Finding]:
    """What is found besides if a line that contradicts the rest is wrong: with what is due there."""
    lines = [finding for finding in gone.values() if finding.code in STATED and "due" in finding.facts]
    deal = written.deal
    for finding in lines:
        *_, field = finding.pointer.split("/")
        if finding.event_index is None:
            deal = deal.model_copy(update={field: finding.facts["due"]})
        elif field in ("by", "bid"):
            events = [*deal.events]
            events[finding.event_index] = events[finding.event_index].model_copy(update={field: finding.facts["due"]})
            deal = deal.model_copy(update={"events": events})
    return [finding for finding in judge(deal).findings if key_of(finding) not in known] if lines else []


def _comes_to_light(come: Sequence[Finding], gone: Collection[Finding]) -> bool:
    """Whether what is found anew could not be judged before: deeds, and a wrong winner of a row that nobody can have played."""
    numbers = sum(finding.code == "TRK001" for finding in come)
    if not all(irregular(finding) or finding.code == "TRK001" for finding in come) or numbers > 1:
        return False
    return not numbers or sum(finding.code in IMPOSSIBLE for finding in gone) > 2 * len(come)


def in_record(slip: Slip, pointer: str) -> str:
    """A pointer into the undone deal as one into the record."""
    _, _, index, *rest = pointer.split("/", 3)
    return f"/deals/{index}" + (slip.pointer_was("/" + rest[0]) if rest else "")


def spot_of(pointer: str) -> str:
    """The play or the hand that a pointer within a deal leads to."""
    return "/".join(pointer.split("/")[:3])


def _likelier(one: Tried, written: WrittenDeal) -> bool:
    """Whether a slip is told for what it explains: nothing else does, or several players at fault, or calls."""
    if any(finding.code.startswith(IMPOSSIBLE) or not_held(written, finding) for finding in one.gone.values()):
        return True
    several = len({finding.seat for finding in one.gone.values() if irregular(finding)}) > 1
    worth, cost = one.worth(written), price(one.slip.act.key, written.kind)
    if any(finding.code in STATED for finding in one.gone.values()):  # a slip in any case, and nobody is accused
        return worth > cost
    return worth >= cost + 2 and (several or one.slip.act is ACTS["call"])
