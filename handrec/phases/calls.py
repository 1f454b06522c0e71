"""The auction of contract bridge, refereed: calls in turn, what they come to, and what is stated of it.

What the calls come to is worked out in `bidding`. The contract that is stated after them is compared with it; a record without
calls has that alone. A slip of the pen in the contract or the declarer must not look like a fault of play: so if the opening lead
comes from the stated declarer's left and not from that of the declarer by the calls, the former plays the hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from handrec.findings import Rule
from handrec.game.planting import Planting
from handrec.game.table import Table
from handrec.game.value import Sight
from handrec.phases import wrong_calls
from handrec.phases.bidding import (
    BARRED,
    CALLS,
    DOUBLE,
    HIGH,
    LATE,
    LEVELS,
    LOW,
    PASS,
    REDOUBLE,
    SEATS,
    STRAINS,
    TURN,
    VALUE,
    WRONG_DOUBLE,
    WRONG_REDOUBLE,
    AuctionState,
    came_to,
    level_and_strain,
    stated_outcome,
    written,
)
from handrec.phases.board import Vulnerable, all_vulnerable, dealer_of, vulnerability, vulnerable_on
from handrec.phases.contracts import Contracts, Outcome
from handrec.record import Bid, Claim, Contract, Deal, Play, Withdraw

SHORT, CONTRACT, DECLARER, PLAYED, TAKEN_BACK, NOT_TAKEN_BACK = "BID006", "BID028", "BID029", "BID030", "BID031", "BID032"
LEFT_OUT = "BID033"
DEALER, VULNERABLE = "DEA006", "DEA012"


class PlayOnRecord:
    """What a deal shows of its play; its events are looked through once, however often that is asked, and those to come then."""

    def __init__(self, deal: Deal) -> None:
        self._deal, self._seen = deal, 0
        claimed, sides = deal.claimed, ((deal.claimed and deal.claimed.sides) or {}).values()
        self._begun = claimed is not None and bool(claimed.tricks or claimed.winners or any(side.tricks for side in sides))
        self._plays: list[Play] = []
        self._fits: dict[str, bool] = {}

    def plays(self) -> list[Play]:
        """All plays."""
        events: Sequence[Any] = self._deal.events[self._seen :]
        if events:
            self._seen += len(events)
            self._plays += [event for event in events if type(event) is Play]
            self._begun = self._begun or any(type(event) in (Play, Claim) for event in events)
            self._fits.clear()
        return self._plays

    def begun(self) -> bool:
        """Whether a card was led, as far as the record tells: there is a play, a claim, or a count of tricks."""
        self.plays()
        return self._begun

    def leader(self, table: Table) -> int | None:
        """Who made the opening lead: the seat that is named, or whose card it was."""
        play = next(iter(self.plays()), None)
        if play is not None and play.by is None:
            card = table.pack.index.get(play.card, -1)
            return next((seat for seat, hand in enumerate(table.hands) if card >= 0 and hand >> card & 1), None)
        name = play.by if play is not None else self._deal.leader
        return table.place_of[name] if name is not None else None

    def fits(self, table: Table, strain: str) -> bool:
        """Whether each trick falls to whoever leads to the next, if this is trump."""
        plays = self.plays()
        if strain not in self._fits:
            self._fits[strain] = _falls_so(table, plays, strain)
        return self._fits[strain]


class CallsHeard:
    """The auction of a table: its calls as far as they have come, and what is stated of it."""

    def __init__(self, turn: int | None, deal: Deal) -> None:
        self.play = PlayOnRecord(deal)
        self.bids: dict[Any, int] = {}  # where each was made last
        self.bidding = AuctionState(turn)
        self.last: tuple[int, Bid, str | None, AuctionState] | None = (
            None  # place, call, what was wrong, and the auction before it
        )
        self.first: tuple[int, Bid] | None = None
        self.calls = self.faults = 0
        self.stated: list[tuple[int, Contract]] = []


@dataclass(frozen=True)
class Calls(Contracts):
    """Calls in turn from the dealer until three pass over a bid, or all four; or their outcome alone, where that is recorded.

    `boards` says whether the number of a board decides who deals and who is vulnerable: it does at "duplicate"; what differs
    from it is worth a word where it is "free"; it says nothing of that at "none".
    """

    boards: str = "duplicate"

    kinds = ("bid", "contract")  # type: ignore[assignment]  # and what is called
    anytime = ("contract",)
    per_seat = False
    endless = True
    needs = (VALUE, LATE, LOW, WRONG_DOUBLE, WRONG_REDOUBLE, HIGH, BARRED, CONTRACT, DECLARER, PLAYED, TAKEN_BACK,
             NOT_TAKEN_BACK, LEFT_OUT, VULNERABLE)  # fmt: skip
    breakable = (TURN, VALUE, LATE, LOW, WRONG_DOUBLE, WRONG_REDOUBLE, HIGH)
    tokens = CALLS

    def sayable(self, table: Table) -> Iterable[Any]:
        """The calls there are."""
        return CALLS

    @property
    def plants(self) -> Mapping[str, Planting]:
        """The faults that are planted when the calls are made: what is left out, stated otherwise, or called against a bar."""
        return {
            SHORT: Planting(wrong_calls.last_left_out),
            LEFT_OUT: Planting(wrong_calls.first_left_out),
            BARRED: Planting(wrong_calls.called_though_barred),
            CONTRACT: Planting(wrong_calls.other_contract),
            DECLARER: Planting(wrong_calls.other_declarer),
            PLAYED: Planting(wrong_calls.all_pass),
            NOT_TAKEN_BACK: Planting(wrong_calls.taken_back_late),
            DEALER: Planting(wrong_calls.other_dealer),
            VULNERABLE: Planting(wrong_calls.other_vulnerability),
        }

    # --- the board ---

    def heading(self, number: int, seats: Sequence[str]) -> dict[str, Any]:
        """What the number of a board says of it, where it says anything."""
        if self.boards != "duplicate":
            return {}
        sides = vulnerability(vulnerable_on(number, seats), tuple(seats))
        return {"board": number, "dealer": seats[dealer_of(number, seats)], "vulnerable": sides}

    def open(self, table: Table) -> None:
        """Dealer and vulnerability as they are stated, or follow from the number of the board."""
        self._vulnerable(table)
        self.begun(table)

    def _vulnerable(self, table: Table) -> None:
        """Who is vulnerable: as stated, or by the number of the board."""
        board, stated, names = self._board(table), table.deal.vulnerable, table.seats[: table.count]
        due, known = None if board is None else vulnerable_on(board, names), all_vulnerable(names)
        wrong = stated is not None and known.get(stated, -1) != (due if due is not None else known.get(stated))
        if wrong and not self._other_board(table):
            told = ", ".join(map(str, known)) if due is None else vulnerability(due, names)
            table.fault(VULNERABLE, field="/vulnerable", found=stated, due=told, board=board)
        table.kept[Vulnerable] = Vulnerable(known.get(stated, due if self.boards == "duplicate" else None))

    def _board(self, table: Table) -> int | None:
        """The number of the board, where it says more than which it is."""
        return None if self.boards == "none" else table.deal.board

    def _other_board(self, table: Table) -> bool:
        """Whether dealer and vulnerability both contradict the number of the board, so that it is rather this that is wrong."""
        board, stated, names = self._board(table), table.deal.vulnerable, table.seats[: table.count]
        if board is None or stated is None or table.deal.dealer is None:
            return False
        other = table.dealer not in (None, dealer_of(board, table.seats))
        return other and stated != vulnerability(vulnerable_on(board, names), names)

    def _dealer(self, table: Table) -> None:
        """Who dealt: as stated, or by the number of the board, if that is not stated or whoever calls first agrees with it."""
        board = self._board(table)
        if board is None:
            return
        due = dealer_of(board, table.seats)
        if table.deal.dealer is None:
            table.dealer = table.beside = due if self.boards == "duplicate" else None
        elif table.dealer not in (None, due):
            facts = {"found": table.seat(table.dealer), "due": table.seat(due), "against": f"/deals/{table.index}/board"}
            if self._other_board(table):
                facts["hint"] = f" on board {board}, nor are the same vulnerable: is it another board?"
            table.fault(DEALER, field="/dealer", facts=facts)
            first = next((event.by for _, event in table.besides if type(event) is Bid), None)
            table.dealer = table.beside = due if first == table.seats[due] else table.dealer

    # --- calls ---

    def begun(self, table: Table) -> CallsHeard:
        """The auction as far as it has come."""
        if CallsHeard not in table.kept:
            self._dealer(table)
            table.kept[CallsHeard] = CallsHeard(table.dealer, table.deal)
        found: CallsHeard = table.kept[CallsHeard]
        return found

    def take(self, table: Table, place: int, event: Bid | Contract) -> None:
        """Take a call, or what is stated of the auction."""
        heard = self.begun(table)
        if type(event) is Contract:
            self._state(table, heard, place, event)
        elif type(event) is Bid:
            self._call(table, heard, place, event)
        self._settle(table, heard)
        self._played(table, place + 1)

    def _call(self, table: Table, heard: CallsHeard, place: int, event: Bid) -> None:
        seat, bidding, before = table.place_of[event.by], heard.bidding, heard.bidding.copy()
        heard.calls += 1
        heard.first = heard.first or (place, event)
        if event.blind is not None:
            table.fault("PLY007", place, "/blind", seat=seat, what="bids with or without looking")
        if table.state is not None:
            bidding.over = True
        due, last, standing = bidding.turn, bidding.best, "no bid"
        if heard.calls == 1 and due is not None and due != seat and right_from(table, place, due):
            for passed in in_front(due, seat):
                bidding.take(passed, PASS, (), False)
            table.fault(LEFT_OUT, place, facts={"by": event.by, "bid": event.bid, "due": table.seat(due)})
        if last is not None:
            risk = ("", " doubled", " redoubled")[bidding.risk]
            standing = f"{last[0]}{STRAINS[last[1]]} by {table.seats[bidding.owner]}{risk}"
        wrong = bidding.take(seat, event.bid, _after(table, place), heard.play.begun())
        heard.last = place, event, wrong, before
        if wrong is not None:
            heard.faults += 1
            table.fault(
                wrong,
                place,
                "/by" if wrong == TURN else "/bid",
                seat=seat,
                bid=event.bid,
                due=table.seat(due),
                before=standing.partition(" by ")[0],
                standing=standing,
                allowed=f"pass, X, XX, or 1 to 7 with one of {', '.join(STRAINS)}",
                **(_against(table, heard, standing) if wrong == LOW else {}),
            )
        heard.bids[event.bid] = place

    def take_back(self, table: Table, place: int, event: Withdraw) -> None:
        """Take back the call just made; what was wrong with it becomes a remark."""
        heard = self.begun(table)
        if heard.last is None or table.state is not None or (heard.last[1].by, heard.last[1].bid) != (event.by, event.bid):
            table.fault(NOT_TAKEN_BACK, place, seat=event.by, bid=event.bid)
            return
        (spot, call, wrong, before), heard.last = heard.last, None
        seat = table.place_of[call.by]
        heard.bidding = before
        if call.bid in (DOUBLE, REDOUBLE) and before.mended == (seat, LOW):
            before.barred |= {(seat + 2) % SEATS}  # 27B3
        if wrong is not None:
            heard.faults -= 1
            before.mended = (seat, wrong) if wrong != TURN else None
            findings, spots = table.findings, reversed(range(len(table.findings)))
            at = next(at for at in spots if (findings[at].code, findings[at].event_index) == (wrong, spot))
            table.fault(TAKEN_BACK, place, seat=seat, bid=event.bid, why=findings.pop(at).message)
        self._settle(table, heard)

    def _state(self, table: Table, heard: CallsHeard, place: int, event: Contract) -> None:
        if stated_outcome(str(event.bid)) is None and self.names(str(event.bid)) is None:
            table.fault(VALUE, place, "/bid", seat=event.by, bid=event.bid, allowed=self.form)
        else:
            heard.stated.append((place, event))

    # --- what it comes to ---

    def _settle(self, table: Table, heard: CallsHeard) -> None:
        """Write down what is played, and by whom: by the calls if nothing is wrong with them, else as it is stated."""
        stated, came = self._stated(table, heard.stated[-1][1]) if heard.stated else None, heard.bidding.outcome()
        if not heard.bidding.may_be_over and not heard.play.begun():
            came = None
        strain = stated.strain if stated is not None else ""
        if stated is not None and not self._decides(table, heard, came, stated):
            declarer = stated.declarer if stated.declarer is not None or came is None else came.declarer
            came = stated._replace(declarer=declarer if stated.level or strain else None)
        elif came is not None and stated is not None:
            came = came._replace(declarer=self._declarer(table, heard, came.declarer, stated.declarer))
        table.contract = came.strain or None if came is not None else None
        table.declarer = came.declarer if came is not None else None
        table.kept.pop(Outcome, None)
        if came is not None and (came.level or not came.strain):
            table.kept[Outcome] = came
        table.unplayed = came is not None and not came.strain

    @staticmethod
    def _played(table: Table, place: int) -> None:
        """Nobody plays when all have passed; what is played all the same cannot be judged."""
        event: Any = table.deal.events[place] if place < len(table.deal.events) else None
        if table.unplayed and type(event) is Play:
            table.fault(PLAYED, place, seat=event.by, card=event.card)
            table.stop(f"deal {table.number}: all four players passed, and yet cards were played")

    def _stated(self, table: Table, event: Contract) -> Outcome:
        """What is stated, with a level of 0 where only the strain is."""
        outcome = stated_outcome(str(event.bid)) or Outcome(0, self.names(str(event.bid)) or "")
        return outcome._replace(declarer=table.place_of[event.by] if event.by else None)

    def _decides(self, table: Table, heard: CallsHeard, came: Outcome | None, stated: Outcome) -> bool:
        """Whether the calls say what is played, rather than what is stated."""
        if came is None or not heard.bidding.over or heard.faults:
            return False
        if not came.level:
            return not stated.strain or not heard.play.begun()
        fits = heard.play.fits
        return stated.strain in ("", came.strain) or fits(table, came.strain) or not fits(table, stated.strain)

    @staticmethod
    def _declarer(table: Table, heard: CallsHeard, called: int | None, stated: int | None) -> int | None:
        """The declarer by the calls, unless it is the stated one whose left led."""
        if stated is None or called == stated:
            return called
        leads = heard.play.leader(table)
        return stated if called is None or (leads == (stated + 1) % SEATS and leads != (called + 1) % SEATS) else called

    def lay(self, table: Table, place: int) -> int:
        """The calls come first, nothing is wrong with them, and what is stated of them is what they came to."""
        events, seats = table.deal.events, table.seats
        self._vulnerable(table)
        self._dealer(table)
        dealer = table.dealer
        if table.findings or dealer is None or place >= len(events):
            return -1
        if type(events[place]) is not Bid:
            return self._lay_stated(table, place)
        calls, callers, end = list[Any](), list[str](), place
        while end < len(events) and type(event := events[end]) is Bid and event.blind is None:
            calls.append(event.bid)
            callers.append(event.by)
            end += 1
        came, turns = came_to(tuple(calls)), seats[dealer:] + seats[:dealer]
        if came is None or tuple(callers) != (turns * len(calls))[: len(calls)]:
            return -1
        if came.declarer is not None:
            came = Outcome(*came[:-1], declarer=(came.declarer + dealer) % SEATS)
        if end < len(events) and type(event := events[end]) is Contract:
            said = stated_outcome(str(event.bid))
            if said is None or said[:-1] != came[:-1] or event.by not in (None, table.seat(came.declarer)):
                return -1
            end += 1
        table.contract, table.declarer, table.kept[Outcome] = came.strain or None, came.declarer, came
        table.unplayed = not came.level
        return end

    def _lay_stated(self, table: Table, place: int) -> int:
        event: Any = table.deal.events[place]
        said = stated_outcome(str(event.bid)) if type(event) is Contract else None
        if said is not None and not said.level:
            table.kept[Outcome], table.unplayed = said, True
            return -1 if event.by is not None else place + 1
        end = super().lay(table, place)
        if end >= 0 and said is not None:
            table.kept[Outcome] = said._replace(declarer=table.declarer)
        return end

    def close(self, table: Table) -> None:
        """Say what is missing, and where what is stated is not what the calls came to."""
        where, heard = f"deal {table.number}", self.begun(table)
        bidding = heard.bidding
        self._settle(table, heard)
        if table.contract is None and not table.unplayed:
            why = "the contract is not recorded" if not heard.calls else "what the calls came to is not known"
            table.doubt("L3", f"{where}: {why}")
        if not heard.calls:
            return
        if table.dealer is None:
            table.doubt("L3", f"{where}: the dealer is not recorded")
        if bidding.hidden:
            table.doubt("L3", f"{where}: not every call is known")
        elif not bidding.may_be_over and (heard.play.begun() or table.deal.status == "complete"):
            self._short(table, heard)
        self._compare(table, heard)

    def _short(self, table: Table, heard: CallsHeard) -> None:
        """Law 22: the auction stops before it is over."""
        play = next((place for place, event in enumerate(table.deal.events) if type(event) is Play), None)
        place, last, _, _ = heard.last or (None, None, None, None)
        heard.faults += 1
        table.fault(SHORT, play if play is not None else place, seat=heard.bidding.turn, bid=last.bid if last else None)

    def _compare(self, table: Table, heard: CallsHeard) -> None:
        """Laws 22, 54: contract and declarer are those of the calls, where these leave no doubt."""
        came = heard.bidding.outcome()
        if came is None:
            return
        for place, event in heard.stated:
            stated = self._stated(table, event)
            level = came.level if stated.level or not stated.strain else 0  # of a strain alone only that is compared
            same = (stated.level, stated.strain, stated.risk) == (level, came.strain, came.risk if level else 0)
            if heard.faults or not heard.bidding.over:
                if not same:
                    table.doubt("L3", f"deal {table.number}: a fault in the calls leaves open what they came to")
                continue
            if not same:
                bids = [at for bid, at in heard.bids.items() if level_and_strain(str(bid))]
                against = f"/deals/{table.index}/events/{max(bids, default=place)}"
                table.fault(CONTRACT, place, "/bid", found=event.bid, due=written(came), against=against)
            named = (
                {came.declarer, stated.declarer} if came.strain == stated.strain else set()
            )  # who declares hangs on the strain
            if (
                len(named - {None}) > 1
                and stated.level == level
                and self._turned(table, heard, came.declarer or 0, stated.declarer or 0)
            ):
                continue
            if len(named - {None}) > 1:
                table.fault(DECLARER, place, "/by", found=event.by, due=table.seat(came.declarer))

    @staticmethod
    def _turned(table: Table, heard: CallsHeard, called: int, stated: int) -> bool:
        """Whether the calls are told from the dealer on though passes in front are left out, by who declared and led."""
        if table.dealer is None or heard.first is None or heard.play.leader(table) != (stated + 1) % SEATS:
            return False
        place, first = heard.first
        if first.bid == PASS:
            return False
        began = table.seats[(table.dealer + stated - called) % SEATS]
        table.fault(LEFT_OUT, place, facts={"by": began, "bid": first.bid, "due": table.seat(table.dealer)})
        return True

    def calls_out_of_turn(self, table: Table, deal: Any) -> int:
        """How many of a deal's calls are not made by the seat after the one before."""
        seats = [table.place_of[event.by] for event in deal.events if type(event) is Bid]
        return sum(after != (seat + 1) % SEATS for seat, after in pairwise(seats))

    # --- dealing ---

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The calls of the seat in turn, and then what they came to; with `breaking`, the calls that break this rule."""
        heard = self.begun(table)
        bidding, turn = heard.bidding, heard.bidding.turn
        if table.state is not None or bidding.cancelled or turn is None or (heard.stated and not heard.calls):
            return []
        if breaking is not None:
            wrong = breaking.code
            if wrong == LATE:
                return [Bid(by=table.seats[turn], bid=call) for call in CALLS] if bidding.over else []
            if bidding.over or wrong not in self.breakable:
                return []
            if wrong == TURN and not heard.calls:
                return []  # passes in front of it might be left out
            if wrong == TURN:
                others = [seat for seat in range(SEATS) if seat != turn]
                return [Bid(by=table.seats[seat], bid=call) for seat in others for call in (PASS, *CALLS[3:])]
            calls = (*CALLS, *(f"{LEVELS + 1}{strain}" for strain in STRAINS), "0NT", "double")
            return [Bid(by=table.seats[turn], bid=call) for call in calls if bidding.wrong(turn, call) == wrong]
        if bidding.over:
            came = None if heard.stated else bidding.outcome()
            by: Any = {} if came is None or came.declarer is None else {"by": table.seats[came.declarer]}
            return [] if came is None else [Contract(**by, bid=written(came))]
        return [Bid(by=table.seats[turn], bid=call) for call in CALLS if bidding.wrong(turn, call) is None]

    def sensible(self, table: Table, events: list[Any]) -> list[Any]:
        """Passes, the more the higher the bidding has come, the next few bids, doubles; seldom is a deal passed out."""
        bidding = self.begun(table).bidding
        if bidding.over:
            return events
        level = bidding.best[0] if bidding.best else 0
        bids = [event for event in events if level_and_strain(event.bid) is not None]
        others = [event for event in events if event.bid in (DOUBLE, REDOUBLE)]
        passes = [event for event in events if event.bid == PASS]
        last = not bidding.best and bidding.passes == SEATS - 1
        return [*bids[:7], *others, *passes * (3 + 4 * level if bidding.best else 1 if last else 4)]


def in_front(due: int, seat: int) -> list[int]:
    """The seats from the one in turn up to another, which passed if that one was the first to be written down."""
    return [(due + step) % SEATS for step in range((seat - due) % SEATS)]


def right_from(table: Table, place: int, due: int) -> bool:
    """Whether nothing is wrong with the calls from an event on, if those from the seat in turn up to its own passed before.

    At a table, and of what happened last in a deal that goes on, nothing shows that any was left out.
    """
    if table.to_come(place):
        return False
    trial, places = AuctionState(due), table.place_of
    rest: list[Any] = [event for event in table.deal.events[place:] if type(event) is Bid]
    calls = [*((seat, PASS) for seat in in_front(due, places[rest[0].by])), *((places[event.by], event.bid) for event in rest)]
    wrong = [trial.take(seat, bid, (), False) for seat, bid in calls]
    return not any(wrong) and trial.over and trial.outcome() is not None


def _against(table: Table, heard: CallsHeard, standing: str) -> dict[str, Any]:
    """Where the bid was made that stands."""
    made = heard.bids.get(standing.partition(" ")[0])
    return {} if made is None else {"against": f"/deals/{table.index}/events/{made}"}


def _after(table: Table, place: int) -> tuple[int, ...]:
    """The seats of the two calls that follow an event at once."""
    events: Sequence[Any] = table.deal.events[place + 1 : place + 3]
    found = []
    for event in events:
        if type(event) is not Bid:
            break
        found.append(table.place_of[event.by])
    return tuple(found)


def _falls_so(table: Table, plays: Sequence[Play], strain: str) -> bool:
    """Whether each trick falls to whoever leads to the next, if this is trump."""
    order = table.game.order(Sight((), strain, 1, table.undealt, True, table.count))
    cards = [table.pack.index.get(play.card, -1) for play in plays]
    for start in range(0, len(plays) - SEATS, SEATS):
        row = cards[start : start + SEATS]
        if order is None or -1 in row or plays[start + SEATS].by not in (None, plays[start + order.winner(row)].by):
            return False
    return True
