"""A finding weighed: as it is written, what would explain it if the record is wrong, and where to look to tell these apart.

`Weighing(record, game).of(finding)` searches the finding's deal, once for all its findings, and compares what the finding costs
as it stands with the cheapest explanation without it. Where to look is read off the deals that the explanations come to: the
plays, calls and hands in which they differ, and the cards that would be left when the play ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

from handrec import referee
from handrec.explanations.acts import ACTS
from handrec.explanations.costs import IRREGULAR, FindingKey, deed_cost, key_of
from handrec.explanations.parts import Explanation, Part
from handrec.explanations.search import BUDGET, explained
from handrec.explanations.written import WrittenDeal
from handrec.findings import Finding, Verdict
from handrec.game import Game, Table, compose
from handrec.record import Bid, Deal, Play, Record

#: So many ways in which the record may be wrong are told.
MOST = 5

#: What is likelier: that it happened as it is written, that the record is wrong, neither; or that not all was tried.
Likelier = Literal["deed", "slip", "neither", "not known"]

#: A place, what it says, and what it would be.
Differing = tuple[str, str, str]


@dataclass(frozen=True)
class OtherAccount:
    """What happened if the record is wrong: the slips in words, where they stand, what they cost more than the finding.

    `cost` is None where nobody can have done what is written. `still` is what would be wrong all the same, or only then.
    """

    words: str
    places: tuple[str, ...]
    cost: int | None
    still: tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """A place that tells explanations apart: what it says, and what it would be by which of the other accounts, from 1."""

    at: str
    says: str
    instead: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def on_paper(self) -> bool:
        """Whether the record itself tells it, and not the cards that were left."""
        return LEFT not in self.at


@dataclass(frozen=True)
class Weighed:
    """A finding as it is written, the other accounts of it (best first), and where to look to tell them apart."""

    likelier: Likelier
    written: str
    slips: tuple[OtherAccount, ...]
    look: tuple[Look, ...]

    @property
    def words(self) -> str:
        """What to make of it, in a few words."""
        best = self.slips[0].words if self.slips else ""
        return {
            "deed": f"one slip of the pen would explain it: {best}" if best else "no slip of the pen is nearly as likely",
            "slip": f"a slip of the pen is likelier: {best}",
            "neither": f"one slip would explain it as well: {best}: cannot be told",
            "not known": "cut short: not every slip of the pen was tried",
        }[self.likelier]


class Weighing:
    """The findings of a record, each weighed when it is asked about. `game` is without options; `budget` is for each deal."""

    def __init__(self, record: Record, game: Game, budget: int = BUDGET) -> None:
        self.record, self.game, self.budget = record, game, budget
        self.parts: dict[int, list[Part]] = {}
        self.first: dict[int, Finding] = {}
        self.objected: set[FindingKey] = set()

    def object(self, finding: Finding) -> None:
        """Somebody objects to what was found: it costs what a deed costs that the record marks, and of equals it is the likelier.

        Whatever else is found with it is weighed as if it had happened.
        """
        self.objected.add(key_of(finding))

    def of(self, finding: Finding) -> Weighed | None:
        """A finding weighed; None if it is of no deal alone."""
        part, index = self.part(finding), finding.deal_index
        if part is None or index is None:
            return None
        written = WrittenDeal(self.record.deals[index], self.examined[1][index], [])
        key, objected = key_of(finding), key_of(finding) in self.objected
        less = deed_cost(written, finding) - ACTS["marked"].cost if objected else 0
        beside = [each for each in part.findings if key_of(each) in self.objected and key_of(each) != key]
        happened = {key_of(each) for each in beside}
        told = [each for each in part.explanations if happened <= {*map(key_of, each.left)}]
        stands = [each.cost - less for each in told if key in map(key_of, each.left)]
        others = [each for each in told if key not in map(key_of, each.left)][:MOST]
        cost = min(stands, default=None)
        found = [[*differences(written, each.deal, each.origin)] for each in others]
        accounts = (
            OtherAccount(
                "; ".join(slip.words for slip in each.slips),
                tuple(at for at, *_ in places if LEFT not in at),
                None if cost is None else each.cost - cost,
                tuple(sorted({left.message for left in each.left})),
            )
            for each, places in zip(others, found, strict=True)
        )
        message = f"{finding.message} ({finding.rule or finding.code})"
        tried = part.complete + sum(deed_cost(written, each) for each in beside)  # whatever slips cost, these come on top
        likelier = _likelier(tried, cost, others)
        if objected and likelier == "neither":
            likelier = "deed"
        return Weighed(likelier, message, tuple(accounts), tuple(_look(found)))

    def is_first(self, finding: Finding, weighed: Weighed) -> bool:
        """Whether nothing else was asked about before that the same slips would explain, which are likelier."""
        part = self.part(finding)
        return weighed.likelier != "slip" or part is None or self.first.setdefault(id(part), finding) == finding

    def part(self, finding: Finding) -> Part | None:
        """The part of its deal that a finding is explained with."""
        index = finding.deal_index
        if index is None:
            return None
        if index not in self.parts:
            self.parts[index] = explained(self.record, self.game, index, *self.examined, self.budget)
        return next((part for part in self.parts[index] if key_of(finding) in map(key_of, part.findings)), None)

    def of_deal(self, finding: Finding) -> list[Finding]:
        """All findings of a finding's deal."""
        return [each for each in self.examined[0].findings if each.deal_index == finding.deal_index]

    @cached_property
    def examined(self) -> tuple[Verdict, list[Table]]:
        """The referee's verdict, and the tables of the deals, which keep what they saw: whose a card is that has no name."""
        game = compose(self.game, self.record.options)[0]
        tables = referee.replay(self.record, game, trace=True)
        return referee.verdict(self.record, game, tables), tables


