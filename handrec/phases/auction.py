"""An auction in which nobody passes: calls of a number and a mode, until everybody has called in the same mode.

A call in the standing mode approves it; one in another mode imposes that mode and cancels all calls before it. A player may
lock the mode, which doubles the hand, and whoever imposed it may answer, which doubles it again.

What stands at any moment (the mode, who imposed it, which calls are in it, whose turn it is, whether the mode is locked) is a
`Calling`; each call heard gives the next one. That would be all, if records were right. A call that is left out, doubled, or
written under another seat makes all calls after it look out of turn. So before a call is blamed, the others are asked:
`out_of_turn` tries which few calls, taken out or given to another seat, put all the others in turn, and the fewest are told as
wrong. Where a call is judged that the rules forbid, it is told by the rule it breaks, and the auction goes on as if it stood,
since at the table it did.

At the score only this is left of an auction: the mode, each seat's number, and how often the points of the hand count.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

from handrec.findings import Rule
from handrec.game.phase import Phase
from handrec.game.table import UNSIZED, Made, Table
from handrec.game.value import Perhaps
from handrec.game.views import CallView
from handrec.phases import wrong_bids
from handrec.phases.calling import HEARD, Call, Called, Calling
from handrec.phases.out_of_turn import strays
from handrec.record import Announce, Bid, Contract, Deal, DealClaims, Play


class Acts(NamedTuple):
    """Where the calls and plays of a deal stand among its events, of which there are so many."""

    events: int
    places: list[int]


@dataclass(frozen=True)
class Auction(Phase):
    """Calls in turn from the dealer's left, and what interrupts them.

    `modes` stand from high to low; `marks(players)` are the marks of which a call names one, if any: it must where `decides`
    says that they decide something. With `remark`, a call that names another mark than the standing one imposes.
    `by_imposer` says whether whoever imposed a mode may lock it, `answered_by` who may answer: its imposer, or any bidder.
    """

    modes: tuple[str, ...]
    marks: Callable[[int], tuple[str, ...]] = lambda players: ()
    decides: bool = True
    remark: bool = False
    by_imposer: bool = True
    answered_by: str = "proposer"
    kinds = ("bid", "contract", "announce:mechoune", "announce:choune")
    anytime = ("contract",)
    needs = ("BID002", "BID011", "BID012", "BID016")
    breakable = ("BID011", "BID012", "BID016")
    plants = wrong_bids.CALLS

    # --- calls as they are written ---

    def names(self, contract: str) -> str | None:
        """A mode, with its mark if it names one, as it is written in a contract; None if it is none."""
        return contract if re.fullmatch(rf"(?:{'|'.join(self.modes)})[a-z]?", contract) else None

    def contracts(self, table: Table, trump: str) -> tuple[str, ...]:
        """The contracts that make this trump: a mode, with each mark that it may name."""
        if self._mode_of(trump, table.count) is None:
            return ()
        return (trump, *(trump + mark for mark in self.marks(table.count) if trump in self.modes))

    def read(self, table: Table, event: Bid, place: int) -> Call | None:
        """The call as the game understands it, None if the game has no such call."""
        parts = self._parts_of(str(event.bid), table.count)
        return None if parts is None else Call(table.place_of[event.by], *parts, place)

    def made(self, table: Table, event: Bid, place: int) -> Made | None:
        """What a score sheet says was called: a call, or only its number; None if the game has no such call."""
        stands, calling = table.bids[table.place_of[event.by]], self.begun(table)
        token, value = f"{event.bid}{table.contract or ''}", event.bid
        if not isinstance(value, int):
            call = self.read(table, event, place)
            if call is None:
                return None
            token, value = call.token, call.value
            if call.mode == calling.mode and not (call.mark and (calling.mark or self.decides)):
                token = f"{call.value}{call.mode}{calling.mark}"
        elif value < 0:
            return None
        return stands if stands and stands.token == token else Made(token, "number", value, place)

    def sayable(self, table: Table) -> Iterable[Any]:
        """The bids there are."""
        return _tokens(self.modes, self.marks(table.count), table.size)

    def all_sayable(self, table: Table) -> Iterable[Any]:
        """Calls with a mark and without, for there are tables at which both are made; and what is announced."""
        said = [event for event in super().all_sayable(table) if event.do == "announce"]
        every = product(range(table.size + 1), self.modes, ("", *self.marks(table.count)))
        return [*(Bid(by=table.seats[0], bid=f"{tricks}{mode}{mark}") for tricks, mode, mark in every), *said]

    def allowed(self, table: Table) -> str:
        """The calls the game knows, in words; nobody reads them on trial."""
        if table.on_trial:
            return ""
        marks = self.marks(table.count)
        return f"a number from 0 to {table.size} with {', '.join(self.modes)}" + (f" and {' or '.join(marks)}" if marks else "")

    # --- events ---

    def begun(self, table: Table) -> Calling:
        """The calls so far."""
        if Calling not in table.kept:
            calling, events = Calling(table.eldest, self.decides), table.deal.events
            recorded = any(event.do in ("bid", "contract") for event in events)
            calling.unrecorded = bool(events) and not recorded and not table.to_come(0)
            table.kept[Calling] = calling
        found: Calling = table.kept[Calling]
        return found

    def take(self, table: Table, place: int, event: Bid | Contract | Announce) -> None:
        """Take a call, the outcome of calls that are not recorded, or a word that interrupts them."""
        calling = self.begun(table)
        if event.do == "contract":
            self._contract(table, calling, place, event)
        elif event.do == "announce":
            self._says(table, calling, place, event)
        else:
            placed = calling.instead.pop(place, (place, event))
            if placed is not None:
                self.call(table, calling, *placed)
        self.write(table, calling)

    @staticmethod
    def write(table: Table, calling: Calling) -> None:
        """Put on the table what stands: mode, mark, and the calls made in it."""
        table.contract = None if None in calling.open else calling.mode + calling.mark or None
        for seat in range(table.count):
            table.bids[seat] = None if seat in calling.open else calling.bids.get(seat)

    def call(self, table: Table, calling: Calling, place: int, event: Bid) -> None:
        """Take a call: in time, in turn, and one that this seat may make."""
        seat, call = table.place_of[event.by], self.read(table, event, place)
        if event.blind is not None:
            table.fault("PLY007", place, "/blind", seat=seat, what="bids with or without looking")
        if table.state is not None:
            table.fault("BID007", place, seat=seat, bid=event.bid)
            if call is not None and call.mode == calling.mode and seat not in calling.bids:
                calling.enter(call)
            calling.unknown.add(seat)
            return
        if calling.stated:
            self._target(table, calling, place, event, call)
            return
        if calling.closed(table.count):
            if not calling.may_go_on(seat, call):
                table.fault("BID016", place, seat=seat, bid=event.bid, mode=table.contract)
                return
            calling.sure = False  # a call that is missing may have imposed a mode, so that the auction went on
            calling.turn = seat if seat in calling.unknown else calling.turn
        if calling.turn not in (None, seat) and not strays(self, table, calling, place, event):
            return
        if call is None:
            table.fault("BID002", place, "/bid", seat=seat, bid=event.bid, allowed=self.allowed(table))
            calling.guess({seat})
        else:
            self._judge(table, calling, call)
        calling.go_on(table, seat)

    def lay(self, table: Table, place: int) -> int:
        """Everybody calls in turn, until all have called in the mode; nobody breaks a rule, and what is said counts."""
        if table.dealer is None:
            return -1
        calling, events, fair, count = self.begun(table), table.deal.events, table.game.fair, table.count
        while place < len(events) and type(event := events[place]) in (Bid, Announce):
            if type(event) is Announce:
                if not self.takes(table, event):
                    break
                self._says(table, calling, place, event)
            elif type(event) is Bid:
                call = self.read(table, event, place) if event.blind is None and len(calling.bids) < count else None
                if call is None or call.seat != calling.turn:
                    return -1
                values = [made.value or 0 for made in calling.bids.values()]
                highest, total = max([0, *values]), sum(values) if len(values) >= count - 1 else 0
                stands = calling.mode, calling.mark, calling.number, len(values), total, highest, calling.locker is None
                alike = table.size, count, stands, call.seat in calling.bids, call.value, call.mode, call.mark
                if alike not in fair:
                    if self.broken(table, calling, call) is not None or table.doubts:
                        return -1
                    table.game.add_fair(alike)
                calling.put(call, self.imposes(calling, call), False)
                calling.turn = (call.seat + 1) % count
            place += 1
        self.write(table, calling)
        return place if len(calling.bids) == count and not table.findings else -1

    def _judge(self, table: Table, calling: Calling, call: Call) -> None:
        """Judge a call and let it stand; one that is mended at once, or passed over by all, stands no longer."""
        rule = self.broken(table, calling, call)
        if rule is not None and calling.explained(call):
            rule = self.broken(table, calling, call)
        if rule is not None and calling.passed_over(call):
            rule = self.broken(table, calling, call)
        if self.imposes(calling, call) and not calling.sure and call.value < table.size:
            table.doubt("L3", f"deal {table.number}: not every call is known")
        if rule is not None:
            self._fault(table, calling, call, rule)
            after = self._next(table, call.place + 1)
            if after is not None and after.do == "bid" and after.by == table.seats[call.seat]:
                calling.turn = call.seat  # called again, in its place
                calling.mended = True
                return
        calling.put(call, self.imposes(calling, call), rule is not None and rule.code in ("BID008", "BID009"))

    def _target(self, table: Table, calling: Calling, place: int, event: Bid, call: Call | None) -> None:
        """A call beside a contract: how many tricks a seat aims at, in the mode that is stated."""
        seat = table.place_of[event.by]
        if call is None:
            table.fault("BID002", place, "/bid", seat=seat, bid=event.bid, allowed=self.allowed(table))
        elif seat in calling.bids:
            table.fault("BID005", place, seat=seat, bid=event.bid, before=calling.bids[seat].token)
        elif call.mode != calling.mode:
            table.fault("BID016", place, seat=seat, bid=event.bid, mode=table.contract)
        else:
            rule = self.broken(table, calling, call)
            if rule is not None:
                self._fault(table, calling, call, rule)
            calling.enter(call)

    def _contract(self, table: Table, calling: Calling, place: int, event: Contract) -> None:
        name = self.names(str(event.bid))
        if name is None or (name not in self.modes and name[-1] not in self.marks(table.count)):
            call = self._parts_of(str(event.bid), table.count)
            hint: dict[str, Any] = {"hint": f" (did you mean {call[1]}{call[2]}? a contract has no number)"} if call else {}
            allowed = f"one of {', '.join(self.modes)}"
            table.fault("BID002", place, "/bid", seat=event.by, bid=event.bid, allowed=allowed, **hint)
            return
        mode, mark = (name, "") if name in self.modes else (name[:-1], name[-1])
        if calling.mode:
            mark = mark if self.decides or calling.mark else ""
            table.compare("DEA009", mode + (mark or calling.mark), calling.mode + calling.mark, place, "/bid")
            return
        calling.stated, calling.sure, calling.mode, calling.mark = True, False, mode, mark
        calling.imposer = None if event.by is None else table.place_of[event.by]

    def _says(self, table: Table, calling: Calling, place: int, event: Announce) -> None:
        """Méchoune or choune: let it count, unless it may not be said."""
        seat, locks = table.place_of[event.by], event.what == "mechoune"
        lacking = self._lacking(table, calling, place)
        wrong = (self._unlockable if locks else self._unanswerable)(table, calling, seat, lacking)
        if wrong is not None:
            what = "méchouned" if locks else "chouned"
            table.fault(self._rule_on(table, event.what, wrong[0]), place, seat=seat, what=what, why=wrong[1])
            calling.void |= locks
        elif not locks:
            calling.answered = seat if calling.locker is not None or not calling.void else None
        else:
            calling.locker, calling.owner = seat, calling.imposer
            calling.owned = calling.may_have_imposed() | calling.unknown | lacking

    def _rule_on(self, table: Table, what: str, wrong: str) -> Rule:
        """The rule about what is wrong with a word that is said in the auction."""
        rules = [rule for code in ("BID011", "BID012") for rule in table.game.rules_of(code)]
        return next(rule for rule in rules if not rule.about or f"{what} {wrong}" in rule.about)

    def _unlockable(self, table: Table, calling: Calling, seat: int, lacking: Set[int]) -> tuple[str, str] | None:
        """Why a seat may not méchoune: only after a first call and before the last, once, and where it is not barred."""
        known = not (calling.stated or calling.unrecorded or calling.unknown | lacking)
        if known and not calling.mode and table.state is None:
            return "early", "before any call"
        if table.state is not None or (known and (not calling.mode or calling.closed(table.count))):
            return "late", "after the last call"
        if calling.locker is not None:
            return "again", f"{table.seats[calling.locker]} had done so already"
        own = seat == calling.imposer and (calling.sure or calling.stated) and not calling.unknown | lacking
        return ("barred", "the mode was the player's own") if own and not self.by_imposer else None

    def _unanswerable(self, table: Table, calling: Calling, seat: int, lacking: Set[int]) -> tuple[str, str] | None:
        """Why a seat may not choune: only after a méchoune and before the first card, once, and where it is not barred."""
        if table.state is not None:
            return "late", "after the first card was led"
        if calling.answered is not None:
            return "again", "that had been done already"
        if calling.locker is None:
            return None if calling.void or calling.stated or calling.unrecorded else ("early", "before any méchoune")
        return None if self.may_answer(calling, seat, lacking) else ("barred", "that was not for this player to do")

    @staticmethod
    def _next(table: Table, place: int) -> Any:
        """The next call or play from an event on."""
        events, acts = table.deal.events, table.kept.get(Acts)
        if acts is None or acts.events != len(events):
            acts = table.kept[Acts] = Acts(len(events), [at for at, each in enumerate(events) if type(each) in (Bid, Play)])
        spot = bisect_left(acts.places, place)
        return events[acts.places[spot]] if spot < len(acts.places) else None

    def _lacking(self, table: Table, calling: Calling, place: int) -> set[int]:
        """The seat due, if its call is missing: what follows is the call of another, or the first card."""
        after = self._next(table, place)
        if calling.turn is None or after is None or calling.closed(table.count):
            return set()
        return set() if after.do == "bid" and after.by == table.seats[calling.turn] else {calling.turn}

    def may_answer(self, calling: Calling, seat: int, lacking: Set[int] = frozenset()) -> bool:
        """Whether a seat may choune, as far as the record tells; the calls of those `lacking` are missing."""
        if seat == calling.locker:
            return False
        if calling.owner is None and not calling.owned:  # who imposed the mode is not recorded
            return True
        if self.answered_by == "proposer":
            return seat in calling.owned
        return calling.owned != {calling.locker} and (seat in calling.bids.keys() | calling.unknown | lacking or not calling.sure)

    # --- hearing on trial ---

    def trial(self, table: Table) -> Table:
        """A table at which the auction goes on as it stands, leaving no trace at this one; what strays there is not explained."""
        trial = copy(table)
        trial.on_trial = True
        trial.findings, trial.doubts, trial.bids, trial.kept = [], {}, list(table.bids), dict(table.kept)
        trial.kept[Calling] = self.begun(table).copy()
        return trial

    def hear(self, table: Table, place: int, most: int) -> None:
        """Take the calls and words of a deal from an event on and end the auction: with the first card, or if more is found."""
        until = min(place + HEARD, len(table.deal.events))
        for spot in range(place, until):
            event: Any = table.deal.events[spot]
            if event.do == "play" or len(table.findings) > most:
                table.state = event
                break
            if self.takes(table, event):
                self.take(table, spot, event)
        if until == len(table.deal.events) or table.state is not None:
            self.close(table)
        self.write(table, self.begun(table))

    def takes(self, table: Table, event: Any) -> bool:
        """Whether an event belongs to the auction."""
        return table.game.taking(event) is self

    def outcome(self, table: Table) -> Called:
        """What the auction has come to."""
        return {None: table.contract, **{seat: made.token if made else None for seat, made in enumerate(table.bids)}}

    def calls_out_of_turn(self, table: Table, deal: Deal) -> int:
        """Calls go round and round from the dealer's left; where the dealer is not known, the first may be anybody's."""
        before, many = table.place_of.get(deal.dealer or ""), 0
        for event in deal.events:
            if type(event) is Bid:
                seat = table.place_of[event.by]
                many += before is not None and seat != table.left_of(before)
                before = seat
        return many

    # --- judging ---

    def imposes(self, calling: Calling, call: Call) -> bool:
        """Whether a call imposes a mode, rather than approve the one that stands."""
        return call.mode != calling.mode or (self.remark and call.mark not in ("", calling.mark) and bool(calling.mark))

    def broken(self, table: Table, calling: Calling, call: Call) -> Rule | None:
        """The first of the rules that a call breaks."""
        view = self.view(table, calling, call)
        for rule in table.game.checks("bid"):
            assert rule.check is not None
            if rule.check(view):
                return rule
        if not view.last:
            return None
        if view.others is None or table.unsized:
            what = "not every call is known" if view.others is None else UNSIZED
            table.doubt("L3", f"deal {table.number}: {what}")
            return None
        return next((rule for rule in table.game.checks("bids") if rule.check is not None and rule.check(view)), None)

    def view(self, table: Table, calling: Calling, call: Call) -> CallView:
        """What a rule sees of a call."""
        imposes, marks, ranks = self.imposes(calling, call), self.marks(table.count), self._ranks
        known = calling.sure and bool(calling.mode)
        others = [made.value for seat, made in calling.bids.items() if seat != call.seat]
        return CallView(
            value=call.value,
            cards=table.size,
            others=sum(value or 0 for value in others) if len(others) == table.count - 1 else None,
            last=not imposes and not calling.stated and calling.closed(table.count, call.seat),
            imposes=imposes,
            first=not calling.mode,
            rank=ranks[call.mode],
            standing=ranks.get(calling.mode, -1),
            proposed=calling.number if known else -1,
            highest=max([calling.number, *(made.value or 0 for made in calling.bids.values())]) if known else -1,
            locked=calling.locker is not None,
            unmarked=self.decides and bool(marks) and not call.mark,
            remarked=bool(marks) and not imposes and bool(calling.mark) and call.mark not in ("", calling.mark),
        )

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        """The rank of each mode; more is higher."""
        return {mode: rank for rank, mode in enumerate(reversed(self.modes))}

    @cached_property
    def _parts_of(self) -> Callable[[str, int], tuple[int, str, str] | None]:
        """Number, mode and mark of a call as it is written, by how many play; None if the game has no such call."""
        written = re.compile(rf"([0-9]{{1,3}})({'|'.join(self.modes)})([a-z]?)")

        @lru_cache(1000)
        def parts(call: str, players: int) -> tuple[int, str, str] | None:
            match = written.fullmatch(call)
            if match is None or match[3] not in ("", *self.marks(players)):
                return None
            return int(match[1]), match[2], match[3]

        return parts

    def _mode_of(self, trump: str, players: int) -> str | None:
        """The mode that a trump names, with a mark or without; None if it names none, as a whole call does not."""
        parts = self._parts_of(f"0{trump}", players)
        return None if parts is None or trump != parts[1] + parts[2] else parts[1]

    def _fault(self, table: Table, calling: Calling, call: Call, rule: Rule) -> None:
        view = self.view(table, calling, call)
        locker = None if calling.locker is None else table.seats[calling.locker]
        facts: dict[str, Any] = {"bid": call.token, "allowed": self.allowed(table), "others": view.others, "cards": table.size}
        if rule.code == "BID008" and calling.imposer in calling.bids:
            facts["against"] = f"/deals/{table.index}/events/{calling.bids[calling.imposer].place}"
        standing = f"{max(calling.number, 0)}{calling.mode}{calling.mark}"
        table.fault(rule, call.place, "/bid", seat=call.seat, standing=standing, mark=calling.mark, locker=locker, **facts)

    def close(self, table: Table) -> None:
        """The auction is over: report calls that are missing, and say what is not known."""
        where, calling = f"deal {table.number}", self.begun(table)
        if not calling.mode:
            table.doubt("L3", f"{where}: the calls are not recorded")
            return
        if table.dealer is None:
            table.doubt("L3", f"{where}: the dealer is not recorded")
        if calling.stated:
            table.doubt("L3", f"{where}: the auction is not recorded, only its outcome")
            if len(calling.bids) == table.count:
                self._sum(table, calling, calling.bids, "")
            return
        lacking = [seat for seat in range(table.count) if seat not in calling.bids]
        if table.state is not None or table.deal.status in ("complete", "claimed"):
            for seat in lacking:
                if seat not in calling.unknown | calling.perhaps:
                    called = [place for place, event in table.besides if event.do == "bid" and event.by == table.seats[seat]]
                    mode = calling.mode + calling.mark
                    did = f"did not call in {mode}" if called else "made no bid"
                    table.fault("BID006", called[-1] if called else None, seat=seat, did=did)
            if lacking:
                table.doubt("L3", f"{where}: not every call is known")

    def _sum(self, table: Table, calling: Calling, bids: Mapping[int, Made], field: str) -> None:
        """Whoever called last may not have made the numbers add up: the imposer's right, if it is known who imposed."""
        last = None if calling.imposer is None else (calling.imposer - 1) % table.count
        made = bids[last or 0]
        view = CallView(made.value, table.size, sum(each.value or 0 for each in bids.values()) - (made.value or 0))
        if table.unsized:
            table.doubt("L3", f"deal {table.number}: {UNSIZED}")
            return
        for rule in table.game.checks("bids"):
            assert rule.check is not None
            if not rule.check(view):
                continue
            facts = {"bid": made.token, "cards": table.size}
            if last is None:
                table.fault(rule, field=field, facts={**facts, "seat": "somebody", "bid": "a number"})
            elif made.place >= 0:
                table.fault(rule, made.place, "/bid", seat=last, facts=facts)
            else:
                table.fault(rule, field=f"{field}/{table.seats[last]}", seat=last, facts=facts)

    def take_sheet(self, table: Table, sheet: Mapping[int, Made]) -> None:
        """Judge calls that stand only on the score sheet: nothing above the tricks, and no sum that makes them up."""
        calling = self.begun(table)
        over = False
        for seat, made in sheet.items():
            table.bids[seat] = made
            view = CallView(made.value, table.size)
            rule = table.game.rule("BID002")
            if rule.check is not None and rule.check(view):
                over, field = True, f"/claimed/bids/{table.seats[seat]}"
                table.fault(rule, field=field, seat=seat, bid=made.token, allowed=self.allowed(table))
        if len(sheet) == table.count and not over:
            self._sum(table, calling, sheet, "/claimed/bids")
        self._one_mode(table, calling.mode)

    def _one_mode(self, table: Table, stated: str) -> None:
        """All that a sheet says is of one mode, as everybody calls again in a new one: the one `stated`, or else most of it."""
        claimed = table.deal.claimed or DealClaims()
        trump = self._mode_of(str(claimed.trump), table.count)
        calls = {seat: self._parts_of(str(bid), table.count) for seat, bid in (claimed.bids or {}).items()}
        modes = {seat: call[1] for seat, call in calls.items() if call is not None}
        named = [*([trump] if trump else ()), *modes.values()]  # of several that are named as often, the trump's
        due = stated or next((mode for mode, _ in Counter(named).most_common(1)), "")
        if not stated and trump:
            table.compare("DEA009", trump, due, field="/claimed/trump")
        for seat, mode in modes.items():
            if mode != due:
                wrong = {"found": (claimed.bids or {})[seat], "due": f"in {due}"}
                table.fault("SCO004", field=f"/claimed/bids/{seat}", seat=seat, facts=wrong)

    # --- score and sheet ---

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """How often the points of the hand count."""
        calling = self.begun(table)
        times = 4 if calling.answered is not None else 2 if calling.locker is not None else 1
        silent = calling.stated or not calling.mode
        return {"times": Perhaps((1, 2, 4)) if times == 1 and silent else times}

    def said(self, table: Table, seat: int) -> dict[str, int] | None:
        """How often the points of the hand count."""
        facts = self.facts(table, seat)
        return None if isinstance(facts["times"], Perhaps) else facts

    def notes(self, table: Table, seat: int) -> dict[str, str]:
        """Who imposed the mode, who doubled the hand, and who doubled it again."""
        calling = self.begun(table)
        said = ["imposed"] * (seat == calling.imposer and calling.sure) + ["méchoune"] * (seat == calling.locker)
        said += ["choune"] * (seat == calling.answered)
        return {"auction": ", ".join(said)} if said else {}

    # --- dealing ---

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The calls of the seat in turn; with `breaking`, calls and words that break this rule first."""
        calling = self.begun(table)
        if breaking is not None and breaking.code in self.breakable:
            return self._wrong(table, calling, breaking)
        if self._is_over(table, calling) or calling.turn is None:
            return []
        if breaking is not None and breaking.on not in ("bid", "bids"):
            return []
        numbers = range(table.size + (2 if breaking else 1))
        every = product(numbers, self.modes, self._ends(table))
        calls = [Call(calling.turn, number, mode, mark, -1) for number, mode, mark in every]
        seat = table.seats[calling.turn]
        return [Bid(by=seat, bid=call.token) for call in calls if self.broken(table, calling, call) is breaking]

    def expects(self, table: Table, event: Any) -> bool | None:
        """Whether a call is one of those offered; one of another form breaks no rule by that."""
        if type(event) is not Bid or event.blind is not None:
            return None
        calling, call = self.begun(table), self.read(table, event, -1)
        if self._is_over(table, calling) or call is None or call.seat != calling.turn:
            return False
        if call.token != event.bid or call.mark not in self._ends(table):
            return None
        return call.value <= table.size and self.broken(table, calling, call) is None

    @staticmethod
    def _is_over(table: Table, calling: Calling) -> bool:
        """Whether nobody calls any more."""
        return table.state is not None or calling.stated or calling.closed(table.count)

    def _ends(self, table: Table) -> tuple[str, ...]:
        """The marks with which a call may end; none may be one of them."""
        marks = tuple(self.marks(table.count))
        return marks if marks and self.decides else (*marks, "")

    def may(self, table: Table) -> list[Any]:
        """Méchoune while calls are made, and choune until the first card."""
        calling = self.begun(table)
        if table.state is not None or not calling.mode or calling.answered is not None:
            return []
        if calling.locker is not None:
            return self._say(table, "choune", [seat for seat in range(table.count) if self.may_answer(calling, seat)])
        own = () if self.by_imposer else (calling.imposer,)
        seats = () if calling.closed(table.count) else range(table.count)
        return self._say(table, "mechoune", [seat for seat in seats if seat not in own])

    def _wrong(self, table: Table, calling: Calling, breaking: Rule) -> list[Any]:
        """What may be called or said that breaks a rule about the end of the auction, or about its words."""
        if breaking.code == "BID016":
            over = calling.closed(table.count) and table.state is None
            return [Bid(by=seat, bid=f"0{table.contract}") for seat in table.seats] if over else []
        found = []
        for what, unsaid in (("mechoune", self._unlockable), ("choune", self._unanswerable)):
            for seat in range(table.count):
                wrong = unsaid(table, calling, seat, set())
                if wrong is not None and self._rule_on(table, what, wrong[0]) is breaking:
                    found += self._say(table, what, [seat])
        return found

    @staticmethod
    def _say(table: Table, what: str, seats: Any) -> list[Any]:
        return [Announce(by=table.seats[seat], what=what) for seat in seats]


@lru_cache
def _tokens(modes: tuple[str, ...], marks: tuple[str, ...], size: int) -> tuple[str, ...]:
    """Every call there is, as it is written."""
    return tuple([f"{tricks}{mode}{mark}" for tricks in range(size + 1) for mode in modes for mark in marks or ("",)])
