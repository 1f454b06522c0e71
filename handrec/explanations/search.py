"""The search: all explanations of a faulty deal up to a cost, the cheapest first, each candidate decided by the referee.

An explanation undoes slips of the pen until all that is left to be found are deeds of players and wrong numbers; it costs what
these and the slips cost together. Findings that no slip removes together are explained apart, each such *part* for itself.

The method. Whoever explains a finding must touch something that it hangs on (`pen.reach`). So of what is left to be found the
slips that touch it are undone, the cheapest first, and the same is asked of what is found then: a tree, searched best first.
Slips cost 2 at least, so that nothing below a deal with slips undone costs less than these and 2 more; where that is dearer than
what is wanted, the search ends, and is complete. Most candidates contradict themselves more than the record does: a card would be
played twice, or by a seat that does not hold it. This is counted (`misfit`) before the referee is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import chain, count
from typing import NamedTuple

from handrec import judging, referee
from handrec.cards import is_known
from handrec.explanations.acts import ACTS, price
from handrec.explanations.pen import Reach, reach, slips
from handrec.explanations.sight import IMPOSSIBLE, LOOKERS, costs, explicable, key_of, own
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding, Verdict
from handrec.game import Game, Table, compose
from handrec.record import KINDS, Deal, Play, Record, Withdraw

#: So many candidates of a deal the referee is asked about, and so many more are only looked at for each that he is not.
BUDGET = 2000
LOOKS = 25

#: An explanation is the only one if the next costs so much more.
CLEARLY = 2

#: No slip costs less.
LEAST = 2

#: So many explanations of a part are kept.
MOST = 20

#: Judges a deal.
DealJudge = Callable[[Deal], Table]

Key = tuple[str, str, str | None]


class Explanation(NamedTuple):
    """Slips undone one after the other, the deal that comes of it, what it costs, and what is still found in it."""

    slips: tuple[Slip, ...]
    deal: Deal
    cost: int
    left: tuple[Finding, ...]
    origin: tuple[int | None, ...]

    @property
    def truth(self) -> Hashable:
        """What happened, if this is so: two ways to the same are one explanation."""
        return _facts(self.deal)


@dataclass
class Part:
    """Findings that are explained together: their explanations, cheapest first, all of them up to a cost (`complete`)."""

    findings: tuple[Finding, ...]
    explanations: list[Explanation] = field(default_factory=list)
    complete: int = 0

    @property
    def best(self) -> list[Explanation]:
        """The cheapest; several if nobody can tell them apart."""
        return [each for each in self.explanations if each.cost == self.explanations[0].cost]

    @property
    def cut_short(self) -> bool:
        """Whether not even all explanations were tried that could be as cheap as the cheapest."""
        return self.complete < (self.explanations[0].cost if self.explanations else LEAST)

    @property
    def only(self) -> Explanation | None:
        """The one that is cheaper than all others by so much that no other need be thought of; None if there is none."""
        if len(self.best) != 1 or self.complete < self.best[0].cost + CLEARLY - 1:
            return None
        dearer = self.explanations[1:2]
        return None if dearer and dearer[0].cost < self.best[0].cost + CLEARLY else self.best[0]

    def add(self, found: Explanation) -> None:
        """Keep an explanation, unless another that is no dearer comes to the same."""
        same = next((each for each in self.explanations if each.truth == found.truth), None)
        if same is None or found.cost < same.cost:
            self.explanations = sorted([*(each for each in self.explanations if each is not same), found], key=lambda e: e.cost)
            del self.explanations[MOST:]


@dataclass(frozen=True)
class _Node:
    """A deal with some slips undone, and what is found in it, as places of the record."""

    price: int
    slips: tuple[Slip, ...]
    deal: Deal
    table: Table
    findings: dict[Key, Finding]
    origin: tuple[int | None, ...]  # where each event stands in the record


def explained(
    record: Record, game: Game, index: int, verdict: Verdict, tables: Sequence[Table], budget: int = BUDGET
) -> list[Part]:
    """What explains a deal of a record, part by part. `game` is without options; verdict and tables are the referee's."""
    composed = compose(game, record.options)[0]
    carried = referee.carried_into(record, composed, index, verdict)
    quick = judging.Judge(lambda key: composed).replayed
    moved = any(event.do == "transfer" for event in record.deals[index].events)
    past = tuple(tables[:index]) if moved else ()

    def judge(deal: Deal) -> Table:
        return referee.judged(record, composed, index, deal, past, carried, quick=quick)

    mine = [finding for finding in verdict.findings if finding.deal_index == index]
    kind = record.provenance.kind if record.provenance else None
    table = tables[index] if tables else judge(record.deals[index])
    return Search(WrittenDeal(record.deals[index], table, mine, kind), judge, budget).parts()