def is_deed(finding: Finding) -> bool:
    """Whether a finding, if it happened as it is written, is what somebody did against a rule."""
    return finding.severity == "error" and finding.code.startswith((*IRREGULAR, "BID"))


def _likelier(tried: int, cost: int | None, others: Sequence[Explanation]) -> Likelier:
    """What is likelier of a finding that costs so much as it stands (None: nobody did that), and of the others, best first.

    `tried` is up to which cost all others are known.
    """
    if others and (cost is None or others[0].cost < cost):
        return "slip"
    if cost is None or tried < cost:
        return "not known"
    return "neither" if others and others[0].cost == cost else "deed"


# --- where explanations differ --------------------------------------------------------------------------------------

#: In the name of a place that no record shows.
LEFT = "when the play ended"


def differences(written: WrittenDeal, deal: Deal, origin: Sequence[int | None]) -> Iterator[Differing]:
    """The places in which a deal is otherwise than as written.

    `origin` is where each of its events stands in the record, None for one that is put in.
    """
    for field in ("board", "dealer", "vulnerable", "leader"):
        if getattr(written.deal, field) != getattr(deal, field):
            yield f"the {field}", str(getattr(written.deal, field)), str(getattr(deal, field))
    yield from _events(written, deal, origin)
    yield from _sets(written.deal.hands, deal.hands, "{}'s hand")
    yield from _sets(written.deal.aside, deal.aside, "the {}")
    yield from _sets(_left(written, written.deal), _left(written, deal), "what was left {} " + LEFT)


def _events(written: WrittenDeal, deal: Deal, origin: Sequence[int | None]) -> Iterator[Differing]:
    """Plays and calls: one beside the other, or where there are more or fewer, those put in and those left out."""
    mine, theirs = written.deal.events, deal.events
    if len(mine) == len(theirs):
        for place, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            if _said(one) != _said(other):
                yield _otherwise(written, place, one, other)
        return
    for spot, event in enumerate(theirs):
        if origin[spot] is None:
            after = f"after {' '.join(_said(theirs[spot - 1])).strip()}" if spot else "first of all"
            yield f"whether there was one more: {' '.join(_said(event)).strip()}, {after}", "no", "yes"
    for place in sorted({*range(len(mine))} - {*origin}):
        yield f"{' '.join(_said(mine[place])).strip()}{_trick(written, place)}", "written down", "not there"


