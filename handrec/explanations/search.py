"""The search: all explanations of a faulty deal up to a cost, the cheapest first, each candidate decided by the referee.

An explanation undoes slips of the pen until all that is left to be found are deeds of players and wrong numbers; it costs what
these and the slips cost together. Findings that no slip removes together are explained apart, each such *part* for itself.

The method. Whoever explains a finding must touch something that it hangs on (`pen.reach`). First every slip that does is undone
by itself, which also tells what belongs together: what one slip removes. What is likely is tried first, for as soon as there is
an explanation nothing much dearer is wanted. Where several slips may be among what is wanted, they are undone one after the
other, and after each the same is asked of what is found then: a tree, searched best first. Slips cost 2 at least, so that
nothing below a deal with slips undone costs less than these and 2 more; where that is dearer than what is wanted, the search
ends, and is complete. The last slip must explain all that is left, so it must touch what each of these findings hangs on.

Most candidates contradict themselves more than the record does: a card would be played twice, or by a seat that does not hold
it. This is counted (`Misfit`) before the referee is asked. Of two slips each may be undone first, so one that makes it worse
waits for the other; but two that move many cards (a turned table, exchanged hands) may make it worse each for itself. And where
no further slip is wanted, the referee breaks off at the first finding that the record had not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from itertools import chain, count, permutations
from operator import or_
from typing import NamedTuple

from handrec import judging, referee
from handrec.explanations.acts import STATED, price
from handrec.explanations.auctions import is_right, only_calls
from handrec.explanations.costs import IMPOSSIBLE, costs, explicable, key_of, not_held, own
from handrec.explanations.decided import erases
from handrec.explanations.legal_calls import LegalCalls
from handrec.explanations.misfit import Misfit
from handrec.explanations.parts import CLEARLY, DEAR, LEAST, Explanation, Part, facts
from handrec.explanations.pen import Reach, left_out, lost_unseen, reach, slips, touches
from handrec.explanations.tried import LOOKERS
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding, Verdict
from handrec.game import BrokenOff, Game, Look, Table, compose
from handrec.game.table import NO_PAST, Past
from handrec.record import Deal, Play, Record, Withdraw

#: So many candidates of a deal the referee is asked about, and so many more are only looked at for each that he is not.
BUDGET = 2000
LOOKS = 30

#: So many findings cost as much as a deal in which nothing is found; and so much of that it costs to break off.
FINDINGS = 4
BROKEN_OFF = 0.25

#: Of so many parts each is looked at beside each other.
FEW = 4

#: Acts that move many cards: one may make a deal contradict itself more, and yet be one of two that explain it.
TURNED = ("turned", "hands", "suit")

#: Judges a deal; is given what looks at each finding as it is made, and may break off by raising.
DealJudge = Callable[[Deal, Look | None], Table]

Key = tuple[str, str, str | None]


@dataclass(frozen=True)
class _Node:
    """A deal with some slips undone, and what is found in it, as places of the record."""

    price: int
    slips: tuple[Slip, ...]
    deal: Deal
    table: Table
    findings: dict[Key, Finding]
    origin: tuple[int | None, ...]  # where each event stands in the record


class _Candidates(NamedTuple):
    """Slips that may be undone in a deal; each must touch what these others hang on too."""

    written: WrittenDeal
    slips: Iterable[Slip]
    besides: Sequence[Reach] = ()


def explained(
    record: Record, game: Game, index: int, verdict: Verdict, tables: Sequence[Table], budget: int = BUDGET, most: int = DEAR
) -> list[Part]:
    """What explains a deal of a record, part by part, and costs no more than `most`; see `search_in`."""
    return search_in(record, game, index, verdict, tables, budget, most).parts()


def search_in(
    record: Record, game: Game, index: int, verdict: Verdict, tables: Sequence[Table], budget: int = BUDGET, most: int = DEAR
) -> Search:
    """The search for what explains a deal of a record, not begun; `game` is without options, verdict and tables the referee's."""
    composed = compose(game, record.options)[0]
    carried = referee.carried_into(record, composed, index, verdict)
    quick = judging.Judge(lambda key: composed).replayed
    moved = any(event.do == "transfer" for event in record.deals[index].events)
    past = Past(tables, index) if moved else NO_PAST

    def judge(deal: Deal, look: Look | None = None) -> Table:
        return referee.judged(record, composed, index, deal, past, carried, quick=quick, look=look)

    mine = [finding for finding in verdict.findings if finding.deal_index == index]
    kind = record.provenance.kind if record.provenance else None
    deal = record.deals[index]
    unnamed = any(type(event) is Play and event.by is None for event in deal.events)  # whose these are a trace tells
    known = tables[index] if tables and not unnamed else None
    table = known or referee.judged(record, composed, index, deal, past, carried, unnamed)
    wrong = [-1 if finding.event_index is None else finding.event_index for finding in mine if finding.code.startswith("BID")]
    until = min(wrong, default=len(deal.events))
    calls = LegalCalls(deal, lambda place: referee.after_play(record, composed, index, place - 1), until)
    return Search(WrittenDeal(deal, table, mine, kind), judge, budget, most, calls)