class Search:
    """The search for what explains one deal; `judge` judges it with a slip undone, `kind` is where the record comes from."""

    def __init__(self, written: WrittenDeal, judge: DealJudge, budget: int = BUDGET) -> None:
        self.written, self.judge, self.kind = written, judge, written.kind
        self.left = float(budget)
        faults = {key_of(finding): finding for finding in written.findings if own(finding) and finding.severity != "info"}
        places = tuple(range(len(written.deal.events)))
        self.root = _Node(0, (), written.deal, written.table, faults, places)
        self.misfit = misfit(written.table, written.deal)
        self.floor = 0

    def parts(self) -> list[Part]:
        """The parts of the deal, each with its explanations."""
        tried = [node for node, _ in self._children(self.root, self.root.findings.values(), self.misfit)]
        whole = not self._spent
        parts = [Part(tuple(self.root.findings[key] for key in keys)) for keys in self._together(tried)]
        impossible = [part for part in parts if self._cost(part.findings) is None]
        self.floor = max(0, self.misfit - 1) if len(impossible) > 1 else 0
        for part in parts:
            self._solve(part, tried, whole)
        open_ = [part for part in parts if part in impossible and not all(each.explanations for each in impossible)]
        if len(open_) > 1:  # what cannot be explained apart may be explained together
            joined = Part(tuple(finding for part in open_ for finding in part.findings))
            self.floor = 0
            self._solve(joined, tried, whole)
            if joined.explanations:
                parts = [joined if part is open_[0] else part for part in parts if part not in open_[1:]]
        return parts

    def _solve(self, part: Part, tried: Sequence[_Node], whole: bool) -> None:
        """Find the explanations of a part, among those that were tried, which are all by one slip if they are the `whole`."""
        mine = {key_of(finding) for finding in part.findings}
        for node in (self.root, *tried):
            self._explain(part, mine, node)
        part.complete = LEAST + LEAST - 1 if whole else 0
        if whole:
            self._deeper(part, mine, [node for node in tried if mine & self._gone(node)])

    @property
    def _spent(self) -> bool:
        return self.left <= 0

    # --- candidates ---

    def _children(self, node: _Node, findings: Iterable[Finding], most: int, wanted: int = 99) -> Iterator[tuple[_Node, Slip]]:
        """The deals that come of one more slip undone that some findings hang on, and that contradict themselves `most` so often.

        Nothing dearer than what is `wanted`; where no other slip can follow, the deal must be as free of contradiction as can be.
        """
        written = self._written(node)
        where = Reach()
        for finding in self._as_there(node, findings):
            if explicable(finding):
                where |= reach(written, finding)
        seen = set[Hashable]()
        likely = chain.from_iterable(look(written) for look in LOOKERS) if node is self.root else ()
        for slip in sorted(chain(likely, slips(written, where)), key=lambda each: price(each.act.key, self.kind)):
            self.left -= 1 / LOOKS
            if self._spent:
                return
            cost = node.price + price(slip.act.key, self.kind)
            if cost > wanted:
                return
            deal = slip.undone(node.deal)
            if misfit(self.written.table, deal) > (most if cost + LEAST <= wanted else self.floor):
                continue
            facts = _facts(deal)
            if facts in seen:
                continue
            seen.add(facts)
            child = self._judged(node, slip, deal)
            if child is not None:
                yield child, slip

    def _written(self, node: _Node) -> WrittenDeal:
        if node is self.root:
            return self.written
        return WrittenDeal(node.deal, node.table, [*node.table.findings], self.kind)

    @staticmethod
    def _as_there(node: _Node, findings: Iterable[Finding]) -> list[Finding]:
        """Findings with pointers into the deal as it is there."""
        at = {place: spot for spot, place in enumerate(node.origin) if place is not None}
        found = []
        for finding in findings:
            parts = finding.pointer.split("/")
            if parts[3:4] == ["events"] and len(parts) > 4 and parts[4].isdigit() and int(parts[4]) in at:
                finding = replace(finding, pointer="/".join([*parts[:4], str(at[int(parts[4])]), *parts[5:]]))
            found.append(finding)
        return found

    def _judged(self, node: _Node, slip: Slip, deal: Deal) -> _Node | None:
        """The deal that comes of a slip undone; None if less can be judged in it, or a deed came to light."""
        self.left -= 1
        table = self.judge(deal)
        origin = node.origin
        if slip.events is not None:
            origin = tuple(None if place is None else node.origin[place] for place, _ in slip.events)
        found = dict[Key, Finding]()
        for finding in table.findings:
            if finding.severity != "info":
                was = replace(finding, pointer=_was(origin, finding.pointer))
                found[key_of(was)] = was
        root = self.written.table
        further = root.stopped and not table.stopped
        weaker = (table.stopped and not root.stopped) or (len(table.unjudged) > len(root.unjudged) and not further)
        if weaker or (table.doubts.keys() - root.doubts.keys() and not further):
            return None
        return _Node(node.price + price(slip.act.key, self.kind), (*node.slips, slip), deal, table, found, origin)

    # --- parts ---

    def _gone(self, node: _Node) -> set[Key]:
        return self.root.findings.keys() - node.findings.keys()

    def _together(self, tried: Sequence[_Node]) -> list[list[Key]]:
        """The findings that belong together: those that one slip removes, if it costs little more than they do."""
        of = {key: {key} for key in self.root.findings}
        for node in tried:
            gone = self._gone(node)
            written = self._cost([self.root.findings[key] for key in gone])
            if len(gone) > 1 and not self._worse(node) and (written is None or node.price <= written + 1):
                together = set[Key]().union(*(of[key] for key in gone))
                for key in together:
                    of[key] = together
        parts = []
        for key in self.root.findings:
            part = [other for other in self.root.findings if other in of[key]]
            if part not in parts:
                parts.append(part)
        return parts

    def _worse(self, node: _Node) -> bool:
        """Whether more is found than was that is no wrong number: no slip undone makes a deed that was not."""
        come = node.findings.keys() - self.root.findings.keys()
        return any(explicable(node.findings[key]) for key in come)

    def _cost(self, findings: Iterable[Finding]) -> int | None:
        """What findings cost as they stand; None if nobody did that."""
        findings = [*findings]
        if any(finding.code.startswith(IMPOSSIBLE) for finding in findings):
            return None
        return sum(costs(self.written, findings))

    def _explain(self, part: Part, mine: set[Key], node: _Node) -> None:
        """Keep what a deal explains of a part: all of it but for deeds and numbers, and something if slips are undone."""
        gone = self._gone(node)
        if node.slips and (not gone & mine or not gone <= mine or self._worse(node)):
            return
        come = [finding for key, finding in node.findings.items() if key not in self.root.findings]
        left = [finding for key, finding in node.findings.items() if key in mine] + come
        cost = self._cost(left)
        if cost is not None:
            part.add(Explanation(node.slips, node.deal, node.price + cost, tuple(left), node.origin))

    # --- several slips ---

    def _deeper(self, part: Part, mine: set[Key], nodes: Iterable[_Node]) -> None:
        """Look for explanations by several slips, as long as they may be among those that are wanted."""
        tie = count()
        heap = list[tuple[int, int, int, int, _Node]]()

        def push(node: _Node) -> None:
            left = len([key for key in node.findings if key in mine or key not in self.root.findings])
            heappush(heap, (node.price + LEAST, left, len(node.slips), next(tie), node))

        for node in nodes:
            push(node)
        told = set[Hashable]()
        while heap:
            bound = heap[0][0]
            wanted = part.best[0].cost + CLEARLY - 1 if part.explanations else bound
            part.complete = bound - 1
            if bound > wanted or self._spent:
                break
            node = heappop(heap)[-1]
            left = [finding for key, finding in node.findings.items() if key in mine or key not in self.root.findings]
            for child, _ in self._children(node, left, self.misfit, wanted if part.explanations else 99):
                facts = _facts(child.deal)
                if facts not in told:
                    told.add(facts)
                    self._explain(part, mine, child)
                    push(child)
        else:
            part.complete = 10**6