def _otherwise(written: WrittenDeal, place: int, one: Any, other: Any) -> Differing:
    """An event that is another: another card or call, another seat's, or both."""
    (by, what), (whose, instead), trick = _said(one), _said(other), _trick(written, place)
    if by == whose:
        kind = "card" if type(one) is Play else "call" if type(one) is Bid else one.do
        seat = by or next((written.seat(each.seat) for each in written.plays if each.place == place), "")
        return f"{seat}'s {kind}{trick}" if seat else f"the {kind}", what, instead
    if what == instead:
        return f"who {'played' if type(one) is Play else 'said'} {what}{trick}", by, whose
    spot = next((spot for cards in written.rows for spot, each in enumerate(cards, 1) if each.place == place), None)
    at = f"event {place + 1}" if spot is None else f"card {spot}{trick}"
    return at, f"{by} {what}".strip(), f"{whose} {instead}".strip()


def _said(event: Any) -> tuple[str, str]:
    """Whose an event is, and its card or call."""
    what = getattr(event, "card", None) or getattr(event, "bid", None)
    return getattr(event, "by", None) or "", str(event.do if what is None else what)


def _trick(written: WrittenDeal, place: int) -> str:
    return next((f" to trick {written.trick(each)}" for each in written.plays if each.place == place), "")


Sets = dict[str, list[str]] | None


def _sets(mine: Sets, theirs: Sets, at: str) -> Iterator[Differing]:
    """Hands, or other sets of cards, of which some are others."""
    mine, theirs = mine or {}, theirs or {}
    for key in dict.fromkeys((*mine, *theirs)):
        less = " ".join(card for card in mine.get(key, []) if card not in theirs.get(key, []))
        more = " ".join(card for card in theirs.get(key, []) if card not in mine.get(key, []))
        if less or more:
            yield at.format(key), less or f"no {more}", more or f"no {less}"


def _left(written: WrittenDeal, deal: Deal) -> dict[str, list[str]]:
    """The cards that nobody has played: of each hand as recorded, or of the pack where there is none."""
    played = {event.card for event in deal.events if type(event) is Play}
    hands = {f"in {seat}'s hand": cards for seat, cards in (deal.hands or {}).items()}
    hands = hands or {"of the pack": [*written.table.pack.cards]}
    return {whose: [card for card in cards if card not in played] for whose, cards in hands.items()}


def _look(found: Sequence[Sequence[Differing]]) -> Iterator[Look]:
    """The places that tell the accounts from what is written, and from each other: first on paper, then what was left."""
    for is_meant in (lambda at: LEFT not in at, lambda at: LEFT in at):
        yield from _telling(found, is_meant)


def _telling(found: Sequence[Sequence[Differing]], is_meant: Callable[[str], bool]) -> Iterator[Look]:
    """Of the places meant, one after the other the one that tells most of those apart that are not yet."""
    places: dict[str, dict[int, str]] = {}
    says: dict[str, str] = {}
    for number, differing in enumerate(found, 1):
        for at, said, instead in differing:
            if is_meant(at):
                places.setdefault(at, {})[number] = instead
                says.setdefault(at, said)
    alike = {*combinations(range(len(found) + 1), 2)}  # 0 is what is written
    while alike:
        told = {at: {pair for pair in alike if here.get(pair[0]) != here.get(pair[1])} for at, here in places.items()}
        best = max(told, key=lambda at: len(told[at]), default="")
        if not told.get(best):
            return
        alike -= told[best]
        by: dict[str, list[int]] = {}
        for number, what in places[best].items():
            by.setdefault(what, []).append(number)
        yield Look(best, says[best], tuple((what, tuple(numbers)) for what, numbers in by.items()))