class Search:
    """The search for what explains one deal; `judge` judges it with a slip undone, `calls` are known where they are right."""

    def __init__(
        self, written: WrittenDeal, judge: DealJudge, budget: int = BUDGET, most: int = DEAR, calls: LegalCalls | None = None
    ) -> None:
        self.written, self.judge, self.kind, self.calls = written, judge, written.kind, calls
        self.budget, self.left, self.most = budget, float(budget), most
        self.across = {key_of(finding) for finding in written.findings if not own(finding)}
        faults = {key_of(finding): finding for finding in written.findings if self._counts(finding)}
        places = tuple(range(len(written.deal.events)))
        self.root = _Node(0, (), written.deal, written.table, faults, places)
        self.misfit = Misfit(written.table)
        self.contradictions = self.misfit.of(written.deal)
        self.out_of_turn = self.misfit.calls_out_of_turn(written.deal)
        self.only_calls = only_calls(written)
        self.floor, self.narrowed = 0, False
        self.whole = not lost_unseen(written)  # else it is known of none that it is the best, and no other need be looked for
        self.mine = {*faults}
        self.wanted = self._wanted(self._cost(faults.values()))

    def parts(self, confirm: bool = True) -> list[Part]:
        """The parts of the deal, each with its explanations; of a few parts these are confirmed."""
        tried = self._alone()
        whole = self.whole and not self._spent
        parts = [Part(tuple(self.root.findings[key] for key in keys)) for keys in self._together(tried)]
        impossible = [part for part in parts if self._cost(part.findings) is None]
        for part in parts:  # others may contradict themselves still
            others = any(each is not part for each in impossible)
            self.floor = max(0, self.contradictions - self._contradicts(part)) if others else 0
            self._solve(part, tried, whole)
        open_ = [part for part in parts if part in impossible and not all(each.explanations for each in impossible)]
        if len(open_) > 1:  # what cannot be explained apart may be explained together
            joined = Part(tuple(finding for part in open_ for finding in part.findings))
            self.floor = 0
            self._solve(joined, tried, whole)
            if joined.explanations:
                parts = [joined if part is open_[0] else part for part in parts if part not in open_[1:]]
        told = [part for part in parts if len(part.best) == 1 and part.best[0].slips]
        if confirm and whole and 1 < len(told) <= FEW:  # else nothing is sure, and is no surer then
            self._confirm(told)
        return parts

    def _confirm(self, parts: Sequence[Part]) -> None:
        """Look once more for what explains each of several parts, in the deals that come of the best explanation of another.

        As long as that stands as it is written, something may seem to explain nothing since it makes the other worse; and the
        search ends before all is tried. What is found when it is gone is what would be found of the part alone. If each part is
        explained there as here, and no one slip explains several, that is how sure it is; else none is surer than it was.
        """
        self.left = float(self.budget)
        cheap = sorted(parts, key=lambda part: part.best[0].cost)
        again = {(id(part), id(other)): self._beside(part, other.best[0]) for part, other in permutations(cheap, 2)}
        for part in parts:
            complete = min(tried for (mine, _), tried in again.items() if mine == id(part))
            part.complete = complete if all(again.values()) else min(part.complete, complete)

    def _beside(self, part: Part, other: Explanation) -> int:
        """Up to which cost it is known what explains a part in the deal that comes of another's explanation; 0: not as here."""
        if self._spent:
            return 0
        table, best = self.judge(other.deal, None), part.best[0]
        written = WrittenDeal(other.deal, table, [*table.findings], self.kind)
        search = Search(written, self.judge, int(self.left), best.cost + CLEARLY - 1)
        search.across |= self.across
        keys, words = {key_of(finding) for finding in part.findings}, [slip.words for slip in best.slips]
        found = search.parts(confirm=False)
        self.left = search.left
        for each in found:
            mine = {key_of(finding._replace(pointer=_was(other.origin, finding.pointer))) for finding in each.findings}
            told = [slip.words for story in each.best for slip in story.slips]
            if mine == keys and told == words:
                return min([each.complete, *(story.cost - 1 for story in each.explanations[1:])])
        return 0

    def _alone(self) -> list[_Node]:
        """The deals that come of one slip undone, where that may explain something.

        The likely slips come first: what one of them explains is looked at together. Another that explains it leaves no more
        contradictions than it does, of which those of other parts may be some.
        """
        tried, seen = list[_Node](), dict[Hashable, int]()

        def look(candidates: Iterable[Slip]) -> None:
            self.floor = min([self.misfit.of(node.deal) for node in tried if self._removes(node)], default=self.contradictions)
            for node in self._children(self.root, _Candidates(self.written, candidates), seen, alone=True):
                tried.append(node)
                if self._removes(node):
                    self.floor = min(self.floor, self.misfit.of(node.deal))
                    left = self._cost(node.findings.values(), node)
                    if left is not None:
                        self.wanted = min(self.wanted, self._wanted(node.price + left))

        look(likely(self.written))
        for keys in self._together(tried) if self.whole else ():
            if self._spent:
                break
            self.mine = {*keys}
            look(slips(self.written, _reached(self.written, [self.root.findings[key] for key in keys])))
        return tried

    def _solve(self, part: Part, tried: Sequence[_Node], whole: bool) -> None:
        """Find the explanations of a part, among those that were tried, which are all by one slip if they are the `whole`.

        By several slips as long as these may be among those that are wanted.
        """
        self.mine = {key_of(finding) for finding in part.findings}
        for node in (self.root, *tried):
            self._explain(part, node)
        part.complete = LEAST + LEAST - 1 if whole else 0
        if whole:
            self._deeper(part)

    def _contradicts(self, part: Part) -> bool:
        """Whether what is found there is a contradiction that is counted: of the cards, not of dealer or calls."""
        counted = [finding for finding in part.findings if self.misfit.counts(finding.code)]
        return any(finding.code.startswith(IMPOSSIBLE) or not_held(self.written, finding) for finding in counted)

    @property
    def _spent(self) -> bool:
        return self.left <= 0

    # --- candidates ---

    def _children(self, node: _Node, candidates: _Candidates, seen: dict[Hashable, int], alone: bool = False) -> Iterator[_Node]:
        """The deals that come of one more slip undone, none dearer than what is wanted, and none that was `seen` as cheap.

        Of the record those that may explain something `alone`, or else those after which more may follow.
        """
        misfit = self.misfit.of
        for slip in candidates.slips:
            self.left -= 1 / LOOKS
            if self._spent:
                return
            cost = node.price + price(slip.act.key, self.kind)
            if cost > self.wanted:
                continue
            last = alone or cost + LEAST > self.wanted
            if last and not alone and node is self.root:
                continue
            turned = slip.act.key in TURNED or len(slip.marks) > 1
            if (last or not turned) and misfit(node.deal, slip) > (self.floor if last else self.contradictions):
                continue
            if not all(touches(candidates.written, slip, each) for each in candidates.besides):
                continue
            deal = slip.undone(node.deal)
            if last and self.misfit.calls_out_of_turn(deal) > self.out_of_turn:
                continue
            if last and self.only_calls and slip.fields is None and not is_right(self.written, deal):
                continue
            if alone and self.calls and slip.act.key == "call" and self.calls.forbid(deal):
                continue
            stated = facts(deal)
            if seen.get(stated, DEAR) > cost:
                seen[stated] = cost
                child = self._judged(node, slip, deal, last, alone)
                if child is not None:
                    yield child

    def _candidates(self, node: _Node) -> _Candidates:
        """The slips that a finding to be explained hangs on; of the record those first that are read off it.

        Once a slip is undone, another must touch what one finding hangs on that must be explained: for whatever else is undone,
        that one must be too, and it may as well be next. If more than one slip follows, this may miss what only another makes
        possible; so of three slips it cannot be said that all were tried. If none follows, a slip must touch what each of these
        hangs on: the least comes first.
        """
        written = self._written(node)
        open_ = self._as_there(node, [finding for key, finding in node.findings.items() if self._concerns(key)])
        if node is self.root:
            return _Candidates(written, chain(likely(written), slips(written, _reached(written, open_))))
        room = self.wanted - node.price - LEAST  # for what is left as it stands
        must = [finding for finding in open_ if explicable(finding) and (room <= 0 or finding.code.startswith(IMPOSSIBLE))]
        if not must:
            return _Candidates(written, slips(written, _reached(written, open_)))
        self.narrowed |= room >= LEAST
        where, *besides = sorted((reach(written, finding) for finding in must), key=lambda each: each.size)
        return _Candidates(written, slips(written, where), () if room >= LEAST else besides)

    def _wanted(self, best: int | None) -> int:
        """How dear an explanation may be that matters beside the best."""
        return self.most if best is None else min(self.most, best + CLEARLY - 1)

    def _still_wanted(self, part: Part) -> int:
        """How dear another explanation of a part may be that matters: no dearer than the best, if there are several."""
        best = part.best[0].cost if part.explanations else None
        return best if best is not None and len(part.best) > 1 else self._wanted(best)

    def _concerns(self, key: Key) -> bool:
        """Whether a finding is to be explained: it is of the part, or the record did not have it."""
        return key in self.mine or key not in self.root.findings

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
                finding = finding._replace(pointer="/".join([*parts[:4], str(at[int(parts[4])]), *parts[5:]]))
            found.append(finding)
        return found

    def _judged(self, node: _Node, slip: Slip, deal: Deal, last: bool, alone: bool) -> _Node | None:
        """The deal that comes of a slip undone; None if it is the `last` and explains nothing."""
        cost, here, origin = node.price + price(slip.act.key, self.kind), self.root.origin, node.origin
        if slip.events is not None:
            origin = tuple(None if place is None else node.origin[place] for place, _ in slip.events)
        found, deeds = dict[Key, Finding](), 0
        back = max((place for place, event in enumerate(deal.events) if type(event) is Withdraw), default=None)

        def kept(finding: Finding) -> Key:
            was = finding if origin is here else finding._replace(pointer=_was(origin, finding.pointer))
            found[key_of(was)] = was
            return key_of(was)

        def look(finding: Finding) -> None:
            nonlocal deeds
            lifted = back is not None and (finding.event_index is None or finding.event_index <= back)  # perhaps, later
            if lifted or not self._counts(finding):
                return
            many, key = len(found), kept(finding)
            if explicable(finding):
                deeds += key in self.mine and len(found) > many
                if key not in self.root.findings or (cost + deeds > self.wanted and not alone):
                    raise BrokenOff
            if len(found) >= len(self.root.findings) and self.root.findings.keys() <= found.keys():
                raise BrokenOff  # nothing is gone

        try:
            table = self.judge(deal, look if last else None)
        except BrokenOff:
            self.left -= BROKEN_OFF
            return None
        self.left -= 1 + len(table.findings) / FINDINGS
        found.clear()
        for finding in table.findings:
            if self._counts(finding):
                kept(finding)
        return _Node(cost, (*node.slips, slip), deal, table, found, origin)

    def _counts(self, finding: Finding) -> bool:
        """Whether a finding is to be explained; what is found across the deals of the record may be found in one of them too."""
        return finding.severity != "info" and key_of(finding) not in self.across

    # --- parts ---

    def _gone(self, node: _Node) -> set[Key]:
        return self.root.findings.keys() - node.findings.keys()

    def _removes(self, node: _Node) -> bool:
        """Whether nothing is left of what is to be explained, and no deed has come instead."""
        return self._gone(node) >= self.mine and not self._worse(node)

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

    def _cost(self, findings: Iterable[Finding], node: _Node | None = None) -> int | None:
        """What findings cost as they stand, in the record or with slips undone; None if nobody did that."""
        findings, node = [*findings], node or self.root
        if any(finding.code.startswith(IMPOSSIBLE) or finding.code in STATED for finding in findings):
            return None
        early = self._as_there(node, [finding for finding in findings if finding.code == "PLY003"])
        if early and any(not_held(written, finding) for written in [self._written(node)] for finding in early):
            return None
        return sum(costs(self.written, findings))

    def _explain(self, part: Part, node: _Node) -> None:
        """Keep what a deal explains of a part: all of it but for deeds and numbers, and something if slips are undone."""
        gone = self._gone(node)
        if node.slips and (not gone or not gone <= self.mine or self._worse(node)):
            return
        if self.misfit.of(node.deal) > self.floor:  # a card too many of one seat is no deed, though the referee leaves it at that
            return
        left = [finding for key, finding in node.findings.items() if self._concerns(key)]
        cost = self._cost(left, node)
        if cost is not None and node.slips and erases(self.written.table, node.table):
            part.passed_over = min(part.passed_over, node.price + cost)
        elif cost is not None:
            part.add(Explanation(node.slips, node.deal, node.price + cost, tuple(left), node.origin))

    # --- several slips ---

    def _deeper(self, part: Part) -> None:
        """Look for explanations by several slips."""
        turn, known, self.narrowed = count(), set[Hashable](), False
        heap = [(LEAST + LEAST, 0, 0, next(turn), self.root)]
        while heap:
            bound = heap[0][0]
            self.wanted = self._still_wanted(part)
            if self._spent:  # perhaps amid the candidates of the last deal: nothing more is complete
                return
            part.complete = min(bound, 3 * LEAST) - 1 if self.narrowed else bound - 1
            if bound > self.wanted:
                return
            node = heappop(heap)[-1]
            for child in self._children(node, self._candidates(node), {}):
                stated = facts(child.deal)
                if stated not in known:
                    known.add(stated)
                    self._explain(part, child)
                    self.wanted = self._still_wanted(part)
                    open_ = sum(map(self._concerns, child.findings))
                    heappush(heap, (child.price + LEAST, open_, len(child.slips), next(turn), child))
        if not self._spent:
            part.complete = 3 * LEAST - 1 if self.narrowed else DEAR


def likely(written: WrittenDeal) -> Iterator[Slip]:
    """The slips that are read off a deal."""
    return chain.from_iterable(look(written) for look in (*LOOKERS, left_out))


def _reached(written: WrittenDeal, findings: Iterable[Finding]) -> Reach:
    """What any of these findings hangs on."""
    return reduce(or_, (reach(written, finding) for finding in findings if explicable(finding)), Reach())


def _was(origin: Sequence[int | None], pointer: str) -> str:
    """A pointer into a deal with slips undone as one into the record."""
    parts = pointer.split("/")
    if parts[3:4] != ["events"] or len(parts) < 5 or not parts[4].isdigit():
        return pointer
    spot = int(parts[4])
    place = origin[spot] if spot < len(origin) else None
    return "/".join([*parts[:4], "-" if place is None else str(place), *parts[5:]])