def misfit(table: Table, deal: Deal) -> int:
    """How often a deal contradicts itself: cards that stand twice, cards not held, hands and plays of a wrong number.

    0 where that cannot be told, since cards are taken back, or go from hand to hand.
    """
    pack, place_of, wrong, dealt = table.pack.index, table.place_of, 0, 0
    held: list[int | None] = [None] * len(table.seats)
    for name, cards in (deal.hands or {}).items():
        mask = 0
        for card in cards:
            bit = 1 << pack[card] if card in pack else 0
            wrong += bool(dealt & bit) or (not bit and is_known(card))
            dealt, mask = dealt | bit, mask | bit
        wrong += abs(len(cards) - table.size)
        if all(card in pack for card in cards):
            held[place_of[name]] = mask
    for cards in (deal.aside or {}).values():
        for card in cards:
            bit = 1 << pack[card] if card in pack else 0
            wrong += bool(dealt & bit)
            dealt |= bit
    gone, counts = 0, [0] * len(table.seats)
    for event in deal.events:
        if type(event) is Play:
            bit = 1 << pack[event.card] if event.card in pack else 0
            wrong += bool(gone & bit) or (not bit and is_known(event.card))
            gone |= bit
            if event.by is not None:
                seat = place_of[event.by]
                own, counts[seat] = held[seat], counts[seat] + 1
                wrong += own is not None and bool(bit & ~own)
        elif type(event) is Withdraw or KINDS[event.do].moves:
            return 0
    if deal.status == "complete" and any(counts):
        wrong += sum(abs(quota - many) for quota, many in zip(table.quota, counts, strict=True))
    return wrong


def _was(origin: Sequence[int | None], pointer: str) -> str:
    """A pointer into a deal with slips undone as one into the record."""
    parts = pointer.split("/")
    if parts[3:4] != ["events"] or len(parts) < 5 or not parts[4].isdigit():
        return pointer
    spot = int(parts[4])
    place = origin[spot] if spot < len(origin) else None
    return "/".join([*parts[:4], "-" if place is None else str(place), *parts[5:]])


def _facts(deal: Deal) -> Hashable:
    """All that a deal states of what happened."""
    hands = tuple((name, *sorted(cards)) for name, cards in sorted((deal.hands or {}).items()))
    events = [(said["do"], said.get("by"), said.get("card"), said.get("bid")) for said in map(vars, deal.events)]
    return hands, tuple(events), deal.dealer, deal.leader


assert min(act.cost for act in ACTS.values() if act.fault) >= LEAST
